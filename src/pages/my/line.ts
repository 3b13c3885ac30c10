/** The line of My day: makes tasks, records time and plans it (behaviour §20.4–§20.7). Its form and preview. */
import type { Choice } from '../../overviews/workForTime.ts';
import { type Clock, clockOf } from '../frame/clock.ts';
import { button } from '../frame/components/button.ts';
import { icon } from '../frame/components/icon.ts';
import { understood } from '../frame/components/row.ts';
import { dayWords, longDay, shortDay, within } from '../frame/components/when.ts';
import { type Content, type Html, html } from '../frame/html.ts';
import { fetchPart } from '../frame/live.ts';
import type { PageRequest } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { previewOf } from '../workspace/quickAdd.ts';
import {
  type Capture,
  type Does,
  itemsOf,
  kindOf,
  MOST_TYPED,
  nothingTyped,
  spanIn,
  type TimeReading,
  workspaceForTasks,
} from './capture.ts';
import { isShownDate } from './landing.ts';

export const LINE = '/my/line';

export interface ShownLine {
  capture: Capture;
  /** The workspace of new tasks; null if the user may not add any. */
  workspaceId: number | null;
  /** The page to return to, below the context path. */
  back: string;
  refused?: string | undefined;
}

export const emptyLine = (request: PageRequest, back: string): ShownLine => ({
  capture: nothingTyped,
  workspaceId: workspaceForTasks(request),
  back,
});

/** The day of My day to which the line returns; undefined for today and on other pages. */
export function dayShownIn(back: string, today: string): string | undefined {
  const [path, query] = back.split('?', 2);
  const day = path === '/' ? (new URLSearchParams(query).get('day') ?? '') : '';
  return isShownDate(day) && day !== today ? day : undefined;
}

/** The preview is fetched while the user types. The form does not wait for it: the server reads the line again. */
export function lineForm(request: PageRequest, shown: ShownLine): Html {
  const { capture, workspaceId, back, refused } = shown;
  const given = { back, in: workspaceId };
  const query = new URLSearchParams({ back, ...(workspaceId && { in: String(workspaceId) }) });
  const live = html` hx-get="${request.basePath}${LINE}?${String(query)}" hx-trigger="input changed delay:200ms"${fetchPart('#line-said')}`;
  const fault = refused && html` aria-invalid="true" autofocus`;
  return postForm(
    request,
    {
      action: LINE,
      id: 'capture',
      once: true,
      class: 'quick',
      autocomplete: 'off',
      live: '#capture',
      hidden: given,
      data: { clear: true, queue: true },
    },
    html`<div class="quick-line"><label class="vh" for="line">Add a task, or log or plan time</label>${icon('plus')}<input class="input" id="line" name="text" value="${capture.text}" maxlength="${MOST_TYPED}" placeholder="Order paper friday 4h, or 45m with # and a number" aria-describedby="line-said"${fault}${live}>${button('Add', { kind: 'primary', small: true, key: 'Enter' })}</div>
${linePreview(request, shown)}`,
  );
}

/** `for` and `understood`: the previewed text and its reading. The server compares them when the line is sent. */
function linePreview(request: PageRequest, { capture, back, refused }: ShownLine): Html {
  const { text, key, does, problem } = capture;
  const fault = refused ?? problem;
  const clock = clockOf(request);
  const day = dayShownIn(back, clock.today);
  const reading = html`<div class="reading">${fault && html`<span class="fault"${refused && html` role="alert"`}>${fault}</span> `}${
    does && !problem && meaningOf(request, capture, does, clock)
  }${others(capture, clock)}</div>`;
  return html`<div class="said" id="line-said" aria-live="polite"><input type="hidden" name="for" value="${text}"><input type="hidden" name="understood" value="${key}">${hintOn(day && shortDay(day, clock))}${(text !== '' || fault) && reading}</div>`;
}

/** `day`: the day of a time that names none, if it is not today. */
const hintOn = (day: string | undefined): Html =>
  html`<span class="how">A title adds a task. A time and the # of an item logs or plans work on it${day ? html`, on ${day} unless it names another day` : ''}: <b>45m</b> or <b>9-11 tomorrow</b>.</span>`;

export function meaningOf(request: PageRequest, { text, task, time }: Capture, does: Does, clock: Clock): Content {
  if (does === 'time') return time && timeMeaning(time, clock);
  if (!task) return null;
  const place = request.user.frame?.workspaces.find(({ id }) => id === task.workspaceId)?.name;
  return html`${previewOf(text, task.work, clock)}${place && html` <span>in</span> <mark>${place}</mark>`}`;
}

function timeMeaning({ line, work, note, counts }: TimeReading, clock: Clock): Content {
  const { length, date } = spanIn(line);
  const words = understood(
    kindOf(line) === 'time' ? 'Logs' : 'Plans',
    { mark: length },
    { mark: longDay(date, clock) },
    ...(work ? ['on', { mark: `${work.id} ${work.title}` }] : []),
    ...(note ? ['with the note', { mark: note }] : []),
  );
  return html`${words}${counts?.elsewhere && html` <span>This counts on ${longDay(counts.date, clock)}. Days of recorded time start at 00:00 UTC.</span>`}`;
}

/** The other readings, and the items to choose from: each is one button. */
function others(capture: Capture, clock: Clock): Content {
  const { does, task, time } = capture;
  const usable = time?.problem === null ? time : null;
  const which = does === 'time' && usable !== null && !usable.work;
  const offersTask = does !== 'task' && task !== null && task.work.title !== '' && task.work.faults.length === 0;
  const offered = usable && (which || (does !== 'time' && usable.found)) ? usable : null;
  const choices = [
    ...(offered ? itemsOf(offered).map((choice) => timeButton(offered, choice, clock)) : []),
    offersTask && html`<button class="opt" name="as" value="task">${icon('plus')}<span>Add task <b>${task.work.title}</b></span></button>`,
  ].filter(Boolean);
  if (choices.length === 0) return null;
  const asks = which ? (usable.note ? 'No matching item. Which item?' : 'Which item?') : does === null ? 'Choose what to do' : 'Or';
  return html`<fieldset class="which"><legend>${asks}</legend>${choices}</fieldset>`;
}

function timeButton({ line }: TimeReading, { id, title, workspace }: Choice, clock: Clock): Html {
  const verb = kindOf(line) === 'time' ? 'Log' : 'Plan';
  const { length, date } = spanIn(line);
  const day = within(dayWords(date, clock));
  return html`<button class="opt" name="itemId" value="${id}">${icon(verb === 'Log' ? 'timer' : 'calendar-plus')}<span>${verb} <b>${length}</b> on <b>${id}</b> ${title}, ${day}</span><span class="up">${workspace}</span></button>`;
}
