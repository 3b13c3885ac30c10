/** First run: only the holder of the operator's link can create the first account (behaviour §12.28). One after another: each starts a web process
 *  and commands, and the first forms hash passwords. */
import type { ExecutionContext } from 'ava';
import { stint as command, stintHere, stintOn } from '../support/cli.ts';
import { freshDatabase } from '../support/database.ts';
import { PASSWORD } from '../support/password.ts';
import { Fixtures } from '../support/restWorld.ts';
import { suite } from '../support/suite.ts';
import { Visitor } from '../support/visitor.ts';
import { oneWorkspace, ownerPath, startWeb, world } from '../support/world.ts';

const test = suite(import.meta.url);

const owner = { account: 'Acme', name: 'Ana', email: 'ana@acme.example', timezone: 'Europe/Berlin', password: PASSWORD };
const typed = new URLSearchParams(owner);
const tokenIn = (link: string) => new URL(link, 'http://here').searchParams.get('token')!;
const pathIn = (link: string) => link.slice(link.indexOf('/welcome'));
const marked = (html: string) => [...html.matchAll(/name="(\w+)"[^>]* aria-invalid="true"/g)].map(([, name]) => name);

async function installation(t: ExecutionContext, env: Record<string, string> = {}) {
  const url = await freshDatabase(t);
  const web = await startWeb(url, env);
  t.teardown(web.stop);
  const fixtures = new Fixtures(url);
  t.teardown(() => fixtures.close());
  const names = async (table: 'accounts' | 'users') =>
    (await fixtures.sql(`select name from ${table} order by id`)).map(({ name }) => name);
  return { url, sql: (text: string) => fixtures.sql(text), names, stint: stintOn(() => url), visitor: () => new Visitor(web.baseUrl) };
}

test("first run: of several concurrent forms, with one link or two valid ones, one creates the installation's owner", async (t) => {
  const { url, names, sql, visitor } = await installation(t);
  const links = [await ownerPath(url), await ownerPath(url)];
  const visitors = await Promise.all(
    [0, 0, 1, 1].map(async (at) => {
      const one = visitor();
      t.regex((await one.go(links[at]!)).text, /This installation has no account yet/);
      return one;
    }),
  );
  const answers = await Promise.all(visitors.map((one, i) => one.send('/welcome', { ...owner, email: `n${i}@x.example` })));
  t.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409]);
  t.deepEqual([await names('accounts'), await names('users')], [['Acme'], ['Ana']]);
  t.deepEqual(await sql('select 1 from owner_links'), []);
});

test('first run: a missing, wrong or expired token creates nothing, marks its field and keeps the typed values', async (t) => {
  const { url, names, sql, visitor } = await installation(t);
  const old = tokenIn(await ownerPath(url));
  await sql(`update owner_links set expires_at = now()`);
  for (const token of ['', 'x', old, `${old}0`]) {
    const stranger = visitor();
    t.regex((await stranger.go('/')).text, /This installation has no account yet/);
    const shown = await stranger.send('/welcome', { ...owner, token });
    t.is(shown.status, 400, token);
    t.regex(shown.text, /One-time token: (give the one-time token|is wrong or has expired)/, token);
    t.deepEqual(marked(shown.html), ['token'], token);
    const { fields } = stranger.form('/welcome');
    t.deepEqual(Object.fromEntries(fields), { ...owner, token, password: '' });
  }
  const withOld = await visitor().go(`/welcome?token=${old}`);
  t.is(withOld.status, 400);
  t.deepEqual(marked(withOld.html), ['token']);
  t.deepEqual([await names('accounts'), await names('users')], [[], []]);
  // Typed by hand instead of following the link.
  const ana = visitor();
  await ana.go('/welcome');
  t.regex((await ana.send('/welcome', { ...owner, token: tokenIn(await ownerPath(url)) })).text, /Name of the workspace/);
});

