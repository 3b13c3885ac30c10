import pg from 'pg';
import { newSecret } from '../../src/access/secrets.ts';
import { verifyPassword } from '../../src/accounts/password.ts';
import { stintHere, stintOn } from '../support/cli.ts';
import { fileDatabase } from '../support/database.ts';
import { suite } from '../support/suite.ts';
import { startWeb, TEST_SECRET, type Web } from '../support/world.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
const stint = stintOn(() => database.url);
let web: Web;
let client: pg.Client;
test.before(async () => {
  web = await startWeb(database.url);
  client = new pg.Client(database.url);
  await client.connect();
});
test.after(async () => {
  await client.end();
  await web.stop();
});

/** The status of a REST call. */
async function status(key: string, path: string): Promise<number> {
  const answer = await fetch(`${web.baseUrl}/api/v1${path}`, { headers: { 'X-API-Key': key } });
  await answer.body?.cancel();
  return answer.status;
}

/** svc_context with an agent's key. Undefined for 401. */
async function context(key: string) {
  const answer = await fetch(`${web.baseUrl}/mcp`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'svc_context', arguments: {} } }),
  });
  if (answer.status === 401) return undefined;
  return ((await answer.json()) as { result: { structuredContent: { workspaces: { id: number; access: object }[]; connection: object } } })
    .result.structuredContent;
}

let count = 0;
/** An account with an owner in one workspace with MCP enabled, made by commands. */
async function place() {
  const account = await stint('account create --name Acme');
  const user = await stint(`user create --account ${account.id} --email p${++count}@cli.example --name Ana_Lind --role owner`);
  const workspace = await stint(`workspace create --account ${account.id} --name Apollo`);
  await stint(`member set --workspace ${workspace.id} --user ${user.id} --role owner`);
  await stint(`workspace mcp --workspace ${workspace.id} --on --limits tasks=delete,time=write`);
  return { account: account.id, user: user.id, workspace: workspace.id };
}

test('objects that commands create work over REST', async (t) => {
  const { user, workspace } = await place();
  const key = await stint(`key create --user ${user} --name CI --grants workspaces:read,tasks:read --expires 2099-01-01T00:00:00Z`);
  t.like(key, { userId: user, name: 'CI', grants: ['workspaces:read', 'tasks:read'], expiresAt: '2099-01-01T00:00:00Z' });
  t.is(await status(key.key, `/items?workspaceId=${workspace}`), 200);
  t.is(await status(key.key, `/items?workspaceId=${workspace}&type=goal`), 403);
  t.deepEqual(await stint(`key revoke --key ${key.id}`), { id: key.id, revoked: true });
  t.is(await status(key.key, `/items?workspaceId=${workspace}`), 401);
});

test('a key stops working at its expiry', async (t) => {
  const { user, workspace } = await place();
  const { id, key } = await stint(`key create --user ${user} --grants tasks:read --expires 2099-01-01T00:00:00Z`);
  t.is(await status(key, `/items?workspaceId=${workspace}`), 200);
  await client.query('update rest_keys set expires_at = now() where id = $1', [id]);
  t.is(await status(key, `/items?workspaceId=${workspace}`), 401);
});

test("only a key's hash is stored", async (t) => {
  const { user } = await place();
  const { id, key } = await stint(`key create --user ${user} --grants tasks:read --expires never`);
  const { rows } = await client.query('select k::text as row from rest_keys k where id = $1', [id]);
  t.false(rows[0].row.includes(key.slice(12)));
});

test('a user is created with password, hours, zone and kind; the password may come from stdin', async (t) => {
  const { account } = await place();
  const made = await stint(
    `user create --account ${account} --email Bo@cli.example --name Bo --account-role admin --kind service --timezone asia/tokyo --weekly-hours 12.5 --password -`,
    'a secret sentence\n',
  );
  t.like(made, { accountId: account, accountRole: 'admin', kind: 'service', timezone: 'Asia/Tokyo', weeklyHours: 12.5, active: true });
  const { rows } = await client.query('select * from users where id = $1', [made.id]);
  t.like(rows[0], { weekly_minutes: 750, account_role: 'admin' });
  t.true(await verifyPassword('a secret sentence', rows[0].password_hash));
});

