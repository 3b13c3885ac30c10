import { englishOf } from '../../../values/dateForms.ts';
import { type Clock, dateIn, momentWords, within } from '../../../values/dateWords.ts';
import { hours, running } from '../../../values/lengths.ts';
import { all, each } from './shared.ts';

// Page scripts import these from here, so that a page loads them once.
export { dayWords, monthDay } from '../../../values/dateWords.ts';
export { estimate, figure, hours } from '../../../values/lengths.ts';

/** Dates of this browser, as the pages have them: in the region of its first English. */
export function clockNow(): Clock {
  const [now, zone] = [Date.now(), Intl.DateTimeFormat().resolvedOptions().timeZone];
  const locale = englishOf(navigator.languages);
  return { now, zone, locale, today: dateIn(new Date(now).toISOString(), { zone, locale }) };
}

/** A moment in milliseconds, for the middle of a sentence. */
export const momentNow = (at: number): string => within(momentWords(new Date(at).toISOString(), clockNow()));

function show(clock: HTMLElement): void {
  const { since = '', seconds: hasSeconds } = clock.dataset;
  const seconds = Math.max(0, Math.floor((Date.now() - Date.parse(since)) / 1000));
  const text = hasSeconds === undefined ? hours(Math.floor(seconds / 60)) : running(seconds);
  if (clock.textContent !== text) clock.textContent = text;
}

const CLOCKS = 'time[data-since]';
each(CLOCKS, show);
setInterval(() => all(CLOCKS).forEach(show), 1000);
