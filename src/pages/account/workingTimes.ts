/** /settings/hours and /settings/people/:userId/hours: absences, hours and public holidays of a person (behaviour §34). */

import { chooseHolidays, type Holiday, type ListedHolidays, listHolidays, NO_HOLIDAYS } from '../../accounts/holidays.ts';
import {
  type AbsenceLine,
  addAbsence,
  changeAbsence,
  changeWorkingDays,
  getWorkingTimes,
  removeAbsence,
  removeHoursFrom,
  setHoursFrom,
  type WorkingTimes,
  weekdayKeys,
  workingDaysOf,
} from '../../accounts/workingTimes.ts';
import type { Operation } from '../../operations/operation.ts';
import { Forbidden } from '../../values/errors.ts';
import { clockOf } from '../frame/clock.ts';
import { fold, section } from '../frame/components/boxes.ts';
import { button } from '../frame/components/button.ts';
import { pickSelect } from '../frame/components/picker.ts';
import { table } from '../frame/components/row.ts';
import { dayWords } from '../frame/components/when.ts';
import { type Fields, type Forms, formsOf } from '../frame/fields.ts';
import type { Form, Labels } from '../frame/forms.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { call } from '../frame/session.ts';
import { type Refusal, submitted } from '../frame/submitted.ts';
import { checkbox, problemBox } from '../frame/widgets.ts';
import { PATH as PEOPLE } from './peopleParts.ts';
import { profileTabs, weeklyWords } from './profile.ts';

const OWN = '/settings/hours';
const ACCOUNT = '/settings/holidays';

const labels: Labels = {
  from: 'From',
  to: 'To',
  half: 'Half days',
  reason: 'Reason',
  shared: 'Reason',
  weeklyHours: 'Hours a week',
  workingDays: 'Working days',
  region: 'Public holidays',
};

const weekdayNames = { mon: 'Mon', tue: 'Tue', wed: 'Wed', thu: 'Thu', fri: 'Fri', sat: 'Sat', sun: 'Sun' } as const;

interface Page {
  request: PageRequest;
  times: WorkingTimes & { own: boolean; maySetHours: boolean };
  holidays: ListedHolidays;
  forms: Forms;
}

const pathOf = (request: PageRequest, userId: number): string => (userId === request.user.id ? OWN : `${PEOPLE}/${userId}/hours`);

async function show(request: PageRequest, userId: number, refusal?: Refusal): Promise<Answer> {
  const times = await call(request, getWorkingTimes, { userId });
  const holidays = await call(request, listHolidays, { region: request.query.get('region') || null });
  const page = { request, times, holidays, forms: formsOf(request, labels, refusal) };
  const { basePath } = request;
  return {
    ...(!times.own && {
      crumbs: html`<a href="${basePath}${PEOPLE}">People</a> <a href="${basePath}${PEOPLE}/${userId}">${times.name}</a>`,
    }),
    title: times.own ? 'Absences and hours' : `Absences and hours of ${times.name}`,
    status: refusal?.status ?? 200,
    body: html`${times.own && profileTabs(request, OWN)}<div class="profile" id="hours-page">${problemBox(refusal?.problem)}
${section({ title: 'Absences', id: 'absences' }, absences(page))}
${section({ title: 'Hours and working days', id: 'hours' }, workingHours(page))}
${section({ title: 'Public holidays', id: 'holidays' }, holidaysOf(page))}</div>`,
  };
}

const daysWords = (bits: number): string =>
  workingDaysOf(bits)
    .map((day) => weekdayNames[day])
    .join(', ');

const dateField = (fields: Fields, name: 'from' | 'to', usual?: string): Content =>
  fields.field(name, (mark) => html`<input type="date" name="${name}" required value="${fields.value(name, usual)}"${mark}>`);

function absences({ request, times, forms }: Page): Content {
  const clock = clockOf(request);
  const columns = [{ label: 'From' }, { label: 'To' }, { label: 'Away' }, { label: 'Reason' }, { label: 'Change' }];
  const rows = times.absences.map((one) => [
    dayWords(one.from, clock),
    dayWords(one.to, clock),
    one.half ? 'Half days' : 'Whole days',
    reasonWords(one),
    html`${changeForm(request, times.id, one, forms)}${postForm(
      request,
      { action: `${OWN}/remove`, hidden: { userId: times.id, id: one.id }, live: '#hours-page', class: 'plain' },
      button('Remove', { small: true }),
    )}`,
  ]);
  const fields = forms(`${OWN}/add`);
  return html`${rows.length > 0 ? table({ caption: 'Absences', columns }, rows) : html`<p class="hint">No absences yet.</p>`}
${postForm(
  request,
  { action: `${OWN}/add`, hidden: { userId: times.id }, live: '#hours-page' },
  html`<div class="sides">${dateField(fields, 'from')}${dateField(fields, 'to')}</div>
${checkbox('half', 'on', 'Half days: only half of each working day', fields.ticked('half', 'on'))}
${fields.field('reason', (mark) => html`<input name="reason" maxlength="200" value="${fields.value('reason')}"${mark}>`, times.own ? 'Only you see the reason, unless you share it. Others see that you are away.' : 'Only they see the reason, unless it is shared.')}
${checkbox('shared', 'on', 'Share the reason', fields.ticked('shared', 'on'))}
<div class="buttons">${button('Add absence', { kind: 'primary' })}</div>`,
)}`;
}

