/** /workspaces/:id/items/:itemId/edit. If others changed the item meanwhile, fields are merged, or both versions shown (behaviour §21.14). */

import { saveItem } from '../../items/saveItem.ts';
import { Forbidden, VersionConflict } from '../../values/errors.ts';
import { keysOf } from '../../values/records.ts';
import { Fields } from '../frame/fields.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { type Refusal, submitted } from '../frame/submitted.ts';
import { undoOf } from '../frame/toast.ts';
import { problemBox } from '../frame/widgets.ts';
import { readTexts } from './changeLine.ts';
import { conflictPage } from './editConflict.ts';
import { type Editing, openEditing } from './editing.ts';
import { labels } from './fields.ts';
import { formLabels, itemForm } from './form.ts';
import { crumbsToItem } from './head.ts';
import { withLinkIds } from './linkNames.ts';
import { inList } from './pageOf.ts';
import { type Reconciled, reconcile, recordOf, type Values, valuesIn, valuesOf } from './values.ts';

function page(request: PageRequest, editing: Editing, values: Values, more: { refusal?: Refusal; above?: Content } = {}): Answer {
  const { workspace, item, at, choices, without } = editing;
  const fields = new Fields(formLabels, more.refusal && { error: more.refusal.error, form: request.form });
  return {
    title: `Edit: ${item.title}`,
    heading: html`Edit: <bdi>${item.title}</bdi>`,
    status: more.refusal?.status ?? 200,
    itemType: item.type,
    crumbs: crumbsToItem(workspace, item),
    body: html`${problemBox(more.refusal?.problem)}${more.above}
${itemForm(request, { action: `${workspace.path}/items/${item.id}/edit`, choices, values, without, button: 'Save', away: at, fields })}`,
  };
}

async function show(request: PageRequest): Promise<Answer> {
  const editing = await openEditing(request);
  const values = valuesOf(editing.item, editing.names);
  const from = Number(request.query.get('from'));
  return from > 0 ? bringBack(request, editing, values, from) : page(request, editing, values);
}

/** The form with an earlier text filled in. Nothing is saved yet. */
async function bringBack(request: PageRequest, editing: Editing, values: Values, from: number): Promise<Answer> {
  const { texts } = await readTexts(request, from);
  const text = texts.find(({ name }) => name === request.query.get('bring'));
  if (!text) throw new Forbidden();
  const above = html`<p class="notice">The form has the previous text of this field: ${labels[text.name]}. Save to restore it.</p>`;
  return page(request, editing, { ...values, [text.name]: text.before.replaceAll('\r\n', '\n') }, { above });
}

/** The form may have all fields or some: those that are not sent keep their stored value. */
async function save(request: PageRequest): Promise<Answer> {
  const { form } = request;
  const editing = await openEditing(request);
  const { item, workspace, choices } = editing;
  const sent = editing.names.filter((name) => form.has(name));
  const typed = withLinkIds(valuesIn(form, sent), choices);
  const reconciled = reconcileWith(editing, request, typed);
  if (reconciled.differences.length > 0) return conflictPage(request, editing, reconciled);
  const { merged, mine, theirs } = reconciled;
  const back = { redirect: `${workspace.path}/items/${item.id}${inList(request)}`, notice: theirs.length > 0 ? 'merged' : 'saved' };
  // The form was sent twice, or others made the same change.
  if (form.number('version') !== item.version && mine.length === 0) return { ...back, notice: 'saved' };
  const record = {
    id: item.id,
    version: item.version,
    ...recordOf(merged, { type: item.type, statuses: choices.options.statuses, stored: item }),
  };
  return submitted(request, saveItem, () => ({ workspaceId: workspace.id, record }), {
    labels: formLabels,
    done: ({ version }) =>
      version === item.version ? back : { ...back, undo: undoOf.items({ workspaceId: workspace.id, itemId: item.id, version }) },
    again: async (refusal) => {
      if (!(refusal.error instanceof VersionConflict)) return page(request, editing, merged, { refusal });
      const now = await openEditing(request);
      return conflictPage(request, now, reconcileWith(now, request, typed));
    },
  });
}

/** At the version shown, every sent value counts. */
function reconcileWith({ item, names }: Editing, { form }: PageRequest, typed: Values): Reconciled {
  const stored = valuesOf(item, names);
  if (form.number('version') === item.version) return { merged: { ...stored, ...typed }, differences: [], mine: keysOf(typed), theirs: [] };
  return reconcile(typed, stored, form.raw('marks'));
}

export const itemEditRoutes: PageRoute[] = [
  { method: 'GET', path: '/workspaces/:id/items/:itemId/edit', handle: show },
  { method: 'POST', path: '/workspaces/:id/items/:itemId/edit', handle: save },
];
