/** "Move to…" and "Give to…" for a task of a person's week (behaviour §24.16). Pages without script, parts of the popover with it. */
import { applyWhatIf } from '../../capacity/whatIf/applyWhatIf.ts';
import { sealPlace } from '../../live/place.ts';
import { addDays, isDate, mondayOf } from '../../values/dates.ts';
import { Forbidden, InvalidRequest } from '../../values/errors.ts';
import { type Clock, clockOf } from '../frame/clock.ts';
import { avatar } from '../frame/components/avatar.ts';
import { notice } from '../frame/components/boxes.ts';
import { linkButton } from '../frame/components/button.ts';
import { icon } from '../frame/components/icon.ts';
import { menuTitle, option } from '../frame/components/palette.ts';
import { estimate, monthDay } from '../frame/components/when.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { call } from '../frame/session.ts';
import { type Refusal, submitted } from '../frame/submitted.ts';
import { undoOf } from '../frame/toast.ts';
import { itemLink, type Opened, openChosen } from '../items/change/open.ts';
import { spanOf, spanValue } from '../items/change/spans.ts';
import { formLabels } from '../items/form.ts';
import { capacityQuery, readCapacity } from './scope.ts';
import { freeWords } from './words.ts';

type Offer = 'move' | 'give';

interface Place {
  workspaceId: number;
  from: string;
  week: string;
  personId: number;
}

export const offerQuery = ({ workspaceId, from, week, personId }: Place): string =>
  `workspaceId=${workspaceId}&from=${from}&week=${week}&person=${personId}`;

const pathOf = (workspaceId: number, taskId: number, offer: Offer) => `/capacity/workspaces/${workspaceId}/tasks/${taskId}/${offer}`;

/** `query`: of offerQuery. */
export function offerLinks(
  basePath: string,
  { id, workspaceId, title }: { id: number; workspaceId: number; title: string },
  query: string,
) {
  const link = (offer: Offer, label: string, more: string) =>
    html`<a href="${basePath}${pathOf(workspaceId, id, offer)}?${query}" data-menu-more>${label}<span class="vh"> ${more}: ${title}</span></a>`;
  return html`<span class="offers">${link('move', 'Move to…', 'another week')}${link('give', 'Give to…', 'another person')}</span>`;
}

const FRIDAY = 4;
const SUNDAY = 6;

/** A later week starts the task on its Monday, and makes it due on its Friday unless it is due later. An earlier week makes it due on its
 *  Friday, and starts it no later than its Monday. */
function datesIn(monday: string, week: string, today: string, { start, due }: { start: string | null; due: string | null }) {
  const friday = addDays(monday, FRIDAY);
  // On a weekend the current week's Friday is over.
  const end = friday < today ? addDays(monday, SUNDAY) : friday;
  if (monday > week) return { start: monday, due: due !== null && due > end ? due : end };
  return { start: start !== null && start > monday ? monday : start, due: end };
}

interface Shown {
  opened: Opened;
  task: Opened['items'][number];
  weeks: readonly string[];
  /** Free hours by person, of each of `weeks`, then until the Friday of `week`. */
  free: ReadonlyMap<number, readonly (number | null)[]>;
  week: string;
  today: string;
  clock: Clock;
}

const dateIn = (value: unknown): string | null => (typeof value === 'string' ? value : null);

function weekOptions({ task: { fields }, weeks, free, week, today, clock }: Shown): Content {
  const now = { start: dateIn(fields.startDate), due: dateIn(fields.dueDate) };
  const hours = free.get(Number(fields.assigneeId));
  return weeks
    .filter((one) => one !== week)
    .map((one) => {
      const { start, due } = datesIn(one, week, today, now);
      const label = one === mondayOf(today) ? 'This week' : `Week of ${monthDay(one, clock)}`;
      const left = hours?.[weeks.indexOf(one)] ?? null;
      const note = left === null ? {} : { note: `${estimate(left)} free` };
      return option(label, { name: 'value', value: spanValue(start, due), icon: icon('calendar', 's'), ...note });
    });
}

