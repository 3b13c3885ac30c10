import type { Folder, OpenNotes, OwnSummary } from '../../personal-notes/ownNotes.ts';
import { firstCharacters } from '../../values/text.ts';
import { type Clock, clockOf } from '../frame/clock.ts';
import { fold } from '../frame/components/boxes.ts';
import { icon } from '../frame/components/icon.ts';
import { ago } from '../frame/components/when.ts';
import { type Fields, type Forms, formsOf } from '../frame/fields.ts';
import type { Labels } from '../frame/forms.ts';
import { type Content, type Html, html } from '../frame/html.ts';
import type { PageRequest } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import type { Refusal } from '../frame/submitted.ts';
import { at, PATH } from './noteForm.ts';
import { type InList, listPlaceOf, viewOf } from './wanted.ts';

const LENGTH = 140;

/** `title` is null without a title. Protected notes show nothing. */
export function excerptOf(note: Pick<OwnSummary, 'title' | 'excerpt'>, search: string): { title: Content; excerpt: Content } {
  const title = note.title ? marked(note.title, search) : null;
  if (search) {
    const found = note.excerpt.replace(/\s+/g, ' ');
    // The title already shows the match.
    return { title, excerpt: found && !note.title.includes(found) && html`…${marked(found, search)}…` };
  }
  const rest = note.excerpt.split('\n').slice(1).join(' ');
  return { title, excerpt: firstCharacters(rest, LENGTH) };
}

export function marked(text: string, search: string): Content {
  const [where, what] = [text.toLowerCase(), search.toLowerCase()];
  // Some lower-case letters are longer than upper-case ones, which would shift the positions.
  if (!what || where.length !== text.length) return text;
  const parts: Content[] = [];
  let from = 0;
  for (let found = where.indexOf(what); found >= 0; found = where.indexOf(what, from)) {
    parts.push(text.slice(from, found), html`<mark>${text.slice(found, found + what.length)}</mark>`);
    from = found + what.length;
  }
  return [...parts, text.slice(from)];
}

const labels: Labels = { name: 'Folder name', folderId: '' };
export const folderLabels = labels;

/** `refusal`: of a folder form. */
export function listPane(request: PageRequest, found: OpenNotes, refusal?: Refusal): Html {
  const wanted = listPlaceOf(request);
  const forms = formsOf(request, labels, refusal);
  const folder = found.folders.find(({ id }) => id === wanted.folderId);
  return html`<div class="notes-list" id="notes-list">
<form method="get" action="${at(request)}" role="search" aria-label="Notes"><fieldset role="group"><input type="search" name="q" value="${wanted.search}" aria-label="Search notes" placeholder="Search notes" maxlength="300"><button class="icon-btn" aria-label="Search">${icon('search')}</button></fieldset></form>
<nav aria-label="Folders">${folderLinks(request, found.folders, wanted)}
${newFolder(request, forms(`${PATH}/folders/create`))}</nav>
${folder && folderForms(request, folder, forms)}
${rows(request, found, wanted)}
${pager(request, wanted, found.hasMore)}
</div>`;
}

function folderLinks(request: PageRequest, folders: readonly Folder[], { folderId, search }: InList): Content {
  const link = (to: string, label: Content, chosen: boolean, drop: number | null, notes?: number) =>
    html`<li><a href="${at(request, to)}"${chosen && html` aria-current="true"`}${drop !== null && html` data-folder="${drop}"`}>${label}${notes !== undefined && html`<span class="n">${notes}</span>`}</a></li>`;
  return html`<ul>
${link('', 'All notes', folderId === null && search === '', null)}
${link('?folder=0', 'Unfiled', folderId === 0, 0)}
${folders.map(({ id, name, notes }) => link(`?folder=${id}`, html`<span class="cut">${name}</span>`, folderId === id, id, notes))}
</ul>`;
}

function newFolder(request: PageRequest, fields: Fields): Content {
  const form = postForm(
    request,
    { action: `${PATH}/folders/create`, once: true, class: 'plain' },
    html`<fieldset role="group"><input name="name" required maxlength="200" value="${fields.value('name')}" aria-label="Folder name" placeholder="Name"${fields.mark('name')}><button class="btn small">Create folder</button></fieldset>${fields.note('name')}`,
  );
  return fold(html`${icon('plus', 's')}New folder`, form, { open: fields.refused });
}

const names: Record<OwnSummary['protection'], string> = { none: 'Note without text', locked: 'Locked note', encrypted: 'Encrypted note' };
export const nameOf = ({ title, protection }: Pick<OwnSummary, 'title' | 'protection'>): string => title || names[protection];

function rows(request: PageRequest, { notes, note }: OpenNotes, wanted: InList): Content {
  const { search, folderId } = wanted;
  if (!notes.length)
    return html`<p class="none">${search ? 'No matching notes.' : folderId === null ? 'No notes yet.' : 'This folder is empty.'}</p>`;
  const clock = clockOf(request);
  return html`<ul class="note-list">${notes.map((one) => row(request, one, { wanted, clock, current: one.id === note?.id }))}</ul>`;
}

function row(request: PageRequest, note: OwnSummary, shown: { wanted: InList; clock: Clock; current: boolean }): Content {
  const { wanted, clock, current } = shown;
  const { title, excerpt } = excerptOf(note, wanted.search);
  const files = note.attachments > 0 && html` · ${note.attachments} ${note.attachments === 1 ? 'file' : 'files'}`;
  return html`<li data-note="${note.id}" data-revision="${note.revision}"><a class="t" href="${at(request, `/${note.id}`)}${viewOf(wanted)}"${current && html` aria-current="page"`} draggable="false">${note.protection !== 'none' && icon('lock', 's')}${title ?? nameOf(note)}</a>
${excerpt && html`<p>${excerpt}</p>`}<small>${note.folderName !== null && html`in ${note.folderName} · `}changed ${ago(note.updatedAt, clock)}${files}</small></li>`;
}

function pager(request: PageRequest, wanted: InList, hasMore: boolean): Content {
  const link = (page: number, label: string) => html`<a href="${at(request)}${viewOf({ ...wanted, page })}">${label}</a>`;
  const { page } = wanted;
  return (page > 1 || hasMore) && html`<p class="pager">${page > 1 && link(page - 1, 'Newer')} ${hasMore && link(page + 1, 'Older')}</p>`;
}

function folderForms(request: PageRequest, { id: folderId, name }: Folder, forms: Forms): Content {
  const fields = forms(`${PATH}/folders/rename`, { folderId });
  const rename = postForm(
    request,
    { action: `${PATH}/folders/rename`, hidden: { folderId }, class: 'plain' },
    html`<fieldset role="group"><input name="name" required maxlength="200" value="${fields.value('name', name)}" aria-label="New folder name"${fields.mark('name')}><button class="btn small">Rename</button></fieldset>${fields.note('name')}`,
  );
  const confirm = `Delete the folder ${name}? Its notes move to Unfiled.`;
  const remove = postForm(
    request,
    { action: `${PATH}/folders/delete`, hidden: { folderId }, confirm, class: 'plain' },
    html`<button class="btn small danger">Delete folder</button> <small>Its notes move to Unfiled.</small>`,
  );
  return fold(html`Folder ${name}`, html`${rename}${remove}`, { open: fields.refused });
}
