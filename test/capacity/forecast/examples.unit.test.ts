/** The worked examples of behaviour §6, case by case. */
import type { Away, PersonRow } from '../../../src/capacity/forecast/rows.ts';
import { dayOf } from '../../../src/values/workdays.ts';
import { suite } from '../../support/suite.ts';
import { computed } from './forecast.ts';
import { ANA, Answer, BO, person, release, scope, task } from './inputs.ts';

const test = suite(import.meta.url);

const R1 = 101;
const R2 = 102;

const exampleA = (target: string) => ({
  today: '2026-03-04',
  containers: [release(R1, target)],
  tasks: [
    task(1, { releaseId: R1, estimatedHours: 16, progressPercent: 50, dueDate: '2026-03-06' }),
    task(2, { releaseId: R1, estimatedHours: 40, progressPercent: 0, dueDate: '2026-03-13' }),
  ],
  recorded: [{ personId: ANA, date: '2026-03-03', minutes: 12 * 60 }],
});

test('A: the sums, the dates and the simulated days', (t) => {
  const answer = new Answer(exampleA('2026-03-13'));
  t.like(answer.project(R1), {
    scopeHours: 56,
    remainingHours: 48,
    bufferedHours: 60,
    weightedProgress: 14.3,
    forecastDate: '2026-03-11',
    bufferedDate: '2026-03-13',
    method: 'edf-daily/1 buffer=0.25',
    dataIncomplete: false,
  });
  t.like(answer.work(1), { forecastStart: '2026-03-04', forecastDate: '2026-03-04', remainingHours: 8 });
  t.like(answer.work(2), { forecastStart: '2026-03-05', forecastDate: '2026-03-11', remainingHours: 40 });
});

for (const [target, outlook] of [
  ['2026-03-13', 'within_capacity'],
  ['2026-03-12', 'at_risk'],
  ['2026-03-10', 'overcommitted'],
] as const) {
  test(`A: with the target ${target} the release is ${outlook}`, (t) => {
    t.is(new Answer(exampleA(target)).project(R1).outlook, outlook);
  });
}

test('A: the weeks', (t) => {
  const answer = new Answer(exampleA('2026-03-13'));
  const open = { availableHours: 40, plannedHours: 0, overHours: 0, overextended: false };
  t.like(answer.week(ANA, '2026-03-02'), { ...open, allocatedHours: 23, recordedHours: 12, loadPercent: 87.5 });
  t.like(answer.week(ANA, '2026-03-09'), { ...open, allocatedHours: 25, recordedHours: 0, loadPercent: 62.5 });
  t.like(answer.week(ANA, '2026-03-16'), { ...open, allocatedHours: 0, recordedHours: 0, loadPercent: 0 });
});

test('B: a second release takes its share of the same person', (t) => {
  const a = exampleA('2026-03-13');
  const answer = new Answer({
    ...a,
    containers: [...a.containers, release(R2, '2026-03-10')],
    tasks: [...a.tasks, task(3, { releaseId: R2, estimatedHours: 24, dueDate: '2026-03-10' })],
  });
  t.like(answer.project(R1), { forecastDate: '2026-03-16', bufferedDate: '2026-03-19', outlook: 'overcommitted' });
  t.like(answer.project(R2), { forecastDate: '2026-03-09', bufferedDate: '2026-03-10', outlook: 'within_capacity' });
  t.like(answer.week(ANA, '2026-03-02'), {
    allocatedHours: 37.4,
    recordedHours: 12,
    overHours: 9.4,
    overextended: true,
    loadPercent: 123.5,
  });
  t.like(answer.week(ANA, '2026-03-09'), { allocatedHours: 34.6, recordedHours: 0, overHours: 0, overextended: false, loadPercent: 86.5 });
});

test('C: a Saturday with an overdue task, a late start and a task without dates', (t) => {
  const answer = new Answer({
    today: '2026-03-07',
    people: [person(BO, 'Bo', 20)],
    containers: [release(1, null), release(2, null), release(3, null)],
    tasks: [
      task(11, { releaseId: 1, assigneeId: BO, estimatedHours: 6, dueDate: '2026-03-05' }),
      task(12, { releaseId: 2, assigneeId: BO, estimatedHours: 8, startDate: '2026-03-11', dueDate: '2026-03-13' }),
      task(13, { releaseId: 3, assigneeId: BO, estimatedHours: 10 }),
    ],
    recorded: [{ personId: BO, date: '2026-03-02', minutes: 15 * 60 }],
    planned: [{ personId: BO, date: '2026-03-12', minutes: 24 * 60 }],
  });
  t.like(answer.work(11), { forecastStart: '2026-03-09', forecastDate: '2026-03-10' });
  t.like(answer.work(12), { forecastStart: '2026-03-11', forecastDate: '2026-03-12' });
  t.like(answer.work(13), { forecastStart: '2026-03-10', forecastDate: '2026-03-16' });
  t.deepEqual(
    answer.all.projects.map(({ bufferedDate }) => bufferedDate),
    ['2026-03-10', '2026-03-13', '2026-03-18'],
  );
  t.like(answer.week(BO, '2026-03-02'), { allocatedHours: 0, plannedHours: 0, recordedHours: 15, overHours: 0, loadPercent: 75 });
  t.like(answer.week(BO, '2026-03-09'), { allocatedHours: 20, plannedHours: 24, recordedHours: 0, overHours: 4, loadPercent: 120 });
  t.like(answer.week(BO, '2026-03-16'), { allocatedHours: 4, plannedHours: 0, recordedHours: 0, overHours: 0, loadPercent: 20 });
});

