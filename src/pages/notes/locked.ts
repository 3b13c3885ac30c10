/** Locking, opening and unlocking a note. Each opening needs the password. */
import { lockNote, unlockNote } from '../../personal-notes/protection.ts';
import { button } from '../frame/components/button.ts';
import { icon } from '../frame/components/icon.ts';
import { html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { submitted } from '../frame/submitted.ts';
import { problemBox } from '../frame/widgets.ts';
import { moveForm, noteAt, PATH } from './noteForm.ts';
import { deleteLink, notePage, refusedOnNote } from './notePage.ts';
import { type Loaded, loadNote, panes } from './panes.ts';
import { isOpened, passwordInput, provesPassword, wrongPassword } from './proofs.ts';
import { inList, noteIdOf } from './wanted.ts';

export function lockedPage(request: PageRequest, found: Loaded, problem?: string): Answer {
  const { note, folders } = found;
  const action = `${PATH}/${note.id}/open${inList(request)}`;
  return panes(request, found, {
    title: 'Locked note',
    status: problem ? 403 : 200,
    one: html`${problemBox(problem)}
<p>${icon('lock', 's')} This note is locked. Enter your account password to open it once.</p>
${postForm(request, { action, class: 'in-line' }, passwordInput, button('Open', { kind: 'primary' }))}
<div id="about">${moveForm(request, note, folders)}
${deleteLink(request, note)}</div>`,
  });
}

function protect(request: PageRequest, operation: typeof lockNote | typeof unlockNote, opened: boolean): Promise<Answer> {
  const id = noteIdOf(request);
  return submitted(request, operation, (form) => ({ id, revision: form.id('revision') }), {
    done: () => ({ redirect: noteAt(request, id), notice: 'saved' }),
    again: refusedOnNote(request, opened),
  });
}

async function open(request: PageRequest): Promise<Answer> {
  // Check access first, so that passwords cannot be tried on notes of others.
  const shut = await loadNote(request);
  if (!(await provesPassword(request))) return lockedPage(request, shut, wrongPassword);
  const found = await loadNote(request, true);
  return found.note.protection === 'encrypted' ? { redirect: noteAt(request, found.note.id) } : notePage(request, found);
}

/** After a wrong password the note stays locked. Its text is shown again only if the form is of its latest version. */
async function unlock(request: PageRequest): Promise<Answer> {
  if (await provesPassword(request)) return protect(request, unlockNote, true);
  const shut = await loadNote(request);
  const opened = isOpened(request) && shut.note.revision === request.form.id('revision');
  const found = opened ? await loadNote(request, true) : shut;
  if (!found.note.readable) return lockedPage(request, found, wrongPassword);
  return notePage(request, found, { problem: wrongPassword, status: 403 });
}

export const noteLockRoutes: PageRoute[] = [
  { method: 'POST', path: `${PATH}/:noteId/lock`, handle: (request) => protect(request, lockNote, false) },
  { method: 'POST', path: `${PATH}/:noteId/open`, handle: open },
  { method: 'POST', path: `${PATH}/:noteId/unlock`, handle: unlock },
];
