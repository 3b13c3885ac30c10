import { statuses } from '../../workspaces/statuses.ts';
import type { Clock } from '../frame/clock.ts';
import { avatar, avatars } from '../frame/components/avatar.ts';
import { button } from '../frame/components/button.ts';
import { due } from '../frame/components/due.ts';
import { icon } from '../frame/components/icon.ts';
import { iconNames } from '../frame/components/icons.ts';
import { approvalBox, badge, kbd, label, progressBar, rice, ring, two } from '../frame/components/marks.ts';
import { priorityIcon } from '../frame/components/priority.ts';
import { statusIcon } from '../frame/components/status.ts';
import { change, composer, say, stream } from '../frame/components/stream.ts';
import { moment } from '../frame/components/when.ts';
import { type Html, html } from '../frame/html.ts';
import { people, type Samples } from './listSamples.ts';

const decide = (id: string) =>
  html`<form action="#"><label class="vh" for="${id}why">Comment on the decision</label><input class="input" id="${id}why" placeholder="Comment (required to reject)">${two(button('Approve', { kind: 'primary', icon: 'check', type: 'button' }), button('Reject', { kind: 'danger', icon: 'x', type: 'button' }))}</form>`;

export const itemSamples: Samples = {
  title: 'Items',
  show: ({ clock, id }) => [
    [
      'Waits',
      approvalBox({
        id: `${id}a1`,
        state: 'pending',
        title: 'Needs your approval',
        text: 'Bo requested approval today 09:10: “Caravans get a field of their own.”',
        decide: decide(id),
      }),
    ],
    ['Approved', approvalBox({ id: `${id}a2`, state: 'approved', title: 'Approved by Ana, Thu 12 Nov' })],
    [
      'Rejected',
      approvalBox({ id: `${id}a3`, state: 'rejected', title: 'Rejected by Bo, Mon 23 Nov', text: 'The price of caravans is missing.' }),
    ],
    [
      'RICE score',
      html`${rice({ score: 1386.7, reach: 5200, impact: 2, confidence: 80, effort: 6, place: 'second of 7 in this workspace' })}<br>${rice({ score: null, reach: 5200, impact: null, confidence: null, effort: 6 })}`,
    ],
    [
      'One history',
      html`${stream(history(clock))}${composer(html`<label class="vh" for="${id}say">Comment</label><textarea id="${id}say" placeholder="Write a comment. Type @ for a person, # for an item"></textarea>`, html`<span class="meta">Watchers will be notified</span><span class="push"></span>${button('Comment', { kind: 'primary', key: 'Ctrl ↵', type: 'button' })}`)}`,
    ],
  ],
};

const history = (clock: Clock) => [
  change({
    icon: 'plus',
    text: html`<b>Bo</b> wrote the requirement and linked it to <a href="#"><b>Most tickets are booked online</b></a>`,
    when: moment('2026-11-02T08:00:00Z', clock),
  }),
  say({
    who: people.ana,
    kind: 'decision',
    sign: statusIcon({ status: 'approved', label: '', beside: true }),
    title: 'Ana Lindqvist approved',
    when: moment('2026-11-12T08:00:00Z', clock),
    body: html`<p>Go ahead. Ask the harbour office about trailers before we promise a price.</p>`,
  }),
  change({
    icon: 'calendar',
    text: html`<b>Bo</b> changed the target date from <del>5 December</del> to <b>9 December</b>`,
    when: moment('2026-11-20T08:00:00Z', clock),
  }),
  say({
    who: people.cleo,
    title: 'Cleo Martins',
    when: moment('2026-11-23T13:20:00Z', clock),
    body: html`<p>The form is done for cars. Caravans still share the field of the car, which confuses people.</p>`,
  }),
  say({
    who: people.bo,
    kind: 'rejected',
    sign: statusIcon({ status: 'planned', approval: 'rejected', label: '', beside: true }),
    title: 'Bo Madsen rejected',
    when: moment('2026-11-24T08:05:00Z', clock),
    body: html`<p>Not without a price.</p>`,
  }),
  say({
    who: people.agent,
    kind: 'agent',
    title: "Note by Ana's assistant",
    badge: badge('plain', 'sparkles', 'rewritten'),
    when: moment('2026-11-25T07:40:00Z', clock),
    body: html`<p>Caravan length is validated in the form and in the booking service.</p>`,
    submitted: 'Successfully implemented comprehensive validation across both layers!!',
  }),
];

const approvals = ['pending', 'approved', 'rejected'] as const;
const named = (sign: Html, words: string) => html`<span class="sg-named">${sign}${words}</span>`;

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
      html`<div class="sg-row">${badge('green', 'circle-check', 'Within capacity')}${badge('amber', 'triangle-alert', 'At risk')}${badge('red', 'octagon-alert', '8 h 12 min over')}${badge('violet', 'flask-conical', 'With testers')}${badge('accent', 'info', 'Beta')}${badge('plain', 'sparkles', 'rewritten')}</div>`,
    ],
    [
      'Labels, keys',
      html`<div class="sg-row">${label('Plain')}${label('Form', 1)}${label('Money', 2)}${label('Deck', 3)}${label('Words', 4)}${label('Running', 5)}${kbd('Ctrl K')}${kbd('N')}</div>`,
    ],
    ['Icons', html`<div class="sg-row sg-icons">${iconNames.map((name) => html`<span title="${name}">${icon(name)}</span>`)}</div>`],
  ],
};
