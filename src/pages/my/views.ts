import { addDays } from '../../values/dates.ts';
import type { Clock } from '../frame/clock.ts';
import { segments } from '../frame/components/segments.ts';
import { shortDay } from '../frame/components/when.ts';
import { type Content, html } from '../frame/html.ts';
import type { PageRequest } from '../frame/page.ts';
import { PATH } from './widgets.ts';

export type View = 'list' | 'grid' | 'month';

export const views = ({ basePath }: PageRequest, date: string, current: View): Content =>
  segments('View', [
    { href: `${basePath}${PATH}?week=${date}`, label: 'Days', current: current === 'list' },
    { href: `${basePath}${PATH}/timesheet?week=${date}`, label: 'Grid', current: current === 'grid' },
    { href: `${basePath}${PATH}/month?month=${date.slice(0, 7)}`, label: 'Month', current: current === 'month' },
  ]);

export const reportLinks = ({ basePath }: PageRequest): Content =>
  html`<p class="meta all"><a href="${basePath}/reports/time">Time report and CSV</a> <a href="${basePath}${PATH}/calendar">Subscribe in your calendar</a></p>`;

/** "Mon 16 Nov to Sun 22 Nov", plus the year if it is another one. */
export function weekWords(monday: string, clock: Clock): string {
  const sunday = addDays(monday, 6);
  const year = sunday.slice(0, 4) === clock.today.slice(0, 4) ? '' : ` ${sunday.slice(0, 4)}`;
  return `${shortDay(monday, clock)} to ${shortDay(sunday, clock)}${year}`;
}
