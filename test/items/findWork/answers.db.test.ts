/** What svc_find_work answers about a match, chosen properties, and counts and sums per group (behaviour §7.47 to §7.49). */
import { fileDatabase } from '../../support/database.ts';
import { ask, call, type McpWorld, mcpWorld, once } from '../../support/mcpWorld.ts';
import { rowsWithoutTriggers } from '../../support/rowsAt.ts';
import { suite } from '../../support/suite.ts';

const test = suite(import.meta.url);

// biome-ignore lint/suspicious/noExplicitAny: results are JSON, looked into freely
type Json = any;

const database = fileDatabase();
let world: McpWorld;
test.before('an endpoint', async () => {
  world = await mcpWorld(database.url);
});
test.after('close', () => world?.end());

const find = (given: Json): Promise<Json> => ask(world.agent, 'svc_find_work', { workspaceId: world.workspaceId, ...given });

test('a hit says where it matched, with the text around it from description and notes', async (t) => {
  const description = `${'Before that we must ask. '.repeat(4)}Then the\nquagga\tstands ready ${'and waits for its rider. '.repeat(4)}`;
  const [one, two, three] = await world.make(
    { type: 'task', title: 'Quagga harness', description },
    { type: 'task', title: 'Second', status: 'blocked', fields: { acceptance: 'quagga fed', blockedReason: 'no QUAGGA' } },
    { type: 'task', title: 'Third', description: 'quagga' },
  );
  await ask(world.agent, 'svc_add_note', once({ id: two.id, body: 'The old quagga is gone' }));
  await ask(world.agent, 'svc_add_note', once({ id: two.id, body: 'A Quagga was seen' }));
  await ask(world.agent, 'svc_add_note', once({ id: two.id, body: 'Nothing new' }));
  const { items } = await find({ assignee: 'all', search: 'quagga', searchIn: 'all' });
  const shown = new Map(items.map(({ id, matched, snippets }: Json) => [id, { matched, snippets }]));
  const snippet = '… must ask. Then the quagga stands ready and waits for its rider. and waits for…';
  t.deepEqual(shown.get(one.id), { matched: ['title', 'description'], snippets: { description: snippet } });
  t.true(snippet.length <= 80);
  t.deepEqual(shown.get(two.id), { matched: ['acceptance', 'blockedReason', 'notes'], snippets: { notes: 'A Quagga was seen' } });
  t.deepEqual(shown.get(three.id), { matched: ['description'], snippets: { description: 'quagga' } });
  const byNumber = await find({ assignee: 'all', search: `#${three.id} or second quagga` });
  t.deepEqual(
    byNumber.items.map(({ id, matched }: Json) => [id, matched]),
    [
      [two.id, ['title', 'acceptance', 'blockedReason']],
      [three.id, ['description', 'number']],
    ],
  );
});

test('notes that the caller may not read are neither matched nor shown', async (t) => {
  const { fixtures, workspaceId, accountId } = world;
  const [task] = await world.make({ type: 'task', title: 'Okapi' });
  await ask(world.agent, 'svc_add_note', once({ id: task.id, body: 'okapi in secret' }));
  const deaf = await fixtures.user(accountId);
  await fixtures.member(workspaceId, deaf, 'member', { comments: 'none' });
  const { items } = await ask(await world.agentOf(deaf), 'svc_find_work', { assignee: 'all', search: 'okapi', searchIn: 'all' });
  t.deepEqual(
    items.map(({ id, matched, snippets }: Json) => ({ id, matched, snippets })),
    [{ id: task.id, matched: ['title'], snippets: undefined }],
  );
});

test('words may match in different texts of an item, notes included', async (t) => {
  const [task] = await world.make({ type: 'task', title: 'Wombat', description: 'digs' });
  await ask(world.agent, 'svc_add_note', once({ id: task.id, body: 'by moonlight' }));
  const ids = async (search: string, searchIn?: string) =>
    (await find({ assignee: 'all', search, searchIn })).items.map(({ id }: Json) => id);
  t.deepEqual(await ids('digs wombat'), [task.id]);
  t.deepEqual(await ids('"digs wombat"'), []);
  t.deepEqual(await ids('moonlight wombat'), []);
  t.deepEqual(await ids('moonlight wombat', 'all'), [task.id]);
  t.deepEqual(await ids('moonlight zebra', 'all'), []);
});

