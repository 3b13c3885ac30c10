/** Texts of the pages about a forecast (behaviour §24.11, §24.12). Today is Wednesday 2026-03-04. */

import { suite } from '../../support/suite.ts';
import { computed, type ForecastInput } from './forecast.ts';
import { ANA, BO, person, release, scope, type Task, task } from './inputs.ts';

const test = suite(import.meta.url);

const R = 10;
const people = [person(ANA, 'Ana', 40), person(BO, 'Bo', 40)];

/** The explanation of a release with these tasks, target 2026-03-20 by default. */
const explained = (tasks: Task[], over: Partial<ForecastInput> = {}) =>
  computed(scope({ people, containers: [release(R, '2026-03-20')], tasks, ...over })).explained(0);
const mine = (id: number, over: Partial<Task> = {}) => task(id, { estimatedHours: 8, releaseId: R, ...over });

test('a project that needs data has the dates of its other tasks, and counts the missing data by reason', (t) => {
  const gone = [...people, { ...person(3, 'Cy', 40), active: false }, person(4, 'Di', 40), person(5, 'Ed', 0)];
  const { rest, missing } = explained(
    [
      mine(1),
      mine(2, { estimatedHours: null }),
      mine(3, { assigneeId: null }),
      mine(4, { assigneeId: 5 }),
      ...[5, 6].map((id) => mine(id, { assigneeId: 3, assigneeLeft: true })),
      mine(7, { assigneeId: 4, assigneeLeft: true, estimatedHours: null }),
      mine(8, { assigneeId: 3, assigneeLeft: true, progressPercent: 100 }),
    ],
    { people: gone },
  );
  t.deepEqual(rest, { forecastDate: '2026-03-04', bufferedDate: '2026-03-05' });
  t.deepEqual(missing, {
    noEstimate: 2,
    unassigned: 1,
    noHours: 1,
    left: [
      { name: 'Cy', tasks: 2, deactivated: true },
      { name: 'Di', tasks: 1, deactivated: false },
    ],
    waiting: null,
  });
});

test('without any dated task there is no date, and a project with all data misses nothing', (t) => {
  t.like(explained([mine(1, { estimatedHours: null })]), { rest: null, bottleneck: null, weeks: null });
  t.like(explained([mine(1)]), { rest: null, missing: null });
});

test('the bottleneck is the person who finishes the last task, with their first free day across all projects', (t) => {
  const elsewhere = mine(3, { releaseId: null, estimatedHours: 12, assigneeId: BO, dueDate: '2026-03-05' });
  t.deepEqual(explained([mine(1), mine(2, { assigneeId: BO }), elsewhere]).bottleneck, {
    name: 'Bo',
    freeFrom: '2026-03-06',
    startsOn: null,
  });
  t.deepEqual(
    explained([mine(1, { estimatedHours: 16 })]).bottleneck,
    { name: 'Ana', freeFrom: '2026-03-06', startsOn: null },
    'the day after a day that is filled to its end',
  );
  t.is(explained([mine(1, { estimatedHours: 2 })]).bottleneck, null, 'there is time left today');
});

test('a last task that starts later is the bottleneck if its person has time before', (t) => {
  t.deepEqual(explained([mine(1, { startDate: '2026-03-11' })]).bottleneck, { name: 'Ana', freeFrom: null, startsOn: '2026-03-11' });
});

test('of two people who finish on the same day the lower id is named, in any read order', (t) => {
  const tasks = [mine(1, { estimatedHours: 16 }), mine(2, { estimatedHours: 16, assigneeId: BO })];
  t.is(explained(tasks).bottleneck?.name, 'Ana');
  t.is(explained(tasks.toReversed()).bottleneck?.name, 'Ana');
});

test('the week and the date differ for a project that is late without a full week, and for one that is in time despite one', (t) => {
  const late = [
    mine(1, { estimatedHours: 24, dueDate: '2026-03-20' }),
    mine(2, { estimatedHours: 20, releaseId: null, dueDate: '2026-03-06' }),
  ];
  t.deepEqual(explained(late, { containers: [release(R, '2026-03-06')] }).weeks, { name: 'Ana', over: null });
  const over = [mine(1), mine(2, { releaseId: null, estimatedHours: 60, dueDate: '2026-03-06' })];
  t.deepEqual(explained(over).weeks, { name: 'Ana', over: '2026-03-02' });
  t.is(explained([mine(1)]).weeks, null);
  t.is(
    explained([mine(1, { estimatedHours: 200 })], { containers: [release(R, '2026-03-06')] }).weeks,
    null,
    'late, and the weeks are over',
  );
  t.is(explained(late, { containers: [release(R, '2026-03-06')], from: '2026-03-16' }).weeks, null, 'this week is not shown');
});
