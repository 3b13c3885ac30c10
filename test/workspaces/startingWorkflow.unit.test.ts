/** What a workspace has of its own beside what every one starts with (behaviour §7.34). */
import test from 'ava';
import { itemTypes } from '../../src/access/rights.ts';
import { priorityDifference, startingPriorities, startingStatuses, statusDifference } from '../../src/workspaces/startingWorkflow.ts';

test('a workspace as it was made has nothing of its own and lacks nothing', (t) => {
  t.deepEqual(statusDifference(startingStatuses, itemTypes), { own: [], lacking: [] });
  t.deepEqual(priorityDifference(startingPriorities), { own: [], lacking: [] });
});

test('what is told of types that can be read is no difference, and of those that can not nothing is said', (t) => {
  const ofTasks = startingStatuses.filter(({ types }) => types.includes('task')).map((one) => ({ ...one, types: ['task' as const] }));
  t.deepEqual(statusDifference(ofTasks, ['task']), { own: [], lacking: [] });
});

test('a renamed key is its own, one that is gone is lacking', (t) => {
  const [low, normal, high] = startingPriorities;
  const renamed = { ...normal!, label: 'Usual' };
  t.deepEqual(priorityDifference([low!, renamed, high!]), { own: [renamed], lacking: ['urgent'] });
});
