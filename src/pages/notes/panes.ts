/** List on the left, note on the right; one at a time on phones. */
import { type OpenNotes, type OwnNote, openNotes } from '../../personal-notes/ownNotes.ts';
import { Forbidden } from '../../values/errors.ts';
import { call } from '../frame/call.ts';
import { linkButton } from '../frame/components/button.ts';
import { empty } from '../frame/components/empty.ts';
import { type Content, html } from '../frame/html.ts';
import type { Page } from '../frame/layout.ts';
import type { Answer, PageRequest } from '../frame/page.ts';
import type { Refusal } from '../frame/submitted.ts';
import { at } from './noteForm.ts';
import { listPane } from './noteList.ts';
import { inList, listPlaceOf } from './wanted.ts';

/** The list without a note. `reserve`: also reserves an id for a new note. */
export const loadList = (request: PageRequest, { reserve = false } = {}): Promise<OpenNotes> =>
  call(request, openNotes, { ...listPlaceOf(request), noteId: null, opened: false, reserve });

export type Loaded = OpenNotes & { note: OwnNote };

/** List and note. `opened`: the password was given. Throws Forbidden. */
export const loadNote = async (request: PageRequest, opened = false): Promise<Loaded> =>
  (await call(request, openNotes, { ...listPlaceOf(request), noteId: Number(request.params.noteId), opened, reserve: false })) as Loaded;

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
    scripts: ['notes'],
    sheets: ['notes'],
    ...(one && { crumbs: html`<a href="${at(request)}${inList(request)}">All notes</a>` }),
    actions: html`${linkButton(`${at(request, '/new-encrypted')}${inFolder}`, 'New encrypted note', { icon: 'lock', iconOnPhone: true })}${linkButton(newHref, 'New note', { kind: 'primary', icon: 'plus', key: 'N' })}`,
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
