/** svc_update_items, and the note of svc_update_item (behaviour §7.27, §7.38). */
import { connectDb, type Db } from '../../src/database/db.ts';
import { notificationsFollower } from '../../src/notifications/follower.ts';
import { fileDatabase } from '../support/database.ts';
import { caughtUp } from '../support/following.ts';
import { ask, call, everything, type McpWorld, mcpWorld, once } from '../support/mcpWorld.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

// biome-ignore lint/suspicious/noExplicitAny: results are JSON, looked into freely
type Json = any;

const database = fileDatabase();
let world: McpWorld;
let db: Db;
test.before('an endpoint', async () => {
  db = await connectDb(database.url, 1);
  world = await mcpWorld(database.url, { REWRITE_TIMEOUT_MS: '300' });
});
test.after('close', async () => {
  await world?.end();
  await db?.close();
});

const update = (items: Json[], agent = world.agent) => call(agent, 'svc_update_items', once({ workspaceId: world.workspaceId, items }));
const tasks = (count: number) => world.make(...Array.from({ length: count }, (_, n) => ({ type: 'task', title: `Task ${n}` })));
const rowsOf = (ids: number[]) =>
  world.fixtures.sql('select id::int, title, status, version from items where id = any($1) order by id', [ids]);

test('items of every type change together and are returned in the given order; omitted fields stay, null clears', async (t) => {
  const made = await world.make(
    { type: 'task', title: 'T', description: 'Text', fields: { dueDate: '2031-05-01', estimatedHours: 3 } },
    { type: 'requirement', title: 'R' },
    { type: 'release', title: 'V' },
    { type: 'milestone', title: 'M' },
  );
  const [task, requirement, release, milestone] = made;
  const { value } = await update([
    { id: milestone.id, version: 1, fields: { releaseId: release.id } },
    { id: task.id, version: 1, status: 'done', fields: { dueDate: null, requirementId: requirement.id } },
    { id: requirement.id, version: 1, title: 'Renamed', fields: { releaseId: release.id } },
    { id: release.id, version: 1, ownerId: world.ownerId },
  ]);
  t.deepEqual(value, {
    items: [
      { id: milestone.id, type: 'milestone', title: 'M', status: 'planned', version: 2, changed: ['releaseId'] },
      {
        ...{ id: task.id, type: 'task', title: 'T', status: 'done', version: 2 },
        changed: ['status', 'dueDate', 'progressPercent', 'requirementId'],
      },
      { id: requirement.id, type: 'requirement', title: 'Renamed', status: 'planned', version: 2, changed: ['title', 'releaseId'] },
      { id: release.id, type: 'release', title: 'V', status: 'planned', version: 2, changed: ['ownerId'] },
    ],
  });
  const { item } = await ask(world.agent, 'svc_get_item', { id: task.id });
  t.like(item, { description: 'Text', version: 2, fields: { estimatedHours: 3, progressPercent: 100, requirementId: requirement.id } });
  t.falsy(item.fields.dueDate);
  // Items below change their visibility: only readers of the requirement's new release see the task.
  const blind = await world.agentOf(world.ownerId, { permissions: { ...everything, releases: 'none' } });
  t.is((await call(blind, 'svc_get_item', { id: task.id })).value.error.code, 'forbidden');
});

test('fields that tools/list leaves out of the batch are accepted', async (t) => {
  const [requirement] = await world.make({ type: 'requirement', title: 'R' });
  t.false((await update([{ id: requirement.id, version: 1, fields: { acceptance: 'Works', reach: 5 } }])).isError);
  t.like((await ask(world.agent, 'svc_get_item', { id: requirement.id })).item.fields, { acceptance: 'Works', reach: 5 });
});

test('a change without effect keeps the version, and others in the batch apply', async (t) => {
  const [one, two] = await tasks(2);
  const { value } = await update([
    { id: one.id, version: 1, title: 'Task 0' },
    { id: two.id, version: 1, title: 'Other' },
  ]);
  t.deepEqual(
    value.items.map(({ version }: Json) => version),
    [1, 2],
  );
  t.deepEqual((await update([{ id: one.id, version: 1 }])).value.items[0].version, 1);
});

