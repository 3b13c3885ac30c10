/** What is shown when a note could not be saved: why, and always what was typed. */

import { perform } from '../../operations/perform.ts';
import { getOwnNote, type ShownNote } from '../../personal-notes/ownNotes.ts';
import type { AppError } from '../../values/errors.ts';
import type { Answer, PageRequest } from '../frame/page.ts';
import { newPage } from './new.ts';
import type { Draft } from './parts.ts';
import { conflictPage, notePage } from './view.ts';

/** The note of the address; `opened`: its password was given. */
export const load = async ({ deps, caller, params }: PageRequest, opened = false) =>
  (await perform(deps.db, caller, getOwnNote, { id: Number(params.noteId), opened })) as ShownNote;

/** Throws what is no matter of the text. */
export async function notSaved(request: PageRequest, error: AppError, draft: Draft, opened: boolean): Promise<Answer> {
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
