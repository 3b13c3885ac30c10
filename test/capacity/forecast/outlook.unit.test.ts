import { suite } from '../../support/suite.ts';
import type { ForecastInput } from './forecast.ts';
import { ANA, Answer, person, release, type Task, task } from './inputs.ts';

const test = suite(import.meta.url);

const R = 10;

/** The only project: a release with these tasks. */
const project = (target: string | null, tasks: Task[], over: Partial<ForecastInput> = {}) =>
  new Answer({ containers: [release(R, target)], tasks: tasks.map((each) => ({ ...each, releaseId: R })), ...over }).onlyProject;

const nobody: Partial<Task> = { assigneeId: null };

test('no tasks is no_scope, whatever the target', (t) => {
  t.like(project('2026-01-01', []), { outlook: 'no_scope', forecastDate: null, bufferedDate: null, weightedProgress: null });
});

test('a project whose tasks are all cancelled has no scope', (t) => {
  t.is(project('2026-03-31', [task(1, { status: 'cancelled', estimatedHours: 3 })]).outlook, 'no_scope');
});

test('a project with only closed tasks is within_capacity even after the target, and its dates are the last completion', (t) => {
  const tasks = [
    task(1, { status: 'done', completedDate: '2026-02-20', estimatedHours: 4 }),
    task(2, { status: 'done', completedDate: '2026-02-27' }),
    task(3, { status: 'done', completedDate: null }),
  ];
  t.like(project('2026-01-01', tasks), {
    outlook: 'within_capacity',
    forecastDate: '2026-02-27',
    bufferedDate: '2026-02-27',
    weightedProgress: 100,
    dataIncomplete: false,
  });
});

for (const [title, over, people] of [
  ['an open task without an estimate', { estimatedHours: null }, undefined],
  ['an open task without an estimate at 100 %', { estimatedHours: null, progressPercent: 100 }, undefined],
  ['remaining work and no assignee', { ...nobody, estimatedHours: 1 }, undefined],
  ['remaining work and an assignee of 0 hours', { estimatedHours: 1 }, [person(ANA, 'Ana', 0)]],
] as const) {
  test(`${title} needs data: no dates, even without a target`, (t) => {
    const others = [task(2, { estimatedHours: 2 })];
    const input = people ? { people: [...people] } : {};
    const expected = { outlook: 'needs_data', forecastDate: null, bufferedDate: null, dataIncomplete: true };
    t.like(project('2026-12-31', [task(1, over), ...others], input), expected);
    t.like(project(null, [task(1, over), ...others], input), expected);
  });
}

test("in a project that needs data only the project's dates are null", (t) => {
  const { work } = project('2026-12-31', [task(1), task(2, { estimatedHours: 2 })]);
  t.like(work[1], { id: 2, forecastStart: '2026-03-04', forecastDate: '2026-03-04' });
});

for (const [title, over] of [
  ['a closed task without an estimate', { status: 'done', estimatedHours: null }],
  ['a finished but open task without an assignee', { ...nobody, estimatedHours: 8, progressPercent: 100 }],
  ['a task of 0 hours without an assignee', { ...nobody, estimatedHours: 0 }],
] as const) {
  test(`${title} needs no data`, (t) => {
    t.like(project('2026-12-31', [task(1, over), task(2, { estimatedHours: 2 })]), { outlook: 'within_capacity', dataIncomplete: false });
  });
}

test('without a target the dates are still known', (t) => {
  t.like(project(null, [task(1, { estimatedHours: 8 })]), {
    outlook: 'needs_target',
    targetDate: null,
    forecastDate: '2026-03-04',
    bufferedDate: '2026-03-05',
  });
});

test('finishing on the target date is in time', (t) => {
  t.is(project('2026-03-05', [task(1, { estimatedHours: 8 })]).outlook, 'within_capacity');
  t.is(project('2026-03-04', [task(1, { estimatedHours: 8 })]).outlook, 'at_risk');
  t.is(project('2026-03-03', [task(1, { estimatedHours: 8 })]).outlook, 'overcommitted');
});

