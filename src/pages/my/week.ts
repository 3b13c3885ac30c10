/** The week of recorded time: minutes per day, each entry with its note and its corrections, and logging by hand. */

import type { MyTime } from '../../plans/myTime.ts';
import { addDays } from '../../values/dates.ts';
import { Fields, type Forms } from '../frame/fields.ts';
import { type Content, html } from '../frame/html.ts';
import type { PageRequest } from '../frame/page.ts';
import { type MyData, mayAnywhere } from './data.ts';
import { dayName, duration, labels, line, myForm, noteLine, PATH, workLink, workSelect } from './widgets.ts';

type Entry = MyTime['entries'][number];

export function dayTotals({ time, week }: MyData): Content {
  const days = Array.from({ length: 7 }, (_, n) => addDays(week, n));
  const minutes = new Map(time.days.map((day) => [day.date, day.minutes]));
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Recorded time by day"><table>
<thead><tr>${days.map((day) => html`<th scope="col">${dayName(day).slice(0, 3)}<small class="muted"> ${day.slice(5)}</small></th>`)}<th scope="col">Week</th></tr></thead>
<tbody><tr>${days.map((day) => html`<td>${minutes.has(day) ? duration(minutes.get(day)!) : '–'}</td>`)}<td><strong>${duration(time.totalMinutes)}</strong></td></tr></tbody>
</table></div>`;
}

export function entryList(request: PageRequest, data: MyData, forms: Forms): Content {
  const entries = data.time.entries;
  if (!entries.length) return html`<p>Nothing recorded in this week.</p>`;
  return html`<ul class="note-list">${entries.map(
    (entry) => html`<li>${workLink(request, entry.workspaceId, entry.itemId, entry.itemTitle)}: <strong>${duration(entry.minutes)}</strong>
<small class="muted">${dayName(entry.date)}${entry.startedAt && `, ${entry.startedAt.slice(11, 16)}–${endOf(entry)}`} UTC${entry.kind === 'manual' && ', logged by hand'}${entry.corrected && ', corrected'}</small>
${entry.note && html`<p class="text">${entry.note}</p>`}
${changes(request, data, entry, forms)}</li>`,
  )}</ul>`;
}

/** With its day when that is another one. */
function endOf({ startedAt, endedAt }: Entry): string {
  if (!endedAt) return '';
  return endedAt.slice(0, 10) === startedAt?.slice(0, 10) ? endedAt.slice(11, 16) : endedAt.slice(0, 16).replace('T', ' ');
}

function changes(request: PageRequest, data: MyData, entry: Entry, forms: Forms): Content {
  const hidden = { entryId: entry.id, revision: entry.revision };
  // Of a running timer the note is typed above (timer.ts).
  const annotation = data.time.timer?.id === entry.id ? new Fields(labels) : forms(`${PATH}/entries/annotate`, { entryId: entry.id });
  const correction = forms(`${PATH}/entries/correct`, { entryId: entry.id });
  const annotate = myForm(
    request,
    data,
    { action: '/entries/annotate', hidden },
    html`${noteLine(annotation, entry.note)}<button class="secondary">Save the note</button>`,
  );
  const correct = myForm(
    request,
    data,
    { action: '/entries/correct', hidden: { ...hidden, ...before(entry) }, class: 'apart' },
    html`<div class="pair">${entry.kind === 'manual' ? manualFields(entry, correction) : timerFields(entry, correction)}
${line(correction, 'reason', '', html`required maxlength="2000" placeholder="kept with the earlier version"`)}</div>
<button class="secondary">Correct</button>`,
  );
  return html`<details${(annotation.refused || correction.refused) && html` open`}><summary>Note or correct</summary>
${annotate}
${correct}</details>`;
}

/** What the fields of a correction begin with: what is left as it was is not sent on (actions.ts). */
function before({ kind, date, minutes, startedAt, endedAt }: Entry): Record<string, string | number> {
  if (kind === 'manual') return { 'was-date': date, 'was-minutes': minutes };
  return { 'was-startedAt': toTheMinute(startedAt), 'was-endedAt': toTheMinute(endedAt) };
}

const toTheMinute = (instant: string | null | undefined) => instant?.slice(0, 16) ?? '';

function manualFields({ date, minutes }: Entry, fields: Fields): Content {
  return html`${line(fields, 'date', date, html`type="date" required`)}
${minutesLine(fields, String(minutes))}`;
}

const minutesLine = (fields: Fields, usual: string): Content =>
  line(fields, 'minutes', usual, html`type="number" required min="1" max="1440"`);

/** To the minute: what is left as it was keeps its seconds. */
function timerFields({ startedAt, endedAt }: Entry, fields: Fields): Content {
  const attributes = html`type="datetime-local" required`;
  return html`${line(fields, 'startedAt', toTheMinute(startedAt), attributes)}
${line(fields, 'endedAt', toTheMinute(endedAt), attributes)}`;
}

export function logForm(request: PageRequest, data: MyData, forms: Forms): Content {
  if (!mayAnywhere(data, 'time')) return null;
  const fields = forms(`${PATH}/entries/log`);
  const form = myForm(
    request,
    data,
    { action: '/entries/log' },
    html`<div class="pair">${workSelect(fields, data, 'time')}
${line(fields, 'date', data.today, html`type="date" required max="${data.today}"`)}
${minutesLine(fields, '')}
${noteLine(fields)}</div>
<button>Log</button>`,
  );
  return html`<details${(fields.refused || data.chosen !== null) && html` open`}><summary>Log time by hand</summary>
${form}</details>`;
}
