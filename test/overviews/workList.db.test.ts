/** Lists of work: each order, group and filter, page by page. Hidden items are not listed, counted, summed or named (behaviour §19). */
import { connectDb, type Db } from '../../src/database/db.ts';
import { parseInput } from '../../src/operations/input.ts';
import { outputOf } from '../../src/operations/json.ts';
import { perform } from '../../src/operations/perform.ts';
import { groupings, SortColumn } from '../../src/overviews/workList/input.ts';
import { type ListRow, listWork, readWorkList, type WorkList } from '../../src/overviews/workList/listWork.ts';
import { boardGroupings, MOST_AT_FIRST, showBoard } from '../../src/overviews/workList/showBoard.ts';
import { Forbidden } from '../../src/values/errors.ts';
import { fileDatabase } from '../support/database.ts';
import { suite } from '../support/suite.ts';
import { isThorough } from '../support/thorough.ts';
import { oneWorkspace, type WorldRefs, world } from '../support/world.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let db: Db;
let refs: WorldRefs;

const today = '2026-11-25';
const dates = [undefined, '2026-11-20', '2026-11-25', '2026-11-27', '2026-12-24'];
const statuses = ['planned', 'in_progress', 'in_review', 'blocked', 'done', 'cancelled'] as const;
const priorities = [undefined, 'low', 'normal', 'high', 'urgent'];
const people = [undefined, 'ana', 'bo'];
const parents = [undefined, 'q1', 'q2', 'q3'];
const COUNT = 90;

/** Every combination occurs, and many rows differ only in their number. */
const tasks = Array.from({ length: COUNT }, (_, n) => {
  const of = <T>(list: readonly T[], step: number) => list[Math.floor(n / step) % list.length];
  const status = of(statuses, 1)!;
  const fields = {
    dueDate: of(dates, 3),
    priorityKey: of(priorities, 2),
    estimatedHours: n % 7 === 0 ? undefined : n % 5,
    progressPercent: n % 4 === 0 ? 50 : undefined,
    blockedReason: status === 'blocked' ? 'It rains' : undefined,
    assigneeId: of(people, 5) && { ref: of(people, 5)! },
    requirementId: of(parents, 4) && { ref: of(parents, 4)! },
  };
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  return { ref: `t${n}`, type: 'task' as const, title: `Task ${'ÄbCd'[n % 4]}`, status, fields: given };
});

test.before('a workspace of work, and people who see part of it', async () => {
  refs = await world(
    database.url,
    oneWorkspace(
      {
        members: [
          { user: 'bo', role: 'member' },
          { user: 'cleo', role: 'viewer', access: { releases: 'none', goals: 'none' } },
          { user: 'dan', role: 'viewer', access: { tasks: 'none' } },
          {
            user: 'eve',
            role: 'viewer',
            access: { tasks: 'none', requirements: 'none', goals: 'none', releases: 'none', milestones: 'none' },
          },
        ],
        items: [
          { ref: 'r1', type: 'release', title: 'First voyage', fields: { targetDate: '2026-12-13' } },
          { ref: 'g1', type: 'goal', title: 'No queues' },
          {
            ref: 'q1',
            type: 'requirement',
            title: 'Anchor',
            fields: { goalId: { ref: 'g1' }, reach: 100, impact: 2, confidence: 80, effort: 4 },
          },
          {
            ref: 'q2',
            type: 'requirement',
            title: 'Bell',
            fields: { releaseId: { ref: 'r1' }, reach: 1000, impact: 2, confidence: 50, effort: 2 },
          },
          { ref: 'q3', type: 'requirement', title: 'Bell', fields: { reach: 10, impact: 1, confidence: 100, effort: 0 } },
          ...tasks,
          { ref: 'gone', type: 'task', title: 'Task of old', archived: true, fields: { requirementId: { ref: 'q1' }, estimatedHours: 3 } },
          { ref: 'goneBelow', type: 'task', title: 'Gone too', archived: true, fields: { releaseId: { ref: 'r1' } } },
          { ref: 'worded', type: 'task', title: 'Sails', description: 'Made of Segeltuch', status: 'cancelled' },
        ],
      },
      {
        users: ['bo', 'cleo', 'dan', 'eve'].map((ref) => ({
          ref,
          email: `${ref}@acme.example`,
          name: `${ref[0]!.toUpperCase()}${ref.slice(1)}`,
        })),
      },
    ),
  );
  db = await connectDb(database.url, 2);
});
test.after('close', () => db?.close());