test('fields chooses the properties of rows; id is always among them', async (t) => {
  const [task] = await world.make({ type: 'task', title: 'Ibex', description: 'an ibex', fields: { estimatedHours: 3 } });
  const chosen = async (fields: string[]) => (await find({ ids: [task.id], fields })).items;
  t.deepEqual(await chosen(['title', 'status']), [{ id: task.id, title: 'Ibex', status: 'planned' }]);
  t.deepEqual(await chosen(['estimatedHours', 'dueDate', 'id']), [{ id: task.id, estimatedHours: 3 }]);
  const { items } = await find({ assignee: 'all', search: 'ibex', fields: ['matched'] });
  t.deepEqual(items, [{ id: task.id, matched: ['title', 'description'] }]);
  const { isError, value } = await call(world.agent, 'svc_find_work', { fields: ['title', 'descriptions'] });
  t.true(isError);
  t.regex(value.error.message, /^fields\[1\]: give properties of a row: id, type, title, /);
});

const groups = async (given: Json) => {
  const { groups: found, total, groupsMore } = await find(given);
  return { groups: found, total, ...(groupsMore && { groupsMore }) };
};

test('groupBy returns counts and sums per group, largest first, instead of rows', async (t) => {
  const { fixtures, accountId, workspaceId, ownerId } = world;
  const other = await fixtures.user(accountId, 'Zoe');
  await fixtures.member(workspaceId, other);
  const [release] = await world.make({ type: 'release', title: 'Herd' });
  const [requirement] = await world.make({ type: 'requirement', title: 'Fence', fields: { releaseId: release.id } });
  const task = (title: string, status: string, fields: object) => ({
    type: 'task',
    title,
    status,
    fields: { releaseId: release.id, ...fields },
  });
  await world.make(
    task('One', 'planned', { assigneeId: other, estimatedHours: 6, dueDate: '2031-03-09', requirementId: requirement.id }),
    task('Two', 'in_progress', { assigneeId: other, estimatedHours: 10, progressPercent: 50, dueDate: '2031-03-10' }),
    task('Three', 'done', { assigneeId: other, estimatedHours: 40, dueDate: '2031-03-08' }),
    task('Four', 'planned', { assigneeId: ownerId, dueDate: '2031-03-08' }),
    task('Five', 'planned', { estimatedHours: 0.1, dueDate: '2031-03-08' }),
    task('Six', 'planned', { estimatedHours: 0.2, dueDate: '2031-03-08' }),
  );
  const all = { releaseId: release.id, type: 'task' };
  const me = (await ask(world.agent, 'svc_context')).actor;
  t.deepEqual(await groups({ ...all, groupBy: 'assignee', sum: 'remainingHours' }), {
    groups: [
      { assignee: other, assigneeName: 'Zoe', count: 2, remainingHours: 11 },
      { assignee: 'unassigned', count: 2, remainingHours: 0.3 },
      { assignee: ownerId, assigneeName: me.name, count: 1, remainingHours: 0, withoutEstimate: 1 },
    ],
    total: { count: 5, remainingHours: 11.3, withoutEstimate: 1 },
  });
  t.deepEqual(await groups({ ...all, status: 'all', groupBy: 'status', sum: 'estimatedHours' }), {
    groups: [
      { status: 'done', count: 1, estimatedHours: 40 },
      { status: 'in_progress', count: 1, estimatedHours: 10 },
      { status: 'planned', count: 4, estimatedHours: 6.3, withoutEstimate: 1 },
    ],
    total: { count: 6, estimatedHours: 56.3, withoutEstimate: 1 },
  });
  t.deepEqual((await groups({ ...all, groupBy: 'requirementId' })).groups, [
    { requirementId: 'none', count: 4 },
    { requirementId: requirement.id, title: 'Fence', count: 1 },
  ]);
  t.deepEqual((await groups({ underId: release.id, groupBy: 'releaseId' })).groups, [{ releaseId: release.id, title: 'Herd', count: 6 }]);
  t.deepEqual((await groups({ ...all, groupBy: 'assignee', sum: 'remainingHours', dueTo: '2031-03-09', assignee: other })).total, {
    count: 1,
    remainingHours: 6,
  });
  t.deepEqual(await groups({ ...all, groupBy: 'status', sum: 'remainingHours', search: 'nowhere' }), {
    groups: [],
    total: { count: 0, remainingHours: 0 },
  });
});