test('the target is the target date, else the due date', (t) => {
  const both = { containers: [release(R, '2026-03-31', { dueDate: '2026-03-10' })] };
  t.is(new Answer(both).onlyProject.targetDate, '2026-03-31');
  t.is(new Answer({ containers: [release(R, null, { dueDate: '2026-03-10' })] }).onlyProject.targetDate, '2026-03-10');
});

test('the day of the 2,600th working day has a date, the one after has none', (t) => {
  const atOneHourADay = (hours: number) =>
    project('2040-01-01', [task(1, { estimatedHours: hours })], { today: '2026-03-02', people: [person(ANA, 'Ana', 5)] });
  t.like(atOneHourADay(2080), { forecastDate: '2034-02-17', bufferedDate: '2036-02-15', outlook: 'within_capacity' });
  t.like(atOneHourADay(2081), { bufferedDate: null, forecastDate: '2034-02-20', outlook: 'at_risk' });
  t.like(atOneHourADay(2600), { forecastDate: '2036-02-15', bufferedDate: null });
  t.like(atOneHourADay(2601), { forecastDate: null, bufferedDate: null, outlook: 'overcommitted' });
});

test('a task unfinished at the horizon has a start date, no forecastDate, and is late if due before then', (t) => {
  const { work } = project(null, [task(1, { estimatedHours: 1e6, dueDate: '2026-06-01' }), task(2, { estimatedHours: 1 })]);
  t.like(work[0], { forecastStart: '2026-03-04', forecastDate: null, late: true });
  t.like(work[1], { forecastStart: null, forecastDate: null, late: false });
});

test('unconfirmed hours make the data incomplete only where work is left', (t) => {
  const people = [person(ANA, 'Ana', null)];
  t.like(project('2026-12-31', [task(1, { estimatedHours: 40 })], { people }), { dataIncomplete: true, forecastDate: '2026-03-10' });
  t.false(project('2026-12-31', [task(1, { estimatedHours: 40, progressPercent: 100 })], { people }).dataIncomplete);
});

test('hours are summed exactly and rounded once', (t) => {
  const small = Array.from({ length: 3 }, (_, n) => task(n + 1, { estimatedHours: 0.335 }));
  // 3 × 0.335 h = 1.005 h of scope; 3 × ceil(20.1) = 63 minutes remaining
  t.like(project(null, small), { scopeHours: 1.01, remainingHours: 1.05, bufferedHours: 1.31 });
  const odd = Array.from({ length: 7 }, (_, n) => task(n + 1, { estimatedHours: 0.1 }));
  t.like(project(null, odd), { scopeHours: 0.7, remainingHours: 0.7, bufferedHours: 0.88, weightedProgress: 0 });
});

test('bufferedHours is a quarter more than the remaining hours, not the sum of rounded-up tasks', (t) => {
  const tasks = Array.from({ length: 4 }, (_, n) => task(n + 1, { estimatedHours: 0.01 }));
  // 4 × 1 minute: 5 minutes, where rounding each task up would give 8
  t.is(project(null, tasks).bufferedHours, 0.08);
});

test('recorded time does not lower the remaining work', (t) => {
  const recorded = [{ personId: ANA, date: '2026-03-03', minutes: 300 }];
  t.is(project(null, [task(1, { estimatedHours: 5 })], { recorded }).remainingHours, 5);
});

test('progress of a closed task counts as 100, of an open one without progress as 0', (t) => {
  const tasks = [
    task(1, { estimatedHours: 6, status: 'done', progressPercent: 10 }),
    task(2, { estimatedHours: 2, progressPercent: null }),
  ];
  const { work, ...figures } = project(null, tasks);
  t.like(figures, { scopeHours: 8, remainingHours: 2, weightedProgress: 75 });
  t.like(work[1], { progressPercent: null, remainingHours: 2 });
});