async function list(who: string, asked: object = {}): Promise<WorkList> {
  const input = parseInput(listWork.input, { workspaceId: refs.id('apollo'), today, ...asked });
  return outputOf(await perform(db, { kind: 'user', userId: refs.id(who) }, listWork, input));
}

/** All pages, with a few rows each. */
async function allPages(who: string, asked: object): Promise<ListRow[]> {
  const rows: ListRow[] = [];
  for (let after: string | undefined; ; ) {
    const page = await list(who, { ...asked, limit: 13, after });
    rows.push(...page.rows);
    t11 = Math.max(t11, page.rows.length);
    if (page.next === null) return rows;
    after = page.next;
  }
}
let t11 = 0;

const idsOf = (rows: readonly ListRow[]) => rows.map(({ id }) => id);
const rankOf: Record<string, number> = { low: 1, normal: 2, high: 3, urgent: 4 };
/** Due date, priority, number: the usual order, implemented separately. */
const usual = (a: ListRow, b: ListRow) =>
  (a.due ?? '9').localeCompare(b.due ?? '9') || (rankOf[b.priorityKey ?? ''] ?? 0) - (rankOf[a.priorityKey ?? ''] ?? 0) || a.id - b.id;

test('pages of every group and order have each row once, groups in one piece, and correct sums', async (t) => {
  for (const group of groupings) {
    for (const sort of isThorough ? SortColumn.options : (['due', 'title'] as const)) {
      for (const reverse of [false, true]) {
        const asked = { group, sort, reverse, status: ['all'] };
        const rows = await allPages('ana', asked);
        const name = `${group} ${sort} ${reverse}`;
        t.is(new Set(idsOf(rows)).size, COUNT + 1, name);
        t.is(rows.length, COUNT + 1, name);
        const runs = rows.map((row) => row.group).filter((key, at, all) => key !== all[at - 1]);
        t.is(new Set(runs).size, runs.length, name);
        const { groups } = await list('ana', asked);
        t.deepEqual(
          groups.map(({ key }) => key),
          runs,
          name,
        );
        for (const { key, count, estimated, more } of groups) {
          const own = rows.filter((row) => row.group === key);
          t.is(count, own.length, name);
          t.is(
            estimated,
            own.reduce((sum, row) => sum + (row.estimatedHours ?? 0), 0),
            name,
          );
          t.false(more);
        }
        if (sort === 'due' && !reverse)
          for (const key of runs) {
            const own = rows.filter((row) => row.group === key);
            t.deepEqual(idsOf(own), idsOf([...own].sort(usual)), name);
          }
      }
    }
  }
  t.is(t11, 13);
});

test('the remaining estimate counts open work by its progress', async (t) => {
  const { groups, rows } = await list('ana', { limit: 200, status: ['all'] });
  const open = rows.filter(({ status }) => status !== 'done' && status !== 'cancelled');
  const left = open.reduce((sum, row) => sum + (row.estimatedHours ?? 0) * (1 - (row.progressPercent ?? 0) / 100), 0);
  t.is(groups[0]!.remaining, left);
});

test('each column sorts by its displayed value, with missing values last in both directions', async (t) => {
  const by = async (sort: string, reverse: boolean, type = 'task') => allPages('ana', { sort, reverse, type, status: ['all'] });
  const titles = (rows: ListRow[]) => rows.map(({ title }) => title.toLowerCase());
  t.deepEqual(titles(await by('title', true)), titles(await by('title', false)).reverse());
  const hours = (await by('estimate', false)).map(({ estimatedHours }) => estimatedHours ?? -1);
  t.deepEqual(
    hours,
    [...hours].sort((a, b) => b - a),
  );
  const least = (await by('estimate', true)).map(({ estimatedHours }) => estimatedHours ?? 99);
  t.deepEqual(
    least,
    [...least].sort((a, b) => a - b),
  );
  t.deepEqual(
    (await by('id', true)).map(({ id }) => id),
    idsOf(await by('id', false)).reverse(),
  );
  t.deepEqual(
    (await by('score', false, 'requirement')).map(({ score, rank }) => [score, rank]),
    [
      [500, 1],
      [40, 2],
      [undefined, undefined],
    ],
  );
});

