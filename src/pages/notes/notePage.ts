import { noteReader } from '../../personal-notes/html/readNoteHtml.ts';
import type { Folder, OwnNote } from '../../personal-notes/ownNotes.ts';
import { type AppError, InvalidRequest } from '../../values/errors.ts';
import { clockOf } from '../frame/clock.ts';
import { fold } from '../frame/components/boxes.ts';
import { button } from '../frame/components/button.ts';
import { ago } from '../frame/components/when.ts';
import type { Fields } from '../frame/fields.ts';
import { type Content, Html, html } from '../frame/html.ts';
import type { Answer, PageRequest } from '../frame/page.ts';
import { type Refusal, refusalOf } from '../frame/submitted.ts';
import { problemBox, sizeWords } from '../frame/widgets.ts';
import { draftKeys, newPage, stateLine, writing } from './new.ts';
import {
  at,
  boundTo,
  type Draft,
  folderSelect,
  htmlField,
  missingFolder,
  noteFields,
  noteForm,
  noteLabels,
  passphraseFields,
} from './noteForm.ts';
import { nameOf } from './noteList.ts';
import { findNote, type Loaded, loadNote, panes } from './panes.ts';
import { passwordInput } from './proofs.ts';
import { inList } from './wanted.ts';

/** A note that can't be shown in time can still be edited. */
const displayedNote = async ({ user }: PageRequest, stored: string): Promise<Content> =>
  noteReader.prepare(user.id, stored).then(
    (made) => new Html(made),
    (error) => {
      if (!(error instanceof InvalidRequest)) throw error;
      return html`<p class="meta">This note takes too long to show. Split it into several notes.</p>`;
    },
  );

interface Shown {
  problem?: string | undefined;
  error?: AppError;
  /** Text that could not be saved. */
  draft?: Draft | undefined;
  status?: number | undefined;
  said?: string;
}

export async function notePage(request: PageRequest, found: Loaded, shown: Shown = {}): Promise<Answer> {
  const { problem, draft, error, status = 200, said } = shown;
  const { note, folders } = found;
  const displayed = await displayedNote(request, note.html);
  return panes(request, found, {
    title: nameOf({ title: note.title, protection: 'none' }),
    status,
    meta: html`<span data-meta>${note.protection === 'locked' && 'Locked, opened on this page only · '}changed ${ago(note.updatedAt, clockOf(request))} · revision ${note.revision}</span>`,
    one: html`${said && html`<p role="status" class="notice">${said}</p>`}
${problemBox(problem)}
${writing('note-html', html`<article class="note prose" tabindex="0" aria-label="The note">${displayed}</article>`)}
${editForm(request, note, folders, draft ? { draft, error } : {})}
<div id="about">${attachmentList(request, note, noteFields(request, error))}
${protectionForms(request, note)}</div>`,
  });
}

/** Shows a refusal on the note, if it can still be read. */
export const refusedOnNote =
  (request: PageRequest, opened = false) =>
  async ({ problem, status, error }: Refusal): Promise<Answer> => {
    const found = await loadNote(request, opened);
    if (!found.note.readable) throw error;
    return notePage(request, found, { problem, status });
  };

interface Edited {
  /** Text that could not be saved. */
  draft?: Draft;
  error?: AppError | undefined;
  open?: boolean;
}

function editForm(request: PageRequest, note: OwnNote, folders: readonly Folder[], { draft, error, open }: Edited): Content {
  const { html: text, folderId } = draft ?? note;
  const fields = noteFields(request, error);
  const kind = note.protection === 'locked' ? 'locked' : 'plain';
  const data = { kind, ...boundTo(request, note.id), ...(kind === 'plain' && { drafts: draftKeys(request) }) };
  return noteForm(
    request,
    note,
    { action: '', id: 'note-form', data },
    html`<details class="as-html"${(draft || open) && html` open`}><summary>Edit</summary>${htmlField(fields, text)}</details>
<div class="foot">${folderSelect(fields, folders, folderId)}${button('Save', { icon: 'save' })}${stateLine}</div>`,
  );
}

function protectionForms(request: PageRequest, note: OwnNote): Content {
  if (note.protection === 'locked') {
    return html`<h2>Protection</h2>
<p>This note is locked with your account password. Your agents cannot see it.</p>
${noteForm(request, note, { action: '/unlock', class: 'in-line' }, passwordInput, button('Remove lock'))}
${deleteLink(request, note)}`;
  }
  return html`<h2>Protection</h2>
${lockForm(request, note)}
${fold('Encrypt', encryptForm(request, note))}
${deleteLink(request, note)}`;
}

const lockForm = (request: PageRequest, note: OwnNote): Content =>
  noteForm(
    request,
    note,
    { action: '/lock', class: 'in-line' },
    html`${button('Lock', { small: true, icon: 'lock' })} <small>Opens only with your account password. Your agents cannot see it.</small>`,
  );

export const deleteLink = (request: PageRequest, { id }: { id: number }): Content =>
  html`<p class="apart"><a href="${at(request, `/${id}/delete`)}">Delete note…</a></p>`;

function encryptForm(request: PageRequest, note: OwnNote): Content {
  if (note.attachments.length) return html`<p>Attachments are not encrypted. Delete them before you encrypt the note.</p>`;
  const hidden = { folderId: note.folderId, cipher: '' };
  return noteForm(
    request,
    note,
    { action: '/encrypt', hidden, data: { encrypt: 'note-html', ...boundTo(request, note.id) }, autocomplete: 'off' },
    html`<p>Your browser encrypts the text above. Stint then stores only the encrypted text.</p>
${passphraseFields}
<button class="btn" disabled>Encrypt</button>`,
  );
}

function attachmentList(request: PageRequest, note: OwnNote, fields: Fields): Content {
  const upload = noteForm(
    request,
    note,
    { action: '/files', multipart: true, class: 'in-line', data: { upload: true } },
    html`${fields.field('file', (mark) => html`<input type="file" name="file" required${mark}>`, null, 'Add a file of up to 5 MiB')}${button('Upload', { small: true })}`,
  );
  return html`<section id="files"><h2>Attachments</h2>
<p class="error" role="alert" data-file-problem hidden></p>
${
  note.attachments.length > 0 &&
  html`<ul>${note.attachments.map(
    (file) => html`<li class="actions">${download(request, note, file)} <small>${sizeWords(file.bytes)}</small>
${deleteFileForm(request, note, file)}</li>`,
  )}</ul>`
}
${upload}<p data-by-script hidden><small>You can also drop or paste files into the note.</small></p></section>`;
}

const deleteFileForm = (request: PageRequest, note: OwnNote, { id, name }: { id: number; name: string }): Content =>
  noteForm(
    request,
    note,
    { action: `/files/${id}/delete`, confirm: `Delete ${name}?`, class: 'plain' },
    button('Delete', { small: true, said: `Delete ${name}` }),
  );

/** Files of a locked note need a POST: the proof must not be in a URL. */
function download(request: PageRequest, note: OwnNote, { id, name }: { id: number; name: string }): Content {
  if (note.protection !== 'locked') return html`<a href="${at(request, `/${note.id}/files/${id}`)}">${name}</a>`;
  const form = { action: `/files/${id}`, class: 'plain', data: { many: true } } as const;
  return noteForm(request, note, form, button(name, { small: true, icon: 'download' }));
}

/** Shows why a note was not saved, always with the typed text. */
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
