/** Notifications of outlooks by the daily renewal, and the Monday summary (behaviour §10.30, §10.31). */

import { z } from 'zod';
import { connectDb, type Db } from '../../src/database/db.ts';
import { sql } from '../../src/database/sql.ts';
import { makeLogger } from '../../src/log.ts';
import { chooseNotifications } from '../../src/notifications/choose.ts';
import { claimDigest } from '../../src/notifications/dayQueries.ts';
import { beginDays, digestMail } from '../../src/notifications/mailDigest.ts';
import { readOutlookRoom, tellOfOutlooks } from '../../src/notifications/outlookQueries.ts';
import { tellOutlooks } from '../../src/notifications/outlooks.ts';
import { sentenceOf } from '../../src/notifications/schema.ts';
import { outputOf } from '../../src/operations/json.ts';
import { perform } from '../../src/operations/perform.ts';
import { inbox } from '../../src/overviews/inbox.ts';
import { visibleUnread } from '../../src/overviews/signedIn.ts';
import { lanes } from '../../workers/tasks.ts';
import { suite } from '../support/suite.ts';
import { contextOf, runDueJobs } from '../support/tasks.ts';
import { type Team, timeWorld } from '../support/timeWorld.ts';
import { TEST_SECRET } from '../support/world.ts';

const test = suite(import.meta.url);

const log = makeLogger('silent', 'worker');
const world = timeWorld();
const FORECAST = '2030-03-10';
const TARGET = '2030-03-11';
const { signal } = new AbortController();

interface Place extends Team {
  release: number;
  snapshotId: number;
}

/** A person, a colleague, and a release of the person with a forecast. */
async function place(): Promise<Place> {
  const team = await world.team();
  const release = await own(team, 'Out');
  const snapshotId: number = await world.value(
    `with f as (insert into capacity_forecasts (account_id, scope_key, workspace_id, workspace_ids, week)
       values ($1, $2::bigint::text, $2, array[$2::bigint], date_trunc('week', current_date)) returning id)
     insert into capacity_snapshots (account_id, forecast_id, day) select $1, id, current_date from f returning id`,
    [team.accountId, team.workspaceId],
  );
  return { ...team, release, snapshotId };
}
const own = ({ accountId, workspaceId, userId }: Team, title: string, type = 'release'): Promise<number> =>
  world.value(
    `insert into items (account_id, workspace_id, type, title, status, status_key, owner_id, target_date)
     values ($1, $2, $3, $4, 'planned', 'planned', $5, $6) returning id`,
    [accountId, workspaceId, type, title, userId, TARGET],
  );
/** The forecast of the day. */
const stands = ({ accountId, snapshotId }: Place, id: number, outlook: string, forecast: string | null = FORECAST) =>
  world.rows(
    `insert into capacity_projects (account_id, snapshot_id, project_id, outlook, forecast_date) values ($1, $2, $3, $4, $5)
     on conflict (snapshot_id, project_id) do update set outlook = excluded.outlook, forecast_date = excluded.forecast_date`,
    [accountId, snapshotId, id, outlook, forecast],
  );
const watch = ({ accountId, workspaceId }: Team, itemId: number, userId: number, watching = true) =>
  world.rows('insert into item_watches (account_id, workspace_id, item_id, user_id, watching) values ($1, $2, $3, $4, $5)', [
    ...[accountId, workspaceId, itemId],
    ...[userId, watching],
  ]);
const renew = ({ workspaceId }: Team) => tellOutlooks(world.db, workspaceId, { renewed: async () => true, signal });
const nextDay = ({ workspaceId }: Team) =>
  world
    .rows('update project_outlooks set told_on = told_on - 1 where workspace_id = $1', [workspaceId])
    .then(() => world.rows(`update notifications set due_on = due_on - 1 where workspace_id = $1 and kind = 'outlook'`, [workspaceId]));
