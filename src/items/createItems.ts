/** svc_create_items: up to 100 items, all or none (behaviour §7.26). */
import { z } from 'zod';
import type { ItemType } from '../access/rights.ts';
import type { Write } from '../operations/operation.ts';
import { atIndex, Forbidden } from '../values/errors.ts';
import { Id, Title } from '../values/text.ts';
import { isBelowHidden } from './changedFields.ts';
import { changeItems, mayWrite, type SavedItem } from './changeItems.ts';
import { idsIn } from './decide.ts';
import { linkNames } from './fields.ts';
import { readFacts, readWorkspaceOf, type WriteFacts } from './queries.ts';
import { Description, type ItemChange, StatusSchema, type Work, WorkFields } from './schema.ts';
import { canWarn, type Warning } from './warnings.ts';

const types = ['task', 'requirement', 'release', 'milestone'] as const;

const NewItem = z
  .strictObject({
    type: z.enum(types, { error: `give one of ${types.join(', ')}` }),
    title: Title,
    description: Description.optional(),
    status: StatusSchema.optional(),
    ownerId: Id.nullable().optional(),
    fields: WorkFields.optional(),
  })
  .transform(withDefaults);
type NewItem = ItemChange & { type: ItemType };

const Input = z.strictObject({
  workspaceId: Id,
  items: z.array(NewItem, { error: 'give a list of 1 to 100 items' }).min(1, 'give 1 to 100 items').max(100, 'give at most 100 items'),
});
type Input = z.infer<typeof Input>;

/** An explicit default and an omitted value are the same request (behaviour §7.16). */
function withDefaults<T extends ItemChange & { type: ItemType }>({ type, title, description, status, ownerId, fields = {} }: T): NewItem {
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null));
  return {
    type,
    title,
    description: description ?? '',
    status: status ?? ('statusKey' in given ? undefined : 'planned'),
    ownerId: ownerId ?? undefined,
    fields: given,
  };
}

const links = linkNames.filter((name) => name !== 'goalId');
const shown = ['assigneeId', 'dueDate', 'targetDate', 'estimatedHours', ...links] as const;
type CreatedItem = Pick<Work, 'id' | 'type' | 'title' | 'status' | 'version'> & Partial<Pick<Work['fields'], (typeof shown)[number]>>;

interface Created {
  items: CreatedItem[];
  warnings?: Warning[];
}

/** Keeps nulls: a receipt without links comes from an older version. */
function created({ id, version, row }: SavedItem): CreatedItem {
  const { type, title, status, fields } = row;
  return { id, type, title, status, version, ...Object.fromEntries(shown.map((name) => [name, fields[name] ?? null])) };
}

export const createItems: Write<Input, Created, WriteFacts> = {
  name: 'createItems',
  input: Input,

  async authorize(tx, caller, { workspaceId, items }, { replay }) {
    const permit = await readFacts(tx, caller, { workspaceId, ...idsIn(items), warns: canWarn(items) });
    items.forEach(({ type, fields = {} }, index) => {
      atIndex(index, () => mayWrite(permit, type));
      if (replay && isBelowHidden(fields, permit)) throw new Forbidden({ index });
    });
    return permit;
  },

  async inputOf(tx, { items }: Created) {
    const workspaceId = await readWorkspaceOf(tx, items[0]!.id);
    // Receipts of earlier versions contain no links, so the items' visibility can't be checked.
    if (workspaceId === null || items.some((item) => !('releaseId' in item))) return null;
    return {
      workspaceId,
      items: items.map((item) => ({ type: item.type, fields: Object.fromEntries(links.map((name) => [name, item[name]])) })),
    };
  },

  async run(tx, permit, { items }) {
    const saved = await changeItems(
      tx,
      permit,
      items.map(({ type, ...change }) => ({ type, change })),
    );
    return { items: saved.items.map(created), ...(saved.warnings.length && { warnings: saved.warnings }) };
  },

  // Receipts of older versions may contain an empty list of warnings.
  replay: async (_tx, _permit, { items, warnings }: Created) => ({ items, ...(warnings?.length && { warnings }) }),
};
