/** Earlier versions of a corrected entry (behaviour §28.6). */
import type { EarlierEntry, TimeEntry } from '../../time/schema.ts';
import { todayIn } from '../../values/dates.ts';
import type { Clock } from '../frame/clock.ts';
import { dayWords, hours, momentWithin, timeWords, within } from '../frame/components/when.ts';
import { type Content, html } from '../frame/html.ts';
import type { MyData } from './data.ts';

type After = Pick<EarlierEntry, 'itemId' | 'note'>;

export function earlierVersions({ earlier: all, clock }: Pick<MyData, 'earlier' | 'clock'>, entry: TimeEntry): Content {
  const before = all.get(entry.id);
  if (!before) return null;
  // 0 differs from every visible item, for an entry whose work is hidden.
  const now: After = { itemId: entry.itemId ?? 0, note: entry.note };
  return html`<ul class="was">${before.map((one, n) => html`<li>${wordsOf(one, before[n - 1] ?? now, clock)}</li>`)}</ul>`;
}

function wordsOf(one: EarlierEntry, after: After, clock: Clock): Content {
  const other = one.itemId !== after.itemId && html` on ${one.itemTitle ?? 'an item that you cannot see'}`;
  const note = one.note !== after.note && one.note !== '' && html` with the note “${one.note}”`;
  return html`was <del>${hours(one.minutes ?? 0)}, ${placeOf(one, clock)}${other}${note}</del>, changed ${momentWithin(one.replacedAt, clock)}: ${one.reason}`;
}

function placeOf({ startedAt, endedAt, date }: EarlierEntry, clock: Clock): string {
  if (!startedAt) return within(dayWords(date, clock));
  const day = within(dayWords(todayIn(clock.zone, startedAt), clock));
  return `${day}, ${timeWords(startedAt, clock)}–${endedAt ? timeWords(endedAt, clock) : ''}`;
}
