/** The page of the user's own sessions over HTTP without script, and confirming the password. */
import { hashSecret } from '../../src/access/secrets.ts';
import { fileDatabase } from '../support/database.ts';
import { PASSWORD } from '../support/password.ts';
import { suite } from '../support/suite.ts';
import { signedIn, Visitor } from '../support/visitor.ts';
import { queueOf } from '../support/workers.ts';
import { oneWorkspace, startWeb, type Web, type WorldRefs, world } from '../support/world.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let web: Web;
let refs: WorldRefs;
test.before('an account', async () => {
  const person = (ref: string) => ({ ref, email: `${ref}@acme.example`, name: ref, password: PASSWORD });
  const file = oneWorkspace(
    { members: [{ user: 'leaver', role: 'member' }] },
    {
      users: ['idle', 'lister', 'leaver', 'candidate'].map(person),
      restKeys: [{ ref: 'k-leaver', user: 'leaver', name: 'CI', grants: ['workspaces:read'] }],
      connections: [{ ref: 'c-leaver', user: 'leaver', name: 'Laptop', workspaces: ['apollo'] }],
    },
  );
  Object.assign(file.accounts[0]!.users![0]!, { email: 'ana@acme.example', password: PASSWORD });
  refs = await world(database.url, file);
  web = await startWeb(database.url);
});
test.after('stop', () => web?.stop());
const as = (ref: string) => signedIn(web.baseUrl, `${ref}@acme.example`);

test('a session ends after 7 days without use, for pages and the API, and each use extends it', async (t) => {
  const queue = await queueOf(t, database.url);
  const idle = await as('idle');
  const lastUsed = (interval: string) =>
    queue.rows(`update sessions set last_used_at = now() - $2::interval where token_hash = $1`, [hashSecret(idle.cookie), interval]);
  await lastUsed('6 days 23 hours');
  t.is((await idle.go('/my')).path, '/my');
  // Uses in memory are written within moments.
  const hash = hashSecret(idle.cookie).toString('hex');
  await queue.until(`select last_used_at > now() - interval '1 hour' as fresh from sessions where token_hash = '\\x${hash}'`);
  await lastUsed('7 days 1 minute');
  t.is((await idle.request('/api/v1/workspaces')).status, 401);
  t.is((await idle.go('/')).path, '/sign-in');
});