test('several values of a filter widen it, and several filters narrow it', async (t) => {
  const all = (await list('ana', { status: ['all'], limit: 200 })).rows;
  const expect = async (asked: object, wanted: (row: ListRow) => boolean) => {
    const found = await list('ana', { status: ['all'], limit: 200, ...asked });
    t.deepEqual(new Set(idsOf(found.rows)), new Set(idsOf(all.filter(wanted))), JSON.stringify(asked));
    t.is(
      found.groups.reduce((sum, { count }) => sum + count, 0),
      found.rows.length,
    );
  };
  const closed = (row: ListRow) => row.status === 'done' || row.status === 'cancelled';
  await expect({ status: [] }, (row) => !closed(row));
  await expect({ status: ['closed'] }, closed);
  await expect({ status: ['blocked', 'done'] }, ({ status }) => status === 'blocked' || status === 'done');
  await expect({ status: ['key:in_review', 'in_progress'] }, ({ status }) => status === 'in_review' || status === 'in_progress');
  await expect({ assignee: ['me', 'unassigned'] }, ({ assignee }) => !assignee || assignee.id === refs.id('ana'));
  await expect({ assignee: [refs.id('bo')] }, ({ assignee }) => assignee?.id === refs.id('bo'));
  await expect({ mine: true }, ({ assignee }) => assignee?.id === refs.id('ana'));
  await expect({ priority: ['urgent', ''] }, ({ priorityKey }) => priorityKey === 'urgent' || priorityKey === undefined);
  await expect({ priority: ['urgent'], group: 'priority' }, ({ priorityKey }) => priorityKey === 'urgent');
  await expect({ due: ['overdue'] }, (row) => row.due === '2026-11-20' && !closed(row));
  await expect({ due: ['today', 'none'] }, ({ due }) => due === today || due === undefined);
  await expect({ due: ['week'] }, ({ due }) => due === '2026-11-27');
  await expect({ due: ['..2026-11-26'] }, ({ due }) => due !== undefined && due <= '2026-11-26');
  await expect({ due: ['later'], assignee: ['me'] }, ({ due, assignee }) => due === '2026-12-24' && assignee?.id === refs.id('ana'));
  await expect({ within: [refs.id('q1'), refs.id('q3')] }, ({ up }) => up?.id === refs.id('q1') || up?.id === refs.id('q3'));
  await expect({ search: 'segeltuch' }, ({ title }) => title === 'Sails');
  await expect({ search: `#${refs.id('t3')}` }, ({ id }) => id === refs.id('t3'));
  await expect({ search: 'it rains', due: ['none'] }, ({ status, due }) => status === 'blocked' && due === undefined);
});

test('archived work is a separate filter, for users who could see it', async (t) => {
  const archived = (await list('ana', { archived: true })).rows;
  t.deepEqual(new Set(idsOf(archived)), new Set([refs.id('gone'), refs.id('goneBelow')]));
  t.true(archived.every((row) => row.archived));
  t.deepEqual(idsOf((await list('cleo', { archived: true })).rows), [refs.id('gone')]);
});

test('hidden items are not listed, counted, summed, named or guessable', async (t) => {
  const seen = await list('cleo', { status: ['all'], limit: 200, group: 'parent' });
  const hidden = tasks.filter(({ fields }) => JSON.stringify(fields).includes('"q2"')).map(({ ref }) => refs.id(ref));
  t.true(hidden.length > 0);
  t.is(seen.rows.length, COUNT + 1 - hidden.length);
  t.false(seen.rows.some(({ id }) => hidden.includes(id)));
  t.deepEqual(
    seen.groups.map(({ key }) => key),
    [String(refs.id('q1')), String(refs.id('q3')), ''],
  );
  t.is(
    seen.groups.reduce((sum, { count }) => sum + count, 0),
    seen.rows.length,
  );
  t.deepEqual((await list('cleo', { within: [refs.id('q2')] })).rows, []);
  const ofGoal = { type: 'requirement', within: [refs.id('g1'), refs.id('r1'), refs.id('q1')] };
  t.deepEqual((await list('cleo', ofGoal)).rows, []);
  t.deepEqual(
    (await list('cleo', ofGoal)).named.map(({ id }) => id),
    [refs.id('q1')],
  );
  t.is((await list('ana', ofGoal)).rows.length, 2);
  const [anchor] = (await list('cleo', { type: 'requirement', sort: 'title' })).rows;
  t.deepEqual([anchor!.title, anchor!.up, anchor!.rank], ['Anchor', undefined, 1]);
  t.deepEqual(
    (await list('cleo', { type: 'requirement', search: 'Bell' })).rows.map(({ id }) => id),
    [refs.id('q3')],
  );
});

test('a user who may not see a type gets the first visible one, and non-members are refused', async (t) => {
  const { type, rows } = await list('dan', { type: 'task' });
  t.is(type, 'requirement');
  t.is(rows.length, 3);
  t.deepEqual(
    rows.map(({ below }) => below?.total),
    [0, 0, 0],
  );
  t.deepEqual((await list('eve')).rows, []);
  await t.throwsAsync(list('ana', { workspaceId: 999_999 }), { instanceOf: Forbidden });
});

