/** Dates and times as other services write them (behaviour §36.7). */
import { isDate, localToInstant } from '../../values/dates.ts';

export type DayOrder = 'day-month' | 'month-day';

export interface Moment {
  /** YYYY-MM-DD, in the zone of the text or else in the given one. */
  day: string;
  /** ISO 8601 in UTC. */
  instant: string;
}

interface Parts {
  year: number;
  month: number;
  day: number;
  /** HH:mm:ss */
  time: string;
  /** Such as +0100. Null: local time. */
  offset: string | null;
}

const iso = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[T ](\d{1,2}:\d{2}(?::\d{2})?)(?:[.,]\d{1,9})?)? ?(Z|UTC|[+-]\d{2}:?\d{2})?$/;
const numeric = /^(\d{1,2})([/.-])(\d{1,2})[/.-](\d{4}|\d{2})(?:,? (\d{1,2}:\d{2}(?::\d{2})?) ?([AaPp][Mm])?)?$/;
const dayFirst = /^(\d{1,2})[/. -]{1,2}(\p{L}{3,9})\.?[/ -](\d{4}|\d{2})(?:,? (\d{1,2}:\d{2}(?::\d{2})?) ?([AaPp][Mm])?)?$/u;
const monthFirst =
  /^(?:\p{L}{3},? )?(\p{L}{3,9})\.? (\d{1,2}),? (\d{4})(?:,? (\d{1,2}:\d{2}(?::\d{2})?) ?([AaPp][Mm])?)?(?: GMT([+-]\d{4})(?: \([^)]{0,80}\))?)?$/u;

/** The first three letters in English; German and French ones that differ. */
const monthNames: Record<string, number> = {
  jan: 1,
  feb: 2,
  mar: 3,
  apr: 4,
  may: 5,
  jun: 6,
  jul: 7,
  aug: 8,
  sep: 9,
  oct: 10,
  nov: 11,
  dec: 12,
  mär: 3,
  mrz: 3,
  mai: 5,
  okt: 10,
  dez: 12,
  fév: 2,
  avr: 4,
  aoû: 8,
  déc: 12,
};

/** Which order a numeric date can only have; null for 03/04/2026 and for other shapes. */
export function dayOrderOf(text: string): DayOrder | 'either' | null {
  const found = numeric.exec(text.trim());
  if (!found) return null;
  if (Number(found[1]) > 12) return 'day-month';
  return Number(found[3]) > 12 ? 'month-day' : 'either';
}

/** Null if the text is not a date in a known format, or the day does not exist. */
export function momentOf(text: string, order: DayOrder, zone: string): Moment | null {
  const parts = partsOf(text.trim(), order);
  if (!parts) return null;
  const pad = (value: number) => String(value).padStart(2, '0');
  const day = `${String(parts.year).padStart(4, '0')}-${pad(parts.month)}-${pad(parts.day)}`;
  if (!isDate(day) || day < '0002' || day >= '9999') return null;
  const instant = instantOf(day, parts, zone);
  return instant === null ? null : { day, instant };
}

function instantOf(day: string, { time, offset }: Parts, zone: string): string | null {
  const ms = Date.parse(`${day}T${time}${offset ?? 'Z'}`);
  if (Number.isNaN(ms)) return null;
  if (offset !== null || zone === 'UTC') return new Date(ms).toISOString();
  const local = localToInstant(`${day}T${time.slice(0, 5)}`, zone);
  // Clocks skip an hour at night in spring: its times do not exist, those one hour later do.
  return local === 'skipped' ? localToLater(day, time, zone) : local;
}

function localToLater(day: string, time: string, zone: string): string | null {
  const later = localToInstant(`${day}T${String((Number(time.slice(0, 2)) + 1) % 24).padStart(2, '0')}${time.slice(2, 5)}`, zone);
  return later === 'skipped' ? null : later;
}

function partsOf(text: string, order: DayOrder): Parts | null {
  const [, isoYear, isoMonth, isoDay, isoTime, isoOffset] = iso.exec(text) ?? [];
  if (isoYear) return { ...days(isoYear, isoMonth, isoDay), ...clock(isoTime, undefined), offset: isoOffset ? offsetOf(isoOffset) : null };
  const [, first, , second, numericYear, time, half] = numeric.exec(text) ?? [];
  if (first) {
    const [day, month] = order === 'day-month' ? [first, second] : [second, first];
    return { ...days(numericYear, month, day), ...clock(time, half), offset: null };
  }
  const [, namedDay, dayMonth, dayYear, dayTime, dayHalf] = dayFirst.exec(text) ?? [];
  if (namedDay) return { ...days(dayYear, monthOf(dayMonth), namedDay), ...clock(dayTime, dayHalf), offset: null };
  const [, month, day, year, monthTime, monthHalf, gmt] = monthFirst.exec(text) ?? [];
  if (month) return { ...days(year, monthOf(month), day), ...clock(monthTime, monthHalf), offset: gmt ? offsetOf(gmt) : null };
  return null;
}

const offsetOf = (text: string) => (text === 'Z' || text === 'UTC' ? 'Z' : `${text.slice(0, 3)}:${text.slice(-2)}`);

const monthOf = (name = '') => String(monthNames[name.slice(0, 3).toLowerCase()] ?? 0);

function days(year = '', month = '', day = ''): Pick<Parts, 'year' | 'month' | 'day'> {
  const short = year.length === 2;
  return { year: Number(year) + (short ? (Number(year) < 70 ? 2_000 : 1_900) : 0), month: Number(month), day: Number(day) };
}

/** `half`: AM or PM. */
function clock(time = '0:00', half = ''): Pick<Parts, 'time'> {
  const [hours = '', minutes = '', seconds = '00'] = time.split(':');
  const afternoon = half.toLowerCase() === 'pm';
  const hour = half === '' ? Number(hours) : (Number(hours) % 12) + (afternoon ? 12 : 0);
  return { time: `${String(hour).padStart(2, '0')}:${minutes}:${seconds}` };
}
