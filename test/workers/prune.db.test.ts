/** The pruning job deletes exactly what is past its retention. */
import { deleteBatch, expiringTables } from '../../workers/pruneQueries.ts';
import { lanes } from '../../workers/tasks.ts';
import { suite } from '../support/suite.ts';
import { contextOf } from '../support/tasks.ts';
import { type Team, timeWorld } from '../support/timeWorld.ts';

const test = suite(import.meta.url);

const world = timeWorld();
const due = { due: '2026-03-02T00:00:00Z' };

async function runPrune(): Promise<void> {
  const context = contextOf(world);
  await lanes.prompt.prune(due, context);
}

interface Kept {
  table: string;
  /** Inserts a row of that age. $1 account, $2 connection, $3 user, $4 workspace, $5 item, $6 an interval. */
  insert: string;
  /** Ages just past the limit, and just within. */
  past: string;
  within: string;
}

const all = expiringTables({ auditDays: 400 });

const from =
  'from (select $1::bigint account, $2::bigint connection, $3::bigint person, $4::bigint place, $5::bigint item, $6::interval age) v';
const rows: Kept[] = [
  {
    table: 'receipts',
    insert: `insert into receipts (account_id, connection_id, request_id, tool, fingerprint, result, created_at)
             select account, connection, gen_random_uuid(), 'svc_time', '', '{}', now() - age ${from}`,
    past: '30 days 1 minute',
    within: '29 days 23 hours',
  },
  {
    table: 'audit',
    insert: `insert into audit (account_id, kind, actor_name, via, subject, subject_id, subject_name, at)
             select account, 'sign_in', '', 'page', 'user', person, '', now() - age ${from}`,
    past: '400 days 1 minute',
    within: '399 days 23 hours',
  },
  {
    table: 'activity',
    insert: `insert into activity (account_id, user_id, connection_id, tool, outcome, elapsed_ms, at)
             select account, person, connection, 'svc_time', 'ok', 1, now() - age ${from}`,
    past: '90 days 1 minute',
    within: '89 days 23 hours',
  },
  {
    table: 'sessions',
    insert: `insert into sessions (account_id, user_id, token_hash, expires_at)
             select account, person, decode(md5(random()::text), 'hex'), now() - age ${from}`,
    past: '1 minute',
    within: '-1 minute',
  },
  {
    table: 'owner_links',
    insert: `insert into owner_links (token_hash, account_id, expires_at)
             select decode(md5(random()::text), 'hex'), account, now() - age ${from}`,
    past: '1 minute',
    within: '-1 minute',
  },
  {
    table: 'rate_windows',
    insert: `insert into rate_windows (key, window_start, count) select age::text, now() - age, 1 ${from}`,
    past: '11 minutes',
    within: '9 minutes',
  },
  {
    table: 'note_rewrites',
    insert: `insert into note_rewrites (account_id, connection_id, request_id, body, deadline_at)
             select account, connection, gen_random_uuid(), 'A note', now() - age ${from}`,
    past: '2 minutes',
    within: '30 seconds',
  },
  {
    table: 'rest_receipts',
    insert: `with key as (insert into rest_keys (account_id, user_id, name, key_hash, rights)
               select account, person, 'Key', 'one for both', 0 ${from} on conflict (key_hash) do update set rights = 0 returning id)
             insert into rest_receipts (account_id, key_id, idempotency_key, operation, fingerprint, result, created_at)
             select account, key.id, gen_random_uuid(), 'saveItem', '', 'null', now() - age ${from}, key`,
    past: '30 days 1 minute',
    within: '29 days 23 hours',
  },
  {
    table: 'capacity_forecasts',
    insert: `insert into capacity_forecasts (account_id, scope_key, workspace_id, workspace_ids, week, created_at, read_at)
             select account, age::text, place, array[place], '2026-03-02', now() - interval '1 year', now() - age ${from}`,
    past: '8 days 1 minute',
    within: '7 days 23 hours',
  },
  {
    table: 'trend_points',
    insert: `insert into trend_points (account_id, workspace_id, project_id, day, scope_hours, remaining_hours)
             select account, place, item, (now() - age)::date, 1, 1 ${from}`,
    past: '71 days',
    within: '70 days',
  },
  {
    table: 'notifications',
    insert: `with link as (insert into invitations (account_id, user_id, nonce) select account, person, 'told' ${from} returning *)
             insert into notifications (account_id, user_id, kind, invitation_id, due_at, created_at)
             select account, person, 'password_link', link.id, now(), now() - age ${from}, link`,
    past: '180 days 1 minute',
    within: '179 days 23 hours',
  },
  {
    table: 'invitations',
    insert: `insert into invitations (account_id, user_id, nonce, created_at, expires_at)
             select account, person, age::text, now() - age, now() - age + interval '7 days' ${from}`,
    past: '180 days 1 minute',
    within: '179 days 23 hours',
  },
  {
    table: 'invited_memberships',
    insert: `insert into invited_memberships (account_id, user_id, workspace_id, role, created_at)
             select account, (select case when age > interval '30 days' then min(u.id) else max(u.id) end from users u where u.account_id = account),
               (select min(w.id) from workspaces w where w.account_id = account), 'member', now() - age ${from}`,
    past: '30 days 1 minute',
    within: '29 days 23 hours',
  },
  {
    table: 'refused_forms',
    insert: `insert into refused_forms (token_hash, account_id, session_id, path, fields, created_at)
             select sha256(age::text::bytea), account, (select min(id) from sessions where expires_at > now()), '/', '{}', now() - age ${from}`,
    past: '1 hour 1 minute',
    within: '59 minutes',
  },
  {
    table: 'imports',
    insert: `insert into imports (account_id, workspace_id, user_id, source, file_name, state, created_at)
             select account, place, person, 'csv', 'draft.csv', 'ready', now() - age ${from}`,
    past: '7 days 1 minute',
    within: '6 days 23 hours',
  },
  ...(['import_rows', 'import_reports'] as const).map((table) => ({
    table,
    insert: `with m as (insert into imports (account_id, workspace_id, user_id, source, file_name, state, finished_at)
               select account, place, person, 'csv', 'done.csv', 'done', now() - age ${from} returning account_id, id)
             ${
               table === 'import_rows'
                 ? `insert into import_rows (account_id, import_id, n, kind) select account_id, id, 1, 'issue' from m`
                 : `insert into import_reports (account_id, import_id, survey, report, preview) select account_id, id, '{}', '{}', '{}' from m`
             }`,
    past: '7 days 1 minute',
    within: '6 days 23 hours',
  })),
  {
    table: 'data_exports',
    insert: `insert into data_exports (account_id, user_id, workspace_ids, state, created_at) select account, person, '{}', 'failed', now() - age ${from}`,
    past: '3 days 1 minute',
    within: '2 days 23 hours',
  },
  {
    table: 'blobs',
    insert: `insert into blobs (account_id, touched_at) select account, now() - age ${from}`,
    past: '1 hour 1 minute',
    within: '59 minutes',
  },
  {
    table: 'email_changes',
    insert: `insert into email_changes (account_id, user_id, old_email, email, nonce, created_at, expires_at)
             select account, person, 'old', 'new', age::text, now() - age, now() - age ${from}`,
    past: '180 days 1 minute',
    within: '179 days 23 hours',
  },
  {
    table: 'webhook_deliveries',
    insert: `with hook as (insert into webhooks (account_id, workspace_id, user_id, url, secret, era, xact, change_id)
               select account, place, person, 'https://example.org', '', 0, '0', 0 ${from} returning id)
             insert into webhook_deliveries (account_id, webhook_id, state, next_at, created_at)
             select account, hook.id, state, case when state = 'waiting' then now() end, now() - age
             ${from}, hook, unnest(case when age > interval '30 days' then array['delivered'] else array['delivered', 'waiting'] end) state`,
    past: '30 days 1 minute',
    within: '29 days 23 hours',
  },
  {
    table: 'schedule_ticks',
    insert: `insert into schedule_ticks (task, due) select 'prune', now() - age ${from}`,
    past: '91 days',
    within: '89 days',
  },
];

