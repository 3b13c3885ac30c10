/** Webhooks in each format to a receiver, with hostile names and titles (behaviour §16.10). */
import { Webhook } from 'standardwebhooks';
import { connectDb, type Db } from '../../src/database/db.ts';
import { perform } from '../../src/operations/perform.ts';
import { deliverDue } from '../../src/webhooks/deliver.ts';
import { createWebhook, testWebhook } from '../../src/webhooks/manage.ts';
import type { WebhookFormat } from '../../src/webhooks/schema.ts';
import { fileDatabase } from '../support/database.ts';
import { settled } from '../support/following.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { draftOf, type RestWorld, restWorld } from '../support/restWorld.ts';
import { suite } from '../support/suite.ts';
import { TEST_SECRET } from '../support/world.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
const baseUrl = 'https://stint.example';
let world: RestWorld;
let db: Db;
let receiver: Receiver;

test.before(async () => {
  world = await restWorld(database.url);
  db = await connectDb(database.url, 2);
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
  await world.fixtures.sql(`update users set name = '<!channel> @everyone' where id = $1`, [world.ownerId]);
});

const make = async (format: WebhookFormat, userId = world.ownerId) =>
  (await perform(db, { kind: 'user', userId }, createWebhook({ secretKey: TEST_SECRET, privateAddresses: true }), {
    ...{ workspaceId: world.workspaceId, url: receiver.url, kinds: null, format },
  } as never)) as { id: number; secret: string };

async function deliver(id: number): Promise<void> {
  await settled(db);
  await deliverDue(db, id, { keys: { secretKey: TEST_SECRET }, baseUrl, privateAddresses: true });
}

const hostileTitle = '<https://evil.example|Win> [x](https://evil.example) @here `';

for (const format of ['slack', 'teams', 'discord'] as const)
  test(`${format}: hostile names and titles arrive as text, without comment bodies, signed, with the same id at a retry`, async (t) => {
    const { id, secret } = await make(format);
    const item = await world.owner.save(draftOf('task', {}, { title: hostileTitle, description: 'Secret words.' }));
    await world.owner.post('/comments', { id: item.id, body: 'Secret words.' });
    receiver.mood = () => 'fails';
    await deliver(id);
    receiver.mood = () => 'takes';
    await world.fixtures.sql(`update webhook_deliveries set next_at = now() where webhook_id = $1 and state = 'waiting'`, [id]);
    await deliver(id);
    await deliver(id);
    t.is(receiver.taken.length, 2);
    t.is(receiver.received.length, 3);
    const [failed, again] = receiver.received;
    t.is(again!.headers['webhook-id'], failed!.headers['webhook-id']);
    t.is(again!.body, failed!.body);
    const link = `${baseUrl}/workspaces/${world.workspaceId}/items/${item.id}`;
    for (const { body, headers } of receiver.taken) {
      t.deepEqual(new Webhook(secret).verify(body, headers), JSON.parse(body));
      t.is(headers['content-type'], 'application/json');
      t.true(body.includes(link));
      t.notRegex(body, /Secret words|@everyone|@here|evil\.example/);
      // Text runs of Teams have no such syntax.
      t.is(body.includes('<!channel>'), format === 'teams');
    }
    t.regex(receiver.taken[0]!.body, / created task /);
    t.regex(receiver.taken[1]!.body, / commented on task /);
    await perform(db, { kind: 'user', userId: world.ownerId }, testWebhook, { workspaceId: world.workspaceId, webhook: id });
    await deliver(id);
    const test = receiver.taken.at(-1)!;
    t.regex(test.headers['webhook-id']!, /^test_\d+$/);
    t.regex(test.body, /Stint sent a test message from/);
  });

test('in the format stint, the message is the row of GET /changes as before, byte for byte', async (t) => {
  const { id } = await make('stint');
  await world.owner.save(draftOf('task', {}, { title: hostileTitle }));
  await deliver(id);
  const change = (await world.owner.get('/changes', { limit: 200 })).body.changes.at(-1);
  const expected = `{"type":"item.created","timestamp":${JSON.stringify(change.at)},"data":${JSON.stringify({ ...change, keyName: null })}}`;
  t.deepEqual(
    receiver.taken.map(({ body }) => body),
    [expected],
  );
  t.true(expected.includes(JSON.stringify(hostileTitle)));
  await perform(db, { kind: 'user', userId: world.ownerId }, testWebhook, { workspaceId: world.workspaceId, webhook: id });
  await deliver(id);
  t.regex(
    receiver.taken.at(-1)!.body,
    new RegExp(`^{"type":"webhook\\.test","timestamp":"[^"]+","data":{"webhookId":${id},"workspaceId":${world.workspaceId}}}$`),
  );
});

test("a sentence names no field and no item that the webhook's creator may not read now", async (t) => {
  const { userId } = await world.join('manager', { goals: 'none', releases: 'none' });
  const { id } = await make('slack', userId);
  const goal = await world.owner.save(draftOf('goal', {}, { title: 'Hidden goal' }));
  const item = await world.owner.save(draftOf('task', {}, { title: 'Plain' }));
  await world.owner.save(
    draftOf('task', { goalId: goal.id, dueDate: '2026-04-17' }, { id: item.id, version: item.version, title: 'Plain' }),
  );
  await deliver(id);
  const texts = receiver.taken.map(({ body }) => JSON.parse(body).text);
  t.is(texts.length, 2);
  t.regex(texts[1], /changed the due date of task <[^|]+\|Plain>$/);
  t.notRegex(texts.join(), /goal/i);
});