test('deactivation ends sessions and stops every key', async (t) => {
  const { account, user, workspace } = await place();
  const { key } = await stint(`key create --user ${user} --grants tasks:read,workspaces:read --expires never`);
  const agent = await stint(`connection create --user ${user} --workspaces ${workspace}`);
  const session = newSecret('session');
  await client.query(
    `insert into sessions (account_id, user_id, token_hash, expires_at) select account_id, id, $2, now() + interval '1 hour' from users where id = $1`,
    [user, session.hash],
  );
  const asPerson = () => fetch(`${web.baseUrl}/api/v1/workspaces`, { headers: { Cookie: `JSESSIONID=${session.secret}` } });
  t.is((await asPerson()).status, 200);
  t.truthy(await context(agent.key));
  await stint(`user create --account ${account} --email second${user}@cli.example --name Bo --role owner`);
  t.deepEqual(await stint(`user deactivate --user ${user}`), {
    ...{ id: user, active: false },
    ...{ stoppedTimers: 0, cancelledBlocks: 0, openTasks: 0 },
  });
  t.is((await asPerson()).status, 401);
  t.is(await status(key, `/items?workspaceId=${workspace}`), 401);
  t.is(await context(agent.key), undefined);
  t.is((await client.query('select from sessions where user_id = $1', [user])).rowCount, 0);
});

test('a reactivated user keeps memberships and password, but has no keys, connections and sessions', async (t) => {
  const { account, workspace } = await place();
  const { id: user } = await stint(
    `user create --account ${account} --email back${account}@cli.example --name Bo --password -`,
    'long enough to pass\n',
  );
  await stint(`member set --workspace ${workspace} --user ${user} --role member`);
  const { key } = await stint(`key create --user ${user} --grants tasks:read --expires never`);
  const agent = await stint(`connection create --user ${user} --workspaces ${workspace}`);
  await stint(`user deactivate --user ${user}`);
  t.deepEqual(await stint(`user reactivate --user ${user}`), { id: user, active: true });
  t.is(await status(key, `/items?workspaceId=${workspace}`), 401);
  t.is(await context(agent.key), undefined);
  t.like((await stint(`key list --user ${user}`)).keys[0], { state: 'revoked' });
  t.like((await stint(`connection list --user ${user}`)).connections[0], { state: 'revoked' });
  t.like((await stint(`user list --workspace ${workspace}`)).users[1], { id: user, active: true, canSignIn: true });
  const fresh = await stint(`key create --user ${user} --grants tasks:read --expires never`);
  t.is(await status(fresh.key, `/items?workspaceId=${workspace}`), 200);
});

test('keys of a user imported as deactivated stay invalid after activation', async (t) => {
  const { account } = await place();
  const { id: user } = await stint(`user create --account ${account} --email history${account}@cli.example --name Bo`);
  const { id, key } = await stint(`key create --user ${user} --grants workspaces:read --expires never`);
  await client.query('update users set active = false where id = $1', [user]);
  await stint(`user reactivate --user ${user}`);
  t.is(await status(key, '/workspaces'), 401);
  t.truthy((await client.query('select revoked_at from rest_keys where id = $1', [id])).rows[0].revoked_at);
});

test('reactivating an active user leaves their keys unchanged', async (t) => {
  const { user } = await place();
  const { key } = await stint(`key create --user ${user} --grants workspaces:read --expires never`);
  await stint(`user reactivate --user ${user}`);
  t.is(await status(key, '/workspaces'), 200);
});

test("keys can't access an archived workspace until it is restored", async (t) => {
  const { user, workspace } = await place();
  const { key } = await stint(`key create --user ${user} --grants tasks:read --expires never`);
  t.deepEqual(await stint(`workspace archive --workspace ${workspace}`), { id: workspace, archived: true });
  t.is(await status(key, `/items?workspaceId=${workspace}`), 403);
  t.deepEqual(await stint(`workspace restore --workspace ${workspace}`), { id: workspace, archived: false });
  t.is(await status(key, `/items?workspaceId=${workspace}`), 200);
});

