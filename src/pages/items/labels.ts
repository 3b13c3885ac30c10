/** Labels of an item in its properties, and /workspaces/:id/items/:itemId/labels, the menu that changes them (behaviour §33.9). */
import { changeRelations, getRelations, saveRelations } from '../../items/relations.ts';
import { MOST_LABELS_ON_ITEM } from '../../workspaces/labelSchema.ts';
import { type ListedLabel, listDescribedLabels, saveLabel } from '../../workspaces/labels.ts';
import { notice, type Property } from '../frame/components/boxes.ts';
import { button, linkButton } from '../frame/components/button.ts';
import { labelChip } from '../frame/components/marks.ts';
import { menuTitle } from '../frame/components/palette.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { call } from '../frame/session.ts';
import { backTo, cameFromPage, orAgain, type Refusal } from '../frame/submitted.ts';
import { mayWork } from '../workspace/openWorkspace.ts';
import { changedAnswer } from './change/open.ts';
import { type ItemPage, idsOf, itemPath } from './pageOf.ts';

export function labelsProperty({ opened: { item, labels, at, workspace } }: ItemPage): Property | null {
  const chips = labels.map((label, n) => html`${n > 0 && ' '}${labelChip(label)}`);
  if (!mayWork(workspace, item.type, 'write')) return chips.length > 0 ? { label: 'Labels', value: html`<span>${chips}</span>` } : null;
  const value = chips.length > 0 ? chips : html`<span class="meta">Set</span>`;
  const said = html`<span class="vh">Change labels of ${item.title}: </span>`;
  return { label: 'Labels', value: html`<a class="wrap" href="${at}/labels" data-menu data-key="l">${said}${value}</a>` };
}

async function show(request: PageRequest, refusal?: Refusal): Promise<Answer> {
  const { query, form, basePath } = request;
  const [item, labels] = await Promise.all([
    call(request, getRelations, idsOf(request)),
    call(request, listDescribedLabels, { workspaceId: Number(request.params.id) }),
  ]);
  const back = backTo(form.text('back') || query.get('back') || cameFromPage(request), request, itemPath(request));
  const held = refusal ? form.all('labels').map(Number) : item.labels.map(({ id }) => id);
  const offered = labels.filter(({ id, archived }) => !archived || item.labels.some((one) => one.id === id));
  const panel = postForm(
    request,
    { action: `${itemPath(request)}/labels`, hidden: { back, version: item.version }, live: '#work' },
    html`<fieldset class="ticks"><legend class="vh">Labels</legend>${offered.map((label) => labelTick(label, held.includes(label.id)))}</fieldset>
<div class="typed"><label><span class="flabel">New label</span><input class="input" name="new" maxlength="80" value="${form.text('new')}" autocomplete="off"></label>${button('Save', { small: true, kind: 'primary' })}</div>`,
  );
  return {
    title: `Labels of #${request.params.itemId}`,
    status: refusal?.status ?? 200,
    body: html`${refusal && notice('error', refusal.problem)}
<section id="change" class="change" aria-label="Labels">${menuTitle('Labels', 'L')}${panel}</section>
<p class="actions">${linkButton(basePath + back, 'Go back')}</p>`,
  };
}

/** Also for many items: `name` of the box. */
export const labelTick = (label: ListedLabel, ticked: boolean, name = 'labels'): Content =>
  html`<label class="opt"${label.description && html` title="${label.description}"`}><input type="checkbox" name="${name}" value="${label.id}"${ticked && html` checked`} autocomplete="off">${labelChip(label)}</label>`;

async function save(request: PageRequest): Promise<Answer> {
  const { form } = request;
  const { workspaceId, id } = idsOf(request);
  const version = form.number('version');
  const work = async (): Promise<Answer> => {
    const given = form
      .all('labels')
      .slice(0, MOST_LABELS_ON_ITEM + 1)
      .map(Number);
    const made = await newLabel(request, form.text('new'));
    const labels = [...new Set([...given, ...(made === null ? [] : [made])])];
    const saved = await call(request, saveRelations, { workspaceId, id, version, labels });
    return changedAnswer(backTo(form.text('back'), request, itemPath(request)), workspaceId, [{ id, version }], [{ ...saved, id }]);
  };
  return orAgain(work, { labels: { name: 'New label', labels: 'Labels' }, again: (refusal) => show(request, refusal) });
}

/** The id of the label with this name, which is created if it is new. Null for an empty name. */
export async function newLabel(request: PageRequest, name: string): Promise<number | null> {
  if (name === '') return null;
  const workspaceId = Number(request.params.id);
  const known = await call(request, listDescribedLabels, { workspaceId });
  const same = known.find((one) => one.name.toLowerCase() === name.toLowerCase());
  return same?.id ?? (await call(request, saveLabel, { workspaceId, label: { name } })).id;
}

/** A card of a board by label moves: the label of the new column replaces that of the old one (behaviour §38.5). */
function moveCard(request: PageRequest): Promise<Answer> {
  const { form } = request;
  const { workspaceId, id } = idsOf(request);
  const version = form.number('version');
  const to = form.text('value') === '' ? [] : [form.id('value')];
  const back = backTo(form.text('back'), request, itemPath(request));
  const work = async (): Promise<Answer> => {
    const { labels } = await call(request, getRelations, { workspaceId, id });
    const from = labels.slice(0, 1).flatMap((label) => (to.includes(label.id) ? [] : [label.id]));
    const { items } = await call(request, changeRelations, { workspaceId, items: [{ id, version }], labels: { add: to, remove: from } });
    return changedAnswer(back, workspaceId, [{ id, version }], items);
  };
  return orAgain(work, { labels: { labels: 'Labels' }, again: (refusal) => show(request, refusal) });
}

export const itemLabelRoutes: PageRoute[] = [
  { method: 'POST', path: '/workspaces/:id/items/:itemId/change/label', handle: moveCard },
  { method: 'GET', path: '/workspaces/:id/items/:itemId/labels', handle: (request) => show(request) },
  { method: 'POST', path: '/workspaces/:id/items/:itemId/labels', handle: save },
];
