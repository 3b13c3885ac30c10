/** Parses durations and time ranges: `45m`, `1:30`, `1h30`, `1.5 h`, `9-11`, `1-3pm`, `2h at 14:00`. Pure. */

/** In minutes. A range counts from 00:00 of its day; `to` is above 1,440 if it ends on the next day. */
export type LineTime = { kind: 'duration'; minutes: number } | { kind: 'span'; from: number; to: number };

interface Taken {
  time: LineTime;
  before: string;
  after: string;
}

const NOON = 720;
const DAY = 1_440;

const span =
  /(?<=^|\s)(?:(?:from\s)?(\d{1,2})(?:[:.]([0-5]\d))?\s?(am|pm)?\s?(?:-|to|until|till)\s?(\d{1,2})(?:[:.]([0-5]\d))?\s?(am|pm)?)(?=[\s,;]|$)/i;
const start = /(?<=^|\s)(?:(?:at|from)\s(\d{1,2})(?:[:.]([0-5]\d))?\s?(am|pm)?)(?=[\s,;]|$)/i;
const durations: [RegExp, (match: RegExpExecArray) => number][] = [
  [/(?<=^|\s)(?:(\d{1,2}):([0-5]\d)(?:\s?h)?)(?=[\s,;]|$)/i, ([, h, m]) => Number(h) * 60 + Number(m)],
  [
    /(?<=^|\s)(?:(\d{1,2})\s?h(?:ours?|rs?)?(?:\s?(\d{1,2})\s?m(?:in(?:ute)?s?)?|(\d{1,2})))(?=[\s,;]|$)/i,
    ([, h, m, n]) => Number(h) * 60 + Number(m ?? n),
  ],
  [/(?<=^|\s)(?:(\d{1,3}(?:[.,]\d{1,4})?)\s?h(?:ours?|rs?)?)(?=[\s,;]|$)/i, ([, h = '']) => Math.round(decimal(h) * 60)],
  [/(?<=^|\s)(?:(\d{1,4}(?:[.,]\d{1,4})?)\s?m(?:in(?:ute)?s?)?)(?=[\s,;]|$)/i, ([, m = '']) => Math.round(decimal(m))],
];

const decimal = (text: string) => Number(text.replace(',', '.'));

/** The first time in the line and the text around it; null if there is none. */
export function takeTime(text: string): Taken | null {
  const found = span.exec(text);
  if (found) return taken(text, found, spanOf(found.slice(1)));
  for (const [pattern, minutesOf] of durations) {
    const match = pattern.exec(text);
    if (match) return startingAt(taken(text, match, { kind: 'duration', minutes: minutesOf(match) }));
  }
  return null;
}

const taken = (text: string, match: RegExpExecArray, time: LineTime): Taken => ({
  time,
  before: text.slice(0, match.index).trim(),
  after: text.slice(match.index + match[0].length).trim(),
});

function startingAt(found: Taken): Taken {
  const { time, before, after } = found;
  const match = start.exec(after);
  if (!match || time.kind !== 'duration') return found;
  const [whole, hour = '', minute, half] = match;
  const from = minuteOf(hour, minute, half);
  const rest = `${after.slice(0, match.index)}${after.slice(match.index + whole.length)}`.trim();
  return { time: { kind: 'span', from, to: from + time.minutes }, before, after: rest };
}

function minuteOf(hour: string, minute = '0', half = ''): number {
  const twelve = half === '' ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0);
  return twelve * 60 + Number(minute);
}

/** `11-1pm` begins in the morning, `9-5` ends in the afternoon, `22-1` after midnight. */
function spanOf([h1 = '', m1, half1, h2 = '', m2, half2]: (string | undefined)[]): LineTime {
  const to = minuteOf(h2, m2, half2);
  const alike = minuteOf(h1, m1, half1 ?? half2);
  const from = !half1 && half2 && alike >= to ? minuteOf(h1, m1, half2.toLowerCase() === 'pm' ? 'am' : 'pm') : alike;
  if (to > from) return { kind: 'span', from, to };
  const afternoon = !half1 && !half2 && to < NOON && to + NOON > from;
  return { kind: 'span', from, to: to + (afternoon ? NOON : DAY) };
}
