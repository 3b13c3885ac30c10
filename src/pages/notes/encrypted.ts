/** Encrypted notes. The browser encrypts and decrypts (static/notes.js); the forms here have no named field for a text or a passphrase,
 *  so that neither can reach the server even where the script does not run. */

import { outputOf } from '../../operations/json.ts';
import { perform } from '../../operations/perform.ts';
import { type Folder, listOwnNotes, type OwnNote } from '../../personal-notes/ownNotes.ts';
import { createEncryptedNote, decryptNote, encryptNote, reserveNoteId } from '../../personal-notes/protection.ts';
import { type AppError, InvalidRequest } from '../../values/errors.ts';
import { clockOf } from '../frame/clock.ts';
import { ago } from '../frame/components/when.ts';
import { problemOf } from '../frame/faults.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { type Refusal, submitted } from '../frame/submitted.ts';
import { problemBox } from '../frame/widgets.ts';
import { at, boundTo, type Draft, draftOf, folderSelect, noteFields, noteForm, noteLabels, PATH, passphraseFields } from './noteForm.ts';
import { loadNote, notePage } from './notePage.ts';
import { notSaved } from './notSaved.ts';
import { isReserved, reservedMark } from './reservation.ts';

const editor = (rows: number): Content =>
  html`<label>Text, as HTML <textarea id="secret-html" rows="${rows}" maxlength="131072" data-toolbar></textarea></label>`;

async function newPage(request: PageRequest, refusal?: Refusal): Promise<Answer> {
  const { folders } = outputOf(await perform(request.deps.db, request.caller, listOwnNotes, { folderId: 0, search: '', page: 1 }));
  // Not as the form that was just refused: a change claims that one as sent (operations/sentForms.ts).
  const { kind, hash } = request.caller;
  const { id } = outputOf(await perform(request.deps.db, { kind, hash }, reserveNoteId, {}));
  const fields = noteFields(request, refusal?.error);
  const hidden = { cipher: '', id, reserved: reservedMark(request, id) };
  const data = { encrypt: 'secret-html', ...boundTo(request, id) };
  const form = postForm(
    request,
    { action: `${PATH}/new-encrypted`, once: true, hidden, data, autocomplete: 'off' },
    [editor(14), folderSelect(fields, folders, Number(fields.value('folderId'))), passphraseFields],
    html`<button disabled>Encrypt and save</button>`,
  );
  return {
    title: 'New encrypted note',
    status: refusal?.status ?? 200,
    scripts: ['notes'],
    body: html`${problemBox(refusal?.problem)}
<p>Your browser encrypts the text with your passphrase before it sends anything: this service never sees the text, its first line or the passphrase. Your agents can't see the note at all.</p>
${form}
<p class="apart"><a href="${at(request)}">All notes</a></p>`,
  };
}

/** A text that could not be saved over another one: as ciphertext, or as it was sent to have the encryption removed. */
type Mine = { cipher: string } | { html: string };

export function encryptedPage(request: PageRequest, note: OwnNote, folders: readonly Folder[], mine?: Mine): Answer {
  return {
    title: mine ? 'The note has changed meanwhile' : 'Encrypted note',
    status: mine ? 409 : 200,
    scripts: ['notes'],
    body: html`${mine && html`<p class="error" role="alert">This note was changed after you opened it. Give the passphrase to see both texts, bring them together and save.</p>`}
<p class="muted">changed ${ago(note.updatedAt, clockOf(request))} · revision ${note.revision} · <a href="${at(request)}">All notes</a></p>
<form data-decrypt data-user="${request.user.id}" data-note="${note.id}" data-cipher="${note.cipher ?? ''}"${mine && ('cipher' in mine ? html` data-mine="${mine.cipher}"` : html` data-mine-html="${mine.html}"`)} autocomplete="off">
<p class="error" data-without-script>Opening this note needs JavaScript: your browser decrypts it itself, and this service has the ciphertext only.</p>
<p class="error" role="alert" data-problem hidden></p>
<label>Passphrase <input type="password" data-passphrase required autocomplete="off"></label>
<button disabled>Open</button>
</form>
<div data-decrypted hidden>
${mine && html`<h2>What is stored now</h2>`}
<article class="note" tabindex="0" aria-label="The note" data-shown></article>
<details${mine ? html` open` : ''}><summary>${mine ? 'Your text, not saved yet' : 'Edit'}</summary>
${reencryptForm(request, note, folders)}</details>
${decryptForm(request, note)}
</div>
${files(request, note)}
<p class="apart"><a href="${at(request, `/${note.id}/delete`)}">Delete this note…</a></p>`,
  };
}

