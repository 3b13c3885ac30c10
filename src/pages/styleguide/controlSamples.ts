import { field, segments } from '../frame/components/boxes.ts';
import { button, iconButton, iconLink, linkButton } from '../frame/components/button.ts';
import { icon } from '../frame/components/icon.ts';
import { addChip, chip } from '../frame/components/marks.ts';
import { menu, menuLine, menuTitle, option } from '../frame/components/palette.ts';
import { statusIcon } from '../frame/components/status.ts';
import { html } from '../frame/html.ts';
import type { Samples } from './listSamples.ts';

const planned = statusIcon({ status: 'planned', label: 'Planned', beside: true });
const blocked = statusIcon({ status: 'blocked', label: 'Blocked', beside: true });
const done = statusIcon({ status: 'done', label: 'Done', beside: true });

const statusMenu = [
  menuTitle('Change status', 'S'),
  option('Planned', { icon: planned, key: '1', name: 'status', value: 'planned' }),
  option('Blocked', { icon: blocked, key: '2', name: 'status', value: 'blocked', current: true }),
  option('Done', { icon: done, key: '3', name: 'status', value: 'done', note: 'asks nothing' }),
  menuLine,
  option('Archive', { icon: icon('archive'), href: '#', danger: true }),
];

export const controlSamples: Samples = {
  title: 'Controls',
  show: ({ id }) => [
    [
      'Buttons',
      html`<div class="sg-row">${button('New task', { kind: 'primary', icon: 'plus', key: 'N', type: 'button', attributes: html` data-sample` })}${button('Edit', { icon: 'pencil', type: 'button' })}${button('Activity', { kind: 'quiet', icon: 'history', type: 'button' })}${button('Reject', { kind: 'danger', icon: 'x', type: 'button' })}</div>`,
    ],
    [
      'Small, disabled, links',
      html`<div class="sg-row">${button('Log', { kind: 'primary', small: true, key: 'Enter', type: 'button' })}${button('Decide', { small: true, type: 'button' })}${button('More', { kind: 'quiet', small: true, type: 'button' })}${button('Saved', { disabled: true, type: 'button' })}${button('Send', { kind: 'primary', disabled: true, type: 'button' })}${linkButton('#', 'All activity')}</div>`,
    ],
    ['As wide as its place', button('Start timer', { icon: 'play', block: true, type: 'button' })],
    [
      'Icons alone',
      html`<div class="sg-row">${iconButton('play', 'Start timer on 25', { type: 'button', size: 's' })}${iconLink('#', 'chevron-up', 'Previous task')}${iconButton('ellipsis', 'More', { type: 'button' })}${iconButton('x', 'Close', { type: 'button', disabled: true })}</div>`,
    ],
    [
      'Switch of views',
      segments(`View ${id}`, [
        { href: '#', label: 'List', icon: 'rows-3', current: true },
        { href: '#', label: 'Board', icon: 'columns-3' },
        { href: '#', label: 'Timeline', icon: 'chart-gantt' },
      ]),
    ],
    [
      'Filters',
      html`<div class="sg-row">${chip({ label: 'Status', value: 'open', icon: 'circle-dashed', href: '#', removeHref: '#' })}${chip({ label: 'Assignee', value: '5 people, 1 agent', icon: 'user', href: '#', removeHref: '#' })}${chip({ label: 'Group', value: 'Status', icon: 'layers', href: '#', opens: true })}${addChip('Filter', '#')}</div>`,
    ],
    [
      'Menu',
      html`<div class="sg-menu">${menu(planned, html`<form action="#">${statusMenu}</form>`, { label: 'Status of task 32: Blocked. Change', open: true })}</div>`,
    ],
    [
      'Fields',
      html`${field({ label: 'Title', name: `${id}title`, hint: 'Short, and what is different afterwards.', control: (mark) => html`<input class="input" id="${id}title" value="Price of a vehicle"${mark}>` })}${field({ label: 'Estimate', name: `${id}estimate`, error: 'Give hours between 0 and 10,000.', control: (mark) => html`<input class="input" id="${id}estimate" value="soon"${mark}>` })}${field({ label: 'Description', name: `${id}text`, optional: true, control: (mark) => html`<textarea class="area" id="${id}text" rows="3" placeholder="What is it for?"${mark}></textarea>` })}${field({ label: 'Closed', name: `${id}closed`, control: (mark) => html`<input class="input" id="${id}closed" value="Nothing to change here" disabled${mark}>` })}`,
    ],
  ],
};
