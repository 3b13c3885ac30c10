import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Webhook } from 'standardwebhooks';
import { follow } from '../../src/changes/follow.ts';
import { connectDb, type Db } from '../../src/database/db.ts';
import { sql as statement } from '../../src/database/sql.ts';
import { makeLogger } from '../../src/log.ts';
import { outputOf } from '../../src/operations/json.ts';
import { perform } from '../../src/operations/perform.ts';
import { type DeliverSettings, deliverDue } from '../../src/webhooks/deliver.ts';
import { holdToDeliver, release } from '../../src/webhooks/deliveryQueries.ts';
import { webhooksFollower } from '../../src/webhooks/follower.ts';
import {
  createWebhook,
  getWebhook,
  resumeWebhook,
  revokeWebhook,
  rotateWebhook,
  sendAgain,
  testWebhook,
} from '../../src/webhooks/manage.ts';
import { Kinds } from '../../src/webhooks/schema.ts';
import { resealSecrets } from '../../src/webhooks/seal.ts';
import type { Attempt } from '../../src/webhooks/send.ts';
import { fileDatabase } from '../support/database.ts';
import { caughtUp, settled } from '../support/following.ts';
import { type Received, type Receiver, startReceiver } from '../support/receiver.ts';
import { draftOf, type RestWorld, restWorld } from '../support/restWorld.ts';
import { suite } from '../support/suite.ts';
import { runDueJobs } from '../support/tasks.ts';
import { TEST_SECRET } from '../support/world.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
const settings = { secretKey: TEST_SECRET, privateAddresses: true };
const deliverSettings = { keys: { secretKey: TEST_SECRET }, baseUrl: '', privateAddresses: true };
let world: RestWorld;
let db: Db;
let receiver: Receiver;

test.before(async () => {
  world = await restWorld(database.url);
  db = await connectDb(database.url, 6);
  receiver = await startReceiver();
});
test.after(async () => {
  receiver?.close();
  await db?.close();
  await world?.end();
});
test.beforeEach(async () => {
  receiver.mood = () => 'takes';
  receiver.received.length = receiver.taken.length = 0;
  await world.fixtures.sql('update webhooks set revoked_at = now()');
});

const owner = () => ({ kind: 'user' as const, userId: world.ownerId });
async function make(kinds: string[] = [], userId = world.ownerId) {
  // A webhook begins with the changes that are not readable yet when it is created.
  await settled(db);
  return (await perform(db, { kind: 'user', userId }, createWebhook(settings), {
    workspaceId: world.workspaceId,
    url: `${receiver.url}/${randomUUID()}`,
    kinds: kinds.length ? kinds : null,
    format: 'stint',
  } as never)) as { id: number; secret: string };
}
const one = (webhook: number) => ({ workspaceId: world.workspaceId, webhook });
const look = async (id: number) => outputOf(await perform(db, owner(), getWebhook, one(id)));
const sql = (text: string, values: unknown[] = []) => world.fixtures.sql(text, values);

/** Does all due work of workers. */
async function work(): Promise<void> {
  await caughtUp(db, webhooksFollower);
  await runDueJobs({ url: database.url, db } as never);
}
/** Runs one delivery job. */
async function deliver(id: number, more: Partial<DeliverSettings> = {}): Promise<void> {
  await settled(db);
  await deliverDue(db, id, { ...deliverSettings, ...more });
}
const task = (title: string, fields: object = {}) => world.owner.save(draftOf('task', fields, { title }));
const titles = (received: Received[]) => received.map(({ body }) => JSON.parse(body).data.title);
const backdate = (id: number) => sql(`update webhook_deliveries set next_at = now() where webhook_id = $1 and state = 'waiting'`, [id]);

test("changes after the webhook's creation arrive once, in order, signed, equal to GET /changes except for the key's name", async (t) => {
  await task('Before');
  const { id, secret } = await make();
  t.regex(secret, /^whsec_/);
  const made = await task('First');
  await task('Second');
  await world.owner.post('/comments', { id: made.id, body: 'Well' });
  await work();
  t.deepEqual(titles(receiver.taken), ['First', 'Second', 'First']);
  const feed = (await world.owner.get('/changes', { limit: 200 })).body.changes.slice(-3);
  receiver.taken.forEach(({ body, headers }, at) => {
    const verified = new Webhook(secret).verify(body, headers) as { type: string; timestamp: string; data: object };
    t.deepEqual(verified, { type: feed[at].kind, timestamp: feed[at].at, data: { ...feed[at], keyName: null } });
    t.is(headers['webhook-id'], String(feed[at].id));
  });
  await work();
  t.is(receiver.received.length, 3);
  const { webhook, deliveries } = await look(id);
  t.like(webhook, { state: 'works', waiting: 0 });
  t.deepEqual(
    deliveries.map(({ state, status, answer }) => [state, status, answer]),
    Array(3).fill(['delivered', 200, 'thanks']),
  );
});

