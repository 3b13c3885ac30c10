/** The worked examples of behaviour §6, case by case. */
import test from 'ava';
import { ANA, Answer, BO, person, release, task } from './inputs.ts';

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
