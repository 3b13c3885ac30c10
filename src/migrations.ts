/** Whether the database is at this code's schema. */
import { sql } from 'slonik';
import { z } from 'zod';
import type { Db } from './db.ts';
import { knownMigrations } from './migrate.ts';

const Count = z.object({ count: z.number() });
let known: Promise<number> | undefined;

/** One cheap query; rejects when the database can't be reached. */
export async function databaseState(db: Db): Promise<'migrated' | 'behind'> {
  known ??= knownMigrations().then((all) => all.length);
  const applied = await db.pool().oneFirst(sql.type(Count)`select count(*) from migrations`);
  return applied >= (await known) ? 'migrated' : 'behind';
}
