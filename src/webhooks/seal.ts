/** Encrypts webhook secrets: AES-256-GCM with a key derived from SECRET_KEY, bound to the workspace. A hash can't sign what we send. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { Db } from '../database/db.ts';
import type { Logger } from '../log.ts';
import type { SecretKeys } from '../values/secretKeys.ts';
import { readSealed, resealed } from './resealQueries.ts';

/** `whsec_` and 32 random bytes in Base64, the format of Standard Webhooks. */
export const newSigningSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

const FORM = 1;
const [IV, TAG] = [12, 16];

export function seal(secretKey: string, workspaceId: number, secret: string): Buffer {
  const iv = randomBytes(IV);
  const cipher = createCipheriv('aes-256-gcm', keyOf(secretKey), iv).setAAD(boundTo(workspaceId));
  const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return Buffer.concat([Buffer.of(FORM), iv, text, cipher.getAuthTag()]);
}

/** `old`: the secret was encrypted with the previous SECRET_KEY. Returns null if neither key decrypts it. */
export function unseal(
  { secretKey, previousSecretKey }: SecretKeys,
  workspaceId: number,
  sealed: Buffer,
): { secret: string; old: boolean } | null {
  // Unlike elsewhere, the previous key has no time limit: a new secret would have to be given to the receiver.
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

// After a rotation of SECRET_KEY, encrypts the webhook secrets with the new key. The operator can then remove the old one.

/** Safe when several processes run it at the same time. */
export async function resealSecrets(db: Db, keys: SecretKeys, log: Logger): Promise<void> {
  let count = 0;
  try {
    for (let after = 0; ; ) {
      const page = await readSealed(db.pool(), after);
      for (const { id, workspaceId, secret, oldSecret } of page) {
        const again = (sealed: Buffer | null) => sealed && resealOne(keys, workspaceId, sealed);
        const [latest, old] = [again(secret), again(oldSecret)];
        if (latest || old) count += await resealed(db.pool(), id, { was: secret, secret: latest ?? secret, oldSecret: old ?? oldSecret });
      }
      const last = page.at(-1);
      if (!last) break;
      after = last.id;
    }
    if (count > 0) log.info({ webhooks: count }, 'the webhook secrets are now encrypted with the new SECRET_KEY');
  } catch (error) {
    log.warn({ err: error }, 'the webhook secrets could not be encrypted with the new SECRET_KEY');
  }
}

/** Returns null if the secret already uses the current key. */
function resealOne(keys: SecretKeys, workspaceId: number, sealed: Buffer): Buffer | null {
  const opened = unseal(keys, workspaceId, sealed);
  return opened?.old ? seal(keys.secretKey, workspaceId, opened.secret) : null;
}
