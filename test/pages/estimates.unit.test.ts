/** Estimates of a task and its sub-tasks in words (behaviour §6.6, §6.8). */
import { estimatedWith, isUsedUp, ownAndBelow } from '../../src/pages/items/estimates.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

type Given = Parameters<typeof estimatedWith>[0] & Parameters<typeof isUsedUp>[0];
const opened = (type: string, estimatedHours: number | null, below = 0, more: object = {}): Given =>
  ({ item: { type, status: 'planned', fields: { estimatedHours } }, sums: { hours: below }, leftHours: estimatedHours, ...more }) as Given;

test('the estimates of a task and its sub-tasks add up; of other items those below count', (t) => {
  t.is(estimatedWith(opened('task', 4, 2)), 6);
  t.is(estimatedWith(opened('task', null, 2)), 2);
  t.is(estimatedWith(opened('requirement', 4, 2)), 2);
  t.is(estimatedWith(opened('requirement', 4)), 4);
});

test('both parts are named where both exist', (t) => {
  t.is(ownAndBelow(4, 2), '4 h own + 2 h below');
  t.is(ownAndBelow(null, 2), null);
  t.is(ownAndBelow(4, 0), null);
});

test('the time is used up when nothing is left of the estimate of open work without a progress', (t) => {
  const used = (fields: object, more: object = {}) =>
    isUsedUp(
      opened('task', 4, 0, { leftHours: 0, item: { type: 'task', status: 'planned', fields: { estimatedHours: 4, ...fields }, ...more } }),
    );
  t.true(used({}));
  t.false(used({ progressPercent: 100 }));
  t.false(used({ estimatedHours: 0 }));
  t.false(used({}, { status: 'done' }));
  t.false(isUsedUp(opened('task', 4, 0, { leftHours: 0.5 })));
});