/** A private reason of another person is neither shown nor changed. */
function changeForm(request: PageRequest, userId: number, one: AbsenceLine, forms: Forms): Content {
  const form = { action: `${OWN}/change`, hidden: { userId, id: one.id } };
  const fields = forms(form.action, form.hidden);
  const reason =
    one.reason !== null &&
    html`${fields.field('reason', (mark) => html`<input name="reason" maxlength="200" value="${fields.value('reason', one.reason ?? '')}"${mark}>`)}
${checkbox('shared', 'on', 'Share the reason', fields.ticked('shared', 'on', one.shared))}`;
  return fold(
    'Edit',
    postForm(
      request,
      { ...form, live: '#hours-page' },
      html`<div class="sides">${dateField(fields, 'from', one.from)}${dateField(fields, 'to', one.to)}</div>
${checkbox('half', 'on', 'Half days', fields.ticked('half', 'on', one.half))}${reason}<div class="buttons">${button('Save', { small: true })}</div>`,
    ),
    { open: fields.refused },
  );
}

const reasonWords = ({ reason, shared }: AbsenceLine): Content => {
  if (reason === null) return html`<span class="muted">Private</span>`;
  return reason === '' ? '–' : html`${reason}${!shared && html` <small class="muted">only you see this</small>`}`;
};

function workingHours(page: Page): Content {
  const { request, times } = page;
  const clock = clockOf(request);
  const now = html`<p>Now: <b>${weeklyWords(times.weeklyMinutes)}</b> a week, on ${daysWords(times.weekdays)}.</p>`;
  const columns = [{ label: 'From' }, { label: 'Hours a week', number: true }, { label: 'Working days' }];
  const rows = times.hours.map(({ from, weeklyMinutes, weekdays }) => [
    dayWords(from, clock),
    weeklyWords(weeklyMinutes),
    daysWords(weekdays),
    ...(times.maySetHours
      ? [
          postForm(
            request,
            { action: `${OWN}/undate`, hidden: { userId: times.id, from }, live: '#hours-page', class: 'plain' },
            button('Remove', { small: true }),
          ),
        ]
      : []),
  ]);
  const listed =
    rows.length > 0 && table({ caption: 'Hours by date', columns: times.maySetHours ? [...columns, { label: 'Remove' }] : columns }, rows);
  return html`${now}${listed}${times.maySetHours ? hoursForms(page) : html`<p class="hint">An owner or administrator sets hours and working days.</p>`}`;
}

function hoursForms({ request, times, forms }: Page): Content {
  const dated = forms(`${OWN}/dated`);
  const usual = forms(`${OWN}/days`);
  const boxes = (fields: Fields) =>
    html`<fieldset><legend>Working days</legend><div class="actions">${weekdayKeys.map((day) =>
      checkbox('workingDays', day, weekdayNames[day], fields.ticked('workingDays', day, workingDaysOf(times.weekdays).includes(day))),
    )}</div>${fields.note('workingDays')}</fieldset>`;
  return html`${postForm(request, { action: `${OWN}/days`, hidden: { userId: times.id }, live: '#hours-page' }, html`${boxes(usual)}<div class="buttons">${button('Save working days')}</div>`)}
<h3>Change hours from a date</h3>
${postForm(
  request,
  { action: `${OWN}/dated`, hidden: { userId: times.id }, live: '#hours-page' },
  html`<div class="sides">${dateField(dated, 'from')}
${dated.field('weeklyHours', (mark) => html`<input name="weeklyHours" inputmode="decimal" size="5" required value="${dated.value('weeklyHours')}"${mark}>`)}</div>
${boxes(dated)}<div class="buttons">${button('Add change')}</div>`,
)}`;
}

const regionName = ({ regions }: ListedHolidays, id: string | null): string =>
  id === null || id === NO_HOLIDAYS ? 'None' : (regions.find((one) => one.id === id)?.name ?? id);

function holidaysOf({ request, times, holidays, forms }: Page): Content {
  const inherited = `Same as the account (${regionName(holidays, times.accountRegion)})`;
  const now = times.region === null ? inherited : regionName(holidays, times.region);
  return html`<p>Now: <b>${now}</b>.</p>${chooser({ request, holidays, forms, now: times.region ?? '', usual: inherited, path: pathOf(request, times.id), userId: times.id })}`;
}

interface Chooser {
  request: PageRequest;
  holidays: ListedHolidays;
  forms: Forms;
  now: string;
  /** The choice of no region. Null without that choice. */
  usual: string;
  path: string;
  userId: number | null;
}

