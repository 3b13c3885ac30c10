/** Where in a line of time its day stands. Pure. */
import { type Around, writtenDays } from '../values/writtenDays.ts';

/** Beside the time, or at an end of the line: elsewhere such a word belongs to the name of the work. `none`: a day that does not exist. */
export function takeDay(before: string, after: string, around: Around): { day: string | null; rest: string } {
  const places: [text: string, anchored: (day: string) => string, restOf: (left: string) => string][] = [
    [after, (day) => `^(?:on )?(?:${day})(?=[\\s,;]|$)[,;]?`, (left) => `${before} ${left}`],
    [after, (day) => `(?:^|\\s)(?:on )?(?:${day})$`, (left) => `${before} ${left}`],
    [before, (day) => `(?:^|\\s)(?:on )?(?:${day})$`, (left) => `${left} ${after}`],
    [before, (day) => `^(?:on )?(?:${day})(?=[\\s,;]|$)[,;]?`, (left) => `${left} ${after}`],
  ];
  for (const [text, anchored, restOf] of places) {
    for (const [pattern, dayOf] of writtenDays) {
      const match = new RegExp(anchored(pattern), 'i').exec(text);
      if (!match) continue;
      const left = `${text.slice(0, match.index)} ${text.slice(match.index + match[0].length)}`;
      return { day: dayOf(match, around) ?? 'none', rest: restOf(left).replace(/\s+/g, ' ').trim() };
    }
  }
  return { day: null, rest: `${before} ${after}`.trim() };
}