test('kinds select what is sent', async (t) => {
  await make(['comment.created']);
  const { id } = await task('A');
  await world.owner.post('/comments', { id, body: 'Well' });
  await work();
  t.deepEqual(
    receiver.taken.map(({ body }) => JSON.parse(body).type),
    ['comment.created'],
  );
});

/** A user requests and gives approval on the pages. */
async function approved(title: string): Promise<void> {
  const { id } = await world.owner.save(draftOf('release', {}, { title }));
  const decider = await world.visitor(world.ownerId);
  for (const decision of ['request', 'approve']) {
    await decider.go(`/workspaces/${world.workspaceId}/items/${id}`);
    await decider.send('/approval', { decision, comment: 'Secret words.' });
  }
}

test('an approval is sent as an update without its actor and comment', async (t) => {
  await make();
  await make(['item.updated']);
  await make(['item.created', 'comment.created']);
  await approved('Spring');
  await work();
  const messages = receiver.taken.map(({ body }) => JSON.parse(body)).filter(({ type }) => type !== 'item.created');
  t.deepEqual(
    messages.map(({ type, data }) => [type, data.kind, data.actor, data.via, data.keyName, data.fields.status]),
    [1, 2].flatMap(() => [
      ['item.updated', 'item.updated', null, 'page', null, ['planned', 'pending_approval']],
      ['item.updated', 'item.updated', null, 'page', null, ['pending_approval', 'approved']],
    ]),
  );
  t.notRegex(receiver.taken.map(({ body }) => body).join(), /Secret words|approval\./);
});

test('a webhook for approvals only is refused, and so is any kind of approval', async (t) => {
  for (const kinds of [['approval.approved'], ['item.created', 'approval.requested']])
    t.regex(
      Kinds.safeParse(kinds).error!.issues[0]!.message,
      /^webhooks send no approvals\. The change of status comes as item\.updated: give some of item\.created,/,
    );
});

test('the migration removes approvals from the kinds of webhooks, and pauses a webhook without other kinds', async (t) => {
  const kinds = { all: null, some: ['approval.approved', 'comment.created'], alone: ['approval.requested', 'approval.rejected'] };
  const [all, some, alone] = [await make(), await make(), await make()];
  for (const [name, webhook] of Object.entries({ all, some, alone }))
    await sql('update webhooks set kinds = $2 where id = $1', [webhook.id, kinds[name as 'all']]);
  receiver.mood = () => 'fails';
  await sql(await readFile(new URL('../../sql/0080_webhooks_without_approvals.sql', import.meta.url), 'utf8'));
  const found = async ({ id }: { id: number }) => {
    const { webhook } = await look(id);
    return [webhook.kinds, webhook.state, webhook.restsBecause];
  };
  t.deepEqual(await found(all), [null, 'works', null]);
  t.deepEqual(await found(some), [['comment.created'], 'works', null]);
  t.deepEqual(await found(alone), [[], 'rests', 'kinds']);
  const [notified] = await sql('select user_id::int, kind from notifications where webhook_id = $1', [alone.id]);
  t.deepEqual(notified, { user_id: world.ownerId, kind: 'webhook_rests' });
  // After a resume it pauses again: it never sends all.
  receiver.mood = () => 'takes';
  await perform(db, owner(), resumeWebhook, one(alone.id));
  await sql('update webhooks set revoked_at = now() where id = $1', [all.id]);
  await approved('Autumn');
  await work();
  t.deepEqual(receiver.taken, []);
  t.deepEqual(await found(alone), [[], 'rests', 'kinds']);
});

test('a waiting approval is dropped if its webhook no longer sends approvals', async (t) => {
  const { id } = await make();
  receiver.mood = ({ body }) => (JSON.parse(body).type === 'item.updated' ? 'fails' : 'takes');
  await approved('Summer');
  await work();
  await sql('update webhooks set kinds = $2 where id = $1', [id, ['item.created']]);
  receiver.mood = () => 'takes';
  await backdate(id);
  await deliver(id);
  t.deepEqual(
    (await look(id)).deliveries.map(({ kind, state }) => [kind, state]),
    [
      ['item.updated', 'dropped'],
      ['item.updated', 'dropped'],
      ['item.created', 'delivered'],
    ],
  );
});

