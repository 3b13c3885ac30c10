/** svc_personal_notes_create. */
import { z } from 'zod';
import { runCharged } from '../access/throttle/loopShare.ts';
import { personalNoteBits } from '../connections/personalNoteRights.ts';
import type { Write } from '../operations/operation.ts';
import { Forbidden } from '../values/errors.ts';
import { checkNoteHtml } from './html/html.ts';
import { insertNote, type NoteFacts, readNoteFacts } from './queries.ts';
import { FolderId, Html, type NoteReceipt } from './schema.ts';

const Input = z.strictObject({ html: Html, folderId: FolderId.default(0) });

export const createNote: Write<z.infer<typeof Input>, NoteReceipt, NoteFacts> = {
  name: 'createNote',
  input: Input,

  async authorize(tx, caller, { folderId }) {
    const permit = await readNoteFacts(tx, caller, { id: 0, folderId });
    if (!(permit.personalNoteRights & personalNoteBits(['add'])) || !permit.folderFound) throw new Forbidden();
    return permit;
  },

  async run(tx, permit, { html, folderId }) {
    const checked = runCharged(permit.userId, () => checkNoteHtml(html));
    const created = await insertNote(tx, permit, { html, folderId, ...checked });
    if (!created) throw new Forbidden();
    return created;
  },

  inputOf: async () => ({ html: '', folderId: 0 }),

  /** Throws Forbidden if the note was protected or deleted since (behaviour §11.4). */
  async replay(tx, permit, receipt: NoteReceipt) {
    const { revision } = await readNoteFacts(tx, permit.caller, { id: receipt.id, folderId: 0 });
    if (revision === null) throw new Forbidden();
    return receipt;
  },
};
