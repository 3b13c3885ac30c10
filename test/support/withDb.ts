import { connectDb, type Db } from '../../src/database/db.ts';

/** Runs `use` with a pool that is closed afterwards. */
export async function withDb<T>(url: string, connections: number, use: (db: Db) => Promise<T>): Promise<T> {
  const db = await connectDb(url, connections);
  try {
    return await use(db);
  } finally {
    await db.close();
  }
}
