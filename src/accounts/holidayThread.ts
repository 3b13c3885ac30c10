/** Computes public holidays. In a thread, because the rules of all countries take 60 MB. */
import Holidays from 'date-holidays';
import { answerQuestions } from '../values/helperThread.ts';
import type { Holiday, HolidayAnswer, HolidayQuestion } from './holidays.ts';

const settings = { types: ['public' as const], languages: ['en'] };
const DAY_MS = 86_400_000;
/** A holiday that begins at about noon takes half of the day. Those that begin earlier take all of it. */
const NOON_HOUR = 11;

answerQuestions<HolidayQuestion, HolidayAnswer>((question) =>
  question.ask === 'regions' ? { regions: regions() } : { days: daysOf(question.region, question.from, question.to) },
);

/** "DE", "DE-BY". */
function regions(): { id: string; name: string }[] {
  const all = new Holidays();
  return Object.entries(all.getCountries('en')).flatMap(([country, name]) => [
    { id: country, name },
    ...Object.entries(all.getStates(country, 'en') ?? {}).map(([state, inside]) => ({
      id: `${country}-${state}`,
      name: `${name}: ${inside}`,
    })),
  ]);
}

/** Null for an unknown region. */
function daysOf(region: string, from: number, to: number): Holiday[] | null {
  const [country = '', ...state] = region.split('-');
  const all = new Holidays();
  if (!(country in all.getCountries('en'))) return null;
  if (state.length > 0 && !(state.join('-') in (all.getStates(country, 'en') ?? {}))) return null;
  const there = state.length > 0 ? new Holidays(country, state.join('-'), settings) : new Holidays(country, settings);
  const days = new Map<string, Holiday>();
  for (let year = from; year <= to; year++)
    for (const { date, name, start, end } of there.getHolidays(year, 'en')) {
      const half = Number(date.slice(11, 13)) >= NOON_HOUR;
      const count = Math.max(1, Math.round((end.getTime() - start.getTime()) / DAY_MS));
      for (let n = 0; n < count; n++) {
        const day = new Date(Date.parse(`${date.slice(0, 10)}T00:00:00Z`) + n * DAY_MS).toISOString().slice(0, 10);
        const known = days.get(day);
        if (!known || (known.half && !half)) days.set(day, { day, half, name: name.slice(0, 200) });
      }
    }
  return [...days.values()].sort((a, b) => (a.day < b.day ? -1 : 1));
}
