/** /workspaces/:id: work by type with filters and paging (behaviour §12.1). */
import { itemTypes } from '../../access/rights.ts';
import { type FoundPage, findWorkOfAnyType } from '../../items/findWork/findWork.ts';
import type { WorkRow } from '../../items/findWork/workRow.ts';
import { todayIn } from '../../values/dates.ts';
import { getOptions } from '../../workspaces/getOptions.ts';
import { call } from '../frame/call.ts';
import { type Content, Html, html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { dueDate } from '../frame/widgets.ts';
import { typeLabel, typesLabel } from '../items/fields.ts';
import { type AllOptions, statusLabel } from '../items/form.ts';
import { type Filters, filterForm, filtersIn, findInput, queryOf } from './filters.ts';
import { mayWork, type OpenWorkspace, openWorkspace } from './openWorkspace.ts';

async function show(request: PageRequest): Promise<Answer> {
  const workspace = await openWorkspace(request);
  const readable = itemTypes.filter((type) => mayWork(workspace, type, 'read'));
  const filters = filtersIn(request.query, readable[0] ?? 'task');
  const options = await call(request, getOptions, { workspaceId: workspace.id });
  const found = await call(request, findWorkOfAnyType, findInput(workspace.id, filters));
  const { type } = filters;
  return {
    title: workspace.name,
    body: html`
<nav aria-label="Types of work" class="tabs"><ul>${readable.map((one) => html`<li><a href="${workspace.at}?type=${one}"${one === type ? new Html(' aria-current="page"') : ''}>${typesLabel(one)}</a></li>`)}</ul></nav>
<p class="actions">${mayWork(workspace, type, 'write') && html`<a role="button" href="${workspace.at}/new?type=${type}">New ${type}</a>`}
${workspace.runs && html`<a href="${workspace.at}/settings">Settings of the workspace</a>`}
${(workspace.runs || workspace.role === 'manager') && html`<a href="${workspace.at}/webhooks">Webhooks</a>`}</p>
${filterForm(workspace.at, filters, options)}
${list(workspace, filters, options, found, todayIn(request.user.timezone, Date.now()))}`,
  };
}

function list(
  workspace: OpenWorkspace,
  filters: Filters,
  options: AllOptions,
  { items, hasMore, nextAfterId }: FoundPage,
  today: string,
): Content {
  const priority = (key: string | undefined) => options.priorities.find((one) => one.key === key)?.label ?? key;
  return html`<section id="list" aria-label="${typesLabel(filters.type)}">
<p class="muted" role="status">${counted(items.length, filters, hasMore)}</p>
${
  items.length > 0 &&
  html`<div class="scroll"><table class="cards brief">
<thead><tr><th scope="col">${typeLabel(filters.type)}</th><th scope="col">Status</th><th scope="col">Priority</th><th scope="col">Assignee</th><th scope="col">Due</th></tr></thead>
<tbody>${items.map(
    (
      item,
    ) => html`<tr><th scope="row"><a href="${workspace.at}/items/${item.id}">${item.title}</a></th><td>${statusLabel(options, item.statusKey)}${item.changedSinceApproval && html` <small>changed since approved</small>`}</td>
<td>${priority(item.priorityKey)}</td><td>${item.assigneeName}</td><td class="date">${due(item, today)}</td></tr>`,
  )}</tbody></table></div>`
}
<p class="actions">${filters.after > 0 && html`<a href="${workspace.at}${queryOf(filters, { after: 0 })}">First page</a>`}
${hasMore && html`<a href="${workspace.at}${queryOf(filters, { after: nextAfterId })}">Next page</a>`}</p>
</section>`;
}

function due({ dueDate: own, targetDate, status }: WorkRow, today: string): Content {
  const date = own ?? targetDate;
  return date && dueDate(date, status, today);
}

function counted(count: number, { type, after }: Filters, hasMore: boolean): string {
  if (count === 0) return after > 0 ? 'Nothing more.' : `No ${type} here with these filters.`;
  const more = hasMore ? ', and there are more' : '';
  return `${count} ${count === 1 ? type : `${type}s`}${after > 0 ? ' on this page' : ''}${more}.`;
}

export const workspaceRoutes: PageRoute[] = [{ method: 'GET', path: '/workspaces/:id', handle: show }];