test('rows count visible descendants, and an invalid cursor gives the first page', async (t) => {
  const below = (await list('ana', { type: 'requirement' })).rows.find(({ id }) => id === refs.id('q1'))!.below!;
  const own = tasks.filter(({ fields, status }) => JSON.stringify(fields).includes('"q1"') && status !== 'cancelled');
  t.deepEqual(below, { done: own.filter(({ status }) => status === 'done').length, total: own.length, more: false });
  const first = await list('ana', { limit: 5 });
  for (const after of ['x', 'W10', Buffer.from('[1,"",0,"","2026-99-99",0,1]').toString('base64url')])
    t.deepEqual((await list('ana', { limit: 5, after })).rows, first.rows);
});

test('above the sorting limit, the usual order is walked with every filter, and the page says so', async (t) => {
  for (const asked of [
    {},
    { assignee: ['me'] },
    { search: 'task' },
    { due: ['overdue', 'none'] },
    { priority: ['high', ''] },
    { mine: true, group: 'status' as const },
  ]) {
    const wanted = parseInput(listWork.input, {
      workspaceId: refs.id('apollo'),
      today,
      status: ['all'],
      sort: 'due',
      limit: 200,
      ...asked,
    });
    const caller = { kind: 'user' as const, userId: refs.id('ana') };
    const [walked, gathered] = await Promise.all([
      readWorkList(db.pool(), caller, wanted, { inOrder: true }),
      readWorkList(db.pool(), caller, wanted, { inOrder: false }),
    ]);
    t.true(walked.rows.length > 3);
    t.deepEqual(walked.rows, gathered.rows);
    t.deepEqual(walked.groups, gathered.groups);
  }
});

test('a board has the same items as the list with that grouping: counts, sums, and the first of each column in the usual order', async (t) => {
  const asked = [
    ...[{}, { status: ['all'] }, { status: ['key:in_progress', 'blocked'] }, { priority: ['high', ''] }, { mine: true, status: ['all'] }],
    ...[{ due: ['overdue', 'none'] }, { within: [refs.id('q1')], status: ['all'] }, { search: 'task' }, { assignee: ['unassigned'] }],
  ];
  for (const group of boardGroupings) {
    for (const who of ['ana', 'cleo', 'dan']) {
      for (const filters of asked) {
        const name = `${group} ${who} ${JSON.stringify(filters)}`;
        const wanted = { group, ...filters, unfolded: ['done', 'cancelled'] };
        const input = parseInput(showBoard.input, { workspaceId: refs.id('apollo'), today, ...wanted });
        const board = outputOf(await perform(db, { kind: 'user', userId: refs.id(who) }, showBoard, input));
        const { rows, groups, type } = await list(who, { group, ...filters, limit: 200 });
        t.is(board.type, type, name);
        const brief = (all: WorkList['groups']) =>
          all.map(({ key, count, more, estimated, remaining }) => [key, count, more, estimated, remaining]).sort();
        t.deepEqual(brief(board.groups), brief(groups), name);
        for (const { key } of groups)
          t.deepEqual(
            idsOf(board.rows.filter((row) => row.group === key)),
            idsOf(rows.filter((row) => row.group === key)).slice(0, MOST_AT_FIRST),
            `${name} ${key}`,
          );
        const shown = groups.map(({ key }) => Math.min(MOST_AT_FIRST, rows.filter(({ group: of }) => of === key).length));
        t.is(
          board.rows.length,
          shown.reduce((sum, one) => sum + one, 0),
          name,
        );
      }
    }
  }
});

test('closed columns of a board show counts, and their cards are read when unfolded', async (t) => {
  const board = async (unfolded: string[]) => {
    const input = parseInput(showBoard.input, { workspaceId: refs.id('apollo'), today, status: ['all'], unfolded });
    return outputOf(await perform(db, { kind: 'user', userId: refs.id('ana') }, showBoard, input));
  };
  const folded = await board([]);
  t.true(folded.groups.find(({ key }) => key === 'done')!.count > 0);
  t.false(folded.rows.some(({ group }) => group === 'done' || group === 'cancelled'));
  t.true((await board(['done'])).rows.some(({ group }) => group === 'done'));
  await t.throwsAsync(
    perform(db, { kind: 'user', userId: refs.id('eve') }, showBoard, parseInput(showBoard.input, { workspaceId: 999, today })),
    {
      instanceOf: Forbidden,
    },
  );
});
