/** Labels of items while labels are merged (behaviour §23.3, §33.3, §33.14). */
import { randomUUID } from 'node:crypto';
import type { Caller } from '../../src/access/caller.ts';
import { hashSecret } from '../../src/access/secrets.ts';
import { connectDb, type Db } from '../../src/database/db.ts';
import { changeRelations } from '../../src/items/relations.ts';
import { undoChange } from '../../src/items/undoChange.ts';
import { perform } from '../../src/operations/perform.ts';
import { fileDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { hold } from '../support/mcpWorld.ts';
import { type RestWorld, restWorld } from '../support/restWorld.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let world: RestWorld;
let db: Db;
let owner: Caller;
test.before('a workspace', async () => {
  [world, db] = await Promise.all([restWorld(database.url), connectDb(database.url, 4)]);
  owner = { kind: 'session', hash: hashSecret(await world.fixtures.session(world.ownerId)) };
});
test.after('stop', () => Promise.all([world?.end(), db?.close()]));

interface Item {
  id: number;
  version: number;
}

const newLabel = async (name: string = randomUUID()) => (await world.owner.post('/labels/save', { label: { name } })).body;
const merge = ({ id, name }: { id: number; name: string }, into: number) =>
  world.owner.post('/labels/save', { label: { id, name, mergeInto: into } });
const put = async ({ id, version }: Item, labels: number[]): Promise<Item> =>
  (await world.owner.post('/relations/save', { id, version, labels })).body;
const labelsOf = async ({ id }: Item): Promise<number[]> =>
  (await world.owner.get('/relations', { id })).body.labels.map((label: Item) => label.id).sort((a: number, b: number) => a - b);
const add = ({ id, version }: Item, label: number) =>
  perform(db, owner, changeRelations, {
    workspaceId: world.workspaceId,
    items: [{ id, version }],
    labels: { add: [label], remove: [] },
  });

const blocked = () => world.fixtures.sql(`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);

test('adding a label while another label of the item is merged keeps the label it was merged into', async (t) => {
  const [from, into, more] = [await newLabel(), await newLabel(), await newLabel()];
  const item = await put(await world.make('task'), [from.id]);
  const release = await hold(database.url, `select from items where id = ${item.id} for no key update`);
  const adding = add(item, more.id);
  await eventually(blocked, (found) => found.length === 1);
  const merging = merge(from, into.id);
  await Promise.race([merging, eventually(blocked, (found) => found.length === 2)]);
  await release();
  await Promise.all([adding, merging]);
  t.deepEqual(await labelsOf(item), [into.id, more.id]);
});

test('undo of an added label that was merged since is refused, and the item keeps the other label', async (t) => {
  const [from, into] = [await newLabel('Merged'), await newLabel()];
  const item = await world.make('task');
  await add(item, from.id);
  await merge(from, into.id);
  const undo = perform(db, owner, undoChange, { workspaceId: world.workspaceId, itemId: item.id, version: item.version + 1 });
  const refused = await t.throwsAsync(undo);
  t.regex(refused.message, /label 'Merged' was renamed or merged; change the labels yourself/);
  t.deepEqual(await labelsOf(item), [into.id]);
});