const count = (table: string) => world.value(`select count(*)::int from ${table}`);

/** Row counts of all tables. */
async function counts(): Promise<Record<string, number>> {
  const tables = await world.rows(`select tablename as name from pg_tables where schemaname = 'public' order by 1`);
  return Object.fromEntries(await Promise.all(tables.map(async ({ name }) => [name, await count(name)] as const)));
}

async function insertAll(team: Team, age: 'past' | 'within'): Promise<void> {
  const { connectionId } = await team.agent();
  const { accountId, userId, workspaceId, itemId } = team;
  for (const row of rows) await world.rows(row.insert, [accountId, connectionId, userId, workspaceId, itemId, row[age]]);
}

test('rows past their retention are deleted, and no others', async (t) => {
  const team = await world.team();
  await insertAll(team, 'within');
  // Dependent rows are deleted, too.
  const [forecast] = await world.rows('select id from capacity_forecasts');
  for (const [day, text] of [
    ['current_date', 'today'],
    ['current_date - 1', 'yesterday'],
  ] as const) {
    await world.rows(
      `with s as (insert into capacity_snapshots (account_id, forecast_id, day) values ($1, $2, ${day}) returning id)
       insert into capacity_pieces (account_id, snapshot_id, n, text) select $1, id, 0, $3 from s`,
      [team.accountId, forecast.id, text],
    );
  }
  await world.rows(`insert into sent_forms (account_id, session_id, nonce) select account_id, id, 'within' from sessions`);
  const before = await counts();
  await insertAll(team, 'past');
  await world.rows(
    `insert into sent_forms (account_id, session_id, nonce) select account_id, id, 'past' from sessions where expires_at < now()`,
  );
  // Each notification has its own recent link, which stays.
  before.invitations!++;
  // The finished imports themselves stay.
  before.imports! += 2;
  for (const { table } of rows) t.is(await count(table), before[table]! + 1, table);
  await runPrune();
  const after = await counts();
  t.deepEqual(after, {
    ...before,
    connections: after.connections!,
    connection_workspaces: after.connection_workspaces!,
    webhooks: after.webhooks!,
    capacity_snapshots: 1,
    capacity_pieces: 1,
  });
  t.deepEqual(await world.rows('select text from capacity_pieces'), [{ text: 'today' }]);
  t.deepEqual(await world.rows('select nonce from sent_forms'), [{ nonce: 'within' }]);
});

