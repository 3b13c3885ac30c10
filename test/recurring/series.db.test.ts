/** Series of recurring tasks (behaviour §37.9–§37.14). */
import type { Caller } from '../../src/access/caller.ts';
import { showItem } from '../../src/overviews/openItem.ts';
import { enqueueDue, makeDue } from '../../src/recurring/makeDue.ts';
import { nextAfter } from '../../src/recurring/ruleDates.ts';
import { setSeries, stopSeries } from '../../src/recurring/setSeries.ts';
import { addDays, todayIn } from '../../src/values/dates.ts';
import { fileDatabase } from '../support/database.ts';
import { type OperationWorld, operationWorld, refusal } from '../support/operationWorld.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let world: OperationWorld['world'];
let db: OperationWorld['db'];
let run: OperationWorld['run'];
let end: OperationWorld['end'] | undefined;
const today = todayIn('UTC', Date.now());

test.before('a workspace', async () => {
  ({ world, db, run, end } = await operationWorld(database.url, 8));
});
test.after('stop', () => end?.());

const repeat = (id: number, rule: string, more: object = {}, caller?: Caller) =>
  run(setSeries, { id, revision: 0, rule, mode: 'day', ...more }, caller);

const seriesOf = async (id: number, caller?: Caller) => (await run(showItem, { id }, caller)).series;
const idOf = async (itemId: number): Promise<number> =>
  Number((await world.fixtures.sql('select recurrence_id as id from recurrence_items where item_id = $1 order by 1 desc', [itemId]))[0].id);
/** Ids and due dates of the tasks of a series, oldest first. */
const tasksOf = async (seriesId: number): Promise<[number, string | null][]> => {
  const rows = await world.fixtures.sql(
    'select i.id::integer, i.due_date::text from recurrence_items o join items i on i.id = o.item_id where o.recurrence_id = $1 order by o.occurs_on',
    [seriesId],
  );
  return rows.map((row) => [row.id, row.due_date]);
};
const make = (recurrenceId: number) => makeDue(db, { recurrenceId });
const close = async (id: number, status = 'done') => {
  const { ownerId: _owner, ...item } = await world.read(id);
  await world.owner.save({ ...item, status, fields: {} });
};
const queued = async (recurrenceId: number) =>
  (
    await world.fixtures.sql(`select count(*)::integer as n from graphile_worker._private_jobs where payload ->> 'recurrenceId' = $1`, [
      String(recurrenceId),
    ])
  )[0].n;

test('the next task is made on its day, once, as a copy of the latest one with its subtasks', async (t) => {
  const mate = await world.join('member');
  const task = await world.make(
    'task',
    { startDate: addDays(today, -2), dueDate: addDays(today, -1), assigneeId: mate.userId, estimatedHours: 2 },
    { title: 'Weekly report', status: 'in_progress' },
  );
  await world.make('task', { parentItemId: task.id, dueDate: addDays(today, -1) }, { title: 'Numbers' });
  await repeat(task.id, 'FREQ=DAILY;INTERVAL=2');
  const id = await idOf(task.id);
  t.like(await seriesOf(task.id), {
    rule: 'FREQ=DAILY;INTERVAL=2',
    lastOn: addDays(today, -2),
    nextOn: today,
    mode: 'day',
    state: 'active',
    latest: task.id,
  });
  await Promise.all([make(id), make(id), make(id)]);
  await make(id);
  const [, next, ...more] = await tasksOf(id);
  t.deepEqual(more, []);
  const made = await world.read(next![0]);
  t.like(made, { title: 'Weekly report', status: 'planned', version: 1 });
  t.like(made.fields, { startDate: today, dueDate: addDays(today, 1), assigneeId: mate.userId, estimatedHours: 2 });
  const below = await world.fixtures.sql('select title, due_date::text from items where parent_item_id = $1', [made.id]);
  t.deepEqual(below, [{ title: 'Numbers', due_date: addDays(today, 1) }]);
  t.like(await seriesOf(task.id), { lastOn: today, nextOn: addDays(today, 2), latest: made.id });
  t.like(await seriesOf(made.id), { latest: made.id, setBy: { name: 'Ana' } });
  const [change] = await world.fixtures.sql('select kind, via, actor_id::integer from changes where item_id = $1', [made.id]);
  t.deepEqual(change, { kind: 'item.created', via: 'job', actor_id: world.ownerId });
});

