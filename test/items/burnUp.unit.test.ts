/** The burn-up of a release (behaviour §38.7), against a model that keeps the state of every day. */
import fc from 'fast-check';
import { type BurnUp, burnUpPoints, countUnrecorded, type RecordedChange } from '../../src/items/burnUp.ts';
import { addDays } from '../../src/values/dates.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

type Item = Omit<BurnUp['items'][number], 'changes'> & { changes: RecordedChange[] };
const RELEASE = 1;
interface Before {
  status?: string;
  estimatedHours?: number | null;
  releaseId?: number | null;
  requirementId?: number | null;
  parentItemId?: number | null;
}
/** A row of changes that says only what was before. */
function recorded(day: string, before: Before, kind = 'item.updated'): RecordedChange {
  const pair = <Value>(value: Value | undefined): [Value, Value] | null => (value === undefined ? null : [value, value]);
  const { status, estimatedHours, releaseId, requirementId, parentItemId } = before;
  return [day, kind, pair(status), pair(estimatedHours), pair(releaseId), pair(requirementId), pair(parentItemId), null];
}
const unlinked = { parentItemId: null, requirementId: null, releaseId: null, parentId: null };
const item = (id: number, more: Partial<Item>): Item => ({
  ...{ ...unlinked, id, type: 'task', status: 'planned', hours: 0, archived: false, completed: null, first: '2026-01-01', changes: [] },
  ...{ created: more.first ?? '2026-01-01', releaseId: RELEASE },
  ...more,
});
const burnUpOf = (items: Item[]): BurnUp => ({
  releaseId: RELEASE,
  items: items.map((one) => ({ ...one, changes: JSON.stringify(one.changes) })),
  more: false,
});
const pointsOf = (items: Item[], today: string) => burnUpPoints(burnUpOf(items), today);
const scope = async (items: Item[], today: string) => (await pointsOf(items, today)).map(({ tasks, doneTasks }) => `${tasks}/${doneTasks}`);

test('a task counts from the day on which it entered the release until it left it, whenever it was created', async (t) => {
  const entered = item(2, { first: '2025-06-01', changes: [recorded('2026-01-02', { releaseId: null })] });
  const left = item(3, { releaseId: 9, changes: [recorded('2026-01-03', { releaseId: RELEASE })] });
  t.deepEqual(await scope([entered, left], '2026-01-04'), ['1/0', '2/0', '1/0', '1/0']);
});

test('done, reopened and cancelled tasks, and changed estimates count from their day', async (t) => {
  const changes = (...all: [string, Before][]) => all.toReversed().map(([day, before]) => recorded(day, before));
  const items = [
    item(2, {
      hours: 9,
      changes: changes(
        ['2026-01-02', { status: 'planned' }],
        ['2026-01-03', { status: 'done', estimatedHours: 4 }],
        ['2026-01-04', { estimatedHours: null }],
      ),
    }),
    item(3, { status: 'cancelled', changes: changes(['2026-01-04', { status: 'in_progress' }]) }),
  ];
  t.deepEqual(await pointsOf(items, '2026-01-04'), [
    { date: '2026-01-01', tasks: 2, doneTasks: 0, hours: 4, doneHours: 0 },
    { date: '2026-01-02', tasks: 2, doneTasks: 1, hours: 4, doneHours: 4 },
    { date: '2026-01-03', tasks: 2, doneTasks: 0, hours: 0, doneHours: 0 },
    { date: '2026-01-04', tasks: 1, doneTasks: 0, hours: 9, doneHours: 0 },
  ]);
});

test('a task moves with the requirement above it, and neither counts while one of them is archived', async (t) => {
  const need = item(2, { type: 'requirement', changes: [recorded('2026-01-02', { releaseId: null })] });
  const task = item(3, {
    ...{ releaseId: null, requirementId: 2 },
    changes: [recorded('2026-01-04', {}, 'item.restored'), recorded('2026-01-03', {}, 'item.archived')],
  });
  t.deepEqual(await scope([need, task], '2026-01-05'), ['1/0', '0/0', '1/0', '1/0']);
  t.deepEqual(await scope([{ ...need, archived: true, changes: [recorded('2026-01-02', {}, 'item.archived')] }, task], '2026-01-02'), [
    '1/0',
    '0/0',
  ]);
});

test('before the first recorded change, the days of creation and completion count, and these tasks are named', async (t) => {
  const done = item(2, { status: 'done', created: '2025-12-28', completed: '2025-12-30', first: null });
  const open = item(3, {
    created: '2025-12-29',
    first: '2026-01-01',
    changes: [recorded('2026-01-01', { status: 'done' })],
  });
  t.deepEqual(await scope([done, open], '2026-01-01'), ['1/0', '2/0', '2/1', '2/1', '2/1']);
  t.is(countUnrecorded(burnUpOf([done, open, item(4, {})])), 2);
  t.deepEqual(await scope([item(2, { status: 'done', created: '2026-01-05', completed: '2026-01-01', first: null })], '2026-01-01'), [
    '1/1',
  ]);
});

