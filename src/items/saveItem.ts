/** POST /items/save, behaviour §5.2: creates without an id, updates with id and version. */
import { z } from 'zod';
import type { Write } from '../operations/operation.ts';
import { Forbidden, InvalidRequest } from '../values/errors.ts';
import { Id } from '../values/text.ts';
import { asSeenBy, isBelowHidden } from './changedFields.ts';
import { changeItem, type ItemEdit, mayWrite, storedItem, workOf, writableItem } from './changeItems.ts';
import { idsIn } from './decide.ts';
import { readFacts, type WriteFacts } from './queries.ts';
import { LabelIds } from './relationSchema.ts';
import { type Work, WorkInput } from './schema.ts';

const content = { workspaceId: Id.meta({ description: 'A workspace from GET /workspaces.' }), record: WorkInput };
const Input = z.strictObject(content).transform(withoutNulls);
interface Input {
  workspaceId: number;
  record: z.infer<typeof WorkInput>;
  labels?: readonly number[];
}

export const saveItem: Write<Input, Work, WriteFacts> = {
  name: 'saveItem',
  input: Input,
  faultsAt: ['record'],

  async authorize(tx, caller, { workspaceId, record }, { replay }) {
    const { id, type, fields } = record;
    const permit = await readFacts(tx, caller, { workspaceId, ...(id !== undefined && { ids: [id] }), ...idsIn([record]) });
    if (id === undefined) mayWrite(permit, type);
    else writableItem(permit, id);
    if (replay && id === undefined && isBelowHidden(fields, permit)) throw new Forbidden();
    return permit;
  },

  async run(tx, permit, { record, labels }) {
    const edit = editOf(record, permit);
    const { item } = await changeItem(tx, permit, labels?.length ? { ...edit, relations: { labels } } : edit);
    return workOf(permit, item);
  },

  // The receipt holds the item as of the first call. The caller may have lost access to its goal since.
  replay: async (_tx, permit, work: Work) => asSeenBy(permit, work),
};

/** With the ids of the item's labels. For pages. */
export const saveLabelledItem: typeof saveItem = {
  ...saveItem,
  name: 'saveLabelledItem',
  input: z.strictObject({ ...content, labels: LabelIds }).transform(({ labels, ...input }) => ({ ...withoutNulls(input), labels })),
};

function editOf({ id, version, type, ...change }: Input['record'], facts: WriteFacts): ItemEdit {
  if (id === undefined && version !== undefined)
    throw new InvalidRequest(['version'], 'leave it out to create an item, or give the id to update one.');
  if (id === undefined) return { type, change };
  if (version === undefined) throw new InvalidRequest(['version'], 'give the version that you read; read the item first.');
  const stored = storedItem(facts, id);
  if (type !== stored.type) throw new InvalidRequest(['type'], `can't change; give ${stored.type}, the type of item ${id}.`);
  return { id, version, change };
}

/** For a new item, null and an omitted value are the same request (behaviour §7.16). */
function withoutNulls({ workspaceId, record }: Input): Input {
  if (record.id !== undefined) return { workspaceId, record };
  const { ownerId, fields, ...rest } = record;
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
  return { workspaceId, record: { ...rest, ...(ownerId == null ? {} : { ownerId }), fields: given } };
}
