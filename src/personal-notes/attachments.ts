/** Files attached to a note, up to 5 MiB each. The server never interprets their content (behaviour §11.11). */
import { z } from 'zod';
import type { Permit } from '../access/caller.ts';
import type { Read, Write } from '../operations/operation.ts';
import { Forbidden, InvalidRequest } from '../values/errors.ts';
import { firstCharacters, Id, isVisible } from '../values/text.ts';
import { insertAttachment, readAttachment, removeAttachment } from './attachmentQueries.ts';
import { deletionLine } from './erased.ts';
import { holdNote, ownerPermit, readProtection } from './pageQueries.ts';

export const MAX_BYTES = 5 * 1024 * 1024;
const MAX_FILES = 20;
const NAME_CHARACTERS = 200;

const NewFile = z.strictObject({
  noteId: Id,
  /** The user has given the password of a locked note. */
  opened: z.boolean(),
  name: z.string(),
  content: z.instanceof(Buffer).refine((bytes) => bytes.length <= MAX_BYTES, 'give a file of at most 5 MiB'),
});
const FileRef = z.strictObject({ noteId: Id, opened: z.boolean(), attachmentId: Id });

export const addAttachment: Write<z.infer<typeof NewFile>, { attachmentId: number }> = {
  name: 'addAttachment',
  input: NewFile,
  authorize: ownerPermit,
  async run(tx, permit: Permit, file) {
    await holdNote(tx, permit.userId, file.noteId);
    const { attachments } = await readProtection(tx, permit.userId, file.noteId);
    if (attachments >= MAX_FILES) throw new InvalidRequest(['file'], `a note has at most ${MAX_FILES} files; delete one first.`);
    const attachmentId = await insertAttachment(tx, permit, { ...file, name: nameOf(file.name) });
    if (attachmentId === null) throw new Forbidden();
    return { attachmentId };
  },
};

/** Returns the file name without folders and invisible characters; never empty. */
function nameOf(given: string): string {
  const last = given.toWellFormed().replaceAll('\\', '/').split('/').at(-1)!;
  const name = firstCharacters(last.replace(/\p{C}/gu, '').trim(), NAME_CHARACTERS);
  return isVisible(name) ? name : 'attachment';
}

export const getAttachment: Read<z.infer<typeof FileRef>, { name: string; content: Buffer }> = {
  name: 'getAttachment',
  input: FileRef,
  async run(tx, caller, wanted) {
    const file = await readAttachment(tx, await ownerPermit(tx, caller), wanted);
    if (!file) throw new Forbidden();
    return file;
  },
};

export const deleteAttachment: Write<z.infer<typeof FileRef>, { attachmentId: number }> = {
  name: 'deleteAttachment',
  input: FileRef,
  authorize: ownerPermit,
  audit: [{ kind: 'file.erased', line: (permit: Permit, { attachmentId }) => deletionLine('file', permit, attachmentId) }],
  async run(tx, permit: Permit, wanted) {
    await holdNote(tx, permit.userId, wanted.noteId);
    if ((await removeAttachment(tx, permit, wanted)) === null) throw new Forbidden();
    return { attachmentId: wanted.attachmentId };
  },
};
