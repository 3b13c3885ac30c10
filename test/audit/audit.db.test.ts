/** The audit records what happens to an account, its people, keys and workspaces (behaviour §17): over HTTP and the command line. */
import { userInfo } from 'node:os';
import type { ExecutionContext } from 'ava';
import { auditFailedSignIns } from '../../src/accounts/signIn.ts';
import { commands } from '../../src/cli/commands.ts';
import { connectDb } from '../../src/database/db.ts';
import { perform } from '../../src/operations/perform.ts';
import { renameWorkspace } from '../../src/workspaces/administer.ts';
import { stintHere } from '../support/cli.ts';
import { fileDatabase } from '../support/database.ts';
import { ask, once } from '../support/mcpWorld.ts';
import { PASSWORD } from '../support/password.ts';
import { Fixtures } from '../support/restWorld.ts';
import { suite } from '../support/suite.ts';
import { signedIn, Visitor } from '../support/visitor.ts';
import { oneWorkspace, startWeb, TEST_SECRET, type Web, type WorldRefs, world } from '../support/world.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let web: Web;
let refs: WorldRefs;
let fixtures: Fixtures;
let accountId: number;
test.before('an account', async () => {
  const person = (ref: string, accountRole: 'owner' | 'admin' | 'member') =>
    ({ ref, email: `${ref}@acme.example`, name: ref, accountRole, password: PASSWORD }) as const;
  const file = oneWorkspace(
    { items: [{ ref: 'r', type: 'requirement', title: 'A secret requirement', status: 'planned' }] },
    {
      users: [
        person('olga', 'owner'),
        person('adam', 'admin'),
        person('mia', 'member'),
        person('paul', 'member'),
        person('lena', 'member'),
      ],
      personalNotes: [{ ref: 'n', user: 'ana', html: '<p>Dear diary</p>' }],
    },
  );
  Object.assign(file.accounts[0]!.users![0]!, { email: 'ana@acme.example', password: PASSWORD });
  refs = await world(database.url, file);
  web = await startWeb(database.url, { RATE_LIMIT_SIGN_IN: '1000' });
  fixtures = new Fixtures(database.url);
  [{ accountId }] = (await fixtures.sql('select account_id::int as "accountId" from users where id = $1', [refs.id('ana')])) as [
    { accountId: number },
  ];
});
test.after('stop', () => Promise.all([web?.stop(), fixtures?.close()]));

// biome-ignore lint/suspicious/noExplicitAny: rows are looked into freely
type Row = any;

/** The newest line of the kind. */
async function latest(kind: string): Promise<Row> {
  const [row] = await fixtures.sql('select * from audit where account_id = $1 and kind = $2 order by id desc limit 1', [accountId, kind]);
  return row;
}
const count = async (kind = '%') =>
  Number((await fixtures.sql('select count(*) from audit where account_id = $1 and kind like $2', [accountId, kind]))[0].count);

function isBy(t: ExecutionContext, row: Row, who: string, more: object = {}) {
  t.like(row, { actor_id: String(refs.id(who)), via: 'page', address: '127.0.0.1', credential_id: null, ...more });
}

test('the audit records a sign-in with person and address, and a sign-out everywhere, which ends every session', async (t) => {
  const one = await signedIn(web.baseUrl, 'mia@acme.example');
  isBy(t, await latest('sign_in'), 'mia', { actor_name: 'mia', user_id: String(refs.id('mia')), changes: {} });
  const other = await signedIn(web.baseUrl, 'mia@acme.example');
  await other.go('/settings/sessions');
  await other.sendSurely('/end-all');
  t.regex(other.at.text, /signed out everywhere/);
  isBy(t, await latest('sessions.ended'), 'mia');
  t.regex((await one.go('/my')).path, /^\/sign-in/);
});

