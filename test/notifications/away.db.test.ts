/** Notifications that an assignee is away on the due date (behaviour §38.8). */
import { addAbsence, changeAbsence, removeAbsence } from '../../src/accounts/workingTimes.ts';
import { connectDb, type Db } from '../../src/database/db.ts';
import { tellAbsence } from '../../src/notifications/away.ts';
import { notificationsFollower } from '../../src/notifications/follower.ts';
import { outputOf } from '../../src/operations/json.ts';
import { perform } from '../../src/operations/perform.ts';
import { inbox } from '../../src/overviews/inbox.ts';
import { addDays } from '../../src/values/dates.ts';
import { fileDatabase } from '../support/database.ts';
import { caughtUp } from '../support/following.ts';
import { type RestWorld, restWorld } from '../support/restWorld.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let world: RestWorld;
let db: Db;
test.before('a world', async () => {
  [world, db] = await Promise.all([restWorld(database.url), connectDb(database.url, 2)]);
});
test.after('stop', async () => {
  await world?.end();
  await db?.close();
});

const today = new Date().toISOString().slice(0, 10);
const [first, last] = [addDays(today, 10), addDays(today, 20)];
const away = async (userId: number) =>
  outputOf(
    await perform(db, { kind: 'user', userId }, addAbsence, {
      userId,
      from: first,
      to: last,
      half: false,
      reason: 'Surgery',
      shared: false,
    }),
  );
async function notifiedItems(userId: number): Promise<number[]> {
  await caughtUp(db, notificationsFollower);
  const rows = await world.fixtures.sql(`select item_id from notifications where kind = 'away' and user_id = $1 order by item_id`, [
    userId,
  ]);
  return rows.map(({ item_id: id }) => Number(id));
}

test('notifies creators, owners and watchers once of open items that are due in the absence, without its reason', async (t) => {
  const [absent, owner, watcher, blind] = await Promise.all([
    world.join('member'),
    world.join('member'),
    world.join('member'),
    world.join('member', { tasks: 'none' }),
  ]);
  const inside = await world.make('task', { assigneeId: absent.userId, dueDate: last }, { ownerId: owner.userId });
  await world.make('task', { assigneeId: absent.userId, dueDate: addDays(last, 1) });
  await world.make('task', { assigneeId: absent.userId, dueDate: first }, { status: 'done' });
  for (const { userId } of [watcher, blind])
    await world.fixtures.sql(
      `insert into item_watches (account_id, workspace_id, item_id, user_id, watching) select account_id, workspace_id, id, $2, true from items where id = $1`,
      [inside.id, userId],
    );
  await notifiedItems(world.ownerId);
  const { id } = await away(absent.userId);
  const [job] = await world.fixtures.sql(`select count(*)::int as n from graphile_worker.jobs where task_identifier = 'tell_absence'`, []);
  t.is(job!.n, 1);
  await tellAbsence(db, id);
  await tellAbsence(db, id);
  for (const { userId } of [{ userId: world.ownerId }, owner, watcher]) t.deepEqual(await notifiedItems(userId), [inside.id]);
  for (const { userId } of [absent, blind]) t.deepEqual(await notifiedItems(userId), []);

  const later = await world.make('task', { assigneeId: absent.userId, dueDate: first });
  t.deepEqual(await notifiedItems(world.ownerId), [inside.id, later.id], 'an item that was assigned later');
  const shown = JSON.stringify(
    await perform(db, { kind: 'user', userId: world.ownerId }, inbox, { unreadOnly: false, before: null, limit: 20 }),
  );
  t.true(shown.includes(last));
  t.false(shown.includes('Surgery'));

  await perform(db, { kind: 'user', userId: absent.userId }, removeAbsence, { userId: absent.userId, id });
  t.deepEqual(await notifiedItems(world.ownerId), [], 'it ends with the absence');
  await tellAbsence(db, id);
});

test('a changed absence sends notifications of items that are now due in it; half days and switched off kinds send none', async (t) => {
  const [absent, quiet] = await Promise.all([world.join('member'), world.join('member')]);
  await world.fixtures.sql(
    `insert into notification_choices (account_id, user_id, kind, choice) select account_id, id, 'away', 'off' from users where id = $1`,
    [quiet.userId],
  );
  const task = await world.make('task', { assigneeId: absent.userId, dueDate: addDays(last, 5) }, { ownerId: quiet.userId });
  const { id } = await away(absent.userId);
  await tellAbsence(db, id);
  t.deepEqual(await notifiedItems(world.ownerId), []);
  const change = (more: object) =>
    perform(db, { kind: 'user', userId: absent.userId }, changeAbsence, {
      userId: absent.userId,
      id,
      from: first,
      to: addDays(last, 9),
      half: false,
      ...more,
    });
  await change({ half: true });
  await tellAbsence(db, id);
  t.deepEqual(await notifiedItems(world.ownerId), []);
  await change({});
  await tellAbsence(db, id);
  t.deepEqual(await notifiedItems(world.ownerId), [task.id]);
  t.deepEqual(await notifiedItems(quiet.userId), []);
});

