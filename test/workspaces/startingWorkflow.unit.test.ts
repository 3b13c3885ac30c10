/** A workspace's differences from the starting workflow (behaviour §7.34). */
import { itemTypes } from '../../src/access/rights.ts';
import { priorityDifference, startingPriorities, startingStatuses, statusDifference } from '../../src/workspaces/startingWorkflow.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

test('a new workspace has no differences', (t) => {
  t.deepEqual(statusDifference(startingStatuses, itemTypes), { own: [], lacking: [] });
  t.deepEqual(priorityDifference(startingPriorities), { own: [], lacking: [] });
});

test('equal words of readable types are no difference, and unreadable types are omitted', (t) => {
  const ofTasks = startingStatuses.filter(({ types }) => types.includes('task')).map((one) => ({ ...one, types: ['task' as const] }));
  t.deepEqual(statusDifference(ofTasks, ['task']), { own: [], lacking: [] });
});

test('a renamed key is an own one, a deleted one is missing', (t) => {
  const [low, normal, high] = startingPriorities;
  const renamed = { ...normal!, label: 'Usual' };
  t.deepEqual(priorityDifference([low!, renamed, high!]), { own: [renamed], lacking: ['urgent'] });
});