const reencryptForm = (request: PageRequest, note: OwnNote, folders: readonly Folder[]): Content =>
  noteForm(
    request,
    note,
    {
      action: '/encrypt',
      once: false,
      hidden: { cipher: '' },
      data: { reencrypt: 'secret-html', ...boundTo(request, note.id) },
      autocomplete: 'off',
    },
    html`<p class="error" role="alert" data-problem hidden></p>`,
    [editor(14), folderSelect(noteFields(request), folders, note.folderId)],
    html`<button>Encrypt and save</button>`,
  );

const decryptForm = (request: PageRequest, note: OwnNote): Content =>
  noteForm(
    request,
    note,
    {
      action: '/decrypt',
      once: false,
      hidden: { folderId: note.folderId, html: '' },
      class: 'plain apart',
      data: { 'give-up': 'secret-html' },
    },
    html`<button class="secondary outline">Remove the encryption</button> <small class="muted">This service, and agents that you let read your notes, get the text then.</small>`,
  );

/** Only an imported note can have some. */
function files(request: PageRequest, note: OwnNote): Content {
  if (!note.attachments.length) return '';
  return html`<h2>Attachments, not encrypted</h2><ul>${note.attachments.map(({ id, name }) => html`<li><a href="${at(request, `/${note.id}/files/${id}`)}">${name}</a></li>`)}</ul>`;
}

function newNote(request: PageRequest) {
  const { form } = request;
  const content = { cipher: form.raw('cipher'), folderId: form.id('folderId') };
  const id = form.id('id');
  if (!id) return content;
  if (!isReserved(request, id)) throw new InvalidRequest(['cipher'], 'reload the page and encrypt again.');
  return { ...content, id };
}

async function create(request: PageRequest): Promise<Answer> {
  return submitted(request, createEncryptedNote, () => newNote(request), {
    labels: noteLabels,
    done: ({ id }) => ({ redirect: `${PATH}/${id}`, notice: 'created' }),
    again: (refusal) => newPage(request, refusal),
  });
}

/** Of an unprotected note, or anew of an encrypted one; a conflict of the latter shows both once the passphrase is given. */
async function encrypt(request: PageRequest): Promise<Answer> {
  const id = Number(request.params.noteId);
  const cipher = request.form.raw('cipher');
  return submitted(request, encryptNote, (form) => ({ id, revision: form.id('revision'), cipher, folderId: form.id('folderId') }), {
    labels: noteLabels,
    done: () => ({ redirect: `${PATH}/${id}`, notice: 'saved' }),
    again: async ({ problem, status, error }) => {
      const { note, folders } = await loadNote(request);
      if (note.protection === 'encrypted' && status === 409) return encryptedPage(request, note, folders, { cipher });
      if (!note.readable) throw error;
      return notePage(request, note, folders, { problem, status });
    },
  });
}

/** The text comes back readable; what may not be in a readable note is shown with the reason, and nothing is saved. */
async function decrypt(request: PageRequest): Promise<Answer> {
  const id = Number(request.params.noteId);
  const draft = draftOf(request);
  return submitted(request, decryptNote, (form) => ({ id, revision: form.id('revision'), ...draft }), {
    done: () => ({ redirect: `${PATH}/${id}`, notice: 'saved' }),
    again: ({ error }) => stillEncrypted(request, error, draft),
    gone: (error) => stillEncrypted(request, error, draft),
  });
}

/** The draft is still there after a conflict, whatever has become of the note. */
async function stillEncrypted(request: PageRequest, error: AppError, draft: Draft): Promise<Answer> {
  const found = await loadNote(request).catch(() => null);
  if (found?.note.protection !== 'encrypted') return notSaved(request, error, draft, false);
  const { note, folders } = found;
  if (error.code === 'conflict') return encryptedPage(request, note, folders, draft);
  if (error.code !== 'invalid_request') throw error;
  const page = encryptedPage(request, note, folders);
  return 'body' in page ? { ...page, status: 400, body: [problemBox(problemOf(error, noteLabels)), page.body] } : page;
}

export const noteEncryptionRoutes: PageRoute[] = [
  { method: 'GET', path: `${PATH}/new-encrypted`, handle: (request) => newPage(request) },
  { method: 'POST', path: `${PATH}/new-encrypted`, handle: create },
  { method: 'POST', path: `${PATH}/:noteId/encrypt`, handle: encrypt },
  { method: 'POST', path: `${PATH}/:noteId/decrypt`, handle: decrypt },
];
