/** svc_personal_notes_delete: deletes a note and its attachments permanently. */
import { z } from 'zod';
import { personalNoteBits } from '../connections/personalNoteRights.ts';
import type { StatementWrite } from '../operations/operation.ts';
import { Forbidden } from '../values/errors.ts';
import { Id } from '../values/text.ts';
import { erased } from './erased.ts';
import { type NoteFacts, readNoteFacts, removeNote } from './queries.ts';
import { refuseMoved, requireRevision } from './revision.ts';
import { type NoteReceipt, Revision } from './schema.ts';

const Input = z.strictObject({ id: Id, revision: Revision });

export const deleteNote: StatementWrite<z.infer<typeof Input>, NoteFacts, NoteReceipt> = {
  name: 'deleteNote',
  input: Input,

  /** On a retry the note may be deleted already, so only the right is checked. */
  async authorize(tx, caller, { id }, { replay }) {
    const permit = await readNoteFacts(tx, caller, { id, folderId: 0 });
    if (!(permit.personalNoteRights & personalNoteBits(['delete'])) || (permit.revision === null && !replay)) throw new Forbidden();
    return permit;
  },

  again: async (_tx, { id, revision }) => ({ id, revision }),
  audit: (permit, { id }) => erased('note', permit, id),

  decide(permit, { id, revision }) {
    requireRevision(id, revision, permit.revision);
    return { statement: removeNote(permit, id, revision), refused: (tx) => refuseMoved(tx, permit, id, revision) };
  },
};
