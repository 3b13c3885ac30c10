import type { Folder, OwnNote } from '../../personal-notes/ownNotes.ts';
import { type AppError, InvalidRequest } from '../../values/errors.ts';
import { button } from '../frame/components/button.ts';
import { Fields } from '../frame/fields.ts';
import type { Labels } from '../frame/forms.ts';
import { type Content, html } from '../frame/html.ts';
import type { PageRequest } from '../frame/page.ts';
import { type PostForm, postForm } from '../frame/postForm.ts';
import { option } from '../frame/widgets.ts';
import { openedMark } from './proofs.ts';
import { inList } from './wanted.ts';

export const PATH = '/my/notes';

export interface Draft {
  html: string;
  folderId: number;
}

export const draftOf = ({ form }: PageRequest): Draft => ({ html: form.raw('html'), folderId: form.id('folderId') });

export const at = ({ basePath }: PageRequest, rest = '') => `${basePath}${PATH}${rest}`;

/** URL of a note, with the current list. */
export const noteAt = (request: PageRequest, id: number): string => `${PATH}/${id}${inList(request)}`;

export const noteLabels: Labels = {
  html: 'Text, as HTML',
  folderId: 'Folder',
  file: 'File',
  cipher: '',
  revision: '',
  attachments: 'Attachments',
};

/** Form fields of a note. `error`: the refusal; errors without a path belong to the HTML field. */
export const noteFields = ({ form }: PageRequest, error?: AppError): Fields => new Fields(noteLabels, error && { error, form }, 'html');

/** The message is safe to show: the folder was the user's own. */
export const missingFolder = () => new InvalidRequest(['folderId'], 'this folder no longer exists. Choose another one.');

export function folderSelect(fields: Fields, folders: readonly Folder[], chosen: number): Content {
  const offered = [option('0', 'none', String(chosen)), ...folders.map(({ id, name }) => option(String(id), name, String(chosen)))];
  return fields.field('folderId', (mark) => html`<select name="folderId"${mark}>${offered}</select>`);
}

/** The fallback without script. Starts with a line end, because HTML drops the first one in a textarea. */
export function htmlField(fields: Fields, text: string): Content {
  return html`<label>${noteLabels.html} <textarea name="html" id="note-html" rows="14" maxlength="131072" spellcheck="true"${fields.mark('html', 'html-help')}>${'\n'}${text}</textarea></label>${fields.note('html')}
<p id="html-help"><small>The first line is the title.</small></p>`;
}

/** A form for one revision of a note; `action` is below the note's URL. Forms of an opened note contain the proof. */
export function noteForm(request: PageRequest, note: OwnNote, form: PostForm, ...content: Content[]): Content {
  const { id, revision, protection } = note;
  const opened = protection === 'locked' && note.readable ? openedMark(request, id, revision) : null;
  const hidden = { revision, opened, ...form.hidden };
  return postForm(request, { once: true, ...form, action: `${PATH}/${id}${form.action}${inList(request)}`, hidden }, ...content);
}

export const moveForm = (request: PageRequest, note: OwnNote, folders: readonly Folder[]): Content =>
  noteForm(
    request,
    note,
    { action: '/move', class: 'in-line' },
    folderSelect(noteFields(request), folders, note.folderId),
    button('Move', { small: true }),
  );

/** The ciphertext is bound to these ids. */
export const boundTo = ({ user }: PageRequest, noteId: number) => ({ user: String(user.id), note: String(noteId) });

/** Fields have no name, so browsers never send them. */
export const passphraseFields: Content = html`<p class="error" data-without-script>To encrypt a note, turn on JavaScript. Your browser encrypts the text before it is sent.</p>
<p class="error" role="alert" data-problem hidden></p>
<div class="sides">
<label>Passphrase <input type="password" data-passphrase required minlength="8" autocomplete="new-password"></label>
<label>Confirm passphrase <input type="password" data-again required minlength="8" autocomplete="new-password"></label>
</div>
<p><small>Keep the passphrase safe. Without it, the text cannot be recovered.</small></p>`;