test('groups cover only what the caller may see, and hidden parents are refused as for rows', async (t) => {
  const { fixtures, workspaceId, accountId } = world;
  const [release] = await world.make({ type: 'release', title: 'Secret herd' });
  await world.make({ type: 'task', title: 'Seen not', fields: { releaseId: release.id } });
  const blind = await fixtures.user(accountId);
  await fixtures.member(workspaceId, blind, 'member', { releases: 'none' });
  const agent = await world.agentOf(blind);
  const { groups: found } = await ask(agent, 'svc_find_work', { groupBy: 'releaseId', workspaceId, type: 'task' });
  t.false(JSON.stringify(found).includes('Secret herd'));
  for (const id of [release.id, 999_999_999]) {
    const { value } = await call(agent, 'svc_find_work', { groupBy: 'status', releaseId: id });
    t.is(value.error.code, 'forbidden');
  }
});

test('at most 100 groups are returned, with a flag for more', async (t) => {
  const [release] = await world.make({ type: 'release', title: 'Wide' });
  for (let made = 0; made < 102; made += 34) {
    const items = Array.from({ length: 34 }, (_, n) => ({
      ...{ type: 'requirement', title: `R${made + n}`, fields: { releaseId: release.id } },
      below: [{ title: 'T', fields: { estimatedHours: 1 } }],
    }));
    await ask(world.agent, 'svc_create_items', once({ workspaceId: world.workspaceId, items }));
  }
  const answer = await groups({ underId: release.id, type: 'task', groupBy: 'requirementId', sum: 'estimatedHours' });
  t.is(answer.groups.length, 100);
  t.true(answer.groupsMore);
  t.deepEqual(answer.total, { count: 102, estimatedHours: 102 });
});

test('more than ten thousand items are not counted, and contradictory arguments are refused by name', async (t) => {
  const { workspaceId } = world;
  const [{ id }] = await world.make({ type: 'milestone', title: 'Many' });
  await rowsWithoutTriggers(
    database.url,
    `insert into items (account_id, workspace_id, type, title, status, status_key, needs)
     select account_id, workspace_id, type, title, status, status_key, needs from items, generate_series(1, 10000) where id = $1`,
    [id],
  );
  const refused: [Json, RegExp][] = [
    [{ workspaceId, groupBy: 'status', type: 'milestone' }, /^groupBy: more than 10,000 items match; narrow the filters\. /],
    [{ sum: 'remainingHours' }, /^sum: give groupBy too\. /],
    [{ groupBy: 'status', fields: ['title'] }, /^fields: does not apply to groupBy; leave it out\. /],
    [{ groupBy: 'status', limit: 3 }, /^limit: does not apply to groupBy/],
    [{ groupBy: 'title' }, /^groupBy: give one of assignee, status, requirementId, releaseId\. /],
    [
      { search: Array.from({ length: 13 }, (_, n) => `w${n}`).join(' ') },
      /^search: give at most 12 words, or put "quotes" around a phrase\. /,
    ],
  ];
  for (const [given, says] of refused) {
    const { value } = await call(world.agent, 'svc_find_work', given);
    t.regex(value.error?.message ?? JSON.stringify(value).slice(0, 200), says);
  }
});
