import pg from 'pg';
import { stintHere, stintOn } from '../support/cli.ts';
import { fileDatabase } from '../support/database.ts';
import { suite } from '../support/suite.ts';
import { oneWorkspace, type WorldRefs, world } from '../support/world.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
const stint = stintOn(() => database.url);
let client: pg.Client;
let refs: WorldRefs;
test.before(async () => {
  client = new pg.Client(database.url);
  await client.connect();
  refs = await world(
    database.url,
    oneWorkspace(
      { members: [{ user: 'bo', role: 'viewer', access: { plans: 'none' } }] },
      { users: [{ ref: 'bo', email: 'bo@lists.example', name: 'Bo' }] },
    ),
  );
  await world(database.url, oneWorkspace());
});
test.after(() => client.end());

const ids = (rows: { id: number }[]) => rows.map(({ id }) => id);

test('everything that can be created is listed, and filters narrow the list', async (t) => {
  const { accounts } = await stint('account list');
  t.is(accounts.length, 2);
  t.like(accounts[0], { users: 2, workspaces: 1 });
  const account = accounts[0].id;
  t.deepEqual(ids((await stint(`user list --account ${account}`)).users), [refs.id('ana'), refs.id('bo')]);
  t.is((await stint('user list')).users.length, 3);
  t.deepEqual(ids((await stint(`workspace list --account ${account}`)).workspaces), [refs.id('apollo')]);
  t.deepEqual(ids((await stint(`workspace list --user ${refs.id('bo')}`)).workspaces), [refs.id('apollo')]);
  const { members } = await stint(`member list --workspace ${refs.id('apollo')}`);
  t.like(members[1], { userId: refs.id('bo'), role: 'viewer', access: { plans: 'none' } });
  t.is((await stint(`member list --user ${refs.id('bo')}`)).members.length, 1);
  t.deepEqual(ids((await stint(`key list --account ${account}`)).keys), [refs.id('k1')]);
  t.deepEqual(ids((await stint(`connection list --workspace ${refs.id('apollo')}`)).connections), [refs.id('c1')]);
  t.deepEqual((await stint(`connection list --user ${refs.id('bo')}`)).connections, []);
});

