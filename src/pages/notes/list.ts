/** /my/notes: a person's notes by folder, search, and the folders themselves (behaviour §12.1). */

import { parseInput } from '../../operations/input.ts';
import { outputOf } from '../../operations/json.ts';
import { perform } from '../../operations/perform.ts';
import { createFolder, deleteFolder, renameFolder } from '../../personal-notes/folders.ts';
import { type Folder, listOwnNotes, type OwnSummary } from '../../personal-notes/ownNotes.ts';
import { clockOf } from '../frame/clock.ts';
import { ago } from '../frame/components/when.ts';
import type { Labels } from '../frame/faults.ts';
import { type Fields, type Forms, formsOf } from '../frame/fields.ts';
import { type Content, Html, html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { type Refusal, submitted } from '../frame/submitted.ts';
import { problemBox } from '../frame/widgets.ts';
import { at, PATH, padlock } from './noteForm.ts';

interface Wanted {
  folderId: number | null;
  search: string;
  page: number;
}

function wantedOf({ query, form }: PageRequest): Wanted {
  // After a refused form the folder is the form's.
  const folder = query.get('folder') ?? form.text('folderId');
  const page = Number(query.get('page') ?? 1);
  return { folderId: /^\d{1,15}$/.test(folder) ? Number(folder) : null, search: (query.get('q') ?? '').slice(0, 300).trim(), page };
}

const labels: Labels = { name: 'Name of the folder', folderId: '' };

async function show(request: PageRequest, refusal?: Refusal): Promise<Answer> {
  const { deps, caller, basePath } = request;
  const wanted = wantedOf(request);
  const input = parseInput(listOwnNotes.input, wanted);
  const found = outputOf(await perform(deps.db, caller, listOwnNotes, input));
  const forms = formsOf(request, labels, refusal);
  const folder = found.folders.find(({ id }) => id === wanted.folderId);
  return {
    title: 'Notes',
    status: refusal?.status ?? 200,
    body: html`${problemBox(refusal?.problem)}
<p class="muted">Yours alone, whatever the workspaces allow. What your agents may do here you say with each <a href="${basePath}/mcp-access">agent</a>; locked and encrypted notes they never see.</p>
<div class="notes">
<nav aria-label="Folders">${folderList(request, found.folders, wanted, forms)}</nav>
<div>
<form method="get" action="${at(request)}" class="plain apart" role="search"><fieldset role="group"><input type="search" name="q" value="${wanted.search}" aria-label="Search the notes" placeholder="Search" maxlength="300"><button class="secondary">Search</button></fieldset></form>
<p class="actions"><a class="btn primary" href="${at(request, '/new')}${folder ? `?folder=${folder.id}` : ''}">New note</a> <a class="btn" href="${at(request, '/new-encrypted')}">New encrypted note</a></p>
${noteList(request, found.notes, wanted)}
${pager(request, wanted, found.hasMore)}
${folder && folderForms(request, folder, forms)}
</div>
</div>`,
  };
}

function folderList(request: PageRequest, folders: readonly Folder[], { folderId, search }: Wanted, forms: Forms): Content {
  const link = (to: string, label: string, chosen: boolean, notes?: number) =>
    html`<li><a href="${at(request, to)}"${chosen ? new Html(' aria-current="true"') : ''}>${label}</a>${notes !== undefined && html` <small class="muted">${notes}</small>`}</li>`;
  return html`<ul>
${link('', 'All notes', folderId === null && search === '')}
${link('?folder=0', 'Unfiled', folderId === 0)}
${folders.map(({ id, name, notes }) => link(`?folder=${id}`, name, folderId === id, notes))}
</ul>
${newFolderForm(request, forms(`${PATH}/folders/create`))}`;
}

const newFolderForm = (request: PageRequest, fields: Fields): Content =>
  postForm(
    request,
    { action: `${PATH}/folders/create`, once: true, class: 'plain' },
    html`<fieldset role="group"><input name="name" required maxlength="200" value="${fields.value('name')}" aria-label="Name of a new folder" placeholder="New folder"${fields.mark('name')}><button class="secondary">Add</button></fieldset>${fields.note('name')}`,
  );

const names: Record<OwnSummary['protection'], string> = { none: 'Note without text', locked: 'Locked note', encrypted: 'Encrypted note' };

function noteList(request: PageRequest, notes: readonly OwnSummary[], { search, folderId }: Wanted): Content {
  if (!notes.length)
    return html`<p>${search ? 'No note has this in its text.' : folderId === null ? 'No note yet.' : 'No note in here.'}</p>`;
  return html`<ul class="note-list">${notes.map(
    (
      note,
    ) => html`<li>${note.protection !== 'none' && padlock}<a href="${at(request, `/${note.id}`)}">${note.title || names[note.protection]}</a>
<small class="muted">${note.folderName !== null && html`in ${note.folderName} · `}changed ${ago(note.updatedAt, clockOf(request))}${note.attachments > 0 && html` · ${note.attachments} ${note.attachments === 1 ? 'file' : 'files'}`}</small></li>`,
  )}</ul>`;
}

function pager(request: PageRequest, { folderId, search, page }: Wanted, hasMore: boolean): Content {
  const link = (to: number, label: string) => {
    const query = new URLSearchParams({ ...(folderId === null ? {} : { folder: String(folderId) }), q: search, page: String(to) });
    return html`<a href="${at(request)}?${query.toString()}">${label}</a>`;
  };
  return html`<p>${page > 1 && link(page - 1, 'Newer')} ${hasMore && link(page + 1, 'Older')}</p>`;
}

function folderForms(request: PageRequest, { id: folderId, name }: Folder, forms: Forms): Content {
  const fields = forms(`${PATH}/folders/rename`, { folderId });
  const rename = postForm(
    request,
    { action: `${PATH}/folders/rename`, hidden: { folderId }, class: 'plain' },
    html`<fieldset role="group"><input name="name" required maxlength="200" value="${fields.value('name', name)}" aria-label="New name of the folder"${fields.mark('name')}><button class="secondary">Rename</button></fieldset>${fields.note('name')}`,
  );
  const confirm = `Delete the folder ${name}? Its notes stay, unfiled.`;
  const remove = postForm(
    request,
    { action: `${PATH}/folders/delete`, hidden: { folderId }, confirm, class: 'plain' },
    html`<button class="secondary outline">Delete the folder</button> <small class="muted">Its notes stay, unfiled.</small>`,
  );
  return html`<details${fields.refused && html` open`}><summary>Folder ${name}</summary>
${rename}
${remove}
</details>`;
}

const told = (request: PageRequest) => ({ labels, again: (refusal: Refusal) => show(request, refusal) });

const create = (request: PageRequest): Promise<Answer> =>
  submitted(request, createFolder, (form) => ({ name: form.text('name') }), {
    done: ({ folderId }) => ({ redirect: `${PATH}?folder=${folderId}`, notice: 'created' }),
    ...told(request),
  });

const rename = (request: PageRequest): Promise<Answer> =>
  submitted(request, renameFolder, (form) => ({ folderId: form.id('folderId'), name: form.text('name') }), {
    done: () => ({ redirect: `${PATH}?folder=${request.form.id('folderId')}`, notice: 'saved' }),
    ...told(request),
  });

const remove = (request: PageRequest): Promise<Answer> =>
  submitted(request, deleteFolder, (form) => ({ folderId: form.id('folderId') }), {
    done: () => ({ redirect: PATH, notice: 'deleted' }),
    ...told(request),
  });

export const noteListRoutes: PageRoute[] = [
  { method: 'GET', path: PATH, handle: (request) => show(request) },
  { method: 'POST', path: `${PATH}/folders/create`, handle: create },
  { method: 'POST', path: `${PATH}/folders/rename`, handle: rename },
  { method: 'POST', path: `${PATH}/folders/delete`, handle: remove },
];
