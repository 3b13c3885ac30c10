import { statuses } from '../../workspaces/statuses.ts';
import { avatar, avatars } from '../frame/components/avatar.ts';
import { badge, kbd, label } from '../frame/components/badge.ts';
import { due } from '../frame/components/due.ts';
import { icon } from '../frame/components/icon.ts';
import { iconNames } from '../frame/components/icons.ts';
import { priorityIcon } from '../frame/components/priority.ts';
import { progressBar } from '../frame/components/progress.ts';
import { ring } from '../frame/components/ring.ts';
import { statusIcon } from '../frame/components/status.ts';
import { html } from '../frame/html.ts';
import { people, type Samples } from './sample.ts';

const approvals = ['pending', 'approved', 'rejected'] as const;
const named = (sign: unknown, words: string) => html`<span class="sg-named">${sign as never}${words}</span>`;

const statusOf = statuses.map((status) => named(statusIcon({ status, label: status, beside: true }), status));
const approvalOf = approvals.map((approval) =>
  named(statusIcon({ status: 'planned', label: approval, approval, beside: true }), `approval ${approval}`),
);
const priorities = ['urgent', 'high', 'normal', 'low'].map((key, at) =>
  named(priorityIcon({ key, label: key, rank: 4 - at, beside: true }), key),
);

export const signSamples: Samples = {
  title: 'Signs',
  show: ({ clock }) => [
    ['Status: a dial that fills up', html`<div class="sg-row">${statusOf}</div>`],
    ['Approval', html`<div class="sg-row">${approvalOf}</div>`],
    ['A name of its own, said', statusIcon({ status: 'in_review', label: 'With testers' })],
    ['Priority', html`<div class="sg-row">${priorities}</div>`],
    [
      'Due',
      html`<div class="sg-row">${['2026-11-20', '2026-11-24', '2026-11-25', '2026-11-26', '2026-11-27', '2026-12-10', '2027-01-18'].map(
        (date) => due(date, {}, clock),
      )}${due('2026-11-20', { closed: true }, clock)}${due(null, {}, clock)}</div>`,
    ],
    [
      'Progress of one thing',
      html`<div class="sg-row">${[0, 0.005, 0.25, 0.6, 0.99, 1].map((part) => ring(part, `${part * 100} % done`))}${ring(0.4, '40 % done', 'big')}</div>`,
    ],
    [
      'Progress of a sum',
      html`${progressBar({ done: 17, inProgress: 20, total: 65 })}<br>${progressBar({ done: 0, inProgress: 0, total: 0 })}<br>${progressBar({ done: 3, inProgress: 0, total: 3 })}`,
    ],
    [
      'People, agents, services, unassigned',
      html`<div class="sg-row">${Object.values(people).map((who) => avatar(who))}${avatar(null)}${avatar(people.ana, { size: 'l' })}${avatar(people.agent, { size: 'l' })}</div>`,
    ],
    ['Several', html`<div class="sg-row">${avatars([people.ana, people.bo, people.agent])}${avatars(Object.values(people))}</div>`],
    [
      'Verdicts',
      html`<div class="sg-row">${badge('green', 'circle-check', 'Within capacity')}${badge('amber', 'triangle-alert', 'At risk')}${badge('red', 'octagon-alert', '8.2 h over')}${badge('violet', 'flask-conical', 'With testers')}${badge('accent', 'info', 'Beta')}${badge('plain', 'sparkles', 'rewritten')}</div>`,
    ],
    [
      'Labels, keys',
      html`<div class="sg-row">${label('Plain')}${label('Form', 1)}${label('Money', 2)}${label('Deck', 3)}${label('Words', 4)}${label('Running', 5)}${kbd('Ctrl K')}${kbd('N')}</div>`,
    ],
    ['Icons', html`<div class="sg-row sg-icons">${iconNames.map((name) => html`<span title="${name}">${icon(name)}</span>`)}</div>`],
  ],
};