test('no list shows a secret', async (t) => {
  for (const list of ['account', 'user', 'workspace', 'key', 'connection']) {
    const told = JSON.stringify(await stint(`${list} list`));
    t.notRegex(told, /hash|password"|secret/i, list);
    for (const ref of ['k1', 'c1']) t.false(told.includes(refs.key(ref)), list);
  }
});

test('a list continues where the previous page ended', async (t) => {
  const first = (await stint('user list')).users[0].id;
  t.deepEqual(ids((await stint(`user list --after ${first}`)).users), ids((await stint('user list')).users).slice(1));
  await client.query(`insert into accounts (name) select 'Many ' || n from generate_series(1, 1100) n`);
  const page = await stint('account list');
  t.is(page.accounts.length, 1_000);
  t.is(page.next, page.accounts.at(-1).id);
  const rest = await stint(`account list --after ${page.next}`);
  t.is(rest.accounts.length, 102);
  t.is(rest.next, null);
});

test('without --json a list is a table', async (t) => {
  const { stdout } = await stintHere(database.url, ['member', 'list', '--user', String(refs.id('bo'))]);
  t.regex(stdout, /^workspaceId +userId +name +role +access .*\n\d+ +\d+ +Bo +viewer +plans=none /);
  t.is((await stintHere(database.url, ['jobs', 'list', '--task', 'rewrite_note'])).stdout, 'No results.');
});

test('user update changes only the given values', async (t) => {
  const changed = await stint(`user update --user ${refs.id('bo')} --email Bo.New@lists.example --weekly-hours 20.5`);
  t.like(changed, { email: 'Bo.New@lists.example', name: 'Bo', timezone: 'UTC', weeklyHours: 20.5 });
  t.like(await stint(`user update --user ${refs.id('bo')} --name Bo_Berg --timezone asia/tokyo --weekly-hours none`), {
    email: 'Bo.New@lists.example',
    name: 'Bo Berg',
    timezone: 'Asia/Tokyo',
    weeklyHours: null,
  });
});

test('a new address invalidates the links that were mailed to the old one', async (t) => {
  await client.query(`insert into invitations (account_id, user_id, nonce) select account_id, id, 'n' from users where id = $1`, [
    refs.id('bo'),
  ]);
  const open = async () =>
    (await client.query('select from invitations where user_id = $1 and expires_at > now()', [refs.id('bo')])).rowCount;
  await stint(`user update --user ${refs.id('bo')} --name Bo`);
  t.is(await open(), 1);
  await stint(`user update --user ${refs.id('bo')} --email other@lists.example`);
  t.is(await open(), 0);
});

/** A job with a secret in its payload, which no list may show. */
async function job(columns: string, values: string): Promise<number> {
  const { rows } = await client.query(`select (graphile_worker.add_job('mail_notification', '{"notificationId": 424242}')).id`);
  await client.query(`update graphile_worker._private_jobs set ${columns} = ${values} where id = $1`, [rows[0].id]);
  return Number(rows[0].id);
}
const failedJob = () => job('(attempts, last_error)', `(max_attempts, E'it broke\\nat line 1')`);
const stuckJob = () => job('(attempts, locked_at, locked_by)', `(1, now() - interval '10 minutes', 'dead')`);

test('every job is listed with its state and full last error, without addresses, secrets and payload', async (t) => {
  const failed = await failedJob();
  const stuck = await stuckJob();
  const waiting = await job('run_at', `now() + interval '1 hour'`);
  const error = String.raw`E'550 <ana@acme.example> unknown\nat smtp://stint:hunter2@mail.example:587'`;
  const retrying = await job('(attempts, run_at, last_error)', `(3, now() + interval '1 hour', ${error})`);
  const running = await job('(attempts, locked_at, locked_by)', `(1, now(), 'alive')`);
  const jobs = (await stint('jobs list')).jobs.filter(({ id }: { id: number }) => id >= failed);
  t.deepEqual(
    jobs.map(({ id, state }: { id: number; state: string }) => [id, state]),
    [
      [failed, 'failed'],
      [stuck, 'stuck'],
      [waiting, 'waiting'],
      [retrying, 'retrying'],
      [running, 'running'],
    ],
  );
  t.like(jobs[0], { task: 'mail_notification', error: 'it broke\nat line 1' });
  t.like(jobs[3], { attempts: 3, error: '550 <[address]> unknown\nat smtp://[secret]@mail.example:587' });
  t.false(JSON.stringify(jobs).includes('424242'));
  t.deepEqual(ids((await stint('jobs list --state retrying')).jobs), [retrying]);
  const { stdout } = await stintHere(database.url, ['jobs', 'list', '--state', 'retrying']);
  t.is(stdout.split('\n').length, 2, 'a line for each job');
  t.deepEqual(await stintHere(database.url, ['jobs', 'drop', '--all', '--task', 'mail_notification', '--json']).then(({ json }) => json), {
    dropped: [failed, stuck],
  });
  t.deepEqual(await stint('jobs retry --all'), { retried: [retrying] });
  const left = await client.query(
    'delete from graphile_worker._private_jobs where id = any($1) returning attempts, run_at <= now() as due',
    [[waiting, retrying, running]],
  );
  t.deepEqual(left.rows.map(({ due }) => due).filter(Boolean).length, 2, 'the retried one and the one that runs');
});

test('retried jobs run again at once with all attempts, and dropped ones are deleted', async (t) => {
  const [failed, stuck, held] = [await failedJob(), await stuckJob(), await job('(locked_at, locked_by)', `(now(), 'alive')`)];
  t.deepEqual(await stint('jobs retry --all'), { retried: [failed, stuck] });
  const { rows } = await client.query(
    'select id, attempts, locked_by, run_at <= now() as due from graphile_worker.jobs where id = any($1)',
    [[failed, stuck]],
  );
  for (const row of rows) t.like(row, { attempts: 0, locked_by: null, due: true });
  t.regex((await stintHere(database.url, ['jobs', 'drop', '--job', String(held)])).stderr, /there is no job/);
  const again = await failedJob();
  t.deepEqual(await stint(`jobs drop --job ${again}`), { dropped: [again] });
  t.is((await client.query('select from graphile_worker.jobs where id = $1', [again])).rowCount, 0);
});

test('recorded time is listed from a day on, by day, person and item', async (t) => {
  const item = refs.id('apollo');
  const { id } = (
    await client.query(
      `insert into items (account_id, workspace_id, type, title, status, status_key) select account_id, id, 'task', 'Row', 'planned', 'planned' from workspaces where id = $1 returning id`,
      [item],
    )
  ).rows[0];
  await client.query(
    `insert into time_entries (account_id, workspace_id, user_id, item_id, kind, day, minutes, note)
     select i.account_id, i.workspace_id, u.id, i.id, 'manual', d.day, d.minutes, 'my own words' from items i join users u on u.account_id = i.account_id,
       (values ('2026-03-01'::date, 30), ('2026-03-02', 60), ('2026-03-02', 30), ('2026-03-03', 0)) d (day, minutes) where i.id = $1`,
    [id],
  );
  const asked = ['time', '--since', '2026-03-02', '--user', String(refs.id('ana'))];
  const found = await stint(asked.join(' '));
  t.is(found.next, null);
  t.is(found.time.length, 1);
  t.like(found.time[0], { date: '2026-03-02', userId: refs.id('ana'), itemId: Number(id), title: 'Row', minutes: 90 });
  t.is((await stint(`time --since 2026-03-01 --workspace ${refs.id('apollo')}`)).time.length, 4);
  const { stdout } = await stintHere(database.url, asked);
  t.regex(stdout, /^date +person +time +workspace +work\n2026-03-02 +\S+ +1:30 .* #\d+ Row\nTotal 1:30$/);
  t.false(stdout.includes('my own words'));
  t.regex((await stintHere(database.url, ['time'])).stderr, /^--since: is required/);
  t.regex((await stintHere(database.url, ['time', '--since', '2026-02-30'])).stderr, /^--since: give a calendar date/);
});
