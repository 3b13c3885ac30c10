import { z } from 'zod';
import type { Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';

const Version = z.object({ version: z.string() });
const There = z.object({ there: z.boolean() });
const Setting = z.object({ name: z.string(), setting: z.string() });
const Name = z.object({ name: z.string() });

export async function readServerVersion(tx: Tx): Promise<string> {
  return tx.oneFirst(sql.type(Version)`select current_setting('server_version') as version`);
}

/** Names of applied migrations. Empty if their table does not exist. */
export async function readMigrations(tx: Tx): Promise<readonly string[]> {
  const there = await tx.oneFirst(sql.type(There)`select to_regclass('migrations') is not null as there`);
  return there ? tx.anyFirst(sql.type(Name)`select name from migrations order by number`) : [];
}

export async function readSettings(tx: Tx, names: string[]): Promise<Map<string, string>> {
  const rows = await tx.any(sql.type(Setting)`select name, setting from pg_settings where name = any(${sql.array(names, 'text')})`);
  return new Map(rows.map(({ name, setting }) => [name, setting]));
}

const Table = z.object({ name: z.string() });

/** Tables, also of the queue, that the role may not fully read and change. */
export function readForbiddenTables(tx: Tx): Promise<readonly string[]> {
  return tx.anyFirst(sql.type(Table)`
    select format('%I.%I', n.nspname, c.relname) as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in (current_schema(), 'graphile_worker') and c.relkind in ('r', 'p')
      and not (has_schema_privilege(n.oid, 'usage') and has_table_privilege(c.oid, 'select') and has_table_privilege(c.oid, 'insert')
        and has_table_privilege(c.oid, 'update') and has_table_privilege(c.oid, 'delete'))
    order by 1`);
}

/** Writes a row. The caller must roll back the transaction. */
export async function writeProbe(tx: Tx): Promise<void> {
  await tx.query(sql.unsafe`insert into schedule_ticks (task, due) values ('doctor', now())`);
}

/** New changes sort after everything that readers of changes have seen (behaviour §15.5). */
export async function beginEra(tx: Tx): Promise<void> {
  await tx.query(sql.unsafe`select begin_change_era()`);
}

const Count = z.object({ count: z.number() });

export const countSessions = (tx: Tx): Promise<number> =>
  tx.oneFirst(sql.type(Count)`select count(*) from sessions where expires_at > now() and last_used_at > now() - interval '7 days'`);

const Account = z.object({ id: z.number() });

export const endEverySession = (tx: Tx): Promise<readonly number[]> =>
  tx.anyFirst(sql.type(Account)`
    with ended as (delete from sessions returning account_id) select distinct account_id as id from ended order by 1`);
