/** /my/notes/new, also for the text of a note that could not be saved. */

import { createHmac } from 'node:crypto';
import { createNote } from '../../personal-notes/writeNote.ts';
import { validKeys } from '../../values/secretKeys.ts';
import { button } from '../frame/components/button.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { type Refusal, refusalOf, submitted } from '../frame/submitted.ts';
import { problemBox } from '../frame/widgets.ts';
import { type Draft, draftOf, folderSelect, htmlField, missingFolder, noteAt, noteFields, noteLabels, PATH } from './noteForm.ts';
import { loadList, panes } from './panes.ts';
import { inList, listPlaceOf } from './wanted.ts';

/** Place of the editor. `area`: id of the field with the text. `shown`: the note as read without script. */
export const writing = (area: string, shown: Content = ''): Content =>
  html`<div class="writing" data-writes="${area}"><div data-text>${shown}</div></div>`;

/** Keys that encrypt unsaved drafts in the browser, so only this user can read them. The first key encrypts; older ones still decrypt
 *  (behaviour §29.3). */
export const draftKeys = ({ deps, user }: PageRequest): string =>
  validKeys(deps.config)
    .map((key) => createHmac('sha256', key).update(`note-drafts:${user.id}`).digest('base64'))
    .join(' ');

export const stateLine: Content = html`<span class="state" data-state></span>`;

export async function newPage(request: PageRequest, draft?: Draft, refusal?: Partial<Refusal>): Promise<Answer> {
  const { html: text, folderId } = draft ?? { html: '', folderId: listPlaceOf(request).folderId ?? 0 };
  const found = await loadList(request);
  const fields = noteFields(request, refusal?.error);
  const data = { kind: 'new', user: String(request.user.id), note: 'new', drafts: draftKeys(request) };
  const form = postForm(
    request,
    { action: `${PATH}/new${inList(request)}`, once: true, id: 'note-form', data },
    html`<div class="as-html">${htmlField(fields, text)}</div>
<div class="foot">${folderSelect(fields, found.folders, folderId)}${button('Create note', { icon: 'save' })}${stateLine}</div>`,
  );
  return panes(request, found, {
    title: 'New note',
    status: refusal?.status ?? 200,
    one: html`${problemBox(refusal?.problem)}
${writing('note-html')}
${form}
<div id="about"></div>`,
  });
}

async function create(request: PageRequest): Promise<Answer> {
  const draft = draftOf(request);
  return submitted(request, createNote, () => draft, {
    labels: noteLabels,
    done: ({ id }) => ({ redirect: noteAt(request, id), notice: 'created' }),
    again: (refusal) => newPage(request, draft, refusal),
    gone: () => newPage(request, draft, refusalOf(missingFolder(), noteLabels)),
  });
}

export const newNoteRoutes: PageRoute[] = [
  { method: 'GET', path: `${PATH}/new`, handle: (request) => newPage(request) },
  { method: 'POST', path: `${PATH}/new`, handle: create },
];
