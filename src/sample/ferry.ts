import { type Item, itemsOf, type Workspace } from './entries.ts';
import { comments, planBlocks, timeEntries } from './ferryDays.ts';
import { doneTasks, openTasks } from './ferryTasks.ts';

function direction(today: string): Item[] {
  const { goal, release, milestone } = itemsOf(today);
  return [
    goal('g-online', 'Most tickets are booked online', {
      owner: 'ana',
      status: 'in_progress',
      target: 120,
      more: { level: 'company', unit: '% of tickets', target: 60, current: 34 },
    }),
    goal('g-mobile', 'Booking on a phone takes under two minutes', {
      owner: 'bo',
      status: 'in_progress',
      under: 'g-online',
      target: 80,
      more: { level: 'team', unit: 'seconds', target: 120, current: 205 },
    }),
    goal('g-calls', 'Half as many calls about changed sailings', {
      owner: 'ana',
      target: 140,
      more: { level: 'company', unit: 'calls a week', target: 150, current: 310 },
    }),
    release('r-10', 'Booking opens', {
      owner: 'bo',
      status: 'done',
      target: -30,
      actual: -28,
      goal: 'g-online',
      more: { versionLabel: '1.0' },
    }),
    release('r-11', 'Cars and changes', {
      owner: 'bo',
      status: 'in_progress',
      start: -25,
      target: 18,
      goal: 'g-online',
      description: 'Vehicles on board, and changing a booking without a call.',
      more: { versionLabel: '1.1' },
    }),
    release('r-20', 'Season tickets', { owner: 'bo', target: 60, goal: 'g-online', more: { versionLabel: '2.0' } }),
    milestone('m-pilot', 'Pilot with the harbour office', { owner: 'bo', status: 'done', target: -35, actual: -34, release: 'r-10' }),
    milestone('m-freeze', 'No new features before the holidays', { owner: 'bo', target: 14, release: 'r-11' }),
    milestone('m-audit', 'Payment audit passed', { owner: 'ana', target: 11 }),
  ];
}

function requirements(today: string): Item[] {
  const { requirement } = itemsOf(today);
  const quarter = `${today.slice(0, 4)}-Q${Math.ceil(Number(today.slice(5, 7)) / 3)}`;
  const rice = (reach: number, impact: number, confidence: number, effort: number) => ({
    reach,
    impact,
    confidence,
    effort,
    reachPeriod: quarter,
  });
  return [
    requirement('q-search', 'Find a sailing by date and harbour', {
      owner: 'bo',
      status: 'done',
      release: 'r-10',
      target: -32,
      more: rice(9000, 3, 90, 4),
    }),
    requirement('q-pay', 'Pay by card', { owner: 'bo', status: 'done', release: 'r-10', target: -30, more: rice(8000, 3, 95, 5) }),
    requirement('q-car', 'Take a car along', {
      owner: 'bo',
      status: 'in_progress',
      release: 'r-11',
      goal: 'g-online',
      target: 12,
      description: 'Length and height decide about the deck; caravans count as two cars.',
      more: {
        ...rice(5200, 2, 80, 6),
        acceptance: 'A car of 5 m and a caravan of 7 m can be booked together.\nThe price is shown before paying.',
      },
    }),
    requirement('q-car-deck', 'Know how much deck is left', {
      owner: 'bo',
      status: 'in_progress',
      under: 'q-car',
      target: 8,
      more: rice(5200, 2, 70, 3),
    }),
    requirement('q-change', 'Change a booking', {
      owner: 'ana',
      status: 'approved',
      release: 'r-11',
      goal: 'g-calls',
      target: 16,
      more: { ...rice(2600, 2, 60, 4), acceptance: 'Up to two hours before departure, with the difference paid or returned.' },
    }),
    requirement('q-notice', 'Tell passengers when a sailing is late', {
      owner: 'ana',
      status: 'pending_approval',
      goal: 'g-calls',
      target: 5,
      more: rice(7400, 2, 50, 3),
    }),
    requirement('q-season', 'Season tickets', { owner: 'bo', release: 'r-20', target: 55, more: rice(900, 3, 40, 8) }),
  ];
}

export function ferryWorkspace(today: string): Workspace {
  return {
    ref: 'ferry',
    name: 'Ferry booking',
    sample: true,
    mcp: {
      enabled: true,
      limits: { tasks: 'delete', requirements: 'write', releases: 'read', milestones: 'write', time: 'write', plans: 'write' },
    },
    members: [
      { user: 'ana', role: 'owner' },
      { user: 'bo', role: 'manager' },
      { user: 'cleo', role: 'member', timeOversight: true },
      { user: 'dmitri', role: 'member' },
      { user: 'farid', role: 'member', access: { goals: 'none' } },
      { user: 'esi', role: 'viewer' },
      { user: 'buildbot', role: 'member', access: { requirements: 'read', releases: 'none', goals: 'none', milestones: 'none' } },
    ],
    statuses: [{ key: 'testing', label: 'With testers', types: ['task'], status: 'in_review' }],
    items: [...direction(today), ...requirements(today), ...doneTasks(today), ...openTasks(today)],
    comments: comments(today),
    timeEntries: timeEntries(today),
    planBlocks: planBlocks(today),
  };
}
