import fc from 'fast-check';
import { suite } from '../../support/suite.ts';
import type { ForecastInput } from './forecast.ts';
import { forecast } from './forecast.ts';
import { ANA, Answer, BO, person, release, scope, type Task, task } from './inputs.ts';

const test = suite(import.meta.url);

const WEEK = '2026-03-02';
const NEXT = '2026-03-09';
const on = (date: string, hours: number, personId = ANA) => ({ personId, date, minutes: hours * 60 });
const week = (over: Partial<ForecastInput>, monday = WEEK) => new Answer(over).week(ANA, monday);
const due = (estimatedHours: number, dueDate: string | null, over: Partial<Task> = {}) => task(1, { estimatedHours, dueDate, ...over });

test('from is moved back to its Monday, and eight weeks follow', (t) => {
  const { all } = new Answer({ from: '2026-03-15' });
  t.like(all, { from: '2026-03-09', weeks: 8, timezone: 'UTC', today: '2026-03-04' });
  t.deepEqual(
    all.people[0]!.weeks.map((each) => each.week),
    ['2026-03-09', '2026-03-16', '2026-03-23', '2026-03-30', '2026-04-06', '2026-04-13', '2026-04-20', '2026-04-27'],
  );
  t.is(new Answer({}).all.from, WEEK);
  t.is(new Answer({ from: '2026-03-02' }).all.from, WEEK);
});

test('a task is spread evenly from today or its start to its due date', (t) => {
  const tasks = [due(8, '2026-03-11')];
  t.is(week({ tasks }).allocatedHours, 4);
  t.is(week({ tasks }, NEXT).allocatedHours, 4);
  const late = [due(8, '2026-03-11', { startDate: '2026-03-06' })];
  t.deepEqual([week({ tasks: late }).allocatedHours, week({ tasks: late }, NEXT).allocatedHours], [2, 6]);
});

test('an uneven spread gives day j of n floor(m(j+1)/n) − floor(m·j/n) minutes', (t) => {
  // 0.11 h are 7 minutes over 6 working days: 1 1 1 in this week, 1 1 2 in the next
  const tasks = [due(0.11, '2026-03-11')];
  t.deepEqual([week({ tasks }).allocatedHours, week({ tasks }, NEXT).allocatedHours], [0.05, 0.07]);
});

test('an overdue task, or one that starts after its target, counts on the first working day from today', (t) => {
  t.is(week({ tasks: [due(6, '2026-02-01')] }).allocatedHours, 6);
  const over: Partial<ForecastInput> = {
    today: '2026-03-07',
    containers: [release(10, '2026-03-10')],
    tasks: [due(6, null, { releaseId: 10, startDate: '2026-03-20' })],
  };
  t.deepEqual([week(over).allocatedHours, week(over, NEXT).allocatedHours], [0, 6]);
});

test("the project's target replaces a missing due date; without either the simulated days count", (t) => {
  const tasks = [due(100, null, { releaseId: 10 })];
  t.is(week({ containers: [release(10, '2026-03-31')], tasks }).allocatedHours, 15);
  t.is(week({ containers: [release(10, null)], tasks }).allocatedHours, 24);
  t.is(week({ containers: [release(10, null)], tasks }, NEXT).allocatedHours, 40);
});

test('allocation may exceed the capacity', (t) => {
  t.like(week({ tasks: [due(100, '2026-03-06')] }), { allocatedHours: 100, overHours: 60, overextended: true, loadPercent: 250 });
});

test('recorded and planned minutes count in the week of their UTC day, weekends included', (t) => {
  const recorded = [on('2026-03-01', 1), on('2026-03-02', 2), on('2026-03-08', 4), on('2026-03-09', 8)];
  t.is(week({ recorded }).recordedHours, 6);
  t.is(week({ planned: recorded }).plannedHours, 6);
  t.is(week({ planned: recorded }, NEXT).plannedHours, 8);
});