/** First the days are shown, then they can be made to count. */
function chooser({ request, holidays, forms, now, usual, path, userId }: Chooser): Content {
  const asked = request.query.get('region');
  const fields = forms(`${OWN}/holidays`);
  const options = [
    { value: '', label: usual },
    ...(userId !== null ? [{ value: NO_HOLIDAYS, label: 'None' }] : []),
    ...holidays.regions.map(({ id, name }) => ({ value: id, label: name })),
  ];
  const select = pickSelect({ name: 'region', options, chosen: asked ?? now, attributes: html` aria-label="Country or region"` });
  const form = html`<form method="get" action="${request.basePath}${path}#holidays" class="actions">${select}${button('Show holidays')}</form>`;
  if (asked === null) return form;
  const hidden = { userId, region: asked };
  return html`${form}${fields.note('region')}<h3>${asked === '' ? usual : regionName(holidays, asked)}</h3>
${holidays.days.length > 0 && dayTable(request, holidays.days)}${postForm(request, { action: `${OWN}/holidays`, hidden, class: 'plain' }, button(asked === '' || asked === NO_HOLIDAYS ? 'Use this' : 'Use these holidays', { kind: 'primary' }))}`;
}

const dayTable = (request: PageRequest, days: readonly Holiday[]): Content =>
  table(
    { caption: 'Public holidays of this year and the next', columns: [{ label: 'Day' }, { label: 'Holiday' }] },
    days.map(({ day, half, name }) => [dayWords(day, clockOf(request)), half ? `${name} (half day)` : name]),
  );

async function showAccount(request: PageRequest, refusal?: Refusal): Promise<Answer> {
  const times = await call(request, getWorkingTimes, { userId: request.user.id });
  if (!times.maySetHours) throw new Forbidden();
  const holidays = await call(request, listHolidays, { region: request.query.get('region') || null });
  const forms = formsOf(request, labels, refusal);
  const usual = 'None';
  const choose = { request, holidays, forms, now: times.accountRegion ?? '', usual, path: ACCOUNT, userId: null };
  return {
    crumbs: html`<a href="${request.basePath}${PEOPLE}">People</a>`,
    title: 'Public holidays of the account',
    status: refusal?.status ?? 200,
    body: html`<div class="settings">${problemBox(refusal?.problem)}<p>Everyone has these holidays, except people with a region of their own. Now: <b>${regionName(holidays, times.accountRegion)}</b>.</p>${chooser(choose)}</div>`,
  };
}

/** A form about one person: the answer leads back to their page. */
const form = <Input, Output>(name: string, operation: Operation<Input, Output>, input: (form: Form) => object): PageRoute => ({
  method: 'POST',
  path: `${OWN}/${name}`,
  handle: (request) => {
    const userId = request.form.id('userId');
    return submitted(request, operation, (sent) => ({ userId, ...input(sent) }), {
      labels,
      done: () => ({ redirect: pathOf(request, userId), notice: 'saved' }),
      again: (refusal) => show(request, userId, refusal),
    });
  },
});

const absenceIn = (sent: Form) => ({ from: sent.text('from'), to: sent.text('to') || sent.text('from'), half: sent.has('half') });
const reasonIn = (sent: Form) => ({ reason: sent.text('reason'), shared: sent.has('shared') });
const daysIn = (sent: Form) => ({ workingDays: sent.all('workingDays') });

const choose = (request: PageRequest): Promise<Answer> => {
  const userId = request.form.id('userId') || null;
  return submitted(request, chooseHolidays, (sent) => ({ userId, region: sent.text('region') || null }), {
    labels,
    done: () => ({ redirect: userId === null ? ACCOUNT : pathOf(request, userId), notice: 'saved' }),
    again: (refusal) => (userId === null ? showAccount(request, refusal) : show(request, userId, refusal)),
  });
};

export const workingTimeRoutes: PageRoute[] = [
  { method: 'GET', path: OWN, handle: (request) => show(request, request.user.id) },
  { method: 'GET', path: `${PEOPLE}/:userId/hours`, handle: (request) => show(request, Number(request.params.userId)) },
  { method: 'GET', path: ACCOUNT, handle: (request) => showAccount(request) },
  form('add', addAbsence, (sent) => ({ ...absenceIn(sent), ...reasonIn(sent) })),
  form('remove', removeAbsence, (sent) => ({ id: sent.id('id') })),
  form('change', changeAbsence, (sent) => ({ ...absenceIn(sent), id: sent.id('id'), ...(sent.has('reason') && reasonIn(sent)) })),
  form('dated', setHoursFrom, (sent) => ({ from: sent.text('from'), weeklyHours: sent.number('weeklyHours'), ...daysIn(sent) })),
  form('undate', removeHoursFrom, (sent) => ({ from: sent.text('from') })),
  form('days', changeWorkingDays, daysIn),
  { method: 'POST', path: `${OWN}/holidays`, handle: choose },
];
