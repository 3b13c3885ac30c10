/** Locking, opening and unlocking a note. Opening shows it once: each time anew it takes the password. */
import { parseInput } from '../../operations/input.ts';
import { perform } from '../../operations/perform.ts';
import { getOwnNote, type ShownNote } from '../../personal-notes/ownNotes.ts';
import { lockNote, unlockNote } from '../../personal-notes/protection.ts';
import { html } from '../frame/html.ts';
import { csrfField } from '../frame/layout.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { at, PATH, padlock, problemOf, styles } from './noteForm.ts';
import { notePage } from './notePage.ts';
import { isOpened, passwordInput, provesPassword, wrongPassword } from './passwordProof.ts';

export function lockedPage(request: PageRequest, noteId: number, problem?: string): Answer {
  return {
    title: 'Locked note',
    status: problem ? 403 : 200,
    body: html`${styles(request)}${problemOf(problem)}
<p>${padlock} This note is locked. It opens with the password of your account, for this once.</p>
<form method="post" action="${at(request, `/${noteId}/open`)}">${csrfField(request.csrf)}${passwordInput}
<button>Open</button></form>
<p class="apart"><a href="${at(request, `/${noteId}/delete`)}">Delete this note…</a> · <a href="${at(request)}">All notes</a></p>`,
  };
}

async function lock({ deps, caller, params, form }: PageRequest): Promise<Answer> {
  const input = parseInput(lockNote.input, { id: Number(params.noteId), revision: form.id('revision') });
  await perform(deps.db, caller, lockNote, input);
  return { redirect: `${PATH}/${input.id}`, notice: 'saved' };
}

async function open(request: PageRequest): Promise<Answer> {
  const { deps, caller, params } = request;
  const id = Number(params.noteId);
  // Whether there is such a note comes first, so that no password is tried on somebody else's.
  await perform(deps.db, caller, getOwnNote, { id, opened: false });
  if (!(await provesPassword(request))) return lockedPage(request, id, wrongPassword);
  const { note, folders } = (await perform(deps.db, caller, getOwnNote, { id, opened: true })) as ShownNote;
  return note.protection === 'encrypted' ? { redirect: `${PATH}/${id}` } : notePage(request, note, folders);
}

/** Asked on an open note; a wrong password leaves it open and locked. */
async function unlock(request: PageRequest): Promise<Answer> {
  const { deps, caller, params, form } = request;
  const input = parseInput(unlockNote.input, { id: Number(params.noteId), revision: form.id('revision') });
  if (await provesPassword(request)) {
    await perform(deps.db, caller, unlockNote, input);
    return { redirect: `${PATH}/${input.id}`, notice: 'saved' };
  }
  const opened = isOpened(request, input.id, input.revision);
  const { note, folders } = (await perform(deps.db, caller, getOwnNote, { id: input.id, opened })) as ShownNote;
  if (!note.readable) return lockedPage(request, input.id, wrongPassword);
  return notePage(request, note, folders, { problem: wrongPassword, status: 403 });
}

export const noteLockRoutes: PageRoute[] = [
  { method: 'POST', path: `${PATH}/:noteId/lock`, handle: lock },
  { method: 'POST', path: `${PATH}/:noteId/open`, handle: open },
  { method: 'POST', path: `${PATH}/:noteId/unlock`, handle: unlock },
];
