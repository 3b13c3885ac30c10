/** What `doctor` asks the database. */
import { sql } from 'slonik';
import { z } from 'zod';
import type { Tx } from '../db.ts';

const Version = z.object({ version: z.string() });
const There = z.object({ there: z.boolean() });
const Name = z.object({ name: z.string() });

export async function readServerVersion(tx: Tx): Promise<string> {
  return tx.oneFirst(sql.type(Version)`select current_setting('server_version') as version`);
}

/** Names of the migrations applied; none when there is not even a table of them. */
export async function readMigrations(tx: Tx): Promise<readonly string[]> {
  const there = await tx.oneFirst(sql.type(There)`select to_regclass('migrations') is not null as there`);
  return there ? tx.anyFirst(sql.type(Name)`select name from migrations order by number`) : [];
}
