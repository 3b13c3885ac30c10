import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { runningDatabase } from '../../src/embedded/running.ts';
import { startEmbedded } from '../../src/embedded/startEmbedded.ts';
import { stint, stintHere } from '../support/cli.ts';
import { adminUrl, freshDatabase } from '../support/database.ts';
import { temporaryFolder } from '../support/disposable.ts';
import { limitedRole } from '../support/limitedRole.ts';
import { rowsAt } from '../support/rowsAt.ts';
import { suite } from '../support/suite.ts';
import { oneWorkspace, startWeb, TEST_SECRET } from '../support/world.ts';

const test = suite(import.meta.url);

/** A row as a worker process writes it. */
const livingWorker = `insert into workers (id, lane, pid, host) values ('l1', 'prompt', 1, 'here'), ('l2', 'heavy', 1, 'here')`;

const configured = { env: { SECRET_KEY: TEST_SECRET } };

/** In this process, where it takes a tenth of the time. */
const doctor = (url: string) => stintHere(url, ['doctor', '--json'], configured);

test('migrate prepares an empty database and can be repeated; other commands ask for it', async (t) => {
  const url = await freshDatabase(t, { migrated: false });
  const early = await stintHere(url, ['account', 'create', '--name', 'A', '--json']);
  t.is(early.code, 1);
  t.regex(early.stderr, /[Rr]un npm run stint -- migrate/);
  for (const _time of [1, 2]) {
    const { code, json } = await stint(url, ['migrate', '--json']);
    t.is(code, 0);
    t.true(json.migrated);
  }
  t.is((await stintHere(url, ['account', 'create', '--name', 'A', '--json'])).code, 0);
});

