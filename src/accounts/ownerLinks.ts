/** One-time links `{base}/welcome?token=TOKEN` for the first owner of an installation or an account (behaviour §12.28). */
import { newSecret } from '../access/secrets.ts';
import type { Tx } from '../database/db.ts';
import { insertOwnerLink } from './ownerLinkQueries.ts';

export async function makeOwnerLink(tx: Tx, baseUrl: string, accountId: number | null): Promise<string | null> {
  const { secret, hash } = newSecret('owner');
  return (await insertOwnerLink(tx, accountId, hash)) ? `${baseUrl}/welcome?token=${secret}` : null;
}
