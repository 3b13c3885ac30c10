/** /workspaces/:id?view=board (behaviour §23.7). Each card has a menu with the same moves as dragging; both send the same form
 *  (items/change). */
import { showBoard, type WorkBoard } from '../../overviews/workList/showBoard.ts';
import { type Clock, clockOf } from '../frame/clock.ts';
import { board } from '../frame/components/board.ts';
import { notice } from '../frame/components/boxes.ts';
import { type Html, html } from '../frame/html.ts';
import type { Page } from '../frame/layout.ts';
import type { PageRequest } from '../frame/page.ts';
import { type FormContext, type PostForm, postForm } from '../frame/postForm.ts';
import { call } from '../frame/session.ts';
import { typesLabel } from '../items/fields.ts';
import { boardGroup, fieldOf, fullIn, unfoldedIn } from './boardAddress.ts';
import { boardColumn } from './boardColumn.ts';
import { columnsOfBoard } from './boardColumns.ts';
import { bulkForm, type ListPage, mayChange } from './list.ts';
import { type ListAddress, listInput } from './listAddress.ts';

/** An invisible form that a script fills in after dragging. Without script a menu does the same. */
export const dropForm = (context: FormContext, form: Pick<PostForm, 'action' | 'hidden' | 'live'>): Html =>
  postForm(context, { ...form, class: 'drop-form', data: { drop: true } }, html`<button hidden>Move</button>`);

/** The script replaces the action with the URL of the dropped item (items/change). */
export const itemDropForm = ({ request, workspace, change }: Pick<ListPage, 'request' | 'workspace' | 'change'>): Html =>
  dropForm(request, { action: `${workspace.path}/bulk`, hidden: { back: change.back, version: '', value: '' }, live: '#work' });

export function readBoardOf(request: PageRequest, asked: ListAddress, clock: Clock = clockOf(request)): Promise<WorkBoard> {
  const { after: _after, limit: _limit, ...input } = listInput(Number(request.params.id), asked, clock.today);
  const group = boardGroup(asked);
  const status = group === 'status' && asked.status.length === 0 ? ['all'] : asked.status;
  const columns = { unfolded: unfoldedIn(request.query), full: fullIn(request.query) };
  return call(request, showBoard, { ...input, status, group, archived: false, ...columns });
}

export const unfoldedGroups = (page: ListPage & { found: WorkBoard }): Pick<WorkBoard, 'groups'> => ({
  groups: columnsOfBoard(page, unfoldedIn(page.request.query))
    .filter(({ folded }) => !folded)
    .map(({ counted }) => counted),
});

export function boardBody(page: ListPage & { found: WorkBoard }): Pick<Page, 'body' | 'scripts'> {
  const { request, workspace, found } = page;
  const columns = columnsOfBoard(page, unfoldedIn(request.query));
  const may = mayChange(page);
  return {
    scripts: may ? ['board', 'touch'] : [],
    body: html`<div id="work" class="on-board">${page.address.archived && notice('info', 'Archived items are shown only in the list.')}
${may && html`<p class="vh" id="board-how">With a card in focus, press Space to pick it up. Left and Right choose a column, Space drops it, Escape cancels.</p>`}
${board(
  `${typesLabel(found.type)} by ${found.order.group}`,
  columns.map((column) => boardColumn(page, column)),
  may &&
    html` data-board="${workspace.at}" data-field="${fieldOf[boardGroup({ group: found.order.group })]}" data-arrows aria-describedby="board-how"`,
)}
${bulkForm(page)}</div>
${may && itemDropForm(page)}<p class="vh" id="board-said" role="status" aria-live="assertive"></p>`,
  };
}