async function told(userId: number) {
  const { notifications } = outputOf(
    await perform(world.db, { kind: 'user', userId }, inbox, { unreadOnly: true, before: null, limit: 100 }),
  );
  return notifications.map((row) => ({ ...row, text: sentenceOf(row) }));
}
const texts = async (userId: number) => (await told(userId)).map(({ text }) => text);
const unread = (userId: number) =>
  world.db.pool().oneFirst(sql.type(z.object({ unread: z.number() }))`
    select told.unread from users u cross join lateral ${visibleUnread} told where u.id = ${userId}`);
const stored = (userId: number): Promise<number> =>
  world.value(`select count(*)::int from notifications where user_id = $1 and kind like 'outlook%'`, [userId]);
const join = async ({ accountId, workspaceId }: Team, role = 'viewer', overrides = {}): Promise<number> => {
  const id = await world.value(
    `insert into users (account_id, email, name) values ($1, gen_random_uuid() || '@acme.example', 'Cy') returning id`,
    [accountId],
  );
  await world.rows('insert into memberships (account_id, workspace_id, user_id, role, overrides) values ($1, $2, $3, $4, $5)', [
    ...[accountId, workspaceId, id],
    ...[role, overrides],
  ]);
  return id;
};
const dates = `forecast ${FORECAST}, target ${TARGET}`;

test('notifies owner and watchers once when a project becomes at risk or overcommitted, and when it recovers', async (t) => {
  const at = await place();
  await watch(at, at.release, at.colleagueId);
  await stands(at, at.release, 'within_capacity');
  await renew(at);
  t.deepEqual(await texts(at.userId), []);
  const seen: string[] = [];
  for (const [outlook, words] of [
    ['at_risk', 'at risk'],
    ['overcommitted', 'overcommitted'],
    ['needs_data', null],
    ['overcommitted', null],
    ['needs_target', null],
    ['within_capacity', 'on track again'],
  ] as const) {
    await stands(at, at.release, outlook);
    await Promise.all([renew(at), renew(at)]);
    await renew(at);
    if (words) seen.unshift(`“Out” is ${words}, ${dates}.`);
    t.deepEqual(await texts(at.userId), seen, outlook);
    t.deepEqual(await texts(at.colleagueId), seen, outlook);
    await nextDay(at);
  }
  t.deepEqual([await unread(at.userId), await unread(at.colleagueId)], [3, 3]);
});

test('a project sends at most one notification a day; the next renewal sends later changes', async (t) => {
  const at = await place();
  await stands(at, at.release, 'at_risk');
  await renew(at);
  for (const outlook of ['within_capacity', 'overcommitted']) {
    await stands(at, at.release, outlook);
    await renew(at);
  }
  t.deepEqual(await texts(at.userId), [`“Out” is at risk, ${dates}.`]);
  await nextDay(at);
  await renew(at);
  t.is((await texts(at.userId))[0], `“Out” is overcommitted, ${dates}.`);
});

test('nothing is lost if the worker dies before the commit', async (t) => {
  const at = await place();
  await stands(at, at.release, 'at_risk');
  await t.throwsAsync(
    world.db.transaction(async (tx) => {
      await readOutlookRoom(tx, at.workspaceId);
      await tellOfOutlooks(tx, { workspaceId: at.workspaceId, snapshotId: at.snapshotId, after: 0, limit: 10, left: 10 });
      throw new Error('killed');
    }),
  );
  t.deepEqual(await texts(at.userId), []);
  await renew(at);
  t.is((await texts(at.userId)).length, 1);
});

