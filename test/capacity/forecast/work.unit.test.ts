import { suite } from '../../support/suite.ts';
import type { ForecastInput } from './forecast.ts';
import { ANA, Answer, BO, person, release, type Task, task } from './inputs.ts';

const test = suite(import.meta.url);

const R = 10;
const entry = (over: Partial<Task>, input: Partial<ForecastInput> = {}) =>
  new Answer({ containers: [release(R, '2026-03-20')], tasks: [task(1, { releaseId: R, ...over })], ...input }).work(1);

test('an entry repeats the task and adds its forecast', (t) => {
  const over = {
    title: 'Write "it" down',
    status: 'in_progress',
    startDate: '2026-03-05',
    dueDate: '2026-03-06',
    estimatedHours: 10,
    progressPercent: 25,
  };
  t.deepEqual(entry(over), {
    id: 1,
    title: 'Write "it" down',
    status: 'in_progress',
    assigneeId: ANA,
    startDate: '2026-03-05',
    dueDate: '2026-03-06',
    estimatedHours: 10,
    progressPercent: 25,
    remainingHours: 7.5,
    forecastStart: '2026-03-05',
    forecastDate: '2026-03-05',
    late: false,
    issues: [],
  });
});

test('work is listed by id, closed work included', (t) => {
  const tasks = [9, 3, 5].map((id) => task(id, { releaseId: R, status: id === 3 ? 'done' : 'planned' }));
  const { work } = new Answer({ containers: [release(R, null)], tasks }).onlyProject;
  t.deepEqual(
    work.map(({ id }) => id),
    [3, 5, 9],
  );
});

test('each issue is named, in a fixed order', (t) => {
  t.deepEqual(entry({ assigneeId: null }).issues, ['no_estimate']);
  t.deepEqual(entry({ estimatedHours: 1, assigneeId: null }).issues, ['no_assignee']);
  t.deepEqual(entry({ estimatedHours: 1 }, { people: [person(ANA, 'Ana', 0)] }).issues, ['no_capacity']);
  const all = entry({ estimatedHours: 1, status: 'blocked', dueDate: '2026-03-03' }, { people: [person(ANA, 'Ana', null)] });
  t.deepEqual(all.issues, ['unconfirmed_capacity', 'overdue', 'blocked']);
  t.deepEqual(entry({ status: 'blocked', dueDate: '2026-03-03' }).issues, ['no_estimate', 'overdue', 'blocked']);
});

test('a task of a person who has left has no dates, needs data and fills no week', (t) => {
  const left = { estimatedHours: 8, assigneeLeft: true };
  t.like(entry(left), { assigneeId: ANA, remainingHours: 8, forecastStart: null, forecastDate: null, late: false });
  t.deepEqual(entry(left).issues, ['assignee_left']);
  t.deepEqual(entry(left, { people: [person(ANA, 'Ana', null)] }).issues, ['assignee_left']);
  t.deepEqual(entry({ ...left, estimatedHours: null }).issues, ['no_estimate', 'assignee_left']);
  t.deepEqual(entry({ ...left, progressPercent: 100 }).issues, [], 'nothing is left to do');
  const tasks = [
    task(1, { ...left, releaseId: R, dueDate: '2026-03-06' }),
    task(2, { estimatedHours: 8, releaseId: R, dueDate: '2026-03-04' }),
  ];
  const answer = new Answer({ containers: [release(R, '2026-03-20')], tasks });
  t.like(answer.onlyProject, { outlook: 'needs_data', forecastDate: null, bufferedDate: null, remainingHours: 16, dataIncomplete: true });
  t.is(answer.work(2).forecastDate, '2026-03-04', 'the time is free for other tasks');
  t.is(answer.week(ANA, '2026-03-02').allocatedHours, 8);
});

test('issues about the assignee appear only with minutes left', (t) => {
  const done = { estimatedHours: 1, progressPercent: 100 };
  t.deepEqual(entry({ ...done, assigneeId: null }).issues, []);
  for (const hours of [0, null]) t.deepEqual(entry(done, { people: [person(ANA, 'Ana', hours)] }).issues, []);
});