test("a page lists the user's own sessions with device, address and last use, and can end any", async (t) => {
  const here = await as('lister');
  const there = new Visitor(web.baseUrl);
  await there.go('/sign-in');
  const { path, fields } = there.form('/sign-in');
  fields.set('email', 'lister@acme.example');
  fields.set('password', PASSWORD);
  await there.post(path, fields, { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' });
  const page = await here.go('/settings/sessions');
  t.regex(page.text, /Firefox on Linux\s*127\.0\.0\.1\s*Today \d\d:\d\d\s*just now/);
  t.is(page.text.split('this session').length, 2);
  const other = await as('ana');
  t.notRegex((await other.go('/settings/sessions')).text, /Firefox on Linux/, 'no one else sees it');
  const forms = [...page.html.matchAll(/name="sessionId" value="(\d+)"/g)].map(([, id]) => id!);
  t.is(forms.length, 2);
  const mine = /this session[\s\S]*?name="sessionId" value="(\d+)"/.exec(page.html)![1];
  const foreign = forms.find((id) => id !== mine)!;
  const stolen = other.form('/end').fields;
  stolen.set('sessionId', foreign);
  await other.post('/settings/sessions/end', stolen);
  t.is((await there.go('/')).path, '/', 'no one else ends it');
  t.regex((await here.send('/end', {}, (one) => one.get('sessionId') === foreign)).text, /Session ended/);
  t.is((await there.go('/')).path, '/sign-in');
  t.is((await here.go('/')).path, '/');
});

test('making a key, an agent or an administrator requires the password after 10 minutes, and typed values are kept', async (t) => {
  const queue = await queueOf(t, database.url);
  const ana = await as('ana');
  const age = () =>
    queue.rows(`update sessions set created_at = now() - interval '11 minutes', confirmed_at = null where token_hash = $1`, [
      hashSecret(ana.cookie),
    ]);
  await age();
  await ana.go('/settings/keys');
  const asked = await ana.send('/create', { name: 'Late key', grants: ['tasks:read', 'workspaces:read'], expires: '30' });
  t.regex(asked.text, /Confirm your password/);
  t.notRegex((await queue.rows(`select name from rest_keys`)).map(({ name }) => name).join(), /Late key/);
  const wrong = await ana.send('/create', { _password: 'not this one' });
  t.regex(wrong.text, /password is not correct/);
  t.regex(wrong.html, /name="_password"[^>]* aria-invalid="true"/);
  t.regex((await ana.send('/create', { _password: PASSWORD })).text, /stint_rest_/);
  const [key] = await queue.rows(
    `select rights, expires_at - created_at < interval '31 days' as brief from rest_keys where name = 'Late key'`,
  );
  t.true(key.rights > 0 && key.brief, 'as it was typed');
  await ana.go('/settings/keys');
  t.regex((await ana.send('/create', { name: 'Next key', grants: ['tasks:read'] })).text, /stint_rest_/, 'not again within ten minutes');

  await age();
  await ana.go('/mcp-access');
  await ana.send('/create', { name: 'Late agent', workspaces: String(refs.id('apollo')) });
  t.regex(ana.at.text, /Confirm your password/);
  t.regex((await ana.send('/create', { _password: PASSWORD })).text, /stint_agent_/);

  await age();
  const candidate = `/settings/people/${refs.id('candidate')}`;
  await ana.go(candidate);
  await ana.sendSurely('/role', { accountRole: 'admin' });
  t.regex(ana.at.text, /Confirm your password/);
  const roleNow = async () => (await queue.rows('select account_role from users where id = $1', [refs.id('candidate')]))[0].account_role;
  t.is(await roleNow(), 'member');
  await ana.send('/role', { _password: PASSWORD });
  t.is(await roleNow(), 'admin');
  await age();
  await ana.go(candidate);
  await ana.send('/role', { accountRole: 'member' });
  t.is(await roleNow(), 'member', 'taking rights away asks nothing');
  await ana.go('/settings/people');
  await ana.sendSurely('/add', { name: 'Second', email: 'second@acme.example', accountRole: 'admin' });
  t.regex(ana.at.text, /Confirm your password/);
  t.regex((await ana.send('/add', { _password: PASSWORD })).text, /Give this link/);
});

test("changing the password offers to revoke the user's agents and keys", async (t) => {
  const leaver = await as('leaver');
  const keys = async () => [
    (await fetch(`${web.baseUrl}/api/v1/workspaces`, { headers: { 'X-API-Key': refs.key('k-leaver') } })).status,
    (await fetch(`${web.baseUrl}/mcp`, { method: 'POST', headers: { Authorization: `Bearer ${refs.key('c-leaver')}` }, body: '{}' }))
      .status === 401,
  ];
  await leaver.go('/settings/password');
  await leaver.send('/settings/password', { current: PASSWORD, password: 'lantern over quiet water' });
  t.deepEqual(await keys(), [200, false], 'only on request');
  await leaver.send('/settings/password', { current: 'lantern over quiet water', password: `${PASSWORD} once more`, revoke: 'on' });
  t.deepEqual(await keys(), [401, true]);
});

test('a second cookie of the same name signs no user out', async (t) => {
  const ana = await as('ana');
  for (const cookie of [`JSESSIONID=planted; JSESSIONID=${ana.cookie}`, `JSESSIONID=${ana.cookie}; JSESSIONID=planted`]) {
    for (const path of ['/my', '/api/v1/workspaces']) {
      const { status } = await fetch(web.baseUrl + path, { headers: { Cookie: cookie }, redirect: 'manual' });
      t.is(status, 200, `${cookie} ${path}`);
    }
  }
});