test('of several missed days only the latest gets a task', async (t) => {
  const task = await world.make('task', { dueDate: addDays(today, -10) });
  await repeat(task.id, 'FREQ=DAILY;INTERVAL=3');
  const id = await idOf(task.id);
  await make(id);
  t.deepEqual(
    (await tasksOf(id)).map(([, due]) => due),
    [addDays(today, -10), addDays(today, -1)],
  );
  t.is((await seriesOf(task.id)).nextOn, addDays(today, 2));
});

test('the schedule enqueues only due series', async (t) => {
  const [due, later, closed] = await Promise.all([-1, 0, -1].map((days) => world.make('task', { dueDate: addDays(today, days) })));
  await repeat(due.id, 'FREQ=DAILY');
  await repeat(later.id, 'FREQ=DAILY');
  await repeat(closed.id, 'FREQ=DAILY', { mode: 'closed' });
  await world.fixtures.sql('delete from graphile_worker._private_jobs where payload ->> $1 is not null', ['recurrenceId']);
  await enqueueDue(db, new AbortController().signal);
  await enqueueDue(db, new AbortController().signal);
  t.deepEqual(await Promise.all([due, later, closed].map(async ({ id }) => queued(await idOf(id)))), [1, 0, 0]);
});

test('a person whose series wait already has a later turn, whether they set a series or close its task', async (t) => {
  const mate = await world.join('member');
  const ids: number[] = [];
  const set = async (caller?: Caller) => {
    const task = await world.make('task', { dueDate: today });
    await repeat(task.id, 'FREQ=DAILY', { mode: 'closed' }, caller);
    ids.push(await idOf(task.id));
    return task.id;
  };
  const clear = () => world.fixtures.sql('delete from graphile_worker._private_jobs where payload ->> $1 is not null', ['recurrenceId']);
  const turns = async () => {
    const rows = await world.fixtures.sql(
      `select (payload ->> 'recurrenceId')::integer as id, priority from graphile_worker._private_jobs where payload ->> 'recurrenceId' is not null`,
      [],
    );
    return ids.map((id) => rows.find((row) => row.id === id)?.priority);
  };
  await clear();
  const tasks = [await set(), await set(), await set(), await set({ kind: 'user', userId: mate.userId })];
  t.deepEqual(await turns(), [1, 2, 3, 1]);
  await clear();
  for (const id of tasks) await close(id);
  t.deepEqual(await turns(), [1, 2, 3, 1]);
});

test('people take turns: the second series of a person waits for the first one of another', async (t) => {
  const mate = await world.join('member');
  const due = async (caller?: Caller) => {
    const task = await world.make('task', { dueDate: addDays(today, -1) });
    await repeat(task.id, 'FREQ=DAILY', {}, caller);
    return idOf(task.id);
  };
  const mine = [await due(), await due(), await due()];
  const theirs = await due({ kind: 'user', userId: mate.userId });
  await world.fixtures.sql('delete from graphile_worker._private_jobs where payload ->> $1 is not null', ['recurrenceId']);
  await world.fixtures.sql('update recurrences set due_at = null where not id = any($1)', [[...mine, theirs]]);
  await enqueueDue(db, new AbortController().signal);
  const order = await world.fixtures.sql(
    `select (payload ->> 'recurrenceId')::integer as id from graphile_worker._private_jobs where payload ->> 'recurrenceId' is not null
     order by priority, run_at, id`,
  );
  const ids = order.map(({ id }) => id);
  t.is(ids.length, 4);
  t.deepEqual(ids.slice(2), mine.slice(1));
});

test('closing a task enqueues the next one in the same commit; reopening and closing it again makes no second one', async (t) => {
  const task = await world.make('task', { dueDate: addDays(today, 3) });
  await repeat(task.id, 'FREQ=WEEKLY', { mode: 'closed' });
  const id = await idOf(task.id);
  await make(id);
  t.is((await tasksOf(id)).length, 1, 'an open task makes none');
  await world.fixtures.sql('delete from graphile_worker._private_jobs where payload ->> $1 = $2', ['recurrenceId', String(id)]);
  await close(task.id);
  t.is(await queued(id), 1);
  await Promise.all([make(id), make(id)]);
  const [, next] = await tasksOf(id);
  t.is(next![1], addDays(today, 10));
  await close(task.id, 'planned');
  await close(task.id, 'done');
  await make(id);
  t.is((await tasksOf(id)).length, 2);
  await close(next![0], 'cancelled');
  await make(id);
  t.deepEqual(
    (await tasksOf(id)).map(([, due]) => due),
    [addDays(today, 3), addDays(today, 10), addDays(today, 17)],
  );
});

