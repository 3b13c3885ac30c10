/** The forecast of a project in words and as a bar (behaviour §21.9). */
import { displayedDates } from '../../capacity/forecast/outline.ts';
import type { BelowSums, Project } from '../../overviews/openItem.ts';
import { daysBetween } from '../../values/dates.ts';
import { elementAt } from '../../values/records.ts';
import { explainedSentences } from '../capacity/words.ts';
import type { Clock } from '../frame/clock.ts';
import { asideSection, notice } from '../frame/components/boxes.ts';
import { diamond, outlookBadge, whisker } from '../frame/components/marks.ts';
import { dayWithin, dayWords, earlyOrLate, estimate, longDay, within } from '../frame/components/when.ts';
import { type Content, html } from '../frame/html.ts';
import type { ItemPage } from './pageOf.ts';

/** Tells those who wait for an answer. */
export const awayPart = ({ opened: { away }, clock }: ItemPage): Content =>
  away.map(({ name, until }) => notice('info', `${name} is away until ${within(dayWords(until, clock))}.`));

export function forecastPart({ opened: { project, item, workspace, sums }, clock }: ItemPage): Content {
  if (!project) return null;
  const { explained } = project;
  const shown = { ...project, ...displayedDates(project) };
  const own = project.id === item.id;
  const sentences = explainedSentences(project, clock);
  if (own && explained) sentences.push(...progressSentences(explained.progress, sums, project.type));
  const title = own
    ? 'Forecast'
    : html`Forecast of its ${project.type}, <a href="${workspace.at}/items/${project.id}">${project.title}</a>`;
  return asideSection(
    title,
    html`<p>${words(shown, clock)}</p>${sentences.length > 0 && html`<p>${sentences.join(' ')}</p>`}${shown.forecastDate && bar(shown, shown.forecastDate, clock)}<p>${outlookBadge(project.outlook)}</p>`,
    'fore',
  );
}

function words(project: Project, clock: Clock): Content {
  const { forecastDate, bufferedDate, targetDate, today } = project;
  if (!forecastDate) return absent[project.outlook] ?? 'No forecast date yet.';
  const day = html`<b>${dayWithin(forecastDate, clock)}</b>`;
  const ready = forecastDate < today ? html`Ready since ${day}.` : html`Will be ready ${day}.`;
  const buffered =
    bufferedDate && bufferedDate > forecastDate && html` If work takes 25 % longer, the date is <b>${dayWithin(bufferedDate, clock)}</b>.`;
  return html`${ready} ${targetSentence(forecastDate, targetDate)}${buffered}`;
}

function targetSentence(forecastDate: string, targetDate: string | null): string {
  if (!targetDate) return 'There is no target date.';
  const distance = earlyOrLate(forecastDate, targetDate);
  return distance === null ? 'That is the target date.' : `That is ${distance}.`;
}

/** Explains the figures used in Capacity when they differ from the totals of the work below. */
function progressSentences(
  { scopeHours, weightedProgress }: NonNullable<Project['explained']>['progress'],
  { hours, doneHours }: BelowSums,
  type: string,
): string[] {
  if (weightedProgress === null || hours === 0) return [];
  const percent = Math.round(weightedProgress);
  if (estimate(scopeHours) === estimate(hours) && percent === Math.round((100 * doneHours) / hours)) return [];
  return [`Capacity counts each task in one project only. For this ${type}, ${percent} % of ${estimate(scopeHours)} is done.`];
}

const absent: Record<string, string> = {
  no_scope: 'There are no open tasks. Add tasks to get a forecast.',
  overcommitted: 'The available hours are not enough to finish this within ten years.',
};

/** Maps dates to percentages of the width, with 4 % room at both ends. */
function scaleOf(days: readonly string[]): (date: string) => number {
  const sorted = days.toSorted();
  const [first, last] = [elementAt(sorted, 0), elementAt(sorted, sorted.length - 1)];
  const span = Math.max(1, daysBetween(first, last));
  return (date) => Math.round((4 + (92 * daysBetween(first, date)) / span) * 10) / 10;
}

const tones: Record<string, string> = { overcommitted: 'red', at_risk: 'amber' };

function bar(project: Project, ready: string, clock: Clock): Content {
  const { today, targetDate, bufferedDate, outlook } = project;
  const buffered = bufferedDate ?? ready;
  const at = scaleOf([today, ready, buffered, ...(targetDate ? [targetDate] : [])]);
  const from = Math.min(at(today), at(ready));
  return html`<svg class="axis-svg tl" role="img" aria-label="${readySentence(project, ready, clock)}"><line class="grid" x1="0" x2="100%" y1="26" y2="26"/><line class="today" x1="${at(today)}%" x2="${at(today)}%" y1="12" y2="40"/><rect class="barr${tones[outlook] && ` ${tones[outlook]}`}" x="${from}%" y="22" width="${Math.max(1, Math.round((at(ready) - from) * 10) / 10)}%" height="8" rx="4"/>${
    buffered > ready && whisker(at(ready), at(buffered), { y: 26, reach: 5 })
  }${targetDate && diamond(at(targetDate), 26)}${labelsOf(project, ready, at, clock)}</svg>`;
}

/** Labels that do not overlap; the text above contains all dates. */
function labelsOf({ today, targetDate }: Project, ready: string, at: (date: string) => number, clock: Clock): Content {
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

function readySentence({ today, targetDate, bufferedDate }: Project, ready: string, clock: Clock): string {
  const parts = [
    `Today ${longDay(today, clock)}`,
    `ready ${longDay(ready, clock)}`,
    bufferedDate && bufferedDate > ready && `${longDay(bufferedDate, clock)} if work takes 25 % longer`,
    targetDate && `target ${longDay(targetDate, clock)}`,
  ];
  return parts.filter(Boolean).join(', ');
}
