/** Dates of recurrence rules. Pure. Only the helper thread imports it, because a hostile rule takes seconds (`ruleDates.ts`). The package
 *  `rrule` computes on instants: dates are given as midnights in UTC, which no time zone and no clock change can move. */
import rrule from 'rrule';
import { addDays, daysBetween } from '../values/dates.ts';
import { type Freq, freqs, partsOf, untilOf } from './parts.ts';

const { RRule } = rrule;

/** A rule whose next date is further away has ended. Also limits the search in rules that have none, such as 30 February. */
const HORIZON_DAYS = 40 * 366;

const midnight = (date: string) => new Date(`${date}T00:00:00Z`);
const dateOf = (instant: Date | null) => instant?.toISOString().slice(0, 10) ?? null;

/** `startsOn`: where the rule counts from (DTSTART). It is a date of the rule only if it fits, unlike in RFC 5545. */
function datesUntil(rule: string, startsOn: string, last: string) {
  const own = untilOf(rule);
  const dates = new RRule({ ...RRule.parseString(rule), dtstart: midnight(startsOn), until: midnight(own && own < last ? own : last) });
  const { FREQ, INTERVAL = '1' } = partsOf(rule);
  const freq = freqs.find((one) => one === FREQ) ?? 'DAILY';
  limitSearch(dates.options, daysBetween(startsOn, last) / (daysOf[freq] * Number(INTERVAL)) + 2);
  return dates;
}

/** Days of the shortest period. */
const daysOf: Record<Freq, number> = { DAILY: 1, WEEKLY: 7, MONTHLY: 28, YEARLY: 365 };

/** rrule compares only found dates with `until`: it searches a rule without dates up to the year 9999, for seconds. It ends at an interval of
 *  0, which it reads twice for each period. */
function limitSearch(options: { interval: number }, mostPeriods: number): void {
  const { interval } = options;
  let reads = 0;
  Object.defineProperty(options, 'interval', { get: () => (++reads > 2 * mostPeriods ? 0 : interval) });
}

/** The first date of the rule after `after`; null if there is none. */
export function nextAfter(rule: string, startsOn: string, after: string): string | null {
  const from = after < startsOn ? startsOn : after;
  return dateOf(datesUntil(rule, startsOn, addDays(from, HORIZON_DAYS)).after(midnight(after)));
}

/** The latest date of the rule after `after` and not after `today`; null if there is none. */
export function latestBetween(rule: string, startsOn: string, after: string, today: string): string | null {
  const found = dateOf(datesUntil(rule, startsOn, today).before(midnight(today), true));
  return found !== null && found > after ? found : null;
}
