/** /workspaces/:id/move: previews what a move of items to another workspace changes, and confirms it (behaviour §42). */
import { bits, holds, resourceOf } from '../../access/rights.ts';
import { type MovePreview, moveItems, moveTargets, previewMove } from '../../moves/moveItems.ts';
import type { Line, Lines } from '../../moves/plan.ts';
import { MOST_ROOTS } from '../../moves/schema.ts';
import { elementAt } from '../../values/records.ts';
import { notice } from '../frame/components/boxes.ts';
import { button, linkButton } from '../frame/components/button.ts';
import { menuTitle } from '../frame/components/palette.ts';
import { pickSelect } from '../frame/components/picker.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { call } from '../frame/session.ts';
import { backTo, type Refusal, submitted } from '../frame/submitted.ts';
import { undoOf } from '../frame/toast.ts';
import { problemBox, quantity } from '../frame/widgets.ts';
import { type Opened, openChosen } from './change/open.ts';
import { nounOf } from './fields.ts';
import { crumbsTo, crumbsToItem } from './head.ts';

interface Asked {
  workspaceId: number;
  ids: number[];
  targetId: number | null;
  below: boolean;
  back: string;
}

/** The bulk bar adds versions to the ids. They are not used: the preview reads the items again. */
function askedIn({ ctx, params, query, form, basePath }: PageRequest): Asked {
  const sent = ctx.method === 'POST';
  const marks = sent ? form.all('ids') : query.getAll('ids');
  const ids = [...new Set(marks.flatMap((mark) => Number(/^([1-9]\d{0,14})(?:\.\d{1,9})?$/.exec(mark)?.[1] ?? 0) || []))];
  const targetId = Number(sent ? form.text('to') : query.get('to')) || null;
  const back = backTo(sent ? form.text('back') : query.get('back'), { basePath }, `/workspaces/${params.id}`);
  return { workspaceId: Number(params.id), ids, targetId, below: sent ? form.has('below') : query.get('below') !== 'no', back };
}

/** The form that chooses the workspace. It leads to the preview. */
async function targetForm(request: PageRequest, { workspace, items }: Opened, asked: Omit<Asked, 'workspaceId' | 'ids'>): Promise<Content> {
  const needed = items.reduce((all, { type }) => all | bits(resourceOf(type), 'write'), 0);
  const places = await call(request, moveTargets, {});
  const fitting = places.filter(({ id, rights }) => id !== workspace.id && holds(rights, needed));
  if (fitting.length === 0) return html`<p class="hint">There is no other workspace in which you can add such items.</p>`;
  const options = fitting.map(({ id, name }) => ({ value: String(id), label: name }));
  return html`<form method="get" action="${workspace.at}/move">${items.map(({ id }) => html`<input type="hidden" name="ids" value="${id}">`)}<input type="hidden" name="back" value="${asked.back}">
<label><span class="flabel">Workspace</span>${pickSelect({ name: 'to', options, chosen: String(asked.targetId ?? '') })}</label>
<label><span class="flabel">Items below</span><select name="below"><option value="yes">Move them too</option><option value="no"${!asked.below && html` selected`}>Leave them here</option></select></label>
<div class="actions">${button('Show what changes', { kind: asked.targetId === null ? 'primary' : undefined })}</div></form>`;
}

export async function showMove(request: PageRequest, refusal?: Refusal): Promise<Answer> {
  const asked = askedIn(request);
  if (asked.ids.length === 0 || asked.ids.length > MOST_ROOTS) return unfit(request, asked);
  const opened = await openChosen(request, asked.ids, { level: 'delete' });
  const { items, workspace } = opened;
  const given = { ...asked, ids: items.map(({ id }) => id) };
  const { workspaceId, ids, below, targetId } = given;
  const preview = targetId === null ? null : await call(request, previewMove, { workspaceId, ids, below, targetId });
  const [first, ...others] = items;
  return {
    title: `Move ${others.length ? quantity(items.length, 'item') : `${first.type} ${first.id}`} to another workspace`,
    status: refusal?.status ?? 200,
    ...(others.length === 0 && { itemType: first.type }),
    crumbs: others.length ? crumbsTo(workspace, first.type) : crumbsToItem(workspace, first),
    body: html`<div class="move">${problemBox(refusal?.problem)}<section id="change" class="change">${menuTitle('Move to another workspace')}${await targetForm(request, opened, given)}</section>
${preview && previewPart(request, opened, given, preview)}</div>`,
  };
}

