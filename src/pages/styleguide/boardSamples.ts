import type { Clock } from '../frame/clock.ts';
import { type AvatarProps, avatar } from '../frame/components/avatar.ts';
import { addTile, board, collapsedColumn, column, emptyColumn, type TileProps, tile } from '../frame/components/board.ts';
import { due } from '../frame/components/due.ts';
import { progressBar } from '../frame/components/marks.ts';
import { priorityIcon } from '../frame/components/priority.ts';
import { statusIcon } from '../frame/components/status.ts';
import { type Html, html } from '../frame/html.ts';
import { people, type Samples } from './listSamples.ts';

const sign = (status: 'planned' | 'in_progress' | 'blocked' | 'done') => statusIcon({ status, label: '', beside: true });

interface Sample extends Partial<TileProps> {
  item: number;
  title: string;
  date: string;
  hours: string;
  who: AvatarProps | null;
}

const sample = (clock: Clock, { date, hours, who, ...of }: Sample): Html =>
  tile({ href: '#', number: of.item, ...of, foot: html`${due(date, {}, clock)}<span>${hours}</span>${avatar(who)}` });

const planned = (clock: Clock) => [
  sample(clock, {
    ...{ item: 29, title: 'Two people book the last place at once', date: '2026-12-07', hours: '5 h', who: people.farid },
    context: 'Know how much deck is left',
    priority: priorityIcon({ key: 'urgent', label: 'Urgent', rank: 4 }),
  }),
  tile({ item: 26, number: 26, title: 'Deck plan of each ship', href: '#', class: 'ghost', attributes: html` aria-hidden="true"` }),
  sample(clock, {
    ...{ item: 32, title: 'Pay or return the difference', date: '2026-12-10', hours: '14 h', who: null },
    context: 'Change a booking',
    why: 'The payment provider has not opened refunds for our test account',
  }),
];

const begun = (clock: Clock) => [
  sample(clock, {
    ...{ item: 37, title: 'Nightly copy of the database, tried out', date: '2026-11-20', hours: '4 h', who: people.service },
    progress: progressBar({ done: 1, inProgress: 0, total: 4 }),
  }),
  sample(clock, {
    ...{ item: 24, title: 'Vehicle length and height in the booking form', date: '2026-11-25', hours: '12 h', who: people.cleo },
    class: 'drag',
    progress: progressBar({ done: 6, inProgress: 0, total: 10 }),
  }),
];

export const boardSamples: Samples = {
  title: 'Board',
  show: ({ clock, id }) => [
    [
      'Columns: with tiles, dragging, empty, folded',
      board(`Tasks by status ${id}`, [
        column(
          { id: `${id}planned`, name: 'Planned', icon: sign('planned'), count: 3, sum: '124 h', add: addTile('#', 'Add a task') },
          planned(clock),
        ),
        column(
          {
            ...{ id: `${id}progress`, name: 'In progress', icon: sign('in_progress'), count: 2, sum: '16 h' },
            wip: { text: '5 of 4', over: true },
          },
          begun(clock),
        ),
        column(
          { id: `${id}blocked`, name: 'Blocked', icon: sign('blocked'), count: 0 },
          emptyColumn('No cards with status Blocked', 'Drag a card here.'),
        ),
        collapsedColumn({ name: 'Done', icon: sign('done'), count: 6, href: '#' }),
      ]),
    ],
  ],
};
