/** /reports/time: recorded time as bars, table and CSV file (behaviour §25). */

import { runPiece, turnOf } from '../../access/throttle/loopShare.ts';
import { type Group, type Grouping, groupings, type Line, MOST_GROUPS, timeLines, timeReport, weeksOf } from '../../time/report.ts';
import { csvLine, timeCells } from '../../values/csv.ts';
import { addDays, mondayOf, monthRange } from '../../values/dates.ts';
import { capital } from '../../values/text.ts';
import { type Clock, clockOf } from '../frame/clock.ts';
import { empty, segments } from '../frame/components/boxes.ts';
import { button, linkButton } from '../frame/components/button.ts';
import { pickSelect } from '../frame/components/picker.ts';
import { dayWords, figure, hours, longDay, monthWords, within } from '../frame/components/when.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { call } from '../frame/session.ts';

const PATH = '/reports/time';

const names: Record<Grouping, string> = {
  item: 'item',
  person: 'person',
  requirement: 'requirement',
  goal: 'goal',
  release: 'release',
  type: 'type',
  day: 'day',
  week: 'week',
  month: 'month',
};

interface Asked {
  workspaceId: number | 'all';
  from: string;
  to: string;
}

/** Default: this week. */
function reportQueryOf({ query }: PageRequest, { today }: Clock): Asked {
  const from = query.get('from') || mondayOf(today);
  const at = query.get('workspaceId') || '0';
  return { workspaceId: at === 'all' ? at : Number(at), from, to: query.get('to') || addDays(mondayOf(today), 6) };
}

const groupingIn = ({ query }: PageRequest): Grouping => groupings.find((one) => one === query.get('by')) ?? 'item';

async function show(request: PageRequest): Promise<Answer> {
  const clock = clockOf(request);
  const asked = reportQueryOf(request, clock);
  const by = groupingIn(request);
  const report = await call(request, timeReport, { ...asked, by });
  const choices = choicesOf(report.workspaces);
  const address = (more: Partial<Asked & { by: Grouping }>) => `${request.basePath}${PATH}?${query({ ...asked, by, ...more })}`;
  return {
    title: 'Recorded time',
    sheets: ['reports'],
    meta: html`${hours(report.total)} · <span class="on-screen">${spanWords(asked, clock)}</span>${onPaper(asked, choices, clock)}`,
    crumbs: html`<a href="${request.basePath}/my">My time</a>`,
    actions: linkButton(`${request.basePath}${PATH}.csv?${query(asked)}`, 'CSV', { icon: 'download', said: 'Download as CSV' }),
    filters: filters(request, asked, by, choices, clock),
    body: html`<div class="report" id="report">${segments(
      'Group by',
      groupings
        .filter((one) => one !== 'person' || asked.workspaceId !== 0)
        .map((one) => ({ href: address({ by: one }), label: `By ${names[one]}`, current: one === by })),
    )}
${
  report.groups.length === 0
    ? empty({
        icon: 'clock',
        title: 'No time recorded',
        text: 'This report sums recorded time. Log time on My day, or choose other dates.',
        action: linkButton(`${request.basePath}/`, 'Open My day'),
      })
    : table(request, report.groups, by, report.total, clock)
}
${report.count > report.groups.length && html`<p class="hint">Only the largest ${MOST_GROUPS} are shown. The CSV file has all.</p>`}
<p class="hint">Time counts on its UTC day. A timer counts once it is stopped; over midnight UTC it is split.</p></div>`,
  };
}

const query = (asked: Asked & { by?: Grouping }): string =>
  new URLSearchParams(Object.entries(asked).map(([name, value]): [string, string] => [name, String(value)])).toString();

const spanWords = ({ from, to }: Asked, clock: Clock): string =>
  from === to ? dayWords(from, clock) : `${dayWords(from, clock)} to ${within(dayWords(to, clock))}`;

type Choices = { value: string; label: string }[];

const choicesOf = (workspaces: readonly { id: number; name: string }[]): Choices => [
  { value: '0', label: 'My time' },
  ...(workspaces.length > 1 ? [{ value: 'all', label: 'All people in all workspaces' }] : []),
  ...workspaces.map(({ id, name }) => ({ value: String(id), label: `All people in ${name}` })),
];

/** In print: the filters, and dates that stay true. */
function onPaper({ workspaceId, from, to }: Asked, choices: Choices, clock: Clock): Content {
  const whose = choices.find(({ value }) => value === String(workspaceId))?.label;
  return html`<span class="on-paper">${whose}, ${longDay(from, clock)}${to !== from && ` to ${longDay(to, clock)}`}</span>`;
}