test('the audit records changed roles, hours and activity with old and new value, and omits saves without a change', async (t) => {
  const olga = await signedIn(web.baseUrl, 'olga@acme.example');
  await olga.go(`/settings/people/${refs.id('paul')}`);
  await olga.sendSurely('/role', { accountRole: 'admin' });
  const role = await latest('user.role');
  isBy(t, role, 'olga', { user_id: String(refs.id('paul')), subject_name: 'paul' });
  t.deepEqual(role.changes, { role: ['member', 'admin'] });
  const before = await count();
  await olga.sendSurely('/role', { accountRole: 'admin' });
  t.is(await count(), before);
  await olga.send('/hours', { weeklyHours: '30.5' });
  t.deepEqual((await latest('user.changed')).changes, { weeklyHours: [null, 30.5] });
  await olga.sendSurely('/active');
  t.deepEqual((await latest('user.deactivated')).changes, { active: [true, false] });
  await olga.send('/active');
  t.deepEqual((await latest('user.activated')).changes, { active: [false, true] });
});

test('lines of concurrent changes form a chain: each starts with the value at which the one before ended', async (t) => {
  const db = await connectDb(database.url, 6);
  t.teardown(() => db.close());
  const caller = { kind: 'user', userId: refs.id('ana') } as const;
  const names = Array.from({ length: 12 }, (_, n) => `Name ${n}`);
  const workspaceId = refs.id('apollo');
  await Promise.all(names.map((name) => perform(db, caller, renameWorkspace, { workspaceId, name })));
  await perform(db, caller, renameWorkspace, { workspaceId, name: 'Apollo' });
  const rows = await fixtures.sql("select changes, via from audit where kind = 'workspace.renamed' and account_id = $1 order by id", [
    accountId,
  ]);
  t.is(rows.length, 13);
  rows.reduce((before, { changes, via }) => {
    t.deepEqual([changes.name[0], via], [before, 'job']);
    return changes.name[1];
  }, 'Apollo');
});

test('refused and rolled back operations leave no line', async (t) => {
  const before = await count();
  const ana = await signedIn(web.baseUrl, 'ana@acme.example');
  await ana.go(`/workspaces/${refs.id('apollo')}/settings/members/${refs.id('ana')}`);
  // The last owner of a workspace can't be removed.
  t.is((await ana.sendSurely('/settings/members', { role: 'member' })).status, 409);
  t.is(await count(), before + 1);
});

test('the audit records added and invited people and used links, without the link', async (t) => {
  const olga = await signedIn(web.baseUrl, 'olga@acme.example');
  await olga.go('/settings/people');
  await olga.send('/add', { name: '=cmd()', email: 'new@acme.example' });
  const [link, token] = /\/invitation\?i=\d+&t=([\w-]+)/.exec(olga.at.text)!;
  const added = await latest('user.added');
  t.like(added.changes, { email: [null, 'new@acme.example'], role: [null, 'member'] });
  isBy(t, await latest('link.made'), 'olga', { user_id: added.user_id });
  const visitor = new Visitor(web.baseUrl);
  await visitor.go(link);
  await visitor.send('/invitation', { password: `${PASSWORD} of the new one` });
  for (const kind of ['link.used', 'password.set', 'sign_in'])
    t.like(await latest(kind), { actor_id: added.user_id, user_id: added.user_id, address: '127.0.0.1' });
  await visitor.go('/settings/password');
  await visitor.send('/settings/password', { current: `${PASSWORD} of the new one`, password: `${PASSWORD} and another` });
  t.like(await latest('password.changed'), { actor_id: added.user_id });
  const kept = await fixtures.sql("select string_agg(a::text, e'\\n') as text from audit a");
  for (const secret of [token, PASSWORD, 'argon2']) t.false(kept[0].text.includes(secret));
});

