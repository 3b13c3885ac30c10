/** svc_personal_notes_update: replaces a note's HTML and folder, if it is still at the revision that was read. */
import { z } from 'zod';
import { personalNoteBits } from '../connections/personalNoteRights.ts';
import type { StatementWrite } from '../operations/operation.ts';
import { Forbidden } from '../values/errors.ts';
import { Id } from '../values/text.ts';
import { checkNoteHtml } from './html/html.ts';
import { type NoteFacts, readNoteFacts, updateNote as updateStatement } from './queries.ts';
import { refuseMoved, requireRevision } from './revision.ts';
import { FolderId, Html, type NoteReceipt, Revision } from './schema.ts';

const Input = z.strictObject({ id: Id, revision: Revision, html: Html, folderId: FolderId });

export const updateNote: StatementWrite<z.infer<typeof Input>, NoteFacts, NoteReceipt> = {
  name: 'updateNote',
  input: Input,

  async authorize(tx, caller, { id, folderId }) {
    const permit = await readNoteFacts(tx, caller, { id, folderId });
    if (!(permit.personalNoteRights & personalNoteBits(['edit'])) || permit.revision === null || !permit.folderFound) throw new Forbidden();
    return permit;
  },

  decide(permit, { id, revision, html, folderId }) {
    const content = { html, folderId, ...checkNoteHtml(html) };
    requireRevision(id, revision, permit.revision);
    return { statement: updateStatement(permit, id, revision, content), refused: (tx) => refuseMoved(tx, permit, id, revision) };
  },
};
