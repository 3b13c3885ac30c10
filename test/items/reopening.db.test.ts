/** Reopening takes back what becoming done set, on every way (behaviour §4.18, §23.3). */
import { fileDatabase } from '../support/database.ts';
import { ask, type McpWorld, mcpWorld, once } from '../support/mcpWorld.ts';
import { suite } from '../support/suite.ts';
import type { Visitor } from '../support/visitor.ts';

const test = suite(import.meta.url);

// biome-ignore lint/suspicious/noExplicitAny: records are JSON, looked into freely
type Json = any;

const database = fileDatabase();
const today = new Date().toISOString().slice(0, 10);
let world: McpWorld;
let ana: Visitor;

test.before('a workspace open to agents, and its owner on the pages', async () => {
  world = await mcpWorld(database.url, { BASE_URL: 'http://localhost/stint' });
  ana = await world.visitor(world.ownerId);
});
test.after('stop', () => world?.end());

const setOf = ({ fields: { progressPercent, actualDate } }: Json) => [progressPercent, actualDate];
const saved = (item: Json, change: Json) => world.owner.save({ ...item, ...change, fields: { ...item.fields, ...change.fields } });
/** A full record, as a client that reads, changes the status and saves sends it. */
const withStatus = (item: Json, status: string, fields: Json = {}) => saved(item, { status, fields: { ...fields, statusKey: status } });
const release = async (fields: Json = { progressPercent: 30 }) => {
  const { id } = await world.owner.save({ type: 'release', title: 'R', description: '', status: 'planned', fields });
  return world.read(id);
};
const closed = async (fields?: Json) => withStatus(await release(fields), 'done');

test('a full-record save over REST that reopens gives progress and actual date back what they were, although it repeats them', async (t) => {
  const done = await closed();
  t.deepEqual(setOf(done), [100, today]);
  const open = await withStatus(done, 'in_progress');
  t.deepEqual(setOf(open), [30, null]);
  t.deepEqual(setOf(await world.read(open.id)), [30, null]);
  const [row] = await world.fixtures.sql('select fields from changes where item_id = $1 and version = $2', [open.id, open.version]);
  t.deepEqual(row.fields.progressPercent, [100, 30], 'the change names them');
  t.deepEqual(setOf(await withStatus(await withStatus(open, 'done'), 'cancelled')), [30, null], 'again, and for another closed status');
  const unset = await withStatus(await closed({}), 'planned');
  t.deepEqual(setOf(unset), [null, null]);
});

test('what was given, or has changed since, stays when an item is reopened', async (t) => {
  t.deepEqual(setOf(await withStatus(await closed(), 'planned', { progressPercent: 60, actualDate: '2026-01-05' })), [60, '2026-01-05']);
  const edited = await saved(await closed(), { fields: { progressPercent: 80 } });
  t.deepEqual(setOf(await withStatus(edited, 'planned')), [80, null]);
  const before = await closed({ progressPercent: 100, actualDate: '2026-02-01' });
  t.deepEqual(setOf(before), [100, '2026-02-01']);
  t.deepEqual(setOf(await withStatus(before, 'planned')), [100, '2026-02-01'], 'closing did not set it');
  const done = await closed();
  t.deepEqual(setOf(await saved(done, { title: 'Renamed' })), [100, today], 'an item that stays done keeps them');
});

test('agents that reopen get them back too, named in `changed`; a warning names what stays', async (t) => {
  const { agent, workspaceId } = world;
  const one = await closed();
  const { item, changed, warnings } = await ask(agent, 'svc_update_item', once({ id: one.id, version: one.version, status: 'planned' }));
  t.is(item.fields.progressPercent, 30);
  t.false('actualDate' in item.fields);
  t.deepEqual(changed.toSorted(), ['actualDate', 'progressPercent', 'status']);
  t.is(warnings, undefined);
  const [two, imported] = [await closed({ progressPercent: 45 }), await closed()];
  await world.fixtures.sql('delete from changes where item_id = $1', [imported.id]);
  const items = [two, imported].map(({ id, version }) => ({ id, version, fields: { statusKey: 'in_progress' } }));
  const batch = await ask(agent, 'svc_update_items', once({ workspaceId, items }));
  t.deepEqual(setOf(await world.read(two.id)), [45, null]);
  t.deepEqual(setOf(await world.read(imported.id)), [100, today]);
  t.deepEqual(batch.warnings, [
    {
      code: 'kept_after_reopening',
      message: `Item ${imported.id} is open again and keeps progressPercent 100 and actualDate ${today}. Update it if needed.`,
      index: 1,
    },
  ]);
});

test('pages reopen one item or many the same way; undo of closing and of reopening restores both', async (t) => {
  const at = `/workspaces/${world.workspaceId}`;
  const { id } = await closed();
  await ana.go(`${at}/items/${id}/change/status?back=${at}/items/${id}`);
  await ana.send('/change/status', { value: 'in_progress' });
  t.deepEqual(setOf(await world.read(id)), [30, null]);
  await ana.send('/undo');
  t.deepEqual(setOf(await world.read(id)), [100, today], 'undo of reopening');
  const many = [await closed({ progressPercent: 10 }), await closed({ progressPercent: 20 })];
  await ana.go(`${at}/bulk?change=status&back=${at}&${many.map((one) => `ids=${one.id}.${one.version}`).join('&')}`);
  await ana.send('/bulk', { value: 'planned' });
  t.deepEqual(await Promise.all(many.map(async (one) => setOf(await world.read(one.id)))), [
    [10, null],
    [20, null],
  ]);
  const fresh = await release({ progressPercent: 70 });
  await ana.go(`${at}/items/${fresh.id}/change/status?back=${at}/items/${fresh.id}`);
  await ana.send('/change/status', { value: 'done' });
  await ana.send('/undo');
  t.deepEqual(setOf(await world.read(fresh.id)), [70, null], 'undo of closing');
});

test('the form of an item, which sends every field, gives them back when it reopens', async (t) => {
  const at = `/workspaces/${world.workspaceId}`;
  const { id } = await closed();
  await ana.go(`${at}/items/${id}/edit`);
  await ana.send(`/items/${id}/edit`, { statusKey: 'planned' });
  t.deepEqual(setOf(await world.read(id)), [30, null]);
});
