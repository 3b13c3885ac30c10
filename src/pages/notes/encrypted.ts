/** The browser encrypts and decrypts (static/js/notesCipher.ts, notesProtected.ts). Fields for text and passphrase have no name, so that
 *  they never reach the server, even without script. */

import type { OwnNote } from '../../personal-notes/ownNotes.ts';
import { createEncryptedNote, decryptNote, encryptNote } from '../../personal-notes/protection.ts';
import { type AppError, InvalidRequest } from '../../values/errors.ts';
import { clockOf } from '../frame/clock.ts';
import { button } from '../frame/components/button.ts';
import { ago } from '../frame/components/when.ts';
import { problemOf } from '../frame/forms.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { type Refusal, submitted } from '../frame/submitted.ts';
import { problemBox } from '../frame/widgets.ts';
import { stateLine, writing } from './new.ts';
import {
  at,
  boundTo,
  type Draft,
  draftOf,
  folderSelect,
  moveForm,
  noteAt,
  noteFields,
  noteForm,
  noteLabels,
  PATH,
  passphraseFields,
} from './noteForm.ts';
import { deleteLink, notSaved, refusedOnNote } from './notePage.ts';
import { findNote, type Loaded, loadList, panes } from './panes.ts';
import { isReserved, reservedMark } from './proofs.ts';
import { inList, listPlaceOf, noteIdOf } from './wanted.ts';

const field: Content = html`<label class="as-html">Text, as HTML <textarea id="secret-html" rows="14" maxlength="131072"></textarea></label>`;

async function newPage(request: PageRequest, refusal?: Refusal): Promise<Answer> {
  const found = await loadList(request, { reserve: true });
  const { reserved: id } = found;
  if (id === null) throw new Error('No id is reserved.');
  const fields = noteFields(request, refusal?.error);
  const hidden = { cipher: '', id, reserved: reservedMark(request, id) };
  const data = { encrypt: 'secret-html', kind: 'secret', ...boundTo(request, id) };
  const folder = Number(fields.value('folderId', String(listPlaceOf(request).folderId ?? 0)));
  const form = postForm(
    request,
    { action: `${PATH}/new-encrypted${inList(request)}`, once: true, hidden, data, autocomplete: 'off' },
    [field, folderSelect(fields, found.folders, folder), passphraseFields],
    html`<button class="btn primary" disabled>Encrypt and save</button>`,
  );
  return panes(request, found, {
    title: 'New encrypted note',
    status: refusal?.status ?? 200,
    one: html`${problemBox(refusal?.problem)}
<p>Your browser encrypts the text with your passphrase before it is sent. Stint and your agents never see the text.</p>
${writing('secret-html')}
${form}`,
  });
}

/** `mine`: a text that could not be saved because the note changed; only when encryption is removed. */
export function encryptedPage(request: PageRequest, found: Loaded, mine?: Draft): Answer {
  const { note, folders } = found;
  return panes(request, found, {
    title: mine ? 'The note has changed' : 'Encrypted note',
    status: mine ? 409 : 200,
    meta: html`<span data-meta>changed ${ago(note.updatedAt, clockOf(request))} · revision ${note.revision}</span>`,
    one: html`${mine && html`<p class="error" role="alert">This note has changed since you opened it. Enter the passphrase to compare both versions, then save.</p>`}
<form data-decrypt data-user="${request.user.id}" data-note="${note.id}" data-cipher="${note.cipher ?? ''}"${mine && html` data-mine-html="${mine.html}"`} autocomplete="off">
<p class="error" data-without-script>To open this note, turn on JavaScript. Only your browser can decrypt it.</p>
<p class="error" role="alert" data-problem hidden></p>
<label>Passphrase <input type="password" data-passphrase required autocomplete="off"></label>
<button class="btn primary" disabled>Open</button>
</form>
<div data-decrypted hidden>
${writing('secret-html')}
${reencryptForm(request, found)}
${decryptForm(request, note)}
</div>
<div id="about"><div data-encrypted>${moveForm(request, note, folders)}</div>
${files(request, note)}
${deleteLink(request, note)}</div>`,
  });
}

