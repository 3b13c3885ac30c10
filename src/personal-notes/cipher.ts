/** What a browser sends of an encrypted note. Its shape is checked strictly, so that no readable text can slip in by mistake:
 *  PBKDF2 with SHA-256 and AES-256-GCM, as src/pages/static/notes.js makes it. */
import { z } from 'zod';

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

const Envelope = z.strictObject({
  v: z.literal(1),
  kdf: z.literal('PBKDF2-SHA256'),
  iterations: z.literal(PBKDF2_ITERATIONS),
  salt: Bytes(16, 16),
  iv: Bytes(12, 12),
  /** Ciphertext and tag. */
  data: Bytes(17, 190_000),
});

export const Cipher = z
  .string(message)
  .max(MAX_CHARACTERS, 'cipher: the encrypted note is too long; shorten it.')
  .refine(isEnvelope, { error: message });

function isEnvelope(text: string): boolean {
  try {
    return Envelope.safeParse(JSON.parse(text)).success;
  } catch {
    return false;
  }
}
