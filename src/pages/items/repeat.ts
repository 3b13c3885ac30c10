/** How a task repeats: in its properties, and /workspaces/:id/items/:itemId/repeat (behaviour §37.10, §37.11). */
import { baseOf, type Choice, choiceOf, dayName, ruleOf, ruleWords, type Unit, units, usualChoice } from '../../recurring/choices.ts';
import { weekdays } from '../../recurring/parts.ts';
import { LONGEST_RULE, MOST_COUNT, MOST_INTERVAL } from '../../recurring/rule.ts';
import { currentSeries, type Reason, type Series } from '../../recurring/schema.ts';
import { setSeries, stopSeries } from '../../recurring/setSeries.ts';
import { Forbidden, InvalidRequest } from '../../values/errors.ts';
import { type Clock, clockOf } from '../frame/clock.ts';
import { fold, notice, type Property } from '../frame/components/boxes.ts';
import { button, linkButton } from '../frame/components/button.ts';
import { dayWords, within } from '../frame/components/when.ts';
import { type Fields, formsOf } from '../frame/fields.ts';
import type { Form } from '../frame/forms.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { type Refusal, submitted } from '../frame/submitted.ts';
import { checkbox, option, problemBox } from '../frame/widgets.ts';
import { mayWork } from '../workspace/openWorkspace.ts';
import { crumbsToItem } from './head.ts';
import { type ItemPage, idsOf, itemPath, type OpenedItem, openItem } from './pageOf.ts';

const labels = {
  unit: 'Unit',
  every: 'Repeats every',
  days: 'On',
  monthDay: 'Day of the month',
  until: 'Last day',
  count: 'Times',
  rule: 'Rule',
  mode: 'Next task',
};

const wordsOf = ({ rule, startsOn }: Series, clock: Clock): string => ruleWords(rule, startsOn, (date) => within(dayWords(date, clock)));

const whyEnded: Record<Reason, string> = {
  access: 'paused: the person who set it can no longer add tasks here',
  failed: 'paused: the next task could not be created',
  stopped: 'stopped',
  finished: 'ended',
  archived: 'ended: the latest task was archived',
};

function stateOf({ state, reason, problem, mode, nextOn }: Series, clock: Clock): string {
  if (state === 'paused' && problem !== null) return `paused: ${problem}`;
  if (state !== 'active' && reason) return whyEnded[reason];
  return mode === 'closed' || !nextOn ? 'next when this one is closed' : `next on ${within(dayWords(nextOn, clock))}`;
}

export function repeatProperty({ opened, clock }: ItemPage): Property | null {
  const { series, at, item, workspace } = opened;
  if (!series) return null;
  const later = series.latest !== null && series.latest !== item.id && html` · <a href="${workspace.at}/items/${series.latest}">latest</a>`;
  const words = html`${wordsOf(series, clock)} · ${stateOf(series, clock)}`;
  const link = mayWork(workspace, 'task', 'write')
    ? html`<a class="wrap" href="${at}/repeat">${words}</a>`
    : html`<span class="wrap">${words}</span>`;
  return { label: 'Repeats', value: html`${link}${later}` };
}

const unitWords: Record<Unit, string> = {
  day: 'Days',
  weekday: 'Weekdays (Monday to Friday)',
  week: 'Weeks',
  month: 'Months',
  year: 'Years',
};

interface ShownChoice {
  choice: Choice;
  /** A rule that is none of the plain choices; '' if there is none. */
  custom: string;
}

/** The choice of the series, or the usual one for the task. */
function shownChoice({ series, item }: OpenedItem, today: string): ShownChoice {
  const current = currentSeries(series);
  if (!current) return { choice: usualChoice(baseOf(item.fields, today)), custom: '' };
  const choice = choiceOf(current.rule, current.startsOn);
  return choice ? { choice, custom: '' } : { choice: usualChoice(current.startsOn), custom: current.rule };
}

/** The largest number in each field. */
const most = { every: MOST_INTERVAL, monthDay: 31, count: MOST_COUNT };

function choiceFields(fields: Fields, { choice, custom }: ShownChoice): Content {
  const unit = fields.value('unit', choice.unit);
  const number = (name: keyof typeof most, usual: string, required: boolean) =>
    fields.field(
      name,
      (mark) =>
        html`<input type="number" name="${name}" min="1" max="${most[name]}" value="${fields.value(name, usual)}"${required && html` required`}${mark}>`,
    );
  return html`<div class="sides">${number('every', String(choice.every), true)}
${fields.field('unit', (mark) => html`<select name="unit"${mark}>${units.map((one) => option(one, unitWords[one], unit))}</select>`)}</div>
<fieldset class="of-week"><legend>On</legend><div class="actions">${weekdays.map((day) => checkbox('days', day, dayName(day), fields.ticked('days', day, choice.days.includes(day))))}</div>${fields.note('days')}</fieldset>
<div class="of-month">${number('monthDay', String(choice.monthDay), true)}<p class="hint">In shorter months, the last day.</p></div>
<div class="sides">${fields.field('until', (mark) => html`<input type="date" name="until" value="${fields.value('until', choice.until ?? '')}"${mark}>`, 'Leave it empty to repeat without end.')}
${number('count', choice.count ? String(choice.count) : '', false)}</div>
${fold(
  'Custom rule',
  fields.field(
    'rule',
    (mark) =>
      html`<input name="rule" maxlength="${LONGEST_RULE}" placeholder="FREQ=MONTHLY;BYDAY=1MO" value="${fields.value('rule', custom)}"${mark}>`,
    'An RRULE of RFC 5545, with dates only. It replaces the choices above.',
  ),
  { open: custom !== '' || fields.isAtFault('rule') },
)}`;
}

