/** svc_update_item: changes an item with a version check and adds a note, both or none (behaviour §7.27). */
import type { z } from 'zod';
import type { Permit } from '../access/caller.ts';
import { bits, holds, type ItemType, resourceOf } from '../access/rights.ts';
import type { Db } from '../database/db.ts';
import { changeItem, mayWrite, workOf } from '../items/changeItems.ts';
import { idsIn } from '../items/decide.ts';
import { readFacts, type WriteFacts, workspaceOf } from '../items/queries.ts';
import type { Work } from '../items/schema.ts';
import { ItemUpdate, type PlacedWork, placed } from '../items/updateItem.ts';
import { asSeenBy } from '../items/visibility.ts';
import { canWarn, type Warning } from '../items/warnings.ts';
import type { TransactionWrite } from '../operations/operation.ts';
import type { Request, ToolCall } from '../operations/request.ts';
import { Forbidden, RewriteUnavailable } from '../values/errors.ts';
import { insertProgressNotes } from './besideQueries.ts';
import { type ProgressNoteIds, readProgressNote, type WrittenProgressNote } from './progressNoteQueries.ts';
import { awaitRewrite, type Rewritten } from './rewrite/awaitRewrite.ts';
import { needsRewriting } from './rewrite/excerpts/passages.ts';
import { CommentBody } from './schema.ts';

export const ItemUpdateWithNote = ItemUpdate.extend({ note: CommentBody.optional() });
type Input = z.infer<typeof ItemUpdateWithNote>;

interface Stored {
  work: Work;
  note: ProgressNoteIds | null;
  warnings?: Warning[];
}

interface Updated {
  item: PlacedWork;
  note?: WrittenProgressNote;
  warnings?: Warning[];
}

/** Throws Forbidden unless the caller may add notes to items of the type (behaviour §8.2). */
export function mayNote({ delegatedRights, contextRights }: Permit & WriteFacts, type: ItemType): void {
  if (!holds(delegatedRights, bits(resourceOf(type), 'write')) || !holds(contextRights, bits('comments', 'write'))) throw new Forbidden();
}

/** The text to save instead of the note, null to save it unchanged. `part`: index among several notes of one request. */
export async function rewritten(
  permit: Permit & WriteFacts,
  note: string | undefined,
  { db, request }: { db: Db; request?: Request | undefined },
  part?: number,
): Promise<Rewritten | null> {
  if (note === undefined || !permit.plainLanguage || !needsRewriting(note)) return null;
  return awaitRewrite(db, permit, note, request as Request<ToolCall>, part);
}

/** Never save the original text for a connection with plain language. */
export function requireRewritten({ plainLanguage }: WriteFacts, note: string, outcome: Rewritten | null): void {
  if (plainLanguage && !outcome && needsRewriting(note)) throw new RewriteUnavailable();
}

export const updateItem: TransactionWrite<Input, WriteFacts, Updated, Rewritten | null, Stored | Work> = {
  name: 'updateItem',
  input: ItemUpdateWithNote,

  async authorize(tx, caller, { id, version: _version, note, ...change }) {
    const permit = await readFacts(tx, caller, { workspaceId: workspaceOf(id), ids: [id], ...idsIn([change]), warns: canWarn([change]) });
    mayUpdate(permit, id, note);
    return permit;
  },

  prepares: ({ note }) => note !== undefined,
  prepare: (permit, { note }, how) => rewritten(permit, note, how),

  async run(tx, permit, { id, version, note, ...change }, outcome) {
    if (note !== undefined) requireRewritten(permit, note, outcome);
    const { item, warnings } = await changeItem(tx, permit, { id, version, change });
    const notes = note === undefined ? [] : [{ itemId: id, itemType: item.row.type, body: note, rewritten: outcome }];
    const [saved = null] = notes.length ? await insertProgressNotes(tx, permit, notes) : [];
    return { work: workOf(permit, item), note: saved, warnings };
  },

  async again(_tx, stored) {
    const { work, note } = inCurrentForm(stored);
    return { id: work.id, version: work.version, ...(note && { note: '' }) };
  },

  async complete(tx, permit, stored) {
    const { work, note, warnings = [] } = inCurrentForm(stored);
    // Receipts live for 30 days: those of older versions contain a flag that keys may not see (behaviour §3.29).
    const { changedSinceApproval: _old, ...kept } = work as Work & { changedSinceApproval?: true };
    return {
      // The receipt has the item as seen then. Its goal may be hidden from the caller now.
      item: placed(asSeenBy(permit, kept), permit.workspaceId),
      ...(note && { note: await readProgressNote(tx, permit, note.itemId, note.id) }),
      ...(warnings.length > 0 && { warnings }),
    };
  },
};

/** Receipts of older versions may be the item alone. */
const inCurrentForm = (stored: Stored | Work): Stored => ('work' in stored ? stored : { work: stored, note: null });

export function mayUpdate(permit: Permit & WriteFacts, id: number, note: string | undefined): void {
  const found = permit.items[id];
  if (!found) throw new Forbidden();
  mayWrite(permit, found.type);
  if (note !== undefined) mayNote(permit, found.type);
}
