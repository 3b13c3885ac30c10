/** /my/month: recorded and planned time per day of a month (behaviour §28.7). */
import { type MonthDay, type MyMonth, myMonth } from '../../overviews/myMonth.ts';
import { addDays, mondayOf, monthRange, todayIn } from '../../values/dates.ts';
import { elementAt } from '../../values/records.ts';
import { type Clock, clockOf } from '../frame/clock.ts';
import { figure, hours, longDay, monthWords, weekDays } from '../frame/components/when.ts';
import { type Content, type Html, html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { call } from '../frame/session.ts';
import { isShownDate, PATH, reportLinks } from './landing.ts';
import { utcDays } from './utcDays.ts';
import { switches } from './views.ts';

const MONTH = `${PATH}/month`;

function monthIn({ query }: PageRequest, { today }: Clock): string {
  const date = `${query.get('month') ?? ''}-01`;
  return isShownDate(date) ? date : `${today.slice(0, 7)}-01`;
}

async function show(request: PageRequest): Promise<Answer> {
  const clock = clockOf(request);
  const month = await call(request, myMonth, { date: monthIn(request, clock), zone: clock.zone });
  const { from, to, weeks } = month;
  const address = (date: string) => `${request.basePath}${MONTH}?month=${date.slice(0, 7)}`;
  const own = weeks.flat().filter(({ date }) => date >= from && date <= to);
  const recorded = own.reduce((all, day) => all + day.recorded, 0);
  const rule = utcDays(from, clock);
  const inSight = from.slice(0, 7) === clock.today.slice(0, 7) ? clock.today : from;
  return {
    title: 'My month',
    wide: true,
    ...switches(request, {
      ...{ word: 'month', view: 'Month', date: inSight, meta: `${monthWords(from, clock)} · ${hours(recorded)}` },
      ...{ before: address(addDays(from, -1)), now: `${request.basePath}${MONTH}`, after: address(addDays(to, 1)) },
      isNow: from === monthRange(clock.today).from,
    }),
    body: html`<div class="sheet">${table(request, month, clock)}
<p class="hint">${month.weeklyMinutes === null ? 'Set your weekly hours in your profile to compare days with them.' : `A working day, from Monday to Friday, has ${hours(month.weeklyMinutes / 5)}.`}${
      rule && ` ${rule} Planned time uses your time zone.`
    }</p>${reportLinks(request)}</div>`,
  };
}

function table(request: PageRequest, { weeks, from, to, weeklyMinutes }: MyMonth, clock: Clock): Html {
  const names = weekDays(mondayOf(from), clock).map(({ name }) => name.slice(0, 3));
  const dayMinutes = (weeklyMinutes ?? 0) / 5;
  const full = Math.max(60, dayMinutes, ...weeks.flat().flatMap(({ recorded, planned }) => [recorded, planned]));
  const shown = { request, clock, dayMinutes, full };
  return html`<table class="month"><caption class="vh">Recorded and planned time per day</caption><thead><tr>${names.map((name) => html`<th scope="col">${name}</th>`)}<th scope="col" class="num">Week</th></tr></thead>
<tbody>${weeks.map((week) => html`<tr>${week.map((day, n) => (day.date < from || day.date > to ? html`<td class="other"></td>` : cell(shown, day, n < 5)))}${weekCell(request, week, weeklyMinutes)}</tr>`)}</tbody></table>`;
}

interface Shown {
  request: PageRequest;
  clock: Clock;
  dayMinutes: number;
  /** Minutes of a full bar. */
  full: number;
}

function cell({ request, clock, dayMinutes, full }: Shown, { date, recorded, planned }: MonthDay, working: boolean): Html {
  const usual = working ? dayMinutes : 0;
  const ahead = date > todayIn('UTC', clock.now);
  const words = [
    recorded > 0 ? `${hours(recorded)} recorded` : !ahead && 'nothing recorded',
    planned > 0 && `${hours(planned)} planned`,
    usual > 0 && `of ${hours(usual)}`,
  ].filter(Boolean);
  const percent = (minutes: number) => Math.round((minutes / full) * 1000) / 10;
  const bar = (kind: string, minutes: number, y: number) =>
    minutes > 0 && html`<rect class="${kind}" y="${y}" width="${percent(minutes)}%" height="4" rx="2"/>`;
  const quiet = recorded === 0 && planned === 0;
  return html`<td${quiet && html` class="quiet"`}><a href="${request.basePath}${PATH}?week=${date}#day-${date}"${date === clock.today && html` aria-current="date"`}><span class="vh">${longDay(date, clock)}: ${words.join(', ')}</span><span class="d" aria-hidden="true"><b>${Number(date.slice(8))}</b><span class="wd">${longDay(date, clock).slice(0, 3)}</span></span><span class="f" aria-hidden="true">${figure(recorded)}</span>${planned > 0 && html`<span class="p" aria-hidden="true">${figure(planned)} planned</span>`}<svg aria-hidden="true">${bar('real', recorded, 0)}${bar('plan', planned, 6)}${usual > 0 && !quiet && html`<line class="capline" x1="${percent(usual)}%" x2="${percent(usual)}%" y1="0" y2="10"/>`}</svg></a></td>`;
}

function weekCell({ basePath }: PageRequest, week: readonly MonthDay[], weeklyMinutes: number | null): Html {
  const recorded = week.reduce((all, day) => all + day.recorded, 0);
  const { date } = elementAt(week, 0);
  const of: Content = weeklyMinutes !== null && html` <span class="meta">of ${figure(weeklyMinutes)}</span>`;
  return html`<td class="num wk"><a href="${basePath}${PATH}/timesheet?week=${date}"><span class="wd">Week total </span>${figure(recorded) || '–'}</a>${of}</td>`;
}

export const monthRoutes: PageRoute[] = [{ method: 'GET', path: MONTH, handle: show }];
