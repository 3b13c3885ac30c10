import { itemTypes } from '../access/rights.ts';
import { ruleOf, usualChoice } from '../recurring/choices.ts';
import { type Item, itemsOf, type Workspace, workday } from './entries.ts';
import { RELEASE_NOTES_DUE, tasks } from './ferryTasks.ts';

export const comments = (today: string): Workspace['comments'] => [
  {
    item: 'f-10',
    author: 'cleo',
    body: 'The form is done for cars. Caravans still share the field of the car, which confuses people.',
    createdAt: `${workday(today, -2)}T13:20:00Z`,
  },
  {
    item: 'f-10',
    author: 'bo',
    body: 'Two fields then. Please keep the caravan field hidden until the form needs it.',
    createdAt: `${workday(today, -1)}T08:05:00Z`,
  },
  {
    item: 'f-18',
    author: 'dmitri',
    body: 'Asked the provider again (ticket 48213). They answer by Thursday.',
    createdAt: `${workday(today, -1)}T15:41:00Z`,
  },
  {
    item: 'f-16',
    author: 'farid',
    body: 'Reviewed. One thing left: a name with an umlaut is not found.',
    createdAt: `${workday(today, -1)}T10:12:00Z`,
  },
  {
    item: 'q-change',
    author: 'ana',
    body: 'Approved with two hours as the limit. We can shorten it when we trust it.',
    createdAt: `${workday(today, -8)}T09:30:00Z`,
  },
  {
    item: 'r-11',
    author: 'bo',
    body: 'If refunds come late we ship changes without a difference in price first.',
    createdAt: `${workday(today, -3)}T16:00:00Z`,
  },
  {
    item: 'f-23',
    author: 'buildbot',
    body: 'The copy of last night was restored in 4 min 12 s.',
    createdAt: `${workday(today, -1)}T03:00:00Z`,
  },
];

export const timeEntries = (today: string): Workspace['timeEntries'] => {
  const entry = (user: string, item: string, days: number, minutes: number, note = '') => ({
    user,
    item,
    date: workday(today, days),
    minutes,
    note,
  });
  return [
    ...[-4, -3, -2, -1].map((days) => entry('cleo', 'f-10', days, 150 + 15 * days, 'Form')),
    ...[-3, -2, -1].map((days) => entry('dmitri', 'f-11', days, 180)),
    ...[-5, -4, -2].map((days) => entry('farid', 'f-13', days, 210, 'Counting')),
    entry('cleo', 'f-16', -2, 120),
    entry('farid', 'f-16', -1, 45, 'Review'),
    entry('dmitri', 'f-18', -1, 60, 'Waiting for the provider'),
    entry('ana', 'f-19', -1, 90),
    entry('buildbot', 'f-23', -1, 60),
  ];
};

export const planBlocks = (today: string): Workspace['planBlocks'] => {
  const block = (user: string, item: string, days: number, from: string, to: string) => ({
    user,
    item,
    startLocal: `${workday(today, days)}T${from}`,
    endLocal: `${workday(today, days)}T${to}`,
    remindStart: true,
  });
  return [
    block('ana', 'f-19', 1, '09:00', '11:00'),
    block('ana', 'f-20', 8, '13:00', '15:30'),
    block('cleo', 'f-10', 1, '09:00', '12:00'),
    block('cleo', 'f-16', 1, '13:00', '14:00'),
    block('dmitri', 'f-11', 1, '10:00', '13:00'),
    block('farid', 'f-13', 2, '09:30', '12:30'),
  ];
};

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

const labels: Workspace['labels'] = [
  { name: 'Accessibility', color: 'violet', description: 'Works with a screen reader and a keyboard.' },
  { name: 'Customer wish', color: 'teal' },
  { name: 'Payments', color: 'amber', description: 'Money moves: needs a second pair of eyes.' },
  { name: 'Personal data', color: 'pink' },
  { name: 'Vehicles', color: 'green' },
  { name: 'Winter 2025', color: 'grey', archived: true },
];

const labelsOf: Record<string, string[]> = {
  'q-car': ['Vehicles', 'Customer wish'],
  'q-change': ['Customer wish', 'Payments'],
  'f-03': ['Accessibility', 'Winter 2025'],
  'f-04': ['Payments', 'Winter 2025'],
  'f-10': ['Vehicles'],
  'f-11': ['Payments', 'Vehicles'],
  'f-12': ['Vehicles'],
  'f-16': ['Personal data'],
  'f-18': ['Payments'],
  'f-22': ['Accessibility'],
  'f-25': ['Payments', 'Personal data'],
};

const blockersOf: Record<string, { ref: string; lagDays?: number }[]> = {
  'f-14': [{ ref: 'f-12' }, { ref: 'f-13' }],
  'f-20': [{ ref: 'f-17', lagDays: 1 }],
};

const related = (item: Item): Item => ({ ...item, labels: labelsOf[item.ref ?? ''] ?? [], blockedBy: blockersOf[item.ref ?? ''] ?? [] });

/** Dates count from the earliest, a Monday. */
const templates: Workspace['templates'] = [
  {
    name: 'Release checklist',
    items: [
      { type: 'task', title: 'Release VERSION', fields: { startDate: '2026-03-02', dueDate: '2026-03-06', priorityKey: 'high' } },
      {
        type: 'task',
        title: 'Try the booking on three phones',
        links: { parentItemId: 0 },
        fields: { dueDate: '2026-03-03', estimatedHours: 3 },
      },
      {
        type: 'task',
        title: 'Check every page with a screen reader',
        links: { parentItemId: 0 },
        labels: ['Accessibility'],
        fields: { dueDate: '2026-03-04', estimatedHours: 4 },
      },
      {
        type: 'task',
        title: 'Tell the harbour offices',
        links: { parentItemId: 0 },
        blockedBy: [{ item: 1 }, { item: 2 }],
        fields: { dueDate: '2026-03-06', estimatedHours: 1 },
      },
    ],
  },
];

/** The release notes are due every second week. */
function series(today: string): Workspace['series'] {
  const due = workday(today, RELEASE_NOTES_DUE);
  return [{ item: 'f-21', user: 'bo', rule: ruleOf({ ...usualChoice(due), every: 2 }, due), startsOn: due, lastOn: due }];
}

export function ferryWorkspace(today: string): Workspace {
  const items = [...direction(today), ...requirements(today), ...tasks(today)].map(related);
  return {
    ref: 'ferry',
    name: 'Ferry booking',
    sample: true,
    forecasts: 'members',
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
    statuses: [
      { key: 'in_progress', label: 'In progress', types: [...itemTypes], status: 'in_progress', wipItems: 3 },
      { key: 'testing', label: 'With testers', types: ['task'], status: 'in_review', wipItems: 3 },
    ],
    labels,
    items,
    templates,
    series: series(today),
    comments: comments(today),
    timeEntries: timeEntries(today),
    planBlocks: planBlocks(today),
  };
}
