/** /my as a page: timer, week, plans, notifications. */

import { listNotifications } from '../../notifications/listNotifications.ts';
import { outputOf } from '../../operations/json.ts';
import { perform } from '../../operations/perform.ts';
import { formsOf } from '../frame/fields.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest } from '../frame/page.ts';
import type { Refusal } from '../frame/submitted.ts';
import { moment, problemBox, weekLinks } from '../frame/widgets.ts';
import { blockList, planForm } from './blocks.ts';
import { loadMyData, type MyData, mayAnywhere } from './data.ts';
import { timerBox } from './timer.ts';
import { dayTotals, entryList, logForm } from './week.ts';
import { at, labels, myForm, PATH } from './widgets.ts';

export async function showMy(request: PageRequest, refusal?: Refusal): Promise<Answer> {
  const data = await loadMyData(request);
  const forms = formsOf(request, labels, refusal);
  return {
    title: 'My work',
    status: refusal?.status ?? 200,
    body: html`${problemBox(refusal?.problem)}
<p><a href="${at(request, '/notes')}">My notes</a></p>
<h2>Timer</h2>
${timerBox(request, data, forms)}
${(mayAnywhere(data, 'time') || mayAnywhere(data, 'plans')) && findForm(request, data)}
<h2>Week of ${data.week}</h2>
${weekLinks(request, PATH, data.week)}
${dayTotals(data)}
<h3>Recorded</h3>
${entryList(request, data, forms)}
${logForm(request, data, forms)}
<h3>Planned</h3>
${blockList(request, data)}
${planForm(request, data, forms)}
<h2>Notifications</h2>
${await notifications(request, data)}`,
  };
}

function findForm(request: PageRequest, { find, choices, week }: MyData): Content {
  return html`<form method="get" action="${at(request)}" class="plain apart" role="search"><input type="hidden" name="week" value="${week}">
<fieldset role="group"><input type="search" name="find" value="${find}" maxlength="300" aria-label="Find other open work" placeholder="Find work that is not assigned to you"><button class="secondary">Find</button></fieldset>
${find && html`<p role="status">${choices.length ? `Found by “${find}”: choose from Work in the forms.` : `No open work has “${find}” in it.`}</p>`}</form>`;
}

async function notifications(request: PageRequest, data: MyData): Promise<Content> {
  const { deps, caller, basePath } = request;
  const found = outputOf(await perform(deps.db, caller, listNotifications, { unreadOnly: false, limit: 30 }));
  const all = found.notifications;
  if (!all.length) return html`<p>Nothing to tell.</p>`;
  return html`<ul>${all.map(
    (
      one,
    ) => html`<li>${one.readAt === null ? html`<strong>New: ${one.text}</strong>` : one.text} <small class="muted">${moment(one.createdAt)}</small>
${one.itemId !== null && html` <a href="${basePath}/workspaces/${one.workspaceId}/items/${one.itemId}">Open the item</a>`}</li>`,
  )}</ul>
${all.some(({ readAt }) => readAt === null) && readForm(request, data, all[0]!.id)}`;
}

const readForm = (request: PageRequest, data: MyData, upToId: number): Content =>
  myForm(
    request,
    data,
    { action: '/notifications/read', hidden: { upToId }, class: 'plain' },
    html`<button class="secondary outline">Mark as read</button>`,
  );
