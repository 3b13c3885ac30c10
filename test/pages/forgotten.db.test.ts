/** Resetting a forgotten password over HTTP, with a real worker and a mail server. */
import { fileDatabase } from '../support/database.ts';
import { PASSWORD } from '../support/password.ts';
import { mailServer } from '../support/smtp.ts';
import { suite } from '../support/suite.ts';
import { signedIn, Visitor } from '../support/visitor.ts';
import { queueOf, runningWorker } from '../support/workers.ts';
import { oneWorkspace, startWeb, world } from '../support/world.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
test.before('an account', async () => {
  const person = (ref: string) => ({ ref, email: `${ref}@acme.example`, name: ref, password: PASSWORD });
  const file = oneWorkspace({}, { users: [person('mia'), person('often'), { ...person('robot'), kind: 'service' }] });
  await world(database.url, file);
});

const NEW = 'lantern over quiet water';

test('a forgotten password gets a link for one hour that works once, ends sessions, and notifies its user', async (t) => {
  const server = await mailServer(t);
  const queue = await queueOf(t, database.url);
  const web = await startWeb(database.url, { SMTP_URL: server.url });
  t.teardown(web.stop);
  await runningWorker(t, database.url, { env: { SMTP_URL: server.url, BASE_URL: web.baseUrl } });
  const mia = await signedIn(web.baseUrl, 'mia@acme.example');
  const visitor = new Visitor(web.baseUrl);
  await visitor.go('/sign-in');
  t.regex(visitor.at.html, /href="\/stint\/forgotten"/);
  const answers = [];
  for (const email of ['nobody@acme.example', 'robot@acme.example', 'MIA@acme.example']) {
    await visitor.go('/forgotten');
    const { status, text } = await visitor.send('/forgotten', { email });
    answers.push(`${status} ${text}`);
  }
  t.is(new Set(answers).size, 1, 'the same answer, known or not');
  t.regex(answers[0]!, /^200 .*we have sent a link to it/);
  const [link] = /\/invitation\?i=\d+&t=[\w-]+/.exec(await server.mail(() => true))!;
  const [row] = await queue.rows(
    `select i.expires_at - i.created_at = interval '1 hour' as hour, i.forgotten from invitations i join users u on u.id = i.user_id where u.name = 'mia'`,
  );
  t.deepEqual(row, { hour: true, forgotten: true });

  t.is((await mia.go('/')).path, '/', 'asking alone changes nothing');
  await visitor.go(link);
  t.regex((await visitor.send('/invitation', { password: NEW })).text, /miaYour account/);
  t.is((await new Visitor(web.baseUrl).go(link)).status, 403);
  t.is((await mia.go('/')).path, '/sign-in', 'sessions ended');
  t.regex((await visitor.go('/notifications')).text, /Your password was changed at .* with a link from the sign-in page/);
  await signedIn(web.baseUrl, 'mia@acme.example', NEW);
  t.true(
    server.taken.every((text) => text.includes('To: mia@acme.example')),
    'no one else got a mail',
  );
});

test('links for forgotten passwords are limited: by address, by email, and to three an hour for a person', async (t) => {
  const server = await mailServer(t);
  const queue = await queueOf(t, database.url);
  const web = await startWeb(database.url, { SMTP_URL: server.url, RATE_LIMIT_SIGN_IN: '3' });
  t.teardown(web.stop);
  const visitor = new Visitor(web.baseUrl);
  const statuses: number[] = [];
  for (let n = 0; n < 8; n++) {
    await visitor.go('/forgotten');
    statuses.push((await visitor.send('/forgotten', { email: 'often@acme.example' })).status);
  }
  t.true(statuses.filter((status) => status === 429).length >= 2, statuses.join());

  const open = await startWeb(database.url, { SMTP_URL: server.url });
  t.teardown(open.stop);
  await runningWorker(t, database.url, { env: { SMTP_URL: server.url, BASE_URL: open.baseUrl } });
  const eager = new Visitor(open.baseUrl);
  for (let n = 0; n < 5; n++) {
    await eager.go('/forgotten');
    await eager.send('/forgotten', { email: 'often@acme.example' });
  }
  await queue.until(`select count(*) = 0 as done from graphile_worker.jobs where task_identifier = 'forgotten_password'`);
  const [made] = await queue.rows(
    `select count(*)::integer from invitations i join users u on u.id = i.user_id where u.email = 'often@acme.example'`,
  );
  t.is(made.count, 3);
});

test('without mail the page for forgotten passwords says whom to ask', async (t) => {
  const web = await startWeb(database.url);
  t.teardown(web.stop);
  const visitor = new Visitor(web.baseUrl);
  const page = await visitor.go('/forgotten');
  t.regex(page.text, /Ask an owner or administrator of your account/);
  t.throws(() => visitor.form('/forgotten'));
  t.regex((await visitor.post('/forgotten', new URLSearchParams({ email: 'mia@acme.example' }))).text, /Ask an owner/);
});
