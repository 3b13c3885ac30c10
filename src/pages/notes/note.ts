/** /my/notes/:noteId: reading, editing and deleting a note. Whatever goes wrong, what was typed is shown again. */

import { parseInput } from '../../operations/input.ts';
import { perform } from '../../operations/perform.ts';
import { deleteNote } from '../../personal-notes/deleteNote.ts';
import { deleteProtectedNote, saveLockedNote } from '../../personal-notes/protection.ts';
import { updateNote } from '../../personal-notes/updateNote.ts';
import { AppError } from '../../values/errors.ts';
import { html } from '../frame/html.ts';
import { csrfField, onceField } from '../frame/layout.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { encryptedPage } from './encrypted.ts';
import { lockedPage } from './locked.ts';
import { newNoteRoutes } from './new.ts';
import { at, draftOf, PATH, problemOf, styles } from './noteForm.ts';
import { loadNote, notePage } from './notePage.ts';
import { notSaved } from './notSaved.ts';
import { isOpened, passwordInput, provesPassword, wrongPassword } from './passwordProof.ts';

async function show(request: PageRequest): Promise<Answer> {
  const { note, folders } = await loadNote(request);
  if (note.protection === 'locked') return lockedPage(request, note.id);
  if (note.protection === 'encrypted') return encryptedPage(request, note, folders);
  return notePage(request, note, folders);
}

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
    const { note, folders } = await loadNote(request, true);
    return notePage(request, note, folders, { said: 'Saved. The note is still locked.' });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return notSaved(request, error, draft, opened);
  }
}

async function askToDelete(request: PageRequest, problem?: string): Promise<Answer> {
  const { note } = await loadNote(request);
  const files = note.attachments.length;
  return {
    title: 'Delete this note?',
    status: problem ? 403 : 200,
    body: html`${styles(request)}${problemOf(problem)}
<p>${note.title ? html`“${note.title}”` : 'The note'}${files > 0 && ` and its ${files === 1 ? 'file' : `${files} files`}`} will be gone for good.</p>
<form method="post" action="${at(request, `/${note.id}/delete`)}">${csrfField(request.csrf)}${onceField()}<input type="hidden" name="revision" value="${note.revision}">
${note.protection === 'locked' && passwordInput}
<div class="actions"><button>Delete it for good</button> <a href="${at(request, `/${note.id}`)}">Keep it</a></div></form>`,
  };
}

async function remove(request: PageRequest): Promise<Answer> {
  const { deps, caller, form } = request;
  const { note } = await loadNote(request);
  if (note.protection === 'locked' && !(await provesPassword(request))) return askToDelete(request, wrongPassword);
  const operation = note.protection === 'none' ? deleteNote : deleteProtectedNote;
  await perform(deps.db, caller, operation, parseInput(operation.input, { id: note.id, revision: form.id('revision') }));
  return { redirect: PATH, notice: 'deleted' };
}

export const noteRoutes: PageRoute[] = [
  ...newNoteRoutes,
  { method: 'GET', path: `${PATH}/:noteId`, handle: show },
  { method: 'POST', path: `${PATH}/:noteId`, handle: save },
  { method: 'GET', path: `${PATH}/:noteId/delete`, handle: (request) => askToDelete(request) },
  { method: 'POST', path: `${PATH}/:noteId/delete`, handle: remove },
];
