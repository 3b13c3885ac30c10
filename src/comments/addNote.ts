/** svc_add_note: a progress note on a work item, saved as it was submitted (spec §4.2 r11; contract §7, Notes on work). */
import { z } from 'zod';
import type { Caller, Permit } from '../access/caller.ts';
import { bits, holds, type ItemType, resourceOf } from '../access/rights.ts';
import type { Tx } from '../db.ts';
import { Forbidden, RewriteUnavailable } from '../errors.ts';
import type { StatementWrite } from '../operation.ts';
import { Id } from '../text.ts';
import { insertNote, readNote, readNoteTarget } from './noteQueries.ts';
import { CommentBody } from './schema.ts';

export const NoteInput = z.strictObject({ id: Id.meta({ description: 'The work item' }), body: CommentBody });
export type NoteInput = z.infer<typeof NoteInput>;
export type NoteFacts = { itemType: ItemType; plainLanguage: boolean };

/** Rights now, on first calls and replays alike. Throws Forbidden. */
export async function authorizeNote(tx: Tx, caller: Caller, { id }: NoteInput): Promise<Permit & NoteFacts> {
  const permit = await readNoteTarget(tx, caller, id);
  const onItem = bits(resourceOf(permit.itemType), 'write');
  if (!holds(permit.rights, onItem) || !holds(permit.contextRights, bits('comments', 'write'))) throw new Forbidden();
  return permit;
}

export const addNote: StatementWrite<NoteInput, NoteFacts> = {
  name: 'addNote',
  input: NoteInput,
  authorize: authorizeNote,

  decide(permit, { id, body }) {
    // Never saved unrewritten for a connection that asks for rewriting, whatever else is running.
    if (permit.plainLanguage) throw new RewriteUnavailable();
    return {
      statement: insertNote(permit, id, body, null),
      refused: async () => {
        throw new Forbidden();
      },
    };
  },

  async complete(tx, permit, result) {
    const { id, itemId } = result as { id: number; itemId: number };
    return { note: await readNote(tx, permit, itemId, id) };
  },
};
