/** The profile page: name, zone and keys; an address changed by a mailed link (behaviour §22.3 to §22.5). Over HTTP. */
import type { ExecutionContext } from 'ava';
import { mailEmailChange, mailEmailChanged } from '../../src/accounts/emailChange.ts';
import type { InvitationMail } from '../../src/accounts/invitations.ts';
import { connectDb, type Db } from '../../src/database/db.ts';
import { fileDatabase } from '../support/database.ts';
import { PASSWORD } from '../support/password.ts';
import { type MailServer, mailServer } from '../support/smtp.ts';
import { suite } from '../support/suite.ts';
import { signedIn, Visitor } from '../support/visitor.ts';
import { type Queue, queueOf } from '../support/workers.ts';
import { oneWorkspace, startWeb, TEST_SECRET, type Web, type WorldRefs, world } from '../support/world.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
const names = ['mia', 'often', 'racer', 'rival', 'gone', 'late', 'zoe', 'utc', 'newword', 'aged', 'quiet'];
let refs: WorldRefs;
let web: Web;
let db: Db;
let server: MailServer;
let queue: Queue;
let closing: (() => unknown)[] = [];

test.before('people, pages and a mail server', async () => {
  const file = oneWorkspace({}, { users: names.map((ref) => ({ ref, email: `${ref}@acme.example`, name: ref, password: PASSWORD })) });
  refs = await world(database.url, file);
  const later = { teardown: (done: () => unknown) => void closing.push(done) } as unknown as ExecutionContext;
  server = await mailServer(later);
  queue = await queueOf(later, database.url);
  web = await startWeb(database.url, { SMTP_URL: server.url });
  db = await connectDb(database.url, 2);
});
test.after('close', async () => {
  await Promise.all([web?.stop(), db?.close(), ...closing.map((done) => done())]);
  closing = [];
});

const row = async (who: string) => (await queue.rows('select * from users where id = $1', [refs.id(who)]))[0];
const settings = (): InvitationMail => ({
  secretKey: TEST_SECRET,
  baseUrl: web.baseUrl,
  mail: { smtpUrl: server.url, from: 'stint@acme.example' },
});

/** Runs the waiting mail jobs. Returns the link that was mailed to the address. */
async function mailed(to: string): Promise<string | undefined> {
  const before = server.taken.length;
  for (const { id, used_at } of await queue.rows('select id, used_at from email_changes where email = $1 order by id', [to]))
    await (used_at ? mailEmailChanged : mailEmailChange)(db, settings(), Number(id));
  const text = server.taken.slice(before).find((mail) => mail.includes(`To: ${to}`));
  return text && /\/email\?i=\d+&t=[\w-]+/.exec(text.replaceAll('=\n', '').replaceAll('=3D', '='))?.[0];
}

/** Tests of this file run concurrently and share the mail server. */
const latestTo = (address: string): string => server.taken.findLast((mail) => mail.includes(`To: ${address}`))!;

async function ask(who: string, email: string): Promise<Visitor> {
  const visitor = await signedIn(web.baseUrl, `${who}@acme.example`);
  await visitor.go('/profile');
  await visitor.send('/profile/email', { email });
  return visitor;
}

test('users change their name, zone and single-key setting, the audit records it, and all faults appear at once', async (t) => {
  const visitor = await signedIn(web.baseUrl, 'zoe@acme.example');
  await visitor.go('/profile');
  await visitor.send('/profile', { name: 'Zoë', timezone: 'Asia/Tokyo', singleKeys: null });
  t.deepEqual([visitor.at.status, visitor.at.path], [200, '/profile?notice=saved']);
  const { name, timezone, single_keys } = await row('zoe');
  t.deepEqual({ name, timezone, single_keys }, { name: 'Zoë', timezone: 'Asia/Tokyo', single_keys: false });
  const [line] = await queue.rows(`select changes, actor_id from audit where kind = 'user.changed' and user_id = $1`, [refs.id('zoe')]);
  t.deepEqual(line.changes, { name: ['zoe', 'Zoë'], timezone: ['UTC', 'Asia/Tokyo'] });
  t.is(Number(line.actor_id), refs.id('zoe'));

  await visitor.send('/profile', { name: ' ', timezone: 'Mars/Base' });
  t.is(visitor.at.status, 400);
  t.is(visitor.at.html.match(/aria-invalid="true"/g)?.length, 2);
  t.is((await row('zoe')).name, 'Zoë');
});

