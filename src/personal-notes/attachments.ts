/** Files attached to a note, up to 5 MiB each. The server never interprets their content (behaviour §11.11). */
import { z } from 'zod';
import type { Permit } from '../access/caller.ts';
import { requireWithinQuota } from '../files/blobs.ts';
import type { Read, Write } from '../operations/operation.ts';
import { Forbidden, InvalidRequest } from '../values/errors.ts';
import { baseName, firstCharacters, Id, isVisible } from '../values/text.ts';
import { insertAttachment, readAttachment, removeAttachment } from './attachmentQueries.ts';
import { holdNote, ownerPermit, readProtection } from './pageQueries.ts';
import { deletionLine } from './schema.ts';

export const MAX_BYTES = 5 * 1024 * 1024;
const MAX_FILES = 20;
const NAME_CHARACTERS = 200;

const NewFile = z.strictObject({
  noteId: Id,
  /** The user has given the password of a locked note. */
  opened: z.boolean(),
  name: z.string(),
  content: z.instanceof(Buffer).refine((bytes) => bytes.length <= MAX_BYTES, 'give a file of at most 5 MiB'),
  /** Limit for all files of the account together (behaviour §35.1). */
  quotaBytes: z.int(),
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
    const added = await insertAttachment(tx, permit, { ...file, name: nameOf(file.name) });
    if (added === null) throw new Forbidden();
    await requireWithinQuota(tx, { accountId: permit.accountId, id: added.blobId, size: file.content.length }, file.quotaBytes);
    return { attachmentId: added.id };
  },
};

/** Returns the file name without folders and invisible characters; never empty. */
function nameOf(given: string): string {
  const name = firstCharacters(baseName(given), NAME_CHARACTERS);
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

// Ciphertext of an encrypted note, made by src/pages/static/notes.js. The strict format keeps plain text from being stored by mistake.

/** OWASP's recommendation for PBKDF2 with SHA-256. */
export const PBKDF2_ITERATIONS = 600_000;
const MAX_CHARACTERS = 262_144;
const message = 'cipher: the browser sent no ciphertext; reload the page and encrypt again.';

const Bytes = (min: number, max: number) =>
  z
    .base64()
    .min(Math.ceil(min / 3) * 4)
    .max(Math.ceil(max / 3) * 4);

const parts = {
  kdf: z.literal('PBKDF2-SHA256'),
  iterations: z.literal(PBKDF2_ITERATIONS),
  salt: Bytes(16, 16),
  iv: Bytes(12, 12),
  data: Bytes(17, 190_000),
};

/** The user and note that it was encrypted for, if it has moved since. */
const Origin = z.strictObject({ user: Id, note: Id });
export type Origin = z.infer<typeof Origin>;

/** Format from before ciphertexts were bound to user and note. */
const Unbound = z.strictObject({ v: z.literal(1), ...parts });
/** The associated data contain user and note, so it can't be decrypted as another note. */
const Bound = z.strictObject({ v: z.literal(2), ...parts });
const Moved = Bound.extend({ origin: Origin });

const cipherOf = (envelope: z.ZodType) =>
  z
    .string(message)
    .max(MAX_CHARACTERS, 'cipher: the encrypted note is too long; shorten it.')
    .refine((text) => envelope.safeParse(parsed(text)).success, { error: message });

/** Input from a browser. It has no origin: with one, a user could present one note's ciphertext as another's. */
export const Cipher = cipherOf(z.discriminatedUnion('v', [Unbound, Bound]));

/** Input from an import file. A bound ciphertext contains its origin, because ids change. */
export const MovedCipher = cipherOf(z.discriminatedUnion('v', [Unbound, Moved]));

export const isBound = (cipher: string): boolean => Bound.safeParse(parsed(cipher)).success;

/** The ciphertext for an export file. Keeps the first origin if the note has moved before. */
export function withOrigin(cipher: string, origin: Origin): string {
  const { success, data } = Bound.safeParse(parsed(cipher));
  return success ? JSON.stringify({ ...data, origin }) : cipher;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