test('many writes make one mark and one job', async (t) => {
  const { id } = await make();
  for (const title of ['A', 'B', 'C', 'D']) {
    await task(title);
    await caughtUp(db, webhooksFollower);
  }
  const [{ jobs }] = await sql(`select count(*)::int as jobs from graphile_worker._private_jobs where payload ->> 'webhookId' = $1`, [
    String(id),
  ]);
  t.is(jobs, 1);
  await work();
  t.deepEqual(titles(receiver.taken), ['A', 'B', 'C', 'D']);
});

test('changes that the creator may not read at that moment are not sent, at any attempt', async (t) => {
  const { userId } = await world.join('manager', { releases: 'none', comments: 'none' });
  const { id } = await make([], userId);
  const release = await world.owner.save(draftOf('release', {}, { title: 'Hidden' }));
  await task('Below it', { releaseId: release.id });
  const seen = await task('Seen');
  await world.owner.post('/comments', { id: seen.id, body: 'Well' });
  receiver.mood = () => 'fails';
  await work();
  t.deepEqual(titles(receiver.received), ['Seen']);
  // Its rights end while it waits for a retry.
  await sql(`update items set release_id = $1 where id = $2`, [release.id, seen.id]);
  await backdate(id);
  receiver.mood = () => 'takes';
  await deliver(id);
  t.deepEqual(receiver.taken, []);
  t.is((await look(id)).deliveries[0]!.state, 'dropped');
});

test('deliveries of changes that the reader may not see have neither kind nor answer', async (t) => {
  const { id } = await make();
  await world.owner.save(draftOf('release', {}, { title: 'Hidden' }));
  await task('Seen');
  await perform(db, owner(), testWebhook, one(id));
  await work();
  const shown = async (userId: number) =>
    outputOf(await perform(db, { kind: 'user', userId }, getWebhook, one(id)))
      .deliveries.map(({ kind, answer }) => [kind, answer])
      .sort();
  const [seen, tested, hidden] = [
    ['item.created', 'thanks'],
    [null, 'thanks'],
    [null, null],
  ];
  t.deepEqual(await shown(world.ownerId), [seen, seen, tested].sort());
  t.deepEqual(await shown((await world.join('manager', { releases: 'none' })).userId), [hidden, seen, tested].sort());
  const admin = await world.fixtures.user(world.accountId);
  await sql(`update users set account_role = 'admin' where id = $1`, [admin]);
  t.deepEqual(await shown(admin), [hidden, hidden, hidden]);
});

test('a webhook whose creator left the workspace pauses, and the owners are notified', async (t) => {
  const { userId } = await world.join('manager');
  const { id } = await make([], userId);
  await sql('delete from memberships where user_id = $1', [userId]);
  await task('Secret by now');
  await work();
  t.deepEqual(receiver.received, []);
  t.like((await look(id)).webhook, { state: 'rests', restsBecause: 'maker' });
  t.deepEqual(await sql(`select user_id::int, kind from notifications where webhook_id = $1`, [id]), [
    { user_id: world.ownerId, kind: 'webhook_rests' },
  ]);
});

test('a failed message is sent again with the same id, and other webhooks continue meanwhile', async (t) => {
  const { id } = await make();
  receiver.mood = ({ body }) => (JSON.parse(body).data.title === 'Stubborn' ? 'fails' : 'takes');
  await task('Stubborn');
  await task('Easy');
  await work();
  t.deepEqual(titles(receiver.taken), ['Easy']);
  t.like((await look(id)).webhook, { state: 'works', waiting: 1 });
  const [{ key, seconds }] = await sql(
    `select key, extract(epoch from run_at - now())::float8 as seconds from graphile_worker._private_jobs where key = $1`,
    [`webhook_due:${id}`],
  );
  t.is(key, `webhook_due:${id}`);
  t.true(seconds <= 5);
  receiver.mood = () => 'takes';
  await backdate(id);
  await deliver(id);
  t.deepEqual(titles(receiver.taken), ['Easy', 'Stubborn']);
  const ids = receiver.received.filter(({ body }) => body.includes('Stubborn')).map(({ headers }) => headers['webhook-id']);
  t.true(ids.length >= 2 && new Set(ids).size === 1);
  t.like((await look(id)).deliveries[1], { state: 'delivered', attempts: ids.length });
});

