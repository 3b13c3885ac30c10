/** Agents' operations on items: batch create, update, archive, read (behaviour §7.26, §7.27). */
import { randomUUID } from 'node:crypto';
import { encode } from 'gpt-tokenizer';
import { z } from 'zod';
import type { Caller } from '../../src/access/caller.ts';
import { accessTo } from '../../src/access/queries.ts';
import { bits } from '../../src/access/rights.ts';
import { hashSecret } from '../../src/access/secrets.ts';
import { connectDb } from '../../src/database/db.ts';
import { sql } from '../../src/database/sql.ts';
import { ListWork } from '../../src/overviews/workList/input.ts';
import { readWorkList } from '../../src/overviews/workList/listWork.ts';
import { fileDatabase } from '../support/database.ts';
import { ask, call, everything, type McpWorld, mcpWorld, once, openToAgents } from '../support/mcpWorld.ts';
import { clientOf } from '../support/restWorld.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let world: McpWorld;
test.before('an endpoint', async () => {
  world = await mcpWorld(database.url);
});
test.after('close', () => world?.end());

const created = async (...items: unknown[]) => call(world.agent, 'svc_create_items', once({ workspaceId: world.workspaceId, items }));

test('a batch of 100 returns ids and versions in order', async (t) => {
  const items = Array.from({ length: 100 }, (_, n) => ({ type: n % 2 ? 'task' : 'milestone', title: `Item ${n}` }));
  const made = await world.make(...items);
  t.deepEqual(
    made.map(({ type, title }) => ({ type, title })),
    items,
  );
  t.true(made.every(({ id, status, version }) => id > 0 && status === 'planned' && version === 1));
  t.deepEqual(
    made.map(({ id }) => id),
    made.map(({ id }) => id).sort((a, b) => a - b),
  );
});

test('one faulty item rolls the batch back, and the error has its index and field', async (t) => {
  const count = async () => (await world.fixtures.sql(`select count(*) from items where title like 'Doomed%'`))[0].count;
  const good = { type: 'task', title: 'Doomed' };
  const faults: [Record<string, unknown>, string, RegExp?][] = [
    [{ type: 'goal', title: 'Doomed' }, 'invalid_request', /items\[1\]\.type/],
    [{ type: 'task', title: '' }, 'invalid_request', /items\[1\]\.title/],
    [{ ...good, colour: 'red' }, 'invalid_request', /items\[1\]\.colour/],
    [{ ...good, fields: { releaseId: 'x' } }, 'invalid_request', /items\[1\]\.fields\.releaseId/],
    [{ ...good, fields: { unit: 'kg' } }, 'invalid_request', /items\[1\]\.fields\.unit/],
    [{ ...good, fields: { assigneeId: 999_999 } }, 'invalid_request', /items\[1\]\.fields\.assigneeId/],
    [{ ...good, fields: { statusKey: 'nope' } }, 'invalid_request', /items\[1\]\.fields\.statusKey/],
    [{ ...good, status: 'approved' }, 'invalid_request', /items\[1\]\.status/],
    [{ type: 'release', title: 'Doomed', status: 'approved' }, 'forbidden'],
    [{ ...good, fields: { requirementId: 999_999 } }, 'forbidden'],
  ];
  for (const [item, code, message] of faults) {
    const { value, isError } = await created(good, item, good);
    t.true(isError);
    t.is(value.error.code, code, JSON.stringify(item));
    t.is(value.error.index, 1, JSON.stringify(item));
    if (message) t.regex(value.error.message, message);
  }
  t.is((await created(...Array.from({ length: 101 }, () => good))).value.error.code, 'invalid_request');
  t.is((await created()).value.error.code, 'invalid_request');
  t.is(await count(), '0');
});

