/** /workspaces/:id/dependents: moves the items that would start before a changed item ends, all or none (behaviour §33.18). */
import { type DependentMove, MOST_MOVED, type PlannedMoves, planDependentMoves } from '../../../items/planDependentMoves.ts';
import { updateItems } from '../../../items/updateItems.ts';
import { type Clock, clockOf } from '../../frame/clock.ts';
import { notice } from '../../frame/components/boxes.ts';
import { button, linkButton } from '../../frame/components/button.ts';
import { menuTitle } from '../../frame/components/palette.ts';
import { type Content, html } from '../../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../../frame/page.ts';
import { postForm } from '../../frame/postForm.ts';
import { call } from '../../frame/session.ts';
import { backTo, orAgain } from '../../frame/submitted.ts';
import { quantity } from '../../frame/widgets.ts';
import { formLabels } from '../form.ts';
import { isConflict } from './conflict.ts';
import { changedAnswer } from './open.ts';
import { spanValue, spanWords } from './spans.ts';

const TITLE = 'Move dependent items';
const OUTDATED = 'Items have changed since you opened this. Check the dates, then move the items.';

interface Asked {
  workspaceId: number;
  /** The changed items. */
  ids: number[];
  back: string;
}

function readRequest(request: PageRequest): Asked {
  const { ctx, params, query, form } = request;
  const given = ctx.method === 'POST' ? form.all('ids') : query.getAll('ids');
  const back = backTo(form.text('back') || query.get('back'), request, `/workspaces/${params.id}`);
  return { workspaceId: Number(params.id), ids: [...new Set(given.map(Number))], back };
}

/** A move as the form shows it. */
const shownAs = ({ id, version, after }: DependentMove): string => `${id}.${version}.${spanValue(after.start, after.end)}`;

async function show(request: PageRequest, problem?: string, status: 200 | 400 | 409 = 200): Promise<Answer> {
  const asked = readRequest(request);
  const { workspaceId, ids, back } = asked;
  const planned = await call(request, planDependentMoves, { workspaceId, ids });
  return {
    title: TITLE,
    status,
    body: html`${problem && notice('error', problem)}${panel(request, asked, planned)}
<p class="actions">${linkButton(request.basePath + back, 'Go back')}</p>`,
  };
}

function panel(request: PageRequest, { workspaceId, ids, back }: Asked, { moves, held, more }: PlannedMoves): Content {
  const clock = clockOf(request);
  const at = `${request.basePath}/workspaces/${workspaceId}/items`;
  const link = ({ id, title }: { id: number; title: string }) => html`<a href="${at}/${id}" dir="auto">#${id} ${title}</a>`;
  const hidden = { back };
  const form = postForm(
    request,
    { action: `/workspaces/${workspaceId}/dependents`, hidden, live: '#work', autocomplete: 'off' },
    ids.map((id) => html`<input type="hidden" name="ids" value="${id}">`),
    html`<ul class="moves">${moves.map((move) => html`<li>${link(move)}<span class="meta">${movedWords(move, clock)}</span><input type="hidden" name="moves" value="${shownAs(move)}"></li>`)}</ul>
<p class="typed">${button(`Move ${quantity(moves.length, 'item')}`, { kind: 'primary', small: true })}</p>`,
  );
  return html`<section id="change" class="change" aria-label="${TITLE}">${menuTitle(TITLE)}
${
  moves.length > 0
    ? html`<p class="hint">These items start before their blockers allow. They keep their number of working days.</p>${more && html`<p class="hint">Only the first ${MOST_MOVED} items are moved.</p>`}${form}`
    : html`<p class="hint">No dependent item has to move.</p>`
}${held.length > 0 && html`<p class="hint">These items start too early, but cannot move:</p><ul class="moves">${held.map((one) => html`<li>${link(one)}</li>`)}</ul>`}</section>`;
}

const movedWords = ({ before, after }: DependentMove, clock: Clock): string =>
  [before, after].map(({ start, end }) => spanWords(spanValue(start, end), clock)).join(' → ');

/** Moves the items as shown. If the plan has changed since, shows it again. */
async function move(request: PageRequest): Promise<Answer> {
  const { workspaceId, ids, back } = readRequest(request);
  const { moves } = await call(request, planDependentMoves, { workspaceId, ids });
  const shown = new Set(request.form.all('moves'));
  if (moves.length !== shown.size || moves.some((one) => !shown.has(shownAs(one)))) return show(request, OUTDATED, 409);
  if (moves.length === 0) return { redirect: back, notice: 'nothing' };
  const save = async (): Promise<Answer> => {
    const items = moves.map(({ id, version, fields }) => ({ id, version, fields }));
    const { items: saved } = await call(request, updateItems, { workspaceId, items });
    return changedAnswer(back, workspaceId, items, saved);
  };
  return orAgain(save, {
    labels: formLabels,
    again: ({ error, problem, status }) => show(request, isConflict(error) ? OUTDATED : problem, status),
  });
}

export const dependentRoutes: PageRoute[] = [
  { method: 'GET', path: '/workspaces/:id/dependents', handle: (request) => show(request) },
  { method: 'POST', path: '/workspaces/:id/dependents', handle: move },
];
