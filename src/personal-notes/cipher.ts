/** What a browser sends of an encrypted note. Its shape is checked strictly, so that no readable text can slip in by mistake:
 *  PBKDF2 with SHA-256 and AES-256-GCM, as src/pages/static/notes.js makes it. */
import { z } from 'zod';
import { Id } from '../values/text.ts';

/** OWASP's figure for PBKDF2 with SHA-256. */
export const PBKDF2_ITERATIONS = 600_000;
const MAX_CHARACTERS = 262_144;
const message = 'cipher: the browser sent no ciphertext; reload the page and encrypt again.';

/** Base64 of at least `min` and at most `max` bytes. */
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
  /** Ciphertext and tag. */
  data: Bytes(17, 190_000),
};

/** Whose note it was encrypted as, where its place has changed since. */
const Origin = z.strictObject({ user: Id, note: Id });
export type Origin = z.infer<typeof Origin>;

/** From before ciphertexts were bound to their place. */
const Unbound = z.strictObject({ v: z.literal(1), ...parts });
/** Its associated data name user and note: as another note's it does not decrypt. */
const Bound = z.strictObject({ v: z.literal(2), ...parts });
const Moved = Bound.extend({ origin: Origin });

const cipherOf = (envelope: z.ZodType) =>
  z
    .string(message)
    .max(MAX_CHARACTERS, 'cipher: the encrypted note is too long; shorten it.')
    .refine((text) => envelope.safeParse(parsed(text)).success, { error: message });

/** What a browser makes. It names no origin: whoever could would give one note's ciphertext out as another's. */
export const Cipher = cipherOf(z.discriminatedUnion('v', [Unbound, Bound]));

/** What a file brings. Ids are new in another database, so that a bound one says what it was bound to. */
export const MovedCipher = cipherOf(z.discriminatedUnion('v', [Unbound, Moved]));

export const isBound = (cipher: string): boolean => Bound.safeParse(parsed(cipher)).success;

/** The ciphertext as a file holds it; one that has moved before keeps its first origin. */
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
