/** svc_update_item: changes an item with a version check and adds a note, both or none (behaviour §7.27). An omitted field keeps its value,
 *  null clears it. */
import { z } from 'zod';
import { workspaceOf } from '../access/accountAccessQueries.ts';
import type { Permit } from '../access/caller.ts';
import { mayNote, newNote, rewrite } from '../comments/newNote.ts';
import { insertProgressNotes, type ProgressNoteIds, readProgressNote, type WrittenProgressNote } from '../comments/progressNoteQueries.ts';
import type { Rewritten } from '../comments/rewrite/awaitRewrite.ts';
import { CommentBody } from '../comments/schema.ts';
import type { Write } from '../operations/operation.ts';
import { Id, Title } from '../values/text.ts';
import { asSeenBy, changedNames } from './changedFields.ts';
import { changeItem, workOf, writableItem } from './changeItems.ts';
import { idsIn } from './decide.ts';
import { readFacts, type WriteFacts } from './queries.ts';
import { BlockedByOrIds, LabelNames } from './relationSchema.ts';
import { Description, StatusSchema, Version, type Work, WorkFields } from './schema.ts';
import { canWarn, type Warning } from './warnings.ts';

/** Properties of an item that agents may give, besides its title. */
export const content = {
  description: Description.optional(),
  status: StatusSchema.optional(),
  ownerId: Id.nullable().optional(),
  fields: WorkFields.optional(),
  labels: LabelNames.optional(),
  blockedBy: BlockedByOrIds.optional(),
};

export const ItemUpdate = z.strictObject({
  ...{ id: Id, version: Version, title: Title.optional() },
  ...content,
  note: CommentBody.optional(),
});
type Input = z.infer<typeof ItemUpdate>;

export type WorkInWorkspace = Work & { workspaceId: number };

interface Updated {
  item: WorkInWorkspace;
  /** Also fields that were cleared or changed by rule. */
  changed?: string[];
  note?: WrittenProgressNote;
  warnings?: Warning[];
}

interface Receipt {
  /** Receipts of older versions contain a flag that keys may not see (behaviour §3.29). */
  work: Work & { changedSinceApproval?: true };
  changed?: string[];
  note: ProgressNoteIds | null;
  warnings?: Warning[];
}

export const updateItem: Write<Input, Updated, WriteFacts> = {
  name: 'updateItem',
  input: ItemUpdate,

  async authorize(tx, caller, { id, version: _version, note, labels: _labels, blockedBy: _blockedBy, ...change }) {
    const permit = await readFacts(tx, caller, { workspaceId: workspaceOf(id), ids: [id], ...idsIn([change]), warns: canWarn([change]) });
    mayUpdate(permit, id, note);
    return permit;
  },

  prepares: ({ note }) => note !== undefined,
  prepare: (permit, { note }, how) => rewrite(permit, note, how),

  async run(tx, permit, { id: itemId, version, note: body, labels, blockedBy, ...change }, rewritten: Rewritten | null = null) {
    const { item, warnings } = await changeItem(tx, permit, { id: itemId, version, change, relations: { labels, blockedBy } });
    const notes = body === undefined ? [] : [newNote(permit, { itemId, itemType: item.row.type, body, rewritten })];
    const [note] = notes.length ? await insertProgressNotes(tx, permit, notes) : [];
    return {
      ...{ item: inWorkspace(workOf(permit, item), permit.workspaceId), changed: changedNames(item) },
      ...(note && { note }),
      ...(warnings.length && { warnings }),
    };
  },

  receipt({ item: { workspaceId: _workspaceId, ...work }, changed = [], note, warnings }): Receipt {
    return { work, changed, note: note ? { id: note.id, itemId: note.itemId } : null, ...(warnings && { warnings }) };
  },

  async inputOf(_tx, stored: Receipt | Work) {
    const { work, note } = inCurrentForm(stored);
    return { id: work.id, version: work.version, ...(note && { note: '' }) };
  },

  async replay(tx, permit, stored: Receipt | Work) {
    const { work, changed, note: added, warnings } = inCurrentForm(stored);
    const note = added && (await readProgressNote(tx, permit, added));
    const { changedSinceApproval: _old, ...kept } = work;
    return {
      // The receipt has the item as seen then. Its goal may be hidden from the caller now.
      item: inWorkspace(asSeenBy(permit, kept), permit.workspaceId),
      ...(changed && { changed }),
      ...(note && { note }),
      ...(warnings?.length && { warnings }),
    };
  },
};

/** Receipts of older versions may be the item alone. */
const inCurrentForm = (stored: Receipt | Work): Receipt => ('work' in stored ? stored : { work: stored, note: null });

/** Throws Forbidden unless the caller may change the item and add the note. */
export function mayUpdate(permit: Permit & WriteFacts, id: number, note: string | undefined): void {
  const { type } = writableItem(permit, id);
  if (note !== undefined) mayNote(permit, type);
}

export function inWorkspace({ id, ...work }: Work, workspaceId: number): WorkInWorkspace {
  return { id, workspaceId, ...work };
}
