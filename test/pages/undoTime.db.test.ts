/** Undo of moved and cancelled planned time, and of a stopped timer, without script (behaviour §23.10). */
import type { ExecutionContext } from 'ava';
import pg from 'pg';
import { fileDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { assignedTask, workspaceOfPeople } from '../support/people.ts';
import { JOBS } from '../support/queueTable.ts';
import { rowsAt } from '../support/rowsAt.ts';
import { suite } from '../support/suite.ts';
import { signedIn, type Visitor } from '../support/visitor.ts';
import { startWeb, type Web, type WorldRefs, world } from '../support/world.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let web: Web;
let refs: WorldRefs;
const people = ['bo', 'cleo', 'dan', 'eve', 'fay'];

test.before('an account with a task for each person', async () => {
  const file = workspaceOfPeople(['ana', ...people], {
    members: people.map((user) => ({ user, role: 'member' as const })),
    items: people.map((user) => assignedTask(user, `task-${user}`, `Sail for ${user}`)),
  });
  refs = await world(database.url, file);
  web = await startWeb(database.url);
});
test.after('stop', () => web?.stop());

const as = (person: string): Promise<Visitor> => signedIn(web.baseUrl, `${person}@acme.example`);
const rows = (text: string, ...values: unknown[]) => rowsAt(database.url, text, values);
const offersUndo = ({ at }: Visitor): boolean => at.html.includes('/my/undo"');
const blockOf = async (user: string) =>
  (await rows('select id::int, revision, state, start_local, end_local from plan_blocks where user_id = $1', refs.id(user)))[0]!;
const jobsOf = async (blockId: number) =>
  (await rows(`select run_at from ${JOBS} where key = $1`, `plan_block:${blockId}:start`)).map(({ run_at }) => run_at.toISOString());

async function plan(who: Visitor, user: string): Promise<void> {
  await who.go('/my');
  const times = { startLocal: '2199-01-07T09:00', endLocal: '2199-01-07T11:00', autoStart: 'on', timezone: 'UTC' };
  await who.send('/blocks/create', { work: `#${refs.id(`task-${user}`)} Sail for ${user}`, ...times });
  await who.go('/my?week=2199-01-07');
}

test('a moved block goes back to its times, once, and its jobs with it', async (t) => {
  const bo = await as('bo');
  await plan(bo, 'bo');
  const { text, path } = await bo.send('/blocks/move', { startLocal: '2199-01-08T10:30', endLocal: '2199-01-08T12:00' });
  t.regex(text, /Moved to 10:30–12:00 .*on \d+ Sail for bo/);
  t.regex(path, /undo=moved\.\d+\.2\.219901070900\.219901071100/);
  const { id } = await blockOf('bo');
  t.deepEqual(await jobsOf(id), ['2199-01-08T10:30:00.000Z']);
  const undo = bo.form('/my/undo');
  t.regex((await bo.post(undo.path, undo.fields)).text, /Undone\./);
  const back = { id, revision: 3, state: 'scheduled', start_local: '2199-01-07T09:00', end_local: '2199-01-07T11:00' };
  t.deepEqual(await blockOf('bo'), back);
  t.deepEqual(await jobsOf(id), ['2199-01-07T09:00:00.000Z']);
  await bo.post(undo.path, undo.fields);
  t.deepEqual(await blockOf('bo'), back, 'the same form again');
  await bo.go(path);
  t.false(offersUndo(bo), 'the block has changed since');
});

test('a cancelled block is planned again with its jobs; not by others, not once it has ended, not if it had started', async (t) => {
  const [cleo, dan] = [await as('cleo'), await as('dan')];
  await plan(cleo, 'cleo');
  const { text, path } = await cleo.send('/blocks/cancel');
  t.regex(text, /Cancelled 09:00–11:00 .*on \d+ Sail for cleo/);
  const { id } = await blockOf('cleo');
  t.deepEqual(await jobsOf(id), []);
  const undo = cleo.form('/my/undo');

  await dan.go(path);
  t.false(offersUndo(dan), 'an address passed on');
  undo.fields.set('_csrf', dan.form('/sign-out').fields.get('_csrf')!);
  t.is((await dan.post(undo.path, undo.fields)).status, 403);

  const [{ ends_at: end }] = await rows('select ends_at from plan_blocks where id = $1', id);
  await rows(`update plan_blocks set starts_at = now() - interval '2 hours', ends_at = now() - interval '1 second' where id = $1`, id);
  await cleo.go(path);
  t.false(offersUndo(cleo), 'it has ended');
  const late = cleo.form('/sign-out').fields.get('_csrf')!;
  undo.fields.set('_csrf', late);
  const refused = await cleo.post(undo.path, undo.fields);
  t.is(refused.status, 409);
  t.regex(refused.text, /can no longer be restored\. Plan it again\./);
  await rows(`update plan_blocks set starts_at = $2::timestamptz - interval '2 hours', ends_at = $2 where id = $1`, id, end);

  await cleo.go(path);
  t.regex((await cleo.send('/my/undo')).text, /Undone\./);
  t.is((await blockOf('cleo')).state, 'scheduled');
  t.deepEqual(await jobsOf(id), ['2199-01-07T09:00:00.000Z']);

  await cleo.go('/my?week=2199-01-07');
  await cleo.send('/blocks/start');
  await cleo.go('/my?week=2199-01-07');
  t.regex((await cleo.send('/blocks/cancel')).text, /Cancel this planned time\? The timer keeps running\./);
  await cleo.go('/my?week=2199-01-07');
  await cleo.sendSurely('/blocks/cancel');
  t.regex(cleo.at.text, /Cancelled 09:00–11:00/);
  t.false(offersUndo(cleo));
});

test('Undo lets a stopped timer continue from its start, within five minutes and unless another one runs', async (t) => {
  const eve = await as('eve');
  const entries = () => rows('select id::int, ended_at is null as runs from time_entries where user_id = $1 order by id', refs.id('eve'));
  await eve.go('/');
  await eve.send('/my/act', { start: String(refs.id('task-eve')) });
  await rows(`update time_entries set started_at = started_at - interval '20 minutes' where user_id = $1`, refs.id('eve'));
  await eve.go('/');
  const { text, path } = await eve.send('/my/act', { stop: 'yes' });
  t.regex(text, /Timer stopped: 20 min on \d+ Sail for eve/);
  const undo = eve.form('/my/undo');
  t.regex((await eve.send('/my/undo')).text, /Undone\./);
  const [{ id }] = await entries();
  t.deepEqual(await entries(), [{ id, runs: true }]);
  const reminders = await rows(`select run_at from ${JOBS} where key = $1`, `long_timer:${id}`);
  t.is(reminders.length, 1, 'it is watched again');
  await eve.post(undo.path, undo.fields);
  t.deepEqual(await entries(), [{ id, runs: true }], 'the same form again');

  await eve.go('/');
  const again = (await eve.send('/my/act', { stop: 'yes' })).path;
  t.not(again, path);
  t.true(offersUndo(eve));
  const late = eve.form('/my/undo');
  await rows(
    `update time_entries set ended_at = ended_at - interval '5 minutes', started_at = started_at - interval '5 minutes' where user_id = $1`,
    refs.id('eve'),
  );
  const refused = await eve.post(late.path, late.fields);
  t.is(refused.status, 409);
  t.regex(refused.text, /stopped more than 5 minutes ago\. Start a new one\./);
  await eve.go(again);
  t.false(offersUndo(eve));
  t.regex(eve.at.text, /Timer stopped: 20 min/);

  await rows(
    `update time_entries set ended_at = ended_at + interval '5 minutes', started_at = started_at + interval '5 minutes' where user_id = $1`,
    refs.id('eve'),
  );
  await eve.go(again);
  t.true(offersUndo(eve));
  const open = eve.form('/my/undo');
  await eve.send('/my/act', { start: String(refs.id('task-eve')) });
  t.is((await eve.post(open.path, open.fields)).status, 409);
  t.deepEqual(
    (await entries()).map(({ runs }) => runs),
    [false, true],
  );
});

test('a timer does not continue, and a plan is not restored, on an item that is being archived', async (t) => {
  const fay = await as('fay');
  const [task, user] = [refs.id('task-fay'), refs.id('fay')];
  await plan(fay, 'fay');
  await fay.send('/blocks/cancel');
  t.is(await statusWhileArchived(t, task, fay), 403);
  t.is((await blockOf('fay')).state, 'cancelled');

  await rows('update items set archived_at = null where id = $1', task);
  await fay.go('/');
  await fay.send('/my/act', { start: String(task) });
  await fay.go('/');
  await fay.send('/my/act', { stop: 'yes' });
  t.is(await statusWhileArchived(t, task, fay), 403);
  t.deepEqual(await rows('select from time_entries where user_id = $1 and minutes is null', user), []);
});

/** Status of an Undo that is sent while its item is archived. */
async function statusWhileArchived(t: ExecutionContext, task: number, who: Visitor): Promise<number> {
  const undo = who.form('/my/undo');
  const archiving = new pg.Client(database.url);
  await archiving.connect();
  try {
    await archiving.query('begin');
    await archiving.query('update items set archived_at = now() where id = $1', [task]);
    let answered = false;
    const answer = who.post(undo.path, undo.fields).finally(() => {
      answered = true;
    });
    const waits = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    t.true(await eventually(async () => answered || (await rows(waits)).length > 0, Boolean));
    await archiving.query('commit');
    return (await answer).status;
  } finally {
    await archiving.end();
  }
}

test('a forged mark shows no Undo', async (t) => {
  const dan = await as('dan');
  for (const mark of [
    'moved.1.1',
    'moved.1.1.209913990000.1',
    'cancelled.0.1',
    'stopped.9999999999999999.1',
    'stopped.1.1<b>',
    'cancelled.999999.1',
  ]) {
    await dan.go(`/?notice=saved&undo=${encodeURIComponent(mark)}`);
    t.is(dan.at.status, 200, mark);
    t.regex(dan.at.text, /Saved\./);
    t.false(offersUndo(dan), mark);
  }
});
