import { avatar } from '../frame/components/avatar.ts';
import { addTile, board, column, emptyColumn, shutColumn, tile } from '../frame/components/board.ts';
import { due } from '../frame/components/due.ts';
import { progressBar } from '../frame/components/marks.ts';
import { priorityIcon } from '../frame/components/priority.ts';
import { statusIcon } from '../frame/components/status.ts';
import { html } from '../frame/html.ts';
import { people, type Samples } from './listSamples.ts';

const sign = (status: 'planned' | 'in_progress' | 'blocked' | 'done') => statusIcon({ status, label: '', beside: true });

export const boardSamples: Samples = {
  title: 'Board',
  show: ({ clock, id }) => [
    [
      'Columns: with tiles, dragging, empty, folded',
      board(`Tasks by status ${id}`, [
        column({ id: `${id}planned`, name: 'Planned', icon: sign('planned'), count: 3, sum: '124 h', add: addTile('#', 'Add a task') }, [
          tile({
            item: 29,
            number: 29,
            title: 'Two people book the last place at once',
            href: '#',
            context: 'Know how much deck is left',
            priority: priorityIcon({ key: 'urgent', label: 'Urgent', rank: 4 }),
            foot: html`${due('2026-12-07', {}, clock)}<span>5 h</span>${avatar(people.farid)}`,
          }),
          tile({ item: 26, number: 26, title: 'Deck plan of each ship', href: '#', class: 'ghost', attributes: html` aria-hidden="true"` }),
          tile({
            item: 32,
            number: 32,
            title: 'Pay or return the difference',
            href: '#',
            context: 'Change a booking',
            why: 'The payment provider has not opened refunds for our test account',
            foot: html`${due('2026-12-10', {}, clock)}<span>14 h</span>${avatar(null)}`,
          }),
        ]),
        column(
          {
            id: `${id}progress`,
            name: 'In progress',
            icon: sign('in_progress'),
            count: 2,
            sum: '16 h',
            wip: { text: '5 of 4', over: true },
          },
          [
            tile({
              item: 37,
              number: 37,
              title: 'Nightly copy of the database, tried out',
              href: '#',
              progress: progressBar({ done: 1, inProgress: 0, total: 4 }),
              foot: html`${due('2026-11-20', {}, clock)}<span>4 h</span>${avatar(people.service)}`,
            }),
            tile({
              item: 24,
              number: 24,
              title: 'Vehicle length and height in the booking form',
              href: '#',
              class: 'drag',
              progress: progressBar({ done: 6, inProgress: 0, total: 10 }),
              foot: html`${due('2026-11-25', {}, clock)}<span>12 h</span>${avatar(people.cleo)}`,
            }),
          ],
        ),
        column(
          { id: `${id}blocked`, name: 'Blocked', icon: sign('blocked'), count: 0 },
          emptyColumn('No cards with status Blocked', 'Drag a card here.'),
        ),
        shutColumn({ name: 'Done', icon: sign('done'), count: 6, href: '#' }),
      ]),
    ],
  ],
};
