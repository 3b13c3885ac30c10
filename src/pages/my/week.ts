/** The week of recorded time: minutes per day, each entry with its note and its corrections, and logging by hand. */

import type { MyTime } from '../../plans/myTime.ts';
import { addDays } from '../../values/dates.ts';
import { type Content, html } from '../frame/html.ts';
import type { PageRequest } from '../frame/page.ts';
import { type MyData, mayAnywhere } from './data.ts';
import { dayName, duration, myForm, type RefusedForm, typed, workLink, workSelect } from './widgets.ts';

type Entry = MyTime['entries'][number];

export function dayTotals({ time, week }: MyData): Content {
  const days = Array.from({ length: 7 }, (_, n) => addDays(week, n));
  const minutes = new Map(time.days.map((day) => [day.date, day.minutes]));
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Recorded time by day"><table>
<thead><tr>${days.map((day) => html`<th scope="col">${dayName(day).slice(0, 3)}<small class="muted"> ${day.slice(5)}</small></th>`)}<th scope="col">Week</th></tr></thead>
<tbody><tr>${days.map((day) => html`<td>${minutes.has(day) ? duration(minutes.get(day)!) : '–'}</td>`)}<td><strong>${duration(time.totalMinutes)}</strong></td></tr></tbody>
</table></div>`;
}

export function entryList(request: PageRequest, data: MyData, refusal?: RefusedForm): Content {
  const entries = data.time.entries;
  if (!entries.length) return html`<p>Nothing recorded in this week.</p>`;
  return html`<ul class="note-list">${entries.map(
    (entry) => html`<li>${workLink(request, entry.workspaceId, entry.itemId, entry.itemTitle)}: <strong>${duration(entry.minutes)}</strong>
<small class="muted">${dayName(entry.date)}${entry.startedAt && `, ${entry.startedAt.slice(11, 16)}–${endOf(entry)}`} UTC${entry.kind === 'manual' && ', logged by hand'}${entry.corrected && ', corrected'}</small>
${entry.note && html`<p class="text">${entry.note}</p>`}
${changes(request, data, entry, refusal)}</li>`,
  )}</ul>`;
}

/** With its day when that is another one. */
function endOf({ startedAt, endedAt }: Entry): string {
  if (!endedAt) return '';
  return endedAt.slice(0, 10) === startedAt?.slice(0, 10) ? endedAt.slice(11, 16) : endedAt.slice(0, 16).replace('T', ' ');
}

function changes(request: PageRequest, data: MyData, entry: Entry, refusal?: RefusedForm): Content {
  const which = `entry${entry.id}`;
  const value = (name: string, usual: string) => typed(request, refusal, which, name, usual);
  const hidden = { entryId: entry.id, revision: entry.revision };
  const annotate = myForm(
    request,
    data,
    { action: '/entries/annotate', hidden },
    html`<label>Note <input name="note" maxlength="2000" value="${value('note', entry.note)}"></label><button class="secondary">Save the note</button>`,
  );
  const correct = myForm(
    request,
    data,
    { action: '/entries/correct', hidden: { ...hidden, ...before(entry) }, class: 'apart' },
    html`<div class="pair">${entry.kind === 'manual' ? manualFields(entry, value) : timerFields(entry, value)}
<label>Reason <input name="reason" required maxlength="2000" value="${value('reason', '')}" placeholder="kept with the earlier version"></label></div>
<button class="secondary">Correct</button>`,
  );
  return html`<details${refusal?.form === which && html` open`}><summary>Note or correct</summary>
${annotate}
${correct}</details>`;
}

/** What the fields of a correction begin with: what is left as it was is not sent on (actions.ts). */
function before({ kind, date, minutes, startedAt, endedAt }: Entry): Record<string, string | number> {
  if (kind === 'manual') return { 'was-date': date, 'was-minutes': minutes };
  return { 'was-startedAt': toTheMinute(startedAt), 'was-endedAt': toTheMinute(endedAt) };
}

const toTheMinute = (instant: string | null | undefined) => instant?.slice(0, 16) ?? '';

type Value = (name: string, usual: string) => string;

function manualFields({ date, minutes }: Entry, value: Value): Content {
  return html`<label>Day (UTC) <input type="date" name="date" required value="${value('date', date)}"></label>
<label>Minutes <input type="number" name="minutes" required min="1" max="1440" value="${value('minutes', String(minutes))}"></label>`;
}

/** To the minute: what is left as it was keeps its seconds. */
function timerFields({ startedAt, endedAt }: Entry, value: Value): Content {
  return html`<label>Start (UTC) <input type="datetime-local" name="startedAt" required value="${value('startedAt', toTheMinute(startedAt))}"></label>
<label>End (UTC) <input type="datetime-local" name="endedAt" required value="${value('endedAt', toTheMinute(endedAt))}"></label>`;
}

export function logForm(request: PageRequest, data: MyData, refusal?: RefusedForm): Content {
  if (!mayAnywhere(data, 'time')) return null;
  const value = (name: string, usual: string) => typed(request, refusal, 'log', name, usual);
  const form = myForm(
    request,
    data,
    { action: '/entries/log' },
    html`<div class="pair">${workSelect(data, 'time', value('itemId', data.chosen ? String(data.chosen) : ''))}
<label>Day (UTC) <input type="date" name="date" required max="${data.today}" value="${value('date', data.today)}"></label>
<label>Minutes <input type="number" name="minutes" required min="1" max="1440" value="${value('minutes', '')}"></label>
<label>Note <input name="note" maxlength="2000" value="${value('note', '')}"></label></div>
<button>Log</button>`,
  );
  return html`<details${(refusal?.form === 'log' || data.chosen !== null) && html` open`}><summary>Log time by hand</summary>
${form}</details>`;
}
