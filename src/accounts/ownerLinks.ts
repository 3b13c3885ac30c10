/** One-time links for the first owner: `{base}/welcome?token=TOKEN`. For a new installation or an account without people
 *  (behaviour §12.28). The operator makes them. */
import { newSecret } from '../access/secrets.ts';
import type { Tx } from '../database/db.ts';
import { insertOwnerLink } from './ownerLinkQueries.ts';

/** `accountId` null: for the first account. Null if the account has a person. */
export async function makeOwnerLink(tx: Tx, baseUrl: string, accountId: number | null): Promise<string | null> {
  const { secret, hash } = newSecret('owner');
  return (await insertOwnerLink(tx, accountId, hash)) ? `${baseUrl}/welcome?token=${secret}` : null;
}
