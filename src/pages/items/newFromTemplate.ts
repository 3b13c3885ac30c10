/** /workspaces/:id/new/template: creates the items of a template (behaviour §37.7). */
import { startItem } from '../../overviews/openItem.ts';
import { applyTemplate, listTemplates } from '../../templates/templates.ts';
import { clockOf } from '../frame/clock.ts';
import { empty } from '../frame/components/boxes.ts';
import { button, linkButton } from '../frame/components/button.ts';
import { Fields } from '../frame/fields.ts';
import { html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { call } from '../frame/session.ts';
import { type Refusal, submitted } from '../frame/submitted.ts';
import { option, problemBox, quantity } from '../frame/widgets.ts';
import { asOpened } from '../workspace/openWorkspace.ts';
import { openMade } from './duplicate.ts';
import { crumbsTo } from './head.ts';

const labels = { templateId: 'Template', title: 'Title', start: 'Start', assigneeId: 'Assignee' };

async function show(request: PageRequest, refusal?: Refusal): Promise<Answer> {
  const workspaceId = Number(request.params.id);
  const [{ templates }, { membership, options }] = await Promise.all([
    call(request, listTemplates, { workspaceId }),
    call(request, startItem, { workspaceId, type: 'task' }),
  ]);
  const workspace = asOpened(request, membership);
  const fields = new Fields(labels, refusal && { error: refusal.error, form: request.form });
  const chosen = fields.value('templateId', request.query.get('template') ?? '');
  const person = fields.value('assigneeId');
  const form = postForm(
    request,
    { action: `${workspace.path}/new/template`, once: true },
    fields.field(
      'templateId',
      (mark) =>
        html`<select name="templateId" required${mark}>${templates.map(({ id, name, count }) => option(String(id), `${name} (${quantity(count, 'item')})`, chosen))}</select>`,
    ),
    fields.field(
      'title',
      (mark) => html`<input name="title" maxlength="300" value="${fields.value('title')}"${mark}>`,
      'Title of the first item. Leave it empty to use the template’s title.',
    ),
    html`<div class="sides">${fields.field(
      'start',
      (mark) => html`<input type="date" name="start" value="${fields.value('start', clockOf(request).today)}"${mark}>`,
      'The earliest date of all items. Weekend dates move to Monday. Leave it empty for no dates.',
    )}${fields.field(
      'assigneeId',
      (mark) =>
        html`<select name="assigneeId"${mark}>${option('', 'Unassigned', person)}${options.assignees.map(({ id, name }) => option(String(id), name, person))}</select>`,
      'All tasks are assigned to this person.',
    )}</div><div class="actions">${button('Create', { kind: 'primary' })}${linkButton(workspace.at, 'Cancel')}</div>`,
  );
  const none = empty({
    icon: 'layout-template',
    title: 'No templates yet',
    text: 'An owner or manager of the workspace opens an item and chooses “Save as template…”.',
  });
  return {
    title: 'New from template',
    status: refusal?.status ?? 200,
    crumbs: crumbsTo(workspace, 'task'),
    body: html`<div class="settings">${problemBox(refusal?.problem)}${templates.length > 0 ? form : none}</div>`,
  };
}

const create = (request: PageRequest): Promise<Answer> =>
  submitted(
    request,
    applyTemplate,
    (form) => ({
      workspaceId: Number(request.params.id),
      templateId: form.number('templateId'),
      ...(form.text('title') && { title: form.text('title') }),
      start: form.text('start') || null,
      assigneeId: form.number('assigneeId'),
    }),
    {
      labels,
      done: (made) => openMade(Number(request.params.id), made),
      again: (refusal) => show(request, refusal),
    },
  );

export const newFromTemplateRoutes: PageRoute[] = [
  { method: 'GET', path: '/workspaces/:id/new/template', handle: (request) => show(request) },
  { method: 'POST', path: '/workspaces/:id/new/template', handle: create },
];
