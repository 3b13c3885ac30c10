/** The list of a note's attachments, with its forms. */
import type { OwnNote } from '../../personal-notes/pageQueries.ts';
import { type Content, html } from '../frame/html.ts';
import type { PageRequest } from '../frame/page.ts';
import { at, noteFields } from './parts.ts';

export function attachmentList(request: PageRequest, note: OwnNote): Content {
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
