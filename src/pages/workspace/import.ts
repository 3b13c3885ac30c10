/** /workspaces/:id/settings/import: upload another service's file, and the imports so far (behaviour §36.20). */
import { type ImportLine, listImports, uploadImport } from '../../import/runs/imports.ts';
import { MOST_FILE_BYTES } from '../../import/runs/schema.ts';
import { InvalidRequest } from '../../values/errors.ts';
import { card } from '../frame/components/boxes.ts';
import { button } from '../frame/components/button.ts';
import { table } from '../frame/components/row.ts';
import { moment } from '../frame/components/when.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { call } from '../frame/session.ts';
import { orAgain } from '../frame/submitted.ts';
import { quantity } from '../frame/widgets.ts';
import { importRunRoutes } from './importRun.ts';
import { formatNames, importPath, stateNames } from './importWords.ts';
import { type Refused, type SettingsData, settingsPage } from './settingsData.ts';

async function show(request: PageRequest, refused?: Refused): Promise<Answer> {
  const imports = await call(request, listImports, { workspaceId: Number(request.params.id) });
  return settingsPage(
    request,
    'import',
    (data) => html`${uploadCard(request, data)}${imports.length > 0 && listCard(request, data, imports)}`,
    refused,
  );
}

function uploadCard(request: PageRequest, data: SettingsData): Content {
  const action = `${importPath(request)}/upload`;
  const fields = data.forms(action);
  const form = postForm(
    request,
    { action, multipart: true, once: true },
    fields.field(
      'file',
      (mark) => html`<input type="file" name="file" required accept=".csv,.json,.txt,.tsv"${mark}>`,
      `Choose or drag a file: CSV from Jira, Linear, Asana or a spreadsheet, or JSON from Trello, GitHub or Stint. Up to ${MOST_FILE_BYTES / 1024 / 1024} MiB.`,
    ),
    button('Upload', { kind: 'primary' }),
  );
  const hint = html`<p class="hint">You see a preview before anything is imported. No one is notified of imported items.</p>`;
  return card('Import from another service', html`${data.problem('upload')}${hint}${form}`, { id: 'upload' });
}

function listCard(request: PageRequest, { clock }: SettingsData, imports: readonly ImportLine[]): Content {
  const columns = [
    { label: 'File' },
    { label: 'From' },
    { label: 'Status' },
    { label: 'Items', number: true },
    { label: 'By' },
    { label: 'Uploaded' },
  ];
  const rows = imports.map(({ id, fileName, source, state, created, updated, person, createdAt }) => [
    html`<a href="${request.basePath}${importPath(request)}/${id}" dir="auto">${fileName}</a>`,
    formatNames[source],
    stateNames[state],
    created + updated > 0 && (created + updated).toLocaleString('en'),
    person,
    moment(createdAt, clock),
  ]);
  return card('Imports', table({ caption: 'Imports', columns }, rows), { id: 'imports', meta: quantity(imports.length, 'import') });
}

const upload = (request: PageRequest): Promise<Answer> =>
  orAgain(
    async () => {
      const { deps, caller, form, params } = request;
      const { incoming } = form;
      if (!incoming) throw new InvalidRequest(['file'], 'choose a file.');
      const importId = await uploadImport(deps.db, caller, {
        ...{ workspaceId: Number(params.id), fileName: incoming.name, source: incoming.bytes },
        quotaBytes: deps.config.filesQuotaBytes,
      });
      return { redirect: `${importPath(request)}/${importId}` };
    },
    { labels: { file: 'File' }, again: (refusal) => show(request, { refusal, card: 'upload' }) },
  );

const path = '/workspaces/:id/settings/import';

export const importRoutes: PageRoute[] = [
  { method: 'GET', path, handle: (request) => show(request) },
  { method: 'POST', path: `${path}/upload`, uploads: true, handle: upload },
  ...importRunRoutes,
];
