/** Saved views: the menu in the list's header, and the page to manage them (behaviour §19.7). */

import { listWork } from '../../overviews/workList/listWork.ts';
import type { View } from '../../workspaces/viewSchema.ts';
import { changeView, removeView, saveView } from '../../workspaces/views.ts';
import { clockOf } from '../frame/clock.ts';
import { empty, notice } from '../frame/components/boxes.ts';
import { button, linkButton } from '../frame/components/button.ts';
import { icon } from '../frame/components/icon.ts';
import { menu, menuLine, menuTitle, option } from '../frame/components/palette.ts';
import { type Content, html } from '../frame/html.ts';
import { liveGet } from '../frame/live.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { call } from '../frame/session.ts';
import { starOption } from '../frame/star.ts';
import { type Refusal, submitted } from '../frame/submitted.ts';
import { checkbox } from '../frame/widgets.ts';
import type { ListPage } from './list.ts';
import { listAddress, listInput, queryOf, viewHref } from './listAddress.ts';
import { asOpened, type OpenWorkspace } from './openWorkspace.ts';

export const viewOptions = ({ workspace, address, found }: ListPage): Content[] =>
  found.views.map((view) => {
    const note = view.own ? view.shared && 'shared' : view.maker;
    const current = String(view.id) === address.saved;
    return option(view.name, { href: viewHref(workspace, view), current, ...(note && { note }), attributes: liveGet('#work') });
  });

export const keepView = (request: PageRequest, path: string, query: string): Content =>
  postForm(
    request,
    { action: `${path}/views`, hidden: { query }, once: true, class: 'keep' },
    html`<label class="flabel" for="view-name">Save this view as</label><input class="input" id="view-name" name="name" required maxlength="80" autocomplete="off">`,
    checkbox('shared', '1', 'Share with the workspace', false),
    button('Save view', { small: true, icon: 'save' }),
  );

export function viewsMenu(page: ListPage): Content {
  const { request, workspace, address, found } = page;
  const { views } = found;
  const current = views.find(({ id }) => String(id) === address.saved);
  const links = viewOptions(page);
  const query = queryOf(address, { saved: '' }).slice(1);
  const keep = keepView(request, workspace.path, query);
  const own =
    current?.own &&
    postForm(
      request,
      {
        action: `${workspace.path}/views/${current.id}`,
        hidden: { query, name: current.name, shared: current.shared ? '1' : null, change: 'replace' },
      },
      html`<button class="opt">${icon('refresh-cw', 's')}<span class="cut">Update “${current.name}”</span></button>`,
    );
  const panel = html`${menuTitle('Saved views')}${links.length ? links : html`<p class="hint">No saved views yet.</p>`}${menuLine}${current && starOption(request, { workspaceId: workspace.id, kind: 'view', id: current.id })}${own}${keep}${views.length > 0 && html`${menuLine}${option('Manage views', { href: `${workspace.at}/views`, icon: icon('settings', 's') })}`}`;
  return menu(
    html`<span class="btn">${icon('bookmark', 's')}<span class="vh-phone">${current?.name ?? 'Views'}</span>${icon('chevron-down', 's')}</span>`,
    panel,
    { end: true, class: 'views', label: 'Views' },
  );
}

async function read(request: PageRequest): Promise<{ workspace: OpenWorkspace; views: View[] }> {
  const found = await call(request, listWork, {
    ...listInput(Number(request.params.id), listAddress(new URLSearchParams()), clockOf(request).today),
    limit: 1,
  });
  return { workspace: asOpened(request, found.membership), views: found.views };
}

async function page(request: PageRequest, refusal?: Refusal, about?: string): Promise<Answer> {
  const { workspace, views } = await read(request);
  return {
    title: 'Saved views',
    status: refusal?.status ?? 200,
    crumbs: html`<a href="${workspace.at}">${workspace.name}</a>`,
    body: html`${refusal && notice('error', refusal.problem)}
${views.length === 0 && empty({ icon: 'bookmark', title: 'No saved views yet', text: 'A saved view keeps the filters, order and groups of a list. To add one, use the menu “Views” of the list.', action: linkButton(workspace.at, 'Open list') })}
${views.map((view) => card(request, workspace, view, about === String(view.id) ? request.form.text('name') : view.name))}`,
  };
}

function card(request: PageRequest, workspace: OpenWorkspace, view: View, name: string): Content {
  const { id, shared, own, maker } = view;
  const may = own || (shared && workspace.runs);
  return html`<section class="card view" aria-label="${view.name}"><h2><a href="${viewHref(workspace, view)}">${view.name}</a></h2><p class="hint">${own ? 'Yours' : `By ${maker}`}${shared && ', shared with the workspace'}</p>
${
  may &&
  html`${postForm(
    request,
    { action: `${workspace.path}/views/${id}`, hidden: { change: 'rename' }, class: 'inline' },
    html`<label class="flabel" for="name-${id}">Name</label><input class="input" id="name-${id}" name="name" required maxlength="80" value="${name}">`,
    checkbox('shared', '1', 'Shared with the workspace', shared),
    button('Save', { small: true }),
  )}${postForm(request, { action: `${workspace.path}/views/${id}/delete`, confirm: `Delete the view ${view.name}? Its items are not changed.` }, button('Delete', { small: true, kind: 'danger', icon: 'trash-2' }))}`
}</section>`;
}

const add = (request: PageRequest): Promise<Answer> =>
  submitted(
    request,
    saveView,
    (form) => ({ workspaceId: Number(request.params.id), name: form.text('name'), query: form.text('query'), shared: form.has('shared') }),
    {
      labels: { name: 'Name', query: 'List' },
      again: (refusal) => page(request, refusal),
      done: ({ id }) => ({
        redirect: viewHref({ at: `/workspaces/${request.params.id}` }, { id, query: request.form.text('query') }),
        notice: 'saved',
      }),
    },
  );

const change = (request: PageRequest): Promise<Answer> => {
  const { form, params } = request;
  const [workspaceId, id] = [Number(params.id), Number(params.viewId)];
  const refusals = { labels: { name: 'Name', query: 'List' }, again: (refusal: Refusal) => page(request, refusal, params.viewId) };
  const common = { workspaceId, id, name: form.text('name'), shared: form.has('shared') };
  if (form.text('change') !== 'replace')
    return submitted(request, changeView, () => common, {
      ...refusals,
      done: () => ({ redirect: `/workspaces/${workspaceId}/views`, notice: 'saved' }),
    });
  return submitted(request, saveView, () => ({ ...common, query: form.text('query') }), {
    ...refusals,
    done: () => ({ redirect: viewHref({ at: `/workspaces/${workspaceId}` }, { id, query: form.text('query') }), notice: 'saved' }),
  });
};

const remove = (request: PageRequest): Promise<Answer> =>
  submitted(request, removeView, () => ({ workspaceId: Number(request.params.id), id: Number(request.params.viewId) }), {
    again: (refusal) => page(request, refusal),
    done: () => ({ redirect: `/workspaces/${request.params.id}/views`, notice: 'deleted' }),
  });

export const viewRoutes: PageRoute[] = [
  { method: 'GET', path: '/workspaces/:id/views', handle: (request) => page(request) },
  { method: 'POST', path: '/workspaces/:id/views', handle: add },
  { method: 'POST', path: '/workspaces/:id/views/:viewId', handle: change },
  { method: 'POST', path: '/workspaces/:id/views/:viewId/delete', handle: remove },
];
