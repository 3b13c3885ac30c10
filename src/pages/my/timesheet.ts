/** /my/timesheet: a week as an editable grid (behaviour §28.1 to §28.5). */
import { MOST_ROWS, myTimesheet, type Timesheet } from '../../overviews/myTimesheet.ts';
import { lengthFault, saveGrid } from '../../time/saveGrid.ts';
import { addDays, weekRange } from '../../values/dates.ts';
import { type Fault, InvalidRequest } from '../../values/errors.ts';
import { clockOf } from '../frame/clock.ts';
import { empty, notice } from '../frame/components/boxes.ts';
import { button, linkButton } from '../frame/components/button.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { call } from '../frame/session.ts';
import { orAgain } from '../frame/submitted.ts';
import { mayAnywhere, PATH, reportLinks, requestedWeek, weekWords } from './landing.ts';
import { type Refused, type TypedGrid, typedGrid } from './timesheetForm.ts';
import { sheetTable } from './timesheetTable.ts';
import { utcDays } from './utcDays.ts';
import { switches } from './views.ts';
import { workOffers } from './work.ts';

const SHEET = `${PATH}/timesheet`;

/** Also shows the rows of the previous week. */
const withLast = ({ query, form }: PageRequest): boolean => (form.text('rows') || query.get('rows')) === 'last';

async function show(request: PageRequest, refused?: Refused): Promise<Answer> {
  const clock = clockOf(request);
  const sheet = await call(request, myTimesheet, { date: requestedWeek(request, clock) });
  const { monday } = sheet;
  const address = (date: string) => `${request.basePath}${SHEET}?week=${date}`;
  return {
    title: 'My week',
    tab: 'Timesheet',
    status: refused?.refusal.status ?? 200,
    wide: true,
    ...(refused && { notice: notice('error', refused.refusal.problem) }),
    ...switches(request, {
      ...{ word: 'week', view: 'Grid', date: monday, meta: weekWords(monday, clock), isNow: monday === weekRange(clock.today).from },
      ...{ before: address(addDays(monday, -7)), now: `${request.basePath}${SHEET}`, after: address(addDays(monday, 7)) },
    }),
    body: html`<div class="sheet">${grid(request, sheet, refused)}${reportLinks(request)}</div>`,
    scripts: ['timesheet'],
  };
}

function grid(request: PageRequest, sheet: Timesheet, refused?: Refused): Content {
  const last = withLast(request);
  const rows = sheet.rows.filter(({ before }) => last || !before);
  const may = mayAnywhere(sheet, 'time');
  if (!rows.length && !may)
    return empty({
      icon: 'clock',
      title: 'No time recorded this week',
      text: 'You cannot record time in any workspace yet. Ask the owner of a workspace to make you a member.',
    });
  const table = sheetTable({ request, sheet: { ...sheet, rows }, clock: clockOf(request), refused, may });
  if (!may) return table;
  const more = sheet.rows.filter(({ before, may: ours }) => before && ours).length;
  return html`${workOffers(sheet, 'time')}${postForm(
    request,
    { action: SHEET, once: true, class: 'plain', autocomplete: 'off', hidden: { week: sheet.monday, rows: last ? 'last' : null } },
    table,
    html`<div class="actions">${button('Save week', { kind: 'primary' })}${
      !last &&
      more > 0 &&
      linkButton(`${request.basePath}${SHEET}?week=${sheet.monday}&rows=last`, `Copy last week’s rows (${more})`, { icon: 'copy' })
    }</div>`,
  )}
${explained(request, sheet)}`;
}

/** Explains input and UTC days (behaviour §28.2). */
function explained(request: PageRequest, { monday, rows }: Timesheet): Content {
  const clock = clockOf(request);
  const rule = utcDays(monday, clock);
  return html`${rows.length >= MOST_ROWS && html`<p class="hint">Only the first ${MOST_ROWS} rows are shown. The report has all rows.</p>`}<p class="hint">Type hours as 1:30, 1h30, 45m or 1.5. Clear a cell to remove time that was logged by hand.</p>
${rule && html`<p class="hint">${rule}</p>`}`;
}

async function save(request: PageRequest): Promise<Answer> {
  const { form } = request;
  const typed = await typedGrid(request);
  const week = weekRange(requestedWeek(request, clockOf(request))).from;
  const back = `${SHEET}?week=${week}${form.text('rows') === 'last' ? '&rows=last' : ''}`;
  const cells = typed.cells.map(({ cell }) => cell);
  return orAgain(
    async () => {
      if (typed.unknown.size > 0) throw new InvalidRequest([], 'Nothing was saved. Choose an item for each new row.', ...unreadIn(typed));
      if (cells.length === 0) return { redirect: back, notice: 'nothing' };
      const { changed } = await call(request, saveGrid, { cells });
      return { redirect: back, notice: changed > 0 ? 'saved' : 'nothing' };
    },
    { labels: { minutes: '', cells: '' }, again: (refusal) => show(request, { refusal, typed }) },
  );
}

const unreadIn = ({ unread }: TypedGrid): Fault[] => (unread.length > 0 ? [{ path: [], whatToDo: lengthFault }] : []);

export const timesheetRoutes: PageRoute[] = [
  { method: 'GET', path: SHEET, handle: (request) => show(request) },
  { method: 'POST', path: SHEET, handle: save },
];
