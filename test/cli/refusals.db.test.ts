import pg from 'pg';
import { stint, stintHere } from '../support/cli.ts';
import { fileDatabase } from '../support/database.ts';
import { suite } from '../support/suite.ts';
import { oneWorkspace, type WorldRefs, world } from '../support/world.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let ids: Record<string, number>;
let client: pg.Client;
test.before(async () => {
  const refs: WorldRefs = await world(
    database.url,
    oneWorkspace(
      {},
      {
        users: [
          { ref: 'bo', email: 'bo@wrong.example', name: 'Bo' },
          { ref: 'gone', email: 'gone@wrong.example', name: 'Gone', active: false },
        ],
        workspaces: [
          { ref: 'off', name: 'Off', members: [{ user: 'ana', role: 'owner' }] },
          { ref: 'old', name: 'Old', archived: true, mcp: { enabled: true }, members: [{ user: 'ana', role: 'owner' }] },
        ],
      },
    ),
  );
  const other = await world(database.url, { accounts: [{ name: 'Other', users: [{ ref: 'cy', email: 'cy@wrong.example', name: 'Cy' }] }] });
  ids = Object.fromEntries(['ana', 'bo', 'gone', 'apollo', 'off', 'old', 'k1', 'c1'].map((ref) => [ref, refs.id(ref)]));
  ids.cy = other.id('cy');
  client = new pg.Client(database.url);
  await client.connect();
});
test.after(() => client.end());

const state = async () => {
  const tables = ['accounts', 'users', 'workspaces', 'memberships', 'rest_keys', 'connections', 'connection_workspaces'];
  const parts = tables.map((table) => `(select md5(string_agg(t::text, '' order by t::text)) from ${table} t)`);
  return (await client.query({ text: `select ${parts.join()}`, rowMode: 'array' })).rows;
};

