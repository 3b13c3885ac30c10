/** Every collection that people can grow has a limit (behaviour §13.18), which the database keeps. */
import { type LimitName, limitReached, limits } from '../../src/operations/limits.ts';
import { asAppError } from '../../src/operations/refusals.ts';
import { fileDatabase } from '../support/database.ts';
import { Fixtures } from '../support/restWorld.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let fixtures: Fixtures;
test.before(() => {
  fixtures = new Fixtures(database.url);
});
test.after(() => fixtures.close());

/** Tables without a limit of their own, and what limits them instead. */
const unlimited: Record<string, string> = {
  // The work itself, which only the limits of requests slow down (§14.2).
  ...same('grows with the work', [
    ...['items', 'comments', 'comment_mentions', 'comment_reactions', 'change_texts', 'changes', 'approvals', 'recurrence_items'],
    ...['time_entry_versions', 'time_parts', 'item_texts', 'imported_items', 'imported_comments', 'item_labels', 'item_dependencies'],
  ]),
  ...same('§11.15 limits its bytes, and each row counts as at least 1 KiB', ['personal_notes', 'note_attachments', 'note_usage']),
  ...same('§35.1 limits its bytes', ['blobs', 'blob_chunks', 'blob_usage', 'file_thumbnails']),
  ...same('at most one for each row of two limited tables', [
    ...['memberships', 'connection_workspaces', 'invited_memberships', 'notification_choices', 'calendar_feeds', 'recent_items'],
    ...['capacity_forecasts', 'capacity_snapshots', 'capacity_pieces', 'capacity_pages', 'capacity_projects', 'capacity_overloads'],
    ...['capacity_marks', 'trend_points', 'notification_days', 'import_reports', 'import_rows'],
  ]),
  ...same('deleted after a time (§14.1), and made by limited requests', [
    ...['activity', 'audit', 'data_exports', 'email_changes', 'invitations', 'note_rewrites', 'notifications', 'receipts', 'rest_receipts'],
    ...['refused_forms', 'sent_forms', 'sessions', 'webhook_deliveries', 'erasures', 'rate_windows', 'owner_links'],
  ]),
  ...same("the operator's own", [
    ...[
      'accounts',
      'holidays',
      'change_followers',
      'cursor_key',
      'migrations',
      'outbound_hold',
      'process_metrics',
      'schedule_ticks',
      'workers',
    ],
  ]),
};

function same(reason: string, tables: readonly string[]): Record<string, string> {
  return Object.fromEntries(tables.map((table) => [table, reason]));
}

interface Kept {
  table: string;
  name: LimitName;
  most: number;
}

async function kept(): Promise<Kept[]> {
  const rows = await fixtures.sql(`
    select tgrelid::regclass::text as table, string_to_array(encode(tgargs, 'escape'), '\\000') as args from pg_trigger t
    join pg_proc p on p.oid = t.tgfoid where p.proname = 'keep_limit'`);
  return rows.map(({ table, args: [name, , , most] }) => ({ table, name, most: Number(most) }));
}

test('the database keeps exactly the limits of the table', async (t) => {
  const triggers = await kept();
  const found = Object.fromEntries(triggers.map(({ name, most }) => [name, most]));
  t.deepEqual(found, Object.fromEntries(Object.entries(limits).map(([name, { most }]) => [name, most])));
});

test('every table has a limit, or a reason why it needs none', async (t) => {
  const limited = new Set((await kept()).map(({ table }) => table));
  const all = await fixtures.sql(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
  );
  const without = all.map(({ name }) => name as string).filter((name) => !limited.has(name));
  t.deepEqual(without.sort(), Object.keys(unlimited).sort());
});

interface Owners {
  accountId: number;
  userId: number;
  workspaceId: number;
  itemId: number;
}

async function owners(): Promise<Owners> {
  const accountId = await fixtures.account();
  const [userId, workspaceId] = [await fixtures.user(accountId), await fixtures.workspace(accountId)];
  await fixtures.member(workspaceId, userId);
  const [item] = await fixtures.sql(
    `insert into items (account_id, workspace_id, type, title, status, status_key) values ($1, $2, 'task', 'T', 'planned', 'planned') returning id`,
    [accountId, workspaceId],
  );
  return { accountId, userId, workspaceId, itemId: Number(item.id) };
}

