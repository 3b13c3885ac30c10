/** /workspaces/:id/settings/templates: rename and delete templates (behaviour §37.6). */
import { type ListedTemplate, listTemplates, nameTemplate, removeTemplate } from '../../templates/templates.ts';
import { card, fold } from '../frame/components/boxes.ts';
import { button, linkButton } from '../frame/components/button.ts';
import { icon } from '../frame/components/icon.ts';
import { table } from '../frame/components/row.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { call } from '../frame/session.ts';
import { quantity } from '../frame/widgets.ts';
import { typeSigns } from '../items/values.ts';
import { type Refused, type SettingsData, settingsForm, settingsPage } from './settingsData.ts';

async function show(request: PageRequest, refused?: Refused): Promise<Answer> {
  const { templates } = await call(request, listTemplates, { workspaceId: Number(request.params.id) });
  return settingsPage(request, 'templates', (data) => templatesCard(data, templates), refused);
}

const live = '#templates';

function templatesCard(data: SettingsData, templates: readonly ListedTemplate[]): Content {
  const columns = [{ label: 'Template' }, { label: 'Use and delete', quiet: true }];
  const rows = templates.map((one) => [html`${nameCell(data, one)}${itemsOf(one)}`, moreCell(data, one)]);
  const body = html`${data.problem('templates')}<p class="hint">Open an item and choose “Save as template…” to add one or to replace one.</p>
${rows.length > 0 ? table({ caption: 'Templates', columns }, rows) : html`<p class="meta">No templates yet.</p>`}`;
  return card('Templates', body, { id: 'templates' });
}

function nameCell(data: SettingsData, { id, name }: ListedTemplate): Content {
  const form = { action: `${data.path}/templates/rename`, hidden: { templateId: id }, live };
  const fields = data.forms(form.action, form.hidden);
  const input = fields.field(
    'name',
    (mark) => html`<input name="name" required maxlength="200" value="${fields.value('name', name)}"${mark}>`,
    null,
    'Name',
  );
  return html`<b>${name}</b>${fold(html`Rename<span class="vh"> ${name}</span>`, postForm(data, form, input, button('Save', { small: true, said: `Save ${name}` })), { open: fields.refused })}`;
}

function itemsOf({ count, lines }: ListedTemplate): Content {
  const rows = lines.map(({ type, title }) => html`<li>${icon(typeSigns[type], 's')}${title}</li>`);
  const more = count > lines.length && html`<li class="meta">and ${count - lines.length} more</li>`;
  return fold(quantity(count, 'item'), html`<ul class="plain">${rows}${more}</ul>`);
}

function moreCell(data: SettingsData, { id, name }: ListedTemplate): Content {
  const use = `${data.basePath}${data.workspacePath}/new/template?template=${id}`;
  const remove = postForm(
    data,
    {
      action: `${data.path}/templates/delete`,
      hidden: { templateId: id },
      live,
      class: 'plain',
      confirm: `Delete the template ${name}? Items created from it are kept.`,
    },
    button('Delete', { small: true, kind: 'danger', said: `Delete ${name}` }),
  );
  return html`<div class="actions">${linkButton(use, 'Use', { small: true, said: `Use ${name}` })}${remove}</div>`;
}

const place = { part: 'templates', card: 'templates', show } as const;

export const templateRoutes: PageRoute[] = [
  { method: 'GET', path: '/workspaces/:id/settings/templates', handle: (request) => show(request) },
  settingsForm('templates/rename', nameTemplate, (sent) => ({ templateId: sent.number('templateId'), name: sent.text('name') }), place),
  settingsForm('templates/delete', removeTemplate, (sent) => ({ templateId: sent.number('templateId') }), place, 'deleted'),
];