test('notifies only people who see the project and its forecast, checked when it happens and when they read', async (t) => {
  const at = await place();
  const [viewer, blind, former, muted, off, unwatching] = [
    await join(at),
    await join(at, 'member', { releases: 'none' }),
    await join(at, 'member'),
    await join(at, 'member'),
    await join(at, 'member'),
    await join(at, 'owner'),
  ];
  const everyone = [viewer, blind, former, muted, off];
  for (const id of everyone) await watch(at, at.release, id);
  await world.rows('update items set owner_id = $2 where id = $1', [at.release, unwatching]);
  await watch(at, at.release, unwatching, false);
  await world.rows('delete from memberships where user_id = $1', [former]);
  await world.rows(`update memberships set notices = 'off' where user_id = $1`, [muted]);
  await perform(world.db, { kind: 'user', userId: off }, chooseNotifications, { choices: { outlook: 'off' } });
  await stands(at, at.release, 'at_risk');
  await renew(at);
  for (const [name, id] of Object.entries({ blind, former, muted, off, unwatching })) t.is(await stored(id), 0, name);
  t.is((await texts(viewer)).length, 1);

  await world.rows(`update workspaces set forecasts = 'oversight' where id = $1`, [at.workspaceId]);
  t.deepEqual([await texts(viewer), await unread(viewer)], [[], 0], 'no longer to be seen');
  await nextDay(at);
  await stands(at, at.release, 'overcommitted');
  const overseer = await join(at, 'manager');
  await watch(at, at.release, overseer);
  await renew(at);
  t.deepEqual([await stored(viewer), await stored(overseer)], [1, 1]);
  t.deepEqual([(await texts(overseer)).length, await unread(overseer)], [1, 1]);
  await world.rows('update items set archived_at = now() where id = $1', [at.release]);
  t.deepEqual([await texts(overseer), await unread(overseer)], [[], 0]);
});

test('an account gets a limited number in an hour; the rest come in the next one', async (t) => {
  const at = await place();
  const second = await own(at, 'Second', 'milestone');
  for (const id of [at.release, second]) {
    await watch(at, id, at.colleagueId);
    await stands(at, id, 'at_risk');
  }
  await world.rows(`insert into rate_windows (key, window_start, count) values ($1, date_trunc('hour', now()), 997)`, [
    `outlooks:${at.accountId}`,
  ]);
  await renew(at);
  t.deepEqual(await texts(at.userId), [`“Out” is at risk, ${dates}.`], 'the two of the second project would be too many');
  const [job] = await world.rows(`select run_at > now() as later from graphile_worker.jobs where key = $1`, [
    `tell_outlooks:${at.workspaceId}`,
  ]);
  t.true(job.later);
  await world.rows(`delete from rate_windows where key like 'outlooks:%'`);
  await renew(at);
  t.deepEqual(await texts(at.userId), [`“Second” is at risk, ${dates}.`, `“Out” is at risk, ${dates}.`]);
  t.is((await texts(at.colleagueId)).length, 2);
});

test('the daily renewal computes the forecast, then tells', async (t) => {
  const team = await world.team();
  const release = await own(team, 'Real');
  const task = await team.item('Much');
  await world.rows(`update items set release_id = $2, estimated_hours = 9, assignee_id = $3 where id = $1`, [task, release, team.userId]);
  await world.rows('update items set target_date = current_date - 30 where id = $1', [release]);
  await lanes.prompt.daily_snapshots({ due: new Date().toISOString() }, contextOf(world));
  await runDueJobs(world);
  t.regex((await texts(team.userId)).join(), /^“Real” is overcommitted, forecast /);
  await lanes.prompt.daily_snapshots({ due: new Date().toISOString() }, contextOf(world));
  await runDueJobs(world);
  t.is((await texts(team.userId)).length, 1);
});

test('notifications name the forecast of pages: over all work of people in the account', async (t) => {
  const team = await world.team();
  const release = await own(team, 'Ferry');
  const other = await team.workspace();
  await world.rows('update items set target_date = current_date + 21 where id = $1', [release]);
  const [part, first] = [await team.item('Part'), await team.item('First', other)];
  await world.rows('update items set estimated_hours = 8, assignee_id = $2, release_id = $3 where id = $1', [part, team.userId, release]);
  await world.rows('update items set estimated_hours = 400, assignee_id = $2, due_date = current_date where id = $1', [first, team.userId]);
  await lanes.prompt.daily_snapshots({ due: new Date().toISOString() }, contextOf(world));
  await runDueJobs(world);
  const [date] = await world.rows(
    `select p.forecast_date::text as all, o.forecast_date::text as told from capacity_projects p join project_outlooks o on o.item_id = p.project_id
     join capacity_snapshots s on s.id = p.snapshot_id join capacity_forecasts f on f.id = s.forecast_id
     where p.project_id = $1 and f.workspace_id = 0`,
    [release],
  );
  t.is(date.told, date.all);
  t.regex((await texts(team.userId)).join(), new RegExp(`^“Ferry” is overcommitted, forecast ${date.all},`));
});