function filters(request: PageRequest, { workspaceId, from, to }: Asked, by: Grouping, options: Choices, { today }: Clock): Content {
  const { basePath } = request;
  const month = monthRange(today);
  const before = monthRange(addDays(month.from, -1));
  const week = { from: mondayOf(today), to: addDays(mondayOf(today), 6) };
  const last = { from: addDays(week.from, -7), to: addDays(week.to, -7) };
  const quick = (label: string, span: { from: string; to: string }) =>
    linkButton(`${basePath}${PATH}?${query({ workspaceId, by, ...span })}`, label, {
      small: true,
      kind: 'quiet',
      current: span.from === from && span.to === to,
    });
  return html`<form method="get" action="${basePath}${PATH}" class="span"><input type="hidden" name="by" value="${by}">
<label><span class="vh">Person or workspace</span>${pickSelect({ name: 'workspaceId', options, chosen: String(workspaceId), attributes: html` class="input"` })}</label>
<label><span class="vh">From</span><input class="input" type="date" name="from" value="${from}" required></label>
<label><span class="vh">To</span><input class="input" type="date" name="to" value="${to}" required></label>${button('Show', { small: true })}</form>
${quick('This week', week)}${quick('Last week', last)}${quick('This month', month)}${quick('Last month', before)}`;
}

function table(request: PageRequest, groups: readonly Group[], by: Grouping, total: number, clock: Clock): Content {
  const most = Math.max(...groups.map(({ minutes }) => minutes));
  const row = (group: Group) =>
    html`<tr><th scope="row">${named(request, group, by, clock)}</th><td class="bar" aria-hidden="true"><svg class="prog" height="8"><rect width="${percent(group.minutes, most)}%" height="8" rx="4"/></svg></td><td class="num" data-label="Time">${figure(group.minutes)}</td><td class="num" data-label="Share">${Math.round(percent(group.minutes, total))} %</td></tr>`;
  return html`<table class="table sums"><caption class="vh">Recorded time by ${names[by]}</caption><thead><tr><th scope="col">${capital(names[by])}</th><th scope="col"><span class="vh">Share as a bar</span></th><th scope="col" class="num">Time</th><th scope="col" class="num">Share</th></tr></thead>
<tbody>${groups.map(row)}</tbody><tfoot><tr><th scope="row">Total</th><td></td><td class="num">${figure(total)}</td><td></td></tr></tfoot></table>`;
}

const percent = (part: number, whole: number): number => (whole === 0 ? 0 : Math.round((part / whole) * 1000) / 10);

const absent: Partial<Record<Grouping, string>> = {
  item: 'Items you can no longer see',
  type: 'Items you can no longer see',
  requirement: 'No requirement',
  goal: 'No goal',
  release: 'No release',
};

function named({ basePath }: PageRequest, { label, itemId, workspaceId }: Group, by: Grouping, clock: Clock): Content {
  if (label === null) return html`<span class="meta">${absent[by] ?? '–'}</span>`;
  if (by === 'day') return longDay(label, clock);
  if (by === 'week') return `Week of ${dayWords(label, clock)}`;
  if (by === 'month') return monthWords(`${label}-01`, clock);
  if (by === 'type') return `${capital(label)}s`;
  return workspaceId !== null && itemId !== null
    ? html`<a href="${basePath}/workspaces/${workspaceId}/items/${itemId}">${label}</a>`
    : label;
}

async function download(request: PageRequest): Promise<Answer> {
  const asked = reportQueryOf(request, clockOf(request));
  // Errors must be thrown before the file starts.
  await call(request, timeReport, { ...asked, by: 'month' });
  return { lines: linesOf(request, asked), type: 'text/csv; charset=utf-8', name: `time-${asked.from}-${asked.to}.csv` };
}

/** The rights are checked again for each week: the file ends if they are lost. */
async function* linesOf(request: PageRequest, asked: Asked): AsyncGenerator<string> {
  yield csvLine(['Day (UTC)', 'Person', 'Workspace', 'Number', 'Item', 'Type', 'Requirement', 'Goal', 'Minutes', 'Hours']);
  const { ctx, user } = request;
  for (const span of weeksOf(asked.from, asked.to)) {
    await turnOf(user.id, () => !ctx.res.closed, Number.POSITIVE_INFINITY);
    const rows = await call(request, timeLines, { workspaceId: asked.workspaceId, ...span });
    yield await runPiece(user.id, () => rows.map(lineOf).join(''));
  }
}

const lineOf = ({ day, person, workspace, itemId, title, type, requirement, goal, minutes }: Line): string =>
  csvLine([day, person, workspace, itemId, title, type, requirement, goal, ...timeCells(minutes)]);

export const reportRoutes: PageRoute[] = [
  { method: 'GET', path: PATH, handle: show },
  { method: 'GET', path: `${PATH}.csv`, bare: true, handle: download },
];