test('after an overdue task is closed, the next task gets the first date from today', async (t) => {
  const task = await world.make('task', { dueDate: addDays(today, -15) });
  await repeat(task.id, 'FREQ=WEEKLY', { mode: 'closed' });
  await close(task.id);
  const id = await idOf(task.id);
  await make(id);
  t.is((await tasksOf(id))[1]![1], addDays(today, 6));
});

test('UNTIL and COUNT end the series', async (t) => {
  const counted = await world.make('task', { dueDate: addDays(today, -1) });
  await repeat(counted.id, 'FREQ=DAILY;COUNT=2');
  const id = await idOf(counted.id);
  await make(id);
  t.is((await tasksOf(id)).length, 2);
  t.like(await seriesOf(counted.id), { state: 'ended', reason: 'finished', nextOn: null });
  const late = await world.make('task', { dueDate: addDays(today, -9) });
  await repeat(late.id, `FREQ=DAILY;UNTIL=${addDays(today, -1).replaceAll('-', '')}`, { mode: 'closed' });
  await close(late.id);
  await make(await idOf(late.id));
  t.like(await seriesOf(late.id), { state: 'ended', reason: 'finished' }, 'its last date passed while the task was open');
  const past = await refusal(repeat(counted.id, 'FREQ=DAILY;UNTIL=20200101'));
  t.regex(past.message, /has no date after/);
});

test('a series runs with the current rights of the user who set it; without them it pauses and notifies that user once', async (t) => {
  const mate = await world.join('member');
  const caller: Caller = { kind: 'user', userId: mate.userId };
  const task = await world.make('task', { dueDate: addDays(today, -1) }, { title: 'Secret' });
  await repeat(task.id, 'FREQ=DAILY', {}, caller);
  const id = await idOf(task.id);
  await world.fixtures.sql(`update memberships set role = 'viewer' where user_id = $1`, [mate.userId]);
  await make(id);
  await make(id);
  t.is((await tasksOf(id)).length, 1);
  t.like(await seriesOf(task.id), { state: 'paused', reason: 'access' });
  const notified = await world.fixtures.sql(`select kind, item_id::integer from notifications where user_id = $1`, [mate.userId]);
  t.deepEqual(notified, [{ kind: 'series_paused', item_id: task.id }]);
  const inbox = async () => (await (await world.visitor(mate.userId)).go('/notifications')).text;
  t.regex(await inbox(), /“Secret” does not repeat at the moment/);
  await world.fixtures.sql('delete from memberships where user_id = $1', [mate.userId]);
  const page = await inbox();
  t.regex(page, /A recurring task of yours was paused/);
  t.notRegex(page, /Secret/);
  const { revision } = await seriesOf(task.id);
  await repeat(task.id, 'FREQ=DAILY', { revision });
  await make(id);
  t.is((await tasksOf(id)).length, 2, 'it was resumed by the owner');
  t.like(await seriesOf(task.id), { state: 'active', setBy: { id: world.ownerId } });
});

test('a deactivated user’s series is paused too', async (t) => {
  const mate = await world.join('member');
  const task = await world.make('task', { dueDate: addDays(today, -1) });
  await repeat(task.id, 'FREQ=DAILY', {}, { kind: 'user', userId: mate.userId });
  await world.fixtures.sql('update users set active = false where id = $1', [mate.userId]);
  await make(await idOf(task.id));
  t.like(await seriesOf(task.id), { state: 'paused', reason: 'access' });
});

test('a series pauses if the rules refuse its next task, and the worker does not retry', async (t) => {
  const task = await world.make('task', { dueDate: addDays(today, -1) });
  await repeat(task.id, 'FREQ=DAILY');
  await world.fixtures.sql(
    `insert into items (account_id, workspace_id, type, title, status, status_key, parent_item_id)
     select account_id, workspace_id, type, 'Part', 'planned', 'planned', id from items, generate_series(1, 500) n where id = $1`,
    [task.id],
  );
  await make(await idOf(task.id));
  t.like(await seriesOf(task.id), { state: 'paused', reason: 'failed' });
});

