/** GET /items, behaviour §5.1: one page of a type in id order. */
import { z } from 'zod';
import { JsonText } from '../operations/json.ts';
import type { Read } from '../operations/operation.ts';
import { Id } from '../values/text.ts';
import { readItems } from './queries.ts';
import { ItemTypeSchema, Work } from './schema.ts';

const ListItemsInput = z.strictObject({
  workspaceId: Id.meta({ description: 'A workspace from GET /workspaces.' }),
  type: ItemTypeSchema.default('task').meta({ description: 'Which type of item to list.' }),
  label: Id.optional().meta({ description: 'Only items with this label, from GET /labels.' }),
  after: z
    .int('give a whole number from 0 up')
    .min(0, 'give a whole number from 0 up')
    .default(0)
    .meta({ description: 'Exclusive item-id cursor: `nextAfter` of the previous page.' }),
  limit: z
    .int('give a whole number from 1 to 100')
    .min(1, 'give a whole number from 1 to 100')
    .max(100, 'give a whole number from 1 to 100')
    .default(50)
    .meta({ description: 'The maximum number of items on the page.' }),
});

export const ItemPage = z
  .strictObject({
    items: z.array(Work),
    hasMore: z.boolean(),
    nextAfter: z.int().min(0).meta({ description: 'The last id on the page, or the `after` of the request when the page is empty.' }),
  })
  .meta({ id: 'ItemPage' });

export const listItems: Read<z.infer<typeof ListItemsInput>, z.infer<typeof ItemPage>> = {
  name: 'listItems',
  input: ListItemsInput,
  async run(tx, caller, page) {
    const found = await readItems(tx, caller, page);
    return new JsonText(`{"items":[${found.items ?? ''}],"hasMore":${found.has_more},"nextAfter":${found.next_after ?? page.after}}`);
  },
};
