/** After a rotation of SECRET_KEY, encrypts the webhook secrets with the new key. The operator can then remove the old one. */
import type { Db } from '../database/db.ts';
import type { Logger } from '../log.ts';
import type { SecretKeys } from '../values/secretKeys.ts';
import { readSealed, resealed } from './resealQueries.ts';
import { seal, unseal } from './seal.ts';

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
    if (count > 0) log.info({ webhooks: count }, 'secrets of webhooks are sealed under the new SECRET_KEY');
  } catch (error) {
    log.warn({ err: error }, 'secrets of webhooks could not be sealed under the new SECRET_KEY');
  }
}

/** Returns null if the secret already uses the current key. */
function resealOne(keys: SecretKeys, workspaceId: number, sealed: Buffer): Buffer | null {
  const opened = unseal(keys, workspaceId, sealed);
  return opened?.old ? seal(keys.secretKey, workspaceId, opened.secret) : null;
}
