/** The grammar of recurrence rules (RFC 5545 RRULE), without times and zones (behaviour §37.9). Pure. */
import { z } from 'zod';
import { isDate } from '../values/dates.ts';
import { ownValue } from '../values/records.ts';
import { dashed, type Freq, freqs, partsOf, weekdays } from './parts.ts';

export const LONGEST_RULE = 500;
export const MOST_INTERVAL = 366;
export const MOST_COUNT = 1_000;

const whole = (most: number) => (text: string) => /^[1-9]\d{0,3}$/.test(text) && Number(text) <= most;
const signed = (most: number) => (text: string) => /^[+-]?[1-9]\d{0,2}$/.test(text) && Math.abs(Number(text)) <= most;
const listOf = (fits: (text: string) => boolean) => (text: string) => text.split(',').every(fits);
/** +1 and 1 are the same. */
const repeats = (list: string) => {
  const all = list.split(',').map((text) => text.replace(/^\+/, ''));
  return new Set(all).size < all.length;
};
const isDay = (text: string) => weekdays.some((day) => day === text);
const isNthDay = (text: string) => isDay(text.slice(-2)) && (text.length === 2 || signed(53)(text.slice(0, -2)));
const isCompactDate = (text: string) => /^\d{8}$/.test(text) && isDate(dashed(text));

const parts: Record<string, { fits: (text: string) => boolean; wanted: string }> = {
  FREQ: { fits: (text) => freqs.some((freq) => freq === text), wanted: freqs.join(', ') },
  INTERVAL: { fits: whole(MOST_INTERVAL), wanted: `1 to ${MOST_INTERVAL}` },
  COUNT: { fits: whole(MOST_COUNT), wanted: `1 to ${MOST_COUNT.toLocaleString('en')}` },
  UNTIL: { fits: isCompactDate, wanted: 'a date such as 20261231' },
  WKST: { fits: isDay, wanted: weekdays.join(', ') },
  BYDAY: { fits: listOf(isNthDay), wanted: 'days such as MO,FR or 1MO' },
  BYMONTHDAY: { fits: listOf(signed(31)), wanted: 'days such as 1,15 or -1' },
  BYYEARDAY: { fits: listOf(signed(366)), wanted: 'days such as 1 or -1' },
  BYWEEKNO: { fits: listOf(signed(53)), wanted: 'weeks such as 1 or 53' },
  BYMONTH: { fits: listOf(whole(12)), wanted: 'months such as 3,9' },
  BYSETPOS: { fits: listOf(signed(366)), wanted: 'places such as 1 or -1' },
};

function faultOf(rule: string): string | null {
  const given = rule.split(';').map((part) => part.split('='));
  for (const [name = '', value, ...more] of given) {
    const known = ownValue(parts, name);
    if (!known) return `has '${name}'; give parts such as FREQ=WEEKLY;BYDAY=FR, without times and DTSTART`;
    if (value === undefined || more.length > 0 || !known.fits(value)) return `has a wrong ${name}; give ${known.wanted}`;
    if (repeats(value)) return `gives a value of ${name} twice; give each once`;
  }
  const of = partsOf(rule);
  if (given.length !== Object.keys(of).length) return 'gives a part twice; give each once';
  return of.FREQ ? together(of) : 'needs FREQ, such as FREQ=WEEKLY';
}

/** RFC 5545 §3.3.10. */
function together({
  FREQ,
  COUNT,
  UNTIL,
  BYDAY,
  BYSETPOS,
  BYWEEKNO,
  BYYEARDAY,
  BYMONTHDAY,
  BYMONTH,
}: Record<string, string>): string | null {
  if (COUNT && UNTIL) return 'has COUNT and UNTIL; give one of them';
  if (BYDAY && /\d/.test(BYDAY) && (BYWEEKNO || (FREQ !== 'MONTHLY' && FREQ !== 'YEARLY')))
    return 'has a number in BYDAY; that needs FREQ=MONTHLY or YEARLY';
  if (BYWEEKNO && FREQ !== 'YEARLY') return 'has BYWEEKNO; that needs FREQ=YEARLY';
  if (BYYEARDAY && FREQ !== 'YEARLY') return 'has BYYEARDAY; that needs FREQ=YEARLY';
  if (BYMONTHDAY && FREQ === 'WEEKLY') return 'has BYMONTHDAY; that needs FREQ=DAILY, MONTHLY or YEARLY';
  if (BYSETPOS && !(BYDAY || BYMONTHDAY || BYMONTH || BYWEEKNO || BYYEARDAY)) return 'has BYSETPOS; give also BYDAY or another list';
  const most = longest[FREQ as Freq];
  return BYSETPOS?.split(',').some((place) => Math.abs(Number(place)) > most)
    ? `has a BYSETPOS that no period of FREQ=${FREQ} has; give places up to ${most}`
    : null;
}

/** Days of the longest period, so places that its set can have. */
const longest: Record<Freq, number> = { DAILY: 1, WEEKLY: 7, MONTHLY: 31, YEARLY: 366 };

/** An RRULE in capitals, without its name. */
export const Rule = z
  .string('give a rule such as FREQ=WEEKLY;BYDAY=FR')
  .max(LONGEST_RULE, `give at most ${LONGEST_RULE} characters`)
  .overwrite((text) =>
    text
      .trim()
      .toUpperCase()
      .replace(/^RRULE:/, '')
      .replace(/;$/, ''),
  )
  .check(({ value, issues }) => {
    const fault = faultOf(value);
    if (fault) issues.push({ code: 'custom', message: fault, input: value });
  });
