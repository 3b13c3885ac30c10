/** GET /relations and POST /relations/save: the labels and dependencies of an item (behaviour §33.4–§33.7). */
import { z } from 'zod';
import type { Read, Write } from '../operations/operation.ts';
import { Id } from '../values/text.ts';
import { changeItem, changeItems, writableItem } from './changeItems.ts';
import { readFacts, type WriteFacts } from './queries.ts';
import { readReadable, readRelations } from './relationQueries.ts';
import { BlockedBy, LabelIds, type RelationChange, type Relations, RelationsInput } from './relationSchema.ts';
import { ItemInput, Version } from './schema.ts';

export const getRelations: Read<ItemInput, Relations> = {
  name: 'getRelations',
  input: ItemInput,
  run: (tx, caller, { workspaceId, id }) => readRelations(tx, caller, workspaceId, id),
};

interface SavedRelations extends RelationChange {
  workspaceId: number;
  id: number;
  version: number;
}

export const saveRelations: Write<SavedRelations, Relations, WriteFacts> = {
  name: 'saveRelations',
  input: RelationsInput,

  async authorize(tx, caller, { workspaceId, id }) {
    const permit = await readFacts(tx, caller, { workspaceId, ids: [id] });
    writableItem(permit, id);
    return permit;
  },

  async run(tx, permit, { id, version, labels, blockedBy }) {
    await changeItem(tx, permit, { id, version, change: {}, relations: { labels, blockedBy } });
    return readRelations(tx, permit.caller, permit.workspaceId, id);
  },

  // The receipt has the relations as of the first call. Some of those items may be hidden since.
  async replay(tx, permit, { blockedBy, blocks, ...relations }: Relations) {
    const readable = await readReadable(
      tx,
      permit,
      [...blockedBy, ...blocks].map(({ id }) => id),
    );
    const isReadable = ({ id }: { id: number }) => readable.has(id);
    return { ...relations, blockedBy: blockedBy.filter(isReadable), blocks: blocks.filter(isReadable) };
  },
};

/** Adds and removes labels and blockers of up to 100 items, all or none. For pages. */
const Change = z.strictObject({
  workspaceId: Id,
  items: z
    .array(z.strictObject({ id: Id, version: Version }))
    .min(1)
    .max(100),
  labels: z.strictObject({ add: LabelIds, remove: LabelIds }).optional(),
  blockedBy: z.strictObject({ add: BlockedBy, remove: z.array(Id) }).optional(),
});

interface Changed {
  items: { id: number; version: number }[];
}

export const changeRelations: Write<z.infer<typeof Change>, Changed, WriteFacts> = {
  name: 'changeRelations',
  input: Change,

  async authorize(tx, caller, { workspaceId, items }) {
    const permit = await readFacts(tx, caller, { workspaceId, ids: items.map(({ id }) => id) });
    for (const { id } of items) writableItem(permit, id);
    return permit;
  },

  async run(tx, permit, { items, labels, blockedBy }) {
    const edits = items.map((item) => ({ ...item, change: {}, relations: { labels, blockedBy } }));
    const { items: saved } = await changeItems(tx, permit, edits, { single: items.length === 1 });
    return { items: saved.map(({ id, version }) => ({ id, version })) };
  },
};