/** A database connection whose now() is noon of a Monday, so many weeks from now. */
async function onMonday(weeks: number): Promise<Db> {
  const schema = `monday${weeks}`;
  await world.rows(`create schema if not exists ${schema}`);
  await world.rows(
    `create or replace function ${schema}.now() returns timestamptz language sql stable
     return date_trunc('week', pg_catalog.now() at time zone 'UTC') at time zone 'UTC' + interval '${7 * weeks} days 12 hours'`,
  );
  return connectDb(
    `${world.url}${world.url.includes('?') ? '&' : '?'}options=${encodeURIComponent(`-c timezone=UTC -c search_path=${schema},public,pg_catalog`)}`,
    2,
  );
}

test('on Mondays owners get one summary, the worst first, with what changed in a week and without what they no longer see', async (t) => {
  const at = await place();
  const [good, other, closed] = [await own(at, 'Good', 'milestone'), await own(at, 'Other'), await own(at, 'Closed')];
  await world.rows('update items set owner_id = $2 where id = $1', [other, at.colleagueId]);
  for (const id of [other, closed, good]) await stands(at, id, 'within_capacity');
  await stands(at, at.release, 'at_risk');
  await renew(at);
  await world.rows(`update items set status = 'done', status_key = 'done' where id = $1`, [closed]);
  const [first, second] = [await onMonday(1), await onMonday(2)];
  try {
    await Promise.all([beginDays(first, log, signal), beginDays(first, log, signal)]);
    await stands(at, at.release, 'overcommitted', '2030-03-15');
    await renew(at);
    await beginDays(second, log, signal);
    const weekly = async (userId: number) => (await told(userId)).filter(({ kind }) => kind === 'outlook_week');
    const [newest, oldest, ...more] = await weekly(at.userId);
    t.deepEqual(more, []);
    t.is(oldest!.text, 'Your open releases and milestones: 1 at risk, 1 on track.');
    t.deepEqual(
      oldest!.summary!.map(({ item_title: title, before }) => [title, before]),
      [
        ['Out', null],
        ['Good', null],
      ],
    );
    const before = { outlook: 'at_risk', forecastDate: FORECAST };
    t.like(newest!.summary![0], { item_id: at.release, outlook: 'overcommitted', forecastDate: '2030-03-15', targetDate: TARGET, before });
    t.is((await weekly(at.colleagueId)).length, 2);

    const day = await world.value('select day::text from notification_days where user_id = $1', [at.userId]);
    const claimed = await world.db.transaction((tx) => claimDigest(tx, at.userId, day));
    const settings = { mail: { smtpUrl: undefined, from: 'Stint' }, baseUrl: 'http://localhost:3000', secretKey: TEST_SECRET };
    const { text } = digestMail(settings, { ...claimed!, userId: at.userId, day });
    t.regex(text, /“Out”: overcommitted, forecast Fri 15 Mar 2030, target Mon 11 Mar 2030; a week ago at risk, forecast Sun 10 Mar 2030\./);
    t.regex(text, /“Good”: on track, forecast .*; unchanged in a week\./);

    await world.rows(`update workspaces set forecasts = 'oversight' where id = $1`, [at.workspaceId]);
    t.deepEqual(await weekly(at.userId), []);
    t.is(await unread(at.userId), 0);
  } finally {
    await Promise.all([first.close(), second.close()]);
  }
});
