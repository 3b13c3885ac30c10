/** The quick line with its interpretation before saving (behaviour §20.7). */
import type { Choice } from '../../overviews/workForTime.ts';
import type { Clock } from '../frame/clock.ts';
import { button } from '../frame/components/button.ts';
import { icon } from '../frame/components/icon.ts';
import { understood } from '../frame/components/quick.ts';
import { hours, longDay } from '../frame/components/when.ts';
import { type Content, type Html, html } from '../frame/html.ts';
import { fetchPart } from '../frame/live.ts';
import type { PageRequest } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { kindOf, type Meaning, MOST_TYPED } from './line.ts';

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
