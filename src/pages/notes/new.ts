/** /my/notes/new: a note's first text, also that of a note which could not be saved where it was. */

import { parseInput } from '../../operations/input.ts';
import { JsonText } from '../../operations/json.ts';
import { perform } from '../../operations/perform.ts';
import { createNote } from '../../personal-notes/createNote.ts';
import { listOwnNotes, type OwnNoteList } from '../../personal-notes/ownNotes.ts';
import type { Folder } from '../../personal-notes/pageQueries.ts';
import type { NoteReceipt } from '../../personal-notes/schema.ts';
import { AppError } from '../../values/errors.ts';
import { html } from '../frame/html.ts';
import { csrfField, onceField } from '../frame/layout.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { at, type Draft, draftOf, folderSelect, htmlField, PATH, problemOf, script, styles } from './noteForm.ts';

async function foldersOf({ deps, caller }: PageRequest): Promise<readonly Folder[]> {
  const list = (await perform(deps.db, caller, listOwnNotes, { folderId: 0, search: '', page: 1 })) as OwnNoteList;
  return list.folders;
}

export async function newPage(request: PageRequest, draft?: Draft, problem?: string, status = 400): Promise<Answer> {
  const folder = Number(request.query.get('folder') ?? 0);
  const { html: text, folderId } = draft ?? { html: '', folderId: folder };
  return {
    title: 'New note',
    status: problem ? status : 200,
    body: html`${styles(request)}${problemOf(problem)}
<form method="post" action="${at(request, '/new')}">${csrfField(request.csrf)}${onceField()}
${htmlField(text)}
${folderSelect(await foldersOf(request), folderId)}
<button>Create the note</button>
</form>
<p class="apart"><a href="${at(request)}">All notes</a></p>
${script(request)}`,
  };
}

async function create(request: PageRequest): Promise<Answer> {
  const { deps, caller } = request;
  const draft = draftOf(request);
  try {
    const { id } = receiptOf(await perform(deps.db, caller, createNote, parseInput(createNote.input, draft)));
    return { redirect: `${PATH}/${id}`, notice: 'created' };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'invalid_request') return newPage(request, draft, error.message);
    if (error.code === 'forbidden') return newPage(request, draft, 'folder: it is gone; choose another one.');
    throw error;
  }
}

const receiptOf = (result: unknown): NoteReceipt => (result instanceof JsonText ? result.parse() : result) as NoteReceipt;

export const newNoteRoutes: PageRoute[] = [
  { method: 'GET', path: `${PATH}/new`, handle: (request) => newPage(request) },
  { method: 'POST', path: `${PATH}/new`, handle: create },
];