test('changing a membership keeps omitted values, and removing it deletes it', async (t) => {
  const { account, user, workspace } = await place();
  const { key } = await stint(`key create --user ${user} --grants tasks:read,releases:read,goals:read --expires never`);
  const set = (more: string) => stint(`member set --workspace ${workspace} --user ${user} ${more}`);
  t.like(await set('--role member --access releases=none --time-oversight on'), {
    role: 'member',
    access: { releases: 'none' },
    timeOversight: true,
  });
  t.is(await status(key, `/items?workspaceId=${workspace}&type=release`), 403);
  t.like(await set('--access goals=none'), { role: 'member', access: { releases: 'none', goals: 'none' }, timeOversight: true });
  t.is(await status(key, `/items?workspaceId=${workspace}&type=goal`), 403);
  t.like(await set('--access releases=delete'), { role: 'member' });
  t.is(await status(key, `/items?workspaceId=${workspace}&type=release`), 200);
  await stint(`member remove --workspace ${workspace} --user ${user}`);
  t.is(await status(key, `/items?workspaceId=${workspace}`), 403);
  t.truthy(account);
});

test('a connection is read-only by default; rotating replaces only the key; revoking ends it', async (t) => {
  const { user, workspace } = await place();
  const made = await stint(`connection create --user ${user} --name Helper --workspaces ${workspace} --timezone Europe/Berlin`);
  t.deepEqual(made.permissions, { tasks: 'read', requirements: 'read', releases: 'read', milestones: 'read', time: 'read', plans: 'read' });
  t.like(made, {
    userId: user,
    name: 'Helper',
    workspaces: [workspace],
    timezone: 'Europe/Berlin',
    plainLanguage: false,
    notes: [],
    expiresAt: null,
  });
  t.deepEqual((await context(made.key))!.workspaces[0]!.access, {
    tasks: 'read',
    requirements: 'none',
    releases: 'none',
    milestones: 'none',
    time: 'read',
    plans: 'none',
  });
  const { id, key } = await stint(`connection rotate --connection ${made.id}`);
  t.is(id, made.id);
  t.is(await context(made.key), undefined);
  t.like((await context(key))!.connection, { id: made.id, name: 'Helper' });
  await stint(`connection revoke --connection ${made.id}`);
  t.is(await context(key), undefined);
});

test('changing a connection keeps omitted values; limits and MCP apply at once', async (t) => {
  const { user, workspace } = await place();
  const made = await stint(`connection create --user ${user} --workspaces ${workspace} --permissions tasks=write,time=none`);
  const set = (more: string) => stint(`connection set --connection ${made.id} ${more}`);
  const changed = await set('--permissions tasks=delete --plain-language on --expires 2099-01-01T00:00:00+01:00');
  t.deepEqual(changed.permissions, { ...made.permissions, tasks: 'delete' });
  t.like(changed, { plainLanguage: true, workspaces: [workspace], expiresAt: '2098-12-31T23:00:00.000Z' });
  t.like(await set('--expires never --timezone Asia/Tokyo --plain-language off'), {
    expiresAt: null,
    timezone: 'Asia/Tokyo',
    plainLanguage: false,
  });
  const tasks = async () => (await context(made.key))!.workspaces.map(({ access }) => (access as { tasks: string }).tasks);
  t.deepEqual(await tasks(), ['delete']);
  t.deepEqual((await stint(`workspace mcp --workspace ${workspace} --limits tasks=read`)).mcp.limits, {
    tasks: 'read',
    requirements: 'none',
    releases: 'none',
    milestones: 'none',
    time: 'write',
    plans: 'none',
  });
  t.deepEqual(await tasks(), ['read']);
  t.false((await stint(`workspace mcp --workspace ${workspace} --off`)).mcp.enabled);
  t.deepEqual(await tasks(), []);
  await stint(`workspace mcp --workspace ${workspace} --on`);
  t.deepEqual(await tasks(), ['read']);
  t.deepEqual((await set('--workspaces none')).workspaces, []);
  t.deepEqual(await tasks(), []);
});

test("a connection keeps a workspace without MCP when it changes, but can't add one", async (t) => {
  const first = await place();
  const second = await stint(`workspace create --account ${first.account} --name Off`);
  const made = await stint(`connection create --user ${first.user} --workspaces ${first.workspace}`);
  await stint(`workspace mcp --workspace ${first.workspace} --off`);
  const both = stint(`connection set --connection ${made.id} --workspaces ${first.workspace},${second.id}`);
  await t.throwsAsync(both, { message: new RegExp(`--workspaces: no agent of this person can be connected to workspace ${second.id}`) });
  t.deepEqual((await stint(`connection set --connection ${made.id} --workspaces ${first.workspace}`)).workspaces, [first.workspace]);
});

