/** /my/notes: a person's notes by folder, search, and the folders themselves (behaviour §12.1). */

import { parseInput } from '../../operations/input.ts';
import { perform } from '../../operations/perform.ts';
import { createFolder, deleteFolder, renameFolder } from '../../personal-notes/folders.ts';
import { listOwnNotes, type OwnNoteList } from '../../personal-notes/ownNotes.ts';
import type { Folder, OwnSummary } from '../../personal-notes/pageQueries.ts';
import { AppError } from '../../values/errors.ts';
import { type Content, Html, html } from '../frame/html.ts';
import { csrfField, onceField } from '../frame/layout.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { moment } from '../frame/widgets.ts';
import { at, PATH, padlock, problemOf, styles } from './noteForm.ts';

interface Wanted {
  folderId: number | null;
  search: string;
  page: number;
}

function wantedOf(query: URLSearchParams): Wanted {
  const folder = query.get('folder') ?? '';
  const page = Number(query.get('page') ?? 1);
  return { folderId: /^\d{1,15}$/.test(folder) ? Number(folder) : null, search: (query.get('q') ?? '').slice(0, 300).trim(), page };
}

async function show(request: PageRequest, problem?: string): Promise<Answer> {
  const { deps, caller, query } = request;
  const wanted = wantedOf(query);
  const input = parseInput(listOwnNotes.input, wanted);
  const found = (await perform(deps.db, caller, listOwnNotes, input)) as OwnNoteList;
  const folder = found.folders.find(({ id }) => id === wanted.folderId);
  return {
    title: 'Notes',
    status: problem ? 400 : 200,
    body: html`${styles(request)}${problemOf(problem)}
<p class="muted">Yours alone, whatever the workspaces allow. What your agents may do here you say with each <a href="${deps.config.basePath}/mcp-access">agent</a>; locked and encrypted notes they never see.</p>
<div class="notes">
<nav aria-label="Folders">${folderList(request, found.folders, wanted)}</nav>
<div>
<form method="get" action="${at(request)}" class="plain apart" role="search"><fieldset role="group"><input type="search" name="q" value="${wanted.search}" aria-label="Search the notes" placeholder="Search" maxlength="300"><button class="secondary">Search</button></fieldset></form>
<p class="actions"><a role="button" href="${at(request, '/new')}${folder ? `?folder=${folder.id}` : ''}">New note</a> <a role="button" class="secondary outline" href="${at(request, '/new-encrypted')}">New encrypted note</a></p>
${noteList(request, found.notes, wanted)}
${pager(request, wanted, found.hasMore)}
${folder && folderForms(request, folder)}
</div>
</div>`,
  };
}

function folderList(request: PageRequest, folders: readonly Folder[], { folderId, search }: Wanted): Content {
  const link = (to: string, label: string, chosen: boolean, notes?: number) =>
    html`<li><a href="${at(request, to)}"${chosen ? new Html(' aria-current="true"') : ''}>${label}</a>${notes !== undefined && html` <small class="muted">${notes}</small>`}</li>`;
  return html`<ul>
${link('', 'All notes', folderId === null && search === '')}
${link('?folder=0', 'Unfiled', folderId === 0)}
${folders.map(({ id, name, notes }) => link(`?folder=${id}`, name, folderId === id, notes))}
</ul>
<form method="post" action="${at(request, '/folders/create')}" class="plain">${csrfField(request.csrf)}${onceField()}<fieldset role="group"><input name="name" required maxlength="200" aria-label="Name of a new folder" placeholder="New folder"><button class="secondary">Add</button></fieldset></form>`;
}

const names: Record<OwnSummary['protection'], string> = { none: 'Note without text', locked: 'Locked note', encrypted: 'Encrypted note' };

function noteList(request: PageRequest, notes: readonly OwnSummary[], { search, folderId }: Wanted): Content {
  if (!notes.length)
    return html`<p>${search ? 'No note has this in its text.' : folderId === null ? 'No note yet.' : 'No note in here.'}</p>`;
  return html`<ul class="note-list">${notes.map(
    (
      note,
    ) => html`<li>${note.protection !== 'none' && padlock}<a href="${at(request, `/${note.id}`)}">${note.title || names[note.protection]}</a>
<small class="muted">${note.folderName !== null && html`in ${note.folderName} · `}changed ${moment(note.updatedAt)}${note.attachments > 0 && html` · ${note.attachments} ${note.attachments === 1 ? 'file' : 'files'}`}</small></li>`,
  )}</ul>`;
}

function pager(request: PageRequest, { folderId, search, page }: Wanted, hasMore: boolean): Content {
  const link = (to: number, label: string) => {
    const query = new URLSearchParams({ ...(folderId === null ? {} : { folder: String(folderId) }), q: search, page: String(to) });
    return html`<a href="${at(request)}?${query.toString()}">${label}</a>`;
  };
  return html`<p>${page > 1 && link(page - 1, 'Newer')} ${hasMore && link(page + 1, 'Older')}</p>`;
}

function folderForms(request: PageRequest, { id, name }: Folder): Content {
  const fields = html`${csrfField(request.csrf)}<input type="hidden" name="folderId" value="${id}">`;
  return html`<details><summary>Folder ${name}</summary>
<form method="post" action="${at(request, '/folders/rename')}" class="plain">${fields}<fieldset role="group"><input name="name" required maxlength="200" value="${name}" aria-label="New name of the folder"><button class="secondary">Rename</button></fieldset></form>
<form method="post" action="${at(request, '/folders/delete')}" class="plain" data-confirm="Delete the folder ${name}? Its notes stay, unfiled.">${fields}<button class="secondary outline">Delete the folder</button> <small class="muted">Its notes stay, unfiled.</small></form>
</details>`;
}

/** Runs a change of the folders; a refusal is shown above the list. */
async function change(request: PageRequest, work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'invalid_request') throw error;
    return show(request, error.message);
  }
}

const create = (request: PageRequest) =>
  change(request, async () => {
    const { deps, caller, form } = request;
    const input = parseInput(createFolder.input, { name: form.text('name') });
    const { folderId } = (await perform(deps.db, caller, createFolder, input)) as { folderId: number };
    return { redirect: `${PATH}?folder=${folderId}`, notice: 'created' };
  });

const rename = (request: PageRequest) =>
  change(request, async () => {
    const { deps, caller, form } = request;
    const input = parseInput(renameFolder.input, { folderId: form.id('folderId'), name: form.text('name') });
    await perform(deps.db, caller, renameFolder, input);
    return { redirect: `${PATH}?folder=${input.folderId}`, notice: 'saved' };
  });

async function remove({ deps, caller, form }: PageRequest): Promise<Answer> {
  await perform(deps.db, caller, deleteFolder, parseInput(deleteFolder.input, { folderId: form.id('folderId') }));
  return { redirect: PATH, notice: 'deleted' };
}

export const noteListRoutes: PageRoute[] = [
  { method: 'GET', path: PATH, handle: (request) => show(request) },
  { method: 'POST', path: `${PATH}/folders/create`, handle: create },
  { method: 'POST', path: `${PATH}/folders/rename`, handle: rename },
  { method: 'POST', path: `${PATH}/folders/delete`, handle: remove },
];
