import test from 'ava';
import { burnUpPoints } from '../../src/items/burnUp.ts';

const step = (created: string, done: string | null, tasks: number, hours: number) => ({ created, done, tasks, hours });

test('new tasks increase the scope, completions increase done work, and the last point is today', (t) => {
  const steps = [step('2026-01-01', '2026-01-03', 2, 10), step('2026-01-02', null, 1, 4)];
  t.deepEqual(burnUpPoints({ steps, more: false }, '2026-01-03'), [
    { date: '2026-01-01', tasks: 2, doneTasks: 0, hours: 10, doneHours: 0 },
    { date: '2026-01-02', tasks: 3, doneTasks: 0, hours: 14, doneHours: 0 },
    { date: '2026-01-03', tasks: 3, doneTasks: 2, hours: 14, doneHours: 10 },
  ]);
});

test('an imported task that was done before its creation counts from its completion', (t) => {
  const [first] = burnUpPoints({ steps: [step('2026-01-05', '2026-01-01', 1, 2)], more: false }, '2026-01-05');
  t.deepEqual(first, { date: '2026-01-01', tasks: 1, doneTasks: 1, hours: 2, doneHours: 2 });
});

test('long spans have at most 60 points, in order, from the first day to today', (t) => {
  const points = burnUpPoints({ steps: [step('2016-02-29', null, 1, 1)], more: false }, '2026-01-05');
  t.true(points.length <= 60 && points.length > 50);
  t.is(points[0]!.date, '2016-02-29');
  t.is(points.at(-1)!.date, '2026-01-05');
  t.deepEqual(
    points.map(({ date }) => date),
    [...new Set(points.map(({ date }) => date))].sort(),
  );
});

test('there are no points without tasks, or if all tasks are in the future', (t) => {
  t.deepEqual(burnUpPoints({ steps: [], more: false }, '2026-01-05'), []);
  t.deepEqual(burnUpPoints({ steps: [step('2026-02-01', null, 1, 1)], more: false }, '2026-01-05'), []);
});
