/** One note as a page: what it says, its forms, and the two texts of a conflict. */
import type { Folder, OwnNote } from '../../personal-notes/pageQueries.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest } from '../frame/page.ts';
import { moment } from '../frame/widgets.ts';
import { attachmentList } from './attached.ts';
import { shownNote } from './html.ts';
import { passwordInput } from './opened.ts';
import { at, type Draft, folderSelect, htmlField, noteFields, passphraseFields, problemOf, script, styles } from './parts.ts';

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

function editForm(request: PageRequest, note: OwnNote, folders: readonly Folder[], draft: Draft): Content {
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

/** Both texts, and nothing lost: what was typed in the form, what is stored beside it. */
export function conflictPage(request: PageRequest, note: OwnNote, folders: readonly Folder[], draft: Draft): Answer {
  return {
    status: 409,
    title: 'The note has changed meanwhile',
    body: html`${styles(request)}
<p class="error" role="alert">Somebody, perhaps one of your agents, changed this note after you opened it. Bring the two texts together and save, or leave it as it is stored.</p>
<div class="sides">
<section><h2>Your text, not saved yet</h2>${editForm(request, note, folders, draft)}</section>
<section><h2>What is stored now</h2><p class="muted">revision ${note.revision}, changed ${moment(note.updatedAt)}</p><pre class="text" tabindex="0" aria-label="Stored text, as HTML">${note.html}</pre>
${note.protection === 'none' && html`<p><a href="${at(request, `/${note.id}`)}">Leave it so</a></p>`}</section>
</div>
${script(request)}`,
  };
}
