/** Files of items and their names are for people on pages: agents, feeds and webhooks get neither (behaviour §35.3). */
import { hashSecret } from '../../src/access/secrets.ts';
import { connectDb, type Db } from '../../src/database/db.ts';
import { removeFile, uploadFile } from '../../src/files/itemFiles.ts';
import { perform } from '../../src/operations/perform.ts';
import { webhooksFollower } from '../../src/webhooks/follower.ts';
import { createWebhook } from '../../src/webhooks/manage.ts';
import { fileDatabase } from '../support/database.ts';
import { caughtUp, settled } from '../support/following.ts';
import { ask, type McpWorld, mcpWorld, once } from '../support/mcpWorld.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { suite } from '../support/suite.ts';
import { runDueJobs } from '../support/tasks.ts';
import { TEST_SECRET } from '../support/world.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
const NAME = 'Secret plan.png';
const shows = (answer: unknown): boolean => /secret plan|"files?"|thumbnail|blob/i.test(JSON.stringify(answer));
let world: McpWorld;
let db: Db;
let receiver: Receiver;
let itemId: number;
test.before('an item with a file, one that was removed, and a picture in its description', async () => {
  world = await mcpWorld(database.url);
  db = await connectDb(database.url, 4);
  receiver = await startReceiver();
  const { workspaceId, ownerId } = world;
  await perform(db, { kind: 'user', userId: ownerId }, createWebhook({ secretKey: TEST_SECRET, privateAddresses: true }), {
    ...{ workspaceId, url: receiver.url, kinds: null, format: 'stint' },
  } as never);
  const [item] = await world.make({ type: 'task', title: 'Draw', fields: {} });
  itemId = item.id;
  const caller = { kind: 'session' as const, hash: hashSecret(await world.fixtures.session(ownerId)) };
  const add = (bytes: string) =>
    uploadFile(
      db,
      caller,
      {
        ...{ workspaceId, id: itemId, name: NAME, thumbnail: null },
        bytes: (async function* () {
          yield Buffer.from(bytes);
        })(),
      },
      { quotaBytes: 1_000_000, scan: false },
    );
  const [kept, removed] = [await add('one'), await add('two')];
  await perform(db, caller, removeFile, { fileId: removed.fileId });
  await ask(
    world.agent,
    'svc_update_item',
    once({ id: itemId, version: item.version, description: `![Image](/files/${kept.fileId})`, note: 'See the picture.' }),
  );
});
test.after('stop', async () => {
  receiver?.close();
  await db?.close();
  await world?.end();
});

test('agents get no file and no name from any tool that shows the item', async (t) => {
  const { agent, workspaceId } = world;
  const shown = await ask(agent, 'svc_get_item', { id: itemId, history: true });
  t.true(JSON.stringify(shown).includes('![Image](/files/'), 'the text is as stored');
  const answers = [
    shown,
    await ask(agent, 'svc_context', {}),
    await ask(agent, 'svc_find_work', { search: 'Draw' }),
    await ask(agent, 'svc_my_time', {}).catch(() => null),
  ];
  for (const answer of answers) t.false(shows(answer), JSON.stringify(answer));
  const found = await ask(agent, 'svc_find_work', { search: '"Secret plan"' });
  t.deepEqual(found.items ?? found.rows ?? [], [], 'names of files are not searched');
  t.is(workspaceId, world.workspaceId);
});

test('the change feed and webhooks get no row for a file, and no name', async (t) => {
  await settled(db);
  const { body } = await world.owner.get('/changes', { limit: 200 });
  const own = body.changes.filter((one: { itemId: number }) => one.itemId === itemId);
  t.deepEqual(own.map(({ kind }: { kind: string }) => kind).toSorted(), ['comment.created', 'item.created', 'item.updated']);
  t.false(shows(body));
  await caughtUp(db, webhooksFollower);
  await runDueJobs({ url: database.url, db } as never);
  t.is(receiver.taken.length, 3);
  // Not the headers: a signature is random, and may spell any word.
  for (const { body: sent } of receiver.taken) t.false(shows(JSON.parse(sent)), sent);
});
