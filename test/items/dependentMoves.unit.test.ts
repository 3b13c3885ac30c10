/** Where dependent items move (behaviour §33.18), against rules written as walks over days. */
import fc from 'fast-check';
import { dependentMoves, endFieldOf, type Scheduled } from '../../src/items/dependentMoves.ts';
import { addDays } from '../../src/values/dates.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const isWorkday = (date: string) => ![0, 6].includes(new Date(`${date}T00:00:00Z`).getUTCDay());

/** The first working day after `end`, and `lag` working days more. */
function earliest(end: string, lag: number): string {
  let day = end;
  for (let left = lag + 1; left > 0; ) {
    day = addDays(day, 1);
    if (isWorkday(day)) left--;
  }
  return day;
}

function workdays(start: string, end: string): number {
  let count = 0;
  for (let day = start; day <= end; day = addDays(day, 1)) if (isWorkday(day)) count++;
  return count;
}

const daysBetween = (start: string, end: string) => (Date.parse(end) - Date.parse(start)) / 86_400_000;

const scheduled = (id: number, start: string | null, end: string | null, more: Partial<Scheduled> = {}): Scheduled => ({
  ...{ id, start, end, follows: true, mayMove: true, latestStart: null, blockedBy: [] },
  ...more,
});
const after = (...ids: number[]) => ({ blockedBy: ids.map((id) => ({ id, lagDays: 0 })) });
const movesOf = (items: Scheduled[]) => dependentMoves(items).moves.map(({ item, after: to }) => [item.id, to.start, to.end]);

test('items move to the working day after their blocker, one after the other, and keep their working days', (t) => {
  // Monday 2026-03-02 to Friday 2026-03-06.
  const first = scheduled(1, '2026-03-02', '2026-03-06');
  const second = scheduled(2, '2026-03-05', '2026-03-06', after(1));
  const third = scheduled(3, '2026-03-07', '2026-03-07', { blockedBy: [{ id: 2, lagDays: 2 }] });
  t.deepEqual(movesOf([third, second, first]), [
    [2, '2026-03-09', '2026-03-10'],
    [3, '2026-03-13', '2026-03-13'],
  ]);
});

test('an item with only an end moves its end; one without dates stays, and so does what waits for it alone', (t) => {
  const items = [
    scheduled(1, null, '2026-03-06'),
    scheduled(2, null, '2026-03-04', after(1)),
    scheduled(3, null, null, after(1)),
    scheduled(4, '2026-03-02', '2026-03-03', after(3)),
  ];
  t.deepEqual(movesOf(items), [[2, null, '2026-03-09']]);
});

test('an item that the caller may not move, whose other date comes before, or that would leave the calendar is named', (t) => {
  const items = [
    scheduled(1, '2026-03-02', '2026-03-06'),
    scheduled(2, '2026-03-05', '2026-03-06', { ...after(1), mayMove: false }),
    scheduled(3, '2026-03-05', '2026-03-06', { ...after(1), latestStart: '2026-03-08' }),
    scheduled(4, '2026-03-05', '9999-12-30', after(1)),
    scheduled(5, '2026-03-09', '2026-03-09', after(2)),
  ];
  const { moves, held } = dependentMoves(items);
  t.deepEqual([moves.length, held.map(({ id }) => id)], [0, [2, 3, 4]]);
});

test('other blockers do not make an item move, but hold it once it moves', (t) => {
  const other = scheduled(9, null, '2026-03-20', { follows: false });
  t.deepEqual(movesOf([scheduled(1, null, '2026-03-02'), other, scheduled(2, '2026-03-05', '2026-03-05', after(1, 9))]), []);
  t.deepEqual(movesOf([scheduled(1, null, '2026-03-06'), other, scheduled(2, '2026-03-05', '2026-03-05', after(1, 9))]), [
    [2, '2026-03-23', '2026-03-23'],
  ]);
});

test('a cycle moves nothing', (t) => {
  t.deepEqual(movesOf([scheduled(1, '2026-03-02', '2026-03-06', after(2)), scheduled(2, '2026-03-02', '2026-03-06', after(1))]), []);
});

test('the end is the target date, or the due date of a task and of an item with that alone', (t) => {
  const dates = { dueDate: '2026-03-02', targetDate: '2026-03-03' };
  t.is(endFieldOf({ type: 'task', ...dates }), 'dueDate');
  t.is(endFieldOf({ type: 'release', ...dates }), 'targetDate');
  t.is(endFieldOf({ type: 'release', ...dates, targetDate: null }), 'dueDate');
});

const date = fc.integer({ min: 0, max: 40 }).map((days) => addDays('2026-03-01', days));
const dates = fc
  .tuple(date, fc.integer({ min: 0, max: 12 }), fc.constantFrom('both', 'both', 'both', 'start', 'end', 'none'))
  .map(([start, days, which]) => ({
    start: which === 'both' || which === 'start' ? start : null,
    end: which === 'both' || which === 'end' ? addDays(start, days) : null,
  }));
const plan = fc
  .array(
    fc.record({
      dates,
      mayMove: fc.integer({ min: 0, max: 9 }).map((n) => n > 0),
      follows: fc.integer({ min: 0, max: 5 }).map((n) => n > 0),
      blockers: fc.array(fc.record({ back: fc.integer({ min: 1, max: 6 }), lagDays: fc.constantFrom(0, 0, 1, 3) }), { maxLength: 3 }),
    }),
    { minLength: 2, maxLength: 14 },
  )
  .map((rows) =>
    rows.map(({ dates: own, blockers, ...more }, at) => {
      const links = new Map(blockers.filter(({ back }) => back <= at).map(({ back, lagDays }) => [at - back + 1, lagDays]));
      return scheduled(at + 1, own.start, own.end, { ...more, blockedBy: [...links].map(([id, lagDays]) => ({ id, lagDays })) });
    }),
  );

test('no item that follows starts too early afterwards unless it is named; nothing else moves, nothing further than needed', (t) => {
  fc.assert(
    fc.property(plan, (items) => {
      const { moves, held } = dependentMoves(items);
      const moved = new Map(moves.map(({ item, after: to }) => [item.id, to]));
      const now = items.map((item) => ({ ...item, ...moved.get(item.id) }));
      const byId = new Map(now.map((item) => [item.id, item]));
      const needs = ({ blockedBy }: Scheduled, following: boolean) =>
        blockedBy.flatMap(({ id, lagDays }) => {
          const blocker = byId.get(id);
          return blocker?.end && (blocker.follows || !following) ? [earliest(blocker.end, lagDays)] : [];
        });
      for (const item of now) {
        const before = items[item.id - 1]!;
        const first = item.start ?? item.end;
        if (moved.has(item.id)) {
          t.true(item.follows && item.mayMove);
          t.is(first, needs(item, false).toSorted().at(-1)!, 'as soon as all blockers allow');
          t.true((before.start ?? before.end)! < needs(item, true).toSorted().at(-1)!, 'it had to move');
          t.deepEqual([item.start === null, item.end === null], [before.start === null, before.end === null]);
          // An item on a weekend alone has no working days, and keeps its days.
          if (before.start && before.end) {
            const days = workdays(before.start, before.end) > 0 ? workdays : daysBetween;
            t.is(days(item.start!, item.end!), days(before.start, before.end));
          }
        } else if (item.follows && first !== null && !held.some(({ id }) => id === item.id))
          t.true(needs(item, true).every((day) => day <= first));
      }
      t.deepEqual(dependentMoves(now).moves, [], 'a second time moves nothing');
      t.deepEqual(dependentMoves(items.toReversed()), { moves, held }, 'the order of the input does not matter');
    }),
  );
});
