/** /: My day (behaviour §20.1). */
import { MOST_WORK, type MyDay, myDay } from '../../overviews/myDay.ts';
import { switchTimer } from '../../time/timer.ts';
import { trackTime } from '../../time/trackTime.ts';
import { addDays } from '../../values/dates.ts';
import { firstSteps } from '../account/welcome.ts';
import { type Clock, clockOf } from '../frame/clock.ts';
import { empty, notice, segments } from '../frame/components/boxes.ts';
import { linkButton } from '../frame/components/button.ts';
import { icon } from '../frame/components/icon.ts';
import type { IconName } from '../frame/components/icons.ts';
import { menuLine, menuTitle, option } from '../frame/components/palette.ts';
import { fullDay } from '../frame/components/when.ts';
import { type Content, html } from '../frame/html.ts';
import type { Page } from '../frame/layout.ts';
import type { Answer, PageRequest, PageRoute, Redirect } from '../frame/page.ts';
import { call } from '../frame/session.ts';
import { orAgain } from '../frame/submitted.ts';
import { undoOf } from '../frame/toast.ts';
import { dayAside } from './dayAside.ts';
import { ACT, workRows } from './dayRows.ts';
import { isShownDate, mayAnywhere } from './landing.ts';
import { dayShownIn, emptyLine, lineForm, type ShownLine } from './line.ts';

interface Told {
  problem?: string;
  status?: number;
  /** A line that was refused. */
  line?: ShownLine;
}

export async function showDay(request: PageRequest, { problem, status = 200, line }: Told = {}): Promise<Answer> {
  const clock = clockOf(request);
  const asked = request.form.text('day') || dayShownIn(line?.back ?? '', clock.today) || request.query.get('day') || clock.today;
  const day = await call(request, myDay, { day: isShownDate(asked) ? asked : clock.today, zone: clock.zone });
  const at = day.day === clock.today ? '/' : `/?day=${day.day}`;
  const shown = line ?? emptyLine(request, at);
  const mayAdd = shown.workspaceId !== null || mayAnywhere(day, 'time') || mayAnywhere(day, 'plans');
  return {
    title: 'My day',
    follow: 'mine',
    scripts: ['touch', 'agenda'],
    at,
    status,
    wide: true,
    ...(problem !== undefined && { notice: notice('error', problem) }),
    meta: fullDay(day.day, clock),
    view: views(request, day, clock),
    actions: actions(request, day, clock),
    body: html`<div class="my"><div class="left">${firstSteps(request)}${mayAdd && lineForm(request, shown)}
<div id="work">${workOf(request, day, clock)}</div></div>
<div class="right" id="beside">${dayAside({ request, day, clock })}</div></div>`,
  };
}

const toDay = (basePath: string, date: string, { today }: Clock) => (date === today ? `${basePath}/` : `${basePath}/?day=${date}`);

/** On phones. */
function views({ basePath }: PageRequest, { day }: MyDay, clock: Clock): NonNullable<Page['view']> {
  const to = (date: string, label: string, sign: IconName) =>
    option(label, { href: toDay(basePath, date, clock), icon: icon(sign, 's'), current: day === date });
  const other = (path: string, label: string, sign: IconName) => option(label, { href: basePath + path, icon: icon(sign, 's') });
  return {
    label: `My day, ${fullDay(day, clock)}. Change view`,
    panel: html`${menuTitle('Day')}${to(addDays(day, -1), 'Previous day', 'chevron-left')}${to(clock.today, 'Today', 'sun')}${to(addDays(day, 1), 'Next day', 'chevron-right')}${menuLine}${other(
      `/my?week=${day}`,
      'My week',
      'calendar',
    )}${other(`/my/timesheet?week=${day}`, 'Timesheet', 'table')}${other('/my/month', 'My month', 'columns-3')}`,
  };
}

function actions({ basePath }: PageRequest, { day, rights }: MyDay, clock: Clock): Content {
  const { today } = clock;
  const to = (date: string) => toDay(basePath, date, clock);
  const [before, after] = [addDays(day, -1), addDays(day, 1)];
  return html`${segments('Day', [
    { href: to(before), label: 'Previous day', icon: 'chevron-left', iconOnly: true },
    { href: to(today), label: 'Today', current: day === today },
    { href: to(after), label: 'Next day', icon: 'chevron-right', iconOnly: true },
  ])}${mayAnywhere({ rights }, 'plans') && linkButton(`${basePath}/my?week=${day}&plan=1#plan`, 'Plan time', { icon: 'calendar-plus', key: 'P', iconOnPhone: true })}`;
}

function workOf(request: PageRequest, day: MyDay, clock: Clock): Content {
  if (!day.items.length) return nothingToDo(request, day);
  return html`${workRows({ request, day, clock })}${day.more && more(request, day)}`;
}

const nothingToDo = ({ basePath }: PageRequest, { rights }: MyDay): Content =>
  rights.size
    ? empty({
        icon: 'sun',
        title: 'You have no open work',
        text: 'My day shows items that you are assigned or own, and approvals requested from you.',
        action: linkButton(`${basePath}/workspaces`, 'Find work', { kind: 'primary' }),
      })
    : empty({
        icon: 'layers',
        title: 'You are not in a workspace yet',
        text: 'A workspace holds the items of a team. Ask the owner of a workspace to add you.',
        action: linkButton(`${basePath}/workspaces`, 'Workspaces', { kind: 'primary' }),
      });

function more({ basePath }: PageRequest, { items }: MyDay): Content {
  const places = [...new Map(items.map(({ workspaceId, workspace }) => [workspaceId, workspace]))];
  return html`<p class="more">Only the first ${MOST_WORK} items are shown. See all your items in ${places.map(
    ([id, name], at) => html`${at > 0 && ', '}<a href="${basePath}/workspaces/${id}?assignee=me">${name}</a>`,
  )}.</p>`;
}

// Timer buttons: start, stop and switch (behaviour §20.8).

/** The path of the day on which the form is. */
export function dayOf({ form }: PageRequest): string {
  const day = form.text('day');
  return /^\d{4}-\d{2}-\d{2}$/.test(day) ? `/?day=${day}` : '/';
}

/** Runs the action of the pressed button. */
async function carryOut(request: PageRequest): Promise<Pick<Redirect, 'notice' | 'undo'>> {
  const { form } = request;
  const timer = { entryId: form.id('entryId'), revision: form.id('revision') };
  if (form.has('stop')) {
    const { entry } = await call(request, trackTime, { action: 'stop', ...timer });
    return { notice: 'stopped', undo: undoOf.stopped(entry) };
  }
  const itemId = form.id('start');
  if (!form.has('entryId')) {
    await call(request, trackTime, { action: 'start', itemId });
    return { notice: 'started' };
  }
  await call(request, switchTimer, { itemId, ...timer });
  return { notice: 'switched' };
}

const act = (request: PageRequest): Promise<Answer> =>
  orAgain(
    async () => {
      const told = await carryOut(request);
      return { redirect: dayOf(request), ...told };
    },
    { again: ({ problem, status }) => showDay(request, { problem, status }) },
  );

export const dayRoutes: PageRoute[] = [
  { method: 'GET', path: '/', handle: (request) => showDay(request) },
  { method: 'POST', path: ACT, handle: act },
];
