/** /workspaces/:id/bulk: one change to up to 100 items, all or none (behaviour §23.1, §23.2). */

import { archiveItems } from '../../../items/archiveItems.ts';
import { updateItems } from '../../../items/updateItems.ts';
import { MOST_CHOSEN } from '../../../overviews/chosenItems.ts';
import { Forbidden } from '../../../values/errors.ts';
import { elementAt } from '../../../values/records.ts';
import { notice } from '../../frame/components/boxes.ts';
import { button, linkButton } from '../../frame/components/button.ts';
import { menuTitle } from '../../frame/components/palette.ts';
import { type Content, html } from '../../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../../frame/page.ts';
import { postForm } from '../../frame/postForm.ts';
import { call } from '../../frame/session.ts';
import { backTo, orAgain, type Refusal } from '../../frame/submitted.ts';
import { undoOf } from '../../frame/toast.ts';
import { quantity } from '../../frame/widgets.ts';
import { formLabels } from '../form.ts';
import { showMove } from '../move.ts';
import { conflictPage, isConflict, type Version } from './conflict.ts';
import { changeOf, fitsType, type InPlaceField, isBulkField, labelOfChange, sentValue, storedValue, valueText } from './fields.ts';
import { changeLabels, labelsPanel, tickedLabels } from './manyLabels.ts';
import { changedAnswer, itemLink, type Opened, openChosen } from './open.ts';
import { manyNames, menuPanel } from './panel.ts';

type Change = InPlaceField | 'archive' | 'labels';

interface Many {
  change: Change;
  /** Below the context path. */
  action: string;
  back: string;
  /** `version`: the version shown; null if the list did not send it. */
  picked: { id: number; version: number | null }[];
}

function readRequest({ ctx, params, query, form, basePath }: PageRequest): Many {
  const given = ctx.method === 'POST' ? form.all('ids') : query.getAll('ids');
  const change = ctx.method === 'POST' ? form.text('change') : (query.get('change') ?? '');
  if (change !== 'archive' && change !== 'labels' && !isBulkField(change)) throw new Forbidden();
  const marks = given.flatMap((mark) => {
    const [, id, version] = /^([1-9]\d{0,15})(?:\.([1-9]\d{0,8}))?$/.exec(mark) ?? [];
    return id ? [{ id: Number(id), version: version ? Number(version) : null }] : [];
  });
  const picked = [...new Map(marks.map((one) => [one.id, one])).values()];
  const back = backTo(form.text('back') || query.get('back'), { basePath }, `/workspaces/${params.id}`);
  return { change, action: `/workspaces/${params.id}/bulk`, back, picked };
}

const open = (request: PageRequest, { change, picked }: Many, history = false): Promise<Opened> =>
  openChosen(
    request,
    picked.map(({ id }) => id),
    { releases: change === 'release', history, level: change === 'archive' ? 'delete' : 'write' },
  );

/** Versions for the form: the version shown; otherwise the stored one. */
const versionsOf = ({ items }: Opened, { picked }: Many): Version[] =>
  items.map(({ id, version }) => ({ id, version: picked.find((one) => one.id === id)?.version ?? version }));

const titleOf = (change: Change): string => (change === 'archive' ? 'Archive' : change === 'labels' ? 'Labels' : labelOfChange(change));

function unfit(request: PageRequest, { back, change, picked }: Many): Answer | null {
  if (picked.length > 0 && picked.length <= MOST_CHOSEN) return null;
  const said =
    picked.length === 0
      ? 'No items are selected. Select the items to change first.'
      : `${picked.length} items are selected. Select at most ${MOST_CHOSEN} at a time.`;
  return {
    title: titleOf(change),
    status: 400,
    body: html`<section id="change" class="change">${notice('error', said)}<p class="actions">${linkButton(request.basePath + back, 'Go back')}</p></section>`,
  };
}

async function show(request: PageRequest, refusal?: Refusal): Promise<Answer> {
  const many = readRequest(request);
  const { change, back } = many;
  const wrong = unfit(request, many);
  if (wrong) return wrong;
  const opened = await open(request, many);
  const { items, workspace } = opened;
  const gone = many.picked.length - items.length;
  const count = items.length === 1 ? `${items[0].type} ${items[0].id}` : quantity(items.length, 'item');
  return {
    title: change === 'archive' ? `Archive ${count}` : `${titleOf(change)} of ${count}`,
    status: refusal?.status ?? 200,
    crumbs: html`<a href="${workspace.at}?type=${items[0].type}">${workspace.name}</a>`,
    body: html`${refusal && notice('error', refusal.problem)}
${gone > 0 && notice('warning', `${quantity(gone, 'selected item')} cannot be changed any more. The others are listed below.`)}
${await panelOf(request, many, opened)}
<details class="chosen"${change === 'archive' && items.length <= 12 && html` open`}><summary>Selected items</summary><ul>${items.map((item) => html`<li>${itemLink(workspace.at, item)}</li>`)}</ul></details>
<p class="actions">${linkButton(request.basePath + back, 'Cancel')}</p>`,
  };
}