function personOptions({ opened, task, free, week, clock }: Shown): Content {
  return opened.options.assignees
    .filter(({ id }) => id !== task.fields.assigneeId)
    .map(({ id, name }) => ({ id, name, hours: free.get(id)?.at(-1) ?? null }))
    .sort((one, other) => (other.hours ?? -1) - (one.hours ?? -1) || one.name.localeCompare(other.name))
    .map(({ id, name, hours }) => {
      const note = hours === null ? {} : { note: freeWords(hours, addDays(week, FRIDAY), clock) };
      return option(name, { name: 'value', value: id, icon: avatar({ id, name, kind: 'person' }, { beside: true }), ...note });
    });
}

async function showOffer(request: PageRequest, offer: Offer, refusal?: Refusal): Promise<Answer> {
  const { basePath, params, query } = request;
  const day = query.get('week') ?? '';
  if (!isDate(day)) throw new InvalidRequest(['week'], 'give a day as YYYY-MM-DD.');
  const opened = await openChosen(request, [Number(params.itemId)], {});
  const [task] = opened.items;
  const capacity = await readCapacity(request);
  if (task?.type !== 'task' || !capacity) throw new Forbidden();
  const { people, today, workspaceId, from } = capacity;
  const week = mondayOf(day);
  const weeks = (people[0]?.weeks ?? []).map((one) => one.week).filter((one) => one >= mondayOf(today));
  const spans = [...weeks.map((one) => ({ from: one, until: addDays(one, FRIDAY) })), { until: addDays(week, FRIDAY) }];
  const candidates = await call(request, request.deps.listFree, { workspaceId: opened.workspace.id, spans });
  const free = new Map(candidates.map(({ id, freeHours }) => [id, freeHours]));
  const shown = { opened, task, weeks, free, week, today, clock: clockOf(request) };
  const options = offer === 'move' ? weekOptions(shown) : personOptions(shown);
  const personId = Number(query.get('person'));
  const place = offerQuery({ workspaceId, from, week, personId });
  const action = `${pathOf(opened.workspace.id, task.id, offer)}?${place}`;
  const title = `${offer === 'move' ? 'Move' : 'Give'} #${task.id} to…`;
  return {
    title,
    status: refusal?.status ?? 200,
    crumbs: html`<a href="${basePath}/capacity?workspaceId=${workspaceId}&from=${from}">Capacity</a>`,
    body: html`<p>${itemLink(opened.workspace.at, task)}</p>
<section id="change" class="change" aria-label="${title}">${menuTitle(title)}${refusal && notice('error', problemOf(refusal))}
${postForm(request, { action, once: true, hidden: { version: task.version } }, html`<div class="opts">${options}</div>`)}</section>
<p class="actions">${linkButton(`${basePath}/capacity/people/${personId}?${place}`, 'Go back')}</p>`,
  };
}

const problemOf = ({ error, problem }: Refusal): string =>
  error.code === 'conflict' ? 'Another user changed this task. Check it, then choose again.' : problem;

function saveOffer(request: PageRequest, offer: Offer): Promise<Answer> {
  const { deps, form, params, query } = request;
  const { id: workspaceId, itemId } = { id: Number(params.id), itemId: Number(params.itemId) };
  const version = form.number('version') ?? 0;
  const value = form.text('value');
  const { start, end } = spanOf(value);
  const change = offer === 'move' ? { startDate: start || null, dueDate: end || null } : { assigneeId: Number(value) };
  const scope = capacityQuery(query);
  return submitted(request, applyWhatIf, () => ({ workspaceId, tasks: [{ id: itemId, version, ...change }], people: [] }), {
    labels: formLabels,
    done: ({ saved }) => ({
      redirect: `/capacity?workspaceId=${scope.workspaceId}${scope.from ? `&from=${scope.from}` : ''}&saved=${sealPlace(deps.config.secretKey, saved)}`,
      notice: 'changed',
      undo: undoOf.items({ workspaceId, itemId, version: version + 1 }),
    }),
    again: (refusal) => showOffer(request, offer, refusal),
  });
}

export const offerRoutes: PageRoute[] = (['move', 'give'] as const).flatMap((offer): PageRoute[] => [
  { method: 'GET', path: `/capacity/workspaces/:id/tasks/:itemId/${offer}`, handle: (request) => showOffer(request, offer) },
  { method: 'POST', path: `/capacity/workspaces/:id/tasks/:itemId/${offer}`, handle: (request) => saveOffer(request, offer) },
]);