test('a requirement, a release and a milestone are created with the items below them in one call', async (t) => {
  const requestId = randomUUID();
  const items = [
    { type: 'milestone', title: 'Beta', below: [{ title: 'Invite testers' }] },
    {
      type: 'requirement',
      title: 'Refunds',
      fields: { targetDate: '2026-05-01', estimatedHours: 5 },
      below: [
        { title: 'Form', fields: { estimatedHours: 3, dueDate: '2026-05-02' } },
        { type: 'requirement', title: 'Partial refunds' },
        { type: 'milestone', title: 'Approved by finance' },
      ],
    },
    { type: 'task', title: 'Alone', below: [] },
    { type: 'release', title: '2.0', below: [{ type: 'requirement', title: 'Returns' }] },
  ];
  const given = { requestId, workspaceId: world.workspaceId, items };
  const made = await ask(world.agent, 'svc_create_items', given);
  const ids = Object.fromEntries(made.items.map(({ id, title }: { id: number; title: string }) => [title, id]));
  t.deepEqual(
    made.items.map(({ title, type, parentItemId, parentId, requirementId, releaseId }: Record<string, unknown>) => [
      title,
      type,
      parentItemId ?? parentId ?? requirementId ?? releaseId ?? null,
    ]),
    [
      ['Beta', 'milestone', null],
      ['Invite testers', 'task', ids.Beta],
      ['Refunds', 'requirement', null],
      ['Form', 'task', ids.Refunds],
      ['Partial refunds', 'requirement', ids.Refunds],
      ['Approved by finance', 'milestone', ids.Refunds],
      ['Alone', 'task', null],
      ['2.0', 'release', null],
      ['Returns', 'requirement', ids['2.0']],
    ],
  );
  t.deepEqual(
    made.warnings.map(({ code, index }: { code: string; index: number }) => [code, index]),
    [
      ['due_after_target', 3],
      ['estimate_counted_twice', 3],
    ],
    'warnings count in the answered list, and know the item above',
  );
  const again = await call(world.agent, 'svc_create_items', given);
  t.true(again.replayed);
  t.deepEqual(again.value, made);
  const { request } = await ask(world.agent, 'svc_context', { requestId });
  t.deepEqual(request.result.items, made.items);
  const { tasks } = await ask(world.agent, 'svc_get_item', { id: ids.Refunds });
  t.deepEqual(
    tasks.map(({ id }: { id: number }) => id),
    [ids.Form],
  );
});

