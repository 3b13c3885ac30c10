/** Storage of a row with its indexes and share of free space, measured on realistic rows. */
import pg from 'pg';
import { migrate } from '../../src/database/migrate.ts';
import { startDisposable } from '../support/disposable.ts';

const ROWS = 10_000;

/** `select` lists for n = 1 … ROWS, with realistically spread parent ids. Rewritten: rows that are updated once on average and leave dead
 *  space. */
const tables: Record<string, { columns: string; values: string; rewritten?: boolean }> = {
  items: {
    columns:
      'account_id, workspace_id, type, title, description, status, status_key, priority_key, assignee_id, estimated_hours, due_date, needs',
    values: `n % 20, n % 60, 'task', words(n, 8), words(n, 60), 'planned', 'planned', 'normal', n % 500, n % 40, date '2026-01-01' + n % 365, 1`,
    rewritten: true,
  },
  item_texts: { columns: 'account_id, workspace_id, item_id, words', values: `n % 20, n % 60, n, words(n, 68)` },
  comments: {
    columns: 'account_id, workspace_id, item_id, author_id, body',
    values: `n % 20, n % 60, n % 4000, n % 500, words(n, 50)`,
  },
  time_entries: {
    columns: 'account_id, workspace_id, user_id, item_id, kind, day, minutes, note',
    values: `n % 20, n % 60, n % 500, n % 4000, 'manual', date '2026-01-01' + n % 365, 45, words(n, 6)`,
    rewritten: true,
  },
  time_parts: {
    columns: 'account_id, workspace_id, user_id, entry_id, day, minutes',
    values: `n % 20, n % 60, n % 500, n, date '2026-01-01' + n % 365, 45`,
  },
  plan_blocks: {
    columns: 'account_id, workspace_id, user_id, item_id, start_local, end_local, timezone, starts_at, ends_at',
    values: `n % 20, n % 60, n % 500, n % 4000, '2026-03-03T09:00', '2026-03-03T10:00', 'Europe/Madrid',
      timestamptz '2026-01-01' + n * interval '1 hour', timestamptz '2026-01-01 01:00' + n * interval '1 hour'`,
    rewritten: true,
  },
  notifications: {
    columns: 'account_id, workspace_id, user_id, kind, block_id, due_at',
    values: `n % 20, n % 60, n % 500, 'block_starts', n, timestamptz '2026-01-01' + n * interval '1 hour'`,
    rewritten: true,
  },
  personal_notes: {
    columns: 'account_id, user_id, html, title, text',
    values: `n % 20, n % 500, '<p>' || words(n, 200) || '</p>', words(n, 6), words(n, 200)`,
    rewritten: true,
  },
  activity: {
    columns: 'account_id, user_id, connection_id, workspace_id, tool, outcome, elapsed_ms',
    values: `n % 20, n % 500, n % 500, n % 60, 'svc_update_item', 'ok', 12`,
  },
  receipts: {
    columns: 'account_id, connection_id, request_id, tool, fingerprint, result',
    values: `n % 20, n % 500, gen_random_uuid(), 'svc_update_item', sha256(n::text::bytea), json_build_object('itemId', n, 'version', 2)`,
  },
};

/** Plain English of a number of words, different for each n. */
const words = `create function pg_temp.words(n integer, count integer) returns text language sql return (
  select string_agg((string_to_array('the of to and in is it that for was on are as with they at be this from have or by one had not but what all were when we there can an your which their said if do will each about how up out them then she many some so these would other into has more her two like him see time could no make than first been its who now people my made over did down only way find use may water long little very after words called just where most know', ' '))
    [1 + (hashint8(n * 1000 + i) & 65535) % 100] || case when i % 9 = 0 then (n * i)::text else '' end, ' ') from generate_series(1, count) i)`;

/** Bytes by table. */
export async function measureRowSizes(): Promise<Record<string, number>> {
  const server = await startDisposable();
  try {
    await migrate(server.url);
    const client = new pg.Client(server.url);
    client.on('error', () => {});
    await client.connect();
    await client.query(words);
    // Without triggers that keep tables in sync: each table is filled separately.
    await client.query('set session_replication_role = replica');
    const sizes: Record<string, number> = {};
    for (const [table, { columns, values, rewritten }] of Object.entries(tables)) {
      const call = values.replaceAll('words(', 'pg_temp.words(');
      await client.query(`insert into ${table} (${columns}) select ${call} from generate_series(1, ${ROWS}) n`);
      if (rewritten) await client.query(`update ${table} set account_id = account_id`);
      const { rows } = await client.query(`select pg_total_relation_size('${table}')::float8 / ${ROWS} as size`);
      sizes[table] = Math.round(rows[0].size);
    }
    await client.end();
    return sizes;
  } finally {
    await server.stop();
  }
}
