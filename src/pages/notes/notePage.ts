/** One readable note as a page: what it says, and the forms to edit it, to attach files, to protect and to delete it. */
import { perform } from '../../operations/perform.ts';
import { getOwnNote, type ShownNote } from '../../personal-notes/ownNotes.ts';
import type { Folder, OwnNote } from '../../personal-notes/pageQueries.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest } from '../frame/page.ts';
import { moment } from '../frame/widgets.ts';
import { shownNote } from './html.ts';
import { at, type Draft, folderSelect, htmlField, noteFields, passphraseFields, problemOf, script, styles } from './noteForm.ts';
import { passwordInput } from './passwordProof.ts';

/** The note of the address; `opened`: its password was given. */
export const loadNote = async ({ deps, caller, params }: PageRequest, opened = false) =>
  (await perform(deps.db, caller, getOwnNote, { id: Number(params.noteId), opened })) as ShownNote;

interface Shown {
  problem?: string | undefined;
  /** What was typed, when it could not be saved. */
  draft?: Draft | undefined;
  status?: number;
  /** What has just happened, for pages that are no redirect. */
  said?: string;
}

/** A note that can be read here and now: unprotected, or locked and opened. */
export function notePage(request: PageRequest, note: OwnNote, folders: readonly Folder[], shown: Shown = {}): Answer {
  const { problem, draft, status = 200, said } = shown;
  return {
    title: note.title || 'Note without text',
    status,
    body: html`${styles(request)}
${said && html`<p role="status" class="notice">${said}</p>`}
${problemOf(problem)}
<p class="muted">${note.protection === 'locked' && 'Locked, open on this page only · '}changed ${moment(note.updatedAt)} · revision ${note.revision} · <a href="${at(request)}">All notes</a></p>
<article class="note" tabindex="0" aria-label="The note">${shownNote(note.html)}</article>
<details${draft ? html` open` : ''}><summary>Edit</summary>${editForm(request, note, folders, draft ?? note)}</details>
${attachmentList(request, note)}
${protectionForms(request, note)}
${script(request)}`,
  };
}

export function editForm(request: PageRequest, note: OwnNote, folders: readonly Folder[], draft: Draft): Content {
  return html`<form method="post" action="${at(request, `/${note.id}`)}">${noteFields(request, note)}
${htmlField(draft.html)}
${folderSelect(folders, draft.folderId)}
<button>Save</button>
</form>`;
}

function protectionForms(request: PageRequest, note: OwnNote): Content {
  const place = at(request, `/${note.id}`);
  const fields = noteFields(request, note);
  if (note.protection === 'locked') {
    return html`<h2>Protection</h2>
<p>This note is locked: it opens with your account's password, and your agents can't see that it is there.</p>
<form method="post" action="${place}/unlock" class="actions">${fields}${passwordInput}<button class="secondary">Unlock for good</button></form>
${deleteLink(request, note)}`;
  }
  return html`<h2>Protection</h2>
<form method="post" action="${place}/lock" class="plain apart">${fields}<button class="secondary outline">Lock</button> <small class="muted">It will open with your account's password only, and your agents can't see it.</small></form>
<details><summary>Encrypt</summary>${encryptForm(request, note)}</details>
${deleteLink(request, note)}`;
}

const deleteLink = (request: PageRequest, note: OwnNote): Content =>
  html`<p class="apart"><a href="${at(request, `/${note.id}/delete`)}">Delete this note…</a></p>`;

function encryptForm(request: PageRequest, note: OwnNote): Content {
  if (note.attachments.length) return html`<p>Attachments are not encrypted with a note: delete them first.</p>`;
  return html`<form method="post" action="${at(request, `/${note.id}/encrypt`)}" data-encrypt="note-html" autocomplete="off">${noteFields(request, note)}
<input type="hidden" name="folderId" value="${note.folderId}"><input type="hidden" name="cipher">
<p>Encrypts the text in the editor above in this browser. From then on this service has the ciphertext only; what it held before is replaced.</p>
${passphraseFields}
<button disabled>Encrypt</button>
</form>`;
}

function attachmentList(request: PageRequest, note: OwnNote): Content {
  const fields = noteFields(request, note);
  const place = at(request, `/${note.id}/files`);
  return html`<h2>Attachments</h2>
${
  note.attachments.length > 0 &&
  html`<ul>${note.attachments.map(
    (file) => html`<li class="actions">${download(request, note, file)} <small class="muted">${sizeOf(file.bytes)}</small>
<form method="post" action="${place}/${file.id}/delete" class="plain" data-confirm="Delete ${file.name}?">${fields}<button class="secondary outline" aria-label="Delete ${file.name}">Delete</button></form></li>`,
  )}</ul>`
}
<form method="post" action="${place}" enctype="multipart/form-data" class="plain actions">${fields}
<label>Add a file of up to 5 MiB <input type="file" name="file" required></label><button class="secondary outline">Upload</button></form>`;
}

/** A locked note's file is asked for by form: the proof that the note is open must not be part of an address. */
function download(request: PageRequest, note: OwnNote, { id, name }: { id: number; name: string }): Content {
  const place = at(request, `/${note.id}/files/${id}`);
  if (note.protection !== 'locked') return html`<a href="${place}">${name}</a>`;
  return html`<form method="post" action="${place}" class="plain" data-many>${noteFields(request, note)}<button class="secondary outline">${name}</button></form>`;
}

function sizeOf(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  return bytes < 1024 * 1024 ? `${Math.round(bytes / 1024)} KiB` : `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}
