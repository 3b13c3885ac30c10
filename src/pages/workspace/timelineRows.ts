import { displayedDates } from '../../capacity/forecast/outline.ts';
import type { TimelineHoliday } from '../../overviews/timeline/showTimeline.ts';
import { closedStatuses } from '../../workspaces/statuses.ts';
import { explainedSentences, readyWords, spanWords } from '../capacity/words.ts';
import { cachedRows } from '../frame/cachedRows.ts';
import type { Clock } from '../frame/clock.ts';
import { fullName } from '../frame/components/avatar.ts';
import { dueWords } from '../frame/components/due.ts';
import { icon } from '../frame/components/icon.ts';
import { outlookBadgeWithText } from '../frame/components/marks.ts';
import { row as listRow } from '../frame/components/row.ts';
import { earlyOrLate, monthDay } from '../frame/components/when.ts';
import { type Content, type Html, html } from '../frame/html.ts';
import { liveGet } from '../frame/live.ts';
import { spanFieldOf } from '../items/change/spans.ts';
import { typeLabel } from '../items/fields.ts';
import { changeLink, changePath, type InPlace, statusLink } from '../items/inPlace.ts';
import { hrefOf } from './list.ts';
import { commonOf } from './listRows.ts';
import { mayWork } from './openWorkspace.ts';
import { chartOf, endsOf, isClosed, isLate } from './timelineChart.ts';
import type { TimelinePage } from './timelinePage.ts';
import type { TimelineNode } from './timelineTree.ts';

type Row = TimelineNode['row'];

/** Deeper levels are not indented further. */
const MOST_DEPTH = 5;

const inPlaceOf = ({ change, workspace }: TimelinePage, { type }: Row): InPlace & { clock: Clock } => ({
  ...change,
  may: mayWork(workspace, type, 'write'),
});

function datesWords(row: Row, clock: Clock): string | null {
  const { start, end } = endsOf(row);
  if (start !== null && end !== null) return `${monthDay(start, clock)} – ${monthDay(end, clock)}`;
  if (end !== null) return `until ${monthDay(end, clock)}`;
  return start && `from ${monthDay(start, clock)}`;
}

interface Line {
  row: Row;
  depth: number;
  parent: Row | undefined;
  cut: boolean;
  /** From its start to its end. */
  holidays: TimelineHoliday[];
}

export function timelineLines(page: TimelinePage): (node: TimelineNode) => Html {
  const { address, cut, stretch } = page;
  const { from, to, days } = stretch;
  const made = cachedRows<Line>(['line', ...commonOf(page), address, from, to, days], (line) => lineOf(page, line));
  return ({ row, depth, above }) =>
    made({
      row,
      depth,
      parent: above?.row,
      cut: cut.has(row.id),
      holidays: holidaysWithin(page, row),
    });
}

function holidaysWithin({ holidays }: TimelinePage, row: Row): TimelineHoliday[] {
  const { start, end } = endsOf(row);
  const [first, last] = [start ?? end ?? '', end ?? start ?? ''];
  return (holidays.get(row.region ?? '') ?? []).filter(({ day }) => first <= day && day <= last);
}

function lineOf(page: TimelinePage, { row, depth, parent, cut, holidays }: Line): Html {
  const { id, version, type, title, matched } = row;
  const { clock, stretch } = page;
  const ctx = inPlaceOf(page, row);
  return html`<tr id="tl-${id}" data-item="${id}" data-version="${version}"${!matched && html` class="off"`}><th scope="row"><div class="nm d${Math.min(depth, MOST_DEPTH)}">${opener(page, row)}${statusOf(page, row, ctx)}<span class="t"><a href="${page.workspace.at}/items/${id}" dir="auto" title="${title}">${title}</a><span class="meta">${typeLabel(type)} ${id}${row.assignee && ` · ${fullName(row.assignee)}`}${cut && more(page, row)}${inWords(row, holidays, clock)}</span></span></div></th><td>${chartOf(row, stretch, clock, handle(row, ctx, clock))}</td><td class="e"><div><span class="first">${datesOf(row, ctx)}</span>${verdict(row, parent, clock)}</div></td></tr>`;
}

