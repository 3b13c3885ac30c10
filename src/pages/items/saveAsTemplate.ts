/** /workspaces/:id/items/:itemId/template: makes a template from the item, or replaces one (behaviour §37.6). */
import { listTemplates, saveTemplate } from '../../templates/templates.ts';
import { Forbidden } from '../../values/errors.ts';
import { button, linkButton } from '../frame/components/button.ts';
import { Fields } from '../frame/fields.ts';
import { html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { call } from '../frame/session.ts';
import { type Refusal, submitted } from '../frame/submitted.ts';
import { option, problemBox } from '../frame/widgets.ts';
import { keepsTemplates } from '../workspace/openWorkspace.ts';
import { copiedIn, copyBoxes } from './duplicate.ts';
import { crumbsToItem } from './head.ts';
import { idsOf, openItem } from './pageOf.ts';

const labels = { name: 'Name', templateId: 'Template', below: 'Items below' };

async function show(request: PageRequest, refusal?: Refusal): Promise<Answer> {
  const { item, workspace, at, sums } = await openItem(request);
  if (!keepsTemplates(workspace)) throw new Forbidden();
  const { templates } = await call(request, listTemplates, { workspaceId: workspace.id });
  const fields = new Fields(labels, refusal && { error: refusal.error, form: request.form });
  const chosen = fields.value('templateId');
  const replacing = [
    option('', 'New template', chosen),
    ...templates.map(({ id, name }) => option(String(id), `Replace “${name}”`, chosen)),
  ];
  const form = postForm(
    request,
    { action: `${workspace.path}/items/${item.id}/template`, once: true },
    templates.length > 0 && fields.field('templateId', (mark) => html`<select name="templateId"${mark}>${replacing}</select>`),
    fields.field(
      'name',
      (mark) => html`<input name="name" maxlength="200" value="${fields.value('name', item.title.slice(0, 200))}"${mark}>`,
      templates.length > 0 ? 'A replaced template keeps its name.' : null,
    ),
    html`<fieldset><legend>Copy</legend>${copyBoxes(fields, sums.items)}</fieldset>
<p class="hint">The template keeps texts, estimates, priorities, and the distance of each date from the earliest. It does not keep assignees and owners.</p>
<div class="actions">${button('Save template', { kind: 'primary' })}${linkButton(at, 'Cancel')}</div>`,
  );
  return {
    title: 'Save as template',
    status: refusal?.status ?? 200,
    itemType: item.type,
    crumbs: crumbsToItem(workspace, item),
    body: html`<div class="settings">${problemBox(refusal?.problem)}${form}</div>`,
  };
}

const save = (request: PageRequest): Promise<Answer> =>
  submitted(
    request,
    saveTemplate,
    (form) => ({
      ...{ ...idsOf(request), ...copiedIn(form) },
      ...(form.text('templateId') ? { templateId: form.number('templateId') } : { name: form.text('name') }),
    }),
    {
      labels,
      done: () => ({ redirect: `/workspaces/${request.params.id}/settings/templates`, notice: 'saved' }),
      again: (refusal) => show(request, refusal),
    },
  );

export const saveAsTemplateRoutes: PageRoute[] = [
  { method: 'GET', path: '/workspaces/:id/items/:itemId/template', handle: (request) => show(request) },
  { method: 'POST', path: '/workspaces/:id/items/:itemId/template', handle: save },
];