test('D: the person with more work determines the date, and closed work counts in the scope', (t) => {
  const answer = new Answer({
    today: '2026-03-02',
    people: [person(ANA, 'Ana', 40), person(BO, 'Bo', 20)],
    containers: [release(R1, '2026-03-06')],
    tasks: [
      task(1, { releaseId: R1, assigneeId: ANA, estimatedHours: 20, dueDate: '2026-03-06' }),
      task(2, { releaseId: R1, assigneeId: BO, estimatedHours: 20, dueDate: '2026-03-06' }),
      task(3, { releaseId: R1, assigneeId: ANA, estimatedHours: 10, status: 'done', progressPercent: 100, completedDate: '2026-02-27' }),
    ],
  });
  t.like(answer.project(R1), {
    scopeHours: 50,
    remainingHours: 40,
    weightedProgress: 20,
    forecastDate: '2026-03-06',
    bufferedDate: '2026-03-10',
    outlook: 'at_risk',
  });
  t.like(answer.week(ANA, '2026-03-02'), { loadPercent: 50, overextended: false });
  t.like(answer.week(BO, '2026-03-02'), { loadPercent: 100, overextended: false });
});

const PAST = '2026-02-20';
const AHEAD = '2026-05-01';
for (const [title, target, tasks, outlook] of [
  ['no tasks and no target', null, [], 'no_scope'],
  ['one open task without an estimate, the target past', PAST, [task(1, { releaseId: R1 })], 'needs_data'],
  [
    'one open task of a deactivated person, 4 h, the target ahead',
    AHEAD,
    [task(1, { releaseId: R1, estimatedHours: 4, assigneeLeft: true })],
    'needs_data',
  ],
  [
    'every open task estimated at 0 h and unassigned, the target ahead',
    AHEAD,
    [task(1, { releaseId: R1, assigneeId: null, estimatedHours: 0 })],
    'within_capacity',
  ],
  ['estimated and assigned, no target', null, [task(1, { releaseId: R1, estimatedHours: 4 })], 'needs_target'],
  ['every task done, no target', null, [task(1, { releaseId: R1, estimatedHours: 4, status: 'done' })], 'within_capacity'],
] as const) {
  test(`E: ${title}: ${outlook}`, (t) => {
    t.is(new Answer({ containers: [release(R1, target)], tasks: [...tasks] }).project(R1).outlook, outlook);
  });
}

test('an open task with nothing remaining finishes on the first working day from today', (t) => {
  const tasks = [task(1, { releaseId: R1, estimatedHours: 0, assigneeId: null, startDate: '2026-06-01' })];
  const answer = new Answer({ today: '2026-03-07', containers: [release(R1, AHEAD)], tasks });
  t.like(answer.work(1), { forecastStart: '2026-03-09', forecastDate: '2026-03-09' });
  t.like(answer.project(R1), { forecastDate: '2026-03-09', bufferedDate: '2026-03-09' });
});

const day = (date: string) => dayOf(date);
const off = (first: string, last = first, half = false) => ({ firstDay: day(first), lastDay: day(last), half, holiday: null });
const withAway = (who: PersonRow, ...away: Away[]): PersonRow => ({ ...who, calendar: { weekdays: 31, hours: [], away } });

test('F: an absence moves the dates, lowers the week and is named', (t) => {
  const input = { ...exampleA('2026-03-13'), people: [withAway(person(ANA, 'Ana', 40), off('2026-03-09', '2026-03-10'))] };
  const answer = new Answer(input);
  t.like(answer.project(R1), { forecastDate: '2026-03-13', bufferedDate: '2026-03-17', outlook: 'at_risk' });
  t.like(answer.week(ANA, '2026-03-02'), { availableHours: 40, allocatedHours: 28, recordedHours: 12, overHours: 0, loadPercent: 100 });
  t.like(answer.week(ANA, '2026-03-09'), { availableHours: 24, allocatedHours: 20, recordedHours: 0, overHours: 0, loadPercent: 83.3 });
  t.deepEqual(computed(scope(input)).explained(0).away, [
    { name: 'Ana', first: '2026-03-09', last: '2026-03-10', half: false, holiday: null },
  ]);
});