/** The arrows and hatching in words. */
function inWords({ away, blockedBy }: Row, holidays: readonly TimelineHoliday[], clock: Clock): Content {
  const days = away?.map(({ from, to }) => spanWords(from, to, clock));
  return html`${days && html`<span class="vh"> · away ${days.join(', ')}</span>`}${
    holidays.length > 0 &&
    html`<span class="vh"> · public holidays ${holidays.map(({ day, name }) => `${name} ${monthDay(day, clock)}`).join(', ')}</span>`
  }${blockedBy && html`<span class="vh"> · blocked by ${blockedBy.map(({ id }) => `#${id}`).join(', ')}</span>`}`;
}

function statusOf({ found }: TimelinePage, { id, title, status, statusKey }: Row, ctx: InPlace): Content {
  const label = found.options.statuses.find(({ key }) => key === statusKey)?.label ?? statusKey;
  return statusLink({ id, title, status, label, approval: status === 'pending_approval' ? 'pending' : null }, ctx);
}

function opener(page: TimelinePage, { id, title, opens }: Row): Content {
  const { tasks } = page.address;
  const open = tasks.includes(String(id));
  if (!opens && !open) return html`<span class="tw"></span>`;
  const href = hrefOf(page, { tasks: open ? tasks.filter((one) => one !== String(id)) : [...tasks, String(id)] });
  const said = `${open ? 'Hide' : 'Show'} the tasks of ${title}`;
  return html`<a class="tw" href="${href}" aria-expanded="${String(open)}" aria-label="${said}" title="${said}"${liveGet('#work')}>${icon(open ? 'chevron-down' : 'chevron-right', 's')}</a>`;
}

function more(page: TimelinePage, { id }: Row): Content {
  return html` · <a href="${hrefOf(page, { view: 'list', type: 'task', within: [String(id)] })}">Show all in the list</a>`;
}

/** Attributes of a bar's link: data for the script, and the page that changes its dates. */
function handle(row: Row, { at, may }: InPlace, clock: Clock): Content {
  if (!may) return null;
  const { start, end } = endsOf(row);
  const words = datesWords(row, clock) ?? '';
  return html` href="${changePath(at, row.id, spanFieldOf(row.type, row))}" data-menu data-s="${start ?? ''}" data-e="${end ?? ''}" aria-label="${row.title}: ${words}. Change dates"`;
}

function datesOf(row: Row, ctx: InPlace & { clock: Clock }): Content {
  const { clock } = ctx;
  const words = datesWords(row, clock);
  const { end } = endsOf(row);
  const late =
    end !== null &&
    isLate(row, clock.today) &&
    html`<span class="due late">${icon('triangle-alert', 's')}${dueWords(end, {}, clock)}</span>`;
  const shown = words === null ? (ctx.may ? html`${icon('calendar-plus', 's')} Add dates` : '–') : html`<span class="when">${words}</span>`;
  return html`${changeLink(spanFieldOf(row.type, row), row, ctx, shown, 'Change dates')}${late}`;
}

function ready(forecast: NonNullable<Row['forecast']>, targetDate: string | null, clock: Clock): string {
  const { outlook } = forecast;
  const { forecastDate } = displayedDates(forecast);
  if (forecastDate === null) return readyWords({ forecastDate, targetDate, outlook }, clock);
  const against = targetDate && `, ${earlyOrLate(forecastDate, targetDate) ?? 'on the target date'}`;
  return `Ready ${monthDay(forecastDate, clock)}${against ?? ''}`;
}

/** The forecast; without one, whether the item ends after its parent. */
function verdict(row: Row, above: Row | undefined, clock: Clock): Content {
  const { forecast } = row;
  const { end } = endsOf(row);
  if (forecast && !isClosed(row)) {
    return html`<span class="meta">${outlookBadgeWithText(forecast.outlook, ready(forecast, end, clock), explainedSentences(forecast, clock))}</span>`;
  }
  const until = above && endsOf(above).end;
  if (!above || !end || !until || end <= until || isClosed(row)) return null;
  return html`<span class="meta why">${earlyOrLate(end, until)?.replace('late', 'after')} ${typeLabel(above.type).toLowerCase()} ${above.id}</span>`;
}

export function undatedRow(page: TimelinePage, row: Row): Html {
  const ctx = inPlaceOf(page, row);
  return listRow({
    item: row.id,
    status: statusOf(page, row, ctx),
    number: row.id,
    title: row.title,
    href: `${page.workspace.at}/items/${row.id}`,
    context: typeLabel(row.type),
    cells: [{ kind: 'due', content: datesOf(row, ctx) }],
    ...(closedStatuses.includes(row.status) && { class: 'done' }),
  });
}