test("a browser's zone is stored once, for users who never chose one", async (t) => {
  const visitor = await signedIn(web.baseUrl, 'utc@acme.example');
  await visitor.go('/profile');
  const send = (timezone: string) =>
    visitor.post('/profile/zone', new URLSearchParams({ _csrf: visitor.form('/profile').fields.get('_csrf')!, timezone }));
  await send('Mars/Base');
  t.is((await row('utc')).timezone, 'UTC');
  await send('Europe/Rome');
  await send('Asia/Tokyo');
  t.is((await row('utc')).timezone, 'Europe/Rome');
  await visitor.go('/profile');
  await visitor.send('/profile', { timezone: 'UTC' });
  await visitor.go('/profile');
  await send('Asia/Tokyo');
  t.is((await row('utc')).timezone, 'UTC');
});

test('a mailed link changes the address once; the old address is notified, and the audit has both', async (t) => {
  const visitor = await ask('mia', 'mia@new.example');
  t.regex(visitor.at.text, /We have sent a link to your new address/);
  t.regex(visitor.at.text, /Sending a link to mia@new.example…/);
  const link = await mailed('mia@new.example');
  t.regex((await visitor.go('/profile')).text, /We have sent an email to mia@new.example. Open its link within 24 hours\./);
  t.is((await row('mia')).email, 'mia@acme.example');
  const stranger = new Visitor(web.baseUrl);
  await stranger.go(link!);
  t.regex(stranger.at.text, /you will sign in to Acme as mia@new.example instead of mia@acme.example/);
  t.is((await row('mia')).email, 'mia@acme.example', 'opening the link changes nothing');
  await stranger.send('/email');
  t.is((await row('mia')).email, 'mia@new.example');
  t.is((await visitor.go('/profile')).status, 200, 'the session stays');
  await mailed('mia@new.example');
  const told = latestTo('mia@acme.example');
  t.regex(told, /mia@new\.example/);
  t.is((await stranger.go(link!)).status, 403, 'it works once');
  await signedIn(web.baseUrl, 'mia@new.example');
  const lines = await queue.rows(`select kind, changes, actor_id from audit where user_id = $1 and kind like 'email.%' order by id`, [
    refs.id('mia'),
  ]);
  t.deepEqual(
    lines.map(({ kind }) => kind),
    ['email.asked', 'email.changed'],
  );
  t.deepEqual(lines[1].changes, { email: ['mia@acme.example', 'mia@new.example'] });
  t.false(JSON.stringify(await queue.rows('select * from email_changes')).includes(new URL(link!, web.baseUrl).searchParams.get('t')!));
});

test('three links an hour are mailed, and each invalidates the one before', async (t) => {
  const visitor = await ask('often', 'one@new.example');
  const first = await mailed('one@new.example');
  for (const name of ['two', 'three']) {
    await visitor.go('/profile');
    await visitor.send('/profile/email', { email: `${name}@new.example` });
  }
  t.is((await new Visitor(web.baseUrl).go(first!)).status, 403);
  t.is((await new Visitor(web.baseUrl).go((await mailed('three@new.example'))!)).status, 200);
  await visitor.go('/profile');
  t.is((await visitor.send('/profile/email', { email: 'four@new.example' })).status, 429);
  t.is(await mailed('four@new.example'), undefined);
});

