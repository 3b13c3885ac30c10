/** Rows of My day with their actions (behaviour §20.1). */
import { bits, holds, resourceOf } from '../../access/rights.ts';
import type { DayItem, MyDay } from '../../overviews/myDay.ts';
import { todayIn } from '../../values/dates.ts';
import type { Clock } from '../frame/clock.ts';
import { group } from '../frame/components/boxes.ts';
import { iconButton, iconLink, linkButton } from '../frame/components/button.ts';
import { icon } from '../frame/components/icon.ts';
import { badge, label } from '../frame/components/marks.ts';
import { estimateCell, row } from '../frame/components/row.ts';
import { dayWords, estimate, shortDay, timeWords } from '../frame/components/when.ts';
import { type Content, type Html, html } from '../frame/html.ts';
import type { PageRequest } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { hereOf } from '../frame/submitted.ts';
import { typeLabel } from '../items/fields.ts';
import { dueLink, type InPlace, priorityLink, statusLink } from '../items/inPlace.ts';
import { type DayGroup, groupNames, groupsOf } from './dayGroups.ts';

export const ACT = '/my/act';
/** One form for all rows; buttons name the action. */
const FORM = 'act';

interface Shown {
  request: PageRequest;
  day: MyDay;
  clock: Clock;
}

export function workRows(shown: Shown): Content {
  const { day, clock } = shown;
  const { today } = clock;
  return html`${actForm(shown)}${groupsOf(day.items, plannedDays(shown), { day: day.day, today }).map((one) => groupOf(shown, one))}`;
}

/** The next planned day of each item; of those planned on the day shown, that day. */
function plannedDays({ day, clock }: Shown): Map<number, string> {
  const next = [...day.planned].map(([id, at]): [number, string] => [id, todayIn(clock.zone, at)]);
  const here = day.blocks.flatMap(({ itemId, state, startsAt, endsAt }): [number, string][] =>
    itemId !== null && (state === 'scheduled' || state === 'running') && startsAt < day.ends && endsAt > day.starts
      ? [[itemId, day.day]]
      : [],
  );
  return new Map(day.day === clock.today ? next : [...next, ...here]);
}

/** Includes the running timer: a switch is refused if another timer runs by then. */
const actForm = ({ request, day: { timer, day }, clock }: Shown): Html =>
  html`<div hidden>${postForm(request, {
    action: ACT,
    once: true,
    live: '#body',
    id: FORM,
    hidden: { day: day === clock.today ? null : day, ...(timer && { entryId: timer.id, revision: timer.revision }) },
  })}</div>`;

function groupOf(shown: Shown, { key, items, hoursLeft: left }: DayGroup): Html {
  const { day, clock } = shown;
  const late = key === 'overdue' && day.day <= clock.today;
  const names = groupNames(day.day === clock.today ? null : shortDay(day.day, clock));
  return group(
    {
      id: `group-${key}`,
      icon: late && icon('triangle-alert', 's'),
      title: names[key],
      count: items.length,
      sum: left !== null && html`<b>${estimate(left)}</b> left`,
      late,
    },
    items.map((item) => rowOf(shown, item)),
  );
}

function rowOf(shown: Shown, item: DayItem): Html {
  const { request, day, clock } = shown;
  const at = `${request.basePath}/workspaces/${item.workspaceId}`;
  const href = `${at}/items/${item.id}`;
  const ctx = { at, may: mayChange(item) };
  const { leftHours: left } = item;
  return row({
    item: item.id,
    status: statusLink({ ...item, label: item.statusLabel }, { ...ctx, may: ctx.may && !item.asked }),
    number: item.id,
    title: item.title,
    href,
    why: item.status === 'blocked' && item.blockedReason,
    context: contextOf(item),
    tags: tagsOf(item, day, clock),
    actions: item.asked ? null : actionsOf(shown, item),
    always: item.asked && linkButton(`${href}#approve`, 'Decide', { small: true, said: `Decide about ${item.title}` }),
    cells: [
      { kind: 'est', content: estimateCell(left === null ? null : estimate(left)) },
      { kind: 'due', content: dueOf(item, ctx, clock) },
      { kind: 'prio', content: priorityLink({ ...item, priority: priorityOf(item) }, ctx) },
    ],
  });
}

const mayChange = ({ rights, type }: DayItem): boolean => holds(rights, bits(resourceOf(type), 'write'));

const priorityOf = ({ priorityKey: key, priorityLabel: label, rank }: DayItem) =>
  key === null ? null : { key, label: label ?? key, rank: rank ?? 0 };

const dueOf = (item: DayItem, ctx: InPlace, clock: Clock): Content =>
  dueLink({ ...item, date: item.due, closed: false, field: item.byTarget ? 'target' : 'due' }, { ...ctx, clock });

function contextOf({ asked, askedBy, above, workspace, owned, assigneeName, type }: DayItem): string {
  if (asked) return askedBy ? `${askedBy} requests your approval` : 'Needs your approval';
  const place = above ?? workspace;
  if (!owned) return place;
  return assigneeName ? `${place} · You are the owner, ${assigneeName} is assigned` : `${place} · ${typeLabel(type)}, owned by you`;
}

function tagsOf(item: DayItem, { timer, planned }: MyDay, clock: Clock): Content {
  if (timer?.itemId === item.id) return badge('accent', 'timer', 'Timer running');
  const at = planned.get(item.id);
  return at !== undefined && label(`${dayWords(todayIn(clock.zone, at), clock).replace('Today', 'today')} ${timeWords(at, clock)}`, 1);
}

function actionsOf({ request, day }: Shown, item: DayItem): Content {
  const { id, workspaceId, rights } = item;
  const when = `${request.basePath}/workspaces/${workspaceId}/items/${id}/when?back=${encodeURIComponent(hereOf(request))}`;
  const plan = `${request.basePath}/my?itemId=${id}&workspaceId=${workspaceId}&plan=1#plan`;
  return html`${holds(rights, bits('time', 'write')) && timerButton(day, id)}${
    holds(rights, bits('plans', 'write')) &&
    iconLink(plan, 'calendar-plus', `Plan ${id} in the calendar`, {
      key: 'P',
      attributes: html` data-swipe="left" data-verb="Plan" data-opens="${when}"`,
    })
  }${item.doneKey !== null && mayChange(item) && doneForm(request, item)}`;
}

function timerButton({ timer }: MyDay, id: number): Html {
  const act = (name: string) => ({ form: FORM, name, value: id, key: 'T' });
  if (timer?.itemId === id) return iconButton('square', `Stop the timer on ${id}`, act('stop'));
  return iconButton('play', timer ? `Switch timer to ${id}` : `Start timer on ${id}`, act('start'));
}

/** The same form as in the status menu, with conflict page and undo. */
const doneForm = (request: PageRequest, { id, workspaceId, version, doneKey }: DayItem): Html =>
  postForm(
    request,
    {
      action: `/workspaces/${workspaceId}/items/${id}/change/status`,
      live: '#work',
      hidden: { version, value: doneKey, back: hereOf(request) },
    },
    iconButton('check', `Mark ${id} done`, { attributes: html` data-swipe="right" data-verb="Done"` }),
  );