test('archiving the latest task or stopping ends the series, and its tasks stay', async (t) => {
  const [gone, stopped] = await Promise.all([-1, -1].map((days) => world.make('task', { dueDate: addDays(today, days) })));
  await repeat(gone.id, 'FREQ=DAILY');
  await world.fixtures.sql('update items set archived_at = now() where id = $1', [gone.id]);
  await make(await idOf(gone.id));
  await world.fixtures.sql('update items set archived_at = null where id = $1', [gone.id]);
  t.like(await seriesOf(gone.id), { state: 'ended', reason: 'archived' });
  await repeat(stopped.id, 'FREQ=DAILY');
  const id = await idOf(stopped.id);
  await make(id);
  const [, [latest] = []] = await tasksOf(id);
  await run(stopSeries, { id: latest, revision: 1 });
  await make(id);
  t.like(await seriesOf(stopped.id), { state: 'ended', reason: 'stopped' });
  t.is((await tasksOf(id)).length, 2);
  await repeat(latest!, 'FREQ=WEEKLY');
  t.not(await idOf(latest!), id, 'a new series');
});

test('if two users set or change a rule at the same time, one succeeds and the other gets a conflict', async (t) => {
  const task = await world.make('task', { dueDate: today });
  const set = (revision: number) => Promise.allSettled(['DAILY', 'WEEKLY'].map((freq) => repeat(task.id, `FREQ=${freq}`, { revision })));
  for (const revision of [0, 1]) {
    const both = await set(revision);
    t.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    const lost = both.find((one): one is PromiseRejectedResult => one.status === 'rejected')!;
    t.regex(lost.reason.message, /has changed since you opened it/);
  }
  t.is((await world.fixtures.sql('select count(*)::integer as n from recurrences where item_id = $1', [task.id]))[0].n, 1);
  t.regex((await refusal(run(stopSeries, { id: task.id, revision: 1 }))).message, /has changed/);
});

test('only tasks repeat, only users with write access set a series, and readers of the task see it', async (t) => {
  const requirement = await world.make('requirement');
  t.is((await refusal(repeat(requirement.id, 'FREQ=DAILY'))).code, 'forbidden');
  const task = await world.make('task', { dueDate: today });
  const viewer: Caller = { kind: 'user', userId: (await world.join('viewer')).userId };
  const stranger: Caller = { kind: 'user', userId: await world.fixtures.user(await world.fixtures.account()) };
  for (const caller of [viewer, stranger]) {
    t.is((await refusal(repeat(task.id, 'FREQ=DAILY', {}, caller))).code, 'forbidden');
    t.is((await refusal(run(stopSeries, { id: task.id, revision: 0 }, caller))).code, 'forbidden');
  }
  t.is((await refusal(repeat(9_999_999, 'FREQ=DAILY'))).code, 'forbidden');
  await repeat(task.id, 'FREQ=DAILY');
  t.is((await seriesOf(task.id, viewer)).latest, task.id);
  t.is((await refusal(seriesOf(task.id, stranger))).code, 'forbidden');
});

test('users who can’t see the latest task get no link to it and can’t change the series', async (t) => {
  const requirement = await world.make('requirement');
  const task = await world.make('task', { dueDate: addDays(today, -1) });
  await repeat(task.id, 'FREQ=DAILY');
  const id = await idOf(task.id);
  await make(id);
  const [, [latest] = []] = await tasksOf(id);
  await world.fixtures.sql('update items set requirement_id = $2 where id = $1', [latest, requirement.id]);
  const mate: Caller = { kind: 'user', userId: (await world.join('member', { requirements: 'none' })).userId };
  t.is((await seriesOf(task.id, mate)).latest, null);
  t.is((await refusal(repeat(task.id, 'FREQ=WEEKLY', { revision: 1 }, mate))).code, 'forbidden');
});

/** As stored before rules had to give each value once. Computing it takes several times the deadline. */
const hostile = `FREQ=DAILY;BYSETPOS=${'2,'.repeat(238)}2`;