const unfit = ({ basePath }: PageRequest, { ids, back }: Asked): Answer => ({
  title: 'Move to another workspace',
  status: 400,
  body: html`${notice('error', ids.length === 0 ? 'No items are selected. Select the items to move first.' : `${ids.length} items are selected. Select at most ${MOST_ROOTS} at a time.`)}<p class="actions">${linkButton(basePath + back, 'Go back')}</p>`,
});

function previewPart(request: PageRequest, opened: Opened, asked: Asked, preview: MovePreview): Content {
  const { target, stays, changes, people, refusals } = preview;
  const linesOf = (title: string, { first, count }: Lines) =>
    count > 0 &&
    html`<h3>${title}</h3><ul>${[...Map.groupBy(first, ({ itemId }) => itemId).values()].map((lines) => itemLines(opened, preview, lines))}${count > first.length && html`<li>And ${quantity(count - first.length, 'more line', 'more lines')}.</li>`}</ul>`;
  const peopleLines = people.length > 0 && html`<h3>People</h3><ul>${people.map((line) => html`<li>${line}</li>`)}</ul>`;
  const nothing = stays.count + changes.count + people.length === 0 && html`<p>Nothing stays behind or changes.</p>`;
  return html`<section aria-labelledby="preview"><h2 id="preview">Move to ${target}</h2>
${refusals.map((problem) => notice('error', problem))}${linesOf('Stays behind', stays)}${linesOf('Changes', changes)}${peopleLines}
${refusals.length === 0 ? html`${nothing}${confirmForm(request, opened, asked, preview)}` : html`<p class="actions">${cancel(request, asked)}</p>`}</section>`;
}

/** Names the item only if several move. Otherwise the title of the page does. */
function itemLines({ workspace }: Opened, { count }: MovePreview, lines: readonly Line[]): Content {
  const { itemId, title } = elementAt(lines, 0);
  return html`<li>${count > 1 && html`<a href="${workspace.at}/items/${itemId}">#${itemId} <bdi>${title}</bdi></a><br>`}${lines.map(({ text }, place) => html`${place > 0 && html`<br>`}${text}`)}</li>`;
}

const cancel = ({ basePath }: PageRequest, { back }: Asked): Content => linkButton(basePath + back, 'Cancel');

function confirmForm(request: PageRequest, { workspace, items }: Opened, asked: Asked, { count, archived, seen }: MovePreview): Content {
  const hidden = { to: asked.targetId, back: asked.back, seen, below: asked.below ? 'on' : null };
  const also = archived > 0 && `, and so ${archived === 1 ? 'does 1 archived item' : `do ${archived} archived items`}`;
  return postForm(
    request,
    { action: `${workspace.path}/move`, once: true, hidden },
    items.map(({ id }) => html`<input type="hidden" name="ids" value="${id}">`),
    html`<p class="hint">Comments, files, time, history and links among these items move too${also}. Item numbers do not change.</p>
<p class="hint">You can move the items back, but what stays behind is not restored.</p>
<div class="actions">${button(`Move ${quantity(count, movedNoun(items, count))}`, { kind: 'primary' })}${cancel(request, asked)}</div>`,
  );
}

/** The items below may have other types. */
const movedNoun = (items: Opened['items'], count: number): string => (count === items.length ? nounOf(items) : 'item');

const move = (request: PageRequest): Promise<Answer> => {
  const { workspaceId, ids, below, back } = askedIn(request);
  const targetId = request.form.id('to');
  return submitted(request, moveItems, (form) => ({ workspaceId, ids, targetId, below, seen: form.text('seen') }), {
    labels: { ids: 'Items', targetId: 'Workspace' },
    done: ({ id, version }) => ({
      redirect: ids.length === 1 ? `/workspaces/${targetId}/items/${id}` : back,
      undo: undoOf.items({ workspaceId: targetId, itemId: id, version }),
      notice: 'moved',
    }),
    again: (refusal) => showMove(request, refusal),
  });
};

export const moveRoutes: PageRoute[] = [
  { method: 'GET', path: '/workspaces/:id/move', handle: (request) => showMove(request) },
  { method: 'POST', path: '/workspaces/:id/move', handle: move },
];
