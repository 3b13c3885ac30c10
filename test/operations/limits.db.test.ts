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
    ...['capacity_marks', 'trend_points', 'project_outlooks', 'notification_days', 'import_reports', 'import_rows'],
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

/** Columns of counted rows that never change so that a row newly counts, and why. Other ones need a trigger after their update. */
const lasting: Record<string, string> = {
  ...same('a row keeps its owner', ['user_id', 'account_id', 'item_id']),
  ...same('only items with their rows change workspace, see the next test', ['workspace_id']),
  ...same('for good', ['revoked_at', 'merged_into']),
  minutes: 'a timer that runs again counted before',
};
/** The same, of one limit. */
const lastingOf: Partial<Record<LimitName, string>> = { series: 'state', files: 'state' };

test('a row that newly counts after a change is counted like a new one', async (t) => {
  const rows = await fixtures.sql(`
    select split_part(encode(tgargs, 'escape'), '\\000', 1) as name, split_part(encode(tgargs, 'escape'), '\\000', 5) as counted,
      array(select attname::text from pg_attribute a where a.attrelid = t.tgrelid and a.attnum = any(t.tgattr)) as columns
    from pg_trigger t join pg_proc p on p.oid = t.tgfoid where p.proname = 'keep_limit'`);
  const watched = new Set(rows.flatMap(({ name, columns }) => columns.map((column: string) => `${name} ${column}`)));
  const columnsOf = (counted: string) => [...counted.matchAll(/\b[tpe]\.(\w+)/g)].map(([, column]) => column as string);
  const unwatched = rows.flatMap(({ name, counted }) =>
    columnsOf(counted)
      .filter((column) => !(column in lasting) && lastingOf[name as LimitName] !== column && !watched.has(`${name} ${column}`))
      .map((column) => `${name} ${column}`),
  );
  t.deepEqual(unwatched, []);
});

