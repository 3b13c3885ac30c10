/** /settings/audit: the account's audit log, for owners and administrators (behaviour §17.3). */

import { type AuditRow, listAudit, noteAuditFile, readAuditFile } from '../../accounts/audit.ts';
import type { AuditFilter } from '../../accounts/auditFilter.ts';
import { auditKindNames, auditKinds } from '../../audit/kinds.ts';
import { csvLine } from '../../values/csv.ts';
import { isDate } from '../../values/dates.ts';
import { ownValue } from '../../values/records.ts';
import { type Clock, clockOf } from '../frame/clock.ts';
import { personChoice, pickSelect } from '../frame/components/picker.ts';
import { moment } from '../frame/components/when.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { call } from '../frame/session.ts';
import { idIn, option } from '../frame/widgets.ts';

const PATH = '/settings/audit';

type Asked = (name: string) => string | null;

const dateOf = (text: string | null) => (text && isDate(text) ? text : null);

/** Invalid filters are ignored. */
function filterOf(asked: Asked): AuditFilter {
  return {
    kind: auditKindNames.find((kind) => kind === asked('kind')) ?? null,
    userId: idIn(asked('person')),
    from: dateOf(asked('from')),
    to: dateOf(asked('to')),
    before: idIn(asked('before')),
  };
}

const namesOf = ({ kind, userId, from, to }: AuditFilter) => ({
  kind: kind ?? '',
  person: String(userId ?? ''),
  from: from ?? '',
  to: to ?? '',
});

async function show(request: PageRequest): Promise<Answer> {
  const { query, basePath } = request;
  const filter = filterOf((name) => query.get(name));
  const { people, rows, more } = await call(request, listAudit, filter);
  const at = basePath + PATH;
  const chosen = namesOf(filter);
  const older = new URLSearchParams({ ...chosen, before: String(rows.at(-1)?.id ?? '') });
  return {
    title: 'Audit',
    body: html`
<form method="get" action="${at}" class="filters" hx-get="${at}" hx-trigger="change" hx-target="#audit" hx-select="#audit" hx-swap="outerHTML" hx-push-url="true">
<label>What <select name="kind"><option value="">all</option>${auditKindNames.map((kind) => option(kind, auditKinds[kind], chosen.kind))}</select></label>
<label>Person ${pickSelect({ name: 'person', options: [{ value: '', label: 'all' }, ...people.map(({ id, name }) => personChoice(id, name))], chosen: chosen.person })}</label>
<label>From <input type="date" name="from" value="${chosen.from}"></label>
<label>To <input type="date" name="to" value="${chosen.to}"></label>
<button class="secondary">Filter</button>
</form>
<div id="audit">${table(rows, clockOf(request))}
<div class="actions">${more && html`<a href="${at}?${older.toString()}">Older</a>`}
${postForm(request, { action: `${PATH}/csv`, hidden: chosen, class: 'plain' }, html`<button class="secondary outline">Download as CSV</button>`)}</div></div>`,
  };
}

function table(rows: readonly AuditRow[], clock: Clock): Content {
  if (!rows.length) return html`<p>No changes found. The audit lists changes to people, keys, agents and settings.</p>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Audit log"><table class="cards">
<thead><tr><th scope="col">When</th><th scope="col">Who</th><th scope="col">Action</th><th scope="col">Subject</th><th scope="col">Change</th></tr></thead>
<tbody>${rows.map((row) => line(row, clock))}</tbody></table></div>`;
}

const line = (row: AuditRow, clock: Clock): Content => html`<tr><th scope="row">${moment(row.at, clock)}</th>
<td class="mid" data-label="Who">${row.actorName || 'Unknown'}<br><small class="muted">${wayOf(row)}</small></td>
<td class="mid" data-label="Action">${ownValue(auditKinds, row.kind) ?? row.kind}</td><td data-label="Subject">${aboutOf(row)}</td>
<td data-label="Change">${changesOf(row)}</td></tr>`;

const ways: Record<AuditRow['via'], string> = {
  page: 'in the browser',
  rest: 'with an API key',
  agent: 'by an agent',
  job: 'scheduled',
  import: 'by an import',
  cli: 'on the command line',
};

function wayOf({ via, credentialName, address }: AuditRow): string {
  const way = credentialName === null ? ways[via] : `${ways[via]} (${credentialName})`;
  return address ? `${way}, from ${address}` : way;
}

/** Adds the type before the id, unless the name is clear. */
function aboutOf({ subject, subjectId, subjectName, userName, workspaceName }: AuditRow): Content {
  const what = subject === 'user' || subject === 'member' ? subjectName : `${subject} ${subjectName || subjectId}`;
  const of = subject === 'key' || subject === 'connection' ? userName : null;
  const place = subject === 'workspace' || subject === 'words' ? null : workspaceName;
  return html`${what}${of && html`<br><small class="muted">of ${of}</small>`}${place && html`<br><small class="muted">in ${place}</small>`}`;
}

const changesOf = ({ changes }: AuditRow): Content =>
  Object.entries(changes).map(([name, [before, after]]) => html`<div>${name}: ${valueText(before)} → ${valueText(after)}</div>`);

function valueText(value: unknown): string {
  if (value === null) return 'none';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

async function download(request: PageRequest): Promise<Answer> {
  const filter = { ...filterOf((name) => request.form.text(name)), before: null };
  await call(request, noteAuditFile, {});
  return { lines: csvOf(request, filter), type: 'text/csv; charset=utf-8', name: 'audit.csv' };
}

const head = ['id', 'at', 'kind', 'actor id', 'actor', 'via', 'credential id', 'credential', 'address', 'workspace id', 'workspace'];
const others = ['user id', 'user', 'subject', 'subject id', 'subject name', 'changes'];

async function* csvOf(request: PageRequest, filter: AuditFilter): AsyncGenerator<string> {
  yield csvLine([...head, ...others]);
  for (let { before } = filter; ; ) {
    const { rows, more } = await call(request, readAuditFile, { ...filter, before });
    const last = rows.at(-1);
    if (!last) return;
    yield rows.map(csvRow).join('');
    if (!more) return;
    before = last.id;
  }
}

function csvRow(row: AuditRow): string {
  const by = [row.actorId, row.actorName, row.via, row.credentialId, row.credentialName, row.address];
  const about = [row.workspaceId, row.workspaceName, row.userId, row.userName, row.subject, row.subjectId, row.subjectName];
  return csvLine([row.id, row.at, row.kind, ...by, ...about, JSON.stringify(row.changes)]);
}

export const auditRoutes: PageRoute[] = [
  { method: 'GET', path: PATH, handle: show },
  { method: 'POST', path: `${PATH}/csv`, handle: download },
];
