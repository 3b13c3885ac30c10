/** /my/notes/:noteId: reading, creating, editing and deleting a note. Whatever goes wrong, what was typed is shown again. */
import { AppError } from '../errors.ts';
import { parseInput } from '../input.ts';
import { JsonText } from '../json.ts';
import { perform } from '../perform.ts';
import { createNote } from '../personal-notes/createNote.ts';
import { deleteNote } from '../personal-notes/deleteNote.ts';
import { getOwnNote, listOwnNotes, type OwnNoteList, type ShownNote } from '../personal-notes/ownNotes.ts';
import type { Folder } from '../personal-notes/pageQueries.ts';
import { deleteProtectedNote, saveLockedNote } from '../personal-notes/protection.ts';
import type { NoteReceipt } from '../personal-notes/schema.ts';
import { updateNote } from '../personal-notes/updateNote.ts';
import { html } from './html.ts';
import { csrfField, onceField } from './layout.ts';
import { encryptedPage } from './notesEncrypted.ts';
import { lockedPage } from './notesLocked.ts';
import { isOpened, passwordInput, provesPassword, wrongPassword } from './notesOpened.ts';
import { at, type Draft, draftOf, folderSelect, htmlField, PATH, problemOf, script, styles } from './notesParts.ts';
import { conflictPage, notePage } from './notesView.ts';
import type { Answer, PageRequest, PageRoute } from './page.ts';

const load = async ({ deps, caller, params }: PageRequest, opened = false) =>
  (await perform(deps.db, caller, getOwnNote, { id: Number(params.noteId), opened })) as ShownNote;

async function foldersOf({ deps, caller }: PageRequest): Promise<readonly Folder[]> {
  const list = (await perform(deps.db, caller, listOwnNotes, { folderId: 0, search: '', page: 1 })) as OwnNoteList;
  return list.folders;
}

async function show(request: PageRequest): Promise<Answer> {
  const { note, folders } = await load(request);
  if (note.protection === 'locked') return lockedPage(request, note.id);
  if (note.protection === 'encrypted') return encryptedPage(request, note, folders);
  return notePage(request, note, folders);
}

async function newPage(request: PageRequest, draft?: Draft, problem?: string, status = 400): Promise<Answer> {
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

export const receiptOf = (result: unknown): NoteReceipt => (result instanceof JsonText ? result.parse() : result) as NoteReceipt;

/** The unprotected note by the agents' operation, the locked one by its own. */
async function save(request: PageRequest): Promise<Answer> {
  const { deps, caller, params, form } = request;
  const id = Number(params.noteId);
  const revision = form.id('revision');
  const opened = isOpened(request, id, revision);
  const draft = draftOf(request);
  try {
    const operation = opened ? saveLockedNote : updateNote;
    await perform(deps.db, caller, operation, parseInput(operation.input, { id, revision, ...draft }));
    if (!opened) return { redirect: `${PATH}/${id}`, notice: 'saved' };
    const { note, folders } = await load(request, true);
    return notePage(request, note, folders, { said: 'Saved. The note is still locked.' });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return notSaved(request, error, draft, opened);
  }
}

async function notSaved(request: PageRequest, error: AppError, draft: Draft, opened: boolean): Promise<Answer> {
  if (!['invalid_request', 'conflict', 'forbidden'].includes(error.code)) throw error;
  const found = await load(request, opened).catch(() => null);
  if (!found?.note.readable) {
    // Gone, locked or encrypted since: the text must not go with it.
    const problem = 'The note you were editing is deleted, locked or encrypted by now. Your text is below: save it as a new note.';
    return newPage(request, { ...draft, folderId: 0 }, problem, 409);
  }
  if (error.code === 'conflict') return conflictPage(request, found.note, found.folders, draft);
  const problem = error.code === 'forbidden' ? 'folder: it is gone; choose another one.' : error.message;
  return notePage(request, found.note, found.folders, { problem, draft, status: 400 });
}

async function askToDelete(request: PageRequest, problem?: string): Promise<Answer> {
  const { note } = await load(request);
  const files = note.attachments.length;
  return {
    title: 'Delete this note?',
    status: problem ? 403 : 200,
    body: html`${styles(request)}${problemOf(problem)}
<p>${note.title ? html`“${note.title}”` : 'The note'}${files > 0 && ` and its ${files === 1 ? 'file' : `${files} files`}`} will be gone for good.</p>
<form method="post" action="${at(request, `/${note.id}/delete`)}">${csrfField(request.csrf)}<input type="hidden" name="revision" value="${note.revision}">
${note.protection === 'locked' && passwordInput}
<div class="actions"><button>Delete it for good</button> <a href="${at(request, `/${note.id}`)}">Keep it</a></div></form>`,
  };
}

async function remove(request: PageRequest): Promise<Answer> {
  const { deps, caller, form } = request;
  const { note } = await load(request);
  if (note.protection === 'locked' && !(await provesPassword(request))) return askToDelete(request, wrongPassword);
  const operation = note.protection === 'none' ? deleteNote : deleteProtectedNote;
  await perform(deps.db, caller, operation, parseInput(operation.input, { id: note.id, revision: form.id('revision') }));
  return { redirect: PATH, notice: 'deleted' };
}

export const noteRoutes: PageRoute[] = [
  { method: 'GET', path: `${PATH}/new`, handle: (request) => newPage(request) },
  { method: 'POST', path: `${PATH}/new`, handle: create },
  { method: 'GET', path: `${PATH}/:noteId`, handle: show },
  { method: 'POST', path: `${PATH}/:noteId`, handle: save },
  { method: 'GET', path: `${PATH}/:noteId/delete`, handle: (request) => askToDelete(request) },
  { method: 'POST', path: `${PATH}/:noteId/delete`, handle: remove },
];