test('after the tenth attempt a webhook pauses and its creator gets one notification; resumed, it sends all waiting changes', async (t) => {
  const { id } = await make();
  receiver.mood = () => 'fails';
  await task('One');
  await work();
  for (let attempt = 2; attempt <= 10; attempt++) {
    await backdate(id);
    await deliver(id);
  }
  t.is(receiver.received.length, 10);
  t.like((await look(id)).webhook, { state: 'rests', restsBecause: 'failures' });
  await task('Two');
  await work();
  t.is(receiver.received.length, 10);
  t.is((await sql('select count(*)::int as n from notifications where webhook_id = $1 and user_id = $2', [id, world.ownerId]))[0].n, 1);
  await t.throwsAsync(perform(db, owner(), testWebhook, one(id)), { message: /is paused/ });
  receiver.mood = () => 'takes';
  await perform(db, owner(), resumeWebhook, one(id));
  await work();
  t.deepEqual(titles(receiver.taken), ['One', 'Two']);
  t.like((await look(id)).webhook, { state: 'works', waiting: 0 });
});

test('a rotation signs with both secrets for a day, and then with the new one only', async (t) => {
  const { id, secret } = await make();
  const rotated = (await perform(db, owner(), rotateWebhook(settings), one(id))) as { secret: string };
  t.true((await look(id)).webhook.rotating);
  await task('Both');
  await work();
  for (const known of [secret, rotated.secret])
    t.notThrows(() => new Webhook(known).verify(receiver.taken[0]!.body, receiver.taken[0]!.headers));
  await sql(`update webhooks set old_secret_until = now() where id = $1`, [id]);
  await task('One');
  await work();
  const last = receiver.taken.at(-1)!;
  t.throws(() => new Webhook(secret).verify(last.body, last.headers));
  t.notThrows(() => new Webhook(rotated.secret).verify(last.body, last.headers));
  t.is((await sql('select old_secret from webhooks where id = $1', [id]))[0].old_secret, null);
});

test('a test is sent at once and not repeated; a delivery is sent again with its id; a revoked webhook sends nothing', async (t) => {
  const { id, secret } = await make();
  await task('A');
  await work();
  await perform(db, owner(), testWebhook, one(id));
  await work();
  t.like(new Webhook(secret).verify(receiver.taken[1]!.body, receiver.taken[1]!.headers), {
    type: 'webhook.test',
    data: { webhookId: id },
  });
  receiver.mood = () => 'fails';
  await perform(db, owner(), testWebhook, one(id));
  await work();
  const [failed, , first] = (await look(id)).deliveries;
  t.like(failed, { kind: null, state: 'failed', attempts: 1, status: 500, answer: 'out of order', nextAt: null });
  receiver.mood = () => 'takes';
  await perform(db, owner(), sendAgain, { ...one(id), delivery: first!.id });
  await work();
  t.is(receiver.taken.at(-1)!.headers['webhook-id'], receiver.taken[0]!.headers['webhook-id']);
  await perform(db, owner(), revokeWebhook, one(id));
  const before = receiver.received.length;
  await task('B');
  await work();
  t.is(receiver.received.length, before);
  t.deepEqual(await sql('select length(secret) as secret, old_secret from webhooks where id = $1', [id]), [
    { secret: 0, old_secret: null },
  ]);
});

test('a change of a long transaction is sent after it has ended, and no earlier one is missed', async (t) => {
  await make();
  const early = await task('Early');
  await work();
  const release = Promise.withResolvers<void>();
  const written = Promise.withResolvers<void>();
  const late = db.transaction(async (tx) => {
    await tx.query(statement.unsafe`insert into changes (account_id, workspace_id, item_id, actor_id, via, kind, version)
      select account_id, workspace_id, item_id, actor_id, via, 'item.archived', version from changes where item_id = ${early.id} limit 1`);
    written.resolve();
    await release.promise;
  });
  await written.promise;
  await task('Meanwhile');
  await follow(db, webhooksFollower);
  await runDueJobs({ url: database.url, db } as never);
  t.deepEqual(titles(receiver.taken), ['Early']);
  release.resolve();
  await late;
  await work();
  t.deepEqual(titles(receiver.taken), ['Early', 'Early', 'Meanwhile']);
});

test('two concurrent jobs send nothing twice: the later one retries when the other is done', async (t) => {
  const { id } = await make();
  for (const title of ['A', 'B', 'C']) await task(title);
  await settled(db);
  await Promise.all([1, 2, 3].map(() => deliverDue(db, id, deliverSettings)));
  t.deepEqual(titles(receiver.taken), ['A', 'B', 'C']);
  t.is((await sql('select count(*)::int as n from graphile_worker._private_jobs where key = $1', [`webhook_held:${id}`]))[0].n, 1);
});

