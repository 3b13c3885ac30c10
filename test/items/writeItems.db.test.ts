/** A revocation or another change of the same items between the check of a write and its statement (behaviour §4.10, §7.38). */
import { hashSecret } from '../../src/access/secrets.ts';
import { connectDb, type Db } from '../../src/database/db.ts';
import { createItems } from '../../src/items/createItems.ts';
import { saveItem } from '../../src/items/saveItem.ts';
import { updateItems } from '../../src/items/updateItems.ts';
import type { AppError } from '../../src/values/errors.ts';
import { fileDatabase } from '../support/database.ts';
import { refusal } from '../support/operationWorld.ts';
import { draftOf, type RestWorld, restWorld } from '../support/restWorld.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let world: RestWorld;
let db: Db;
test.before('a workspace', async () => {
  [world, db] = await Promise.all([restWorld(database.url), connectDb(database.url)]);
});
test.after('close', async () => {
  await world?.end();
  await db?.close();
});

/** Checks the write, lets something happen, and runs it. Returns the refusal. */
async function refusedAfter(
  write: { authorize: typeof updateItems.authorize; run: typeof updateItems.run },
  input: unknown,
  event: () => Promise<unknown>,
  key = world.key,
): Promise<AppError> {
  const attempt = db.transaction(async (tx) => {
    const permit = await write.authorize(tx, { kind: 'key', hash: hashSecret(key) }, input as never, { replay: false });
    await event();
    return write.run(tx, permit, input as never, []);
  });
  return refusal(attempt);
}

test('a write whose key is revoked after its check writes nothing', async (t) => {
  const { fixtures, ownerId, workspaceId, owner } = world;
  const made = await owner.save(draftOf('task', {}, { title: 'Kept' }));
  for (const [write, input] of [
    [saveItem, { workspaceId, record: { ...made, title: 'Lost' } }],
    [updateItems, { workspaceId, items: [{ id: made.id, version: 1, title: 'Lost' }] }],
    [createItems, { workspaceId, items: [{ type: 'task', title: 'Lost' }] }],
  ] as const) {
    const key = await fixtures.key(ownerId);
    const revoke = () => fixtures.sql('update rest_keys set revoked_at = now() where key_hash = $1', [hashSecret(key)]);
    t.is((await refusedAfter(write as never, input, revoke, key)).code, 'forbidden', write.name);
  }
  t.deepEqual(await fixtures.sql(`select id::integer, title, version from items where title in ('Kept', 'Lost')`), [
    { id: made.id, title: 'Kept', version: 1 },
  ]);
});

test('items that change after the check of a batch are all named, and nothing is written', async (t) => {
  const { workspaceId, owner, fixtures } = world;
  const made: { id: number; version: number }[] = [];
  for (const title of ['First', 'Second', 'Third']) made.push(await owner.save(draftOf('task', {}, { title })));
  const items = made.map(({ id }) => ({ id, version: 1, status: 'done' }));
  const change = () => Promise.all([0, 2].map((n) => owner.save({ ...made[n], title: 'Changed' })));
  const { code, details } = await refusedAfter(updateItems, { workspaceId, items }, change);
  t.is(code, 'conflict');
  t.deepEqual(
    details.conflicts,
    [0, 2].map((index) => ({ index, id: made[index]!.id, currentVersion: 2 })),
  );
  const ids = made.map(({ id }) => id);
  t.deepEqual(await fixtures.sql('select distinct status from items where id = any($1)', [ids]), [{ status: 'planned' }]);
});

test('a save whose item changes after its check names the version that it has now', async (t) => {
  const { workspaceId, owner } = world;
  const made = await owner.save(draftOf('task', {}, { title: 'Alone' }));
  const change = () => owner.save({ ...made, title: 'Faster' });
  const { details } = await refusedAfter(saveItem as never, { workspaceId, record: { ...made, title: 'Slower' } }, change);
  t.deepEqual(details, { currentVersion: 2 });
});
