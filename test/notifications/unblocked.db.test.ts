/** Notifications of items whose last blocker is closed (behaviour §33.13). */
import { connectDb, type Db } from '../../src/database/db.ts';
import { notificationsFollower } from '../../src/notifications/follower.ts';
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

const block = async (id: number, blockers: number[]) =>
  world.owner.post('/relations/save', {
    ...{ id, version: (await world.read(id)).version },
    blockedBy: blockers.map((one) => ({ id: one })),
  });
const setStatus = async (id: number, status: string) => {
  const { ownerId: _owner, ...item } = await world.read(id);
  return world.owner.save({ ...item, status, fields: {} });
};
async function toldTo(userId: number): Promise<number[]> {
  await caughtUp(db, notificationsFollower);
  const rows = await world.fixtures.sql(`select item_id from notifications where kind = 'unblocked' and user_id = $1 order by id`, [
    userId,
  ]);
  return rows.map(({ item_id: id }) => Number(id));
}

test('notifies owner and assignee once when the last open blocker is closed, with one mail for all freed items', async (t) => {
  const [assignee, accountable] = await Promise.all([world.join('member'), world.join('member')]);
  const [a, b] = [await world.make('task'), await world.make('task')];
  const first = await world.make('task', { assigneeId: assignee.userId }, { ownerId: accountable.userId });
  const second = await world.make('task', { assigneeId: assignee.userId });
  await block(first.id, [a.id, b.id]);
  await block(second.id, [b.id]);
  await setStatus(a.id, 'done');
  t.deepEqual(await toldTo(assignee.userId), []);
  await setStatus(b.id, 'cancelled');
  t.deepEqual(await toldTo(assignee.userId), [first.id, second.id]);
  t.deepEqual(await toldTo(accountable.userId), [first.id]);
  const mails = await world.fixtures.sql(
    `select count(*)::int as n from graphile_worker.jobs j join graphile_worker._private_jobs p using (id)
     where j.task_identifier = 'mail_notification' and p.payload -> 'about' ->> 'user' = $1
       and exists (select from notifications n where n.id = (p.payload ->> 'notificationId')::bigint and n.kind = 'unblocked')`,
    [String(assignee.userId)],
  );
  t.is(mails[0].n, 1);
  await setStatus(b.id, 'planned');
  await setStatus(b.id, 'done');
  t.deepEqual(await toldTo(assignee.userId), [first.id, second.id], 'once a day');
});

test('sends no notification for own changes, closed items, or blockers that the user cannot see', async (t) => {
  const viewer = await world.join('member', { goals: 'none' });
  const goal = await world.make('goal');
  const own = await world.make('task', { assigneeId: world.ownerId });
  const hidden = await world.make('task', { assigneeId: viewer.userId });
  const closed = await world.make('task', { assigneeId: viewer.userId });
  const task = await world.make('task');
  await block(own.id, [goal.id]);
  await block(hidden.id, [goal.id]);
  await block(closed.id, [task.id]);
  await setStatus(closed.id, 'done');
  await setStatus(goal.id, 'done');
  await setStatus(task.id, 'done');
  t.deepEqual(await toldTo(world.ownerId), []);
  t.deepEqual(await toldTo(viewer.userId), []);
});
