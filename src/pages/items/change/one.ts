/** /workspaces/:id/items/:itemId/change/:field: changes one value of one item (behaviour §23.4). */
import { updateItems } from '../../../items/updateItems.ts';
import { checkMentions } from '../../../notifications/mentions.ts';
import { Forbidden } from '../../../values/errors.ts';
import { notice } from '../../frame/components/boxes.ts';
import { linkButton } from '../../frame/components/button.ts';
import { html } from '../../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../../frame/page.ts';
import { call } from '../../frame/session.ts';
import { backTo, cameFromPage, orAgain, type Refusal } from '../../frame/submitted.ts';
import { may } from '../../workspace/openWorkspace.ts';
import { formLabels } from '../form.ts';
import { conflictPage, isConflict } from './conflict.ts';
import { changeOf, fitsType, type InPlaceField, isInPlaceField, labelOfChange, sentValue, storedValue, valueText } from './fields.ts';
import { changedAnswer, itemLink, type Opened, openChosen } from './open.ts';
import { menuPanel, oneName } from './panel.ts';

interface One {
  field: InPlaceField;
  /** Below the context path. */
  action: string;
  back: string;
  id: number;
}

function readRequest(request: PageRequest): One {
  const { params, query, form, basePath } = request;
  const { id, itemId, field = '' } = params;
  if (!isInPlaceField(field)) throw new Forbidden();
  const item = `/workspaces/${id}/items/${itemId}`;
  const back = backTo(form.text('back') || query.get('back') || cameFromPage(request), { basePath }, item);
  return { field, action: `${item}/change/${field}`, back, id: Number(itemId) };
}

async function open(request: PageRequest, { field, id }: One, history = false): Promise<Opened> {
  const opened = await openChosen(request, [id], { releases: field === 'release', history });
  if (!fitsType(field, opened.items[0].type)) throw new Forbidden();
  return opened;
}

/** A goal's current value can be saved with a comment if the user may comment (behaviour §27.4). */
const takesNote = (field: InPlaceField, { workspace }: Opened): boolean => field === 'current' && may(workspace, 'comments', 'write');

async function show(request: PageRequest, refusal?: Refusal): Promise<Answer> {
  const one = readRequest(request);
  const { field, action, back } = one;
  const opened = await open(request, one);
  const item = opened.items[0];
  const taking = request.query.get('to') ?? (refusal ? request.form.text('value') : null);
  const noted = takesNote(field, opened) ? { unit: String(item.fields.unit ?? ''), note: request.form.raw('note') } : undefined;
  const taken = refusal && noted && request.form.text('value');
  const query = `back=${encodeURIComponent(back)}`;
  const menu = { field, action, back, at: opened.workspace.at, chosen: opened, names: oneName(item), query, noted, taken };
  return {
    title: `${labelOfChange(field)} of ${item.title}`,
    status: refusal?.status ?? 200,
    sheets: field === 'current' ? ['measure'] : [],
    crumbs: html`<a href="${opened.workspace.at}?type=${item.type}">${opened.workspace.name}</a>`,
    body: html`<p>${itemLink(opened.workspace.at, item)}</p>
${refusal && notice('error', refusal.problem)}
${menuPanel(request, menu, opened.telling.clock, taking)}
<p class="actions">${linkButton(request.basePath + back, 'Go back')}</p>`,
  };
}

async function change(request: PageRequest): Promise<Answer> {
  const one = readRequest(request);
  const { form, params } = request;
  const workspaceId = Number(params.id);
  const version = form.number('version');
  const note = one.field === 'current' ? form.raw('note').trim() : '';
  const item = { id: one.id, version, ...changeOf(one.field, sentValue(one.field, form), form.text('reason')), ...(note && { note }) };
  const save = async (): Promise<Answer> => {
    if (note.includes('@')) await call(request, checkMentions, { workspaceId, id: one.id, body: note });
    const { items } = await call(request, updateItems, { workspaceId, items: [item] });
    return changedAnswer(one.back, workspaceId, [item], items, note ? 'commented' : 'nothing');
  };
  return orAgain(save, {
    labels: formLabels,
    again: (refusal) => (isConflict(refusal.error) ? conflicting(request, one, refusal.error) : show(request, refusal)),
  });
}

async function conflicting(request: PageRequest, one: One, error: Parameters<typeof conflictPage>[1]['error']): Promise<Answer> {
  const { field, action, back, id } = one;
  const { form } = request;
  const opened = await open(request, one, true);
  const item = opened.items[0];
  const value = sentValue(field, form);
  const note = form.raw('note').trim();
  // Sent twice, or both users chose the same. A comment must not be lost.
  if (storedValue(item, field) === value && note === '') return { redirect: back, notice: 'saved' };
  return conflictPage(request, {
    ...{ opened, error, action, back, title: 'Changed since you opened it' },
    sent: [{ id, version: form.number('version') ?? 0 }],
    now: () => valueText(field, storedValue(item, field), opened.telling, item),
    chosen: `${valueText(field, value, opened.telling, item)}${note && `, with the comment “${note}”`}`,
    names: (items) => html`${items.map(oneName)}<input type="hidden" name="value" value="${value}">
${form.has('reason') && html`<input type="hidden" name="reason" value="${form.text('reason')}">`}${note && html`<textarea name="note" hidden>${note}</textarea>`}`,
  });
}

export const changeRoutes: PageRoute[] = [
  { method: 'GET', path: '/workspaces/:id/items/:itemId/change/:field', handle: (request) => show(request) },
  { method: 'POST', path: '/workspaces/:id/items/:itemId/change/:field', handle: change },
];
