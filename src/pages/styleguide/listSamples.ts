import type { Clock } from '../frame/clock.ts';
import { type AvatarProps, avatar } from '../frame/components/avatar.ts';
import { group } from '../frame/components/boxes.ts';
import { button, iconButton } from '../frame/components/button.ts';
import { due } from '../frame/components/due.ts';
import { icon } from '../frame/components/icon.ts';
import { markdown } from '../frame/components/markdown.ts';
import { kbd, label, ring } from '../frame/components/marks.ts';
import { paletteGroup, paletteInside, paletteOption } from '../frame/components/palette.ts';
import { priorityIcon } from '../frame/components/priority.ts';
import { bulkAction, bulkBar, estimateCell, pick, type RowProps, row } from '../frame/components/row.ts';
import { statusIcon } from '../frame/components/status.ts';
import { type Content, html } from '../frame/html.ts';

export interface Samples {
  title: string;
  /** Names and components. Ids must start with `id`, because each sample is shown twice. */
  show(of: { clock: Clock; id: string }): [string, Content][];
}

export const people = {
  ana: { id: 6, name: 'Ana Lindqvist', kind: 'person' },
  bo: { id: 1, name: 'Bo Madsen', kind: 'person' },
  cleo: { id: 2, name: 'Cleo Martins', kind: 'person' },
  dmitri: { id: 3, name: 'Dmitri Sokolov', kind: 'person' },
  farid: { id: 4, name: 'Farid Haddad', kind: 'person' },
  gro: { id: 5, name: 'Gro', kind: 'person' },
  agent: { id: 7, name: "Ana's assistant", kind: 'agent' },
  service: { id: 8, name: 'Build bot', kind: 'service' },
} as const satisfies Record<string, AvatarProps>;

const inProgress = statusIcon({ status: 'in_progress', label: 'In progress' });
const actions = (number: number) => [
  iconButton('play', `Start timer on ${number}`, { type: 'button', size: 's' }),
  iconButton('calendar-plus', `Plan ${number} in the calendar`, { type: 'button', size: 's' }),
  iconButton('ellipsis', `Actions for ${number}`, { type: 'button', size: 's' }),
];

interface Line extends Partial<RowProps> {
  number: number;
  title: string;
  done?: number;
  est?: string | null;
  date?: string | null;
  prio?: string;
  who?: AvatarProps | null;
  checked?: boolean;
}

function line(clock: Clock, id: string, { done = 0, est = null, date = null, prio = 'normal', who = null, checked, ...of }: Line): Content {
  return row({
    href: '#',
    status: inProgress,
    actions: actions(of.number),
    ...of,
    pick: pick({ value: of.number, label: `Select task ${of.number}`, form: `${id}bulk`, checked }),
    cells: [
      { kind: 'ring', content: ring(done, `${done * 100} % done`) },
      { kind: 'est', content: estimateCell(est) },
      { kind: 'due', content: due(date, {}, clock) },
      { kind: 'prio', content: priorityIcon({ key: prio, label: prio, rank: 2 }) },
      { kind: 'who', content: avatar(who) },
    ],
  });
}

const lines: readonly Line[] = [
  {
    ...{ number: 37, title: 'Nightly copy of the database, tried out', done: 0.25, est: '4 h', date: '2026-11-20', who: people.service },
    tags: label('Running', 5),
  },
  {
    ...{ number: 24, title: 'Vehicle length and height in the booking form', done: 0.6, est: '12 h', date: '2026-11-25', who: people.cleo },
    ...{ context: 'Take a car along', tags: label('Form', 1), prio: 'high' },
  },
  {
    ...{ number: 25, title: 'Price of a vehicle', done: 0.3, est: '10 h', date: '2026-11-27', who: people.dmitri },
    ...{ context: 'Take a car along', class: 'is-hover' },
  },
  {
    ...{ number: 27, title: 'Count what is booked on each deck', done: 0.5, est: '14 h', date: '2026-11-30', who: people.farid },
    ...{ context: 'Know how much deck is left', checked: true, prio: 'urgent' },
  },
  {
    ...{ number: 32, title: 'Pay or return the difference', date: '2026-12-10', prio: 'low' },
    why: 'The payment provider has not opened refunds for our test account',
    status: statusIcon({ status: 'blocked', label: 'Blocked' }),
  },
  {
    ...{ number: 12, title: 'Take a car along', context: 'Bo requests your approval', who: people.bo },
    status: statusIcon({ status: 'pending_approval', label: 'Waiting for approval' }),
    ...{ actions: null, always: button('Decide', { small: true, type: 'button' }) },
  },
];

const rows = (clock: Clock, id: string): Content => [
  lines.map((one) => line(clock, id, one)),
  html`<li class="row new"><form action="#">${icon('plus')}<input class="input" aria-label="New task" placeholder="New task: title, #parent, 4h, friday, @cleo"><span class="tail">${button('Add', { small: true, kind: 'quiet', key: 'Enter', type: 'button' })}</span></form></li>`,
];

export const listSamples: Samples = {
  title: 'Lists',
  show: ({ clock, id }) => [
    [
      'Groups of rows: late, today, hovered, selected, blocked, waiting, new',
      html`${group({ id: `${id}group`, icon: statusIcon({ status: 'in_progress', label: '', beside: true }), title: 'In progress', count: 6, sum: html`<b>40 h</b> · 21 h 48 min left` }, rows(clock, id))}${group({ id: `${id}late`, icon: icon('triangle-alert', 's'), title: 'Overdue', late: true, count: 1, sum: html`<b>2 h</b>`, open: false }, html``)}`,
    ],
    [
      'Actions for selected items',
      html`<form id="${id}bulk" action="#">${bulkBar({ count: 1, clear: html`<button type="reset">Clear ${kbd('Esc')}</button>` }, [bulkAction('circle-dashed', 'Status', { value: 'status' }), bulkAction('user', 'Assignee', { value: 'assignee' }), bulkAction('archive', 'Archive', { value: 'archive' })])}</form>`,
    ],
    [
      'Search and commands',
      html`<div class="palette sg-palette">${paletteInside({
        id: `${id}palette`,
        label: 'Search or command',
        value: 'deck',
        results: [
          paletteGroup('Work', [
            paletteOption({
              icon: inProgress,
              label: 'Know how much deck is left',
              note: 'Requirement 13',
              href: '#',
              key: 'Enter',
              active: true,
            }),
            paletteOption({ icon: inProgress, label: 'Count what is booked on each deck', note: '27', href: '#' }),
          ]),
          paletteGroup('Do', [paletteOption({ icon: icon('plus'), label: 'New task “deck”', href: '#', key: 'N' })]),
        ],
      })}</div>`,
    ],
  ],
};

const text = `# Caravans

They count as **two cars**, see #24 and ask @Bo Madsen. More at https://stint.example/caravans or [in the tariff](https://stint.example/tariff).

- length up to *12 m*
- height: \`height <= 4.2\`
    - with a roof box

1. measure
2. book

> It was always so.

\`\`\`
price(length) = base + ${'perMetre * '.repeat(12)}length
\`\`\`

| Length | Price |
|--------|-------|
| 5 m    | 40    |
| 7 m    | 62    |

![A deck plan](https://pictures.example/deck.png) and <b>no HTML</b>
`;

export const textSamples: Samples = {
  title: 'Texts',
  show: () => [['Markdown', markdown(text, { items: '/workspaces/1/items', people: [people.bo] })]],
};