test("overdue depends on the task's own due date only, and today is not overdue", (t) => {
  t.deepEqual(entry({ estimatedHours: 1, dueDate: '2026-03-04' }).issues, []);
  t.deepEqual(entry({ estimatedHours: 1 }, { containers: [release(R, '2026-03-01')] }).issues, []);
});

test('a closed task has no issues and no forecast dates', (t) => {
  const closed = entry({ status: 'done', assigneeId: null, dueDate: '2026-01-01' });
  t.like(closed, { forecastStart: null, forecastDate: null, late: false, remainingHours: 0 });
  t.deepEqual(closed.issues, []);
});

test('late compares with the due date, else with the target of the project', (t) => {
  t.true(entry({ estimatedHours: 16, dueDate: '2026-03-04' }).late);
  t.false(entry({ estimatedHours: 16, dueDate: '2026-03-05' }).late);
  t.true(entry({ estimatedHours: 16 }, { containers: [release(R, '2026-03-04')] }).late);
  t.false(entry({ estimatedHours: 16, dueDate: '2026-03-05' }, { containers: [release(R, '2026-03-04')] }).late);
  t.false(entry({ estimatedHours: 16 }, { containers: [release(R, null)] }).late);
});

const finishes = (tasks: Task[]) => new Answer({ containers: [release(R, null)], tasks }).onlyProject.work.map((each) => each.forecastDate);
const day = (over: Partial<Task>) => task(1, { releaseId: R, estimatedHours: 8, ...over });

test('the earlier due date comes first, a missing one last', (t) => {
  const tasks = [day({ id: 1 }), day({ id: 2, dueDate: '2026-03-20' }), day({ id: 3, dueDate: '2026-03-10' })];
  t.deepEqual(finishes(tasks), ['2026-03-06', '2026-03-05', '2026-03-04']);
});

test("a project's target replaces a missing due date", (t) => {
  const containers = [release(R, '2026-03-10'), release(11, null)];
  const tasks = [day({ id: 1, releaseId: 11, dueDate: '2026-03-11' }), day({ id: 2 })];
  t.is(new Answer({ containers, tasks }).work(2).forecastDate, '2026-03-04');
});

test('after the due date, the higher rank comes first, a missing priority last', (t) => {
  const tasks = [day({ id: 1 }), day({ id: 2, priorityRank: 10 }), day({ id: 3, priorityRank: 40 })];
  t.deepEqual(finishes(tasks), ['2026-03-06', '2026-03-05', '2026-03-04']);
});

test('after the rank, the earlier start comes first, a missing one before all; then the lower id', (t) => {
  const tasks = [day({ id: 1, startDate: '2026-03-02' }), day({ id: 2, startDate: '2026-03-01' }), day({ id: 3 }), day({ id: 4 })];
  t.deepEqual(finishes(tasks), ['2026-03-09', '2026-03-06', '2026-03-04', '2026-03-05']);
});

test('a task with a future start is skipped, and comes first once it may start', (t) => {
  const urgent = day({ id: 1, startDate: '2026-03-05', dueDate: '2026-03-05' });
  const answer = new Answer({ containers: [release(R, null)], tasks: [urgent, day({ id: 2, estimatedHours: 16 })] });
  t.like(answer.work(1), { forecastStart: '2026-03-05', forecastDate: '2026-03-05' });
  t.like(answer.work(2), { forecastStart: '2026-03-04', forecastDate: '2026-03-06' });
});

test("people work in parallel, and one person's projects share that person", (t) => {
  const containers = [release(R, null), release(11, null)];
  const tasks = [day({ id: 1 }), day({ id: 2, releaseId: 11 }), day({ id: 3, assigneeId: BO })];
  const answer = new Answer({ people: [person(ANA, 'Ana', 40), person(BO, 'Bo', 40)], containers, tasks });
  t.is(answer.work(2).forecastDate, '2026-03-05');
  t.is(answer.work(3).forecastDate, '2026-03-04');
});
