/** /workspaces/:id/items/:itemId/edit. On a version conflict both texts are shown side by side and no input is lost. */

import { saveItem } from '../../items/saveItem.ts';
import { Forbidden, VersionConflict } from '../../values/errors.ts';
import { fullName } from '../frame/components/avatar.ts';
import { Fields } from '../frame/fields.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { type Refusal, submitted } from '../frame/submitted.ts';
import { problemBox } from '../frame/widgets.ts';
import { mayWork } from '../workspace/openWorkspace.ts';
import { readTexts, whoChanged } from './changeLine.ts';
import { type FormName, labels, namesOf } from './fields.ts';
import { type Choices, displayedValue, formLabels, itemForm } from './form.ts';
import { crumbsToItem } from './head.ts';
import { withLinkIds } from './linkNames.ts';
import { hiddenFields } from './new.ts';
import { openForEditing } from './pageOf.ts';
import { type Difference, reconcile, recordOf, type Values, valuesIn, valuesOf } from './values.ts';

interface Editing extends Omit<Awaited<ReturnType<typeof openForEditing>>, 'choices'> {
  choices: Choices;
  without: FormName[];
  names: FormName[];
}

async function open(request: PageRequest): Promise<Editing> {
  const opened = await openForEditing(request);
  const { workspace, item, context, options } = opened;
  if (!mayWork(workspace, item.type, 'write')) throw new Forbidden();
  const without = hiddenFields(workspace);
  const { links, owner, assignee } = context;
  const choices: Choices = {
    type: item.type,
    options,
    targets: opened.choices,
    stored: item,
    links,
    ownerName: owner && fullName(owner),
    assigneeName: assignee && fullName(assignee),
    find: `${request.basePath}/search`,
  };
  return { ...opened, choices, without, names: namesOf(item.type, without) };
}

function page(
  request: PageRequest,
  editing: Editing,
  values: Values,
  more: { refusal?: Refusal; above?: Content; status?: number; title?: string; button?: string } = {},
): Answer {
  const { workspace, item, at, choices, without } = editing;
  const fields = new Fields(formLabels, more.refusal && { error: more.refusal.error, form: request.form });
  const button = more.button ?? (more.above ? 'Overwrite with my version' : 'Save');
  return {
    title: more.title ?? (more.above ? 'Changed since you opened it' : `Edit: ${item.title}`),
    status: more.refusal?.status ?? more.status ?? 200,
    itemType: item.type,
    crumbs: crumbsToItem(workspace, item),
    body: html`${problemBox(more.refusal?.problem)}${more.above}
${itemForm(request, { action: `${workspace.path}/items/${item.id}/edit`, choices, values, without, button, away: at, fields })}`,
  };
}

async function show(request: PageRequest): Promise<Answer> {
  const editing = await open(request);
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
  return page(
    request,
    editing,
    { ...values, [text.name]: text.before.replaceAll('\r\n', '\n') },
    { above, title: `Edit: ${editing.item.title}`, button: 'Save' },
  );
}

async function save(request: PageRequest): Promise<Answer> {
  const editing = await open(request);
  const { item, workspace, choices, names } = editing;
  const back = { redirect: `${workspace.path}/items/${item.id}`, notice: 'saved' };
  const version = request.form.number('version');
  const values = withLinkIds(valuesIn(request.form, names), choices);
  if (version !== item.version) return conflict(request, editing, values, back);
  const record = { id: item.id, version, ...recordOf(values, { type: item.type, statuses: choices.options.statuses, stored: item }) };
  return submitted(request, saveItem, () => ({ workspaceId: workspace.id, record }), {
    labels: formLabels,
    done: () => back,
    again: async (refusal) => {
      if (refusal.error instanceof VersionConflict) return conflict(request, await open(request), values, back);
      return page(request, editing, values, { refusal });
    },
  });
}

/** Returns `back` if nothing differs, e.g. when the form was sent twice. */
function conflict(request: PageRequest, editing: Editing, mine: Values, back: Answer): Answer {
  const { merged, differences } = reconcile(mine, valuesOf(editing.item, editing.names), request.form.raw('marks'));
  if (differences.length === 0) return back;
  const who = whoChanged(editing.history, request.form.number('version') ?? 0);
  return page(request, editing, merged, { above: comparison(differences, editing, who), status: 409 });
}

function comparison(differences: Difference[], { item, choices }: Editing, who: string): Content {
  const side = (label: string, name: FormName, value: string, more: Content = null, kind = '') =>
    html`<div class="version${kind}"><h4>${label}</h4><div class="text">${displayedValue(name, value, choices) || html`<span class="meta">empty</span>`}</div>${more}</div>`;
  const left = html`<p class="meta">You did not change this field. The form below has the saved value.</p>`;
  const sides = differences.map(
    ({ name, mine, theirs, touched }) => html`<section aria-label="${labels[name]}"><h3>${labels[name]}</h3><div class="sides">
${side('Saved value', name, theirs)}${side('Your value', name, mine, !touched && left, touched ? ' now' : '')}</div></section>`,
  );
  const told = html`${who} saved version ${item.version} since you opened this ${item.type}. Your changes are not saved yet. Compare both versions below, then save.`;
  return html`<p class="error" role="alert">${told}</p><div class="compared">${sides}</div><h2>Your version</h2>`;
}

export const itemEditRoutes: PageRoute[] = [
  { method: 'GET', path: '/workspaces/:id/items/:itemId/edit', handle: show },
  { method: 'POST', path: '/workspaces/:id/items/:itemId/edit', handle: save },
];
