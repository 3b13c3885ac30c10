/** Interprets a quick line. It is saved only if its meaning is still the one shown (behaviour §20.4–§20.7). */
import { type Choice, workForTime } from '../../overviews/workForTime.ts';
import { planBlock } from '../../plans/planBlock.ts';
import { type QuickLine, readLine } from '../../time/quickLine.ts';
import { logStretch } from '../../time/stretch.ts';
import { trackTime } from '../../time/trackTime.ts';
import { instantToLocal, localToInstant, todayIn } from '../../values/dates.ts';
import { type Clock, clockOf } from '../frame/clock.ts';
import { button } from '../frame/components/button.ts';
import { icon } from '../frame/components/icon.ts';
import { understood } from '../frame/components/row.ts';
import { hours, longDay } from '../frame/components/when.ts';
import { type Content, type Html, html } from '../frame/html.ts';
import { fetchPart } from '../frame/live.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { call } from '../frame/session.ts';
import { orAgain } from '../frame/submitted.ts';
import { labels, landing, type SavedTime } from './landing.ts';

export const MOST_TYPED = 300;

export interface Meaning {
  text: string;
  /** Why the line is not understood. */
  problem: string | null;
  line: QuickLine | null;
  /** Null while the user must choose from `choices`. */
  work: Choice | null;
  choices: readonly Choice[];
  note: string;
  counts: Counts | null;
  /** Represents everything that will be saved; compared before saving. */
  key: string;
}

/** The UTC day of recorded time. */
interface Counts {
  date: string;
  /** True if it differs from the typed day, or from the local day of the start. */
  elsewhere: boolean;
}

const nothing = { line: null, work: null, choices: [], note: '', counts: null, key: '' };

export const noMeaning: Meaning = { text: '', problem: null, ...nothing };

export async function understand(request: PageRequest, typed: string): Promise<Meaning> {
  const text = typed.trim().slice(0, MOST_TYPED);
  if (!text) return { text, problem: null, ...nothing };
  const clock = clockOf(request);
  const read = readLine(text, instantToLocal(clock.now, clock.zone));
  if ('problem' in read) return { text, problem: read.problem, ...nothing };
  const { line } = read;
  const skipped = skippedIn(line, clock.zone);
  if (skipped) return { text, problem: `The clocks in ${clock.zone} skip ${skipped}. Choose an earlier or later time.`, ...nothing };
  const { id, words } = line;
  const { work, choices, found } = await call(request, workForTime, { id, words, kind: kindOf(line) });
  const gone = id !== null && !work;
  const note = line.note || (found || gone ? '' : words);
  const problem = gone
    ? `You cannot ${kindOf(line) === 'time' ? 'log' : 'plan'} time on #${id}. Check the number, or type words of the title.`
    : null;
  const counts = countsOf(line, clock);
  return { text, problem, line, work, choices, note, counts, key: JSON.stringify([saved(line), work?.id ?? null, note, counts?.date]) };
}

const saved = (line: QuickLine) => (line.kind === 'span' ? [line.startLocal, line.endLocal, line.past] : [line.minutes, line.date]);

export const kindOf = (line: QuickLine): 'time' | 'plans' => (line.kind === 'span' && !line.past ? 'plans' : 'time');

function skippedIn(line: QuickLine, zone: string): string | null {
  if (line.kind !== 'span') return null;
  const found = [line.startLocal, line.endLocal].find((local) => localToInstant(local, zone) === 'skipped');
  return found ? found.slice(11) : null;
}

function countsOf(line: QuickLine, { zone, now }: Clock): Counts | null {
  if (line.kind === 'span') {
    if (!line.past) return null;
    const date = localToInstant(line.startLocal, zone).slice(0, 10);
    return { date, elsewhere: date !== line.startLocal.slice(0, 10) };
  }
  const utc = todayIn('UTC', now);
  const date = line.date > utc ? utc : line.date;
  return { date, elsewhere: date !== line.date };
}

/** The quick line with its interpretation before saving (behaviour §20.7). */
export const LINE = '/my/line';

interface Shown {
  meaning: Meaning;
  clock: Clock;
  refused?: string | undefined;
  chosen?: number | undefined;
}

/** The interpretation is fetched while the user types. */
export function lineForm(request: PageRequest, shown: Shown): Html {
  const { meaning } = shown;
  const live = html` hx-get="${request.basePath}${LINE}" hx-trigger="input changed delay:250ms"${fetchPart('#line-said')}`;
  const fault = shown.refused && html` aria-invalid="true"`;
  return postForm(
    request,
    { action: LINE, once: true, class: 'quick', autocomplete: 'off' },
    html`<div class="quick-line"><label class="vh" for="line">Log or plan time in words</label>${icon('timer')}<input class="input" id="line" name="text" value="${meaning.text}" maxlength="${MOST_TYPED}" placeholder="45m yesterday on words of a title" aria-describedby="line-said"${fault}${live}>${button(meaning.key ? 'Save' : 'Log', { kind: 'primary', small: true, key: 'Enter' })}</div>
${linePreview(shown)}`,
  );
}

