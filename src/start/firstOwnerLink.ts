import { makeOwnerLink } from '../accounts/ownerLinks.ts';
import type { Config } from '../config.ts';
import { connectDb } from '../database/db.ts';

/** A one-time link for whoever is to create the first account; null once there is one. */
export async function firstOwnerLink({ directUrl, baseUrl }: Config): Promise<string | null> {
  const db = await connectDb(directUrl, 1);
  try {
    return await makeOwnerLink(db.pool(), baseUrl, null);
  } finally {
    await db.close();
  }
}
