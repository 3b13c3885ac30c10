import { makeOwnerLink } from '../accounts/ownerLinks.ts';
import type { Config } from '../config.ts';
import { connectDb } from '../database/db.ts';

/** A one-time link to create the first account; null if an account exists. */
export async function firstOwnerLink({ directUrl, baseUrl }: Config): Promise<string | null> {
  const db = await connectDb(directUrl, 1);
  try {
    return await makeOwnerLink(db.pool(), baseUrl, null);
  } finally {
    await db.close();
  }
}