test('all outdated versions are reported together, and nothing is changed', async (t) => {
  const made = await tasks(5);
  for (const at of [1, 3]) await ask(world.agent, 'svc_update_item', once({ id: made[at].id, version: 1, title: 'Quicker' }));
  const { value } = await update(made.map(({ id }) => ({ id, version: 1, title: 'Late', note: 'Lost' })));
  t.is(value.error.code, 'conflict');
  t.deepEqual(
    value.error.conflicts,
    [1, 3].map((index) => ({ index, id: made[index].id, currentVersion: 2 })),
  );
  t.regex(value.error.message, /svc_find_work/);
  const ids = made.map(({ id }) => id);
  t.deepEqual(
    (await rowsOf(ids)).map(({ title }: Json) => title),
    ['Task 0', 'Quicker', 'Task 2', 'Quicker', 'Task 4'],
  );
  t.deepEqual(await world.fixtures.sql('select id from comments where item_id = any($1)', [ids]), []);
});

test('faults and missing access have the index, and nothing is changed', async (t) => {
  const [one, two] = await tasks(2);
  const [release, other] = await world.make({ type: 'release', title: 'V' }, { type: 'requirement', title: 'R' });
  const goal = await world.owner.save({ type: 'goal', title: 'Why', description: '', status: 'planned', fields: {} });
  const good = { id: one.id, version: 1, title: 'Doomed', note: 'Doomed' };
  const faults: [Json, string, RegExp?][] = [
    [{ id: two.id, version: 1, title: '' }, 'invalid_request', /items\[1\]\.title/],
    [{ id: two.id, version: 1, colour: 'red' }, 'invalid_request', /items\[1\]\.colour/],
    [{ id: two.id }, 'invalid_request', /items\[1\]\.version/],
    [{ id: two.id, version: 1, status: 'blocked' }, 'invalid_request', /items\[1\]\.fields\.blockedReason/],
    [{ id: two.id, version: 1, fields: { parentItemId: two.id } }, 'invalid_request', /items\[1\]\.fields\.parentItemId/],
    [{ id: two.id, version: 1, note: '' }, 'invalid_request', /items\[1\]\.note/],
    [{ id: one.id, version: 1, title: 'Twice' }, 'invalid_request', /items\[1\]\.id: give each item once/],
    [{ id: release.id, version: 1, status: 'approved' }, 'forbidden'],
    [{ id: other.id, version: 1, status: 'pending_approval' }, 'forbidden'],
    [{ id: two.id, version: 1, fields: { requirementId: 987_654_321 } }, 'forbidden'],
    [{ id: 987_654_321, version: 1, title: 'Absent' }, 'forbidden'],
    [{ id: goal.id, version: 1, title: 'Goal' }, 'forbidden'],
  ];
  for (const [item, code, message] of faults) {
    const { value } = await update([good, item]);
    t.is(value.error?.code, code, JSON.stringify([item, value]));
    t.is(value.error.index, 1, JSON.stringify(item));
    if (message) t.regex(value.error.message, message);
  }
  t.is((await update([])).value.error.code, 'invalid_request');
  t.is((await update(Array.from({ length: 101 }, (_, n) => ({ id: n + 1, version: 1 })))).value.error.code, 'invalid_request');
  t.like((await rowsOf([one.id]))[0], { title: 'Task 0', version: 1 });
  const reader = await world.agentOf(world.ownerId, { permissions: { ...everything, releases: 'read' } });
  const refused = await update([good, { id: release.id, version: 1, title: 'x' }], reader);
  t.like(refused.value.error, { code: 'forbidden', index: 1 });
  const elsewhere = await world.fixtures.workspace(world.accountId);
  t.is((await call(world.agent, 'svc_update_items', once({ workspaceId: elsewhere, items: [good] }))).value.error.code, 'forbidden');
});

test('a cycle that two changes would create together is refused with the index of one of them', async (t) => {
  const [one, two, three] = await tasks(3);
  const { value } = await update([
    { id: three.id, version: 1, title: 'Aside' },
    { id: one.id, version: 1, fields: { parentItemId: two.id } },
    { id: two.id, version: 1, fields: { parentItemId: one.id } },
  ]);
  t.is(value.error.code, 'invalid_request');
  t.regex(value.error.message, /items\[[12]\]\.fields\.parentItemId: would form a cycle/);
  t.true([1, 2].includes(value.error.index));
  t.deepEqual(
    (await rowsOf([one.id, two.id, three.id])).map(({ version }: Json) => version),
    [1, 1, 1],
  );
});

test('two batches of the same items in opposite orders do not deadlock: one succeeds', async (t) => {
  const made = await tasks(40);
  for (let round = 1; round <= 8; round++) {
    const items = made.map(({ id }) => ({ id, version: round, title: `Round ${round}` }));
    const results = await Promise.all([update(items), update(items.toReversed()), update(items), update(items.toReversed())]);
    t.is(results.filter(({ isError }) => !isError).length, 1);
    for (const { value, isError } of results) if (isError) t.is(value.error.code, 'conflict', JSON.stringify(value));
  }
});