async function panelOf(request: PageRequest, many: Many, opened: Opened): Promise<Content> {
  const { change, action, back } = many;
  const { items, telling } = opened;
  const versions = versionsOf(opened, many);
  if (change === 'archive') return archivePanel(request, many, versions);
  if (change === 'labels') return labelsPanel(request, many, versions);
  if (items.some(({ type }) => !fitsType(change, type)))
    return html`<section id="change" class="change">${menuTitle(titleOf(change))}<p class="hint">Some of the selected items do not have this field. Select items of one type.</p></section>`;
  const names = html`<input type="hidden" name="change" value="${change}">${manyNames(versions)}`;
  const query = new URLSearchParams({ change, back });
  for (const { id, version } of versions) query.append('ids', `${id}.${version}`);
  return menuPanel(
    request,
    { field: change, action, back, at: opened.workspace.at, chosen: opened, names, query: String(query) },
    telling.clock,
    taking(request),
  );
}

const taking = ({ ctx, query, form }: PageRequest): string | null => (ctx.method === 'POST' ? form.text('value') : query.get('to'));

function archivePanel(request: PageRequest, { action, back }: Many, versions: readonly Version[]): Content {
  const count = quantity(versions.length, 'item');
  return html`<section id="change" class="change">${menuTitle('Archive')}<p class="hint">Archived items are hidden from lists until a user restores them.</p>
${postForm(
  request,
  { action, hidden: { back, change: 'archive' }, once: true, live: '#work' },
  manyNames(versions),
  button(`Archive ${count}`, { kind: 'danger', icon: 'archive' }),
)}</section>`;
}

async function change(request: PageRequest): Promise<Answer> {
  const many = readRequest(request);
  const wrong = unfit(request, many);
  if (wrong) return wrong;
  return orAgain(() => changeAs(request, many), {
    labels: formLabels,
    again: (refusal) => (isConflict(refusal.error) ? conflicting(request, many, refusal.error) : show(request, refusal)),
  });
}

function changeAs(request: PageRequest, many: Many): Promise<Answer> {
  if (many.change === 'archive') return archive(request, many);
  return many.change === 'labels' ? changeLabels(request, many, many.picked) : update(request, many, many.change);
}

/** The operation refuses a missing version. */
async function update(request: PageRequest, many: Many, field: InPlaceField): Promise<Answer> {
  const { form, params } = request;
  const workspaceId = Number(params.id);
  const wanted = changeOf(field, sentValue(field, form), form.text('reason'));
  const { items } = await call(request, updateItems, { workspaceId, items: many.picked.map((one) => ({ ...one, ...wanted })) });
  return changedAnswer(many.back, workspaceId, many.picked, items);
}

async function archive(request: PageRequest, many: Many): Promise<Answer> {
  const workspaceId = Number(request.params.id);
  const { items } = await call(request, archiveItems, { workspaceId, items: many.picked });
  const { id, version } = elementAt(items, 0);
  return { redirect: many.back, undo: undoOf.items({ workspaceId, itemId: id, version }), notice: 'archived' };
}

async function conflicting(request: PageRequest, many: Many, error: Parameters<typeof conflictPage>[1]['error']): Promise<Answer> {
  const { change: field, action, back, picked } = many;
  const { form } = request;
  const opened = await open(request, many, true);
  const sent = picked.map(({ id, version }) => ({ id, version: version ?? 0 }));
  const shared = { opened, sent, error, action, back, title: 'Changed since you opened it' };
  const names = (items: readonly Version[]) => html`<input type="hidden" name="change" value="${field}">${manyNames(items)}`;
  if (field === 'archive') return conflictPage(request, { ...shared, names });
  if (field === 'labels') return conflictPage(request, { ...shared, names: (items) => html`${names(items)}${tickedLabels(request)}` });
  const value = sentValue(field, form);
  const moved = (error.details.conflicts ?? []).map(({ id }) => id);
  const isStored = (id: number) => opened.items.some((item) => item.id === id && storedValue(item, field) === value);
  if (moved.length === sent.length && opened.items.length === sent.length && moved.every(isStored))
    return { redirect: back, notice: 'saved' };
  return conflictPage(request, {
    ...shared,
    now: (item) => valueText(field, storedValue(item, field), opened.telling, item),
    chosen: valueText(field, value, opened.telling),
    names: (items) =>
      html`${names(items)}<input type="hidden" name="value" value="${value}">${
        form.has('reason') && html`<input type="hidden" name="reason" value="${form.text('reason')}">`
      }`,
  });
}

export const bulkRoutes: PageRoute[] = [
  {
    method: 'GET',
    path: '/workspaces/:id/bulk',
    handle: (request) => (request.query.get('change') === 'move' ? showMove(request) : show(request)),
  },
  { method: 'POST', path: '/workspaces/:id/bulk', handle: change },
];