test('first run: every faulty field is marked, and the link stays valid', async (t) => {
  const { url, visitor } = await installation(t);
  const ana = visitor();
  await ana.go(await ownerPath(url));
  const refused = await ana.send('/welcome', { ...owner, account: '', email: 'ana', password: 'short' });
  t.is(refused.status, 400);
  t.deepEqual(marked(refused.html), ['account', 'email', 'password']);
  t.regex(refused.text, /Account name \(your team or company\): .*Your email: .*Password: give at least 10 characters/);
  t.notRegex(refused.html, /short"/);
  t.regex((await ana.send('/welcome', { account: 'Acme', email: 'ana@acme.example', password: PASSWORD })).text, /Name of the workspace/);
});

test('first run: a used link redirects to sign in, and no new link is made', async (t) => {
  const { url, stint, names, visitor } = await installation(t);
  const [first, second] = [await ownerPath(url), await ownerPath(url)];
  const ana = visitor();
  await ana.go(first);
  await ana.send('/welcome', owner);
  for (const link of [first, second]) {
    const late = visitor();
    const shown = await late.go(link);
    t.regex(shown.path, /^\/sign-in/);
    t.regex(shown.text, /This link was already used or has expired. Sign in/);
    const fields = new URLSearchParams(typed);
    fields.set('token', tokenIn(link));
    t.is((await late.post('/welcome', fields)).status, 409);
  }
  t.is((await visitor().go('/welcome')).path, '/sign-in');
  t.is((await stint('migrate')).ownerLink, null);
  t.deepEqual(await names('users'), ['Ana']);
});

test('first run: once an account exists, no link of the empty installation works', async (t) => {
  const { url, names, visitor, stint } = await installation(t);
  const link = await ownerPath(url);
  const { ownerLink } = await stint('account create --name Northern_Lights');
  const stranger = visitor();
  t.is((await stranger.go(link)).status, 400);
  t.is((await stranger.send('/welcome', { ...owner, token: tokenIn(link) })).status, 400);
  await world(url, oneWorkspace());
  t.regex((await visitor().go(link)).path, /^\/sign-in/);
  t.deepEqual(await names('accounts'), ['Northern Lights', 'Acme']);
  t.is((await visitor().go(pathIn(ownerLink))).status, 200, 'the link of an account without users stays valid');
});

test('first run: account create prints a link for that account only, and its user becomes the only owner', async (t) => {
  const { url, names, sql, stint, visitor } = await installation(t);
  await world(url, oneWorkspace());
  const { id, ownerLink } = await stint('account create --name Northern_Lights');
  t.regex(ownerLink, /^http:\/\/localhost:\d+\/welcome\?token=[\w-]{43}$/);
  const [bo, late] = [visitor(), visitor()];
  for (const one of [bo, late]) t.regex((await one.go(pathIn(ownerLink))).text, /Welcome to Northern Lights.*You become its owner/);
  t.false(bo.form('/welcome').fields.has('account'));
  const { account: _, ...person } = owner;
  const answers = await Promise.all([bo, late].map((one, i) => one.send('/welcome', { ...person, email: `bo${i}@north.example` })));
  t.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
  t.deepEqual(await sql(`select account_role, kind from users where account_id = ${id}`), [{ account_role: 'owner', kind: 'person' }]);
  t.deepEqual(await names('accounts'), ['Acme', 'Northern Lights']);
});

test("first run: an account's link typed by hand names the account, and expires when a command adds a person", async (t) => {
  const { stint, visitor } = await installation(t);
  const { id, ownerLink } = await stint('account create --name Northern_Lights');
  const bo = visitor();
  await bo.go('/welcome');
  t.regex(
    (await bo.send('/welcome', { ...owner, token: tokenIn(ownerLink) })).text,
    /this token belongs to the existing account Northern Lights/,
  );
  t.false(bo.form('/welcome').fields.has('account'));
  await stint(`user create --account ${id} --email robot@north.example --name Robot --kind service`);
  await stint(`user create --account ${id} --email cleo@north.example --name Cleo --role owner`);
  t.is((await bo.send('/welcome', { password: PASSWORD })).status, 409);
});

test('first run: every migrate of an empty installation prints another valid link under BASE_URL, and stores only hashes', async (t) => {
  const { url, sql, visitor } = await installation(t);
  const env = { BASE_URL: 'https://work.example.com/stint/' };
  const released = await command(url, ['migrate'], { env });
  const printed = /https:\/\/work\.example\.com\/stint\/welcome\?token=[\w-]{43}$/m.exec(released.stdout)![0];
  const again = await stintHere(url, ['migrate', '--json']);
  t.not(tokenIn(again.json.ownerLink), tokenIn(printed));
  for (const link of [printed, again.json.ownerLink]) t.is((await visitor().go(pathIn(link))).status, 200, link);
  const stored = JSON.stringify(await sql(`select *, encode(token_hash, 'base64') from owner_links`));
  t.false(stored.includes(tokenIn(printed)));
  const wrong = await command(url, ['migrate'], { env: { BASE_URL: 'http://work.example.com' } });
  t.is(wrong.code, 1);
  t.regex(wrong.stderr, /^BASE_URL: must be https/);
});

test('first run: token attempts are limited like password attempts', async (t) => {
  const { visitor } = await installation(t, { RATE_LIMIT_SIGN_IN: '3' });
  const statuses: number[] = [];
  // The minute may change in between.
  for (let i = 0; i < 8; i++) {
    const guess = `guess${i}`;
    const fields = new URLSearchParams({ ...owner, token: guess });
    statuses.push((i % 2 ? await visitor().go(`/welcome?token=${guess}`) : await visitor().post('/welcome', fields)).status);
  }
  t.true(statuses.filter((status) => status === 429).length >= 2, String(statuses));
});
