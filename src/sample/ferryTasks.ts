import { type Facts, type Item, itemsOf } from './entries.ts';

/** Working days from today. */
export const RELEASE_NOTES_DUE = 16;

const rows: readonly [ref: string, title: string, facts: Facts][] = [
  ['f-01', 'Timetable as data', { by: 'dmitri', status: 'done', requirement: 'q-search', hours: 12, due: -40 }],
  ['f-02', 'Search form', { by: 'cleo', status: 'done', requirement: 'q-search', hours: 10, due: -36 }],
  ['f-03', 'Results page that works with a keyboard', { by: 'cleo', status: 'done', requirement: 'q-search', hours: 14, due: -33 }],
  [
    'f-04',
    'Connect the payment provider',
    {
      by: 'dmitri',
      status: 'done',
      requirement: 'q-pay',
      hours: 20,
      due: -31,
      priority: 'high',
    },
  ],
  ['f-05', 'Receipt by mail', { by: 'farid', status: 'done', requirement: 'q-pay', hours: 6, due: -30 }],
  ['f-06', 'Load test before opening', { by: 'farid', status: 'done', release: 'r-10', hours: 8, due: -29 }],
  ['f-07', 'Banner for the old booking desk', { by: 'cleo', status: 'cancelled', release: 'r-10', hours: 3, archived: true }],
  [
    'f-10',
    'Vehicle length and height in the booking form',
    {
      by: 'cleo',
      status: 'in_progress',
      requirement: 'q-car',
      hours: 12,
      progress: 60,
      start: -4,
      due: 2,
      priority: 'high',
      more: { acceptance: 'Metres with one decimal; a caravan is asked for separately.' },
    },
  ],
  [
    'f-11',
    'Price of a vehicle',
    {
      by: 'dmitri',
      status: 'in_progress',
      requirement: 'q-car',
      hours: 10,
      progress: 30,
      start: -2,
      due: 4,
    },
  ],
  ['f-12', 'Deck plan of each ship', { by: 'dmitri', requirement: 'q-car-deck', hours: 16, start: 3, due: 8 }],
  [
    'f-13',
    'Count what is booked on each deck',
    {
      by: 'farid',
      status: 'in_progress',
      requirement: 'q-car-deck',
      hours: 14,
      progress: 50,
      due: 5,
      priority: 'high',
    },
  ],
  ['f-14', 'Refuse a vehicle that no longer fits', { by: 'farid', requirement: 'q-car-deck', hours: 8, start: 5, due: 9 }],
  [
    'f-15',
    'Two people book the last place at once',
    {
      by: 'farid',
      under: 'f-14',
      requirement: 'q-car-deck',
      hours: 5,
      due: 10,
      priority: 'urgent',
    },
  ],
  [
    'f-16',
    'Look up a booking by number and name',
    {
      by: 'cleo',
      status: 'in_review',
      requirement: 'q-change',
      hours: 8,
      progress: 90,
      due: 1,
    },
  ],
  ['f-17', 'Move a booking to another sailing', { by: 'cleo', requirement: 'q-change', hours: 16, start: 3, due: 12 }],
  [
    'f-18',
    'Pay or return the difference',
    {
      by: 'dmitri',
      status: 'blocked',
      requirement: 'q-change',
      hours: 14,
      due: 13,
      priority: 'high',
      more: { blockedReason: 'The payment provider has not opened refunds for our test account yet.' },
    },
  ],
  ['f-19', 'Words for every message about changes', { by: 'ana', requirement: 'q-change', hours: 6, due: 11 }],
  ['f-20', 'Ask three harbour offices to try it', { by: 'ana', under: 'm-freeze', release: 'r-11', hours: 8, start: 8, due: 14 }],
  ['f-21', 'Release notes', { by: 'bo', release: 'r-11', hours: 3, due: RELEASE_NOTES_DUE, priority: 'low' }],
  ['f-22', 'Check every page with a screen reader', { by: 'cleo', under: 'm-freeze', release: 'r-11', hours: 8, due: 13 }],
  ['f-23', 'Nightly copy of the database, tried out', { by: 'buildbot', status: 'in_progress', hours: 4, progress: 25, due: -1 }],
  ['f-24', 'Collect what the auditor asks for', { by: 'bo', under: 'm-audit', hours: 14, start: 10, due: 11 }],
  ['f-25', 'Keep card numbers out of every log', { by: 'dmitri', under: 'm-audit', hours: 6, due: 10, priority: 'high' }],
  ['f-26', 'Which season tickets do other lines sell?', { by: 'bo', requirement: 'q-season', hours: 10, due: 30 }],
  ['f-28', 'Send a message when a sailing is late', { by: 'farid', requirement: 'q-notice', hours: 24, due: 5 }],
  ['f-27', 'Sketch the season ticket page', { requirement: 'q-season', due: 40 }],
];

export function tasks(today: string): Item[] {
  const { task } = itemsOf(today);
  return rows.map((row) => task(...row));
}