/** SQL that inserts row `n` of a collection. Tests of their operations fill the other ones. */
const insertions: Partial<Record<LimitName, (of: Owners) => string>> = {
  workspaces: ({ accountId }) => `workspaces (account_id, name) select ${accountId}, 'W' || n`,
  people: ({ accountId }) => `users (account_id, email, name) select ${accountId}, n || '@' || ${accountId} || '.example', 'P' || n`,
  keys: ({ accountId, userId }) =>
    `rest_keys (account_id, user_id, name, key_hash, rights) select ${accountId}, ${userId}, 'K', sha256(convert_to('${accountId} ' || n, 'UTF8')), 0`,
  agents: ({ accountId, userId }) =>
    `connections (account_id, user_id, name, key_hash, rights) select ${accountId}, ${userId}, 'A', sha256(convert_to('${userId} ' || n, 'UTF8')), 0`,
  blocks: (of) =>
    `plan_blocks (account_id, workspace_id, user_id, item_id, start_local, end_local, timezone, starts_at, ends_at)
     select ${of.accountId}, ${of.workspaceId}, ${of.userId}, ${of.itemId}, '2090-01-01T10:00', '2090-01-01T11:00', 'UTC', '2090-01-01T10:00Z', '2090-01-01T11:00Z'`,
  entries: (of) =>
    `time_entries (account_id, workspace_id, user_id, item_id, kind, day, minutes)
     select ${of.accountId}, ${of.workspaceId}, ${of.userId}, ${of.itemId}, 'manual', '2026-03-02', 5`,
  folders: ({ accountId, userId }) => `note_folders (account_id, user_id, name) select ${accountId}, ${userId}, 'F' || n`,
  absences: ({ accountId, userId }) =>
    `absences (account_id, user_id, first_day, last_day, half, reason, shared)
     select ${accountId}, ${userId}, date '2026-01-01' + n, date '2026-01-01' + n, false, '', false`,
  workingHours: ({ accountId, userId }) =>
    `working_hours (account_id, user_id, starts_on, weekly_minutes, weekdays) select ${accountId}, ${userId}, date '2026-01-01' + n, 60, 31`,
  statuses: ({ accountId, workspaceId }) =>
    `statuses (account_id, workspace_id, key, label, types, status, position)
     select ${accountId}, ${workspaceId}, 'k' || n, 'K' || n, '{task}', 'in_progress', 20 + n`,
  priorities: ({ accountId, workspaceId }) =>
    `priorities (account_id, workspace_id, key, label, rank) select ${accountId}, ${workspaceId}, 'k' || n, 'K' || n, 1000 + n`,
  labels: ({ accountId, workspaceId }) =>
    `labels (account_id, workspace_id, name, color) select ${accountId}, ${workspaceId}, 'L' || n, 'grey'`,
  templates: ({ accountId, workspaceId }) =>
    `templates (account_id, workspace_id, name, items, needs) select ${accountId}, ${workspaceId}, 'T' || n, '[{}]', 0`,
  imports: (of) =>
    `imports (account_id, workspace_id, user_id, source, file_name, file_size, map, state)
     select ${of.accountId}, ${of.workspaceId}, ${of.userId}, 'csv', 'a.csv', 1, '{}', 'undone'`,
  files: (of) =>
    `item_files (account_id, workspace_id, item_id, name, size, type, state, added_by)
     select ${of.accountId}, ${of.workspaceId}, ${of.itemId}, 'n', 1, 'image/png', 'ready', ${of.userId}`,
};

/** Existing rows that count. */
const already: Partial<Record<LimitName, number>> = { workspaces: 1, people: 1, statuses: 8, priorities: 4 };

for (const [name, insertion] of Object.entries(insertions) as [LimitName, (of: Owners) => string][]) {
  test(`${name}: of two inserts at the limit one is refused, saying what to do; another owner has room`, async (t) => {
    const [mine, other] = [await owners(), await owners()];
    const insert = (of: Owners, from: number, to = from) =>
      fixtures.sql(`insert into ${insertion(of)} from generate_series(${from}, ${to}) n`);
    const free = limits[name].most - (already[name] ?? 0);
    await insert(mine, 1, free - 1);
    const both = await Promise.allSettled([insert(mine, free), insert(mine, free + 1)]);
    const [refused, ...more] = both.filter((one) => one.status === 'rejected');
    t.deepEqual(more, []);
    t.deepEqual(asAppError(refused?.reason), limitReached(name));
    await t.notThrowsAsync(insert(other, 1));
  });
}

test('what is above a limit stays and can be changed', async (t) => {
  const of = await owners();
  const insert = (from: number, to: number) =>
    fixtures.sql(`set local stint.restoring = 'on'; insert into ${insertions.statuses!(of)} from generate_series(${from}, ${to}) n`);
  await insert(1, limits.statuses.most);
  await t.notThrowsAsync(fixtures.sql(`update statuses set label = label || '!' where workspace_id = $1`, [of.workspaceId]));
  await t.throwsAsync(fixtures.sql(`insert into ${insertions.statuses!(of)} from generate_series(99, 99) n`));
});
