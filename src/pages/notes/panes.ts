/** List on the left, note on the right; one at a time on phones. */

import { createFolder, deleteFolder, renameFolder } from '../../personal-notes/folders.ts';
import { type OpenNotes, type OwnNote, openNotes } from '../../personal-notes/ownNotes.ts';
import { moveNote } from '../../personal-notes/writeNote.ts';
import { Forbidden } from '../../values/errors.ts';
import { empty } from '../frame/components/boxes.ts';
import { linkButton } from '../frame/components/button.ts';
import { type Content, html } from '../frame/html.ts';
import type { Page } from '../frame/layout.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { call } from '../frame/session.ts';
import { handlersOn, type Refusal, submitted } from '../frame/submitted.ts';
import { problemBox } from '../frame/widgets.ts';
import { at, noteLabels, PATH } from './noteForm.ts';
import { folderLabels as labels, listPane } from './noteList.ts';
import { inList, listPlaceOf, noteIdOf } from './wanted.ts';

/** The list without a note. `reserve`: also reserves an id for a new note. */
export const loadList = (request: PageRequest, { reserve = false } = {}): Promise<OpenNotes> =>
  call(request, openNotes, { ...listPlaceOf(request), noteId: null, opened: false, reserve });

export type Loaded = OpenNotes & { note: OwnNote };

/** List and note. `opened`: the password was given. Throws Forbidden. */
export async function loadNote(request: PageRequest, opened = false): Promise<Loaded> {
  const found = await call(request, openNotes, { ...listPlaceOf(request), noteId: noteIdOf(request), opened, reserve: false });
  if (!found.note) throw new Forbidden();
  return { ...found, note: found.note };
}

/** As loadNote, but null if the note does not exist. */
export async function findNote(request: PageRequest, opened = false): Promise<Loaded | null> {
  try {
    return await loadNote(request, opened);
  } catch (error) {
    if (error instanceof Forbidden) return null;
    throw error;
  }
}

interface Panes extends Pick<Page, 'title' | 'meta' | 'tab'> {
  status?: number;
  one: Content;
  refusal?: Refusal | undefined;
}

export function panes(request: PageRequest, found: OpenNotes, { one, refusal, title, ...page }: Panes): Answer {
  const folder = listPlaceOf(request).folderId;
  const inFolder = folder && found.folders.some(({ id }) => id === folder) ? `?folder=${folder}` : '';
  const newHref = `${at(request, '/new')}${inFolder}`;
  return {
    ...page,
    title,
    wide: true,
    scripts: ['editor', 'notes'],
    sheets: ['editor', 'notes'],
    ...(one && { crumbs: html`<a href="${at(request)}${inList(request)}">All notes</a>` }),
    actions: html`${linkButton(`${at(request, '/new-encrypted')}${inFolder}`, 'New encrypted note', { icon: 'lock', iconOnPhone: true })}${linkButton(newHref, 'New note', { kind: 'primary', icon: 'plus', key: 'N', iconOnPhone: Boolean(one) })}`,
    body: html`<div class="notes${one && ' open'}">
${listPane(request, found, refusal)}
<div class="notes-one">${one || nothingOpen(request, found, linkButton(newHref, 'New note', { icon: 'plus' }))}</div>
</div>`,
  };
}

const signs: readonly [typed: string, becomes: string][] = [
  ['#', 'heading'],
  ['-', 'list'],
  ['1.', 'numbered list'],
  ['>', 'quote'],
  ['```', 'code'],
  ['---', 'line'],
  ['**words**', 'bold'],
  ['*words*', 'italic'],
];

function nothingOpen(request: PageRequest, { notes }: OpenNotes, newNote: Content): Content {
  const { folderId, search } = listPlaceOf(request);
  const first = notes.length === 0 && folderId === null && !search;
  const agents = html`<a href="${request.basePath}/mcp-access">agent</a>`;
  return html`<div class="begin">${empty({
    icon: 'notebook-pen',
    title: first ? 'No notes yet' : 'Select a note, or create one',
    text: html`Only you can see your notes. To give an agent access, edit your ${agents}.`,
    action: newNote,
  })}
<section class="signs" data-by-script hidden aria-labelledby="signs"><h2 id="signs">Formatting</h2>
<dl>${signs.map(([typed, becomes]) => html`<div><dt><code>${typed}</code></dt><dd>${becomes}</dd></div>`)}</dl>
<p>Drop or paste files to attach them. Changes are saved automatically.</p></section></div>`;
}

/** /my/notes: folders, search and list (behaviour §12.1, §29). */
const show = async (request: PageRequest, refusal?: Refusal): Promise<Answer> =>
  panes(request, await loadList(request), {
    title: 'Notes',
    status: refusal?.status ?? 200,
    one: refusal && problemBox(refusal.problem),
    refusal,
  });

const form = handlersOn(show, labels);

const create = form(
  createFolder,
  (sent) => ({ name: sent.text('name') }),
  ({ folderId }) => ({ redirect: `${PATH}?folder=${folderId}`, notice: 'created' }),
);

const rename = form(
  renameFolder,
  (sent) => ({ folderId: sent.id('folderId'), name: sent.text('name') }),
  (_, request) => ({ redirect: `${PATH}?folder=${request.form.id('folderId')}`, notice: 'saved' }),
);

const remove = form(deleteFolder, (sent) => ({ folderId: sent.id('folderId') }), { redirect: PATH, notice: 'deleted' });

/** Used by the form and by dragging. `back` names the page to return to. */
function move(request: PageRequest): Promise<Answer> {
  const id = noteIdOf(request);
  const back = request.form.text('back') === 'list' ? '' : `/${id}`;
  const refused = (problem: string, status: Refusal['status']) =>
    loadList(request).then((found) => panes(request, found, { title: 'Notes', status, one: problemBox(problem) }));
  return submitted(request, moveNote, (form) => ({ id, revision: form.id('revision'), folderId: form.id('folderId') }), {
    labels: noteLabels,
    done: () => ({ redirect: `${PATH}${back}${inList(request)}`, notice: 'saved' }),
    again: ({ problem, status, error }) =>
      refused(error.code === 'conflict' ? 'The note has changed. Open it, then move it again.' : problem, status),
  });
}

export const noteListRoutes: PageRoute[] = [
  { method: 'GET', path: PATH, handle: (request) => show(request) },
  { method: 'POST', path: `${PATH}/folders/create`, handle: create },
  { method: 'POST', path: `${PATH}/folders/rename`, handle: rename },
  { method: 'POST', path: `${PATH}/folders/delete`, handle: remove },
  { method: 'POST', path: `${PATH}/:noteId/move`, handle: move },
];
