/** Finds the date in a line of time. Pure. */
import { type DayContext, daysIn } from '../values/writtenDays.ts';

type Cut = (before: string, after: string) => string | null;

const atStart: Cut = (before, after) => (/^(?:on )?$/i.test(before) && /^(?:[\s,;]|$)/.test(after) ? after.replace(/^[,;]/, '') : null);

const atEnd: Cut = (before, after) => {
  if (after !== '') return null;
  const on = /(?:^|\s)(?:on )?$/i.exec(before);
  return on && before.slice(0, on.index);
};

/** Looks next to the time and at the ends of the line; elsewhere such a word belongs to the item's title. `none`: the date does not
 *  exist. */
export function takeDay(before: string, after: string, around: DayContext): { day: string | null; rest: string } {
  const places: [text: string, cut: Cut, restOf: (left: string) => string][] = [
    [after, atStart, (left) => `${before} ${left}`],
    [after, atEnd, (left) => `${before} ${left}`],
    [before, atEnd, (left) => `${left} ${after}`],
    [before, atStart, (left) => `${left} ${after}`],
  ];
  for (const [text, cut, restOf] of places) {
    for (const { from, to, dayIn } of daysIn(text)) {
      const left = cut(text.slice(0, from), text.slice(to));
      if (left !== null) return { day: dayIn(around) ?? 'none', rest: restOf(left).replace(/\s+/g, ' ').trim() };
    }
  }
  return { day: null, rest: `${before} ${after}`.trim() };
}
