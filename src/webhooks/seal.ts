/** Secrets of webhooks as the database holds them. They sign what we send, so that a hash would not do: AES-256-GCM under a key made of
 *  SECRET_KEY, bound to the workspace. Whoever has the database alone can sign nothing. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { SecretKeys } from '../values/secretKeys.ts';

/** `whsec_` and 32 random bytes, as Standard Webhooks spells secrets. */
export const newSigningSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

const FORM = 1;
const [IV, TAG] = [12, 16];

export function seal(secretKey: string, workspaceId: number, secret: string): Buffer {
  const iv = randomBytes(IV);
  const cipher = createCipheriv('aes-256-gcm', keyOf(secretKey), iv).setAAD(boundTo(workspaceId));
  const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return Buffer.concat([Buffer.of(FORM), iv, text, cipher.getAuthTag()]);
}

/** `old`: it was sealed under the key before the current one. null when neither opens it. */
export function unseal(
  { secretKey, previousSecretKey }: SecretKeys,
  workspaceId: number,
  sealed: Buffer,
): { secret: string; old: boolean } | null {
  // Not for a day only, as elsewhere: nobody but us could make the secret anew, and the receiver would have to be told.
  for (const key of [secretKey, ...(previousSecretKey === undefined ? [] : [previousSecretKey])]) {
    const secret = opened(key, workspaceId, sealed);
    if (secret !== null) return { secret, old: key !== secretKey };
  }
  return null;
}

function opened(secretKey: string, workspaceId: number, sealed: Buffer): string | null {
  if (sealed[0] !== FORM || sealed.length < 1 + IV + TAG) return null;
  try {
    const cipher = createDecipheriv('aes-256-gcm', keyOf(secretKey), sealed.subarray(1, 1 + IV), { authTagLength: TAG })
      .setAAD(boundTo(workspaceId))
      .setAuthTag(sealed.subarray(-TAG));
    return cipher.update(sealed.subarray(1 + IV, -TAG), undefined, 'utf8') + cipher.final('utf8');
  } catch {
    return null;
  }
}

const keyOf = (secretKey: string): Buffer => Buffer.from(hkdfSync('sha256', secretKey, '', 'stint: secrets of webhooks', 32));
const boundTo = (workspaceId: number): Buffer => Buffer.from(`workspace ${workspaceId}`);
