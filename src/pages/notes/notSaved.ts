/** What is shown when a note could not be saved: why, and always what was typed. */

import type { Folder, OwnNote } from '../../personal-notes/ownNotes.ts';
import type { AppError } from '../../values/errors.ts';
import { clockOf } from '../frame/clock.ts';
import { ago } from '../frame/components/when.ts';
import { html } from '../frame/html.ts';
import type { Answer, PageRequest } from '../frame/page.ts';
import { refusalOf } from '../frame/submitted.ts';
import { newPage } from './new.ts';
import { at, type Draft, folderIsGone, noteLabels } from './noteForm.ts';
import { editForm, loadNote, notePage } from './notePage.ts';

/** `error`: what the rules refused, or that something is gone. */
export async function notSaved(request: PageRequest, error: AppError, draft: Draft, opened: boolean): Promise<Answer> {
  const found = await loadNote(request, opened).catch(() => null);
  if (!found?.note.readable) {
    // Gone, locked or encrypted since: the text must not go with it.
    const problem = 'The note you were editing is deleted, locked or encrypted by now. Your text is below: save it as a new note.';
    return newPage(request, { ...draft, folderId: 0 }, { problem, status: 409 });
  }
  if (error.code === 'conflict') return conflictPage(request, found.note, found.folders, draft);
  const refused = error.code === 'forbidden' ? folderIsGone() : error;
  return notePage(request, found.note, found.folders, { ...refusalOf(refused, noteLabels), draft });
}

/** Both texts, and nothing lost: what was typed in the form, what is stored beside it. */
function conflictPage(request: PageRequest, note: OwnNote, folders: readonly Folder[], draft: Draft): Answer {
  return {
    status: 409,
    title: 'The note has changed meanwhile',
    scripts: ['notes'],
    body: html`<p class="error" role="alert">Somebody, perhaps one of your agents, changed this note after you opened it. Bring the two texts together and save, or leave it as it is stored.</p>
<div class="sides">
<section><h2>Your text, not saved yet</h2>${editForm(request, note, folders, { draft })}</section>
<section><h2>What is stored now</h2><p class="muted">revision ${note.revision}, changed ${ago(note.updatedAt, clockOf(request))}</p><pre class="text" tabindex="0" aria-label="Stored text, as HTML">${note.html}</pre>
${note.protection === 'none' && html`<p><a href="${at(request, `/${note.id}`)}">Leave it so</a></p>`}</section>
</div>`,
  };
}