test('demand is allocated and recorded time, or the plan where that is more', (t) => {
  const tasks = [due(10, '2026-03-06')];
  const recorded = [on('2026-03-02', 5)];
  t.is(week({ tasks, recorded, planned: [on('2026-03-05', 14)] }).loadPercent, 37.5);
  t.is(week({ tasks, recorded, planned: [on('2026-03-05', 16)] }).loadPercent, 40);
});

test('for a week whose Friday has passed only recorded time counts', (t) => {
  const over = { recorded: [on('2026-03-02', 5)], planned: [on('2026-03-03', 50)] };
  t.like(week({ ...over, today: '2026-03-06' }), { loadPercent: 125, overHours: 10, plannedHours: 50 });
  t.like(week({ ...over, today: '2026-03-07' }), { loadPercent: 12.5, overHours: 0, overextended: false, plannedHours: 50 });
});

test('a week filled to the minute is not overextended', (t) => {
  t.like(week({ tasks: [due(40, '2026-03-06')] }), { overHours: 0, overextended: false, loadPercent: 100 });
});

test('a person of 0 hours has no load percentage, and every minute is over capacity', (t) => {
  const over = { people: [person(ANA, 'Ana', 0)], tasks: [due(4, '2026-03-06')] };
  t.like(week(over), { availableHours: 0, allocatedHours: 4, overHours: 4, overextended: true, loadPercent: null });
  t.is(week({ ...over, tasks: [due(4, null)] }).allocatedHours, 0);
});

test('loadPercent has one decimal, hours have two', (t) => {
  t.is(week({ people: [person(ANA, 'Ana', 30)], recorded: [{ personId: ANA, date: WEEK, minutes: 100 }] }).loadPercent, 5.6);
  t.is(week({ recorded: [{ personId: ANA, date: WEEK, minutes: 100 }] }).recordedHours, 1.67);
});

test('a person who never confirmed hours has 40', (t) => {
  t.like(new Answer({ people: [person(ANA, 'Ana', null)] }).person(ANA), { weeklyHours: 40, confirmed: false });
});

test('people are all who may be assigned or have work, time or blocks, by id', (t) => {
  const people = [9, 8, 7, 6, 5].map((id) => ({ id, name: `P${id}`, weeklyMinutes: 600, assignable: id === 9, active: true }));
  const answer = new Answer({
    people,
    tasks: [task(1, { assigneeId: 8, estimatedHours: 1 })],
    recorded: [on(WEEK, 1, 7)],
    planned: [on(WEEK, 1, 6)],
  });
  t.deepEqual(
    answer.all.people.map(({ id }) => id),
    [6, 7, 8, 9],
  );
});

test('the minutes of all weeks sum to the remaining work', (t) => {
  const date = fc.option(
    fc.integer({ min: 0, max: 300 }).map((n) => new Date(Date.UTC(2026, 1, 1 + n)).toISOString().slice(0, 10)),
    { freq: 4 },
  );
  const one = fc.record({ minutes: fc.integer({ min: 1, max: 20_000 }), startDate: date, dueDate: date });
  const mondays = Array.from({ length: 7 }, (_, n) => new Date(Date.UTC(2026, 2, 2 + 56 * n)).toISOString().slice(0, 10));
  fc.assert(
    fc.property(fc.array(one, { maxLength: 6 }), (rows) => {
      const tasks = rows.map(({ minutes, startDate, dueDate }, n) =>
        task(n + 1, { estimatedHours: Math.round(minutes / 3) / 20, startDate, dueDate, assigneeId: n % 2 === 0 ? ANA : BO }),
      );
      const people = [person(ANA, 'Ana', 168), person(BO, 'Bo', 168)];
      const allocated = mondays
        .flatMap((from) => forecast(scope({ people, tasks, from })).people.flatMap((each) => each.weeks))
        .reduce((sum, each) => sum + Math.round(each.allocatedHours * 60), 0);
      t.is(
        allocated,
        tasks.reduce((sum, each) => sum + Math.round(each.estimatedHours! * 60), 0),
      );
    }),
    { numRuns: 60 },
  );
});