test('the audit records keys, agents, workspaces, members, limits and texts, without any secret', async (t) => {
  const ana = await signedIn(web.baseUrl, 'ana@acme.example');
  await ana.go('/settings/keys');
  await ana.send('/create', { name: 'CI', grants: ['tasks:read'] });
  const secret = /stint_rest_[\w-]+/.exec(ana.at.html)![0];
  const made = await latest('key.made');
  t.like(made.changes, { name: [null, 'CI'], grants: [null, ['tasks:read']], revoked: [null, false] });
  await ana.go('/settings/keys');
  await ana.sendSurely('/revoke', {}, (fields) => fields.get('keyId') === made.subject_id);
  t.deepEqual((await latest('key.revoked')).changes, { revoked: [false, true] });

  await ana.go('/mcp-access');
  await ana.sendSurely('/rotate');
  isBy(t, await latest('connection.rotated'), 'ana', { changes: {}, subject: 'connection' });
  const agentSecret = /stint_agent_[\w-]+/.exec(ana.at.html)![0];

  await ana.go('/');
  const settings = `/workspaces/${refs.id('apollo')}/settings`;
  await ana.go(settings);
  await ana.send('/name', { name: 'Artemis' });
  const renamed = await latest('workspace.renamed');
  t.deepEqual([renamed.changes, renamed.workspace_id], [{ name: ['Apollo', 'Artemis'] }, String(refs.id('apollo'))]);
  await ana.go(`${settings}/statuses`);
  await ana.send('/statuses/add', { key: 'testing', label: 'Testing', status: 'in_progress', types: ['task'] });
  t.like((await latest('workspace.words')).changes, { 'status testing': [null, { label: 'Testing' }] });
  await fixtures.member(refs.id('apollo'), refs.id('mia'), 'member');
  await ana.go(`${settings}/members/${refs.id('mia')}`);
  await ana.send('/settings/members', { role: 'viewer' });
  t.like(await latest('member.put'), { user_id: String(refs.id('mia')), workspace_id: String(refs.id('apollo')) });
  t.deepEqual((await latest('member.put')).changes.role, ['member', 'viewer']);
  const [{ text }] = await fixtures.sql("select string_agg(a::text, e'\\n') as text from audit a");
  for (const one of [secret, agentSecret]) t.false(text.includes(one));
});

test('an approval is recorded without the title, which only readers of the item may see', async (t) => {
  const ana = await signedIn(web.baseUrl, 'ana@acme.example');
  await ana.go(`/workspaces/${refs.id('apollo')}/items/${refs.id('r')}`);
  await ana.send('/approval', { decision: 'request' });
  const row = await latest('approval.requested');
  isBy(t, row, 'ana', { subject: 'item', subject_id: String(refs.id('r')), changes: { status: ['planned', 'pending_approval'] } });
  t.notRegex(JSON.stringify(row), /secret requirement/);
});

test("an agent's permanent deletion is recorded with the agent's name and without the content; a retry adds no line", async (t) => {
  const [{ revision }] = await fixtures.sql('select revision from personal_notes where id = $1', [refs.id('n')]);
  await fixtures.sql('update connections set note_rights = 15 where id = $1', [refs.id('c1')]);
  await fixtures.sql('update connections set key_hash = sha256($2) where id = $1', [refs.id('c1'), Buffer.from('stint_agent_x')]);
  const given = once({ id: refs.id('n'), revision });
  for (let n = 0; n < 2; n++) await ask({ url: `${web.baseUrl}/mcp`, key: 'stint_agent_x' }, 'svc_personal_notes_delete', given);
  t.is(await count('note.erased'), 1);
  const row = await latest('note.erased');
  isBy(t, row, 'ana', { via: 'agent', credential_id: String(refs.id('c1')), subject_id: String(refs.id('n')), subject_name: '' });
  t.is(row.credential_name, (await fixtures.sql('select name from connections where id = $1', [refs.id('c1')]))[0].name);
  t.notRegex(JSON.stringify(row), /diary/);
});

test('a wrong password is recorded in the accounts that have the address, an unknown address nowhere', async (t) => {
  const before = await count();
  const [{ id: last }] = await fixtures.sql('select coalesce(max(id), 0) as id from graphile_worker._private_jobs');
  for (const email of ['adam@acme.example', 'nobody@acme.example']) {
    const visitor = new Visitor(web.baseUrl);
    await visitor.go('/sign-in');
    t.is((await visitor.send('/sign-in', { email, password: 'wrong password' })).status, 401);
  }
  // A caller can't tell whether an address exists.
  const jobs = await fixtures.sql('select payload from graphile_worker._private_jobs where id > $1 order by id', [last]);
  t.deepEqual(
    jobs.map(({ payload: { about: _about, ...payload } }) => payload),
    [
      { userIds: [refs.id('adam')], address: '127.0.0.1' },
      { userIds: [], address: '127.0.0.1' },
    ],
  );
  const db = await connectDb(database.url, 1);
  t.teardown(() => db.close());
  for (const { payload } of jobs) await auditFailedSignIns(db, payload.userIds, payload.address);
  t.is(await count(), before + 1);
  t.like(await latest('sign_in.failed'), { actor_id: null, actor_name: '', user_id: String(refs.id('adam')), address: '127.0.0.1' });
});

