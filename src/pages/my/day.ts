/** /: My day (behaviour §20.1). */
import { MOST_WORK, type MyDay, myDay } from '../../overviews/myDay.ts';
import { addDays, isDate } from '../../values/dates.ts';
import { firstSteps } from '../account/welcome.ts';
import { type Clock, clockOf } from '../frame/clock.ts';
import { empty, notice, segments } from '../frame/components/boxes.ts';
import { linkButton } from '../frame/components/button.ts';
import { fullDay } from '../frame/components/when.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest } from '../frame/page.ts';
import { call } from '../frame/session.ts';
import { dayAside } from './dayAside.ts';
import { workRows } from './dayRows.ts';
import { mayAnywhere } from './landing.ts';
import { emptyLine, lineForm, type ShownLine } from './line.ts';

interface Told {
  problem?: string;
  status?: number;
  /** A line that was refused. */
  line?: ShownLine;
}

export async function showDay(request: PageRequest, { problem, status = 200, line }: Told = {}): Promise<Answer> {
  const clock = clockOf(request);
  const asked = request.form.text('day') || dayIn(line?.back) || request.query.get('day') || clock.today;
  // Old or typed URLs may contain any text.
  const day = await call(request, myDay, {
    day: isDate(asked) && asked > '0002' && asked < '9998' ? asked : clock.today,
    zone: clock.zone,
  });
  const at = day.day === clock.today ? '/' : `/?day=${day.day}`;
  const shown = line ?? emptyLine(request, at);
  const mayAdd = shown.workspaceId !== null || mayAnywhere(day, 'time') || mayAnywhere(day, 'plans');
  return {
    title: 'My day',
    follow: 'mine',
    at,
    status,
    wide: true,
    ...(problem !== undefined && { notice: notice('error', problem) }),
    meta: fullDay(day.day, clock),
    actions: actions(request, day, clock),
    body: html`<div class="my"><div class="left">${firstSteps(request)}${mayAdd && lineForm(request, shown)}
<div id="work">${workOf(request, day, clock)}</div></div>
<div class="right" id="beside">${dayAside({ request, day, clock })}</div></div>`,
  };
}

const dayIn = (back = ''): string => new URLSearchParams(back.split('?')[1]).get('day') ?? '';

function actions({ basePath }: PageRequest, { day, rights }: MyDay, { today }: Clock): Content {
  const to = (date: string) => (date === today ? `${basePath}/` : `${basePath}/?day=${date}`);
  const [before, after] = [addDays(day, -1), addDays(day, 1)];
  return html`${segments('Day', [
    { href: to(before), label: 'Previous day', icon: 'chevron-left', iconOnly: true },
    { href: to(today), label: 'Today', current: day === today },
    { href: to(after), label: 'Next day', icon: 'chevron-right', iconOnly: true },
  ])}${mayAnywhere({ rights }, 'plans') && linkButton(`${basePath}/my?week=${day}&plan=1#plan`, 'Plan time', { icon: 'calendar-plus', key: 'P' })}`;
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