async function show(request: PageRequest, refusal?: Refusal): Promise<Answer> {
  const opened = await openItem(request);
  const { item, workspace, at, series } = opened;
  if (item.type !== 'task' || !mayWork(workspace, 'task', 'write')) throw new Forbidden();
  const clock = clockOf(request);
  const action = `${workspace.path}/items/${item.id}/repeat`;
  const fields = formsOf(request, labels, refusal)(action);
  const current = currentSeries(series);
  const revision = current?.revision ?? 0;
  const mode = fields.value('mode', current?.mode ?? 'day');
  const from = item.fields.startDate ?? item.fields.dueDate;
  const form = postForm(
    request,
    { action, hidden: { revision }, class: 'repeat' },
    choiceFields(fields, shownChoice(opened, clock.today)),
    fields.field(
      'mode',
      (mark) =>
        html`<select name="mode"${mark}>${option('day', 'is created on its date', mode)}${option('closed', 'is created when the latest one is closed', mode)}</select>`,
      `${current ? '' : `Dates count from ${from ? `${within(dayWords(from, clock))}, the date of this task` : 'today'}. `}The next task copies the latest one, with its subtasks. If days were missed, only the latest gets a task.`,
    ),
    html`<p class="hint">Tasks are created with your permissions.</p>
<div class="actions">${button(series?.state === 'paused' ? 'Resume' : 'Save', { kind: 'primary' })}${linkButton(at, 'Cancel')}</div>`,
  );
  const stop =
    current &&
    postForm(request, { action: `${action}/stop`, hidden: { revision }, class: 'plain' }, button('Stop repeating', { kind: 'danger' }));
  return {
    title: 'Repeat',
    status: refusal?.status ?? 200,
    itemType: 'task',
    crumbs: crumbsToItem(workspace, item),
    body: html`<div class="settings">${problemBox(refusal?.problem)}${series && notice(series.state === 'paused' ? 'warning' : 'info', html`Repeats ${wordsOf(series, clock)} · ${stateOf(series, clock)}. Set by ${series.setBy.name}.`)}${form}${stop}</div>`,
  };
}

/** Throws InvalidRequest for choices that make no rule. */
function ruleIn(form: Form, startsOn: string): string {
  if (form.text('rule')) return form.text('rule');
  const unit = units.find((one) => one === form.text('unit'));
  if (!unit) throw new InvalidRequest(['unit'], 'choose days, weekdays, weeks, months or years.');
  const days = weekdays.filter((day) => form.all('days').includes(day));
  if (unit === 'week' && days.length === 0) throw new InvalidRequest(['days'], 'choose at least one day.');
  const number = (name: keyof typeof most) => {
    const given = form.number(name);
    if (given !== null && !(Number.isInteger(given) && given >= 1 && given <= most[name]))
      throw new InvalidRequest([name], `give a number from 1 to ${most[name]}.`);
    return given;
  };
  const until = form.text('until') || null;
  const count = number('count');
  if (until && count) throw new InvalidRequest(['count'], 'leave it empty, or leave the last day empty.');
  return ruleOf(
    { unit, every: number('every') ?? 1, days, monthDay: unit === 'month' ? (number('monthDay') ?? 1) : 1, until, count },
    startsOn,
  );
}

async function save(request: PageRequest): Promise<Answer> {
  const { item, series } = await openItem(request);
  const startsOn = currentSeries(series)?.lastOn ?? baseOf(item.fields, clockOf(request).today);
  const input = (form: Form) => ({
    ...idsOf(request),
    revision: form.number('revision'),
    rule: ruleIn(form, startsOn),
    mode: form.text('mode'),
  });
  return submitted(request, setSeries, input, outcome(request));
}

const stop = (request: PageRequest): Promise<Answer> =>
  submitted(request, stopSeries, (form) => ({ ...idsOf(request), revision: form.number('revision') }), outcome(request));

const outcome = (request: PageRequest) => ({
  labels,
  done: (): Answer => ({ redirect: itemPath(request), notice: 'saved' }),
  again: (refusal: Refusal) => show(request, refusal),
});

export const repeatRoutes: PageRoute[] = [
  { method: 'GET', path: '/workspaces/:id/items/:itemId/repeat', handle: (request) => show(request) },
  { method: 'POST', path: '/workspaces/:id/items/:itemId/repeat', handle: save },
  { method: 'POST', path: '/workspaces/:id/items/:itemId/repeat/stop', handle: stop },
];
