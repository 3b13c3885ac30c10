/** When an item's project will be ready: in words, and as a bar drawn here (behaviour §21.9). */
import type { Stands } from '../../overviews/openItem.ts';
import { daysBetween } from '../../values/dates.ts';
import type { Clock } from '../frame/clock.ts';
import { diamond, whisker } from '../frame/components/forecastMarks.ts';
import { outlookBadge } from '../frame/components/outlook.ts';
import { asideSection } from '../frame/components/panel.ts';
import { day, dayWords, earlyOrLate, longDay } from '../frame/components/when.ts';
import { type Content, html } from '../frame/html.ts';
import type { ItemPage } from './pageOf.ts';

export function forecastPart({ opened: { project, item, workspace }, clock }: ItemPage): Content {
  if (!project) return null;
  const own = project.id === item.id;
  const title = own
    ? 'Forecast'
    : html`Forecast with its ${project.type}, <a href="${workspace.at}/items/${project.id}">${project.title}</a>`;
  return asideSection(
    title,
    html`<p>${words(project, clock)}</p>${project.forecastDate && bar(project, project.forecastDate, clock)}<p>${outlookBadge(project.outlook)}</p>`,
    'fore',
  );
}

/** "Will be ready 7 Dec, 10 days early; with a quarter more work 10 Dec." */
function words(project: Stands, clock: Clock): Content {
  const { forecastDate, bufferedDate, targetDate, today } = project;
  if (!forecastDate) return absent[project.outlook] ?? 'It can’t be told when it will be ready.';
  const ready = html`${forecastDate < today ? 'Ready since' : 'Will be ready'} <b>${day(forecastDate, clock)}</b>`;
  const against = targetDate ? `, ${earlyOrLate(forecastDate, targetDate) ?? 'on the day of its target'}` : ', without a target';
  return html`${ready}${against}${bufferedDate && bufferedDate > forecastDate && html`; with a quarter more work <b>${day(bufferedDate, clock)}</b>`}.`;
}

const absent: Record<string, string> = {
  needs_data: 'It can’t be told yet: open work has no estimate, nobody who does it, or somebody without hours.',
  no_scope: 'There are no tasks to be done.',
  overcommitted: 'Not within ten years, with the hours there are.',
};

/** Percent of the width: from the first of the days to the last, with room at both ends. */
function scaleOf(days: readonly string[]): (date: string) => number {
  const [first, last] = [days.toSorted()[0]!, days.toSorted().at(-1)!];
  const span = Math.max(1, daysBetween(first, last));
  return (date) => Math.round((4 + (92 * daysBetween(first, date)) / span) * 10) / 10;
}

const tones: Record<string, string> = { overcommitted: 'red', at_risk: 'amber' };

/** Today, the work left up to the forecast, a whisker to the buffered date, and the target as a diamond. */
function bar(project: Stands, ready: string, clock: Clock): Content {
  const { today, targetDate, bufferedDate, outlook } = project;
  const buffered = bufferedDate ?? ready;
  const at = scaleOf([today, ready, buffered, ...(targetDate ? [targetDate] : [])]);
  const from = Math.min(at(today), at(ready));
  return html`<svg class="axis-svg tl" role="img" aria-label="${saidOf(project, ready, clock)}"><line class="grid" x1="0" x2="100%" y1="26" y2="26"/><line class="today" x1="${at(today)}%" x2="${at(today)}%" y1="12" y2="40"/><rect class="barr${tones[outlook] && ` ${tones[outlook]}`}" x="${from}%" y="22" width="${Math.max(1, Math.round((at(ready) - from) * 10) / 10)}%" height="8" rx="4"/>${
    buffered > ready && whisker(at(ready), at(buffered), { y: 26, reach: 5 })
  }${targetDate && diamond(at(targetDate), 26)}${labelsOf(project, ready, at, clock)}</svg>`;
}

/** Those that have room: the words above say them all. */
function labelsOf({ today, targetDate }: Stands, ready: string, at: (date: string) => number, clock: Clock): Content {
  const wanted = [
    { x: at(today), text: 'Today' },
    ...(targetDate ? [{ x: at(targetDate), text: dayWords(targetDate, clock) }] : []),
    { x: at(ready), text: dayWords(ready, clock) },
  ];
  const placed = wanted.filter(({ x }, n) => wanted.slice(0, n).every((other) => Math.abs(other.x - x) >= 28));
  const anchor = (x: number) => (x < 15 ? 'start' : x > 85 ? 'end' : 'middle');
  return placed.map(
    ({ x, text }) =>
      html`<text x="${anchor(x) === 'start' ? 0 : anchor(x) === 'end' ? 100 : x}%" y="54" text-anchor="${anchor(x)}">${text}</text>`,
  );
}

function saidOf({ today, targetDate, bufferedDate }: Stands, ready: string, clock: Clock): string {
  const parts = [
    `Today ${longDay(today, clock)}`,
    `ready ${longDay(ready, clock)}`,
    bufferedDate && bufferedDate > ready && `with a quarter more work ${longDay(bufferedDate, clock)}`,
    targetDate && `target ${longDay(targetDate, clock)}`,
  ];
  return parts.filter(Boolean).join(', ');
}
