import { type Workspace, workday } from './entries.ts';

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
    body: 'Two fields then. Please keep the caravan field hidden until it is asked for.',
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
