/** One readable note as a page: what it says, and the forms to edit it, to attach files, to protect and to delete it. */
import { outputOf } from '../../operations/json.ts';
import { perform } from '../../operations/perform.ts';
import { type Folder, getOwnNote, type OwnNote } from '../../personal-notes/ownNotes.ts';
import type { AppError } from '../../values/errors.ts';
import { clockOf } from '../frame/clock.ts';
import { ago } from '../frame/components/when.ts';
import type { Fields } from '../frame/fields.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest } from '../frame/page.ts';
import { problemBox } from '../frame/widgets.ts';
import { shownNote } from './html.ts';
import { at, boundTo, type Draft, folderSelect, htmlField, noteFields, noteForm, passphraseFields } from './noteForm.ts';
import { passwordInput } from './passwordProof.ts';

/** The note of the address; `opened`: its password was given. */
export const loadNote = async ({ deps, caller, params }: PageRequest, opened = false) =>
  outputOf(await perform(deps.db, caller, getOwnNote, { id: Number(params.noteId), opened }));

interface Shown {
  problem?: string | undefined;
  /** Why the draft, or a file, was refused. */
  error?: AppError;
  /** What was typed, when it could not be saved. */
  draft?: Draft | undefined;
  status?: number | undefined;
  /** What has just happened, for pages that are no redirect. */
  said?: string;
}

/** A note that can be read here and now: unprotected, or locked and opened. */
export function notePage(request: PageRequest, note: OwnNote, folders: readonly Folder[], shown: Shown = {}): Answer {
  const { problem, draft, error, status = 200, said } = shown;
  return {
    title: note.title || 'Note without text',
    status,
    scripts: ['notes'],
    body: html`${said && html`<p role="status" class="notice">${said}</p>`}
${problemBox(problem)}
<p class="muted">${note.protection === 'locked' && 'Locked, open on this page only · '}changed ${ago(note.updatedAt, clockOf(request))} · revision ${note.revision} · <a href="${at(request)}">All notes</a></p>
<article class="note" tabindex="0" aria-label="The note">${shownNote(note.html)}</article>
<details${draft ? html` open` : ''}><summary>Edit</summary>${editForm(request, note, folders, draft ? { draft, error } : {})}</details>
${attachmentList(request, note, noteFields(request, error))}
${protectionForms(request, note)}`,
  };
}

interface Edited {
  /** What was typed, when it could not be saved. */
  draft?: Draft;
  error?: AppError | undefined;
}

export function editForm(request: PageRequest, note: OwnNote, folders: readonly Folder[], { draft, error }: Edited): Content {
  const { html: text, folderId } = draft ?? note;
  const shown = noteFields(request, error);
  const fields = [htmlField(shown, text), folderSelect(shown, folders, folderId)];
  return noteForm(request, note, { action: '' }, fields, html`<button>Save</button>`);
}

function protectionForms(request: PageRequest, note: OwnNote): Content {
  if (note.protection === 'locked') {
    return html`<h2>Protection</h2>
<p>This note is locked: it opens with your account's password, and your agents can't see that it is there.</p>
${noteForm(request, note, { action: '/unlock', class: 'actions' }, passwordInput, html`<button class="secondary">Unlock for good</button>`)}
${deleteLink(request, note)}`;
  }
  return html`<h2>Protection</h2>
${lockForm(request, note)}
<details><summary>Encrypt</summary>${encryptForm(request, note)}</details>
${deleteLink(request, note)}`;
}

const lockForm = (request: PageRequest, note: OwnNote): Content =>
  noteForm(
    request,
    note,
    { action: '/lock', class: 'plain apart' },
    html`<button class="secondary outline">Lock</button> <small class="muted">It will open with your account's password only, and your agents can't see it.</small>`,
  );

const deleteLink = (request: PageRequest, note: OwnNote): Content =>
  html`<p class="apart"><a href="${at(request, `/${note.id}/delete`)}">Delete this note…</a></p>`;

function encryptForm(request: PageRequest, note: OwnNote): Content {
  if (note.attachments.length) return html`<p>Attachments are not encrypted with a note: delete them first.</p>`;
  const hidden = { folderId: note.folderId, cipher: '' };
  return noteForm(
    request,
    note,
    { action: '/encrypt', hidden, data: { encrypt: 'note-html', ...boundTo(request, note.id) }, autocomplete: 'off' },
    html`<p>Encrypts the text in the editor above in this browser. From then on this service has the ciphertext only; what it held before is replaced.</p>
${passphraseFields}
<button disabled>Encrypt</button>`,
  );
}

function attachmentList(request: PageRequest, note: OwnNote, fields: Fields): Content {
  const upload = noteForm(
    request,
    note,
    { action: '/files', multipart: true, class: 'plain actions' },
    html`${fields.field('file', (mark) => html`<input type="file" name="file" required${mark}>`, null, 'Add a file of up to 5 MiB')}<button class="secondary outline">Upload</button>`,
  );
  return html`<h2>Attachments</h2>
${
  note.attachments.length > 0 &&
  html`<ul>${note.attachments.map(
    (file) => html`<li class="actions">${download(request, note, file)} <small class="muted">${sizeOf(file.bytes)}</small>
${deleteFileForm(request, note, file)}</li>`,
  )}</ul>`
}
${upload}`;
}

const deleteFileForm = (request: PageRequest, note: OwnNote, { id, name }: { id: number; name: string }): Content =>
  noteForm(
    request,
    note,
    { action: `/files/${id}/delete`, confirm: `Delete ${name}?`, class: 'plain' },
    html`<button class="secondary outline" aria-label="Delete ${name}">Delete</button>`,
  );

/** A locked note's file is asked for by form: the proof that the note is open must not be part of an address. */
function download(request: PageRequest, note: OwnNote, { id, name }: { id: number; name: string }): Content {
  if (note.protection !== 'locked') return html`<a href="${at(request, `/${note.id}/files/${id}`)}">${name}</a>`;
  const form = { action: `/files/${id}`, class: 'plain', data: { many: true } } as const;
  return noteForm(request, note, form, html`<button class="secondary outline">${name}</button>`);
}

function sizeOf(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  return bytes < 1024 * 1024 ? `${Math.round(bytes / 1024)} KiB` : `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}