test('every table that moves with items and counts for a workspace counts again there', async (t) => {
  const rows = await fixtures.sql(`
    select t.tgrelid::regclass::text as table, bool_or(a.attname is not null) as again
    from pg_trigger t join pg_proc p on p.oid = t.tgfoid
    left join pg_attribute a on a.attrelid = t.tgrelid and a.attnum = any(t.tgattr) and a.attname = 'workspace_id'
    where p.proname = 'keep_limit' and split_part(encode(t.tgargs, 'escape'), '\\000', 2) = 'workspaces'
      and exists (select from pg_constraint c where c.conrelid = t.tgrelid and c.confrelid = 'items'::regclass)
    group by 1`);
  t.deepEqual(rows, [{ table: 'recurrences', again: true }]);
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

/** Inserts rows without counting: each count takes as long as the rows before it. */
const fill = (text: string) => fixtures.sql(`set local stint.restoring = 'on'; ${text}`);

/** Existing rows that count. */
const already: Partial<Record<LimitName, number>> = { workspaces: 1, people: 1, statuses: 8, priorities: 4 };

for (const [name, insertion] of Object.entries(insertions) as [LimitName, (of: Owners) => string][]) {
  test(`${name}: of two inserts at the limit one is refused, saying what to do; another owner has room`, async (t) => {
    const [mine, other] = [await owners(), await owners()];
    const rows = (of: Owners, from: number, to = from) => `insert into ${insertion(of)} from generate_series(${from}, ${to}) n`;
    const insert = (of: Owners, n: number) => fixtures.sql(rows(of, n));
    const free = limits[name].most - (already[name] ?? 0);
    await fill(rows(mine, 1, free - 1));
    const both = await Promise.allSettled([insert(mine, free), insert(mine, free + 1)]);
    const [refused, ...more] = both.filter((one) => one.status === 'rejected');
    t.deepEqual(more, []);
    t.deepEqual(asAppError(refused?.reason), limitReached(name));
    await t.notThrowsAsync(insert(other, 1));
  });
}

interface Change {
  /** Inserts two rows that do not count. Returns their ids. */
  idle: (of: Owners) => Promise<readonly number[]>;
  /** SQL after which row `id` counts. */
  change: (id: number, of: Owners) => string;
}

const idsOf = async (text: string): Promise<number[]> => (await fixtures.sql(text)).map(({ id }) => Number(id));
const newSeries = (of: Owners, n: number) =>
  `with made as (
     insert into items (account_id, workspace_id, type, title, status, status_key)
     select ${of.accountId}, ${of.workspaceId}, 'task', 'S', 'planned', 'planned' from generate_series(1, ${n}) returning id, account_id, workspace_id
   )
   insert into recurrences (account_id, workspace_id, item_id, user_id, rule, starts_on, last_on, next_on, mode, state)
   select account_id, workspace_id, id, ${of.userId}, 'FREQ=DAILY', '2026-01-01', '2026-01-01', '2026-01-02', 'closed', 'active' from made`;
const two = (name: LimitName, of: Owners) => `insert into ${insertions[name]?.(of)} from generate_series(1, 2) n`;

const changes: [LimitName, string, Change][] = [
  [
    'entries',
    'corrected to another day',
    {
      idle: (of) => idsOf(`${two('entries', of).replace('2026-03-02', '2026-03-03')} returning id`),
      change: (id) => `update time_entries set day = '2026-03-02' where id = ${id}`,
    },
  ],
  [
    'blocks',
    'planned again',
    {
      async idle(of) {
        const ids = await idsOf(`${two('blocks', of)} returning id`);
        return idsOf(`update plan_blocks set state = 'cancelled' where id in (${ids}) returning id`);
      },
      change: (id) => `update plan_blocks set state = 'scheduled' where id = ${id}`,
    },
  ],
  [
    'blocks',
    'moved from the past',
    {
      idle: (of) =>
        idsOf(
          `${two('blocks', of).replace('2090-01-01T10:00Z', '2026-01-01T10:00Z').replace('2090-01-01T11:00Z', '2026-01-01T11:00Z')} returning id`,
        ),
      change: (id) => `update plan_blocks set starts_at = '2090-01-01T10:00Z', ends_at = '2090-01-01T11:00Z' where id = ${id}`,
    },
  ],
  [
    'files',
    'restored',
    {
      async idle(of) {
        const ids = await idsOf(`${two('files', of)} returning id`);
        return idsOf(`update item_files set removed_at = now() where id in (${ids}) returning id`);
      },
      change: (id) => `update item_files set removed_at = null where id = ${id}`,
    },
  ],
  [
    'series',
    'moved from another workspace',
    {
      idle: async (of) => idsOf(`${newSeries({ ...of, workspaceId: await fixtures.workspace(of.accountId) }, 2)} returning item_id as id`),
      change: (id, { workspaceId }) =>
        `with along as (update item_texts set workspace_id = ${workspaceId} where item_id = ${id}) update items set workspace_id = ${workspaceId} where id = ${id}`,
    },
  ],
];

for (const [name, title, { idle, change }] of changes) {
  test(`${name}: of two at the limit that are ${title} one is refused; other changes are not`, async (t) => {
    const of = await owners();
    const ids = await idle(of);
    const most = limits[name].most - 1;
    await fill(name === 'series' ? newSeries(of, most) : `insert into ${insertions[name]?.(of)} from generate_series(1, ${most}) n`);
    const both = await Promise.allSettled(ids.map((id) => fixtures.sql(change(id, of))));
    const [refused, ...more] = both.filter((one) => one.status === 'rejected');
    t.deepEqual(more, []);
    t.deepEqual(asAppError(refused?.reason), limitReached(name));
    const taken = ids[both.findIndex(({ status }) => status === 'fulfilled')];
    await t.notThrowsAsync(fixtures.sql(change(Number(taken), of)));
  });
}

test('what is above a limit stays and can be changed', async (t) => {
  const of = await owners();
  await fill(`insert into ${insertions.statuses!(of)} from generate_series(1, ${limits.statuses.most}) n`);
  await t.notThrowsAsync(fixtures.sql(`update statuses set label = label || '!' where workspace_id = $1`, [of.workspaceId]));
  await t.throwsAsync(fixtures.sql(`insert into ${insertions.statuses!(of)} from generate_series(99, 99) n`));
});
