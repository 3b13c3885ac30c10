/** Misleading names, hundreds of invitations, and an address in several accounts; over HTTP. */
import { createHook } from 'node:async_hooks';
import { Label, Title } from '../../src/values/text.ts';
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
const SHARED = 'shared@post.example';
const WIDE = { email: 'wide@post.example', name: 'Wide', password: PASSWORD };
test.before('four accounts, with one address in three of them and another in all', async () => {
  const account = (name: string, owner: string, users: object[]) => {
    const file = oneWorkspace({}, { name, users: [...users, WIDE] as never });
    Object.assign(file.accounts[0]!.users![0]!, { email: `${owner}@post.example`, password: PASSWORD });
    return world(database.url, file);
  };
  const shared = (password: string) => ({ email: SHARED, name: 'Shared', password });
  refs = await account('First', 'first', [shared(PASSWORD), { ref: 'often', email: 'often@post.example', name: 'Often' }]);
  await account('Second', 'second', [{ ...shared(PASSWORD), email: SHARED.toUpperCase() }]);
  await account('Third', 'third', [shared('lantern over quiet water')]);
  await account('Fourth', 'fourth', []);
  web = await startWeb(database.url);
});
test.after('stop', () => web?.stop());

test('names and titles of any kind refuse control and bidirectional characters', async (t) => {
  const misleading = ['\n', '\t', '\r', '\u0007', '\u0085', '\u009b', '\u061c', '\u200e', '\u200f', '\u202a', '\u202e', '\u2066', '\u2069'];
  for (const character of misleading) {
    for (const schema of [Label(200), Title]) t.false(schema.safeParse(`Invoice${character}fdp.exe`).success, JSON.stringify(character));
  }
  for (const name of ['Ana Lindqvist', 'عنا', 'Ωmega – 1.0', '👩‍👩‍👧 family', 'زن‌ها']) t.true(Label(200).safeParse(name).success, name);
  const first = await signedIn(web.baseUrl, 'first@post.example');
  await first.go('/settings/people');
  const shown = await first.send('/add', { name: 'Ana\u202e nimda', email: 'bidi@post.example' });
  t.is(shown.status, 400);
  t.regex(shown.text, /text direction marks/);
  const save = (await (await first.request('/api/v1/capabilities')).json()) as { csrfToken: string };
  const answer = await first.request('/api/v1/items/save', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-CSRF-Token': save.csrfToken },
    body: JSON.stringify({
      workspaceId: refs.id('apollo'),
      record: { type: 'task', title: 'Pay\u2066 now', description: 'Of\nseveral lines', status: 'planned', fields: {} },
    }),
  });
  t.is(answer.status, 400);
});

test('invitations are limited for each administrator and hour', async (t) => {
  const queue = await queueOf(t, database.url);
  const first = await signedIn(web.baseUrl, 'first@post.example');
  const often = `/settings/people/${refs.id('often')}`;
  await first.go(often);
  t.is((await first.send('/invite')).status, 200);
  await queue.rows(
    `insert into invitations (account_id, user_id, nonce, created_by) select account_id, user_id, n::text, created_by from invitations, generate_series(1, 29) n where user_id = $1`,
    [refs.id('often')],
  );
  await first.go(often);
  const refused = await first.send('/invite');
  t.is(refused.status, 429);
  t.truthy(refused.headers.get('retry-after'));
  await queue.rows(`update invitations set created_at = now() - interval '61 minutes' where user_id = $1`, [refs.id('often')]);
  await first.go(often);
  t.is((await first.send('/invite')).status, 200);
});

test('adding a user does not reveal if another account has the address', async (t) => {
  const first = await signedIn(web.baseUrl, 'second@post.example');
  const answers = [];
  for (const email of ['nobody-has-it@post.example', 'third@post.example']) {
    await first.go('/settings/people');
    const { status, text } = await first.send('/add', { name: 'New', email });
    answers.push(`${status} ${text.replace(/http\S+/, 'LINK')}`);
  }
  t.is(answers[0], answers[1]);
  t.regex(answers[0]!, /^200 .*Give this link/);
  await first.go('/settings/people');
  t.regex((await first.send('/add', { name: 'Again', email: 'THIRD@post.example' })).text, /is taken/, 'in one account it is one person');
});

/** Number of passwords hashed during `work`. */
async function hashesDuring(work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const hook = createHook({ init: (_id, type) => type === 'ARGON2REQUEST' && count++ }).enable();
  await work();
  hook.disable();
  return count;
}

test('sign-in checks the same number of passwords for an address in no, one, three or four accounts', async (t) => {
  const visitor = new Visitor(web.baseUrl);
  await visitor.go('/sign-in');
  const signIn = (email: string) =>
    hashesDuring(async () => t.is((await visitor.send('/sign-in', { email, password: 'wrong' })).status, 401));
  const addresses = ['nobody-has-it@post.example', 'first@post.example', SHARED];
  for (const address of [...addresses, WIDE.email]) t.is(await signIn(address), 4, address);
});

test('signing in offers the matching accounts after the right password', async (t) => {
  const visitor = new Visitor(web.baseUrl);
  await visitor.go('/sign-in');
  const wrong = await visitor.send('/sign-in', { email: SHARED, password: 'not this one' });
  t.is(wrong.status, 401);
  t.notRegex(wrong.text, /First|Second|Third/);
  const asked = await visitor.send('/sign-in', { email: SHARED, password: PASSWORD });
  t.regex(asked.text, /Choose an account.*First.*Second/);
  t.notRegex(asked.text, /Third/);
  t.is(visitor.cookie, '', 'no one is signed in yet');
  const ids = [...asked.html.matchAll(/name="userId" value="(\d+)"/g)].map(([, id]) => id!);
  const stolen = visitor.form('/account', (fields) => fields.get('userId') === ids[0]);
  const forged = new URLSearchParams(stolen.fields);
  forged.set('userId', ids[1]!);
  t.is((await new Visitor(web.baseUrl).post(stolen.path, forged)).status, 401);
  const late = new URLSearchParams(stolen.fields);
  late.set('until', String(Number(late.get('until')) + 1));
  t.is((await new Visitor(web.baseUrl).post(stolen.path, late)).status, 401);
  const page = await visitor.send('/account', {}, (fields) => fields.get('userId') === ids[1]);
  t.regex(page.text, /SharedYour account/);
  const only = await signedIn(web.baseUrl, SHARED, 'lantern over quiet water');
  t.regex(only.at.text, /SharedYour account/, 'no question where one account fits');
});
