/** Statuses, their keys, approval, blocking, done, and priorities: behaviour §4.11, §4.13, §4.14, §4.16, §4.18. */
import type { ExecutionContext } from 'ava';
import { itemTypes } from '../../src/access/rights.ts';
import { fileDatabase } from '../support/database.ts';
import { type RestWorld, restWorld } from '../support/restWorld.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let world: RestWorld;
test.before('a world with a status of its own', async () => {
  world = await restWorld(database.url);
  await world.fixtures.sql(
    `insert into statuses (account_id, workspace_id, key, label, types, status, position) values
     ($1, $2, 'doing', 'Doing', '{task}', 'in_progress', 9), ($1, $2, 'first', 'First', '{task}', 'in_review', 0)`,
    [world.accountId, world.workspaceId],
  );
});
test.after('stop', () => world?.end());

// biome-ignore lint/suspicious/noExplicitAny: records as they come
type Item = any;
const draft = (status = 'planned', fields: object = {}, type = 'task') => ({ type, title: 'T', description: '', status, fields });
/** The item as an update of itself. */
const again = ({ id, version, type, title, description, status }: Item, change: object = {}) => ({
  id,
  version,
  type,
  title,
  description,
  status,
  fields: {},
  ...change,
});
const today = async () => (await world.fixtures.sql(`select (now() at time zone 'UTC')::date::text as day`))[0].day as string;

async function refused(t: ExecutionContext, record: Item, status: number, says: RegExp) {
  const answer = await world.owner.post('/items/save', { record });
  t.is(answer.status, status, JSON.stringify(answer.body));
  t.regex(answer.body.error, says);
}

test('every type has the six basic statuses, each with a key of the same name', async (t) => {
  for (const type of itemTypes) {
    for (const status of ['planned', 'in_progress', 'in_review', 'done', 'cancelled']) {
      t.like(await world.owner.save(draft(status, {}, type)), {
        status,
        fields: { statusKey: status === 'in_review' && type === 'task' ? 'first' : status },
      });
    }
    t.like(await world.owner.save(draft('blocked', { blockedReason: 'x' }, type)), { status: 'blocked', fields: { statusKey: 'blocked' } });
  }
});

test("a status without a key takes its first key in the workspace's order, or keeps the current one", async (t) => {
  const saved = await world.owner.save(draft('in_review'));
  t.is(saved.fields.statusKey, 'first');
  const doing = await world.owner.save(again(saved, { status: 'in_progress', fields: { statusKey: 'doing' } }));
  t.is(doing.fields.statusKey, 'doing');
  t.is((await world.owner.save(again(doing, { title: 'U' }))).fields.statusKey, 'doing');
});

test('a null statusKey counts as omitted', async (t) => {
  const saved = await world.owner.save(draft('in_progress', { statusKey: 'doing' }));
  t.deepEqual(await world.owner.save(again(saved, { fields: { statusKey: null } })), saved);
  t.is((await world.owner.save(draft('planned', { statusKey: null }))).fields.statusKey, 'planned');
});

test('a key that contradicts the status, is unknown, or belongs to other types is refused', async (t) => {
  await refused(t, draft('planned', { statusKey: 'doing' }), 400, /^record\.fields\.statusKey: /);
  await refused(t, draft('planned', { statusKey: 'someday' }), 400, /^record\.fields\.statusKey: /);
  await refused(t, draft('in_progress', { statusKey: 'doing' }, 'goal'), 400, /^record\.fields\.statusKey: /);
  const saved = await world.owner.save(draft());
  await refused(t, again(saved, { status: 'done', fields: { statusKey: 'planned' } }), 400, /^record\.fields\.statusKey: /);
});

test('approval exists for requirements and releases only', async (t) => {
  for (const type of ['task', 'goal', 'milestone']) {
    for (const status of ['pending_approval', 'approved']) await refused(t, draft(status, {}, type), 400, /^record\.status: /);
  }
});

