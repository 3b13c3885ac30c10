/** /workspaces/:id/settings/labels: rename, color, describe, archive and merge labels (behaviour §33.11). */

import { labelColors } from '../../workspaces/labelSchema.ts';
import { type ListedLabel, listDescribedLabels, saveDescribedLabel } from '../../workspaces/labels.ts';
import { card, fold } from '../frame/components/boxes.ts';
import { button, linkButton } from '../frame/components/button.ts';
import { labelChip } from '../frame/components/marks.ts';
import { pickSelect } from '../frame/components/picker.ts';
import { table } from '../frame/components/row.ts';
import type { Fields } from '../frame/fields.ts';
import type { Form } from '../frame/forms.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { call } from '../frame/session.ts';
import { option, quantity } from '../frame/widgets.ts';
import { type Refused, type SettingsData, settingsForm, settingsPage } from './settingsData.ts';

async function show(request: PageRequest, refused?: Refused): Promise<Answer> {
  const labels = await call(request, listDescribedLabels, { workspaceId: Number(request.params.id) });
  const merged = Number(request.query.get('merge'));
  return settingsPage(request, 'labels', (data) => labelsCard(data, labels, merged), refused);
}

const live = '#labels';

/** `merged`: the label whose form to merge it is shown. With a form for each label, the page would grow by the square of their number. */
function labelsCard(data: SettingsData, labels: readonly ListedLabel[], merged: number): Content {
  const columns = [{ label: 'Label' }, { label: 'Items', number: true }, { label: 'Archive and merge', quiet: true }];
  const used = labels.filter(({ archived }) => !archived);
  const rowsOf = (all: readonly ListedLabel[]) =>
    all.map((label) => [changeForm(data, label), itemsCell(data, label), moreOf(data, label, used, merged)]);
  const archived = labels.filter((label) => label.archived);
  const body = html`${data.problem('labels')}<p class="hint">Members add labels to items. Owners and managers change them here.</p>
${addForm(data)}
${used.length > 0 ? table({ caption: 'Labels', columns }, rowsOf(used)) : html`<p class="meta">No labels yet. Add the first one.</p>`}
${archived.length > 0 && html`<h3>Archived</h3>${table({ caption: 'Archived labels', columns }, rowsOf(archived))}`}`;
  return card('Labels', body, { id: 'labels' });
}

const colorField = (fields: Fields, color: string): Content =>
  fields.field(
    'color',
    (mark) => html`<select name="color"${mark}>${labelColors.map((one) => option(one, one, fields.value('color', color)))}</select>`,
  );

function contentFields(fields: Fields, { name, color, description }: Pick<ListedLabel, 'name' | 'color' | 'description'>): Content {
  return html`<div class="sides">${fields.field('name', (mark) => html`<input name="name" required maxlength="80" value="${fields.value('name', name)}"${mark}>`, null, 'Name')}
${colorField(fields, color)}</div>
${fields.field('description', (mark) => html`<input name="description" maxlength="1000" value="${fields.value('description', description)}"${mark}>`)}`;
}

function addForm(data: SettingsData): Content {
  const action = `${data.path}/labels/add`;
  const fields = data.forms(action);
  const form = postForm(
    data,
    { action, once: true, live, data: { clear: true } },
    contentFields(fields, { name: '', color: 'grey', description: '' }),
    button('Add label', { kind: 'primary' }),
  );
  return fold('Add a label', form, { open: fields.refused });
}

function changeForm(data: SettingsData, label: ListedLabel): Content {
  const changing = { action: `${data.path}/labels/change`, hidden: { id: label.id }, live };
  const fields = data.forms(changing.action, changing.hidden);
  const form = postForm(data, changing, contentFields(fields, label), button('Save', { small: true, said: `Save ${label.name}` }));
  return html`${labelChip(label)}${label.description && html` <small class="muted">${label.description}</small>`}${fold(html`Edit<span class="vh"> ${label.name}</span>`, form, { open: fields.refused })}`;
}

function itemsCell({ basePath, workspacePath }: SettingsData, { id, items }: ListedLabel): Content {
  const href = `${basePath}${workspacePath}?label=${id}`;
  return items > 0 ? html`<a href="${href}">${quantity(items, 'item')}</a>` : '0';
}

function moreOf(data: SettingsData, label: ListedLabel, used: readonly ListedLabel[], merged: number): Content {
  const { id, name, archived } = label;
  const archive = postForm(
    data,
    { action: `${data.path}/labels/archive`, hidden: { id, name, archived: archived ? 'no' : 'yes' }, live, class: 'plain' },
    archived ? button('Restore', { small: true, said: `Restore ${name}` }) : button('Archive', { small: true, said: `Archive ${name}` }),
  );
  if (used.every((one) => one.id === id)) return archive;
  const action = `${data.path}/labels/merge`;
  const fields = data.forms(action, { id });
  if (id !== merged && !fields.refused) {
    const href = `${data.basePath}${data.path}/labels?merge=${id}#labels`;
    return html`${archive}${linkButton(href, 'Merge', { small: true, said: `Merge ${name}` })}`;
  }
  const others = used.filter((one) => one.id !== id);
  const merge = postForm(
    data,
    {
      action,
      hidden: { id, name },
      live,
      confirm: `Merge ${name}? Its items get the other label, and ${name} is deleted. This cannot be undone.`,
    },
    fields.field('mergeInto', (attributes) =>
      pickSelect({
        name: 'mergeInto',
        options: others.map((one) => ({ value: String(one.id), label: one.name })),
        chosen: fields.value('mergeInto'),
        attributes,
      }),
    ),
    button('Merge', { small: true, kind: 'danger', said: `Merge ${name}` }),
  );
  return html`${archive}${fold(html`Merge<span class="vh"> ${name}</span>`, merge, { open: true })}`;
}

const content = (sent: Form) => ({
  name: sent.text('name'),
  ...(sent.has('color') && { color: sent.text('color') }),
  description: sent.text('description'),
});
const named = (sent: Form) => ({ id: sent.number('id'), name: sent.text('name') });

const place = { part: 'labels', card: 'labels', show } as const;

export const labelRoutes: PageRoute[] = [
  { method: 'GET', path: '/workspaces/:id/settings/labels', handle: (request) => show(request) },
  settingsForm('labels/add', saveDescribedLabel, (sent) => ({ label: content(sent) }), place, 'added'),
  settingsForm('labels/change', saveDescribedLabel, (sent) => ({ label: { id: sent.number('id'), ...content(sent) } }), place),
  settingsForm(
    'labels/archive',
    saveDescribedLabel,
    (sent) => ({ label: { ...named(sent), archived: sent.text('archived') === 'yes' } }),
    place,
  ),
  settingsForm('labels/merge', saveDescribedLabel, (sent) => ({ label: { ...named(sent), mergeInto: sent.number('mergeInto') } }), place),
];