const reencryptForm = (request: PageRequest, { note, folders }: Loaded): Content =>
  noteForm(
    request,
    note,
    {
      action: '/encrypt',
      id: 'note-form',
      once: false,
      hidden: { cipher: '' },
      data: { kind: 'encrypted', ...boundTo(request, note.id) },
      autocomplete: 'off',
    },
    html`<p class="error" role="alert" data-problem hidden></p>${field}
<div class="foot">${folderSelect(noteFields(request), folders, note.folderId)}${button('Encrypt and save', { icon: 'save' })}${stateLine}</div>`,
  );

const decryptForm = (request: PageRequest, note: OwnNote): Content =>
  noteForm(
    request,
    note,
    {
      action: '/decrypt',
      once: false,
      hidden: { folderId: note.folderId, html: '' },
      class: 'in-line',
      data: { 'give-up': 'secret-html' },
    },
    html`${button('Remove encryption', { small: true })} <small>Stint and agents with access to your notes can then read the text.</small>`,
  );

/** Only imported notes can have attachments here. */
function files(request: PageRequest, note: OwnNote): Content {
  if (!note.attachments.length) return '';
  return html`<h2>Attachments (not encrypted)</h2><ul>${note.attachments.map(({ id, name }) => html`<li><a href="${at(request, `/${note.id}/files/${id}`)}">${name}</a></li>`)}</ul>`;
}

function newNote(request: PageRequest) {
  const { form } = request;
  const content = { cipher: form.raw('cipher'), folderId: form.id('folderId') };
  const id = form.id('id');
  if (!id) return content;
  if (!isReserved(request, id)) throw new InvalidRequest(['cipher'], 'reload the page, then encrypt again.');
  return { ...content, id };
}

async function create(request: PageRequest): Promise<Answer> {
  return submitted(request, createEncryptedNote, () => newNote(request), {
    labels: noteLabels,
    done: ({ id }) => ({ redirect: noteAt(request, id), notice: 'created' }),
    again: (refusal) => newPage(request, refusal),
  });
}

/** Encrypts an unprotected note. autosave.ts saves encrypted notes again. */
async function encrypt(request: PageRequest): Promise<Answer> {
  const id = noteIdOf(request);
  const cipher = request.form.raw('cipher');
  return submitted(request, encryptNote, (form) => ({ id, revision: form.id('revision'), cipher, folderId: form.id('folderId') }), {
    labels: noteLabels,
    done: () => ({ redirect: noteAt(request, id), notice: 'saved' }),
    again: refusedOnNote(request),
  });
}

/** Removes the encryption. HTML that is not allowed is refused and nothing is saved. */
async function decrypt(request: PageRequest): Promise<Answer> {
  const id = noteIdOf(request);
  const draft = draftOf(request);
  return submitted(request, decryptNote, (form) => ({ id, revision: form.id('revision'), ...draft }), {
    done: () => ({ redirect: noteAt(request, id), notice: 'saved' }),
    again: ({ error }) => stillEncrypted(request, error, draft),
    gone: (error) => stillEncrypted(request, error, draft),
  });
}

/** Shows the draft again, whatever happened to the note. */
async function stillEncrypted(request: PageRequest, error: AppError, draft: Draft): Promise<Answer> {
  const found = await findNote(request);
  if (found?.note.protection !== 'encrypted') return notSaved(request, error, draft, false);
  if (error.code === 'conflict') return encryptedPage(request, found, draft);
  if (error.code !== 'invalid_request') throw error;
  const page = encryptedPage(request, found);
  return 'body' in page ? { ...page, status: 400, notice: problemBox(problemOf(error, noteLabels)) } : page;
}

export const noteEncryptionRoutes: PageRoute[] = [
  { method: 'GET', path: `${PATH}/new-encrypted`, handle: (request) => newPage(request) },
  { method: 'POST', path: `${PATH}/new-encrypted`, handle: create },
  { method: 'POST', path: `${PATH}/:noteId/encrypt`, handle: encrypt },
  { method: 'POST', path: `${PATH}/:noteId/decrypt`, handle: decrypt },
];