test('import reads a file or stdin, and prints ids and keys that work', async (t) => {
  const url = await freshDatabase(t);
  const folder = mkdtempSync(join(tmpdir(), 'stint-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'acme.json'), JSON.stringify(oneWorkspace({ items: [{ ref: 't1', type: 'task', title: 'T' }] })));
  // npm runs the script in the project's folder and passes the folder it was called from.
  const fromFile = await stint(url, ['import', 'acme.json', '--json'], { env: { INIT_CWD: folder } });
  t.is(fromFile.code, 0, fromFile.stderr);
  t.deepEqual(Object.keys(fromFile.json.refs).sort(), ['ana', 'apollo', 'c1', 'k1', 't1']);
  const fromStdin = await stint(url, ['import', '-', '--json'], { input: JSON.stringify(oneWorkspace()) });
  t.not(fromStdin.json.refs.ana.id, fromFile.json.refs.ana.id);
  const web = await startWeb(url);
  t.teardown(web.stop);
  const answer = await fetch(`${web.baseUrl}/api/v1/workspaces`, { headers: { 'X-API-Key': fromFile.json.refs.k1.key } });
  t.is(((await answer.json()) as { workspaces: { id: number }[] }).workspaces[0]!.id, fromFile.json.refs.apollo.id);
});

test('a failed import writes nothing and names the place', async (t) => {
  const url = await freshDatabase(t);
  const file = oneWorkspace({ items: [{ type: 'task', title: 'T', fields: { releaseId: { ref: 'nowhere' } } }] });
  const failed = await stintHere(url, ['import', '-', '--json'], { input: JSON.stringify(file) });
  t.is(failed.code, 1);
  t.is(failed.stdout, '');
  t.regex(failed.stderr, /accounts\[0\]\.workspaces\[0\]\.items\[0\]\.fields\.releaseId\.ref/);
  t.deepEqual(await rowsAt(url, 'select 1 from accounts union all select 1 from users'), []);
  t.regex((await stintHere(url, ['import', '-', '--json'], { input: '{"accounts": [' })).stderr, /The file is not JSON/);
});

test('without --json commands print lines for people', async (t) => {
  const url = await freshDatabase(t);
  const created = await stint(url, ['account', 'create', '--name', 'Acme']);
  t.regex(created.stdout, /^id: 1\nname: Acme\nownerLink: http:\S+\/welcome\?token=\S{43}\n$/);
  t.regex((await stintHere(url, ['import', '-'], { input: JSON.stringify(oneWorkspace()) })).stdout, /^Imported\.\nana: id \d+\n/);
  t.regex((await stint(url, ['doctor'], configured)).stdout, /^ok {4}configuration: .*\nok {4}database: /);
});

test('doctor finds no fault in a working installation', async (t) => {
  const url = await freshDatabase(t);
  await rowsAt(url, livingWorker);
  const { code, json } = await stint(url, ['doctor', '--json'], configured);
  t.is(code, 0, JSON.stringify(json));
  t.true(json.ok);
  t.deepEqual(
    json.checks.map(({ name }: { name: string }) => name),
    [
      'configuration',
      'database',
      'migrations',
      'permissions',
      'writing',
      'workers',
      'queue',
      'oldest job',
      'locks',
      'failed jobs',
      'webhooks',
    ],
  );
});

const job = (columns: string, values: string) => `
  select graphile_worker.add_job('snapshot_workspace', '{"workspaceId": 1}');
  update graphile_worker._private_jobs set ${columns} = ${values}`;
const faults: [string, string, string][] = [
  ['oldest job', 'a job without a worker', job('run_at', `now() - interval '10 minutes'`)],
  ['locks', 'a job held by a dead worker', job('(locked_at, locked_by)', `(now() - interval '10 minutes', 'dead')`)],
  ['failed jobs', 'a job out of attempts', job('(attempts, last_error)', `(max_attempts, 'it broke')`)],
  ['workers', 'that no worker lives, though no jobs are waiting', `update workers set seen_at = now() - interval '10 minutes'`],
  ['workers', 'that there never was a worker', 'delete from workers'],
  [
    'writing',
    'a full disk',
    `create function full_disk() returns trigger language plpgsql as $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$;
     create trigger full_disk before insert on schedule_ticks for each row execute function full_disk()`,
  ],
  ['migrations', 'a missing migration', 'delete from migrations where number = (select max(number) from migrations)'],
  [
    'migrations',
    'a migration that this version can not run with',
    `insert into migrations (number, name, oldest_code) values (9999, '9999_newer.sql', 9999)`,
  ],
];

for (const [name, what, statement] of faults) {
  test(`doctor finds ${what}`, async (t) => {
    const url = await freshDatabase(t);
    await rowsAt(url, livingWorker);
    await rowsAt(url, statement);
    const { code, json } = await doctor(url);
    t.is(code, 1);
    t.deepEqual(
      json.checks.filter(({ ok }: { ok: boolean }) => !ok).map((check: { name: string }) => check.name),
      [name],
    );
  });
}

const found = (json: { checks: { name: string; message: string; value?: number }[] }, name: string) =>
  json.checks.find((check) => check.name === name)!;

test('doctor ignores workers of the database that a restored one was copied from', async (t) => {
  const url = await freshDatabase(t);
  await rowsAt(url, livingWorker);
  const [admin, copy] = [await adminUrl(), new URL(url)];
  copy.pathname += '_copy';
  await rowsAt(admin, `create database ${copy.pathname.slice(1)} template ${new URL(url).pathname.slice(1)}`);
  t.teardown(() => rowsAt(admin, `drop database ${copy.pathname.slice(1)} with (force)`));
  t.is(found((await doctor(url)).json, 'workers').value, 1);
  const restored = await doctor(copy.href);
  t.is(found(restored.json, 'workers').message, 'no worker process is alive; start one with npm run worker');
  await rowsAt(copy.href, `update workers set life = database_life() where id = 'l1'`);
  t.is(found((await doctor(copy.href)).json, 'workers').value, 1);
});

test('doctor reports too many connections when the limit of the role is reached', async (t) => {
  const role = await limitedRole(t, await freshDatabase(t), 1);
  await role.hold();
  const { code, json } = await doctor(role.url);
  t.is(code, 1);
  t.regex(found(json, 'database').message, /^it has too many connections: raise the limit .* \(too many connections for role/);
});

test('doctor reports an empty database as unmigrated, and so do other commands', async (t) => {
  const url = await freshDatabase(t, { migrated: false });
  const { code, json } = await doctor(url);
  t.is(code, 1);
  t.deepEqual(
    json.checks.map(({ name, ok }: { name: string; ok: boolean }) => [name, ok]),
    [
      ['configuration', true],
      ['database', true],
      ['migrations', false],
    ],
  );
  t.regex(found(json, 'migrations').message, /the database is not migrated; run npm run stint -- migrate/);
});

/** The address for a role without any rights, which is deleted after the test. */
async function powerless(t: ExecutionContext, url: string): Promise<string> {
  const name = `weak_${process.pid}_${Date.now()}`;
  await rowsAt(url, `create role ${name} login password 'weak'`);
  t.teardown(() => rowsAt(url, `drop owned by ${name}; drop role ${name}`));
  const address = new URL(url);
  address.username = name;
  address.password = 'weak';
  return address.href;
}

test('doctor names missing permissions, to read at all and to change a table', async (t) => {
  const url = await freshDatabase(t);
  await rowsAt(url, livingWorker);
  const weak = await powerless(t, url);
  const name = new URL(weak).username;
  const blind = await doctor(weak);
  t.regex(found(blind.json, 'migrations').message, /its role lacks rights.*permission denied for table migrations/);
  t.regex((await stintHere(weak, ['account', 'list'])).stderr, /its role lacks rights/);
  await rowsAt(
    url,
    `grant usage on schema graphile_worker to ${name};
     grant select, insert, update, delete on all tables in schema public, graphile_worker to ${name}; revoke update on items from ${name}`,
  );
  const { code, json } = await doctor(weak);
  t.is(code, 1);
  t.like(found(json, 'permissions'), { ok: false, value: 1 });
  t.regex(found(json, 'permissions').message, /public\.items/);
});

test('doctor distinguishes a refused password from an unreachable server', async (t) => {
  const url = new URL(await freshDatabase(t));
  url.password = 'wrong';
  t.regex(found((await doctor(url.href)).json, 'database').message, /refuses the user or the password/);
});

test('doctor names the command that repairs permanently failed jobs', async (t) => {
  const url = await freshDatabase(t);
  await rowsAt(url, job('(attempts, last_error)', `(max_attempts, 'it broke')`));
  const { json } = await doctor(url);
  t.regex(found(json, 'failed jobs').message, /snapshot_workspace: it broke; see npm run stint -- jobs list, then jobs retry --all/);
});

test('unlikely settings cause a warning, which leaves the exit code at 0', async (t) => {
  const url = await freshDatabase(t);
  await rowsAt(url, livingWorker);
  const env = { ...configured.env, SMTP_URL: 'smtp://127.0.0.1:1', BASE_URL: 'https://stint.example' };
  const { code, json } = await stint(url, ['doctor', '--json'], { env });
  t.is(code, 0);
  t.like(found(json, 'mail sender'), { ok: true, warning: true });
  t.like(found(json, 'proxy'), { ok: true, warning: true });
  t.regex((await stint(url, ['doctor'], { env })).stdout, /^warn {2}mail sender: .*MAIL_FROM/m);
});

test('doctor reports all configuration faults at once, and an unreachable database', async (t) => {
  const { code, json } = await stint('postgres://u:hidden@127.0.0.1:1/none', ['doctor', '--json'], { env: { PORT: 'many' } });
  t.is(code, 1);
  t.regex(json.checks[0].message, /PORT[\s\S]*SECRET_KEY/);
  t.like(json.checks[1], { name: 'database', ok: false });
  t.false(JSON.stringify(json).includes('hidden'));
});

test('doctor reports an unusable address with the other configuration faults', async (t) => {
  const { code, json } = await stint('postgres://u:hidden@here:99999/none', ['doctor', '--json'], { env: { PORT: 'many' } });
  t.is(code, 1);
  t.regex(json.checks[0].message, /PORT[\s\S]*DATABASE_URL[\s\S]*SECRET_KEY/);
  t.like(json.checks[1], { name: 'database', ok: false });
  t.false(JSON.stringify(json).includes('hidden'));
});

test('without DATABASE_URL commands use the database of a running npm start, and doctor skips what it provides', async (t) => {
  const folder = temporaryFolder();
  const running = await startEmbedded(join(folder, '.data/postgres'), { disposable: true });
  t.teardown(async () => {
    await running.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  running.announce('http://localhost:4711/stint');
  const migrated = await stint(undefined, ['migrate', '--json'], { cwd: folder });
  t.is(migrated.code, 0);
  t.regex(migrated.json.ownerLink, /^http:\/\/localhost:4711\/stint\/welcome\?token=/);
  await rowsAt(running.url, livingWorker);
  const { code, json } = await stint(undefined, ['doctor', '--json'], { cwd: folder, env: { BASE_URL: undefined } });
  t.is(code, 0, JSON.stringify(json));
  await running.stop();
  t.regex((await stint(undefined, ['doctor'], { cwd: folder })).stdout, /WRONG database: No database found\. Set DATABASE_URL/);
});

/** Runs `work` without root's rights, because file permissions don't restrict root. */
function unprivileged<T>(work: () => T): T {
  if (process.geteuid?.() !== 0) return work();
  process.seteuid!(65_534);
  try {
    return work();
  } finally {
    process.seteuid!(0);
  }
}

test('an npm start of another user in this folder is reported', (t) => {
  const folder = temporaryFolder();
  t.teardown(() => {
    chmodSync(folder, 0o700);
    rmSync(folder, { recursive: true, force: true });
  });
  t.is(runningDatabase(folder), undefined);
  chmodSync(folder, 0);
  t.throws(() => unprivileged(() => runningDatabase(folder)), {
    message: /Another user runs 'npm start'.*or set DATABASE_URL/,
  });
});
