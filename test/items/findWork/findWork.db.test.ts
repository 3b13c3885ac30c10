/** svc_find_work against an independent scan of the same data: filters, visibility, paging, windows (behaviour §7.22, §7.24). */
import fc from 'fast-check';
import pg from 'pg';
import type { Caller } from '../../../src/access/caller.ts';
import { connectDb, type Db } from '../../../src/database/db.ts';
import { sql } from '../../../src/database/sql.ts';
import { findWork } from '../../../src/items/findWork/findWork.ts';
import { readWork } from '../../../src/items/findWork/queries.ts';
import { parseInput } from '../../../src/operations/input.ts';
import { outputOf } from '../../../src/operations/json.ts';
import { perform } from '../../../src/operations/perform.ts';
import { addDays, dueWindow, dueWindows, todayIn } from '../../../src/values/dates.ts';
import { AppError } from '../../../src/values/errors.ts';
import { fileDatabase } from '../../support/database.ts';
import { suite } from '../../support/suite.ts';
import { runs } from '../../support/thorough.ts';
import { below, expected, type Known, type Wanted, workWorld } from './world.ts';

const test = suite(import.meta.url);

// biome-ignore lint/suspicious/noExplicitAny: results are JSON, looked into freely
type Json = any;

const database = fileDatabase();
const today = new Date().toISOString().slice(0, 10);
const everything = ['tasks', 'requirements', 'releases', 'milestones'];
let db: Db;
let world: Awaited<ReturnType<typeof workWorld>>;

test.before('work in two workspaces', async () => {
  db = await connectDb(database.url);
  world = await workWorld(database.url, today);
});
test.after('close', () => db?.close());

async function ask(caller: Caller, given: Json = {}): Promise<Json> {
  return outputOf(await perform(db, caller, findWork, parseInput(findWork.input, given)));
}
const ids = ({ items }: Json): number[] => items.map(({ id }: Json) => id);
const all = { assignee: 'all', status: 'all', limit: 100 };

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'ok';
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

const searches = [
  'GRÖSSE',
  '100%',
  'a_b',
  'task',
  'ü',
  '会議',
  '議',
  'zq',
  '\\',
  'nowhere',
  'ЗАДА',
  'ада',
  '#24',
  '24',
  'üll',
  'r\u00f6\u00df',
  'task gr\u00f6\u00dfe',
  'm\u00fcller 100% task',
  '100 cent',
  '"100 per"',
  '"per 100"',
  'm\u00fcller or \u4f1a\u8b70',
  'task zq or "plain \\ text"',
  'zq or nowhere',
  'or',
];

/** Filters of every kind. */
function wanted({ known, refs }: typeof world): fc.Arbitrary<Wanted & { limit: number }> {
  const some = <T>(...values: T[]) => fc.option(fc.constantFrom(...values), { nil: undefined, freq: 2 });
  const of = (type: string) => known.filter((item) => item.type === type).map(({ id }) => id);
  const day = fc.option(fc.integer({ min: -14, max: 20 }).map((n) => addDays(today, n)));
  const due = fc.tuple(day, day).map(([from, to]) => {
    if (from === null && to === null) return undefined;
    return from && to && from > to ? { from: to, to: from } : { from, to };
  });
  return fc.record({
    workspaceId: some(refs.id('apollo'), refs.id('hermes')),
    types: fc.subarray(['task', 'requirement', 'release', 'milestone'] as const),
    assignee: fc.constantFrom('me' as const, 'all' as const, 'all' as const, 'unassigned' as const, refs.id('bo')),
    closed: fc.constantFrom([false], [true], [false, true]),
    status: some('planned' as const, 'done' as const, 'in_review' as const),
    statusKey: some('planned', 'later', 'shipped', 'absent'),
    priorityKey: some('normal', 'urgent'),
    requirementId: some(...of('requirement')),
    releaseId: some(...of('release')),
    underId: some(...known.filter(({ type, needs }) => type !== 'goal' && needs).map(({ id }) => id)),
    ids: fc.option(fc.uniqueArray(fc.constantFrom(...known.map(({ id }) => id)), { minLength: 1, maxLength: 60 }), {
      nil: undefined,
      freq: 1,
    }),
    search: some(...searches, ...known.slice(0, 3).flatMap(({ id }) => [String(id), `#${id}`])),
    searchIn: some('all' as const),
    due,
    afterId: fc.constantFrom(0, 0, ...known.map(({ id }) => id)),
    limit: fc.integer({ min: 1, max: 30 }),
  });
}

