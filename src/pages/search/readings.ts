/** Readings of the typed line (behaviour §22.12): rows above the search results. Each is the form of My day's line. */
import { clockOf } from '../frame/clock.ts';
import { icon } from '../frame/components/icon.ts';
import type { IconName } from '../frame/components/icons.ts';
import { estimate, longDay, shortDay } from '../frame/components/when.ts';
import { type Content, html } from '../frame/html.ts';
import type { PageRequest } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { type Capture, captured, itemsOf, kindOf, spanIn, type TaskReading, type TimeReading, workspaceForTasks } from '../my/capture.ts';
import { LINE } from '../my/line.ts';

interface Asked {
  q: string;
  at: number | null;
  back: string;
}

export interface Readings {
  /** True if Enter carries out the first: the line has more than a title. */
  leads: boolean;
  title: string;
  rows: Content[];
}

/** Null for lines that are only searched. */
export async function readingsOf(request: PageRequest, { q, at, back }: Asked): Promise<Readings | null> {
  if (q === '') return null;
  const workspaceId = workspaceForTasks(request, at);
  const capture = await captured(request, q, { workspaceId });
  const rows = rowsOf(request, capture, { action: LINE, hidden: { text: capture.text, in: workspaceId, back } });
  if (rows.length === 0) return null;
  const { words = {}, labels = [] } = capture.task?.work ?? {};
  const plain = capture.does === 'task' && Object.keys(words).length + labels.length === 0;
  return plain
    ? null
    : { leads: capture.does !== null && !capture.problem, title: capture.does === 'time' ? 'Log or plan' : 'Create', rows };
}

interface Sends {
  action: string;
  hidden: Record<string, string | number | null>;
}

/** The reading that Enter carries out comes first. */
function rowsOf(request: PageRequest, { does, task, time }: Capture, sends: Sends): Content[] {
  const send = (hidden: Record<string, string | number>, content: Content) =>
    postForm(
      request,
      { action: sends.action, once: true, hidden: { ...sends.hidden, ...hidden } },
      html`<button class="opt reading-row">${content}</button>`,
    );
  const makes = task && task.work.title !== '' && task.work.faults.length === 0 ? [send({ as: 'task' }, taskRow(request, task))] : [];
  const usable = time?.problem === null && (does === 'time' || time.found) ? time : null;
  const records = usable ? itemsOf(usable).map(({ id, title }) => send({ itemId: id }, timeRow(request, usable, `${id} ${title}`))) : [];
  return does === 'time' ? [...records, ...makes] : [...makes, ...records];
}

const chip = (name: IconName, text: Content): Content => html`<span class="chip-of">${icon(name, 's')}${text}</span>`;

function taskRow(request: PageRequest, { workspaceId, work }: TaskReading): Content {
  const { title, day, person, estimatedHours, below, priority, labels } = work;
  const place = request.user.frame?.workspaces.find(({ id }) => id === workspaceId)?.name;
  const chips = [
    day && chip('calendar', shortDay(day, clockOf(request))),
    person && chip('user', person.name),
    estimatedHours !== null && chip('timer', estimate(estimatedHours)),
    priority && chip('chevrons-up', priority.label),
    below && chip('link', `${below.id} ${below.title}`),
    ...labels.map(({ name }) => chip('tag', name)),
  ].filter(Boolean);
  return html`${icon('plus')}<span class="cut">Create task <b>${title}</b>${place && ` in ${place}`}${chips.length > 0 && html`<span class="chips-of">${chips}</span>`}</span>`;
}

function timeRow(request: PageRequest, { line, note }: TimeReading, item: string): Content {
  const verb = kindOf(line) === 'time' ? 'Log' : 'Plan';
  const { length, date } = spanIn(line);
  const day = longDay(date, clockOf(request));
  return html`${icon(verb === 'Log' ? 'timer' : 'calendar-plus')}<span class="cut">${verb} <b>${length}</b> on <b>${item}</b>, ${day}${note && `, with the note “${note}”`}</span>`;
}

export const readingsPart = ({ title, rows: [first, ...others] }: Readings): Content =>
  html`<section><h2>${title}</h2><ul class="found"><li>${first}</li></ul></section>${
    others.length > 0 &&
    html`<section><h2>Or did you mean</h2><ul class="found">${others.map((one) => html`<li>${one}</li>`)}</ul></section>`
  }`;
