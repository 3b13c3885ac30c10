/** /my/notes/:noteId: reads, edits and deletes a note. Errors keep the typed text. */

import { deleteProtectedNote, saveLockedNote } from '../../personal-notes/protection.ts';
import { deleteNote, updateNote } from '../../personal-notes/writeNote.ts';
import type { AppError } from '../../values/errors.ts';
import { button } from '../frame/components/button.ts';
import { html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { type Refusal, submitted } from '../frame/submitted.ts';
import { problemBox, quantity } from '../frame/widgets.ts';
import { autosave } from './autosave.ts';
import { encryptedPage, noteEncryptionRoutes } from './encrypted.ts';
import { noteFileRoutes } from './files.ts';
import { lockedPage, noteLockRoutes } from './locked.ts';
import { newNoteRoutes } from './new.ts';
import { at, draftOf, noteAt, PATH } from './noteForm.ts';
import { notePage, notSaved } from './notePage.ts';
import { loadNote, noteListRoutes, panes } from './panes.ts';
import { isOpened, passwordInput, provesPassword, wrongPassword } from './proofs.ts';
import { inList, noteIdOf } from './wanted.ts';

async function show(request: PageRequest): Promise<Answer> {
  const found = await loadNote(request);
  if (found.note.protection === 'locked') return lockedPage(request, found);
  if (found.note.protection === 'encrypted') return encryptedPage(request, found);
  return notePage(request, found);
}

async function save(request: PageRequest): Promise<Answer> {
  const id = noteIdOf(request);
  const revision = request.form.id('revision');
  const opened = isOpened(request);
  const draft = draftOf(request);
  const input = () => ({ id, revision, ...draft });
  const outcomes = {
    done: () => (opened ? savedOpen(request) : { redirect: noteAt(request, id), notice: 'saved' }),
    again: ({ error }: Refusal) => notSaved(request, error, draft, opened),
    gone: (error: AppError) => notSaved(request, error, draft, opened),
  };
  return opened ? submitted(request, saveLockedNote, input, outcomes) : submitted(request, updateNote, input, outcomes);
}

/** Rendered here, because a redirect would ask for the password again. */
const savedOpen = async (request: PageRequest): Promise<Answer> =>
  notePage(request, await loadNote(request, true), { said: 'Saved. The note is still locked.' });

async function askToDelete(request: PageRequest, problem?: string, status = 403): Promise<Answer> {
  const found = await loadNote(request);
  const { note } = found;
  const files = note.attachments.length;
  const hidden = { revision: note.revision };
  const form = postForm(
    request,
    { action: `${PATH}/${note.id}/delete`, once: true, hidden },
    note.protection === 'locked' && passwordInput,
    html`<div class="actions">${button('Delete permanently', { kind: 'danger' })} <a href="${at(request, `/${note.id}`)}${inList(request)}">Cancel</a></div>`,
  );
  return panes(request, found, {
    title: 'Delete this note?',
    status: problem ? status : 200,
    one: html`${problemBox(problem)}
<p>This permanently deletes ${note.title ? html`“${note.title}”` : 'the note'}${files > 0 && ` and ${quantity(files, 'file')}`}.</p>
${form}`,
  });
}

async function remove(request: PageRequest): Promise<Answer> {
  const { note } = await loadNote(request);
  if (note.protection === 'locked' && !(await provesPassword(request))) return askToDelete(request, wrongPassword);
  const operation = note.protection === 'none' ? deleteNote : deleteProtectedNote;
  return submitted(request, operation, (form) => ({ id: note.id, revision: form.id('revision') }), {
    done: () => ({ redirect: PATH, notice: 'deleted' }),
    again: ({ problem, status }) => askToDelete(request, problem, status),
  });
}

// Fixed paths must come before /my/notes/:noteId.
const all: PageRoute[] = [
  ...noteListRoutes,
  ...noteEncryptionRoutes,
  ...noteLockRoutes,
  ...noteFileRoutes,
  ...newNoteRoutes,
  { method: 'GET', path: `${PATH}/:noteId`, handle: show },
  { method: 'POST', path: `${PATH}/:noteId`, handle: save },
  { method: 'POST', path: `${PATH}/:noteId/autosave`, handle: autosave },
  { method: 'GET', path: `${PATH}/:noteId/delete`, handle: (request) => askToDelete(request) },
  { method: 'POST', path: `${PATH}/:noteId/delete`, handle: remove },
];

/** Note texts must not be stored with refused forms. */
export const notesRoutes: PageRoute[] = all.map((route) => (route.public ? route : { ...route, keepsNothing: true }));