test('each change and note leaves a row of history, with the earlier version of a changed text', async (t) => {
  const [one, two] = await tasks(2);
  await update([
    { id: two.id, version: 1, description: 'New', note: 'Said of two' },
    { id: one.id, version: 1, title: 'Renamed' },
  ]);
  const rows = await world.fixtures.sql(
    `select h.item_id::int as item, h.kind, h.version, h.fields, c.body, t.name from changes h left join comments c on c.id = h.comment_id
     left join change_texts t on t.change_id = h.id where h.item_id = any($1) and h.kind <> 'item.created' order by h.id`,
    [[one.id, two.id]],
  );
  t.deepEqual(
    rows.map(({ item, kind, version, body, name }: Json) => [item, kind, version, body, name]),
    [
      [one.id, 'item.updated', 2, null, null],
      [two.id, 'item.updated', 2, null, 'description'],
      [two.id, 'comment.created', 2, 'Said of two', null],
    ],
  );
  t.deepEqual(rows[0].fields, { title: ['Task 0', 'Renamed'] });
});

test('the approver gets a notification for each approved item that changes', async (t) => {
  const made = await world.make({ type: 'requirement', title: 'A' }, { type: 'requirement', title: 'B' });
  const { userId: approver } = await world.join('manager');
  for (const { id } of made) {
    await world.fixtures.sql(
      `insert into approvals (account_id, workspace_id, item_id, user_id, action, item_version, status_before, status_key_before, approved)
       select account_id, workspace_id, id, $2, 'approved', 1, 'planned', 'planned', approvable(i) from items i where id = $1`,
      [id, approver],
    );
  }
  await update(made.map(({ id }) => ({ id, version: 1, title: 'Other' })));
  await caughtUp(db, notificationsFollower);
  const told = await world.fixtures.sql(`select count(*)::int as n from notifications where user_id = $1 and kind = 'approved_changed'`, [
    approver,
  ]);
  t.is(told[0].n, 2);
});

test('a note is saved with its change, or alone, and needs the right to comment', async (t) => {
  const { fixtures, workspaceId, accountId } = world;
  const [task] = await tasks(1);
  const first = await ask(world.agent, 'svc_update_item', once({ id: task.id, version: 1, status: 'in_progress', note: 'Begun' }));
  t.like(first.item, { version: 2, status: 'in_progress' });
  t.like(first.note, { itemId: task.id, body: 'Begun', rewritten: false });
  const second = await ask(world.agent, 'svc_update_item', once({ id: task.id, version: 2, note: 'Nothing new' }));
  t.is(second.item.version, 2);
  const late = await call(world.agent, 'svc_update_item', once({ id: task.id, version: 1, note: 'Late' }));
  t.like(late.value.error, { code: 'conflict', currentVersion: 2 });
  const mute = await fixtures.user(accountId);
  await fixtures.member(workspaceId, mute, 'member', { comments: 'read' });
  const silent = await world.agentOf(mute);
  t.is((await call(silent, 'svc_update_item', once({ id: task.id, version: 2, title: 'x', note: 'x' }))).value.error.code, 'forbidden');
  t.like((await update([{ id: task.id, version: 2, title: 'x', note: 'x' }], silent)).value.error, { code: 'forbidden', index: 0 });
  const { notes } = await ask(world.agent, 'svc_get_item', { id: task.id });
  t.deepEqual(
    notes.map(({ body }: Json) => body),
    ['Nothing new', 'Begun'],
  );
  const receipts = await fixtures.sql(`select result::text as text from receipts where connection_id = $1`, [world.agent.id]);
  t.true(receipts.every(({ text }: Json) => !/Begun|Nothing new|Said of two/.test(text)));
});

test('a requested rewrite that is unavailable refuses the whole change', async (t) => {
  const [one, two] = await tasks(2);
  const plain = await world.agentOf(world.ownerId, { plainLanguage: true });
  const note = 'I basically think that this is really done by now.';
  const single = await call(plain, 'svc_update_item', once({ id: one.id, version: 1, title: 'x', note }));
  t.is(single.value.error.code, 'rewrite_unavailable');
  const both = await update(
    [
      { id: one.id, version: 1, title: 'x' },
      { id: two.id, version: 1, note },
    ],
    plain,
  );
  t.is(both.value.error.code, 'rewrite_unavailable');
  t.deepEqual(
    (await rowsOf([one.id, two.id])).map(({ version }: Json) => version),
    [1, 1],
  );
  t.false((await update([{ id: one.id, version: 1, note: '`only code`' }], plain)).isError);
});
