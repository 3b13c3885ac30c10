/** /workspaces/:id/settings/import/:importId: the preview, progress and result of an import (behaviour §36.20–§36.27). */
import {
  cancelImport,
  chooseImport,
  getImport,
  type ImportDetails,
  importProblems,
  resumeImport,
  startImport,
  undoImport,
} from '../../import/runs/imports.ts';
import type { Write } from '../../operations/operation.ts';
import { csvLine } from '../../values/csv.ts';
import { card, notice } from '../frame/components/boxes.ts';
import { button } from '../frame/components/button.ts';
import { progressBar } from '../frame/components/marks.ts';
import { table } from '../frame/components/row.ts';
import { moment } from '../frame/components/when.ts';
import type { Form } from '../frame/forms.ts';
import { type Content, html } from '../frame/html.ts';
import { fetchPart } from '../frame/live.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { call } from '../frame/session.ts';
import { submitted } from '../frame/submitted.ts';
import { quantity } from '../frame/widgets.ts';
import { choiceLabels, choicesCard, mapOf } from './importChoices.ts';
import { previewCard, reportCard } from './importReport.ts';
import { formatNames, idsOf, importPath, onePath, sendsMail, stateNames, timeLeft } from './importWords.ts';
import { type Refused, type SettingsData, settingsPage } from './settingsData.ts';

async function showImport(request: PageRequest, refused?: Refused): Promise<Answer> {
  const found = await call(request, getImport, idsOf(request));
  return settingsPage(request, 'import', (data) => html`<div id="import" class="settings">${bodyOf(request, data, found)}</div>`, refused);
}

function bodyOf(request: PageRequest, data: SettingsData, found: ImportDetails): Content {
  const draft = ['reading', 'ready', 'unreadable'].includes(found.state);
  const { report } = found;
  return html`${headCard(request, data, found)}${
    draft
      ? html`${found.state !== 'unreadable' && previewCard(data, found)}${report && reportCard(report)}${choicesCard(request, data, found)}`
      : html`${!['running', 'undoing'].includes(found.state) && outcomeCard(request, found)}${report && reportCard(report)}`
  }`;
}

function headCard(request: PageRequest, data: SettingsData, found: ImportDetails): Content {
  const { fileName, source, person, createdAt, problem, state } = found;
  const { clock } = data;
  const about = html`<p class="meta">${formatNames[source]} · uploaded by ${person}, ${moment(createdAt, clock)} · <a href="${request.basePath}${importPath(request)}">All imports</a></p>`;
  const body = html`${about}${data.problem('head')}${problem && notice(state === 'unreadable' ? 'error' : 'warning', problem)}${linksToCreate(request, found)}${waiting(request, found)}<div class="actions">${actionsOf(request, found)}</div>`;
  return card(html`<span dir="auto">${fileName}</span>`, body, { id: 'summary', meta: stateNames[state] });
}

/** Without mails, invited people get no link by themselves. */
const linksToCreate = (request: PageRequest, { startedAt, report }: ImportDetails): Content =>
  startedAt !== null &&
  !sendsMail(request) &&
  report?.people.entries.some(({ as }) => as === 'invited') &&
  notice(
    'info',
    html`Emails are not set up. <a href="${request.basePath}/settings/people">Create links</a> for the people that this import added.`,
  );

/** While a worker is busy, the page fetches itself. Without script, the link does. */
function waiting(request: PageRequest, { state, staged, total, done, secondsLeft }: ImportDetails): Content {
  if (!['reading', 'running', 'undoing'].includes(state)) return null;
  const at = `${request.basePath}${onePath(request)}`;
  const sums = { done, inProgress: 0, total: total ?? 0 };
  const words = [progressWords(state, staged, done, total), staged === null ? timeLeft(secondsLeft) : null].filter(Boolean).join(', ');
  const bar = state !== 'reading' && staged === null && total !== null && progressBar(sums, `${done} of ${total} rows`);
  return html`<div class="wait" role="status" hx-get="${at}" hx-trigger="every 1s"${fetchPart('#import', 'outerMorph')}>${bar}<p>${words}. <a href="${at}">Refresh</a></p></div>`;
}

function progressWords(state: ImportDetails['state'], staged: number | null, done: number, total: number | null): string {
  if (state === 'reading') return 'Reading the file';
  if (staged !== null) return `Reading the file: ${quantity(staged, 'row')}`;
  return `${done.toLocaleString('en')} of ${quantity(total ?? 0, 'row')} ${state === 'undoing' ? 'checked' : 'written'}`;
}