test('filters together find the items that match each of them, whichever filter leads', async (t) => {
  const who = [
    { caller: world.agent('all'), resources: everything },
    { caller: world.agent('few'), resources: ['tasks', 'milestones'] },
  ];
  const looks = fc.record({
    few: fc.constantFrom(0, 2, 10, 300),
    near: fc.constantFrom(1, 20, 1_000),
    spread: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(wanted(world), looks, fc.constantFrom(...who), async (query, look, person) => {
      const { assignee, status, statusKey: key, priorityKey, due, search, searchIn, ids: named, requirementId, releaseId, underId } = query;
      const filters = {
        ...{ ids: named, requirementId, releaseId, underId },
        assignee: assignee === 'all' ? undefined : [assignee],
        status: status && { closed: [], statuses: [status], keys: [] },
        statusKey: key,
        priority: priorityKey === undefined ? undefined : [priorityKey],
        due: due && { ranges: [{ from: due.from ?? '0001-01-01', to: due.to ?? '9999-12-31' }] },
        text: search === undefined ? undefined : { search, searchIn },
      };
      const { workspaceId, types, closed, afterId, limit } = query;
      const found = await readWork(db.pool(), person.caller, { workspaceId, types, closed, afterId, limit, filters, ...look });
      const root = world.known.find(({ id }) => id === underId);
      const seen = !root || [...root.needs!].every((need) => person.resources.includes(need));
      t.is(found.root_found, seen);
      const right = seen ? expected(world.known, person.resources, world.refs.id('ana'), query) : [];
      t.deepEqual(ids({ items: JSON.parse(`[${found.items ?? ''}]`) }), right.slice(0, limit));
      t.is(found.has_more, right.length > limit);
      t.is(found.last_id, right.slice(0, limit).at(-1) ?? null);
    }),
    { numRuns: runs(600) },
  );
});

test('by default it returns open work assigned to the caller in all accessible workspaces', async (t) => {
  const { known, refs, agent } = world;
  const base = { types: ['task', 'requirement', 'release', 'milestone'] as const, assignee: 'me' as const, closed: [false], afterId: 0 };
  t.deepEqual(ids(await ask(agent('all'), { limit: 100 })), expected(known, everything, refs.id('ana'), base));
  const found = await ask(agent('all'));
  t.is(found.dueWindow, null);
  t.true(found.items.every(({ status, assigneeId }: Json) => assigneeId === refs.id('ana') && !['done', 'cancelled'].includes(status)));
});

test('pages have no gaps or repetitions, and the last one says so', async (t) => {
  const whole = [
    ...ids(await ask(world.agent('all'), all)),
    ...ids(await ask(world.agent('all'), { ...all, afterId: ids(await ask(world.agent('all'), all)).at(-1) })),
  ];
  t.true(whole.length > 60);
  const seen: number[] = [];
  let afterId: number | undefined;
  for (let pages = 0; pages < 50; pages++) {
    const page = await ask(world.agent('all'), { ...all, limit: 7, ...(afterId === undefined ? {} : { afterId }) });
    seen.push(...ids(page));
    if (!page.hasMore) break;
    t.is(page.items.length, 7);
    afterId = page.nextAfterId;
  }
  t.deepEqual(seen, whole);
  const end = await ask(world.agent('all'), { ...all, afterId: whole.at(-1) });
  t.deepEqual([end.items, end.hasMore, end.nextAfterId], [[], false, whole.at(-1)]);
});

test('a row has only fields with values, and no description', async (t) => {
  const { items } = await ask(world.agent('all'), all);
  const names =
    'id workspaceId type title status statusKey priorityKey assigneeId assigneeName startDate dueDate targetDate parentId parentItemId requirementId releaseId goalId estimatedHours progressPercent version'.split(
      ' ',
    );
  for (const item of items) {
    t.true(Object.keys(item).every((name) => names.includes(name)));
    t.false(Object.values(item).includes(null));
    const source: Known = world.known.find(({ id }) => id === item.id)!;
    t.is(item.title, source.title);
    for (const name of ['parentId', 'parentItemId', 'requirementId', 'releaseId', 'goalId']) t.is(item[name], source.links[name]);
    t.is(item.assigneeId ?? null, source.assigneeId);
    t.is(item.assigneeName, item.assigneeId ? (item.assigneeId === world.refs.id('ana') ? 'Ana' : 'Bo') : undefined);
  }
});

test('a search below an item returns everything visible at any depth once, with its link and for all assignees', async (t) => {
  const { agent, known, refs } = world;
  let most = 0;
  for (const root of known.filter(({ type, needs }) => type !== 'goal' && needs)) {
    const found = await ask(agent('all'), { underId: root.id, status: 'all', limit: 100 });
    const query = { types: ['task', 'requirement', 'release', 'milestone'] as const, assignee: 'all' as const, closed: [false, true] };
    t.deepEqual(ids(found), expected(known, everything, refs.id('ana'), { ...query, afterId: 0, underId: root.id }));
    const inside = below(known, root.id).add(root.id);
    for (const { id, via } of found.items) {
      const links = known.find((item) => item.id === id)!.links;
      t.is(links[via.field], via.id);
      t.true(inside.has(via.id));
      if (Object.values(links).includes(root.id)) t.is(via.id, root.id);
    }
    most = Math.max(most, found.items.length);
  }
  t.true(most > 10);
});

test('a search below a hidden, archived or absent item or a goal is forbidden; other rows have no via', async (t) => {
  const { agent, known } = world;
  const release = known.find(({ type, needs }) => type === 'release' && needs)!;
  t.is(await codeOf(ask(agent('few'), { underId: release.id })), 'forbidden');
  t.is(await codeOf(ask(agent('all'), { underId: known.find(({ needs }) => needs === null)!.id })), 'forbidden');
  t.is(await codeOf(ask(agent('all'), { underId: 987_654_321 })), 'forbidden');
  t.is(await codeOf(ask(agent('all'), { underId: known.find(({ type }) => type === 'goal')!.id })), 'forbidden');
  t.true((await ask(agent('all'), all)).items.every((item: Json) => !('via' in item)));
});

test('a search by ids returns all visible ones, also closed and of other assignees, up to a hundred', async (t) => {
  const { agent, known } = world;
  const some = known.slice(0, 99).map(({ id }) => id);
  const seen = known.filter(({ id, needs, type }) => some.includes(id) && needs && type !== 'goal').map(({ id }) => id);
  t.true(seen.length > 50);
  t.deepEqual(ids(await ask(agent('all'), { ids: [...some.toReversed(), 987_654_321] })), seen);
  t.deepEqual(ids(await ask(agent('none'), { ids: some })), []);
  const page = await ask(agent('all'), { ids: some, limit: 7 });
  t.deepEqual([ids(page), page.hasMore], [seen.slice(0, 7), true]);
  t.deepEqual(ids(await ask(agent('all'), { ids: some, limit: 100, afterId: page.nextAfterId })), seen.slice(7));
  t.deepEqual(
    ids(await ask(agent('all'), { ids: some, status: 'open', assignee: 'me' })),
    known
      .filter(
        ({ id, status, assigneeId }) => seen.includes(id) && !['done', 'cancelled'].includes(status) && assigneeId === world.refs.id('ana'),
      )
      .map(({ id }) => id),
  );
});

test('goals are not searched, and an unreadable type gives an empty list', async (t) => {
  const { agent } = world;
  t.false(findWork.input.safeParse({ ...all, type: 'goal' }).success);
  t.deepEqual((await ask(agent('few'), { ...all, type: 'release' })).items, []);
  t.deepEqual((await ask(agent('none'), all)).items, []);
  t.deepEqual(await ask(agent('nowhere'), all), { items: [], hasMore: false, nextAfterId: 0, dueWindow: null });
  t.true((await ask(agent('few'), { ...all, type: 'task' })).items.length > 0);
});

test('hidden and absent workspaces or parents get the same forbidden', async (t) => {
  const { agent, refs, known } = world;
  const requirement = known.find(({ type, needs }) => type === 'requirement' && needs)!;
  const archived = known.find(({ type, needs }) => type === 'requirement' && !needs)!;
  const release = known.find(({ type, needs }) => type === 'release' && needs)!;
  const forbidden: [string, Json][] = [
    ['all', { workspaceId: refs.id('dark') }],
    ['all', { workspaceId: refs.id('other') }],
    ['all', { workspaceId: 2 ** 50 }],
    ['all', { requirementId: 2 ** 50 }],
    ['all', { requirementId: archived.id }],
    ['all', { releaseId: refs.id('o1') }],
    ['few', { requirementId: requirement.id }],
    ['few', { releaseId: release.id }],
    ['all', { requirementId: known.find(({ type }) => type === 'goal')!.id }],
  ];
  for (const [who, given] of forbidden) {
    t.is(await codeOf(ask(agent(who), given)), 'forbidden', `${who} ${JSON.stringify(given)}`);
    t.is(await codeOf(ask(agent(who), { ...given, search: 'x', priorityKey: 'low' })), 'forbidden');
  }
  t.is(await codeOf(ask(agent('all'), { requirementId: release.id })), 'invalid_request');
  t.is(await codeOf(ask(agent('none'), { workspaceId: refs.id('apollo') })), 'ok');
  const elsewhere = requirement.workspaceId === refs.id('apollo') ? 'hermes' : 'apollo';
  t.deepEqual((await ask(agent('all'), { ...all, requirementId: requirement.id, workspaceId: refs.id(elsewhere) })).items, []);
});

test("each due window is reported in the connection's time zone and contains the work due in it", async (t) => {
  const { agent, known, refs } = world;
  for (const [who, zone] of [
    ['all', 'Europe/Berlin'],
    ['east', 'Pacific/Kiritimati'],
    ['west', 'Etc/GMT+12'],
  ] as const) {
    for (const name of dueWindows) {
      const before = todayIn(zone, Date.now());
      const found = await ask(agent(who), { assignee: 'all', workspaceId: refs.id('apollo'), dueWindow: name, limit: 100 });
      if (before !== todayIn(zone, Date.now())) continue;
      const range = dueWindow(name, before);
      t.deepEqual(found.dueWindow, { name, ...range, timezone: zone });
      const due = range.from || range.to ? range : undefined;
      const query = {
        workspaceId: refs.id('apollo'),
        types: ['task', 'requirement', 'release', 'milestone'] as const,
        assignee: 'all' as const,
        closed: [false],
        due,
        afterId: 0,
      };
      t.deepEqual(ids(found), expected(known, everything, 0, query), `${name} in ${zone}`);
    }
  }
});

test('overdue contains only open work, whatever the status filter; all includes undated work', async (t) => {
  const open = ids(await ask(world.agent('all'), { assignee: 'all', dueWindow: 'overdue', limit: 100 }));
  t.true(open.length > 0);
  t.deepEqual(ids(await ask(world.agent('all'), { ...all, dueWindow: 'overdue' })), open);
  t.deepEqual(ids(await ask(world.agent('all'), { assignee: 'all', status: 'closed', dueWindow: 'overdue' })), []);
  t.deepEqual(ids(await ask(world.agent('all'), { ...all, dueWindow: 'all' })), ids(await ask(world.agent('all'), all)));
});

test('a date range is named custom, includes both ends, and either may be open', async (t) => {
  const given = { ...all, dueFrom: today, dueTo: addDays(today, 1) };
  const found = await ask(world.agent('all'), given);
  t.deepEqual(found.dueWindow, { name: 'custom', from: given.dueFrom, to: given.dueTo, timezone: 'Europe/Berlin' });
  const onwards = await ask(world.agent('all'), { ...all, dueFrom: today });
  t.deepEqual(onwards.dueWindow, { name: 'custom', from: today, to: null, timezone: 'Europe/Berlin' });
  const dates = (result: Json) => result.items.map(({ dueDate, targetDate }: Json) => dueDate ?? targetDate);
  t.true(dates(found).every((date: string) => date === given.dueFrom || date === given.dueTo));
  t.true(dates(onwards).every((date: string) => date >= today) && onwards.items.length > found.items.length);
});

test('contradictory and unknown arguments are refused by name', (t) => {
  const refused: [Json, RegExp][] = [
    [{ dueWindow: 'today', dueTo: today }, /^dueWindow: give either/],
    [{ dueWindow: 'all', dueFrom: today }, /^dueWindow: give either/],
    [{ dueFrom: today, dueTo: '2001-01-01' }, /^dueFrom: must not be after dueTo/],
    [{ dueFrom: '2026-02-30' }, /^dueFrom: /],
    [{ dueWindow: 'tomorrow' }, /^dueWindow: /],
    [{ assignee: 'you' }, /^assignee: give one of: me, all, unassigned, or the id/],
    [{ assignee: 0 }, /^assignee: /],
    [{ status: 'nope' }, /^status: /],
    [{ search: '' }, /^search: /],
    [{ limit: 101 }, /^limit: /],
    [{ ids: [] }, /^ids: give 1 to 100/],
    [{ ids: Array.from({ length: 101 }, (_, n) => n + 1) }, /^ids: give at most 100/],
    [{ ids: ['x'] }, /^ids\[0\]: /],
    [{ underId: 0 }, /^underId: /],
    [{ afterId: -1 }, /^afterId: /],
    [{ offset: 1 }, /^offset: is not known/],
  ];
  for (const [given, says] of refused) t.throws(() => parseInput(findWork.input, given), { message: says }, JSON.stringify(given));
});

test('after a change of title or description, a search finds only the new text', async (t) => {
  const { agent, known } = world;
  const find = async (search: string) => (await ask(agent('all'), { ...all, search })).items.length;
  const client = new pg.Client(database.url);
  await client.connect();
  try {
    const target = known.find(({ type, needs }) => type === 'task' && needs)!;
    await client.query('update items set description = $2 where id = $1', [target.id, 'Quokka & Wombat']);
    t.is(await find('quokka & w'), 1);
    await client.query('update items set description = $2 where id = $1', [target.id, target.description]);
    t.is(await find('quokka'), 0);
  } finally {
    await client.end();
  }
});

test('a call with a revoked key gets only the authentication error', async (t) => {
  t.is(await codeOf(ask({ kind: 'agent', hash: Buffer.alloc(32) })), 'unauthenticated');
  t.is(await codeOf(ask({ kind: 'agent', hash: Buffer.alloc(32) }, { dueWindow: 'today' })), 'unauthenticated');
});

test('a search that takes too long is stopped, and the error says to narrow the filter', async (t) => {
  const slow = await connectDb(database.url, 1);
  try {
    await slow.pool().query(sql.unsafe`set statement_timeout = 1`);
    const input = parseInput(findWork.input, { ...all, search: 'nowhere', searchIn: 'all', underId: world.refs.id('a0') });
    const refused = await t.throwsAsync(perform(slow, world.agent('all'), findWork, input), { instanceOf: AppError });
    t.deepEqual([refused.code, refused.message], ['unavailable', 'This took too long and was stopped. Narrow the filter, then try again.']);
  } finally {
    await slow.close();
  }
});