test('entering or leaving pending_approval and entering approved are forbidden here; leaving approved is allowed', async (t) => {
  const { fixtures, owner } = world;
  const put = (id: number, status: string) => fixtures.sql('update items set status = $2, status_key = $2 where id = $1', [id, status]);
  for (const type of ['requirement', 'release']) {
    for (const status of ['pending_approval', 'approved']) await refused(t, draft(status, {}, type), 403, /no access/);
    const saved = await owner.save(draft('in_review', {}, type));
    for (const status of ['pending_approval', 'approved']) await refused(t, again(saved, { status }), 403, /no access/);
    await put(saved.id, 'pending_approval');
    for (const status of ['planned', 'approved', 'done', 'cancelled']) await refused(t, again(saved, { status }), 403, /no access/);
    t.like(await owner.save(again(saved, { status: 'pending_approval', title: 'U' })), { version: 2, status: 'pending_approval' });
    await put(saved.id, 'approved');
    t.like(await owner.save(again(saved, { status: 'in_progress', version: 2 })), { version: 3, status: 'in_progress' });
  }
});

test('a blocked item needs a reason', async (t) => {
  for (const fields of [{}, { blockedReason: null }, { blockedReason: '' }, { blockedReason: '  ' }]) {
    await refused(t, draft('blocked', fields), 400, /^record\.fields\.blockedReason: /);
  }
  const saved = await world.owner.save(draft('blocked', { blockedReason: 'No water' }));
  await refused(t, again(saved, { fields: { blockedReason: null } }), 400, /^record\.fields\.blockedReason: /);
  t.is((await world.owner.save(again(saved, { title: 'U' }))).fields.blockedReason, 'No water');
});

test('a reason on an item that is not blocked is refused, and unblocking clears it', async (t) => {
  await refused(t, draft('planned', { blockedReason: 'x' }), 400, /^record\.fields\.blockedReason: /);
  for (const fields of [{}, { blockedReason: null }, { blockedReason: 'No water' }]) {
    const saved = await world.owner.save(draft('blocked', { blockedReason: 'No water' }));
    await refused(t, again(saved, { status: 'planned', fields: { blockedReason: 'Other' } }), 400, /^record\.fields\.blockedReason: /);
    t.is((await world.owner.save(again(saved, { status: 'planned', fields }))).fields.blockedReason, null);
  }
});

test('moving to done sets progress to 100, and an empty actual date to today where the type has one', async (t) => {
  const day = await today();
  for (const type of itemTypes) {
    const dated = ['goal', 'release', 'milestone'].includes(type);
    const saved = await world.owner.save(draft('planned', { progressPercent: 10 }, type));
    const done = await world.owner.save(again(saved, { status: 'done', fields: { progressPercent: 50 } }));
    t.like(done.fields, { progressPercent: 100, actualDate: dated ? day : null }, type);
    t.like((await world.owner.save(draft('done', {}, type))).fields, { progressPercent: 100, actualDate: dated ? day : null }, type);
    if (!dated) continue;
    t.is((await world.owner.save(draft('done', { actualDate: '2026-01-02' }, type))).fields.actualDate, '2026-01-02');
    t.is((await world.owner.save(draft('done', { actualDate: null }, type))).fields.actualDate, day);
  }
});

test('changing a done item does not repeat the effects of done', async (t) => {
  const done = await world.owner.save(draft('done', {}, 'goal'));
  const changed = await world.owner.save(again(done, { fields: { progressPercent: 90, actualDate: null } }));
  t.like(changed.fields, { progressPercent: 90, actualDate: null });
  const reopened = await world.owner.save(again(changed, { status: 'in_progress' }));
  t.like(reopened, { status: 'in_progress', fields: { progressPercent: 90 } });
});

test('a new task has the default priority, another type none; null clears it', async (t) => {
  const saved = await world.owner.save(draft());
  t.is(saved.fields.priorityKey, 'normal');
  t.is((await world.owner.save(draft('planned', {}, 'release'))).fields.priorityKey, null);
  t.is((await world.owner.save(again(saved, { fields: { priorityKey: null } }))).fields.priorityKey, null);
  for (const priorityKey of ['low', 'normal', 'high', 'urgent']) {
    t.is((await world.owner.save(draft('planned', { priorityKey }, 'goal'))).fields.priorityKey, priorityKey);
  }
});

test('an unknown priority is refused', async (t) => {
  for (const priorityKey of ['', 'Normal', 'asap'])
    await refused(t, draft('planned', { priorityKey }), 400, /^record\.fields\.priorityKey: /);
});
