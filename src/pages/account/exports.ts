/** The card for exports on /settings/account, and their downloads (behaviour §41). */
import { type DataExport, deleteExport, type Exports, exportBytes, KEPT_DAYS, openExport, startExport } from '../../import/zip/exports.ts';
import { clockOf } from '../frame/clock.ts';
import { card } from '../frame/components/boxes.ts';
import { button, linkButton } from '../frame/components/button.ts';
import { table } from '../frame/components/row.ts';
import { ago } from '../frame/components/when.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { call } from '../frame/session.ts';
import { handlersOn, type Refusal } from '../frame/submitted.ts';
import { problemBox, quantity, sizeWords } from '../frame/widgets.ts';

const PATH = '/settings/account/exports';
const BACK = '/settings/account#export';

function stateOf({ state, reason, size }: DataExport): string {
  if (state === 'making') return 'In progress. Reload this page to see if it is ready.';
  if (state === 'ready') return size === null ? 'Ready' : `Ready, ${sizeWords(size)}`;
  if (reason === 'room')
    return 'The export failed, because the files and exports of this account take too much room. Delete files or exports, then start a new one.';
  if (reason === 'stopped')
    return 'The export failed, because the server stopped several times while it made it. Start a new one, or ask your operator.';
  return 'The export failed, because you lost access to one of its workspaces. Start a new one.';
}

export function exportCard(request: PageRequest, { workspaces, made }: Exports, refusal?: Refusal): Content {
  const columns = [{ label: 'Started' }, { label: 'Contents' }, { label: 'State' }, { label: 'Actions', quiet: true }];
  const rows = made.map((one) => [
    ago(one.createdAt, clockOf(request)),
    quantity(one.workspaces, 'workspace'),
    stateOf(one),
    html`${one.state === 'ready' && linkButton(`${request.basePath}${PATH}/${one.id}`, 'Download', { small: true, icon: 'download', attributes: html` download hx-boost="false"` })}${postForm(request, { action: `${PATH}/${one.id}/delete`, class: 'plain' }, button('Delete', { small: true }))}`,
  ]);
  const body = html`${problemBox(refusal?.problem)}<p class="hint">The zip file has all items and files of ${quantity(workspaces.length, 'workspace')}, as CSV and as a file to import. Items that you cannot see are left out.</p>
${rows.length > 0 && table({ caption: 'Exports', columns }, rows)}
${postForm(request, { action: PATH, once: true, class: 'plain' }, button('Start export', { icon: 'download' }))}
<p class="hint">We email you when it is ready. It is deleted after ${KEPT_DAYS} days, or when you start the next one.</p>`;
  return card('Export data', body, { id: 'export' });
}

export function exportRoutes(show: (request: PageRequest, refusal: Refusal) => Promise<Answer>): PageRoute[] {
  const form = handlersOn(show);
  return [
    { method: 'POST', path: PATH, handle: form(startExport, () => ({}), { redirect: BACK, notice: 'exportStarted' }) },
    { method: 'GET', path: `${PATH}/:exportId`, bare: true, handle: download },
    {
      method: 'POST',
      path: `${PATH}/:exportId/delete`,
      handle: form(deleteExport, (_, request) => idOf(request), { redirect: BACK, notice: 'deleted' }),
    },
  ];
}

const idOf = ({ params }: PageRequest) => ({ id: Number(params.exportId) });

async function download(request: PageRequest): Promise<Answer> {
  const { deps, caller } = request;
  const { id } = idOf(request);
  const found = await call(request, openExport, { id });
  return {
    stored: {
      name: `stint-${found.createdAt.slice(0, 10)}.zip`,
      type: 'application/zip',
      size: found.size,
      tag: `export-${id}`,
      inline: false,
      read: (range) => exportBytes(deps.db, caller, id, found, range),
    },
  };
}
