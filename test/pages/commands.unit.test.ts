/** Commands in the search: by right, by words, nearest first (behaviour §22.7). */
import { ALL_RIGHTS, bits, rightsOfLevels, WORKSPACES_READ } from '../../src/access/rights.ts';
import type { FoundItem } from '../../src/overviews/searchEverywhere.ts';
import type { FrameData } from '../../src/overviews/signedIn.ts';
import { commandsFor, firstCommands } from '../../src/pages/search/commands.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const workspaces = [
  { id: 1, name: 'Apollo', role: 'member', rights: ALL_RIGHTS, open: {}, views: [], boards: null },
  { id: 2, name: 'Hermes', role: 'member', rights: WORKSPACES_READ | rightsOfLevels({ tasks: 'read' }), open: {}, views: [], boards: null },
];
const frame = { account: 'Acme', workspaces, moreWorkspaces: false, oversees: true, timer: null } as unknown as FrameData;
const owner = { accountRole: 'owner', theme: 'system', frame } as const;
const member = { accountRole: 'member', theme: 'dark', frame: { ...frame, oversees: false } } as const;
const item: FoundItem = {
  ...{
    id: 7,
    workspaceId: 1,
    workspace: 'Apollo',
    type: 'task',
    title: 'Deck',
    status: 'planned',
    statusLabel: 'Planned',
    archived: false,
  },
};
const asked = { q: '', at: null, back: '/my', items: [] };
type Me = Parameters<typeof commandsFor>[0];
const labels = (me: Me, q: string, more: object = {}) => commandsFor(me, { ...asked, q, ...more }).map(({ label }) => label);

test('items can be created where the user may write, the current workspace first', (t) => {
  t.true(labels(owner, 'new task').includes('New task in Apollo'));
  t.false(labels(owner, 'new').some((label) => label.endsWith('in Hermes')));
  const both = { ...owner, frame: { ...frame, workspaces: workspaces.map((one) => ({ ...one, rights: ALL_RIGHTS })) } };
  t.deepEqual(labels(both, 'new task', { at: 2 }).slice(0, 2), ['New task in Hermes', 'New task in Apollo']);
});

test('restricted commands are offered only to users who may use them', (t) => {
  for (const [q, label] of [
    ['api', 'Go to API keys'],
    ['people', 'Go to People'],
    ['audit', 'Go to audit'],
    ['capacity', 'Go to Capacity'],
  ]) {
    t.true(labels(owner, q!).includes(label!), q);
    t.false(labels(member, q!).includes(label!), q);
  }
  t.false(labels({ ...owner, frame: null }, '').some((label) => label.startsWith('New')));
});

test('each view of a workspace and each page of time and notes is a command, the current workspace first', (t) => {
  for (const [q, label, href] of [
    ['timeline', 'Go to timeline of Apollo', '/workspaces/1?view=timeline'],
    ['goals apollo', 'Go to goals of Apollo', '/workspaces/1?type=goal'],
    ['board', 'Go to board of Apollo', '/workspaces/1?type=task&view=board'],
    ['what if', 'Go to what if in Apollo', '/capacity/what-if?workspaceId=1'],
    ['statuses', 'Go to settings of Apollo', '/workspaces/1/settings'],
    ['grid', 'Go to timesheet', '/my/timesheet'],
    ['month', 'Go to my month', '/my/month'],
    ['report', 'Go to recorded time', '/reports/time'],
    ['ics', 'Go to calendar subscription', '/my/calendar'],
    ['encrypted', 'New encrypted note', '/my/notes/new-encrypted'],
    ['activity', 'Go to agent activity', '/mcp-access/activity'],
    ['api ref', 'Go to API reference', '/api/v1/docs'],
  ]) {
    const found = commandsFor(owner, { ...asked, q: q! }).find((one) => one.label === label);
    t.is(found?.href, href, q);
  }
  t.is(labels(owner, 'board', { at: 2 })[0], 'Go to board of Hermes');
  t.deepEqual(
    labels(member, 'hermes').filter((label) => /goals|Go to settings|what if/.test(label)),
    [],
  );
});

test('a timer can be started on a found item where time may be recorded, and a running one stopped', (t) => {
  t.true(labels(owner, 'start timer', { items: [item] }).includes('Start a timer on “Deck”'));
  t.false(labels(owner, 'timer', { items: [{ ...item, workspaceId: 2 }] }).some((label) => label.startsWith('Start')));
  const running = { ...owner, frame: { ...frame, timer: { entryId: 3, revision: 2 } as FrameData['timer'] } };
  const [stop] = commandsFor(running, { ...asked, q: 'timer', items: [item] });
  t.deepEqual(stop!.post, { action: '/my/timer/stop', hidden: { entryId: 3, revision: 2, back: '/my' } });
  t.false(labels(running, 'timer', { items: [item] }).some((label) => label.startsWith('Start')));
});

test('words match beginnings of words in any order; the typed text becomes a title or a search', (t) => {
  t.deepEqual(labels(owner, 'them dar'), ['Theme: dark', 'New task “them dar” in Apollo', 'Search for “them dar”']);
  t.false(labels(member, 'theme').includes('Theme: dark'));
  t.deepEqual(labels(owner, '#24'), ['Search for “#24”']);
  const made = commandsFor(owner, { ...asked, q: 'a&b' }).find(({ label }) => label.startsWith('New task “'));
  t.is(made!.href, '/workspaces/1/new?type=task&title=a%26b');
});

test('few commands are offered, with and without words', (t) => {
  const { places, actions } = firstCommands(owner, { ...asked, q: '' });
  t.true(places.length <= 4 && actions.length <= 5);
  t.is(actions[0]?.key, 'N');
  t.true(labels(owner, 'o').length <= 8);
  t.true(bits('time', 'write') > 0);
});
