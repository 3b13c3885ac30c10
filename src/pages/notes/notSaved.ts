/** Shows why a note was not saved, always with the typed text. */
import type { AppError } from '../../values/errors.ts';
import { clockOf } from '../frame/clock.ts';
import { ago } from '../frame/components/when.ts';
import { html } from '../frame/html.ts';
import type { Answer, PageRequest } from '../frame/page.ts';
import { refusalOf } from '../frame/submitted.ts';
import { newPage, writing } from './new.ts';
import { at, type Draft, missingFolder, noteLabels } from './noteForm.ts';
import { editForm, notePage } from './notePage.ts';
import { findNote, type Loaded, panes } from './panes.ts';
import { inList } from './wanted.ts';

export async function notSaved(request: PageRequest, error: AppError, draft: Draft, opened: boolean): Promise<Answer> {
  const found = await findNote(request, opened);
  if (!found?.note.readable) {
    // The note is deleted, locked or encrypted; the text must not be lost.
    const problem = 'The note was deleted, locked or encrypted while you edited it. Save your text below as a new note.';
    return newPage(request, { ...draft, folderId: 0 }, { problem, status: 409 });
  }
  if (error.code === 'conflict') return conflictPage(request, found, draft);
  const refused = error.code === 'forbidden' ? missingFolder() : error;
  return notePage(request, found, { ...refusalOf(refused, noteLabels), draft });
}

function conflictPage(request: PageRequest, found: Loaded, draft: Draft): Answer {
  const { note, folders } = found;
  return panes(request, found, {
    status: 409,
    title: 'The note has changed',
    one: html`<p class="error" role="alert">This note has changed since you opened it. Combine both texts and save, or discard yours.</p>
<div class="sides">
<section><h2>Your version (not saved)</h2>${writing('note-html')}${editForm(request, note, folders, { draft, open: true })}</section>
<section><h2>Saved version</h2><p class="meta">revision ${note.revision}, changed ${ago(note.updatedAt, clockOf(request))}</p><pre class="text" tabindex="0" aria-label="Stored text, as HTML">${note.html}</pre>
${note.protection === 'none' && html`<p><a href="${at(request, `/${note.id}`)}${inList(request)}">Discard my version</a></p>`}</section>
</div>`,
  });
}
