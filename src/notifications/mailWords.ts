/** Dates and times in mails: in words, with year and time zone, because the reader's time zone is unknown. */
import type { Words } from './schema.ts';

const days = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });

/** "Tue 24 Nov 2026" */
export const mailDay = (date: string): string => days.format(Date.parse(date.slice(0, 10))).replace(',', '');

const clock = (text: string): string => `${mailDay(text)}, ${text.slice(11, 16)}`;

export const mailWords: Words = {
  day: mailDay,
  moment: (iso) => `${clock(iso)} (UTC)`,
  local: (text, zone) => `${clock(text)} (${zone})`,
};
