/** The scan of uploaded files by the operator's command or URL (behaviour §35.9). */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepBlob, writeBlob } from '../../src/files/blobs.ts';
import { scanTurn } from '../../src/files/itemFileQueries.ts';
import { scanFile } from '../../src/files/scan.ts';
import { suite } from '../support/suite.ts';
import { timeWorld } from '../support/timeWorld.ts';
import { queueOf, runningWorker } from '../support/workers.ts';

const test = suite(import.meta.url);

const world = timeWorld();
const never = new AbortController().signal;

/** A file that waits for its scan. */
async function fileOf(bytes: Buffer, thumbnail?: Buffer): Promise<number> {
  const { accountId, workspaceId, itemId, userId } = await world.team();
  async function* source() {
    yield bytes;
  }
  const blob = await writeBlob(world.db, source(), { accountId, mostBytes: 25 * 1024 * 1024, quotaBytes: 2 ** 40 });
  await keepBlob(world.db.pool(), blob);
  if (thumbnail)
    await world.rows(`insert into file_thumbnails (account_id, blob_id, type, bytes) values ($1, $2, 'image/webp', $3)`, [
      accountId,
      blob.id,
      thumbnail,
    ]);
  return world.value(
    `insert into item_files (account_id, workspace_id, item_id, blob_id, name, size, type, state, added_by)
     values ($1, $2, $3, $4, 'a.bin', $5, 'application/octet-stream', 'scanning', $6) returning id`,
    [accountId, workspaceId, itemId, blob.id, bytes.length, userId],
  );
}
const stateOf = async (id: number) =>
  (await world.rows('select state, blob_id is not null as has_bytes from item_files where id = $1', [id]))[0];

test('a command gets all bytes: exit 0 makes the file readable, 1 deletes its bytes', async (t) => {
  const bytes = randomBytes(700_000);
  const clean = await fileOf(bytes);
  await scanFile(world.db, { command: `test "$(wc -c)" -eq ${bytes.length}` }, clean, never);
  t.deepEqual(await stateOf(clean), { state: 'ready', has_bytes: true });
  const infected = await fileOf(Buffer.from('an EICAR test'));
  await scanFile(world.db, { command: '! grep -q EICAR' }, infected, never);
  t.deepEqual(await stateOf(infected), { state: 'refused', has_bytes: false });
});

test('a scanner may decide before it has read everything', async (t) => {
  const file = await fileOf(randomBytes(5 * 1024 * 1024));
  await scanFile(world.db, { command: 'exit 1' }, file, never);
  t.is((await stateOf(file)).state, 'refused');
});

test('a thumbnail is scanned too', async (t) => {
  const file = await fileOf(Buffer.from('clean'), Buffer.from('EICAR'));
  await scanFile(world.db, { command: '! grep -q EICAR' }, file, never);
  t.deepEqual(await stateOf(file), { state: 'refused', has_bytes: false });
  t.is(await world.value('select count(*)::int from file_thumbnails where bytes = $1', [Buffer.from('EICAR')]), 0);
});

test('a scanner that fails, is missing or is stopped leaves the file unreadable, and the job runs again', async (t) => {
  const file = await fileOf(randomBytes(10));
  await t.throwsAsync(() => scanFile(world.db, { command: 'exit 2' }, file, never), { message: /ended with 2/ });
  await t.throwsAsync(() => scanFile(world.db, { command: '/no/such/scanner' }, file, never), { message: /ended with 127/ });
  await t.throwsAsync(() => scanFile(world.db, null, file, never), { message: /FILES_SCAN_COMMAND or FILES_SCAN_URL must be set/ });
  await t.throwsAsync(() => scanFile(world.db, { command: 'sleep 60' }, file, AbortSignal.timeout(50)));
  t.deepEqual(await stateOf(file), { state: 'scanning', has_bytes: true });
  await scanFile(world.db, { command: 'true' }, file, never);
  await scanFile(world.db, { command: 'false' }, file, never);
  t.is((await stateOf(file)).state, 'ready', 'a scanned file is not scanned again');
});

