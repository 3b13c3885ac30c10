/** Agents' operations on items: batch create, update, archive, read (behaviour §7.26, §7.27). */
import test from 'ava';
import { fileDatabase } from '../support/database.ts';
import { ask, call, type McpWorld, mcpWorld, once } from '../support/mcpWorld.ts';

const database = fileDatabase();
let world: McpWorld;
test.before('an endpoint', async () => {
  world = await mcpWorld(database.url);
});
test.after.always('close', () => world?.end());

const created = async (...items: unknown[]) => call(world.agent, 'svc_create_items', once({ workspaceId: world.workspaceId, items }));

test('a batch of 100 comes back in order, with ids and versions', async (t) => {
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

test('one faulty item leaves nothing, and its index and field are told', async (t) => {
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

test('an update changes what is given, clears with null and answers with the workspace', async (t) => {
  const [task] = await world.make({
    type: 'task',
    title: 'Before',
    description: 'Text',
    fields: { dueDate: '2026-05-01', estimatedHours: 3 },
  });
  const { item } = await ask(
    world.agent,
    'svc_update_item',
    once({ id: task.id, version: 1, title: 'After', status: 'done', fields: { dueDate: null } }),
  );
  t.like(item, { id: task.id, workspaceId: world.workspaceId, title: 'After', description: 'Text', status: 'done', version: 2 });
  t.like(item.fields, { dueDate: null, estimatedHours: 3, progressPercent: 100 });
  const same = await ask(world.agent, 'svc_update_item', once({ id: task.id, version: 2, title: 'After' }));
  t.is(same.item.version, 2);
  const { value } = await call(world.agent, 'svc_update_item', once({ id: task.id, version: 1, title: 'Late' }));
  t.like(value.error, { code: 'conflict', currentVersion: 2, retryable: false });
  t.regex(value.error.message, /svc_get_item/);
});

test('svc_get_item shows notes newest first and the tasks of a requirement', async (t) => {
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
      workspaceId: world.workspaceId,
      type: 'task',
      title: 'Seen',
      status: 'planned',
      statusKey: 'planned',
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

test('of many notes the latest 100 are shown', async (t) => {
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

test('archiving is refused while open work is linked below at any depth, naming it', async (t) => {
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

test('goals are no agent resource, yet open ones show as objectives and can be linked by their own right', async (t) => {
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

test('a note needs write on the item and the right to comment, and is not saved unrewritten when rewriting is asked for', async (t) => {
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

test("a note asks for the connection's and the workspace's word on the item, not for the member's own level there", async (t) => {
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

test('notes are left out for those who may not read comments', async (t) => {
  const deaf = await world.fixtures.user(world.accountId);
  await world.fixtures.member(world.workspaceId, deaf, 'member', { comments: 'none' });
  const [task] = await world.make({ type: 'task', title: 'T' });
  t.false('notes' in (await ask(await world.agentOf(deaf), 'svc_get_item', { id: task.id })));
});

test('svc_context tells limits, access and options of the workspaces within reach only', async (t) => {
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
  t.like(found.connection, { id: agent.id, timezone: 'Pacific/Auckland', expiresAt: null, plainLanguage: false });
  t.is(found.today, new Intl.DateTimeFormat('en-CA', { timeZone: 'Pacific/Auckland' }).format());
  t.deepEqual(
    found.workspaces.map(({ id }: { id: number }) => id),
    [workspaceId],
  );
  const [place] = found.workspaces;
  t.deepEqual(place.access, { tasks: 'write', requirements: 'read', releases: 'none', milestones: 'none', time: 'none', plans: 'none' });
  t.is(place.limits.tasks, 'delete');
  t.true(place.members.some((member: { id: number; name: string }) => member.id === ownerId && member.name === 'Ana'));
  t.deepEqual(place.statuses[0].types, ['task', 'requirement']);
  t.is((await call(agent, 'svc_context', { workspaceId: closed })).value.error.code, 'forbidden');
  t.is((await call(agent, 'svc_context', { workspaceId: 999_999 })).value.error.code, 'forbidden');
});