test('a change that comes while a job finishes is sent when that job ends, not when its hold would', async (t) => {
  const { id } = await make();
  const finishing = await holdToDeliver(db.pool(), id);
  await task('A');
  await work();
  t.deepEqual(titles(receiver.taken), []);
  await db.transaction((tx) => release(tx, finishing!, false));
  await runDueJobs({ url: database.url, db } as never);
  t.deepEqual(titles(receiver.taken), ['A']);
});

test('a worker that dies between sending and storing sends the message again, with the same id', async (t) => {
  const { id } = await make();
  await task('A');
  const stop = new AbortController();
  receiver.mood = () => {
    stop.abort(new Error('killed'));
    return 'hangs';
  };
  await deliver(id, { signal: stop.signal });
  receiver.mood = () => 'takes';
  await work();
  t.is(receiver.received.length, 2);
  t.is(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 1);
});

test('after a rotation of SECRET_KEY secrets are encrypted again, and the previous key is no longer needed', async (t) => {
  const { id, secret } = await make();
  await perform(db, owner(), rotateWebhook(settings), one(id));
  const rotated = { secretKey: 'another secret of thirty-two characters', previousSecretKey: TEST_SECRET };
  await resealSecrets(db, rotated, makeLogger('silent', 'worker'));
  await task('A');
  await deliver(id, { keys: { secretKey: rotated.secretKey } });
  t.notThrows(() => new Webhook(secret).verify(receiver.taken[0]!.body, receiver.taken[0]!.headers));
  t.is((await look(id)).webhook.state, 'works');
});

const nextLanes = async (id: number) =>
  (
    await sql(
      `select distinct task_identifier as task from graphile_worker.jobs where id in (
         select id from graphile_worker._private_jobs where payload ->> 'webhookId' = $1)`,
      [String(id)],
    )
  ).map((job) => job.task);

test('a webhook whose receiver does not answer moves to a separate lane until it does', async (t) => {
  const { id } = await make();
  receiver.mood = () => 'resets';
  await task('A');
  await task('B');
  await deliver(id);
  t.deepEqual(await nextLanes(id), ['deliver_failing_webhook']);
  t.is(receiver.received.length, 1);
  receiver.mood = () => 'takes';
  await work();
  t.deepEqual(titles(receiver.taken), ['B']);
  t.is((await look(id)).webhook.state, 'works');
});

const took = (ms: number) => ({ observe: (attempt: Attempt) => void Object.assign(attempt, { ms }) });

test('a webhook whose receiver answers slowly moves to the separate lane, too, until it answers quickly', async (t) => {
  const { id } = await make();
  for (const title of ['A', 'B', 'C']) await task(title);
  await deliver(id, took(1_001));
  t.deepEqual(titles(receiver.taken), ['A'], 'it leaves its place to others');
  t.deepEqual(await nextLanes(id), ['deliver_failing_webhook']);
  t.is((await look(id)).webhook.state, 'works');
  await sql(`select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs where task_identifier like 'deliver%'))`);
  await deliver(id, took(20));
  t.deepEqual(titles(receiver.taken), ['A', 'B', 'C']);
  await task('D');
  await settled(db);
  await follow(db, webhooksFollower);
  t.deepEqual(await nextLanes(id), ['deliver_webhook']);
});

test("a webhook whose secret can't be decrypted pauses, and sends nothing unsigned", async (t) => {
  const { id } = await make();
  await task('A');
  await deliver(id, { keys: { secretKey: 'another secret of thirty-two characters' } });
  t.deepEqual(receiver.received, []);
  t.like((await look(id)).webhook, { state: 'rests', restsBecause: 'secret' });
});

const priorityOf = async (id: number): Promise<number[]> =>
  (
    await sql(`select priority from graphile_worker._private_jobs where payload ->> 'webhookId' = $1 and locked_at is null`, [String(id)])
  ).map((job) => job.priority);

test("after 2 s of sending a webhook yields, and an account's webhooks wait for the first ones of other accounts", async (t) => {
  const hooks = [await make(), await make(), await make()];
  await task('A');
  await settled(db);
  await follow(db, webhooksFollower);
  t.deepEqual(await Promise.all(hooks.map(({ id }) => priorityOf(id))), [[0], [1], [2]]);
  for (const title of ['B', 'C', 'D']) await task(title);
  const { id } = hooks[0]!;
  await sql(
    `select graphile_worker.complete_jobs(array(select id from graphile_worker._private_jobs where payload ->> 'webhookId' = $1))`,
    [String(id)],
  );
  await deliver(id, took(900));
  t.deepEqual(titles(receiver.taken), ['A', 'B', 'C']);
  t.deepEqual(await nextLanes(id), ['deliver_webhook']);
  t.deepEqual(await priorityOf(id), [2]);
});