test('a file of which the scanner got only a part is not clean', async (t) => {
  const file = await fileOf(randomBytes(700_000));
  await world.rows('delete from blob_chunks c using item_files f where f.id = $1 and c.blob_id = f.blob_id and c.n = 1', [file]);
  await t.throwsAsync(() => scanFile(world.db, { command: 'cat > /dev/null' }, file, never), { message: /Chunk 1 .* is missing/ });
  t.is((await stateOf(file)).state, 'scanning');
});

test('a URL gets all bytes: 2xx is clean, 422 infected, everything else an error', async (t) => {
  let status = 204;
  const got: Buffer[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    got.push(Buffer.concat(parts));
    response.writeHead(status, { Location: 'http://127.0.0.1:1/' }).end('said');
  }).listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const scanner = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
  const bytes = randomBytes(600_000);
  const clean = await fileOf(bytes);
  await scanFile(world.db, scanner, clean, never);
  t.true(got[0]!.equals(bytes));
  t.is((await stateOf(clean)).state, 'ready');
  const infected = await fileOf(bytes);
  for (status of [500, 302, 404]) await t.throwsAsync(() => scanFile(world.db, scanner, infected, never));
  t.is((await stateOf(infected)).state, 'scanning');
  status = 422;
  await scanFile(world.db, scanner, infected, never);
  t.is((await stateOf(infected)).state, 'refused');
});

test('a person with more files that wait, in any workspace, has a later turn', async (t) => {
  const file = await fileOf(Buffer.from('first'));
  const [elsewhere] = await world.rows(
    `with w as (insert into workspaces (account_id, name) select account_id, 'Elsewhere' from item_files where id = $1 returning id, account_id)
     insert into items (account_id, workspace_id, type, title, status, status_key)
     select account_id, id, 'task', 'Elsewhere', 'planned', 'planned' from w returning id, workspace_id`,
    [file],
  );
  const further = (state: string, addedBy = 'added_by', [workspaceId, itemId] = ['workspace_id', 'item_id']) =>
    world.value(
      `insert into item_files (account_id, workspace_id, item_id, blob_id, name, size, type, state, added_by)
        select account_id, ${workspaceId}, ${itemId}, blob_id, name, size, type, $2, ${addedBy} from item_files where id = $1 returning id`,
      [file, state],
    );
  const [waiting, scanned] = [await further('scanning'), await further('ready')];
  const last = await further('scanning');
  const other = await world.value(
    `insert into users (account_id, email, name) select account_id, 'other@scan.example', 'Other' from item_files where id = $1 returning id`,
    [file],
  );
  const of = await further('scanning', String(other));
  const far = await further('scanning', 'added_by', [elsewhere.workspace_id, elsewhere.id]);
  const turns = [file, waiting, scanned, last, of, far].map((id) => scanTurn(world.db.pool(), id));
  t.deepEqual(await Promise.all(turns), [0, 1, 2, 2, 0, 3]);
});

test('a slow scanner delays no mails', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'stint-scan-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const queue = await queueOf(t, world.url);
  const file = await fileOf(Buffer.from('slow'));
  await queue.rows(`select graphile_worker.add_job('scan_file', json_build_object('fileId', $1::bigint))`, [file]);
  // Scans until the folder is gone.
  const env = { WORKER_CONCURRENCY: '1', FILES_SCAN_COMMAND: `while [ -e ${folder} ]; do sleep 0.1; done` };
  await runningWorker(t, world.url, { env });
  await queue.until(`select locked_at is not null from graphile_worker.jobs where task_identifier = 'scan_file'`);
  await queue.rows(`select graphile_worker.add_job('mail_notification', '{"notificationId": 1}')`);
  await queue.until(`select count(*) = 0 from graphile_worker.jobs where task_identifier = 'mail_notification'`);
  t.is((await stateOf(file)).state, 'scanning');
  await rm(folder, { recursive: true });
  await queue.until(`select state = 'ready' from item_files where id = ${file}`);
});
