/** Menus of a row: all actions on an item, and when to plan it. Pages without script, popovers with it (behaviour §19.13). */
import { planBlock } from '../../plans/planBlock.ts';
import { addDays, instantToLocal, mondayOf } from '../../values/dates.ts';
import { Forbidden, InvalidRequest } from '../../values/errors.ts';
import { clockOf } from '../frame/clock.ts';
import { notice } from '../frame/components/boxes.ts';
import { button } from '../frame/components/button.ts';
import { icon } from '../frame/components/icon.ts';
import type { IconName } from '../frame/components/icons.ts';
import { menuLine, menuTitle, option } from '../frame/components/palette.ts';
import { dayWords } from '../frame/components/when.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { backTo, cameFromPage, type Refusal, submitted } from '../frame/submitted.ts';
import { toldOf } from '../my/landing.ts';
import { hasOtherWorkspace, may, mayWork } from '../workspace/openWorkspace.ts';
import { fitsType, type InPlaceField, keyOfChange, labelOfChange } from './change/fields.ts';
import { itemLink, type Opened, openChosen } from './change/open.ts';
import { changePath } from './inPlace.ts';
import { itemPath } from './pageOf.ts';
import { readAsked } from './recordTime.ts';

type Item = Opened['items'][number];

async function openOne(request: PageRequest): Promise<{ opened: Opened; item: Item; back: string }> {
  const { params, query, form } = request;
  const opened = await openChosen(request, [Number(params.itemId)], { level: 'read' });
  const back = backTo(form.text('back') || query.get('back') || cameFromPage(request), request, itemPath(request));
  return { opened, item: opened.items[0], back };
}

const around = (title: string, { workspace }: Opened, item: Item, body: Content): Answer => ({
  title,
  crumbs: html`<a href="${workspace.at}?type=${item.type}">${workspace.name}</a>`,
  body: html`<p>${itemLink(workspace.at, item)}</p>${body}`,
});

const changes: readonly [InPlaceField, IconName][] = [
  ['title', 'pencil'],
  ['status', 'circle-dashed'],
  ['assignee', 'user'],
  ['owner', 'user'],
  ['priority', 'chevrons-up'],
  ['due', 'calendar'],
  ['target', 'calendar'],
  ['estimate', 'clock'],
];

async function showMenu(request: PageRequest): Promise<Answer> {
  const { opened, item, back } = await openOne(request);
  const { workspace } = opened;
  const at = `${workspace.at}/items/${item.id}`;
  const from = `?back=${encodeURIComponent(back)}`;
  const further = html` data-menu-more`;
  const to = (label: string, sign: IconName, href: string, attributes: Content = null, key?: string) =>
    option(label, { href, icon: icon(sign, 's'), attributes, ...(key && { key }) });
  const fields = mayWork(workspace, item.type, 'write')
    ? changes.filter(([field]) => fitsType(field, item.type) && !(field === 'target' && fitsType('due', item.type)))
    : [];
  return around(
    'Actions',
    opened,
    item,
    html`<section id="change" class="change" aria-label="Actions">${menuTitle(html`#${item.id}`)}
${to('Open', 'external-link', at, null, 'Enter')}${fields.map(([field, sign]) => to(labelOfChange(field), sign, `${changePath(workspace.at, item.id, field)}${from}`, further, keyOfChange(field)))}${menuLine}
${may(workspace, 'plans', 'write') && to('Plan time', 'calendar-plus', `${at}/when${from}`, further, 'P')}${
  may(workspace, 'time', 'write') && to('Log time', 'clock', `${at}#log-time`)
}${may(workspace, 'comments', 'write') && to('Comment', 'message-square', `${at}#comments`, null, 'C')}${
  mayWork(workspace, item.type, 'write') && to('Duplicate…', 'copy', `${at}/duplicate`)
}${
  mayWork(workspace, item.type, 'delete') &&
  html`${menuLine}${hasOtherWorkspace(request.user) && to('Move to workspace…', 'arrow-right', `${workspace.at}/move?ids=${item.id}&back=${encodeURIComponent(back)}`)}${option('Archive', { href: `${workspace.at}/bulk?change=archive&ids=${item.id}.${item.version}&back=${encodeURIComponent(back)}`, icon: icon('archive', 's'), attributes: further })}`
}</section>`,
  );
}

const HOUR_MS = 3_600_000;

/** One hour: next today, tomorrow at 9, Monday at 9. As lines that the time field understands (behaviour §20.4). */
function timesOf(request: PageRequest): { line: string; label: string; note: string }[] {
  const clock = clockOf(request);
  const next = instantToLocal((Math.floor(clock.now / HOUR_MS) + 1) * HOUR_MS, clock.zone);
  const monday = addDays(mondayOf(clock.today), 7);
  const tomorrow = addDays(clock.today, 1);
  const at = (date: string, hour: number) => {
    const hours = `${hour}:00 to ${hour + 1}:00`;
    return { line: `${date} ${hours}`, label: dayWords(date, clock), note: `${hour}:00–${hour + 1}:00` };
  };
  const hour = Number(next.slice(11, 13));
  const today = next.startsWith(clock.today) && hour < 23 ? [at(clock.today, hour)] : [];
  return [...today, at(tomorrow, 9), ...(monday === tomorrow ? [] : [at(monday, 9)])];
}

async function showTimes(request: PageRequest, refusal?: Refusal): Promise<Answer> {
  const { opened, item, back } = await openOne(request);
  if (!may(opened.workspace, 'plans', 'write')) throw new Forbidden();
  const form = (content: Content) =>
    postForm(
      request,
      { action: `${opened.workspace.path}/items/${item.id}/when`, once: true, hidden: { back }, live: '#work', autocomplete: 'off' },
      content,
    );
  const options = timesOf(request).map(({ line, label, note }, at) =>
    option(label, { name: 'line', value: line, note, icon: icon('calendar', 's'), key: String(at + 1) }),
  );
  const typed = html`<div class="typed"><label><span class="flabel">Other time</span><input class="input" name="line" required maxlength="200" placeholder="friday 9-11" value="${request.form.text('line')}"></label>${button('Plan', { small: true })}</div>`;
  return {
    ...around(
      'Plan time',
      opened,
      item,
      html`<section id="change" class="change" aria-label="Plan time">${menuTitle(`Plan #${item.id}`, 'P')}${refusal && notice('error', refusal.problem)}${form(html`<div class="opts">${options}</div>`)}${form(typed)}</section>`,
    ),
    status: refusal?.status ?? 200,
  };
}

function comingTime(request: PageRequest): object {
  const { operation, input } = readAsked(request);
  if (operation !== planBlock) throw new InvalidRequest(['line'], 'give a start and end in the future, such as friday 9-11.');
  return input;
}

const plan = (request: PageRequest): Promise<Answer> => {
  const back = backTo(request.form.text('back'), request, itemPath(request));
  return submitted(request, planBlock, () => comingTime(request), {
    labels: { line: 'Time', startLocal: 'Time', endLocal: 'Time' },
    done: (saved) => ({ redirect: back, ...toldOf(saved) }),
    again: (refusal) => showTimes(request, refusal),
  });
};

export const rowMenuRoutes: PageRoute[] = [
  { method: 'GET', path: '/workspaces/:id/items/:itemId/menu', handle: showMenu },
  { method: 'GET', path: '/workspaces/:id/items/:itemId/when', handle: (request) => showTimes(request) },
  { method: 'POST', path: '/workspaces/:id/items/:itemId/when', handle: plan },
];
