import type { SheetRow, Timesheet } from '../../overviews/myTimesheet.ts';
import { cellMinutes, lengthFault } from '../../time/saveGrid.ts';
import { InvalidRequest, sentenceOf } from '../../values/errors.ts';
import { capital } from '../../values/text.ts';
import type { Clock } from '../frame/clock.ts';
import { icon } from '../frame/components/icon.ts';
import { figure, hours, longDay, weekDays } from '../frame/components/when.ts';
import { type Content, type Html, html } from '../frame/html.ts';
import type { PageRequest } from '../frame/page.ts';
import { PATH, workLink } from './landing.ts';
import { cellName, choiceName, MOST_NEW, newName, type Refused, wasName, workName } from './timesheetForm.ts';
import { WhichWork, workChoices } from './work.ts';

interface Shown {
  request: PageRequest;
  sheet: Timesheet;
  clock: Clock;
  refused: Refused | undefined;
  /** True if the user may record time in any workspace. */
  may: boolean;
}

interface Day {
  date: string;
  name: string;
  /** The day has begun in UTC. */
  open: boolean;
}

const NEW_ROWS = 2;

export function sheetTable(shown: Shown): Html {
  const { request, sheet, clock, may } = shown;
  const { monday, today, rows } = sheet;
  const days = weekDays(monday, clock).map((day) => ({ ...day, open: day.date <= today }));
  const head = days.map(
    ({ date, name, open }) =>
      html`<th scope="col"${date === today && html` aria-current="date"`}><a href="${request.basePath}${PATH}?week=${monday}#day-${date}" title="${longDay(date, clock)}${!open && ', in the future'}">${name}</a></th>`,
  );
  return html`<table class="grid" data-sheet><caption class="vh">Recorded time of the week, per item and UTC day</caption><thead><tr><th scope="col">Item</th>${head}<th scope="col" class="num">Total</th></tr></thead>
<tbody>${rows.map((row) => rowOf(shown, row, days))}${may && newRows(shown, days)}</tbody>
<tfoot><tr><th scope="row">Total</th>${days.map(({ date, name }) => sum(totalOf(rows, date), name, 'day'))}${sum(totalOf(rows), 'Week', 'week')}</tr></tfoot></table>
${ofWeek(sheet)}`;
}

const totalOf = (rows: readonly SheetRow[], date?: string): number =>
  rows.reduce(
    (total, { cells }) => total + [...cells].reduce((all, [day, { minutes }]) => (date && day !== date ? all : all + minutes), 0),
    0,
  );

const sum = (minutes: number, label: string, kind: string): Html =>
  html`<td class="num sum" data-label="${label}" data-sum="${kind}">${minutes > 0 && figure(minutes)}</td>`;

function ofWeek({ rows, weeklyMinutes }: Timesheet): Content {
  const total = totalOf(rows);
  if (weeklyMinutes === null) return html`<p class="of"><b data-week>${hours(total)}</b> this week</p>`;
  const left = weeklyMinutes - total;
  return html`<p class="of"><b data-week="${weeklyMinutes}">${hours(total)}</b> of ${hours(weeklyMinutes)} this week, <span data-left>${left >= 0 ? `${hours(left)} left` : `${hours(-left)} over`}</span></p>`;
}

function rowOf(shown: Shown, row: SheetRow, days: readonly Day[]): Html {
  const { request } = shown;
  const { itemId, title, workspaceId, workspace } = row;
  const notes: Html[] = [];
  const cells = days.map((day) => cellOf(shown, row, day, notes));
  return html`<tr><th scope="row">${workLink(request, workspaceId, itemId, title)}${itemId !== null && html`<span class="up">${itemId} · ${workspace}</span>`}</th>${cells}${sum(totalOf([row]), 'Total', 'row')}</tr>${noteRow(notes)}`;
}

const noteRow = (notes: readonly Html[]): Content => notes.length > 0 && html`<tr class="why"><td colspan="9">${notes}</td></tr>`;

function cellOf(shown: Shown, { itemId, title, may, cells }: SheetRow, day: Day, notes: Html[]): Html {
  const { date, name, open } = day;
  const held = cells.get(date);
  const minutes = held?.minutes ?? 0;
  if (itemId === null || !may || !open || held?.runs) return fixed(day, minutes, held?.runs === true);
  const field = cellName(itemId, date);
  const said = faultAt(shown, field, name) ?? movedAt(shown, { itemId, date, name, minutes });
  if (said) notes.push(html`<small class="fault" id="why-${field}">${said}</small>`);
  const made = held && held.entries > 1 && html` title="Sum of ${held.entries} entries"`;
  return html`<td data-label="${name}">${minutes > 0 && html`<input type="hidden" name="${wasName(itemId, date)}" value="${minutes}">`}<input class="input" name="${field}" value="${typedAt(shown, field, figure(minutes))}" maxlength="20" aria-label="${title}, ${name}"${made}${markAt(said, field)} data-cell></td>`;
}