test('an absence sends 200 notifications, for the items due first, and all absences of a person 200 an hour, however often they change', async (t) => {
  const [absent, owner] = await Promise.all([world.join('member'), world.join('member')]);
  const caller = { kind: 'user', userId: absent.userId } as const;
  const sample = await world.make('task', {}, { ownerId: owner.userId });
  await world.fixtures.sql(
    `insert into items (account_id, workspace_id, type, title, description, status, status_key, priority_key, owner_id, assignee_id, due_date)
      select account_id, workspace_id, type, title, '', status, status_key, priority_key, owner_id, $2, $3::date + n % 5
      from items, generate_series(0, 249) n where id = $1`,
    [sample.id, absent.userId, first],
  );
  const told = async () =>
    (
      await world.fixtures.sql(
        `select i.due = $2 as last, count(*)::int as n from notifications n join items i on i.id = n.item_id
          where n.kind = 'away' and n.user_id = $1 group by 1 order by 1`,
        [owner.userId, addDays(first, 4)],
      )
    ).map(({ last: isLast, n }) => [isLast, n]);
  const jobs = (id: number) =>
    world.fixtures.sql(
      `select priority, run_at > now() and run_at = date_trunc('hour', run_at) as later from graphile_worker.jobs where key = $1`,
      [`tell_absence:${id}`],
    );

  const { id } = await away(absent.userId);
  await tellAbsence(db, id);
  t.deepEqual(await told(), [[false, 200]], 'not those due on the fifth day');
  for (const reason of ['Surgery', 'Holiday'])
    await perform(db, caller, changeAbsence, { userId: absent.userId, id, from: first, to: last, half: false, reason });
  t.deepEqual(await jobs(id), [{ priority: 10, later: false }], 'one job, after those with an exact due time');
  await tellAbsence(db, id);
  t.deepEqual(await told(), [[false, 200]]);

  await perform(db, caller, removeAbsence, { userId: absent.userId, id });
  const { id: again } = await away(absent.userId);
  await tellAbsence(db, again);
  t.deepEqual(await told(), []);
  t.deepEqual(await jobs(again), [{ priority: 10, later: true }], 'they wait for the next hour');
  await world.fixtures.sql(`update rate_windows set count = 170 where key = $1`, [`absences:${absent.userId}`]);
  await tellAbsence(db, again);
  t.deepEqual(await told(), [[false, 30]], 'what is left of the hour');
  await world.fixtures.sql(`delete from rate_windows where key like 'absences:%'`);
  await tellAbsence(db, again);
  t.deepEqual(await told(), [[false, 200]], 'the rest, up to 200');
});

test('changes of items that are due in an absence send at most 200 notifications, too, and count in the hour', async (t) => {
  const [absent, owner] = await Promise.all([world.join('member'), world.join('member')]);
  await away(absent.userId);
  const sample = await world.make('task', {}, { ownerId: owner.userId });
  await world.fixtures.sql(
    `with made as (
       insert into items (account_id, workspace_id, type, title, description, status, status_key, priority_key, owner_id, assignee_id, due_date)
       select account_id, workspace_id, type, title, '', status, status_key, priority_key, owner_id, $2, $3::date
       from items, generate_series(1, 250) where id = $1 returning *)
     insert into changes (account_id, workspace_id, item_id, actor_id, via, kind, version)
     select account_id, workspace_id, id, $4, 'page', 'item.created', 1 from made`,
    [sample.id, absent.userId, first, world.ownerId],
  );
  await caughtUp(db, notificationsFollower);
  const [told] = await world.fixtures.sql(
    `select (select count(*)::int from notifications where kind = 'away' and absence_id in (select id from absences where user_id = $1)) as told,
       (select count from rate_windows where key = 'absences:' || $1) as "ofHour"`,
    [absent.userId],
  );
  t.deepEqual(told, { told: 200, ofHour: 200 });
});