test('a storm of wrong passwords leaves ten lines an hour for a person, and the last one counts the rest', async (t) => {
  const db = await connectDb(database.url, 4);
  t.teardown(() => db.close());
  const lena = refs.id('lena');
  for (let round = 0; round < 4; round++) await Promise.all(Array.from({ length: 10 }, () => auditFailedSignIns(db, [lena], '192.0.2.1')));
  const rows = await fixtures.sql('select changes from audit where user_id = $1 order by id', [lena]);
  t.is(rows.length, 10);
  t.deepEqual(rows.at(-1).changes, { attempts: [null, 31] });
});

test("only owners and administrators read their account's audit, with filters", async (t) => {
  const adam = await signedIn(web.baseUrl, 'adam@acme.example');
  await adam.go('/settings/audit');
  t.is(adam.at.status, 200);
  t.regex(adam.at.text, /changed a role in the account/);
  t.regex(adam.at.text, /role: member → admin/);
  await adam.go(`/settings/audit?kind=key.made&person=${refs.id('ana')}&from=2020-01-01&to=2999-12-31`);
  t.regex(adam.at.text, /key CI/);
  t.notRegex(adam.at.text, /role: member/);
  t.regex((await adam.go('/settings/audit?to=2020-01-01')).text, /No changes found/);
  t.is((await adam.go('/settings/audit?kind=nonsense&person=x&from=x&before=-1')).status, 200);
  const mia = await signedIn(web.baseUrl, 'mia@acme.example');
  t.is((await mia.go('/settings/audit')).status, 403);

  const file = oneWorkspace();
  Object.assign(file.accounts[0]!.users![0]!, { email: 'eve@other.example', password: PASSWORD, accountRole: 'owner' });
  await world(database.url, file);
  const eve = await signedIn(web.baseUrl, 'eve@other.example');
  await eve.go(`/settings/audit?person=${refs.id('ana')}`);
  t.regex(eve.at.text, /No changes found/);
  t.notRegex((await eve.go('/settings/audit')).html, /paul|Artemis/);
});