test("only a reader of the address's mail learns if it is taken, and of two users one gets it", async (t) => {
  const [a, b] = [await ask('racer', 'same@new.example'), await ask('rival', 'same@new.example')];
  const said = ({ at }: Visitor) => [at.status, at.path, /We have sent a link.*?\./.exec(at.text)?.[0]];
  t.deepEqual(said(a), said(b));
  const links = [];
  for (const who of ['racer', 'rival'])
    links.push(Number((await queue.rows('select id from email_changes where user_id = $1', [refs.id(who)]))[0].id));
  const opened = [];
  for (const id of links) {
    await mailEmailChange(db, settings(), id);
    const visitor = new Visitor(web.baseUrl);
    await visitor.go(/\/email\?i=\d+&t=[\w-]+/.exec(latestTo('same@new.example').replaceAll('=\n', '').replaceAll('=3D', '='))![0]);
    opened.push(visitor);
  }
  const answers = await Promise.all(opened.map((visitor) => visitor.send('/email')));
  t.deepEqual(answers.map(({ status }) => status).sort(), [200, 400]);
  t.regex(answers.find(({ status }) => status === 400)!.text, /same@new\.example is taken/i);
  const [{ count }] = await queue.rows(`select count(*) from users where email = 'same@new.example'`);
  t.is(Number(count), 1);
});

test('a link expires after 24 hours, with a new password, another address, or a deactivated user', async (t) => {
  await ask('late', 'late@new.example');
  const link = (await mailed('late@new.example'))!;
  const opens = async () => (await new Visitor(web.baseUrl).go(link)).status === 200;
  t.true(await opens());
  const at = async (sql: string) => queue.rows(`update email_changes set ${sql} where email = 'late@new.example'`);
  await at(`expires_at = now()`);
  t.false(await opens());
  await at(`expires_at = created_at + interval '24 hours'`);
  t.true(await opens());
  await queue.rows('update users set active = false where id = $1', [refs.id('late')]);
  t.false(await opens());
  await queue.rows(`update users set active = true, email = 'other@acme.example' where id = $1`, [refs.id('late')]);
  t.false(await opens());
  await queue.rows(`update users set email = 'late@acme.example' where id = $1`, [refs.id('late')]);
  t.true(await opens());

  const visitor = await ask('newword', 'newword@new.example');
  const other = (await mailed('newword@new.example'))!;
  await visitor.go('/settings/password');
  await visitor.send('/settings/password', { current: PASSWORD, password: 'lantern over quiet water' });
  t.is((await new Visitor(web.baseUrl).go(other)).status, 403);
});

test('forged links are refused, and the same address again is refused at its field', async (t) => {
  for (const link of ['/email', '/email?i=1&t=x', '/email?i=999999&t=x', '/email?i=-1&t=', '/email?i=1e400&t='])
    t.is((await new Visitor(web.baseUrl).go(link)).status, 403, link);
  const visitor = await ask('gone', 'gone@acme.example');
  t.is(visitor.at.status, 400);
  t.regex(visitor.at.html, /name="email"[^>]*aria-invalid="true"/);
});

test('long after signing in the password is required again, and the form continues', async (t) => {
  const visitor = await signedIn(web.baseUrl, 'aged@acme.example');
  await queue.rows(`update sessions set created_at = now() - interval '11 minutes', confirmed_at = null where user_id = $1`, [
    refs.id('aged'),
  ]);
  await visitor.go('/profile');
  await visitor.send('/profile/email', { email: 'aged@new.example' });
  t.regex(visitor.at.text, /Confirm your password/);
  t.is((await queue.rows('select from email_changes where user_id = $1', [refs.id('aged')])).length, 0);
  await visitor.send('/profile/email', { _password: PASSWORD });
  t.regex(visitor.at.text, /Sending a link to aged@new.example/);
});

test('without mail the page says who can change an address, and offers no form', async (t) => {
  const quiet = await startWeb(database.url);
  t.teardown(quiet.stop);
  const visitor = await signedIn(quiet.baseUrl, 'quiet@acme.example');
  await visitor.go('/profile');
  t.regex(visitor.at.text, /ask the operator to run stint user update/);
  const fields = new URLSearchParams({ _csrf: visitor.form('/profile').fields.get('_csrf')!, email: 'quiet@new.example' });
  t.is((await visitor.post('/profile/email', fields)).status, 400);
  t.is((await queue.rows(`select from email_changes where email = 'quiet@new.example'`)).length, 0);
});
