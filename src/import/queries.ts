import { z } from 'zod';
import { bits } from '../access/rights.ts';
import { fixedSql, type Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { fieldNames, fields } from '../items/fields.ts';

const scope = { account_id: 'bigint', workspace_id: 'bigint' } as const;

const tables = {
  accounts: { id: 'bigint', name: 'text', holiday_region: 'text' },
  users: {
    id: 'bigint',
    account_id: 'bigint',
    email: 'text',
    name: 'text',
    kind: 'text',
    account_role: 'text',
    password_hash: 'text',
    timezone: 'text',
    weekly_minutes: 'integer',
    weekdays: 'smallint',
    holiday_region: 'text',
    active: 'boolean',
  },
  working_hours: { account_id: 'bigint', user_id: 'bigint', starts_on: 'date', weekly_minutes: 'integer', weekdays: 'smallint' },
  absences: {
    account_id: 'bigint',
    user_id: 'bigint',
    first_day: 'date',
    last_day: 'date',
    half: 'boolean',
    reason: 'text',
    shared: 'boolean',
  },
  workspaces: {
    id: 'bigint',
    account_id: 'bigint',
    name: 'text',
    sample: 'boolean',
    archived_at: 'timestamptz',
    mcp_enabled: 'boolean',
    mcp_rights: 'integer',
    forecasts: 'text',
  },
  memberships: { ...scope, user_id: 'bigint', role: 'text', overrides: 'jsonb', time_oversight: 'boolean' },
  items: {
    id: 'bigint',
    ...scope,
    type: 'text',
    title: 'text',
    description: 'text',
    status: 'text',
    owner_id: 'bigint',
    created_at: 'timestamptz',
    archived_at: 'timestamptz',
    completed_at: 'timestamptz',
    ...Object.fromEntries(fieldNames.map((name) => [fields[name].column, fields[name].sql])),
  },
  labels: { id: 'bigint', ...scope, name: 'text', color: 'text', description: 'text', archived_at: 'timestamptz' },
  imported_items: { ...scope, item_id: 'bigint', source: 'text', key: 'text', shadowed_key: 'text', url: 'text' },
  item_labels: { ...scope, item_id: 'bigint', label_id: 'bigint' },
  item_dependencies: { ...scope, item_id: 'bigint', blocker_id: 'bigint', lag_days: 'smallint' },
  templates: { ...scope, name: 'text', items: 'jsonb', needs: 'integer' },
  recurrences: {
    id: 'bigint',
    ...scope,
    item_id: 'bigint',
    user_id: 'bigint',
    rule: 'text',
    starts_on: 'date',
    last_on: 'date',
    next_on: 'date',
    mode: 'text',
    state: 'text',
    reason: 'text',
    due_at: 'timestamptz',
  },
  recurrence_items: { ...scope, recurrence_id: 'bigint', occurs_on: 'date', item_id: 'bigint' },
  comments: {
    id: 'bigint',
    ...scope,
    item_id: 'bigint',
    author_id: 'bigint',
    body: 'text',
    original_body: 'text',
    created_at: 'timestamptz',
  },
  comment_reactions: { account_id: 'bigint', comment_id: 'bigint', user_id: 'bigint', reaction: 'text', created_at: 'timestamptz' },
  time_entries: {
    ...scope,
    user_id: 'bigint',
    item_id: 'bigint',
    kind: 'text',
    started_at: 'timestamptz',
    ended_at: 'timestamptz',
    day: 'date',
    minutes: 'integer',
    note: 'text',
    written_in: 'bigint',
  },
  plan_blocks: {
    id: 'bigint',
    ...scope,
    user_id: 'bigint',
    item_id: 'bigint',
    start_local: 'text',
    end_local: 'text',
    timezone: 'text',
    starts_at: 'timestamptz',
    ends_at: 'timestamptz',
    note: 'text',
    auto_start: 'boolean',
    auto_stop: 'boolean',
    remind_start: 'boolean',
    remind_minutes: 'integer',
    remind_end: 'boolean',
    state: 'text',
    reason: 'text',
  },
  note_folders: { id: 'bigint', account_id: 'bigint', user_id: 'bigint', name: 'text' },
  personal_notes: {
    id: 'bigint',
    account_id: 'bigint',
    user_id: 'bigint',
    folder_id: 'bigint',
    html: 'text',
    title: 'text',
    text: 'text',
    cipher: 'text',
    protection: 'text',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
  },
  rest_keys: {
    id: 'bigint',
    account_id: 'bigint',
    user_id: 'bigint',
    name: 'text',
    key_hash: 'bytea',
    rights: 'integer',
    expires_at: 'timestamptz',
  },
  connections: {
    id: 'bigint',
    account_id: 'bigint',
    user_id: 'bigint',
    name: 'text',
    key_hash: 'bytea',
    rights: 'integer',
    note_rights: 'integer',
    timezone: 'text',
    plain_language: 'boolean',
    expires_at: 'timestamptz',
  },
  connection_workspaces: { account_id: 'bigint', connection_id: 'bigint', workspace_id: 'bigint' },
} as const satisfies Record<string, Record<string, string>>;

export type Table = keyof typeof tables;
export type Row = Record<string, unknown>;

const MOST_ROWS = 2_000;
const MOST_CHARACTERS = 4_000_000;

/** Yields batches of rows as JSON arrays. A batch is small enough to stay far below the statement timeout. */
async function* batches(rows: Iterable<Row> | AsyncIterable<Row>): AsyncGenerator<string> {
  let batch: string[] = [];
  let size = 0;
  for await (const row of rows) {
    const text = JSON.stringify(row);
    batch.push(text);
    size += text.length;
    if (batch.length < MOST_ROWS && size < MOST_CHARACTERS) continue;
    yield `[${batch.join(',')}]`;
    batch = [];
    size = 0;
  }
  if (batch.length) yield `[${batch.join(',')}]`;
}

export function* chunks<T>(rows: Iterable<T>): Generator<T[]> {
  let chunk: T[] = [];
  for (const row of rows) {
    chunk.push(row);
    if (chunk.length < MOST_ROWS) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length) yield chunk;
}

export interface AttachmentRow {
  accountId: number;
  noteId: number;
  name: string;
  content: Buffer;
}

export async function insertAttachment(tx: Tx, { accountId, noteId, name, content }: AttachmentRow): Promise<void> {
  await tx.query(sql.unsafe`
    insert into note_attachments (account_id, note_id, name, blob_id, size)
    select ${accountId}, ${noteId}, ${name}, blob_of(${accountId}, ${sql.binary(content)}), ${content.length}`);
}

/** Inserts in the given order, because a row's trigger reads earlier rows. Given ids override generated ones. */
export async function insertRows(tx: Tx, table: Table, rows: Iterable<Row> | AsyncIterable<Row>): Promise<void> {
  const columns: [string, string][] = Object.entries(tables[table]);
  const into = fixedSql(`insert into ${table} (${columns.map(([name]) => name).join(', ')}) overriding system value
    select ${columns.map(([name]) => `r.${name}`).join(', ')}`);
  const record = fixedSql(columns.map(([name, type]) => `${name} ${type}`).join(', '));
  for await (const batch of batches(rows)) {
    await tx.query(
      sql.unsafe`${into} from rows from (json_to_recordset(${batch}::json) as (${record})) with ordinality as r order by r.ordinality`,
    );
  }
}

/** Disables sequential scans until the transaction ends: plans made while tables are empty would read whole tables for every row. */
export async function lookUpByIndex(tx: Tx): Promise<void> {
  await tx.query(sql.unsafe`set local enable_seqscan = off`);
}

export const asBytea = (bytes: Buffer) => `\\x${bytes.toString('hex')}`;

const Ids = z.object({ ids: z.string() });
const Email = z.object({ email: z.string() });

/** Reserves `count` new ids of a table, ascending. Concurrent writers get others. */
export async function takeIds(tx: Tx, table: Table, count: number): Promise<number[]> {
  if (count === 0) return [];
  const text = await tx.oneFirst(sql.type(Ids)`
    select json_agg(nextval(pg_get_serial_sequence(${table}, 'id')))::text as ids from generate_series(1, ${count})`);
  const ids: number[] = JSON.parse(text);
  return ids.sort((a, b) => a - b);
}

/** Returns those of the email addresses that the account already uses, in lower case. */
export async function takenEmails(tx: Tx, accountId: number, emails: string[]): Promise<readonly string[]> {
  return tx.anyFirst(sql.type(Email)`
    select lower(email) as email from users
    where account_id = ${accountId} and lower(email) in (select lower(given) from unnest(${sql.array(emails, 'text')}) given)`);
}

const Found = z.object({ id: z.number(), email: z.string(), timezone: z.string(), name: z.string() });

/** Locks the account and returns its users with these addresses, which are in lower case. null if the account does not exist. */
export async function findExisting(tx: Tx, accountId: number, emails: string[]): Promise<readonly z.infer<typeof Found>[] | null> {
  const account = await tx.maybeOneFirst(sql.type(Id)`select id from accounts where id = ${accountId} for update`);
  if (account === null) return null;
  return tx.any(sql.type(Found)`
    select id, lower(email) as email, timezone, name from users
    where account_id = ${accountId} and lower(email) in (select lower(given) from unnest(${sql.array(emails, 'text')}) given)
    order by id for no key update`);
}

const Unassignable = z.object({ workspace_id: z.number(), user_id: z.number() });

/** Active users who may not be assigned work there (behaviour §3.14). The file's own users without a membership have left and keep their
 *  work. */
export async function readUnassignable(tx: Tx, workspaceIds: number[], existing: number[]) {
  return tx.any(sql.type(Unassignable)`
    select w.workspace_id, u.id as user_id
    from unnest(${sql.array(workspaceIds, 'int8')}) w (workspace_id)
    cross join lateral (
      select m.user_id, m.rights from memberships m where m.workspace_id = w.workspace_id
      union all
      select e.id, 0 from unnest(${sql.array(existing, 'int8')}) e (id)
      where not exists (select from memberships m where m.workspace_id = w.workspace_id and m.user_id = e.id)
    ) p
    join users u on u.id = p.user_id and u.active
    where p.rights & ${bits('tasks', 'write')} <> ${bits('tasks', 'write')}`);
}

const Id = z.object({ id: z.number() });
const Day = z.object({ user_id: z.number(), day: z.string(), minutes: z.number() });

export async function readDays(tx: Tx, userIds: number[], days: string[]) {
  return tx.any(sql.type(Day)`
    select user_id, day, sum(minutes) as minutes from time_parts
    where user_id = any(${sql.array(userIds, 'int8')}) and day = any(${sql.array(days, 'date')}) group by user_id, day`);
}

const Folder = z.object({ id: z.number(), user_id: z.number(), name: z.string() });

export async function readFolders(tx: Tx, userIds: number[]) {
  return tx.any(sql.type(Folder)`select id, user_id, name from note_folders where user_id = any(${sql.array(userIds, 'int8')})`);
}

/** For the rest of the transaction: an exported account may have rows that exceeded a limit before it existed (behaviour §13.18). */
export async function allowBeyondLimits(tx: Tx): Promise<void> {
  await tx.query(sql.unsafe`set local stint.restoring = 'on'`);
}
