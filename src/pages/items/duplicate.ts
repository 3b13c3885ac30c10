/** /workspaces/:id/items/:itemId/duplicate: the form that selects what to copy (behaviour §37.2). */
import { duplicateItem, type Made } from '../../items/duplicateItem.ts';
import { MOST_COPIED } from '../../items/tree.ts';
import { button, linkButton } from '../frame/components/button.ts';
import { Fields } from '../frame/fields.ts';
import type { Form } from '../frame/forms.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { type Refusal, submitted } from '../frame/submitted.ts';
import { undoOf } from '../frame/toast.ts';
import { checkbox, problemBox } from '../frame/widgets.ts';
import { crumbsToItem } from './head.ts';
import { idsOf, openItem } from './pageOf.ts';

const labels = { title: 'Title', start: 'New start', below: 'Items below' };

/** Checkboxes that the forms of duplicates and templates share. `below`: the number of items below. */
export const copyBoxes = (fields: Fields, below: number): Content =>
  html`${below > 0 && checkbox('below', 'on', `Items below (${below > MOST_COPIED ? `more than ${MOST_COPIED}` : below})`, fields.ticked('below', 'on', true))}
${checkbox('labels', 'on', 'Labels', fields.ticked('labels', 'on', true))}
${below > 0 && checkbox('dependencies', 'on', 'Dependencies among them', fields.ticked('dependencies', 'on', true))}`;

export const copiedIn = (form: Form) => ({ below: form.has('below'), labels: form.has('labels'), dependencies: form.has('dependencies') });

/** Opens the first of the new items, with Undo for all of them. */
export const openMade = (workspaceId: number, { id }: Made): Answer => ({
  redirect: `/workspaces/${workspaceId}/items/${id}`,
  undo: undoOf.items({ workspaceId, itemId: id, version: 1 }),
  notice: 'created',
});

async function show(request: PageRequest, refusal?: Refusal): Promise<Answer> {
  const { item, workspace, at, sums } = await openItem(request);
  const fields = new Fields(labels, refusal && { error: refusal.error, form: request.form });
  const form = postForm(
    request,
    { action: `${workspace.path}/items/${item.id}/duplicate`, once: true },
    fields.field(
      'title',
      (mark) => html`<input name="title" required maxlength="300" value="${fields.value('title', item.title)}"${mark}>`,
    ),
    html`<fieldset><legend>Copy</legend>${copyBoxes(fields, sums.items)}
${checkbox('people', 'on', 'Assignees and owners', fields.ticked('people', 'on', true))}</fieldset>`,
    fields.field(
      'start',
      (mark) => html`<input type="date" name="start" value="${fields.value('start')}"${mark}>`,
      'The earliest date moves to this day; the others move by the same number of days. Weekend dates move to Monday. Leave empty to keep dates.',
    ),
    html`<p class="hint">The copy is planned. Comments, time and history stay with the original.</p>
<div class="actions">${button('Duplicate', { kind: 'primary' })}${linkButton(at, 'Cancel')}</div>`,
  );
  return {
    title: `Duplicate ${item.type} ${item.id}`,
    status: refusal?.status ?? 200,
    itemType: item.type,
    crumbs: crumbsToItem(workspace, item),
    body: html`<div class="settings">${problemBox(refusal?.problem)}${form}</div>`,
  };
}

const duplicate = (request: PageRequest): Promise<Answer> =>
  submitted(
    request,
    duplicateItem,
    (form) => ({
      ...{ ...idsOf(request), title: form.text('title'), ...copiedIn(form), people: form.has('people') },
      start: form.text('start') || null,
    }),
    {
      labels,
      done: (made) => openMade(idsOf(request).workspaceId, made),
      again: (refusal) => show(request, refusal),
    },
  );

export const duplicateRoutes: PageRoute[] = [
  { method: 'GET', path: '/workspaces/:id/items/:itemId/duplicate', handle: (request) => show(request) },
  { method: 'POST', path: '/workspaces/:id/items/:itemId/duplicate', handle: duplicate },
];
