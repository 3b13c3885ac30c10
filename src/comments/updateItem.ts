/** svc_update_item: changes an item with a version check and adds a note, both or none (behaviour §7.27). */
import type { z } from 'zod';
import type { Permit } from '../access/caller.ts';
import { bits, holds, type ItemType, resourceOf } from '../access/rights.ts';
import type { Db } from '../database/db.ts';
import { idsIn } from '../items/decide.ts';
import { type AgentFacts, type ItemFacts, readFacts, workspaceOf } from '../items/queries.ts';
import { mayWrite, reviseItem } from '../items/saveItem.ts';
import type { Work } from '../items/schema.ts';
import { ItemUpdate, type PlacedWork, placed } from '../items/updateItem.ts';
import { asSeenBy } from '../items/visibility.ts';
import { canWarn, type Warning } from '../items/warnings.ts';
import type { Change, StatementWrite } from '../operations/operation.ts';
import type { Request, ToolCall } from '../operations/request.ts';
import { Forbidden, RewriteUnavailable } from '../values/errors.ts';
import { notesBeside } from './besideQueries.ts';
import { type ProgressNoteIds, readProgressNote, type WrittenProgressNote } from './progressNoteQueries.ts';
import { awaitRewrite, type Rewritten } from './rewrite/awaitRewrite.ts';
import { needsRewriting } from './rewrite/excerpts/passages.ts';
import { CommentBody } from './schema.ts';

export const ItemUpdateWithNote = ItemUpdate.extend({ note: CommentBody.optional() });
type Input = z.infer<typeof ItemUpdateWithNote>;
export type UpdateFacts = ItemFacts & AgentFacts;
type Stored = Work | { work: Work; note: ProgressNoteIds | null; warnings?: Warning[] };

interface Updated {
  item: PlacedWork;
  note?: WrittenProgressNote;
  warnings?: Warning[];
}

/** Throws Forbidden unless the caller may add notes to items of the type (behaviour §8.2). */
export function mayNote({ delegatedRights, contextRights }: Permit & AgentFacts, type: ItemType): void {
  if (!holds(delegatedRights, bits(resourceOf(type), 'write')) || !holds(contextRights, bits('comments', 'write'))) throw new Forbidden();
}

/** The text to save instead of the note, null to save it unchanged. `part`: index among several notes of one request. */
export async function rewritten(
  db: Db,
  permit: Permit & AgentFacts,
  note: string | undefined,
  request: Request,
  part?: number,
): Promise<Rewritten | null> {
  if (note === undefined || !permit.plainLanguage || !needsRewriting(note)) return null;
  return awaitRewrite(db, permit, note, request as Request<ToolCall>, part);
}

/** Never save the original text for a connection with plain language. */
export function requireRewritten({ plainLanguage }: AgentFacts, note: string, outcome: Rewritten | null): void {
  if (plainLanguage && !outcome && needsRewriting(note)) throw new RewriteUnavailable();
}

export const updateItem: StatementWrite<Input, UpdateFacts, Updated, Rewritten | null, Stored> = {
  name: 'updateItem',
  input: ItemUpdateWithNote,
  prepares: ({ note }) => note !== undefined,

  async authorize(tx, caller, { id, version: _version, note, ...change }) {
    const permit = await readFacts(tx, caller, { workspaceId: workspaceOf(id), id, ...idsIn([change]), warns: canWarn([change]) });
    if (!permit.stored) throw new Forbidden();
    mayWrite(permit, permit.stored.type);
    if (note !== undefined) mayNote(permit, permit.stored.type);
    return permit;
  },

  prepare: (db, permit, { note }, request) => rewritten(db, permit, note, request),

  decide(permit, { id: itemId, version, note, ...change }, outcome = null) {
    const { type } = permit.stored!;
    if (note === undefined) return reviseItem(permit, version, type, change);
    requireRewritten(permit, note, outcome);
    const beside = notesBeside(permit, [{ itemId, itemType: type, body: note, rewritten: outcome }]);
    return orTooLate(reviseItem(permit, version, type, change, undefined, beside) as Change, outcome);
  },

  async again(_tx, stored) {
    const { id, version } = 'work' in stored ? stored.work : stored;
    return { id, version, ...('work' in stored && stored.note && { note: '' }) };
  },

  async complete(tx, permit, stored) {
    const { work, note, warnings = [] } = 'work' in stored ? stored : { work: stored, note: null };
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

/** If the version and the rights are still valid, the rewriting has expired. */
export function orTooLate(change: Change, outcome: unknown): Change {
  if (!outcome) return change;
  return {
    ...change,
    async refused(tx) {
      return change.refused(tx).catch((error) => {
        throw error instanceof Forbidden ? new RewriteUnavailable() : error;
      });
    },
  };
}
