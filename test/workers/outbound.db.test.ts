/** Quiet mode, and the drill of docs/operations.md: a restored database sends nothing until its operator confirms (behaviour §2.30). */
import type { ExecutionContext } from 'ava';
import { invitationOperations } from '../../src/accounts/invite.ts';
import { connectDb } from '../../src/database/db.ts';
import { saveItem } from '../../src/items/saveItem.ts';
import { perform } from '../../src/operations/perform.ts';
import { webhooksFollower } from '../../src/webhooks/follower.ts';
import { createWebhook } from '../../src/webhooks/manage.ts';
import { stintHere } from '../support/cli.ts';
import { adminUrl, freshDatabase } from '../support/database.ts';
import { caughtUp } from '../support/following.ts';
import { PASSWORD } from '../support/password.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { rowsAt } from '../support/rowsAt.ts';
import { type MailServer, mailServer } from '../support/smtp.ts';
import { suite } from '../support/suite.ts';
import { signedIn } from '../support/visitor.ts';
import { queueOf, runningWorker } from '../support/workers.ts';
import { oneWorkspace, startWeb, TEST_SECRET, world } from '../support/world.ts';

const test = suite(import.meta.url);

/** A database in which a mail, a webhook message and a reminder are due. */
interface Scene {
  url: string;
  server: MailServer;
  receiver: Receiver;
  /** Environment of a worker without the hold setting. */
  env: Record<string, string>;
  /** The person who gets a link by mail. */
  userId: number;
}

async function scene(t: ExecutionContext): Promise<Scene> {
  const [url, server, receiver] = [await freshDatabase(t), await mailServer(t), await startReceiver()];
  t.teardown(() => receiver.close());
  const file = oneWorkspace(
    { items: [{ ref: 't1', type: 'task', title: 'Write', description: '', status: 'planned', fields: {} }] },
    { users: [{ ref: 'bo', email: 'bo@acme.example', name: 'Bo' }] },
  );
  Object.assign(file.accounts[0]!.users![0]!, { email: 'ana@acme.example', password: PASSWORD });
  const refs = await world(url, file);
  const [userId, workspaceId] = [refs.id('bo'), refs.id('apollo')];
  const db = await connectDb(url, 2);
  const ana = { kind: 'user', userId: refs.id('ana') } as const;
  const keys = { secretKey: TEST_SECRET, baseUrl: 'http://localhost' };
  await perform(db, ana, createWebhook({ ...keys, privateAddresses: true }), {
    workspaceId,
    url: receiver.url,
    kinds: null,
    format: 'stint',
  } as never);
  const record = { type: 'task', title: 'Report', description: '', status: 'planned' };
  await perform(db, ana, saveItem, { workspaceId, record } as never);
  await perform(db, ana, invitationOperations({ ...keys, mail: { smtpUrl: server.url } }).invitePerson, { userId });
  // Other tests may delay what a follower sees.
  await caughtUp(db, webhooksFollower);
  await db.close();
  await rowsAt(
    url,
    `with block as (
       insert into plan_blocks (account_id, workspace_id, user_id, item_id, start_local, end_local, timezone, starts_at, ends_at, remind_start)
       select i.account_id, i.workspace_id, ${ana.userId}, i.id, to_char(s, 'YYYY-MM-DD"T"HH24:MI'), to_char(s + interval '9 hours', 'YYYY-MM-DD"T"HH24:MI'),
         'UTC', s, s + interval '9 hours', true
       from items i, lateral (select date_trunc('minute', now()) + interval '5 minutes' as s) at where i.id = ${refs.id('t1')} returning id
     )
     select graphile_worker.add_job('remind_plan_block', json_build_object('blockId', id, 'edge', 'start')) from block`,
  );
  return { url, server, receiver, env: { SMTP_URL: server.url, WEBHOOK_PRIVATE_ADDRESSES: 'on' }, userId };
}

/** A dumped and restored copy. */
async function restored(t: ExecutionContext, url: string): Promise<string> {
  const [admin, copy] = [await adminUrl(), new URL(url)];
  copy.pathname += '_restored';
  await rowsAt(admin, `create database ${copy.pathname.slice(1)} template ${new URL(url).pathname.slice(1)}`);
  t.teardown(() => rowsAt(admin, `drop database ${copy.pathname.slice(1)} with (force)`));
  return copy.href;
}

const stint = async (url: string, command: string) => stintHere(url, [...command.split(' '), '--json']);
const reminders = async (url: string) => (await rowsAt(url, `select from notifications where kind = 'block_starts'`)).length;
/** Waits until a worker has done all allowed jobs, also in the mail lane. */
async function othersDone(t: ExecutionContext, url: string): Promise<void> {
  const queue = await queueOf(t, url);
  await queue.rows(`select graphile_worker.add_job('rewrite_note', '{"rewriteId": 1}')`);
  await queue.until(`select count(*) = 0 from graphile_worker.jobs where run_at <= now() and task_identifier !~ '^(mail|deliver|remind)_'`);
}
/** Waits until the mail, the message and the reminder are sent. */
async function allSent(t: ExecutionContext, url: string): Promise<void> {
  const queue = await queueOf(t, url);
  await queue.until(`select count(*) = 0 from graphile_worker.jobs where run_at <= now()`);
  await queue.until(`select count(*) = 1 from webhook_deliveries where state = 'delivered'`);
}

