/** Locking, opening and unlocking a note. Opening shows it once: each time anew it takes the password. */
import { lockNote, unlockNote } from '../../personal-notes/protection.ts';
import { html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { submitted } from '../frame/submitted.ts';
import { problemBox } from '../frame/widgets.ts';
import { at, PATH, padlock } from './noteForm.ts';
import { loadNote, notePage } from './notePage.ts';
import { isOpened, passwordInput, provesPassword, wrongPassword } from './passwordProof.ts';

export function lockedPage(request: PageRequest, noteId: number, problem?: string): Answer {
  return {
    title: 'Locked note',
    status: problem ? 403 : 200,
    body: html`${problemBox(problem)}
<p>${padlock} This note is locked. It opens with the password of your account, for this once.</p>
${postForm(request, { action: `${PATH}/${noteId}/open` }, passwordInput, html`<button>Open</button>`)}
<p class="apart"><a href="${at(request, `/${noteId}/delete`)}">Delete this note…</a> · <a href="${at(request)}">All notes</a></p>`,
  };
}

/** Locks or unlocks. What is refused is told on the note, where that can still be read. */
function protect(request: PageRequest, operation: typeof lockNote | typeof unlockNote, opened: boolean): Promise<Answer> {
  const id = Number(request.params.noteId);
  return submitted(request, operation, (form) => ({ id, revision: form.id('revision') }), {
    done: () => ({ redirect: `${PATH}/${id}`, notice: 'saved' }),
    again: async ({ problem, status, error }) => {
      const { note, folders } = await loadNote(request, opened);
      if (!note.readable) throw error;
      return notePage(request, note, folders, { problem, status });
    },
  });
}

async function open(request: PageRequest): Promise<Answer> {
  // Whether there is such a note comes first, so that no password is tried on somebody else's.
  const { note: shut } = await loadNote(request);
  if (!(await provesPassword(request))) return lockedPage(request, shut.id, wrongPassword);
  const { note, folders } = await loadNote(request, true);
  return note.protection === 'encrypted' ? { redirect: `${PATH}/${note.id}` } : notePage(request, note, folders);
}

/** Asked on an open note; a wrong password leaves it open and locked. */
async function unlock(request: PageRequest): Promise<Answer> {
  if (await provesPassword(request)) return protect(request, unlockNote, true);
  const id = Number(request.params.noteId);
  const { note, folders } = await loadNote(request, isOpened(request, id, request.form.id('revision')));
  if (!note.readable) return lockedPage(request, id, wrongPassword);
  return notePage(request, note, folders, { problem: wrongPassword, status: 403 });
}

export const noteLockRoutes: PageRoute[] = [
  { method: 'POST', path: `${PATH}/:noteId/lock`, handle: (request) => protect(request, lockNote, false) },
  { method: 'POST', path: `${PATH}/:noteId/open`, handle: open },
  { method: 'POST', path: `${PATH}/:noteId/unlock`, handle: unlock },
];
