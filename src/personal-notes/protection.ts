/** Locked notes, which need a password, and encrypted notes, whose text only the browser has (behaviour §11.12, §11.13). Agents see neither
 *  (behaviour §11.4). */
import { z } from 'zod';
import type { Permit } from '../access/caller.ts';
import type { Write } from '../operations/operation.ts';
import { InvalidRequest } from '../values/errors.ts';
import { Id } from '../values/text.ts';
import { Cipher, isBound } from './attachments.ts';
import { noteReader } from './html/readNoteHtml.ts';
import {
  holdNote,
  insertOwnNote,
  type NoteState,
  ownerPermit,
  type Protection,
  readProtection,
  removeOwnNote,
  replaceNote,
  requireFolder,
  setProtection,
  takeNoteId,
} from './pageQueries.ts';
import { deletionLine, FolderId, Html, type NoteReceipt, Revision } from './schema.ts';

const At = z.strictObject({ id: Id, revision: Revision });
const Content = At.extend({ html: Html, folderId: FolderId });
type Content = z.infer<typeof Content>;
const Encrypted = At.extend({ cipher: Cipher, folderId: FolderId });
const again = 'reload the page and encrypt again.';
/** Pages from before ciphertexts were bound send no `id`. */
const NewEncrypted = z
  .strictObject({ id: Id.optional(), cipher: Cipher, folderId: FolderId })
  .refine(({ id, cipher }) => id !== undefined || !isBound(cipher), { path: ['cipher'], error: again });

type OwnWrite<Input> = Write<Input, NoteReceipt>;

function ownWrite<Input>(name: string, input: z.ZodType<Input>, run: OwnWrite<Input>['run']): OwnWrite<Input> {
  return { name, input, authorize: ownerPermit, run };
}

function noteWrite<Input extends { id: number }>(name: string, input: z.ZodType<Input>, run: OwnWrite<Input>['run']): OwnWrite<Input> {
  return ownWrite(name, input, async (tx, permit, given) => {
    await holdNote(tx, permit.userId, given.id);
    return run(tx, permit, given, undefined);
  });
}

/** Changes an existing note to readable content. Checks its HTML before it takes a lock. */
function contentWrite(name: string, from: Protection, to: Protection): OwnWrite<Content> {
  return ownWrite(name, Content, async (tx, permit, { id, revision, html, folderId }) => {
    const state = { html, ...(await noteReader.check(permit.userId, html)), cipher: null, protection: to, folderId };
    await holdNote(tx, permit.userId, id);
    await requireFolder(tx, permit.userId, folderId);
    return replaceNote(tx, permit, { id, revision, from: [from] }, state);
  });
}

const unreadable = (cipher: string, folderId: number): NoteState => ({
  html: '',
  title: '',
  text: '',
  cipher,
  protection: 'encrypted',
  folderId,
});

export const lockNote = noteWrite('lockNote', At, (tx, permit, { id, revision }) =>
  setProtection(tx, permit, { id, revision, from: ['none'] }, 'locked'),
);

/** The page has checked the password. */
export const unlockNote = noteWrite('unlockNote', At, (tx, permit, { id, revision }) =>
  setProtection(tx, permit, { id, revision, from: ['locked'] }, 'none'),
);

/** The page has checked the password. The note stays locked. */
export const saveLockedNote = contentWrite('saveLockedNote', 'locked', 'locked');

/** The page checks that `id` was reserved for this user. */
export const createEncryptedNote = ownWrite('createEncryptedNote', NewEncrypted, async (tx, permit, { id, cipher, folderId }) => {
  await requireFolder(tx, permit.userId, folderId);
  const made = await insertOwnNote(tx, permit, id ?? (await takeNoteId(tx)), unreadable(cipher, folderId));
  if (!made) throw new InvalidRequest(['cipher'], again);
  return made;
});

export const encryptNote = noteWrite('encryptNote', Encrypted, async (tx, permit: Permit, { id, revision, cipher, folderId }) => {
  await requireFolder(tx, permit.userId, folderId);
  const note = await readProtection(tx, permit.userId, id);
  if (note.protection === 'none' && note.attachments > 0) {
    throw new InvalidRequest(['attachments'], 'they are not encrypted with the note; delete them first.');
  }
  return replaceNote(tx, permit, { id, revision, from: ['none', 'encrypted'] }, unreadable(cipher, folderId));
});

/** The browser sends the decrypted text, which the server stores from now on. */
export const decryptNote = contentWrite('decryptNote', 'encrypted', 'none');

/** For a locked note the page has checked the password. */
export const deleteProtectedNote: OwnWrite<z.infer<typeof At>> = {
  ...noteWrite('deleteProtectedNote', At, (tx, permit, { id, revision }) =>
    removeOwnNote(tx, permit, { id, revision, from: ['locked', 'encrypted'] }),
  ),
  audit: [{ kind: 'note.erased', line: (permit: Permit, { id }) => deletionLine('note', permit, id) }],
};