test('one faulty item below another rolls all back, and the error names its place', async (t) => {
  const count = async () => (await world.fixtures.sql(`select count(*) from items where title like 'Sunk%'`))[0].count;
  const task = { title: 'Sunk' };
  const above = (...below: object[]) => ({ type: 'requirement', title: 'Sunk', below });
  const faults: [object, RegExp][] = [
    [above(task, { title: '' }), /items\[1\]\.below\[1\]\.title/],
    [above(task, { ...task, fields: { assigneeId: 999_999 } }), /items\[1\]\.below\[1\]\.fields\.assigneeId/],
    [above(task, { ...task, type: 'release' }), /items\[1\]\.below\[1\]\.type: a release can't be below a requirement/],
    [above(task, { ...task, fields: { requirementId: 1 } }), /items\[1\]\.below\[1\]\.fields\.requirementId: leave it out/],
    [above(task, { ...task, below: [] }), /items\[1\]\.below\[1\]\.below/],
  ];
  for (const [item, message] of faults) {
    const { value } = await created(above(), item);
    t.like(value.error, { code: 'invalid_request', index: 1 }, JSON.stringify(value));
    t.regex(value.error.message, message);
  }
  const hidden = await created(above(), above(task, { ...task, fields: { releaseId: 999_999 } }));
  t.like(hidden.value.error, { code: 'forbidden', index: 1, below: 1 });
  const many = await created(above(...Array.from({ length: 50 }, () => task)), above(...Array.from({ length: 49 }, () => task)));
  t.regex(many.value.error.message, /at most 100 items/);
  t.is(await count(), '0');
});

test('an update changes given fields, clears with null and returns the workspace', async (t) => {
  const [task] = await world.make({
    type: 'task',
    title: 'Before',
    description: 'Text',
    fields: { dueDate: '2026-05-01', estimatedHours: 3 },
  });
  const given = once({ id: task.id, version: 1, title: 'After', status: 'done', fields: { dueDate: null } });
  const { item, changed } = await ask(world.agent, 'svc_update_item', given);
  t.deepEqual(changed, ['title', 'status', 'dueDate', 'progressPercent'], 'also what was cleared or set by rule');
  t.deepEqual((await call(world.agent, 'svc_update_item', given)).value.changed, changed, 'a replay names the same');
  t.like(item, { id: task.id, workspaceId: world.workspaceId, title: 'After', description: 'Text', status: 'done', version: 2 });
  t.like(item.fields, { estimatedHours: 3, progressPercent: 100 });
  t.false('dueDate' in item.fields, 'unset fields are omitted');
  const same = await ask(world.agent, 'svc_update_item', once({ id: task.id, version: 2, title: 'After' }));
  t.is(same.item.version, 2);
  t.deepEqual(same.changed, []);
  const { value } = await call(world.agent, 'svc_update_item', once({ id: task.id, version: 1, title: 'Late' }));
  t.like(value.error, { code: 'conflict', currentVersion: 2, retryable: false });
  t.regex(value.error.message, /svc_get_item/);
});

test('svc_get_item returns notes newest first and the tasks of a requirement', async (t) => {
  const { agent } = world;
  const [requirement] = await world.make({ type: 'requirement', title: 'R' });
  const [task, archived] = await world.make(
    { type: 'task', title: 'Seen', fields: { requirementId: requirement.id } },
    { type: 'task', title: 'Gone', fields: { requirementId: requirement.id } },
  );
  await ask(agent, 'svc_remove_item', once({ id: archived.id, version: 1 }));
  for (const body of ['first', 'second']) await ask(agent, 'svc_add_note', once({ id: requirement.id, body }));
  await world.fixtures.sql(`update comments set original_body = 'as submitted' where body = 'second'`);
  const found = await ask(agent, 'svc_get_item', { id: requirement.id });
  t.deepEqual(
    found.notes.map(({ body, authorName, rewritten, originalBody }: Record<string, unknown>) => [
      body,
      authorName,
      rewritten,
      originalBody,
    ]),
    [
      ['second', 'Ana', true, undefined],
      ['first', 'Ana', false, undefined],
    ],
  );
  t.deepEqual(found.tasks, [
    {
      id: task.id,
      type: 'task',
      title: 'Seen',
      status: 'planned',
      priorityKey: 'normal',
      requirementId: requirement.id,
      version: 1,
    },
  ]);
  const { notes } = await ask(agent, 'svc_get_item', { id: requirement.id, includeOriginals: true });
  t.is(notes[0].originalBody, 'as submitted');
  t.false('originalBody' in notes[1]);
  t.false('tasks' in (await ask(agent, 'svc_get_item', { id: task.id })));
});

test('of many notes the latest 100 are returned', async (t) => {
  const [task] = await world.make({ type: 'task', title: 'Busy' });
  await world.fixtures.sql(
    `insert into comments (account_id, workspace_id, item_id, author_id, body, created_at)
     select account_id, workspace_id, id, $2, 'note ' || n, now() + n * interval '1 second' from items, generate_series(1, 130) n where id = $1`,
    [task.id, world.ownerId],
  );
  const { notes } = await ask(world.agent, 'svc_get_item', { id: task.id });
  t.is(notes.length, 100);
  t.is(notes[0].body, 'note 130');
  t.is(notes[99].body, 'note 31');
});

test('archiving is refused while open work is linked below at any depth, and the error names it', async (t) => {
  const { agent } = world;
  const [release] = await world.make({ type: 'release', title: 'Release' });
  const [requirement] = await world.make({ type: 'requirement', title: 'Middle', status: 'done', fields: { releaseId: release.id } });
  const [task] = await world.make({ type: 'task', title: 'Deep', fields: { requirementId: requirement.id } });
  const { value } = await call(agent, 'svc_remove_item', once({ id: release.id, version: 1 }));
  t.is(value.error.code, 'invalid_request');
  t.regex(value.error.message, new RegExp(`task ${task.id} "Deep"`));
  await ask(agent, 'svc_update_item', once({ id: task.id, version: 1, status: 'cancelled' }));
  t.deepEqual(await ask(agent, 'svc_remove_item', once({ id: release.id, version: 1 })), { id: release.id, version: 2, archived: true });
  for (const { id } of [release, requirement, task]) t.is((await call(agent, 'svc_get_item', { id })).value.error.code, 'forbidden');
});

test('archiving is refused at another version, while a timer runs, and without delete access', async (t) => {
  const { agent, fixtures } = world;
  const [task] = await world.make({ type: 'task', title: 'T' });
  t.like((await call(agent, 'svc_remove_item', once({ id: task.id, version: 9 }))).value.error, { code: 'conflict', currentVersion: 1 });
  await fixtures.sql(
    `insert into time_entries (account_id, workspace_id, user_id, item_id, kind, started_at, day)
     select account_id, workspace_id, $2, id, 'timer', now(), (now() at time zone 'UTC')::date from items where id = $1`,
    [task.id, world.ownerId],
  );
  const { value } = await call(agent, 'svc_remove_item', once({ id: task.id, version: 1 }));
  t.is(value.error.code, 'invalid_request');
  t.regex(value.error.message, /timer/);
  await fixtures.sql('delete from time_entries');
  const writer = await world.agentOf(world.ownerId, { permissions: { tasks: 'write' } });
  t.is((await call(writer, 'svc_remove_item', once({ id: task.id, version: 1 }))).value.error.code, 'forbidden');
  t.like(await ask(agent, 'svc_remove_item', once({ id: task.id, version: 1 })), { archived: true });
});

test("goals are no agent resource, but open ones are listed as objectives and can be linked with the user's own right", async (t) => {
  const { agent, owner } = world;
  const goal = await owner.save({
    type: 'goal',
    title: 'North star',
    description: '',
    status: 'planned',
    fields: { target: 5, unit: 'km' },
  });
  t.is((await call(agent, 'svc_get_item', { id: goal.id })).value.error.code, 'forbidden');
  t.is((await call(agent, 'svc_update_item', once({ id: goal.id, version: 1, title: 'x' }))).value.error.code, 'forbidden');
  t.is((await call(agent, 'svc_remove_item', once({ id: goal.id, version: 1 }))).value.error.code, 'forbidden');
  const { workspaces } = await ask(agent, 'svc_context', { workspaceId: world.workspaceId });
  t.deepEqual(workspaces[0].objectives, [{ id: goal.id, title: 'North star', status: 'planned', target: 5, unit: 'km' }]);
  const [task] = await world.make({ type: 'task', title: 'Linked', fields: { goalId: goal.id } });
  t.is((await ask(agent, 'svc_get_item', { id: task.id })).item.fields.goalId, goal.id);
});

test("an objective's id gets an error that says where goals are read; other goals look hidden", async (t) => {
  const { fixtures, accountId, ownerId } = world;
  const workspaceId = await fixtures.workspace(accountId);
  await fixtures.member(workspaceId, ownerId);
  await openToAgents(fixtures, workspaceId);
  const agent = await world.agentOf(ownerId, { workspaces: [workspaceId] });
  const people = clientOf(world.api, await fixtures.key(ownerId), workspaceId);
  const goalOf = async (status: string) =>
    (await people.save({ type: 'goal', title: 'G', description: '', status, fields: {} })).id as number;
  const [open, closed] = [await goalOf('planned'), await goalOf('done')];
  const said = async (as: typeof agent, tool: string, given: object) => (await call(as, tool, given)).value.error;
  const hidden = await said(agent, 'svc_get_item', { id: 999_999 });
  t.is(hidden.code, 'forbidden');
  t.notRegex(hidden.message, /goal|key|grant/);
  for (const [tool, given] of [
    ['svc_get_item', { id: open }],
    ['svc_update_item', once({ id: open, version: 1, title: 'x' })],
    ['svc_add_note', once({ id: open, body: 'x' })],
    ['svc_find_work', { requirementId: open }],
    ['svc_time', once({ action: 'start', itemId: open })],
  ] as const) {
    const error = await said(agent, tool, given);
    t.is(error.code, 'forbidden');
    t.regex(error.message, new RegExp(`^Item ${open} is a goal: goals are read in svc_context`), tool);
  }
  t.deepEqual(await said(agent, 'svc_get_item', { id: closed }), hidden);
  const blind = await fixtures.user(accountId);
  await fixtures.member(workspaceId, blind, 'member', { goals: 'none' });
  t.deepEqual(await said(await world.agentOf(blind, { workspaces: [workspaceId] }), 'svc_get_item', { id: open }), hidden);
});

test('a missing personal note is never called a goal, whatever item has its id', async (t) => {
  const { fixtures, accountId, ownerId } = world;
  const workspaceId = await fixtures.workspace(accountId);
  await fixtures.member(workspaceId, ownerId);
  await openToAgents(fixtures, workspaceId);
  const agent = await world.agentOf(ownerId, { workspaces: [workspaceId] });
  const people = clientOf(world.api, await fixtures.key(ownerId), workspaceId);
  const { id } = await people.save({ type: 'goal', title: 'G', description: '', status: 'planned', fields: {} });
  for (const [tool, given] of [
    ['svc_personal_notes_get', { id }],
    ['svc_personal_notes_update', once({ id, revision: 1, html: '<p>x</p>', folderId: 0 })],
    ['svc_personal_notes_delete', once({ id, revision: 1 })],
  ] as const) {
    const { error } = (await call(agent, tool, given)).value;
    t.is(error.code, 'forbidden');
    t.notRegex(error.message, /goal/, tool);
  }
});

test('an error names up to twelve allowed values', async (t) => {
  await world.join('member');
  const { value } = await created({ type: 'task', title: 'T', fields: { statusKey: 'nope', priorityKey: 'nope' } });
  t.regex(
    value.error.message,
    /is not a status of a task in this workspace; give one of planned, in_progress, blocked, in_review, done, cancelled\./,
  );
  const stranger = await created({ type: 'task', title: 'T', fields: { assigneeId: 999_999 } });
  t.regex(stranger.value.error.message, /user 999999 can't be assigned work in this workspace; give one of .*\d+ \(Ana\)/);
  const [task] = await world.make({ type: 'task', title: 'T' });
  const owned = await call(world.agent, 'svc_update_item', once({ id: task.id, version: 1, ownerId: 999_999 }));
  t.regex(owned.value.error.message, /user 999999 can't own work in this workspace; give one of .*\d+ \(Ana\)/);
  const other = await created({ type: 'task', title: 'T', fields: { priorityKey: 'nope' } });
  t.regex(other.value.error.message, /give one of (\w+, ){3}\w+\./);
});

test('an error lists members only when a person was refused, whatever text it quotes', async (t) => {
  const { fixtures, accountId, ownerId } = world;
  const workspaceId = await fixtures.workspace(accountId);
  await fixtures.member(workspaceId, ownerId);
  await openToAgents(fixtures, workspaceId);
  await fixtures.sql('delete from priorities where workspace_id = $1', [workspaceId]);
  const agent = await world.agentOf(ownerId, { workspaces: [workspaceId] });
  const items = [{ type: 'task', title: 'T', fields: { priorityKey: "assigneeId: user 5 can't" } }];
  const { value } = await call(agent, 'svc_create_items', once({ workspaceId, items }));
  t.regex(value.error.message, /^items\[0\]\.fields\.priorityKey: .* is not a priority of this workspace; read the options\. /);
});

test('a batch names what it stored beyond the values that it returns', async (t) => {
  const fields = { dueDate: '2031-05-01', startDate: '2031-04-01', acceptance: 'Works', priorityKey: 'high', blockedReason: null };
  const given = once({
    workspaceId: world.workspaceId,
    items: [{ type: 'task', title: 'T', description: 'Text', ownerId: world.ownerId, fields }],
  });
  const { items } = await ask(world.agent, 'svc_create_items', given);
  t.like(items[0], { dueDate: '2031-05-01', alsoStored: ['description', 'ownerId', 'acceptance', 'priorityKey', 'startDate'] });
  t.deepEqual((await call(world.agent, 'svc_create_items', given)).value.items, items);
});

test('the error of a write without the needed level names the level and who can help; hidden items look absent', async (t) => {
  const { workspaceId } = world;
  const [milestone, task] = await world.make({ type: 'milestone', title: 'M' }, { type: 'task', title: 'T' });
  const agent = await world.agentOf(world.ownerId, { permissions: { tasks: 'write', milestones: 'read', releases: 'read' } });
  const said = async (tool: string, given: object) => (await call(agent, tool, once(given))).value.error;
  const readOnly = (kind: string) => new RegExp(`Your level for ${kind} in this workspace is read, .*Ask a workspace owner or manager`);
  const change = { id: milestone.id, version: 1, title: 'x' };
  const refused: [string, object, RegExp][] = [
    ['svc_update_item', change, readOnly('milestones')],
    ['svc_update_items', { workspaceId, items: [change] }, readOnly('milestones')],
    ['svc_create_items', { workspaceId, items: [{ type: 'release', title: 'R' }] }, readOnly('releases')],
    ['svc_add_note', { id: milestone.id, body: 'x' }, readOnly('milestones')],
    ['svc_remove_item', { id: milestone.id, version: 1 }, readOnly('milestones')],
    ['svc_remove_item', { id: task.id, version: 1 }, /Your level for tasks in this workspace is write/],
  ];
  for (const [tool, given, message] of refused) {
    const error = await said(tool, given);
    t.is(error.code, 'forbidden', tool);
    t.regex(error.message, message, tool);
    t.is(error.level, undefined);
  }
  const [requirement] = await world.make({ type: 'requirement', title: 'Hidden' });
  const hidden = await said('svc_update_item', { ...change, id: requirement.id });
  t.deepEqual(hidden, await said('svc_update_item', { ...change, id: 999_999 }));
  t.regex(hidden.message, /^You have no access to this, or it does not exist/);
});

test("a batch returns each item's assignee, dates and links, also on a replay", async (t) => {
  const { ownerId } = world;
  const [release] = await world.make({ type: 'release', title: 'R' });
  const fields = { assigneeId: ownerId, dueDate: '2031-05-01', estimatedHours: 2, releaseId: release.id };
  const given = once({
    workspaceId: world.workspaceId,
    items: [
      { type: 'task', title: 'T', fields },
      { type: 'task', title: 'Bare' },
    ],
  });
  const { items } = await ask(world.agent, 'svc_create_items', given);
  t.like(items[0], { title: 'T', ...fields });
  t.deepEqual(Object.keys(items[1]), ['id', 'type', 'title', 'status', 'version']);
  const again = await call(world.agent, 'svc_create_items', given);
  t.true(again.replayed);
  t.deepEqual(again.value.items, items);
});

test('a note needs write on the item and the right to comment, and is not saved without a requested rewrite', async (t) => {
  const { fixtures, workspaceId, accountId } = world;
  const [task] = await world.make({ type: 'task', title: 'T' });
  const note = () => once({ id: task.id, body: 'Progress' });
  const reader = await world.agentOf(world.ownerId, { permissions: { tasks: 'read' } });
  const mute = await fixtures.user(accountId);
  await fixtures.member(workspaceId, mute, 'member', { comments: 'read' });
  t.is((await call(reader, 'svc_add_note', note())).value.error.code, 'forbidden');
  t.is((await call(await world.agentOf(mute), 'svc_add_note', note())).value.error.code, 'forbidden');
  const before = (await ask(world.agent, 'svc_get_item', { id: task.id })).item.version;
  const { note: saved } = await ask(world.agent, 'svc_add_note', note());
  t.like(saved, { itemId: task.id, body: 'Progress', rewritten: false });
  t.is((await ask(world.agent, 'svc_get_item', { id: task.id })).item.version, before);
});

test('a note of spaces and invisible characters is refused, and the error names its field', async (t) => {
  const [task] = await world.make({ type: 'task', title: 'T' });
  const item = { id: task.id, version: 1, note: '\n\t' };
  for (const [tool, given, field] of [
    ['svc_add_note', { id: task.id, body: ' \u200b' }, 'body'],
    ['svc_update_item', item, 'note'],
    ['svc_update_items', { workspaceId: world.workspaceId, items: [item] }, 'items[0].note'],
  ] as const) {
    const { error } = (await call(world.agent, tool, once(given))).value;
    t.is(error.code, 'invalid_request', tool);
    t.true(error.message.startsWith(`${field}: give at least one character that can be seen`), error.message);
  }
  t.deepEqual((await ask(world.agent, 'svc_get_item', { id: task.id })).notes, []);
});

test("a note needs the connection's and the workspace's level on the item, not the member's own", async (t) => {
  const { fixtures, workspaceId, accountId } = world;
  const [milestone] = await world.make({ type: 'milestone', title: 'Launch' });
  const note = () => once({ id: milestone.id, body: 'The date holds' });
  const member = await fixtures.user(accountId);
  await fixtures.member(workspaceId, member, 'member');
  const agent = await world.agentOf(member, { permissions: { milestones: 'write' } });
  t.is((await call(agent, 'svc_update_item', once({ id: milestone.id, version: 1, title: 'x' }))).value.error.code, 'forbidden');
  const given = note();
  t.like((await ask(agent, 'svc_add_note', given)).note, { itemId: milestone.id, body: 'The date holds' });
  t.like((await ask(agent, 'svc_add_note', given)).note, { itemId: milestone.id }, 'and so does its replay');
  const careful = await world.agentOf(member, { permissions: { milestones: 'read' } });
  t.is((await call(careful, 'svc_add_note', note())).value.error.code, 'forbidden');
  const blind = await fixtures.user(accountId);
  await fixtures.member(workspaceId, blind, 'member', { milestones: 'none' });
  t.is(
    (await call(await world.agentOf(blind, { permissions: { milestones: 'write' } }), 'svc_add_note', note())).value.error.code,
    'forbidden',
  );
});

test('callers without read access to comments get no notes', async (t) => {
  const deaf = await world.fixtures.user(world.accountId);
  await world.fixtures.member(world.workspaceId, deaf, 'member', { comments: 'none' });
  const [task] = await world.make({ type: 'task', title: 'T' });
  t.false('notes' in (await ask(await world.agentOf(deaf), 'svc_get_item', { id: task.id })));
});

test('svc_context returns limits, access and options of accessible workspaces only', async (t) => {
  const { fixtures, accountId, workspaceId, ownerId } = world;
  const closed = await fixtures.workspace(accountId);
  await fixtures.member(closed, ownerId);
  const agent = await world.agentOf(ownerId, {
    workspaces: [workspaceId, closed],
    permissions: { tasks: 'write', requirements: 'read' },
    timezone: 'Pacific/Auckland',
    personalNoteRights: 0,
  });
  const found = await ask(agent, 'svc_context');
  t.like(found, { actor: { id: ownerId, name: 'Ana', kind: 'person' }, personalNotesEnabled: false });
  t.like(found.connection, { id: agent.id, timezone: 'Pacific/Auckland', plainLanguage: false });
  t.false('expiresAt' in found.connection);
  t.is(found.today, new Intl.DateTimeFormat('en-CA', { timeZone: 'Pacific/Auckland' }).format());
  t.deepEqual(
    found.workspaces.map(({ id }: { id: number }) => id),
    [workspaceId],
  );
  const [place] = found.workspaces;
  t.deepEqual(place.access, { tasks: 'write', requirements: 'read', releases: 'none', milestones: 'none', time: 'none', plans: 'none' });
  t.false('limits' in place, 'no limit is lower than what the connection has');
  t.false('statuses' in place || 'priorities' in place || 'lacks' in place, 'they are those that every workspace starts with');
  t.like(found, { canApprove: false });
  t.deepEqual(
    found.defaults.statuses.map(({ key }: { key: string }) => key),
    ['planned', 'in_progress', 'blocked', 'in_review', 'pending_approval', 'approved', 'done', 'cancelled'],
  );
  t.deepEqual(found.defaults.statuses[4], {
    key: 'pending_approval',
    label: 'Pending approval',
    types: ['requirement', 'release'],
    approval: true,
  });
  t.true(place.members.some((member: { id: number; name: string }) => member.id === ownerId && member.name === 'Ana'));
  t.is((await call(agent, 'svc_context', { workspaceId: closed })).value.error.code, 'forbidden');
  t.is((await call(agent, 'svc_context', { workspaceId: 999_999 })).value.error.code, 'forbidden');
});

test('a workspace returns its own statuses and priorities, removed defaults, and effective limits', async (t) => {
  const { fixtures, accountId, ownerId } = world;
  const workspaceId = await fixtures.workspace(accountId);
  await fixtures.member(workspaceId, ownerId);
  await openToAgents(fixtures, workspaceId, { ...everything, tasks: 'read' });
  await fixtures.sql(
    `insert into statuses (account_id, workspace_id, key, label, types, status, position) values ($1, $2, 'testing', 'Testing', '{task}', 'in_review', 9)`,
    [accountId, workspaceId],
  );
  await fixtures.sql(`update statuses set label = 'To do' where workspace_id = $1 and key = 'planned'`, [workspaceId]);
  await fixtures.sql(`delete from statuses where workspace_id = $1 and key = 'in_review'`, [workspaceId]);
  await fixtures.sql(`delete from priorities where workspace_id = $1 and key = 'urgent'`, [workspaceId]);
  const agent = await world.agentOf(ownerId, { workspaces: [workspaceId], permissions: { ...everything, plans: 'read' } });
  const [place] = (await ask(agent, 'svc_context')).workspaces;
  t.deepEqual(place.limits, { tasks: 'read' });
  t.is(place.access.tasks, 'read');
  t.deepEqual(place.statuses, [
    { key: 'planned', label: 'To do', types: ['task', 'requirement', 'release', 'milestone'] },
    { key: 'testing', label: 'Testing', status: 'in_review', types: ['task'] },
  ]);
  t.deepEqual(place.lacks, { statuses: ['in_review'], priorities: ['urgent'] });
  t.false('priorities' in place);
});

test('above five workspaces each has only id, name and access, and 20 take at most 2,500 tokens', async (t) => {
  const { fixtures, accountId } = world;
  const userId = await fixtures.user(accountId, 'Person of many places');
  const workspaces: number[] = [];
  for (let n = 0; n < 20; n++) {
    const workspaceId = await fixtures.workspace(accountId);
    await fixtures.member(workspaceId, userId);
    await openToAgents(fixtures, workspaceId);
    workspaces.push(workspaceId);
  }
  const agent = await world.agentOf(userId, { workspaces });
  const found = await ask(agent, 'svc_context');
  t.is(found.workspaces.length, 20);
  for (const place of found.workspaces) t.deepEqual(Object.keys(place), ['id', 'name', 'access']);
  const tokens = encode(JSON.stringify(found)).length;
  t.true(tokens <= 2_500, `${tokens}`);
  const { workspaces: one } = await ask(agent, 'svc_context', { workspaceId: workspaces[3] });
  t.like(one[0], { id: workspaces[3], members: [{ id: userId, name: 'Person of many places' }] });
});

test('orders by parent name what the connection and the limits of the workspace let an agent read, and goals that its user reads', async (t) => {
  const { fixtures, accountId, ownerId, agentOf } = world;
  const workspaceId = await fixtures.workspace(accountId);
  await fixtures.member(workspaceId, ownerId);
  await openToAgents(fixtures, workspaceId);
  const db = await connectDb(database.url, 2);
  t.teardown(() => db.close());
  const here = clientOf(world.api, world.key, workspaceId);
  const save = (type: string, title: string, fields = {}) => here.save({ type, title, description: '', status: 'planned', fields });
  const [goal, requirement, release] = [
    await save('goal', 'Goal'),
    await save('requirement', 'Requirement'),
    await save('release', 'Release'),
  ];
  await save('task', 'Under goal', { goalId: goal.id });
  await save('task', 'Under requirement', { requirementId: requirement.id });
  await save('task', 'Under release', { releaseId: release.id, goalId: goal.id });
  const seen = async (key: string) => {
    const caller: Caller = { kind: 'agent', hash: hashSecret(key) };
    const asked = ListWork.parse({ workspaceId, group: 'parent', today: '2026-11-25', within: [goal.id, requirement.id, release.id] });
    const { rows, named } = await readWorkList(db.pool(), caller, asked);
    const Rights = z.object({ rights: z.number(), context: z.number() });
    const { rights, context } = await db.pool().one(sql.type(Rights)`
      with ${accessTo(caller, workspaceId)} select rights, context_rights as context from access`);
    return {
      rows: rows.map((row) => [row.title, row.group, row.up?.title ?? null]),
      named: named.map(({ title }) => title).sort(),
      added: context & ~rights,
      lost: rights & ~context,
    };
  };
  const [goalKey, requirementKey, releaseKey] = [goal, requirement, release].map(({ id }) => String(id));
  const all = {
    rows: [
      ['Under goal', goalKey, 'Goal'],
      ['Under release', releaseKey, 'Release'],
      ['Under requirement', requirementKey, 'Requirement'],
    ],
    named: ['Goal', 'Release', 'Requirement'],
    added: bits('goals', 'delete') | bits('comments', 'write'),
    lost: 0,
  };
  const agent = await agentOf(ownerId, { workspaces: [workspaceId] });
  t.deepEqual(await seen(agent.key), all);

  const permissions = { ...everything, requirements: 'none' } as const;
  const narrow = await agentOf(ownerId, { workspaces: [workspaceId], permissions });
  const withoutRequirements = { ...all, rows: all.rows.slice(0, 2), named: ['Goal', 'Release'] };
  t.deepEqual(await seen(narrow.key), withoutRequirements);
  await openToAgents(fixtures, workspaceId, permissions);
  t.deepEqual(await seen(agent.key), withoutRequirements);
  await openToAgents(fixtures, workspaceId);

  const person = await fixtures.user(accountId);
  await fixtures.member(workspaceId, person, 'viewer', { goals: 'none', comments: 'none' });
  const aimless = await agentOf(person, { workspaces: [workspaceId] });
  t.deepEqual(await seen(aimless.key), { rows: all.rows.slice(1), named: ['Release', 'Requirement'], added: 0, lost: 0 });
});