const fixed = ({ name, open }: Day, minutes: number, runs: boolean): Html =>
  html`<td class="fixed" data-label="${name}" data-minutes="${minutes}">${runs && html`<span title="A timer is running. Stop it to type here.">${icon('timer', 's')}<span class="vh">Timer running, </span></span>`}${minutes > 0 || runs ? figure(minutes) || '0:00' : open ? html`<span class="vh">nothing</span>` : html`<span class="vh">in the future</span>`}</td>`;

const markAt = (said: Content, field: string): Content => said && html` aria-invalid="true" aria-describedby="why-${field}"`;

const typedAt = ({ refused, request: { form } }: Shown, field: string, usual: string): string =>
  refused && form.has(field) ? form.raw(field) : usual;

function faultAt({ refused }: Shown, field: string, name: string): Content {
  const error = refused?.refusal.error;
  if (refused?.typed.unread.includes(field)) return html`<b>${name}</b>: ${lengthFault}.`;
  if (!refused || !(error instanceof InvalidRequest)) return null;
  const at = refused.typed.cells.findIndex((typed) => typed.name === field);
  const fault = at < 0 ? undefined : error.faults.find(({ path }) => path[0] === 'cells' && path[1] === at);
  return fault && html`<b>${name}</b>: ${sentenceOf({ ...fault, path: [] })}`;
}

/** Shows both values if the cell was changed meanwhile; the typed value stays. */
function movedAt(
  { refused, request: { form } }: Shown,
  { itemId, date, name, minutes }: { itemId: number; date: string; name: string; minutes: number },
): Content {
  const field = cellName(itemId, date);
  if (!refused || !form.has(field)) return null;
  const was = form.number(wasName(itemId, date)) ?? 0;
  if (was === minutes || cellMinutes(form.raw(field)) === was) return null;
  return html`<b>${name}</b>: this cell changed from ${hours(was)} to ${hours(minutes)} since you opened the page. Your value (${form.raw(field).trim() || 'empty'}) is not saved. Save again to use it.`;
}

/** New rows with a text field for the item; they work without script. */
function newRows(shown: Shown, days: readonly Day[]): Content {
  const { form } = shown.request;
  const used = form.names.flatMap((name) => Number(/^work-(\d{1,2})$/.exec(name)?.[1] ?? 0)).filter((row) => row < MOST_NEW);
  const count = Math.max(NEW_ROWS, ...used.map((row) => row + 1));
  return Array.from({ length: count }, (_, row) => newRow(shown, row, days));
}

function newRow(shown: Shown, row: number, days: readonly Day[]): Html {
  const { refused } = shown;
  const problem = refused?.typed.unknown.get(row);
  const notes: Html[] = problem
    ? [
        html`<small class="fault" id="why-${workName(row)}">${sentenceOfWork(problem)}</small>${problem instanceof WhichWork && workChoices(choiceName(row), problem.choices)}`,
      ]
    : [];
  const cells = days.map((day) => {
    if (!day.open) return fixed(day, 0, false);
    const field = newName(row, day.date);
    const said = faultAt(shown, field, day.name);
    if (said) notes.push(html`<small class="fault" id="why-${field}">${said}</small>`);
    return html`<td data-label="${day.name}"><input class="input" name="${field}" value="${typedAt(shown, field, '')}" maxlength="20" aria-label="New row ${row + 1}, ${day.name}"${markAt(said, field)} data-cell></td>`;
  });
  const work = workName(row);
  return html`<tr class="new" data-new="${row}"><th scope="row"><input class="input" name="${work}" value="${typedAt(shown, work, '')}" maxlength="300" list="offers-time" placeholder="Add item: # and number, or words of its title" aria-label="Item of new row ${row + 1}"${markAt(problem && 'unclear', work)} data-cell></th>${cells}${sum(0, 'Total', 'row')}</tr>${noteRow(notes)}`;
}

const sentenceOfWork = (problem: Error): string =>
  capital(problem instanceof InvalidRequest ? sentenceOf({ ...problem.faults[0], path: [] }) : problem.message);
