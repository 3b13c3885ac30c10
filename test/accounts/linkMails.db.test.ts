/** Mails with links: sent at most once, and the status that pages show (behaviour §12.32). */
import type { ExecutionContext } from 'ava';
import { z } from 'zod';
import { mailInvitation } from '../../src/accounts/invitations.ts';
import { claimLinkMail } from '../../src/accounts/linkMailQueries.ts';
import { connectDb, type Db } from '../../src/database/db.ts';
import { sql } from '../../src/database/sql.ts';
import { NotSent } from '../../src/mailer.ts';
import { fileDatabase } from '../support/database.ts';
import { PASSWORD } from '../support/password.ts';
import { type MailServer, mailServer } from '../support/smtp.ts';
import { suite } from '../support/suite.ts';
import { signedIn, Visitor } from '../support/visitor.ts';
import { oneWorkspace, startWeb, TEST_SECRET, type Web, type WorldRefs, world } from '../support/world.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let refs: WorldRefs;
let db: Db;
let web: Web;
/** Ana's session. */
let cookie: string;
test.before('an account', async () => {
  const people = ['refused', 'crashed', 'broken', 'waited', 'named'];
  const users = people.map((ref) => ({ ref, email: `${ref}@acme.example`, name: ref, password: PASSWORD }));
  const file = oneWorkspace({}, { users: [...users, { ref: 'boss', email: 'boss@acme.example', name: 'Boss', accountRole: 'owner' }] });
  Object.assign(file.accounts[0]!.users![0]!, { email: 'ana@acme.example', password: PASSWORD });
  refs = await world(database.url, file);
  db = await connectDb(database.url, 4);
  web = await startWeb(database.url, { SMTP_URL: 'smtp://127.0.0.1:1' });
  cookie = (await signedIn(web.baseUrl, 'ana@acme.example')).cookie;
});
test.after('stop', async () => {
  await web?.stop();
  await db?.close();
});

const page = (ref: string) => `/settings/people/${refs.id(ref)}`;

interface Scene {
  server: MailServer;
  ana: Visitor;
  mail(id: number): Promise<void>;
}

async function scene(t: ExecutionContext): Promise<Scene> {
  const server = await mailServer(t);
  const settings = { mail: { smtpUrl: server.url, from: 'stint@work.example' }, baseUrl: web.baseUrl, secretKey: TEST_SECRET };
  const ana = new Visitor(web.baseUrl);
  ana.cookie = cookie;
  return { server, ana, mail: (id) => mailInvitation(db, settings, id) };
}

/** The latest link of the user. */
const link = (ref: string) => db.pool().oneFirst(sql.type(Link)`select max(id) as id from invitations where user_id = ${refs.id(ref)}`);
const Link = z.object({ id: z.number() });

async function ask(ana: Visitor, ref: string) {
  await ana.go(page(ref));
  return ana.sendSurely('/invite');
}

test('after three refusals the page says "Could not be sent" with the reason, and makes a link to hand over that invalidates the earlier one', async (t) => {
  const { server, ana, mail } = await scene(t);
  t.regex((await ask(ana, 'refused')).text, /Sending…/);
  const first = await link('refused');
  server.mood = 'refuses';
  for (let tries = 1; tries <= 3; tries++) {
    t.regex((await ana.go(page('refused'))).text, /Sending…/);
    t.throws(() => ana.form('/invite', (fields) => fields.has('handOver')), undefined, 'no link is handed over before');
    await t.throwsAsync(mail(first), { instanceOf: NotSent });
  }
  const { text } = await ana.go(page('refused'));
  t.regex(text, /The email was not sent\. The mail server answered: 451 later/);
  const shown = await ana.send('/invite', {}, (fields) => fields.has('handOver'));
  t.regex(shown.text, /invitation\?i=\d+&t=/);
  t.notRegex(shown.text, /Sending…|mailed/);
  server.mood = 'takes';
  await mail(first);
  t.is(server.texts, 0, 'the link before has ended, and is not mailed');
  t.not(await link('refused'), first);
});

test('for a person with a password, the page shows a link only if its mail failed', async (t) => {
  const { ana, mail } = await scene(t);
  await ask(ana, 'waited');
  await mail(await link('waited'));
  await ana.go(page('waited'));
  const answer = await ana.send('/invite', { handOver: 'yes', _ask: null });
  t.is(answer.status, 409);
  t.notRegex(answer.html, /invitation\?i=/);
});

test('a mail that a killed worker may have sent is never sent again, and the page says that it may have arrived', async (t) => {
  const { server, ana, mail } = await scene(t);
  await ask(ana, 'crashed');
  const id = await link('crashed');
  t.true(await claimLinkMail(db.pool(), 'invitations', id));
  await mail(id);
  await mail(id);
  t.is(server.texts, 0);
  t.regex(
    (await ana.go(page('crashed'))).text,
    /The email was not sent\. A worker stopped while it sent the email, which may have arrived\./,
  );
});

test('a mail is not sent again when its connection broke after the text, or when the server accepted it', async (t) => {
  const { server, ana, mail } = await scene(t);
  await ask(ana, 'broken');
  const id = await link('broken');
  server.mood = 'hangs up after the text';
  await t.throwsAsync(mail(id));
  await mail(id);
  t.is(server.texts, 1);
  t.regex((await ana.go(page('broken'))).text, /The connection to the mail server was lost. The email may have arrived\./);
  server.mood = 'takes';
  await ana.send('/invite', {}, (fields) => fields.has('handOver'));
  await ask(ana, 'broken');
  const next = await link('broken');
  await Promise.all([mail(next), mail(next)]);
  t.is(server.texts, 2, 'of two jobs at once one sends it');
});

test("a delivery error shows neither the person's address nor the mail server's name", async (t) => {
  const { server, ana, mail } = await scene(t);
  await ask(ana, 'named');
  const id = await link('named');
  server.refusal = '550 5.1.1 <named@acme.example>: no such user';
  server.mood = 'refuses';
  for (let tries = 1; tries <= 3; tries++) await t.throwsAsync(mail(id));
  const { text } = await ana.go(page('named'));
  t.regex(text, /The mail server answered: 550 5\.1\.1 <\[address\]>: no such user/);
});

test('members without administration rights see no mail status', async (t) => {
  const member = await signedIn(web.baseUrl, 'crashed@acme.example');
  t.is((await member.go(`/settings/people/mails?of=${refs.id('waited')}`)).status, 403);
});