test('G: a year-end with holidays, two weeks away, half days, and fewer hours from January', (t) => {
  const CY = 3;
  const feasts = ['2026-12-25', '2026-12-26', '2027-01-01'].map((date) => ({ ...off(date), holiday: 'Feast' }));
  const answer = new Answer({
    today: '2026-12-14',
    people: [
      withAway(person(ANA, 'Ana', 40), off('2026-12-21', '2027-01-01'), ...feasts),
      withAway(person(BO, 'Bo', 40), off('2026-12-21', '2027-01-01', true), ...feasts),
      {
        ...person(CY, 'Cy', 40),
        calendar: { weekdays: 31, hours: [{ firstDay: day('2027-01-04'), weeklyMinutes: 1200, weekdays: 31 }], away: feasts },
      },
    ],
    containers: [ANA, BO, CY].map((id) => release(100 + id, '2027-01-15')),
    tasks: [ANA, BO, CY].map((id) => task(id, { assigneeId: id, releaseId: 100 + id, estimatedHours: id === CY ? 120 : 60 })),
  });
  const dates = [ANA, BO, CY].map((id) => {
    const { forecastDate, bufferedDate, outlook } = answer.project(100 + id);
    return [forecastDate, bufferedDate, outlook];
  });
  t.deepEqual(dates, [
    ['2027-01-06', '2027-01-08', 'within_capacity'],
    ['2026-12-28', '2027-01-04', 'within_capacity'],
    ['2027-01-07', '2027-01-19', 'at_risk'],
  ]);
  const available = (id: number) =>
    answer
      .person(id)
      .weeks.slice(0, 4)
      .map(({ availableHours }) => availableHours);
  t.deepEqual([ANA, BO, CY].map(available), [
    [40, 0, 0, 40],
    [40, 16, 16, 40],
    [40, 32, 32, 20],
  ]);
  t.is(answer.person(CY).weeklyHours, 40);
});

const exampleH = (first: number | null) => ({
  today: '2026-03-02',
  people: [withAway(person(ANA, 'Ana', 40), off('2026-03-03')), person(BO, 'Bo', 40)],
  containers: [release(R1, '2026-03-11')],
  tasks: [
    task(1, { releaseId: R1, estimatedHours: first }),
    task(2, { releaseId: R1, assigneeId: BO, estimatedHours: 8 }),
    task(3, { releaseId: R1, estimatedHours: 8 }),
    task(4, { estimatedHours: 12 }),
  ],
  dependencies: [
    { itemId: 2, blockerId: 1, lagDays: 1 },
    { itemId: 3, blockerId: 2, lagDays: 0 },
  ],
});

test('H: tasks wait for each other across people, and the explanation names the chain and the absence in it', (t) => {
  const answer = new Answer(exampleH(16));
  const days = [1, 2, 3].map((id) => [answer.work(id).forecastStart, answer.work(id).forecastDate]);
  t.deepEqual(days, [
    ['2026-03-02', '2026-03-04'],
    ['2026-03-06', '2026-03-06'],
    ['2026-03-09', '2026-03-09'],
  ]);
  t.like(answer.project(R1), { forecastDate: '2026-03-09', bufferedDate: '2026-03-12', outlook: 'at_risk' });
  t.like(answer.week(ANA, '2026-03-02'), { availableHours: 32, allocatedHours: 25.7 });
  const { away, waits, bottleneck } = computed(scope(exampleH(16))).explained(0);
  t.deepEqual(waits, { taskId: 3, chain: [2, 1], until: '2026-03-09' });
  t.deepEqual(away, [{ name: 'Ana', first: '2026-03-03', last: '2026-03-03', half: false, holiday: null }]);
  t.deepEqual(bottleneck, { name: 'Ana', freeFrom: null, startsOn: '2026-03-09' });
});

test('H: a blocker without an estimate leaves those that wait for it without a date, and is named', (t) => {
  const answer = new Answer(exampleH(null));
  t.like(answer.project(R1), { outlook: 'needs_data', forecastDate: null });
  t.deepEqual([answer.work(2).forecastDate, answer.work(3).forecastDate], [null, null]);
  t.deepEqual(computed(scope(exampleH(null))).explained(0).missing?.waiting, { tasks: 2, blockers: [1] });
});

test('a done blocker no longer blocks, and a release blocks until its last task finishes', (t) => {
  const tasks = [
    task(1, { status: 'done', estimatedHours: 8, releaseId: R1 }),
    task(2, { estimatedHours: 8, assigneeId: BO, releaseId: R1 }),
    task(3, { estimatedHours: 8, releaseId: R2 }),
  ];
  const input = {
    today: '2026-03-02',
    people: [person(ANA, 'Ana', 40), person(BO, 'Bo', 40)],
    containers: [release(R1, null), release(R2, null)],
    tasks,
  };
  const blocked = (blockerId: number) =>
    new Answer({ ...input, dependencies: [{ itemId: 3, blockerId, lagDays: 0 }] }).work(3).forecastDate;
  t.is(blocked(1), '2026-03-02');
  t.is(blocked(R1), '2026-03-03');
});
