/** A connection's access and an agent's activity in words. */
import type { ConnectableWorkspace } from '../../src/connections/manage.ts';
import { callsOf } from '../../src/pages/agents/cards.ts';
import { didWords, joinWithAnd, limitsOf, mayNotOf, mayOf, outcomeOf } from '../../src/pages/agents/words.ts';
import { Html } from '../../src/pages/frame/html.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const levels = { tasks: 'delete', requirements: 'write', releases: 'read', milestones: 'read', time: 'write', plans: 'none' } as const;

test("access is described by what the agent changes, reads and can't see", (t) => {
  const given = { permissions: { ...levels }, notes: ['read', 'add'] as ('read' | 'add')[] };
  t.deepEqual(mayOf(given), ['Write and delete tasks', 'Write requirements', 'Record time as you', 'Read and add your notes']);
  t.deepEqual(mayNotOf(given), ['Only reads releases and milestones', 'No access to plans']);
  const nothing = Object.fromEntries(Object.keys(levels).map((name) => [name, 'none'])) as unknown as typeof levels;
  t.deepEqual(mayOf({ permissions: nothing, notes: [] }), []);
  t.deepEqual(mayNotOf({ permissions: nothing, notes: [] }), [
    'No access to tasks, requirements, releases, milestones, time, plans and your notes',
  ]);
  t.is(joinWithAnd(['a']), 'a');
});

test('a workspace with a lower limit says how much and why, once for equal limits', (t) => {
  const most = (level: 'read' | 'write' | 'delete', because: string | null) => ({ level, because });
  const there = {
    id: 1,
    name: 'Apollo',
    enabled: true,
    most: {
      tasks: most('write', 'workspace limit'),
      requirements: most('read', 'your role'),
      releases: most('delete', null),
      milestones: most('read', 'workspace limit'),
      time: most('write', null),
      plans: most('write', null),
    },
  };
  const off = { ...there, id: 2, name: 'Quiet', enabled: false };
  const workspaces = [1, 2, 3].map((id) => ({ id, name: '', disconnected: false }));
  t.deepEqual(limitsOf({ permissions: { ...levels }, workspaces }, [there, off]), [
    'Apollo, tasks: no delete (workspace limit)',
    'Apollo, requirements: read only (your role)',
    'Quiet: agents are turned off',
  ]);
  t.deepEqual(limitsOf({ permissions: { ...levels }, workspaces: [{ id: 1, name: '', disconnected: true }] }, [there]), []);
});

test('delete on time and plans counts as write, so no limit is named', (t) => {
  const most = Object.fromEntries(
    Object.keys(levels).map((name) => [name, { level: 'write', because: null }]),
  ) as ConnectableWorkspace['most'];
  const permissions = { ...levels, tasks: 'write', time: 'delete', plans: 'delete' } as const;
  const there = { id: 1, name: 'Apollo', enabled: true, most };
  t.deepEqual(limitsOf({ permissions, workspaces: [{ id: 1, name: 'Apollo', disconnected: false }] }, [there]), []);
  t.deepEqual(mayOf({ permissions, notes: [] }), ['Write tasks and requirements', 'Record time and plan time as you']);
});

const row = { id: 1, at: '', connection: 'Laptop', elapsedMs: 1, workspace: 'Apollo', touched: null, items: null };
const said = (given: Partial<Parameters<typeof didWords>[0]> & { tool: string; outcome: string }) => {
  const words = didWords({ ...row, ...given }, '/stint');
  return words instanceof Html ? words.text : String(words);
};

test('activity names items with links, if the person may see them', (t) => {
  const touched = [{ id: 24, workspaceId: 1, title: 'Price <b>' }];
  t.is(
    said({ tool: 'svc_update_item', outcome: 'ok', touched, items: 1 }),
    'Changed <a href="/stint/workspaces/1/items/24">24 Price &lt;b&gt;</a>',
  );
  t.true(said({ tool: 'svc_create_items', outcome: 'ok', touched, items: 5 }).endsWith('</a> and 4 more'));
  t.is(said({ tool: 'svc_update_item', outcome: 'ok', items: 1 }), 'Changed an item in Apollo');
  t.is(said({ tool: 'svc_update_items', outcome: 'ok', touched: [], items: 3 }), 'Changed items in Apollo, 3 in all');
  t.is(said({ tool: 'svc_remove_item', outcome: 'forbidden', workspace: null }), 'Tried to archive an item');
  t.is(said({ tool: 'svc_nowhere', outcome: 'ok', workspace: null }), 'svc_nowhere');
  t.deepEqual(['ok', 'replayed', 'forbidden', 'conflict'].map(outcomeOf), ['Done', 'Done (repeated)', 'Refused', 'Conflict']);
});

test('the chart of seven days ends today, with zeros for days without calls', (t) => {
  const calls = [
    { date: '2026-11-25', calls: 3, failed: 1 },
    { date: '2026-11-19', calls: 2, failed: 0 },
    { date: '2026-11-18', calls: 9, failed: 0 },
  ];
  t.deepEqual(callsOf({ calls }, { today: '2026-11-25' }), [2, 0, 0, 0, 0, 0, 3]);
});
