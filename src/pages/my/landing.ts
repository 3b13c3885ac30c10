/** Redirects to the week with the new entry or block, which is highlighted there (behaviour §20.9). */

import { bits, holds } from '../../access/rights.ts';
import { type MyWeek, myWeek } from '../../overviews/myWeek.ts';
import type { BlockResult } from '../../plans/planBlock.ts';
import type { PlanBlock } from '../../plans/schema.ts';
import type { TimeEntry } from '../../time/schema.ts';
import { addDays, isDate, mondayOf, weekRange } from '../../values/dates.ts';
import { elementAt } from '../../values/records.ts';
import { type Clock, clockOf } from '../frame/clock.ts';
import { shortDay } from '../frame/components/when.ts';
import type { Fields, Forms } from '../frame/fields.ts';
import type { Labels } from '../frame/forms.ts';
import { type Content, type Html, html } from '../frame/html.ts';
import type { PageRequest, Redirect } from '../frame/page.ts';
import { type PostForm, postForm } from '../frame/postForm.ts';
import { call } from '../frame/session.ts';
import { undoOf } from '../frame/toast.ts';
import { hiddenWork, idIn } from '../frame/widgets.ts';

export type SavedTime = { entry: TimeEntry } | BlockResult;

export const entryAnchor = (id: number) => `entry-${id}`;
export const blockAnchor = (id: number) => `block-${id}`;

export const blockOf = (landed: BlockResult): PlanBlock => ('block' in landed ? landed.block : elementAt(landed.blocks, 0));
const dayOf = (landed: SavedTime): string => ('entry' in landed ? landed.entry.date : blockOf(landed).startLocal.slice(0, 10));
const anchorOf = (landed: SavedTime): string => ('entry' in landed ? entryAnchor(landed.entry.id) : blockAnchor(blockOf(landed).id));

export function landing(landed: SavedTime): Redirect {
  return { redirect: `/my?week=${weekRange(dayOf(landed)).from}&landed=${anchorOf(landed)}`, ...toldOf(landed) };
}

const isAway = ({ warnings = [] }: BlockResult): boolean => warnings.some(({ code }) => code === 'block_while_away');

/** The toast after recording or planning. */
export const toldOf = (saved: SavedTime): Pick<Redirect, 'notice' | 'undo'> =>
  'entry' in saved
    ? { notice: 'logged', undo: undoOf.time(saved.entry) }
    : { notice: isAway(saved) ? 'plannedAway' : 'planned', undo: undoOf.plan(blockOf(saved)) };

export const PATH = '/my';

export const labels: Labels = {
  work: 'Item',
  itemId: 'Item',
  note: 'Note',
  date: 'Day',
  minutes: 'Duration',
  startedAt: 'Start',
  endedAt: 'End',
  reason: 'Reason',
  startLocal: 'Start',
  endLocal: 'End',
  timezone: 'Time zone',
  remindMinutes: 'Reminder, minutes before the start',
  entryId: '',
  revision: '',
  blockId: '',
};

export const at = ({ basePath }: PageRequest, rest = '') => `${basePath}${PATH}${rest}`;

/** A form on /my that returns to the same week. `action` is below /my. */
export const myForm = (request: PageRequest, { monday }: Pick<MyData, 'monday'>, form: PostForm, ...content: Content[]): Content =>
  postForm(request, { ...form, action: PATH + form.action, once: true, hidden: { week: monday, ...form.hidden } }, ...content);

/** A one-line field. `attributes`: of its input, without name, value and error attributes. */
export const line = (fields: Fields, name: string, usual: string, attributes: Html, hint?: Content): Content =>
  fields.field(name, (mark) => html`<input name="${name}" value="${fields.value(name, usual)}" ${attributes}${mark}>`, hint);

export const noteLine = (fields: Fields, usual = ''): Content => line(fields, 'note', usual, html`maxlength="2000"`);

export const lengthLine = (fields: Fields, usual = ''): Content =>
  line(fields, 'minutes', usual, html`required maxlength="20" placeholder="45m, 1:30, 1.5h" autocomplete="off"`);

export function workLink(
  request: PageRequest,
  workspaceId: number,
  itemId: number | null | undefined,
  title: string | null | undefined,
): Content {
  if (!itemId) return html`<span class="muted">${hiddenWork}</span>`;
  return html`<a href="${request.basePath}/workspaces/${workspaceId}/items/${itemId}">${title}</a>`;
}

export const reportLinks = ({ basePath }: PageRequest): Content =>
  html`<p class="meta all"><a href="${basePath}/reports/time">Time report and CSV</a> <a href="${basePath}${PATH}/calendar">Subscribe in your calendar</a></p>`;

/** "Mon 16 Nov to Sun 22 Nov", plus the year if it is another one. */
export function weekWords(monday: string, clock: Clock): string {
  const sunday = addDays(monday, 6);
  const year = sunday.slice(0, 4) === clock.today.slice(0, 4) ? '' : ` ${sunday.slice(0, 4)}`;
  return `${shortDay(monday, clock)} to ${shortDay(sunday, clock)}${year}`;
}

export interface MyData extends MyWeek {
  clock: Clock;
}

/** True for dates that pages show. URLs may contain any text. */
export const isShownDate = (date: string): boolean => isDate(date) && date > '0002' && date < '9998';

/** A day of the requested week; also accepts `2026-W47`. After a refused form, the week of the form. */
export function requestedWeek({ query, form }: Pick<PageRequest, 'query' | 'form'>, { today }: Pick<Clock, 'today'>): string {
  const asked = form.text('week') || query.get('week') || today;
  const date = mondayOfIso(asked) ?? asked;
  return isShownDate(date) ? date : today;
}

/** ISO 8601: the first week contains 4 January. */
function mondayOfIso(text: string): string | null {
  const [, year, week] = /^(\d{4})-W(0[1-9]|[1-4]\d|5[0-3])$/.exec(text) ?? [];
  return year && year > '0002' && year < '9998' ? addDays(mondayOf(`${year}-01-04`), (Number(week) - 1) * 7) : null;
}

export async function loadMyData(request: PageRequest): Promise<MyData> {
  const { query } = request;
  const clock = clockOf(request);
  const date = requestedWeek(request, clock);
  const week = await call(request, myWeek, { date, zone: clock.zone, itemId: idIn(query.get('itemId')) });
  return { ...week, clock };
}

export interface MyContext {
  request: PageRequest;
  data: MyData;
  forms: Forms;
}

export type Recorded = 'time' | 'plans';

export const mayIn = ({ rights }: Pick<MyData, 'rights'>, what: Recorded, workspaceId: number): boolean =>
  holds(rights.get(workspaceId) ?? 0, bits(what, 'write'));

export const mayAnywhere = (data: Pick<MyData, 'rights'>, what: Recorded): boolean =>
  [...data.rights.keys()].some((id) => mayIn(data, what, id));