test('a rule that takes too long twice pauses its series and tells why; others are served, and a new rule resumes it', async (t) => {
  const [task, other] = await Promise.all([-1, -1].map((days) => world.make('task', { dueDate: addDays(today, days) })));
  await repeat(task.id, 'FREQ=DAILY');
  await repeat(other.id, 'FREQ=DAILY');
  const [id, otherId] = [await idOf(task.id), await idOf(other.id)];
  await world.fixtures.sql('update recurrences set rule = $2 where id = $1', [id, hostile]);
  await Promise.all([make(id), make(otherId)]);
  t.is((await tasksOf(otherId)).length, 2);
  t.is((await tasksOf(id)).length, 1);
  t.like(await seriesOf(task.id), { state: 'paused', reason: 'failed', problem: 'its rule takes too long to compute' });
  const visitor = await world.visitor(world.ownerId);
  const shown = await visitor.go(`/workspaces/${world.workspaceId}/items/${task.id}`);
  t.regex(shown.text, /paused: its rule takes too long to compute/);
  const told = await world.fixtures.sql(`select kind from notifications where item_id = $1 and kind = 'series_paused'`, [task.id]);
  t.is(told.length, 1);
  const { revision } = await seriesOf(task.id);
  await repeat(task.id, 'FREQ=DAILY', { revision });
  t.like(await seriesOf(task.id), { state: 'active', problem: null });
});

test('a rule that takes too long is refused with what to do, and the next rule is computed', async (t) => {
  const refused = await refusal(nextAfter(1, hostile, today, today));
  t.is(refused.message, 'rule: takes too long to compute; give a simpler rule, with fewer parts.');
  t.is(await nextAfter(2, 'FREQ=DAILY', today, today), addDays(today, 1));
});

test('wrong rules and far dates are refused', async (t) => {
  const task = await world.make('task', { dueDate: '1970-01-01' });
  t.regex((await refusal(repeat(task.id, 'FREQ=DAILY'))).message, /more than ten years away/);
  for (const rule of ['', 'FREQ=SECONDLY', 'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30', 'x'.repeat(600)])
    t.is((await refusal(repeat((await world.make('task')).id, rule))).code, 'invalid_request', rule);
  t.is((await refusal(repeat(task.id, 'FREQ=DAILY', { mode: 'never' }))).code, 'invalid_request');
});

test('days are those in the time zone of the user who set the rule', async (t) => {
  const mate = await world.join('member');
  // In Kiritimati it is already tomorrow for most of the day in UTC, in Niue still yesterday.
  for (const zone of ['Pacific/Kiritimati', 'Pacific/Niue']) {
    await world.fixtures.sql('update users set timezone = $2 where id = $1', [mate.userId, zone]);
    const local = todayIn(zone, Date.now());
    const task = await world.make('task', { dueDate: addDays(local, -1) });
    await repeat(task.id, 'FREQ=DAILY', {}, { kind: 'user', userId: mate.userId });
    const id = await idOf(task.id);
    await make(id);
    const dates = (await tasksOf(id)).map(([, due]) => due ?? '');
    t.deepEqual(dates.slice(0, 2), [addDays(local, -1), local], zone);
    const [{ due_at: dueAt }] = await world.fixtures.sql('select due_at from recurrences where id = $1', [id]);
    t.is(todayIn(zone, dueAt), addDays(dates.at(-1)!, 1));
    t.is(todayIn(zone, new Date(dueAt.getTime() - 1)), dates.at(-1)!);
  }
});

test('a task without dates becomes due on the date', async (t) => {
  const task = await world.make('task');
  await repeat(task.id, 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU');
  const id = await idOf(task.id);
  await world.fixtures.sql(
    `with moved as (update recurrence_items set occurs_on = occurs_on - 1 where recurrence_id = $1)
     update recurrences set starts_on = starts_on - 1, last_on = last_on - 1, next_on = next_on - 1, due_at = now() where id = $1`,
    [id],
  );
  await make(id);
  const [, next] = await tasksOf(id);
  t.is(next![1], today);
});

test('if someone else changes the rule first, the refused stop shows the new rule with its weekdays', async (t) => {
  const task = await world.make('task', { dueDate: today });
  await repeat(task.id, 'FREQ=WEEKLY;BYDAY=MO');
  const visitor = await world.visitor(world.ownerId);
  await visitor.go(`/workspaces/${world.workspaceId}/items/${task.id}/repeat`);
  await repeat(task.id, 'FREQ=WEEKLY;BYDAY=TU,FR', { revision: 1 });
  const shown = await visitor.send('/repeat/stop');
  t.is(shown.status, 409);
  t.regex(shown.text, /has changed since you opened it/);
  t.deepEqual(visitor.form('/repeat').fields.getAll('days'), ['TU', 'FR']);
});
