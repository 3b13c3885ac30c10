/** The migrations that this code knows, and whether the database has them. Applying them is migrate.ts. */
import { readdir } from 'node:fs/promises';
import { z } from 'zod';
import type { Db } from './db.ts';
import { sql } from './sql.ts';

export const folder = new URL('../../sql/', import.meta.url);

export interface Migration {
  number: number;
  name: string;
}

/** The migrations this code knows, in order. Numbers are unique. */
export async function knownMigrations(from = folder): Promise<Migration[]> {
  const names = (await readdir(from)).filter((name) => name.endsWith('.sql')).sort();
  return names.map((name) => ({ number: Number.parseInt(name, 10), name }));
}

const Count = z.object({ count: z.number() });
let known: Promise<number> | undefined;

/** One cheap query; rejects when the database can't be reached. */
export async function databaseState(db: Db): Promise<'migrated' | 'behind'> {
  known ??= knownMigrations().then((all) => all.length);
  const applied = await db.pool().oneFirst(sql.type(Count)`select count(*) from migrations`);
  return applied >= (await known) ? 'migrated' : 'behind';
}
