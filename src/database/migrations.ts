/** The migrations that this code knows, and whether the database has them. Applying them is migrate.ts. */
import { readdir } from 'node:fs/promises';
import { z } from 'zod';
import { lazy } from '../values/lazy.ts';
import type { Db } from './db.ts';
import { sql } from './sql.ts';
import { type Trouble, troubleOf } from './trouble.ts';

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
const knownCount = lazy(async () => (await knownMigrations()).length);

/** `behind`: some migrations are missing; `unmigrated`: all of them. */
export type DatabaseState = 'migrated' | 'behind' | Trouble;

/** One cheap query. Never rejects: what is wrong is told. */
export async function databaseState(db: Db): Promise<DatabaseState> {
  const expected = await knownCount();
  try {
    const applied = await db.pool().oneFirst(sql.type(Count)`select count(*) from migrations`);
    return applied >= expected ? 'migrated' : applied > 0 ? 'behind' : 'unmigrated';
  } catch (error) {
    return troubleOf(error);
  }
}
