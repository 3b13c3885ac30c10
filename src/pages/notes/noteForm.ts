/** What the forms and pages of personal notes are made of: addresses, the draft of a text, and form fields. */
import type { Folder, OwnNote } from '../../personal-notes/ownNotes.ts';
import { type AppError, InvalidRequest } from '../../values/errors.ts';
import { button } from '../frame/components/button.ts';
import type { Labels } from '../frame/faults.ts';
import { Fields } from '../frame/fields.ts';
import { type Content, html } from '../frame/html.ts';
import type { PageRequest } from '../frame/page.ts';
import { type PostForm, postForm } from '../frame/postForm.ts';
import { option } from '../frame/widgets.ts';
import { openedMark } from './passwordProof.ts';
import { inList } from './wanted.ts';

export const PATH = '/my/notes';

/** A text being edited. */
export interface Draft {
  html: string;
  folderId: number;
}

export const draftOf = ({ form }: PageRequest): Draft => ({ html: form.raw('html'), folderId: form.id('folderId') });

export const at = ({ basePath }: PageRequest, rest = '') => `${basePath}${PATH}${rest}`;

/** Where a note stands, in the list that one came from. */
export const noteAt = (request: PageRequest, id: number): string => `${PATH}/${id}${inList(request)}`;

/** What the forms of a note call their fields; what is not typed needs no name. */
export const noteLabels: Labels = {
  html: 'Text, as HTML',
  folderId: 'Folder',
  file: 'File',
  cipher: '',
  revision: '',
  attachments: 'Attachments',
};

/** The fields of a form of a note; `error`: why it was refused. What the rules of HTML find says by itself where it is. */
export const noteFields = ({ form }: PageRequest, error?: AppError): Fields => new Fields(noteLabels, error && { error, form }, 'html');

/** The folder is gone meanwhile, which may be told: it was the reader's own. */
export const folderIsGone = () => new InvalidRequest(['folderId'], 'it is gone; choose another one.');

export function folderSelect(fields: Fields, folders: readonly Folder[], chosen: number): Content {
  const offered = [option('0', 'none', String(chosen)), ...folders.map(({ id, name }) => option(String(id), name, String(chosen)))];
  return fields.field('folderId', (mark) => html`<select name="folderId"${mark}>${offered}</select>`);
}

/** The note's text as HTML to edit, where no script makes an editor of it. The line feed is for HTML, which drops the first one in a textarea. */
export function htmlField(fields: Fields, text: string): Content {
  return html`<label>${noteLabels.html} <textarea name="html" id="note-html" rows="14" maxlength="131072" spellcheck="true"${fields.mark('html', 'html-help')}>${'\n'}${text}</textarea></label>${fields.note('html')}
<p id="html-help"><small>Its first line is the title. Paragraphs, headings, lists, quotes, code, tables, bold, italic and links are allowed; nothing is ever rewritten.</small></p>`;
}

/** A form about a note as it was read; `action` is below the note's address. Those of an opened page prove that it was opened. */
export function noteForm(request: PageRequest, note: OwnNote, form: PostForm, ...content: Content[]): Content {
  const { id, revision, protection } = note;
  const opened = protection === 'locked' && note.readable ? openedMark(request, id, revision) : null;
  const hidden = { revision, opened, ...form.hidden };
  return postForm(request, { once: true, ...form, action: `${PATH}/${id}${form.action}${inList(request)}`, hidden }, ...content);
}

/** Of a note that can't be read here and now: its folder alone. */
export const moveForm = (request: PageRequest, note: OwnNote, folders: readonly Folder[]): Content =>
  noteForm(
    request,
    note,
    { action: '/move', class: 'in-line' },
    folderSelect(noteFields(request), folders, note.folderId),
    button('Move', { small: true }),
  );

/** What the script binds a ciphertext to. */
export const boundTo = ({ user }: PageRequest, noteId: number) => ({ user: String(user.id), note: String(noteId) });

/** Without names, so that no browser ever sends them, with a script or without. */
export const passphraseFields: Content = html`<p class="error" data-without-script>This needs JavaScript: your browser encrypts the text itself, so that it never leaves your machine readable.</p>
<p class="error" role="alert" data-problem hidden></p>
<div class="sides">
<label>Passphrase <input type="password" data-passphrase required minlength="8" autocomplete="new-password"></label>
<label>Passphrase again <input type="password" data-again required minlength="8" autocomplete="new-password"></label>
</div>
<p><small>Nobody can help when it is lost: without the passphrase the text is gone.</small></p>`;
