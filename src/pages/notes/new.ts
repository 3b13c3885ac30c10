/** /my/notes/new: a note's first text, also that of a note which could not be saved where it was. */

import { outputOf } from '../../operations/json.ts';
import { perform } from '../../operations/perform.ts';
import { createNote } from '../../personal-notes/createNote.ts';
import { type Folder, listOwnNotes } from '../../personal-notes/ownNotes.ts';
import { html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { type Refusal, refusalOf, submitted } from '../frame/submitted.ts';
import { problemBox } from '../frame/widgets.ts';
import { at, type Draft, draftOf, folderIsGone, folderSelect, htmlField, noteFields, noteLabels, PATH } from './noteForm.ts';

async function foldersOf({ deps, caller }: PageRequest): Promise<readonly Folder[]> {
  const list = outputOf(await perform(deps.db, caller, listOwnNotes, { folderId: 0, search: '', page: 1 }));
  return list.folders;
}

export async function newPage(request: PageRequest, draft?: Draft, refusal?: Partial<Refusal>): Promise<Answer> {
  const folder = Number(request.query.get('folder') ?? 0);
  const { html: text, folderId } = draft ?? { html: '', folderId: folder };
  const shown = noteFields(request, refusal?.error);
  const fields = [htmlField(shown, text), folderSelect(shown, await foldersOf(request), folderId)];
  return {
    title: 'New note',
    status: refusal?.status ?? 200,
    scripts: ['notes'],
    body: html`${problemBox(refusal?.problem)}
${postForm(request, { action: `${PATH}/new`, once: true }, fields, html`<button>Create the note</button>`)}
<p class="apart"><a href="${at(request)}">All notes</a></p>`,
  };
}

async function create(request: PageRequest): Promise<Answer> {
  const draft = draftOf(request);
  return submitted(request, createNote, () => draft, {
    labels: noteLabels,
    done: ({ id }) => ({ redirect: `${PATH}/${id}`, notice: 'created' }),
    again: (refusal) => newPage(request, draft, refusal),
    gone: () => newPage(request, draft, refusalOf(folderIsGone(), noteLabels)),
  });
}

export const newNoteRoutes: PageRoute[] = [
  { method: 'GET', path: `${PATH}/new`, handle: (request) => newPage(request) },
  { method: 'POST', path: `${PATH}/new`, handle: create },
];