test('audit pages link to older ones; an export has all lines, is safe to open, and is recorded', async (t) => {
  await fixtures.sql(
    `insert into audit (account_id, kind, actor_name, via, subject, subject_id, subject_name)
     select $1, 'user.changed', '', 'cli', 'user', n, 'many' from generate_series(1, 2100) n`,
    [accountId],
  );
  const adam = await signedIn(web.baseUrl, 'adam@acme.example');
  await adam.go('/settings/audit');
  const [, older] = /href="[^"]*(\/settings\/audit\?[^"]*before=\d+)"/.exec(adam.at.html)!;
  const [first] = adam.at.html.match(/<time[^>]*>/g)!;
  await adam.go(older!.replaceAll('&amp;', '&'));
  t.is(adam.at.html.match(/<th scope="row">/g)!.length, 50);
  t.truthy(first);
  await adam.go('/settings/audit');
  const file = await adam.send('/settings/audit/csv');
  t.is(file.headers.get('content-type'), 'text/csv; charset=utf-8');
  t.regex(file.headers.get('content-disposition')!, /^attachment/);
  const lines = file.html.trimEnd().split('\r\n');
  t.is(lines.length, 1 + (await count()));
  t.true(file.html.includes(`"'=cmd()"`));
  isBy(t, await latest('audit.exported'), 'adam');
});

test("operator commands are recorded with the operator's name, and `audit` writes all lines", async (t) => {
  const file = JSON.stringify({ accounts: [{ name: 'Imported', users: [{ ref: 'u', email: 'u@imported.example', name: 'U' }] }] });
  const ran = new Set<string>();
  const run = async (words: string, input = '') => {
    ran.add(words.split(' --')[0]!.replace(' -', ''));
    const result = await stintHere(database.url, [...words.split(' '), '--json'], { input, env: { SECRET_KEY: TEST_SECRET } });
    t.is(result.code, 0, `${words}: ${result.stderr}`);
    return result.json;
  };
  const { id: account } = await run('account create --name Told');
  await run(`account rename --account ${account} --name Told-again`);
  const { id: user } = await run(`user create --account ${account} --email told@told.example --name Told --role owner`);
  const { id: other } = await run(`user create --account ${account} --email other@told.example --name Other --role owner`);
  await run(`user update --user ${user} --name Changed`);
  await run(`user password-link --user ${other}`);
  const { id: workspace } = await run(`workspace create --account ${account} --name Place`);
  await run(`workspace rename --workspace ${workspace} --name Another`);
  await run(`workspace export --workspace ${workspace}`);
  await run(`member set --workspace ${workspace} --user ${user} --role owner`);
  await run(`workspace mcp --workspace ${workspace} --on --limits tasks=read`);
  const { id: key } = await run(`key create --user ${user} --grants tasks:read`);
  await run(`key revoke --key ${key}`);
  const { id: connection } = await run(`connection create --user ${user} --workspaces ${workspace}`);
  await run(`connection set --connection ${connection} --permissions tasks=write`);
  await run(`connection rotate --connection ${connection}`);
  await run(`connection revoke --connection ${connection}`);
  const url = 'https://93.184.215.14/a-secret-of-the-receiver';
  const { id: webhook } = await run(`webhook create --workspace ${workspace} --user ${user} --url ${url}`);
  await run(`webhook rotate --webhook ${webhook}`);
  await run(`webhook revoke --webhook ${webhook}`);
  await run(`member remove --workspace ${workspace} --user ${user}`);
  await run(`workspace archive --workspace ${workspace}`);
  await run(`workspace erase --workspace ${workspace}`);
  await run(`workspace restore --workspace ${workspace}`);
  await run(`user deactivate --user ${other}`);
  await run(`user reactivate --user ${other}`);
  await run(`user erase --user ${other}`);
  await run(`account erase --account ${account}`);
  await run(`account restore --account ${account}`);
  await run(`export --account ${account}`);
  await run('import -', file);

  const reads = /list$|^doctor$|^sbom$|^audit$|^changes$|^time$|^version$|^prune$/;
  const others = ['migrate', 'jobs retry', 'jobs drop', 'restore prepare', 'restore finish', 'webhook test'];
  const changing = Object.keys(commands).filter((name) => !reads.test(name) && !others.includes(name));
  t.deepEqual([...ran].sort(), changing.sort(), 'every command that changes an account is tried here');

  const since = new Date(Date.now() - 3_600_000).toISOString();
  const { stdout, code } = await stintHere(database.url, ['audit', '--account', String(account), '--since', since, '--json']);
  t.is(code, 0);
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Row);
  t.deepEqual(
    lines.map(({ kind }) => kind),
    [
      ...[
        'account.made',
        'account.renamed',
        'user.added',
        'user.added',
        'user.changed',
        'link.made',
        'workspace.made',
        'workspace.renamed',
      ],
      ...['workspace.exported', 'member.put', 'workspace.limits', 'key.made'],
      ...['key.revoked', 'connection.made', 'connection.changed', 'connection.rotated', 'connection.revoked', 'webhook.made'],
      ...['webhook.rotated', 'webhook.revoked', 'member.removed'],
      ...['workspace.archived', 'workspace.erased', 'workspace.archived', 'user.deactivated', 'user.activated', 'user.erased'],
      ...['account.erased', 'account.restored', 'account.exported'],
    ],
  );
  for (const line of lines) t.like(line, { via: 'cli', actorId: null, actorName: userInfo().username, address: null, accountId: account });
  t.notRegex(stdout, /secret-of-the-receiver|whsec_/);
  t.deepEqual(lines[4].changes, { name: ['Told', 'Changed'] });
  t.deepEqual(lines[14].changes.permissions[1].tasks, 'write');
  t.regex(lines[0].at, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  const all = await stintHere(database.url, ['audit', '--json']);
  t.regex(all.stdout, /"account.imported"/);
  t.is((await stintHere(database.url, ['audit', '--account', String(account), '--since', '2999-01-01T00:00:00Z'])).stdout, '');
  t.is((await stintHere(database.url, ['audit', '--since', 'yesterday'])).code, 1);
});
