/** svc_personal_notes_create. */
import { z } from 'zod';
import { personalNoteBits } from '../connections/personalNoteRights.ts';
import type { StatementWrite } from '../operations/operation.ts';
import { Forbidden } from '../values/errors.ts';
import { checkNoteHtml } from './html/html.ts';
import { insertNote, type NoteFacts, readNoteFacts } from './queries.ts';
import { FolderId, Html, type NoteReceipt } from './schema.ts';

const Input = z.strictObject({ html: Html, folderId: FolderId.default(0) });

type Facts = NoteFacts & { replay: boolean };

export const createNote: StatementWrite<z.infer<typeof Input>, Facts, NoteReceipt> = {
  name: 'createNote',
  input: Input,

  async authorize(tx, caller, { folderId }, { replay }) {
    const permit = await readNoteFacts(tx, caller, { id: 0, folderId });
    if (!(permit.personalNoteRights & personalNoteBits(['add'])) || !permit.folderFound) throw new Forbidden();
    return { ...permit, replay };
  },

  decide: (permit, { html, folderId }) => ({
    statement: insertNote(permit, { html, folderId, ...checkNoteHtml(html) }),
    refused: async () => {
      throw new Forbidden();
    },
  }),

  again: async () => ({ html: '', folderId: 0 }),

  /** A retry throws Forbidden if the note was protected or deleted since (behaviour §11.4). */
  async complete(tx, permit, receipt) {
    const { revision } = permit.replay ? await readNoteFacts(tx, permit.caller, { id: receipt.id, folderId: 0 }) : receipt;
    if (revision === null) throw new Forbidden();
    return receipt;
  },
};