/** Words in braces are ids. */
const wrong: [string, RegExp][] = [
  ['', /Usage: npm run -s stint/],
  ['nonsense', /There is no command 'nonsense'/],
  ['user', /There is no command 'user'[\s\S]*user deactivate/],
  ['user destroy', /There is no command 'user destroy'/],
  ['account create', /^--name: is required\.$/m],
  ['account create --name A --colour red', /Unknown option '--colour'; see --help/],
  ['account create --name A --name B', /^name: is given twice|^--name: is given twice/],
  ['account create A', /takes options only, no 'A'/],
  ['account create --name', /--name/],
  ['user create --account 999 --email x@x.example --name X', /^--account: there is no account 999/],
  ['user create --account 1 --email nonsense --name X', /^--email: give an email address/],
  ['user create --account 1 --email BO@wrong.example --name X', /^--email: BO@wrong.example is taken/],
  ['user create --account 1 --email x@x.example --name X --role boss', /^--role: give one of owner, admin, member/],
  ['user create --account 1 --email x@x.example --name X --timezone +01:00', /^--timezone: give an IANA timezone/],
  ['user create --account 1 --email x@x.example --name X --weekly-hours 200', /^--weekly-hours: give hours per week/],
  ['user deactivate --user x', /^--user: give an id/],
  ['user deactivate --user 0', /^--user: give an id/],
  ['user deactivate --user 9007199254740993', /^--user: give an id/],
  ['user deactivate --user 999', /^--user: there is no user 999/],
  ['user deactivate --user {ana}', /An account needs an active owner/],
  ['user reactivate --user 999', /^--user: there is no user 999/],
  ['user update --user {bo}', /^No changes given\. Give --email/],
  ['user update --user 999 --name X', /^--user: there is no user 999/],
  ['user update --user {bo} --email ANA', /^--email: give an email address/],
  ['user update --user {bo} --email GONE@wrong.example', /^--email: GONE@wrong.example is taken/],
  ['user update --user {bo} --weekly-hours many', /^--weekly-hours: give hours per week/],
  ['user list --colour red', /Unknown option '--colour'/],
  ['member list', /^--workspace: give --workspace or --user/],
  ['key list --user x', /^--user: give an id/],
  ['jobs retry', /^--job: give --job or --all/],
  ['jobs drop --job 1 --all', /^--job: give --job or --all/],
  ['jobs retry --job 999', /^--job: there is no job 999/],
  ['jobs list --task nonsense', /^--task: give one of snapshot_workspace/],
  ['jobs list --state late', /^--state: give one of waiting, retrying, running, failed, stuck/],
  ['workspace create --account 999 --name W', /^--account: there is no account 999/],
  ['workspace archive --workspace 999', /^--workspace: there is no workspace 999/],
  ['workspace restore', /^--workspace: is required/],
  ['workspace mcp --workspace {apollo}', /^--on: give --on, --off or --limits/],
  ['workspace mcp --workspace {apollo} --on --off', /^--on: give --on or --off, not both/],
  ['workspace mcp --workspace {apollo} --limits goals=read', /^--limits.*: give levels such as tasks=write/],
  ['workspace mcp --workspace {apollo} --limits tasks', /^--limits.*: give levels/],
  ['workspace mcp --workspace {apollo} --limits tasks=read,tasks=write', /^--limits: name each resource once/],
  ['member set --workspace {apollo} --user {bo}', /^--role: user \d+ is not a member yet/],
  ['member set --workspace {apollo} --user {bo} --role king', /^--role: give one of owner, manager, member, viewer/],
  ['member set --workspace {apollo} --user {cy} --role viewer', /^--user: there is no user \d+/],
  ['member set --workspace 999 --user {bo} --role viewer', /^--workspace: there is no workspace 999/],
  ['member set --workspace {apollo} --user {ana} --access tasks=all', /^--access.*: give levels/],
  ['member set --workspace {apollo} --user {ana} --time-oversight yes', /^--time-oversight: give on or off/],
  ['member remove --workspace {apollo} --user {bo}', /^--user: user \d+ is not a member of workspace/],
  ['key create --user {ana}', /^--grants: is required/],
  ['key create --user {ana} --grants tasks:delete', /^--grants.*: give some of workspaces:read/],
  ['key create --user {ana} --grants tasks:read --expires 2020-01-01T00:00:00Z', /^--expires: is past/],
  ['key create --user {ana} --grants tasks:read --expires tomorrow', /^--expires: give an instant/],
  ['key create --user {gone} --grants tasks:read', /^--user: there is no user/],
  ['key revoke --key 999', /^--key: there is no key 999/],
  ['connection create --user 999', /^--user: there is no user 999/],
  ['connection create --user {ana} --workspaces {off}', /^--workspaces: no agent of this person/],
  ['connection create --user {ana} --workspaces {old}', /^--workspaces: no agent of this person/],
  ['connection create --user {bo} --workspaces {apollo}', /^--workspaces: no agent of this person/],
  ['connection create --user {cy} --workspaces {apollo}', /^--workspaces: no agent of this person/],
  ['connection create --user {ana} --permissions goals=read', /^--permissions.*: give levels/],
  ['connection create --user {ana} --notes read', /Unknown option '--notes'/],
  ['connection set --connection {c1} --notes read', /^--notes: give none. Only the owner of the notes grants access/],
  ['connection create --user {ana} --expires 2020-01-01T00:00:00Z', /^--expires: is past/],
  ['connection set --connection {c1} --workspaces x', /^--workspaces.*: give an id/],
  ['connection set --connection 999 --plain-language on', /^--connection: there is no connection 999/],
  ['connection rotate --connection 999', /^--connection: there is no connection 999/],
  ['connection revoke --connection 999', /^--connection: there is no connection 999/],
  ['import', /Give FILE\|- after 'import'/],
  ['import /nowhere/at/all.json', /The file can't be read/],
];

for (const [words, message] of wrong) {
  test(`refused with exit code 1 and nothing on stdout: ${words || 'no command'}`, async (t) => {
    const before = await state();
    const given = words.replace(/\{(\w+)\}/g, (_all, ref) => String(ids[ref]));
    const result = await stintHere(database.url, [...given.split(' ').filter(Boolean), '--json']);
    t.is(result.code, 1);
    t.is(result.stdout, '');
    t.regex(result.stderr, message);
    t.deepEqual(await state(), before);
  });
}

test("a revoked connection can't be rotated or changed", async (t) => {
  await stintHere(database.url, ['connection', 'revoke', '--connection', String(ids.c1)]);
  for (const words of [['rotate'], ['set', '--plain-language', 'on']]) {
    const result = await stintHere(database.url, ['connection', ...words, '--connection', String(ids.c1)]);
    t.is(result.code, 1);
    t.regex(result.stderr, /there is no connection/);
  }
});

test('every command prints its help on stdout with exit code 0, without a database', async (t) => {
  const all = await stintHere(undefined, ['--help']);
  t.is(all.code, 0);
  const names = [...all.stdout.matchAll(/^ {2}([a-z]+(?: [a-z]+)?) {2,}/gm)].map(([, name]) => name!);
  t.true(names.length >= 18);
  for (const name of names) {
    const { code, stdout, stderr } = await stintHere(undefined, [...name.split(' '), '--help']);
    t.is(code, 0, name);
    t.is(stderr, '');
    t.regex(stdout, new RegExp(`^Usage: npm run -s stint -- ${name}`));
  }
});

test('commands that grant rights say that an item is visible only with everything above it', async (t) => {
  for (const name of ['key create', 'connection create', 'connection set', 'workspace mcp', 'member set'])
    t.regex((await stintHere(undefined, [...name.split(' '), '--help'])).stdout, /visible only if its parents are/, name);
});

test('without a database the message says what to do', async (t) => {
  const nowhere = await stint(undefined, ['account', 'create', '--name', 'A'], { cwd: '/' });
  t.is(nowhere.code, 1);
  t.regex(nowhere.stderr, /Set DATABASE_URL, or keep 'npm start'/);
  const wrongUrl = await stint('mysql://x', ['account', 'create', '--name', 'A']);
  t.regex(wrongUrl.stderr, /DATABASE_URL: must look like postgres/);
  const dead = await stint('postgres://u:hidden@127.0.0.1:1/none', ['account', 'create', '--name', 'A']);
  t.is(dead.code, 1);
  t.regex(dead.stderr, /can't be reached/);
  t.false(dead.stderr.includes('hidden'));
});