test('an old link stays while a notification refers to it', async (t) => {
  const { accountId, userId } = await world.team();
  const [link] = await world.rows(
    `insert into invitations (account_id, user_id, nonce, created_at, expires_at)
     values ($1, $2, 'old', now() - interval '181 days', now() - interval '174 days') returning id`,
    [accountId, userId],
  );
  await world.rows(
    `insert into notifications (account_id, user_id, kind, invitation_id, due_at, created_at)
     values ($1, $2, 'password_set', $3, now(), now() - interval '175 days')`,
    [accountId, userId, link.id],
  );
  await runPrune();
  t.is(await world.value('select count(*)::int from invitations where id = $1', [link.id]), 1);
});

test('every table with a retention is tested here', (t) => {
  t.deepEqual(all.map(({ table }) => table).sort(), [...rows.map(({ table }) => table), 'capacity_snapshots'].sort());
});

test('one run deletes more than one batch, and a stopping job stops', async (t) => {
  const expiringTable = all.find(({ table }) => table === 'rate_windows')!;
  await world.rows(
    `insert into rate_windows (key, window_start, count) select n::text, now() - interval '1 hour', 1 from generate_series(1, 10001) n`,
  );
  t.deepEqual(await deleteBatch(world.db.pool(), expiringTable), { deleted: 5_000, more: true });
  const context = contextOf(world);
  await t.throwsAsync(lanes.prompt.prune(due, { ...context, signal: AbortSignal.abort() }));
  await runPrune();
  t.is(await world.value(`select count(*)::int from rate_windows where window_start < now() - interval '10 minutes'`), 0);
});

test('of rows with many dependent rows, one statement deletes at most 20', async (t) => {
  const { accountId } = await world.team();
  const expiringTable = all.find(({ table }) => table === 'capacity_snapshots')!;
  await world.rows(
    `with f as (
       insert into capacity_forecasts (account_id, scope_key, workspace_id, workspace_ids, week)
       select $1, 'prune ' || n, 0, '{1}', date_trunc('week', current_date) from generate_series(1, 25) n returning id)
     insert into capacity_snapshots (account_id, forecast_id, day) select $1, id, current_date - 1 from f`,
    [accountId],
  );
  t.deepEqual(await deleteBatch(world.db.pool(), expiringTable), { deleted: 20, more: true });
  t.deepEqual(await deleteBatch(world.db.pool(), expiringTable), { deleted: 5, more: false });
});

test('a table that fails stops no other, and the job fails at the end', async (t) => {
  const team = await world.team();
  await insertAll(team, 'past');
  await world.rows(`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$;
    create trigger refuse before delete on receipts for each row execute function refuse()`);
  await t.throwsAsync(runPrune, { message: 'refused' });
  const expired = `select count(*)::int from schedule_ticks where due < now() - interval '90 days'`;
  t.is(await world.value(expired), 0);
  await world.rows('drop function refuse cascade');
  await runPrune();
  t.is(await world.value(`select count(*)::int from receipts where created_at < now() - interval '30 days'`), 0);
});
