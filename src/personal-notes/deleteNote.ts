/** svc_personal_notes_delete: deletes a note and its attachments permanently. */
import { z } from 'zod';
import type { Permit } from '../access/caller.ts';
import { personalNoteBits } from '../connections/personalNoteRights.ts';
import type { Write } from '../operations/operation.ts';
import { Forbidden } from '../values/errors.ts';
import { Id } from '../values/text.ts';
import { deletionLine } from './erased.ts';
import { type NoteFacts, readNoteFacts, removeNote } from './queries.ts';
import { refuseStaleRevision, requireRevision } from './revision.ts';
import { type NoteReceipt, Revision } from './schema.ts';

const Input = z.strictObject({ id: Id, revision: Revision });

export const deleteNote: Write<z.infer<typeof Input>, NoteReceipt, NoteFacts> = {
  name: 'deleteNote',
  input: Input,

  /** On a retry the note may be deleted already, so only the right is checked. */
  async authorize(tx, caller, { id }, { replay }) {
    const permit = await readNoteFacts(tx, caller, { id, folderId: 0 });
    if (!(permit.personalNoteRights & personalNoteBits(['delete'])) || (permit.revision === null && !replay)) throw new Forbidden();
    return permit;
  },

  inputOf: async (_tx, { id, revision }: NoteReceipt) => ({ id, revision }),
  audit: [{ kind: 'note.erased', line: (permit: Permit, { id }) => deletionLine('note', permit, id) }],

  async run(tx, permit, { id, revision }) {
    requireRevision(id, revision, permit.revision);
    return (await removeNote(tx, permit, { id, revision })) ?? refuseStaleRevision(tx, permit, id, revision);
  },
};
