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
