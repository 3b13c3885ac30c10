/** Start and end of an item, changed together (behaviour §26.6). Format: FROM..TO, both optional. Pure. */
import { endFieldOf } from '../../../items/dependentMoves.ts';
import type { FieldName } from '../../../items/fields.ts';
import { addDays, daysBetween, isDate, mondayOf } from '../../../values/dates.ts';
import type { Clock } from '../../frame/clock.ts';
import { dayWords, monthDay } from '../../frame/components/when.ts';

/** The field that holds the end date. */
export const spanFields = { dates: 'targetDate', 'due-dates': 'dueDate' } as const satisfies Record<string, FieldName>;
type SpanField = keyof typeof spanFields;

export const isSpan = (field: string): field is SpanField => Object.hasOwn(spanFields, field);

export const spanFieldOf = (type: string, { dueDate, targetDate }: { dueDate: string | null; targetDate: string | null }): SpanField =>
  endFieldOf({ type, dueDate, targetDate }) === 'dueDate' ? 'due-dates' : 'dates';

export const spanValue = (start: string | null, end: string | null): string => (start || end ? `${start ?? ''}..${end ?? ''}` : '');

export function spanOf(value: string): { start: string; end: string } {
  const [start = '', end = ''] = value.split('..');
  return { start, end };
}

export function spanWords(value: string, clock: Clock): string {
  const { start, end } = spanOf(value);
  const day = (date: string) => (isDate(date) ? dayWords(date, clock) : date);
  if (start && end) return start === end ? day(end) : `${day(start)} to ${day(end)}`;
  return start ? `from ${day(start)}` : end && `until ${day(end)}`;
}

/** Suggestions: moves that keep the length if dates are set; otherwise periods that start soon. */
export function spanChoices(value: string | null, clock: Clock): { value: string; label: string; note: string }[] {
  const monday = mondayOf(clock.today);
  const stretches: [string, string, string][] = [
    ['This week', clock.today, addDays(monday, 4) < clock.today ? addDays(monday, 6) : addDays(monday, 4)],
    ['Next week', addDays(monday, 7), addDays(monday, 11)],
    ['The next two weeks', addDays(monday, 7), addDays(monday, 18)],
    ['The next four weeks', addDays(monday, 7), addDays(monday, 32)],
  ];
  const note = (start: string, end: string) =>
    [start, end]
      .filter(Boolean)
      .map((date) => monthDay(date, clock))
      .join(' – ');
  if (!value) return stretches.map(([label, start, end]) => ({ value: spanValue(start, end), label, note: note(start, end) }));
  const { start, end } = spanOf(value);
  const moved = (date: string, days: number) => date && addDays(date, days);
  // Dates near the limits of the calendar cannot be moved.
  if ([start, end].some((date) => date && (date < '0002' || date > '9998'))) return [];
  const begin = start || end;
  const moves: [string, number][] = [
    ['A week later', 7],
    ['Two weeks later', 14],
    ['Four weeks later', 28],
    ['A week earlier', -7],
  ];
  if (begin < clock.today) moves.unshift(['Start today', daysBetween(begin, clock.today)]);
  return moves.map(([label, days]) => {
    const [from, to] = [moved(start, days), moved(end, days)];
    return { value: spanValue(from, to), label: begin === end && label === 'Start today' ? 'Today' : label, note: note(from, to) };
  });
}