/** Contains the interpretation as a hidden field, so that only what was shown is saved. */
export function linePreview(shown: Shown): Html {
  const { meaning, refused } = shown;
  const problem = refused ?? meaning.problem;
  return html`<div class="said" id="line-said" aria-live="polite"><input type="hidden" name="understood" value="${meaning.key}">${
    problem && html`<span class="fault"${refused && html` role="alert"`}>${problem}</span>`
  }${meaning.text === '' && hint}${meaning.line && meaningOf(shown)}</div>`;
}

const hint = html`<span>Log time: <b>45m yesterday on words of a title</b>, or <b>1:30 on #</b> and a number. Plan time: <b>9-11 tomorrow on</b> an item.</span>`;

function meaningOf({ meaning, clock, chosen }: Shown): Content {
  const { line, work, choices, note, counts } = meaning;
  if (!line || (line.id !== null && !work)) return null;
  const words = understood(
    kindOf(line) === 'time' ? 'Logs' : 'Plans',
    { mark: line.kind === 'duration' ? hours(line.minutes) : `${line.startLocal.slice(11)}–${line.endLocal.slice(11)}` },
    { mark: longDay(line.kind === 'duration' ? line.date : line.startLocal.slice(0, 10), clock) },
    ...(work ? ['on', { mark: `${work.id} ${work.title}` }] : []),
    ...(note ? ['with the note', { mark: note }] : []),
  );
  const elsewhere =
    counts?.elsewhere && html`<span>This counts on ${longDay(counts.date, clock)}. Days of recorded time start at 00:00 UTC.</span>`;
  return html`${words}${elsewhere && ' '}${elsewhere} ${!work && choose(choices, chosen, note !== '')}`;
}

function choose(choices: readonly Choice[], chosen: number | undefined, asNote: boolean): Content {
  if (!choices.length) return html`<span class="fault">You have no open items to choose from. Type the number of the item after #.</span>`;
  const option = ({ id, title, workspace }: Choice) =>
    html`<label><input type="radio" name="itemId" value="${id}" autocomplete="off"${id === chosen && html` checked`}> ${id} ${title} <span class="meta">${workspace}</span></label>`;
  return html`<fieldset class="which"><legend>${asNote ? 'No matching item. Which item?' : 'Which item?'}</legend>${choices.map(option)}</fieldset>`;
}

/** /my/line: shows the interpretation of a line, and saves it (behaviour §20.7, §20.9). */
interface Again {
  refused?: string;
  status?: number;
}

function page(request: PageRequest, meaning: Meaning, { refused, status = 200 }: Again = {}): Answer {
  const chosen = request.form.id('itemId') || undefined;
  return { title: 'Log or plan time', status, body: lineForm(request, { meaning, clock: clockOf(request), refused, chosen }) };
}

const show = async (request: PageRequest): Promise<Answer> => page(request, await understand(request, request.query.get('text') ?? ''));

async function save(request: PageRequest): Promise<Answer> {
  const { form } = request;
  const meaning = await understand(request, form.text('text'));
  if (!meaning.key)
    return page(request, meaning, {
      refused: meaning.problem ?? 'Type a length of time and an item, such as “45m on” and words of its title.',
      status: 400,
    });
  if (form.text('understood') !== meaning.key || meaning.problem) return page(request, meaning);
  const itemId = meaning.work?.id ?? form.id('itemId');
  if (!itemId) return page(request, meaning, { refused: 'Choose an item.', status: 400 });
  return orAgain(async () => landing(await carryOut(request, meaning, itemId)), {
    labels: { ...labels, date: '', minutes: '', startedAt: '', endedAt: '', startLocal: '', endLocal: '' },
    again: ({ problem, status }) => page(request, meaning, { refused: problem, status }),
  });
}

async function carryOut(request: PageRequest, { line, note, counts }: Meaning, itemId: number): Promise<SavedTime> {
  if (line!.kind === 'duration')
    return call(request, trackTime, { action: 'log', itemId, date: counts!.date, minutes: line!.minutes, note });
  const { startLocal, endLocal, past } = line!;
  const { zone: timezone } = clockOf(request);
  if (!past) return call(request, planBlock, { action: 'create', itemId, startLocal, endLocal, timezone, note });
  const [startedAt, endedAt] = [localToInstant(startLocal, timezone), localToInstant(endLocal, timezone)];
  return call(request, logStretch, { itemId, startedAt, endedAt, note });
}

export const lineRoutes: PageRoute[] = [
  { method: 'GET', path: LINE, handle: show },
  { method: 'POST', path: LINE, handle: save },
];
