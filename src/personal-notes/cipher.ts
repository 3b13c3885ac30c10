/** Ciphertext of an encrypted note, made by src/pages/static/notes.js. The strict format keeps plain text from being stored by mistake. */
import { z } from 'zod';
import { Id } from '../values/text.ts';

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
