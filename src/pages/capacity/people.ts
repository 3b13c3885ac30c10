/** People by weeks: every cell says its numbers in words; its bar only repeats them. */
import type { PersonCapacity, Week } from '../../capacity/forecast/schema.ts';
import type { Capacity } from '../../capacity/schema.ts';
import { addDays } from '../../values/dates.ts';
import { type Content, html } from '../frame/html.ts';

export function peopleTable(people: readonly PersonCapacity[], { today }: Pick<Capacity, 'today'>): Content {
  const weeks = people[0]?.weeks ?? [];
  const isNow = ({ week }: Week) => week <= today && today <= addDays(week, 6);
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Load of people by week"><table class="weeks">
<thead><tr><th scope="col">Person</th>${weeks.map((week) => html`<th scope="col"${isNow(week) ? html` class="now"` : ''}>${week.week.slice(5)}<small>${isNow(week) ? 'this week' : week.week.slice(0, 4)}</small></th>`)}</tr></thead>
<tbody>${people.map(
    (
      person,
    ) => html`<tr><th scope="row">${person.name}<small class="muted">${person.weeklyHours} h a week${!person.confirmed && ', not confirmed'}</small></th>
${person.weeks.map((week) => cell(week, isNow(week)))}</tr>`,
  )}</tbody></table></div>`;
}

function cell(week: Week, isNow: boolean): Content {
  const { availableHours, allocatedHours, recordedHours, plannedHours, overHours, overextended, loadPercent } = week;
  const parts = [
    [allocatedHours, 'allocated'],
    [recordedHours, 'recorded'],
    [plannedHours, 'planned'],
  ] as const;
  return html`<td${isNow ? html` class="now"` : ''}>
<strong>${loadPercent === null ? 'no hours' : `${loadPercent} %`}</strong> <span class="of">of ${availableHours} h</span>
${loadPercent !== null && bar(loadPercent)}
${overextended && html`<span class="over">over by ${overHours} h</span>`}
${parts.filter(([hours]) => hours > 0).map(([hours, what]) => html`<small>${hours} h ${what}</small>`)}</td>`;
}

const FULL = 70;

/** 100 % is at 70 of 100: what goes beyond has the rest of the width. */
function bar(loadPercent: number): Content {
  const used = Math.min(loadPercent, 100) * (FULL / 100);
  const excess = Math.min(Math.max(0, loadPercent - 100) * (FULL / 100), 100 - FULL);
  return html`<svg class="load" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" focusable="false">
<rect class="used" x="0" y="1" width="${used}" height="6"/><rect class="excess" x="${FULL}" y="1" width="${excess}" height="6"/><rect class="room" x="0.5" y="1" width="${FULL - 0.5}" height="6" vector-effect="non-scaling-stroke"/></svg>`;
}
