/** Open items of some types in a workspace, by words of their texts or their number, for pickers (behaviour §40.2). In id order. */
import { z } from 'zod';
import { itemTypes } from '../../access/rights.ts';
import type { Read } from '../../operations/operation.ts';
import { Forbidden } from '../../values/errors.ts';
import { Id, Text } from '../../values/text.ts';
import { LinkChoice } from '../placeQueries.ts';
import { readWork } from './queries.ts';
import { hasTooManyPhrases, MOST_PHRASES } from './searchPhrases.ts';

const MOST_FOUND = 20;

const Input = z.strictObject({
  workspaceId: Id,
  types: z.array(z.enum(itemTypes)).min(1, 'name at least one type').max(itemTypes.length),
  /** Empty: the oldest. */
  search: Text(0, 300).refine((search) => !hasTooManyPhrases(search), `give at most ${MOST_PHRASES} words`),
});

export const findTargets: Read<z.infer<typeof Input>, LinkChoice[]> = {
  name: 'findTargets',
  input: Input,
  searches: ({ search }) => search !== '',
  async run(tx, caller, { workspaceId, types, search }) {
    const { workspace_found, items } = await readWork(tx, caller, {
      ...{ workspaceId, types, afterId: 0, limit: MOST_FOUND, columns: ['title', 'type'], closed: [false] },
      filters: { text: search === '' ? undefined : { search, searchIn: 'text' } },
    });
    if (!workspace_found) throw new Forbidden();
    return z.array(LinkChoice).parse(JSON.parse(`[${items ?? ''}]`));
  },
};
