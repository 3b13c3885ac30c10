/** Moves a note to another folder. Protected notes too, because a folder reveals no content (behaviour §29.6). */
import { z } from 'zod';
import type { Write } from '../operations/operation.ts';
import { Id } from '../values/text.ts';
import { holdNote, ownerPermit, requireFolder, setFolder } from './pageQueries.ts';
import { FolderId, type NoteReceipt, Revision } from './schema.ts';

const Input = z.strictObject({ id: Id, revision: Revision, folderId: FolderId });

export const moveNote: Write<z.infer<typeof Input>, NoteReceipt> = {
  name: 'moveNote',
  input: Input,
  authorize: ownerPermit,
  async run(tx, permit, { id, revision, folderId }) {
    await holdNote(tx, permit.userId, id);
    await requireFolder(tx, permit.userId, folderId);
    return setFolder(tx, permit, { id, revision, from: ['none', 'locked', 'encrypted'] }, folderId);
  },
};
