/** The scheduled jobs: the day's first snapshots, and the points of a Monday. */
import { enqueueDueTicks } from '../../workers/schedule.ts';
import { lanes } from '../../workers/tasks.ts';
import { suite } from '../support/suite.ts';
import { contextOf, runDueJobs } from '../support/tasks.ts';
import { timeWorld } from '../support/timeWorld.ts';

const test = suite(import.meta.url);

const world = timeWorld();

const queued = async (task: string): Promise<number[]> => {
  const rows = await world.rows(
    `select coalesce(p.payload->>'forecastId', p.payload->>'workspaceId')::bigint as id
     from graphile_worker.jobs j join graphile_worker._private_jobs p on p.id = j.id where j.task_identifier = $1 order by 1`,
    [task],
  );
  return rows.map(({ id }) => id);
};

/** Forecasts that were last read so long ago. */
const forecast = (accountId: number, ids: number[], { week = 'now()', read = '-infinity', shared = false } = {}): Promise<number> =>
  world.value(
    `insert into capacity_forecasts (account_id, scope_key, workspace_id, workspace_ids, week, read_at)
     values ($1, $2, $3, $4, date_trunc('week', ${week})::date, ${read === '-infinity' ? `'-infinity'` : `now() - interval '${read}'`}) returning id`,
    [accountId, shared ? `0:${ids}` : String(ids[0]), shared ? 0 : ids[0], ids],
  );

const daily = async () => {
  const context = contextOf(world);
  await lanes.prompt.daily_snapshots({ due: new Date().toISOString() }, context);
};
const weekly = async (due: string) => {
  const context = contextOf(world);
  await lanes.prompt.weekly_trend_points({ due }, context);
};

test('the day begins with a snapshot of every workspace that is not archived, of the account, and of forecasts read the day before', async (t) => {
  const { accountId, workspaceId, workspace } = await world.team();
  const [known, archived] = [await workspace(), await workspace()];
  await world.rows('update workspaces set archived_at = now() where id = $1', [archived]);
  const wanted = [
    await forecast(accountId, [known]),
    await forecast(accountId, [known], { week: `now() + interval '30 days'`, read: '23 hours' }),
    await forecast(accountId, [workspaceId, known], { shared: true, read: '23 hours' }),
  ];
  await forecast(accountId, [known], { week: `now() + interval '60 days'`, read: '25 hours' });
  await forecast(accountId, [workspaceId], { week: `now() + interval '60 days'`, read: '25 hours' });
  await forecast(accountId, [known, workspaceId], { shared: true, read: '25 hours' });
  await daily();
  const rows = await world.rows(
    `select id from capacity_forecasts where week <= current_date and scope_key in ($1::bigint::text, account_scope_key(
       array(select id from workspaces where account_id = $2 and archived_at is null order by id)))`,
    [workspaceId, accountId],
  );
  const made = rows.map(({ id }) => id);
  t.is(made.length, 2, 'of the workspace, and of the account for pages');
  t.deepEqual(
    await queued('snapshot_forecast'),
    [...wanted, ...made].sort((a, b) => a - b),
  );
  t.is(await world.value('select count(*)::int from capacity_forecasts where scope_key = $1', [archived]), 0);
  await daily();
  t.is((await queued('snapshot_forecast')).length, 5);
  await runDueJobs(world);
  const there = await world.rows('select forecast_id as id from capacity_snapshots where day = current_date order by 1');
  t.deepEqual(
    there.map(({ id }) => id),
    [...wanted, ...made].sort((a, b) => a - b),
  );
});

test('a Monday is stored as a point of each current project, on its first run', async (t) => {
  const { accountId, workspaceId, itemId } = await world.team();
  const [{ monday, before }] = await world.rows(
    `select date_trunc('week', now())::date::text as monday, (date_trunc('week', now()) - interval '1 minute')::text as before`,
  );
  const release = (title: string, createdAt: string) =>
    world.value(
      `insert into items (account_id, workspace_id, type, title, status, status_key, created_at)
       values ($1, $2, 'release', $3, 'planned', 'planned', $4) returning id`,
      [accountId, workspaceId, title, createdAt],
    );
  const there = await release('There', before);
  await release('Made later', '2999-01-01');
  await world.rows('update items set release_id = $2, estimated_hours = 8, progress_percent = 25 where id = $1', [itemId, there]);
  const due = `${monday}T00:00:00.000Z`;
  await weekly(due);
  await runDueJobs(world);
  const points = () =>
    world.rows(
      `select project_id as project, day, scope_hours as scope, remaining_hours as remaining, weighted_progress as progress
       from trend_points where workspace_id = $1`,
      [workspaceId],
    );
  const first = [{ project: there, day: monday, scope: 8, remaining: 6, progress: 25 }];
  t.deepEqual(await points(), first);
  await world.rows('update items set estimated_hours = 80 where id = $1', [itemId]);
  await weekly(due);
  await runDueJobs(world);
  t.deepEqual(await points(), first);
});

test('workspaces are enqueued in pages, all except archived ones', async (t) => {
  await world.team();
  await world.rows(`insert into accounts (name) select 'Many ' || n from generate_series(1, 3) n`);
  await world.rows(
    `insert into workspaces (account_id, name, archived_at) select id, 'W' || n, case when n % 2 = 0 then now() end
     from accounts, generate_series(1, 400) n where name like 'Many %'`,
  );
  const ids = (await world.rows('select id from workspaces where archived_at is null order by id')).map(({ id }) => id);
  t.true(ids.length > 550);
  await weekly('2026-03-02T00:00:00.000Z');
  t.deepEqual(await queued('trend_workspace'), ids);
  await daily();
  t.true((await queued('snapshot_forecast')).length >= ids.length);
  await world.rows('delete from graphile_worker._private_jobs');
});

test('of missed ticks only the latest runs, once', async (t) => {
  await world.rows(`insert into schedule_ticks (task, due) values ('prune', date_trunc('hour', now()) - interval '5 hours')`);
  for (let look = 0; look < 3; look++) await Promise.all([1, 2, 3].map(() => enqueueDueTicks(world.db.pool())));
  const ticks = await world.rows(
    `select task, due from schedule_ticks where due > now() - interval '8 days'
     and (task, due) <> ('prune', date_trunc('hour', now()) - interval '5 hours') order by task`,
  );
  t.deepEqual(
    ticks.map(({ task }) => task),
    ['begin_days', 'daily_snapshots', 'due_recurrences', 'erase', 'prune', 'renew_holidays', 'weekly_trend_points'],
  );
  const jobs = await world.rows(
    `select j.task_identifier as task, p.payload->>'due' as due, j.run_at from graphile_worker.jobs j join graphile_worker._private_jobs p on p.id = j.id
     where j.task_identifier in ('begin_days', 'daily_snapshots', 'due_recurrences', 'erase', 'prune', 'renew_holidays', 'weekly_trend_points') order by 1`,
  );
  t.deepEqual(
    jobs.map(({ task, due, run_at }) => ({ task, due: new Date(due), run_at })),
    ticks.map(({ task, due }) => ({ task, due, run_at: due })),
  );
});