function actionsOf(request: PageRequest, found: ImportDetails): Content {
  const at = onePath(request);
  const action = (name: string, label: string, kind?: 'primary' | 'danger', confirm?: string) =>
    postForm(
      request,
      { action: `${at}/${name}`, live: '#import', class: 'plain', ...(confirm && { confirm }) },
      button(label, kind ? { kind } : {}),
    );
  const items = quantity(found.report?.issues ?? found.total ?? 0, 'item');
  switch (found.state) {
    case 'ready':
      return html`${(found.report?.issues ?? 0) > 0 && action('start', `Import ${items}`, 'primary')}${action('cancel', 'Discard')}`;
    case 'reading':
    case 'unreadable':
      return action('cancel', 'Discard');
    case 'running':
      return action('cancel', 'Cancel');
    case 'stopped':
      return html`${action('resume', 'Resume', 'primary')}${undoButton(found, action)}`;
    default:
      return undoButton(found, action);
  }
}

const undoButton = (
  { undoable, created }: ImportDetails,
  action: (name: string, label: string, kind: 'danger', confirm: string) => Content,
): Content =>
  undoable &&
  created > 0 &&
  action(
    'undo',
    'Undo import',
    'danger',
    `Archive the ${quantity(created, 'item')} that this import created? Items that were changed, commented or have time since are kept.`,
  );

const SHOWN = 50;

function outcomeCard(request: PageRequest, found: ImportDetails): Content {
  const { created, updated, unchanged, comments, refused, problems, firstProblems } = found;
  const counts = [
    `${quantity(created, 'item')} created`,
    updated > 0 && `${updated.toLocaleString('en')} updated`,
    unchanged > 0 && `${unchanged.toLocaleString('en')} unchanged`,
    `${quantity(comments, 'comment')} added`,
    refused > 0 && `${quantity(refused, 'row')} refused`,
  ].filter(Boolean);
  const columns = [{ label: 'Line' }, { label: 'Key' }, { label: 'Problem' }];
  const list =
    problems > 0 &&
    html`<h3>Rows to check</h3>${table(
      { caption: 'Rows to check', columns },
      firstProblems
        .slice(0, SHOWN)
        .map(({ line, key, title, problem, refused: not }) => [
          line?.toLocaleString('en') ?? '–',
          key ?? title ?? '–',
          html`${not && 'Refused: '}${problem}`,
        ]),
    )}<p><a href="${request.basePath}${onePath(request)}/problems.csv" download>Download ${problems > SHOWN ? `all ${quantity(problems, 'row')}` : 'these rows'} as CSV</a></p>`;
  const link = html`<p><a href="${request.basePath}/workspaces/${request.params.id}">Open the workspace</a></p>`;
  return card('Result', html`<p>${counts.join(', ')}.</p>${link}${list}`, { id: 'result' });
}

async function* problemLines(request: PageRequest): AsyncGenerator<string> {
  yield csvLine(['Line', 'Key', 'Title', 'Refused', 'Problem']);
  for (let after: number | undefined; ; ) {
    const rows = await call(request, importProblems, { ...idsOf(request), after });
    for (const { line, key, title, refused, problem } of rows) yield csvLine([line, key, title, refused ? 'yes' : 'no', problem]);
    const last = rows.at(-1);
    if (!last) return;
    after = last.n;
  }
}

async function problemsFile(request: PageRequest): Promise<Answer> {
  // Throws before the answer begins.
  await call(request, getImport, idsOf(request));
  return { lines: problemLines(request), type: 'text/csv; charset=utf-8', name: `import-${request.params.importId}.csv` };
}

const path = '/workspaces/:id/settings/import/:importId';

const acting = <Input, Output>(name: string, operation: Write<Input, Output>, input: (request: PageRequest) => Input): PageRoute => ({
  method: 'POST',
  path: `${path}/${name}`,
  handle: (request) =>
    submitted(request, operation, () => input(request), {
      labels: choiceLabels,
      done: () => ({ redirect: onePath(request) }),
      again: (refusal) => showImport(request, { refusal, card: 'head' }),
    }),
});

const chosenIn = (request: PageRequest) => async (form: Form) => {
  const found = await call(request, getImport, idsOf(request));
  return { ...idsOf(request), format: form.text('format'), map: mapOf(form, found) };
};

const choosing: PageRoute = {
  method: 'POST',
  path: `${path}/choices`,
  handle: (request) =>
    submitted(request, chooseImport, chosenIn(request), {
      labels: choiceLabels,
      done: () => ({ redirect: onePath(request) }),
      again: (refusal) => showImport(request, { refusal, card: 'choices' }),
    }),
};

const cancelling: PageRoute = {
  method: 'POST',
  path: `${path}/cancel`,
  handle: (request) =>
    submitted(request, cancelImport, () => idsOf(request), {
      done: ({ kept }) => (kept ? { redirect: onePath(request) } : { redirect: importPath(request), notice: 'removed' }),
      again: (refusal) => showImport(request, { refusal, card: 'head' }),
    }),
};

export const importRunRoutes: PageRoute[] = [
  { method: 'GET', path, handle: (request) => showImport(request) },
  { method: 'GET', path: `${path}/problems.csv`, bare: true, handle: problemsFile },
  acting('start', startImport, (request) => ({ ...idsOf(request), mailed: sendsMail(request) })),
  acting('resume', resumeImport, idsOf),
  acting('undo', undoImport, idsOf),
  cancelling,
  choosing,
];