test('long spans have at most 60 points, in order, from the first task to today', async (t) => {
  const points = await pointsOf([item(2, { first: '2016-02-29' })], '2026-01-05');
  t.true(points.length <= 60 && points.length > 50);
  t.is(points[0]!.date, '2016-02-29');
  t.is(points.at(-1)!.date, '2026-01-05');
  const dates = points.map(({ date }) => date);
  t.deepEqual(dates, [...new Set(dates)].sort());
  const late = item(2, { first: '2016-02-29', changes: [recorded('2025-12-20', { releaseId: null })] });
  t.is((await pointsOf([late], '2026-01-05'))[0]!.date, '2025-12-20');
});

test('there are no points without tasks in the release, or if all are in the future', async (t) => {
  t.deepEqual(await pointsOf([], '2026-01-05'), []);
  t.deepEqual(await pointsOf([item(2, { first: '2026-02-01' })], '2026-01-05'), []);
  t.deepEqual(
    await pointsOf(
      [item(2, { releaseId: 9 }), item(3, { type: 'requirement' }), item(4, { requirementId: 4, releaseId: null })],
      '2026-01-05',
    ),
    [],
  );
});

// The model: items live day by day; each change is applied to the state and recorded; each evening is counted by walking up.
const statuses = ['planned', 'in_progress', 'done', 'cancelled'];
const DAYS = 20;
interface Live extends Item {
  born: boolean;
}
const step = fc.record({
  day: fc.integer({ min: 0, max: DAYS - 1 }),
  id: fc.integer({ min: 2, max: 9 }),
  what: fc.constantFrom('status', 'hours', 'requirement', 'parent', 'release', 'archive'),
  value: fc.integer({ min: 0, max: 9 }),
});

function change(all: ReadonlyMap<number, Live>, live: Live, { what, value }: { what: string; value: number }, day: string): void {
  const record = (before: Before, kind?: string) => live.changes.unshift(recorded(day, before, kind));
  if (what === 'archive') {
    live.archived = !live.archived;
    record({}, live.archived ? 'item.archived' : 'item.restored');
  } else if (what === 'status') {
    record({ status: live.status });
    live.status = statuses[value % statuses.length]!;
  } else if (what === 'hours') {
    record({ estimatedHours: live.hours || null });
    live.hours = value;
  } else if (what === 'release') {
    record({ releaseId: live.releaseId });
    live.releaseId = [null, RELEASE, 77][value % 3]!;
  } else if (live.type === 'task') {
    const name = what === 'parent' ? 'parentItemId' : 'requirementId';
    record({ [name]: live[name] });
    // Links lead to items that exist and have lower ids, so there is no cycle. 2 to 4 are requirements, the others tasks.
    const fits = what === 'parent' ? value > 4 && value < live.id : value <= 4;
    live[name] = fits && all.get(value)?.born ? value : null;
  }
}

function counted(all: Map<number, Live>): { tasks: number; doneTasks: number; hours: number; doneHours: number } {
  const isIn = (id: number | null): boolean => {
    if (id === RELEASE) return true;
    const live = id === null ? undefined : all.get(id);
    if (!live?.born || live.archived) return false;
    return isIn(live.releaseId) || isIn(live.requirementId) || isIn(live.parentItemId);
  };
  const tasks = [...all.values()].filter((live) => live.type === 'task' && live.status !== 'cancelled' && isIn(live.id));
  const done = tasks.filter(({ status }) => status === 'done');
  const sum = (some: Live[]) => some.reduce((total, { hours }) => total + hours, 0);
  return { tasks: tasks.length, doneTasks: done.length, hours: sum(tasks), doneHours: sum(done) };
}

test('recorded changes yield the same numbers as a count at the end of each day', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 8, maxLength: 8 }),
      fc.array(step, { maxLength: 60 }),
      async (births, steps) => {
        const all = new Map(
          births.map((birth, at): [number, Live] => {
            const first = addDays('2026-01-01', birth);
            return [
              at + 2,
              {
                ...item(at + 2, { first, releaseId: at % 3 === 0 ? RELEASE : null, ...(at < 3 && { type: 'requirement' }) }),
                changes: [],
                born: false,
              },
            ];
          }),
        );
        const expected = [];
        for (let n = 0; n < DAYS; n++) {
          const day = addDays('2026-01-01', n);
          for (const live of all.values()) live.born ||= live.created <= day;
          for (const one of steps) {
            const live = one.day === n ? all.get(one.id) : undefined;
            if (live?.born) change(all, live, one, day);
          }
          expected.push({ date: day, ...counted(all) });
        }
        const begin = expected.findIndex(({ tasks }) => tasks > 0);
        t.deepEqual(await pointsOf([...all.values()], addDays('2026-01-01', DAYS - 1)), begin < 0 ? [] : expected.slice(begin));
      },
    ),
  );
});
