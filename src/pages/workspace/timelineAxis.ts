/** The period of a timeline: 12 weeks, 6 months or 6 quarters. Starts one unit before today by default. Pure. */
import { addDays, daysBetween, mondayOf } from '../../values/dates.ts';
import { type Axis, axisOf } from '../capacity/axis.ts';
import { monthDay } from '../capacity/words.ts';
import type { Clock } from '../frame/clock.ts';
import type { ListAddress, Scale } from './listAddress.ts';

export interface TimelineRange {
  scale: Scale;
  from: string;
  to: string;
  days: number;
  axis: Axis;
  /** Start of each unit, in percent, and its label. */
  ticks: { x: number; label: string }[];
  /** First days of the previous and next period, which overlap this one by half. */
  earlier: string;
  later: string;
  usual: boolean;
}

const units = { weeks: 12, months: 6, quarters: 6 } as const satisfies Record<Scale, number>;
const months = { months: 1, quarters: 3 } as const;

/** First day of the month `count` months later. */
export function monthsLater(date: string, count: number): string {
  const month = Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1 + count;
  return `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}-01`;
}

function unitOf(date: string, scale: Scale): string {
  if (scale === 'weeks') return mondayOf(date);
  return monthsLater(date, scale === 'quarters' ? -((Number(date.slice(5, 7)) - 1) % 3) : 0);
}

const unitsLater = (date: string, scale: Scale, count: number): string =>
  scale === 'weeks' ? addDays(date, 7 * count) : monthsLater(date, months[scale] * count);

const monthNames = new Intl.DateTimeFormat('en', { month: 'short', timeZone: 'UTC' });

function nameOf(date: string, scale: Scale, clock: Clock): string {
  const [year, month] = [date.slice(0, 4), Number(date.slice(5, 7))];
  // The year is shown at the first week of the year.
  if (scale === 'weeks') {
    const words = monthDay(date, { ...clock, today: date });
    return date.slice(5) < '01-08' ? `${words} ’${year.slice(2)}` : words;
  }
  const name = scale === 'quarters' ? `Q${(month + 2) / 3}` : monthNames.format(Date.parse(date));
  return scale === 'quarters' || year !== clock.today.slice(0, 4) ? `${name} ${year}` : name;
}

/** The label of the second week is left out to make room for the year. */
const isBesideYear = (date: string, scale: Scale): boolean => scale === 'weeks' && date.slice(5) >= '01-08' && date.slice(5) < '01-15';

export function stretchOf({ scale, start }: Pick<ListAddress, 'scale' | 'start'>, clock: Clock): TimelineRange {
  const usual = unitsLater(unitOf(clock.today, scale), scale, -1);
  const from = start ? unitOf(start, scale) : usual;
  const count = units[scale];
  const days = daysBetween(from, unitsLater(from, scale, count));
  const axis = axisOf(from, clock.today, days);
  const begins = Array.from({ length: count }, (_, n) => unitsLater(from, scale, n));
  return {
    ...{ scale, from, to: addDays(from, days - 1), days, axis, usual: from === usual },
    ticks: begins.map((date, n) => ({ x: axis.begin(date), label: n > 0 && isBesideYear(date, scale) ? '' : nameOf(date, scale, clock) })),
    earlier: unitsLater(from, scale, -count / 2),
    later: unitsLater(from, scale, count / 2),
  };
}
