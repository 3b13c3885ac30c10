import { readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { lazy } from '../values/lazy.ts';
import { isRefusedForNumber } from './connections.ts';
import type { Db } from './db.ts';
import { sql } from './sql.ts';
import { type Trouble, troubleOf } from './trouble.ts';

export const folder = new URL('../../sql/', import.meta.url);

export interface Migration {
  number: number;
  name: string;
}

export async function knownMigrations(from = folder): Promise<Migration[]> {
  const names = (await readdir(from)).filter((name) => name.endsWith('.sql')).sort();
  return names.map((name) => ({ number: Number.parseInt(name, 10), name }));
}

const Applied = z.object({ count: z.number(), oldestCode: z.number().nullable() });
const known = lazy(() => knownMigrations());

/** `behind`: some migrations are missing. `unmigrated`: all are. `incompatible`: it has one that this code can't run with. */
export type DatabaseState = 'migrated' | 'behind' | 'incompatible' | Trouble;

export const INCOMPATIBLE =
  'the database has a migration that this version of Stint cannot use: deploy the newer version, or restore a backup';

const PROBE_MS = 2_000;

/** One cheap query. Never rejects. */
export function databaseState(db: Db): Promise<DatabaseState> {
  const state = readState(db);
  const early = sleep(PROBE_MS, undefined, { ref: false }).then(() => (isRefusedForNumber() ? 'too many connections' : state));
  return Promise.race([state, early]);
}

async function readState(db: Db): Promise<DatabaseState> {
  const expected = await known();
  try {
    // Works without the column, which older databases don't have.
    const { count, oldestCode } = await db.pool().one(sql.type(Applied)`
      select count(*), max((to_jsonb(m) ->> 'oldest_code')::integer) as "oldestCode" from migrations m`);
    if (oldestCode !== null && oldestCode > (expected.at(-1)?.number ?? 0)) return 'incompatible';
    return count >= expected.length ? 'migrated' : count > 0 ? 'behind' : 'unmigrated';
  } catch (error) {
    return troubleOf(error);
  }
}