test('the command line can revoke access to personal notes and never grants it', async (t) => {
  const { user } = await place();
  const made = await stint(`connection create --user ${user}`);
  // As the person grants it on the page Agents.
  await client.query('update connections set note_rights = 15 where id = $1', [made.id]);
  t.deepEqual((await stint(`connection set --connection ${made.id} --name Other`)).notes, ['read', 'add', 'edit', 'delete']);
  await t.throwsAsync(stint(`connection set --connection ${made.id} --notes read`), { message: /--notes: give none\. Only the owner/ });
  t.deepEqual((await stint(`connection set --connection ${made.id} --notes none`)).notes, []);
});

test("user update --role changes the role in the account, but never the last owner's", async (t) => {
  const { account, user } = await place();
  const bo = await stint(`user create --account ${account} --email bo${count}@cli.example --name Bo`);
  t.like(await stint(`user update --user ${bo.id} --role owner --name Bo_Berg`), { accountRole: 'owner', name: 'Bo Berg' });
  t.like(await stint(`user update --user ${user} --role member`), { accountRole: 'member' });
  await t.throwsAsync(stint(`user update --user ${bo.id} --role admin`), { message: /An account needs an active owner/ });
});

test('user password-link prints a link that sets a password, and invalidates earlier links', async (t) => {
  const { account } = await place();
  const bo = await stint(`user create --account ${account} --email link${count}@cli.example --name Bo`);
  const env = { SECRET_KEY: TEST_SECRET };
  const link = async () => {
    const result = await stintHere(database.url, ['user', 'password-link', '--user', String(bo.id), '--json'], { env });
    return new URL(result.json.link);
  };
  const [old, fresh] = [await link(), await link()];
  const page = async (url: URL) => (await fetch(`${web.baseUrl}/invitation${url.search}`)).text();
  t.regex(await page(old), /This link was already used or has expired/);
  const shown = await page(fresh);
  t.regex(shown, /Bo, set the password for/);
  t.notRegex(shown, /invites you/);
});

test('key revoke ends all keys of a user, or of an account', async (t) => {
  const { account, user } = await place();
  const bo = await stint(`user create --account ${account} --email keys${count}@cli.example --name Bo`);
  const grants = '--grants workspaces:read';
  const [ana, second, other] = [
    await stint(`key create --user ${user} ${grants}`),
    await stint(`key create --user ${user} ${grants}`),
    await stint(`key create --user ${bo.id} ${grants}`),
  ];
  t.deepEqual(await stint(`key revoke --user ${user}`), { keys: [ana.id, second.id], revoked: 2 });
  t.deepEqual([await status(ana.key, '/workspaces'), await status(other.key, '/workspaces')], [401, 200]);
  t.deepEqual(await stint(`key revoke --account ${account}`), { keys: [other.id], revoked: 1 });
  t.is(await status(other.key, '/workspaces'), 401);
  await t.throwsAsync(stint(`key revoke --user ${user} --account ${account}`), { message: /give one of --key, --user and --account/ });
});

test('accounts and workspaces are renamed, and a workspace is exported without notes, keys and agents', async (t) => {
  const { account, user, workspace } = await place();
  const other = await stint(`workspace create --account ${account} --name Other`);
  await stint(`key create --user ${user} --grants workspaces:read`);
  await stint(`account rename --account ${account} --name Acme_Corp`);
  await stint(`workspace rename --workspace ${workspace} --name Gemini`);
  const { stdout } = await stintHere(database.url, ['workspace', 'export', '--workspace', String(workspace)]);
  const [exported] = JSON.parse(stdout).accounts;
  t.like(exported, { name: 'Acme Corp', restKeys: undefined, connections: undefined, personalNotes: undefined });
  t.deepEqual(
    exported.workspaces.map(({ name }: { name: string }) => name),
    ['Gemini'],
  );
  exported.users = exported.users.map((one: { email: string }) => ({ ...one, email: `copy-${one.email}` }));
  const imported = await stint('import -', JSON.stringify({ accounts: [exported] }));
  t.truthy(imported.refs[`workspace-${workspace}`]);
  t.is(imported.refs[`workspace-${other.id}`], undefined);
});

test('prune deletes rows past their retention at once', async (t) => {
  const { user } = await place();
  await client.query(
    `insert into sessions (token_hash, user_id, account_id, expires_at) select sha256('past'), id, account_id, now() - interval '1 day' from users where id = $1`,
    [user],
  );
  const { deleted } = await stint('prune');
  t.true(deleted.sessions >= 1);
  t.deepEqual(await stint('prune'), { deleted: {} });
});