test('the restore drill: nothing leaves the restored database, production sends once, and so does the restored one after "restore finish"', async (t) => {
  const { url, server, receiver, env, userId } = await scene(t);
  const sent = async (at: string) => ({ mails: server.texts, messages: receiver.received.length, reminders: await reminders(at) });
  const copy = await restored(t, url);
  const waiting = { mails: 1, reminders: 1, webhookMessages: 1 };
  t.like((await stint(copy, 'restore prepare --dry-run')).json, { held: false, waiting });
  t.is((await rowsAt(copy, 'select from outbound_hold')).length, 0, 'a dry run changes nothing');
  t.like((await stint(copy, 'restore prepare')).json, { held: true, waiting });
  await runningWorker(t, copy, { env });
  await othersDone(t, copy);
  t.deepEqual(await sent(copy), { mails: 0, messages: 0, reminders: 0 });
  t.deepEqual((await rowsAt(copy, `select mail_state from invitations where user_id = ${userId}`))[0], { mail_state: 'waiting' });

  const production = await runningWorker(t, url, { env });
  await allSent(t, url);
  // The reminder is mailed, too.
  t.deepEqual(await sent(url), { mails: 2, messages: 1, reminders: 1 });
  production.kill();
  await production.exit();
  t.deepEqual(await sent(copy), { mails: 2, messages: 1, reminders: 0 });

  t.like((await stint(copy, 'restore finish')).json, { released: true, held: false });
  await allSent(t, copy);
  t.deepEqual(await sent(copy), { mails: 4, messages: 2, reminders: 1 }, 'the worker that runs sends each once');
  t.like((await stint(copy, 'restore finish')).json, { released: false });
});

test("STINT_OUTBOUND=off holds a worker's mails, webhooks and reminders, and the next worker without it sends each once", async (t) => {
  const { url, server, receiver, env } = await scene(t);
  const quiet = await runningWorker(t, url, { env: { ...env, STINT_OUTBOUND: 'off' } });
  await othersDone(t, url);
  t.deepEqual([server.texts, receiver.received.length, await reminders(url)], [0, 0, 0]);
  quiet.kill();
  await quiet.exit();
  await runningWorker(t, url, { env });
  await allSent(t, url);
  t.deepEqual([server.texts, receiver.received.length, await reminders(url)], [2, 1, 1]);
});

test('pages tell all users that outgoing messages are held, by this process or by the database', async (t) => {
  const { url, userId, server } = await scene(t);
  const [quiet, web] = [await startWeb(url, { STINT_OUTBOUND: 'off' }), await startWeb(url, { SMTP_URL: server.url })];
  t.teardown(quiet.stop);
  t.teardown(web.stop);
  const banner = /Outgoing messages are on hold\. Emails, webhook messages and reminders are sent later\./;
  t.regex((await (await signedIn(quiet.baseUrl, 'ana@acme.example')).go('/my')).text, banner);
  const ana = await signedIn(web.baseUrl, 'ana@acme.example');
  t.notRegex((await ana.go('/my')).text, banner);
  t.regex((await ana.go(`/settings/people/${userId}`)).text, /Sending…/);
  await stint(url, 'restore prepare');
  t.regex((await ana.go('/my')).text, banner);
  const { text, html } = await ana.go(`/settings/people/${userId}`);
  t.regex(text, /On hold\. It is sent later\./);
  t.notRegex(html, /hx-get="[^"]*mails/, 'the page does not ask again');
  await stint(url, 'restore finish');
  t.notRegex((await ana.go('/my')).text, banner);
});

test('"restore prepare --end-sessions" signs everyone out and writes to the audit; without it sessions stay', async (t) => {
  const { url } = await scene(t);
  const web = await startWeb(url);
  t.teardown(web.stop);
  const ana = await signedIn(web.baseUrl, 'ana@acme.example');
  t.is((await stint(url, 'restore prepare')).json.sessions, 1);
  t.is((await ana.go('/my')).path, '/my');
  t.is((await stint(url, 'restore prepare --end-sessions')).json.sessions, 0);
  t.regex((await ana.go('/my')).path, /^\/sign-in/);
  const lines = await rowsAt(url, `select subject_name as name from audit where kind = 'sessions.ended'`);
  t.deepEqual(lines, [{ name: 'Acme' }]);
});

test('"restore prepare" is refused while a worker runs on the database, as on production\'s', async (t) => {
  const { url } = await scene(t);
  await rowsAt(url, `insert into workers (id, lane, pid, host) values ('l1', 'prompt', 1, 'here')`);
  const { code, stderr } = await stint(url, 'restore prepare');
  t.is(code, 1);
  t.regex(stderr, /^A worker process runs on this database, or did until 90 s ago: check DATABASE_URL, stop the workers/);
  t.is((await rowsAt(url, 'select from outbound_hold')).length, 0);
});

test('doctor warns of a hold, and does not report held jobs as late', async (t) => {
  const { url } = await scene(t);
  await rowsAt(
    url,
    `delete from graphile_worker._private_jobs j using graphile_worker.jobs o where o.id = j.id and task_identifier !~ '^(mail|remind)_'`,
  );
  await rowsAt(url, `update graphile_worker._private_jobs set run_at = now() - interval '1 hour'`);
  const checks = async () =>
    new Map((await stint(url, 'doctor')).json.checks.map((check: { name: string }) => [check.name, check])) as Map<string, object>;
  t.like((await checks()).get('oldest job'), { ok: false });
  await stint(url, 'restore prepare');
  const held = await checks();
  t.like(held.get('oldest job'), { ok: true });
  t.like(held.get('outbound'), { ok: true, warning: true });
});
