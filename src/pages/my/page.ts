/** /my as a page: timer, week, plans, notifications. What it shows comes from the operations that agents and jobs use, too. */

import { findWork } from '../../items/findWork/findWork.ts';
import { getItem } from '../../items/getItem.ts';
import { listNotifications } from '../../notifications/listNotifications.ts';
import type { Notification } from '../../notifications/schema.ts';
import { parseInput } from '../../operations/input.ts';
import { JsonText } from '../../operations/json.ts';
import { perform } from '../../operations/perform.ts';
import { type MyTime, myTime } from '../../plans/myTime.ts';
import { todayIn } from '../../values/dates.ts';
import { listRights } from '../../workspaces/listRights.ts';
import type { WorkspaceRights } from '../../workspaces/membershipQueries.ts';
import { call } from '../frame/call.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest } from '../frame/page.ts';
import { moment } from '../frame/widgets.ts';
import { blockList, planForm } from './blocks.ts';
import { at, type Choice, fields, type MyData, mayAnywhere, PATH, type Refusal, weekLinks } from './parts.ts';
import { timerBox } from './timer.ts';
import { dayTotals, entryList, logForm } from './week.ts';

export async function showMy(request: PageRequest, refusal?: Refusal): Promise<Answer> {
  const data = await load(request);
  return {
    title: 'My work',
    status: refusal?.status ?? 200,
    body: html`<link rel="stylesheet" href="${request.deps.config.basePath}/static/my.css">
${refusal && html`<p class="error" role="alert">${refusal.message}</p>`}
<p><a href="${at(request, '/notes')}">My notes</a></p>
<h2>Timer</h2>
${timerBox(request, data)}
${(mayAnywhere(data, 'time') || mayAnywhere(data, 'plans')) && findForm(request, data)}
<h2>Week of ${data.week}</h2>
${weekLinks(request, PATH, data.week)}
${dayTotals(data)}
<h3>Recorded</h3>
${entryList(request, data, refusal)}
${logForm(request, data, refusal)}
<h3>Planned</h3>
${blockList(request, data)}
${planForm(request, data, refusal)}
<h2>Notifications</h2>
${await notifications(request, data)}`,
  };
}

async function load(request: PageRequest): Promise<MyData> {
  const { deps, caller, query, form } = request;
  // After a refused form the week is the form's.
  const date = form.text('week') || query.get('week') || undefined;
  const time = (await perform(deps.db, caller, myTime, parseInput(myTime.input, { period: 'week', date }))) as MyTime;
  const find = (query.get('find') ?? '').trim().slice(0, 300);
  const asked = await askedItem(request);
  const rights = await call<readonly WorkspaceRights[]>(request, listRights, {});
  return {
    time,
    rights: new Map(rights.map(({ workspace_id, rights }) => [workspace_id, rights])),
    choices: distinct([...(asked ? [asked] : []), ...(await workToChoose(request, find)), ...recent(time)]),
    chosen: asked?.id ?? null,
    find,
    week: time.range.from,
    today: todayIn('UTC', Date.now()),
  };
}

/** The caller's open work, or what their words find. */
async function workToChoose({ deps, caller }: PageRequest, find: string): Promise<Choice[]> {
  const wanted = find ? { assignee: 'all', search: find } : { assignee: 'me' };
  const found = await perform(deps.db, caller, findWork, parseInput(findWork.input, { ...wanted, limit: 100 }));
  return ((found instanceof JsonText ? found.parse() : found) as { items: Choice[] }).items;
}

/** The item in ?workspaceId=&itemId=, for links from its page. */
async function askedItem({ deps, caller, query }: PageRequest): Promise<Choice | null> {
  const [workspaceId, id] = [Number(query.get('workspaceId')), Number(query.get('itemId'))];
  if (!workspaceId || !id) return null;
  const found = await perform(deps.db, caller, getItem, parseInput(getItem.input, { workspaceId, id }));
  const { title } = (found instanceof JsonText ? found.parse() : found) as { title: string };
  return { id, title, workspaceId };
}

function recent({ entries, planBlocks, timer }: MyTime): Choice[] {
  const items = [...entries, ...(timer ? [timer] : [])].map(
    ({ itemId, itemTitle, workspaceId }) => [itemId, itemTitle, workspaceId] as const,
  );
  const blocks = planBlocks.map(({ itemId, title, workspaceId }) => [itemId, title, workspaceId] as const);
  return [...items, ...blocks].flatMap(([id, title, workspaceId]) => (id && title && workspaceId ? [{ id, title, workspaceId }] : []));
}

const distinct = (choices: Choice[]): Choice[] => [...new Map(choices.map((choice) => [choice.id, choice])).values()];

function findForm(request: PageRequest, { find, choices, week }: MyData): Content {
  return html`<form method="get" action="${at(request)}" class="plain apart" role="search"><input type="hidden" name="week" value="${week}">
<fieldset role="group"><input type="search" name="find" value="${find}" maxlength="300" aria-label="Find other open work" placeholder="Find work that is not assigned to you"><button class="secondary">Find</button></fieldset>
${find && html`<p role="status">${choices.length ? `Found by “${find}”: choose from Work in the forms.` : `No open work has “${find}” in it.`}</p>`}</form>`;
}

async function notifications(request: PageRequest, data: MyData): Promise<Content> {
  const { deps, caller } = request;
  const found = (await perform(deps.db, caller, listNotifications, { unreadOnly: false, limit: 30 })) as { notifications: Notification[] };
  const all = found.notifications;
  if (!all.length) return html`<p>Nothing to tell.</p>`;
  return html`<ul>${all.map(
    (
      one,
    ) => html`<li>${one.readAt === null ? html`<strong>New: ${one.text}</strong>` : one.text} <small class="muted">${moment(one.createdAt)}</small>
${one.itemId !== null && html` <a href="${deps.config.basePath}/workspaces/${one.workspaceId}/items/${one.itemId}">Open the item</a>`}</li>`,
  )}</ul>
${all.some(({ readAt }) => readAt === null) && html`<form method="post" action="${at(request, '/notifications/read')}" class="plain">${fields(request, data)}<input type="hidden" name="upToId" value="${all[0]!.id}"><button class="secondary outline">Mark as read</button></form>`}`;
}
