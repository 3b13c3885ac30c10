import { type Item, itemsOf, type Workspace, workday } from './entries.ts';

function items(today: string): Item[] {
  const { goal, release, milestone, requirement, task } = itemsOf(today);
  return [
    goal('g-read', 'Everybody finds the timetable at once', {
      owner: 'bo',
      status: 'in_progress',
      target: 70,
      more: { unit: '% of visitors', target: 90, current: 71 },
    }),
    release('r-web', 'New website', { owner: 'bo', status: 'in_progress', target: 24, goal: 'g-read', more: { versionLabel: '2' } }),
    milestone('m-photos', 'Photographs of the fleet', { owner: 'cleo', due: 6, target: 6, release: 'r-web' }),
    requirement('q-time', 'Timetable on one page', { owner: 'bo', status: 'in_progress', release: 'r-web', target: 12, goal: 'g-read' }),
    requirement('q-lang', 'Four languages', { owner: 'bo', release: 'r-web', target: 20 }),
    requirement('q-speed', 'Quick on a ship', {
      owner: 'dmitri',
      release: 'r-web',
      target: 22,
      description: 'A page within two seconds over a satellite link.',
    }),
    task('w-01', 'Timetable that fits a phone', {
      by: 'cleo',
      status: 'in_progress',
      requirement: 'q-time',
      hours: 14,
      progress: 40,
      due: 7,
    }),
    task('w-02', 'Print version of the timetable', { by: 'cleo', requirement: 'q-time', hours: 5, due: 11, priority: 'low' }),
    task('w-03', 'Show today first', { by: 'dmitri', requirement: 'q-time', hours: 4, due: 9 }),
    task('w-04', 'Find translators', { by: 'bo', status: 'done', requirement: 'q-lang', hours: 6, due: -3 }),
    task('w-05', 'Texts in German and Danish', { by: 'bo', requirement: 'q-lang', hours: 12, due: 15 }),
    task('w-06', 'Texts in Polish', { requirement: 'q-lang', hours: 6, due: 18 }),
    task('w-07', 'Measure over a slow link', { by: 'dmitri', requirement: 'q-speed', hours: 3, due: 5 }),
    task('w-08', 'Smaller pictures', { by: 'dmitri', requirement: 'q-speed', hours: 8, start: 6, due: 14 }),
    task('w-09', 'Choose a photographer', { by: 'cleo', status: 'done', under: 'm-photos', hours: 2, due: -6 }),
    task('w-10', 'A day on the pier', { by: 'cleo', under: 'm-photos', hours: 8, due: 4 }),
    task('w-11', 'Redirects from the old addresses', { by: 'dmitri', release: 'r-web', hours: 4, due: 21 }),
    task('w-12', 'Switch over on a Tuesday morning', { by: 'bo', release: 'r-web', hours: 3, due: 23, priority: 'high' }),
  ];
}

export function websiteWorkspace(today: string): Workspace {
  return {
    ref: 'website',
    name: 'Website',
    sample: true,
    forecasts: 'members',
    mcp: {
      enabled: true,
      limits: { tasks: 'write', requirements: 'read', releases: 'read', milestones: 'read', time: 'write', plans: 'read' },
    },
    members: [
      { user: 'bo', role: 'owner' },
      { user: 'ana', role: 'manager' },
      { user: 'cleo', role: 'member' },
      { user: 'dmitri', role: 'member', access: { tasks: 'write' } },
      { user: 'esi', role: 'viewer' },
    ],
    items: items(today),
    comments: [
      {
        item: 'w-01',
        author: 'bo',
        body: 'On my phone the harbour names are cut off after eleven letters.',
        createdAt: `${workday(today, -1)}T11:00:00Z`,
      },
      { item: 'w-04', author: 'bo', body: 'Two translators found, both start next week.', createdAt: `${workday(today, -3)}T14:30:00Z` },
    ],
    timeEntries: [
      { user: 'cleo', item: 'w-01', date: workday(today, -1), minutes: 120, note: 'Narrow columns' },
      { user: 'bo', item: 'w-04', date: workday(today, -3), minutes: 150 },
    ],
    planBlocks: [
      { user: 'cleo', item: 'w-10', startLocal: `${workday(today, 3)}T08:00`, endLocal: `${workday(today, 3)}T16:00`, remindStart: true },
    ],
  };
}
