/** One-time links for the first owner: `{base}/welcome?token=TOKEN`, of a new installation or of an account in which there is nobody yet
 *  (behaviour §12.28). Who operates the service makes them, and shows them to one person. */
import { newSecret } from '../access/secrets.ts';
import type { Tx } from '../database/db.ts';
import { insertOwnerLink } from './ownerLinkQueries.ts';

/** `accountId` null: for the first account of all. Null where somebody is there already. */
export async function makeOwnerLink(tx: Tx, baseUrl: string, accountId: number | null): Promise<string | null> {
  const { secret, hash } = newSecret('owner');
  return (await insertOwnerLink(tx, accountId, hash)) ? `${baseUrl}/welcome?token=${secret}` : null;
}
