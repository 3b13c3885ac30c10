/** The files of an item, and the form that adds one. A script adds drop, paste, several files and progress (behaviour §35.4). */
import { isImage } from '../../files/fileTypes.ts';
import { MOST_FILE_BYTES } from '../../files/itemFiles.ts';
import type { ItemFile } from '../../overviews/openItem.ts';
import { section } from '../frame/components/boxes.ts';
import { button, iconButton, iconLink } from '../frame/components/button.ts';
import { icon } from '../frame/components/icon.ts';
import { momentWithin } from '../frame/components/when.ts';
import { type Content, html } from '../frame/html.ts';
import { liveGet } from '../frame/live.ts';
import { postForm } from '../frame/postForm.ts';
import { sizeWords } from '../frame/widgets.ts';
import { may, mayWork } from '../workspace/openWorkspace.ts';
import type { ItemPage } from './pageOf.ts';

/** If an image has no thumbnail, the page shows the image itself up to this size. */
const MOST_SHOWN_BYTES = 200 * 1024;

const mayAdd = ({ opened: { workspace, item } }: ItemPage): boolean =>
  mayWork(workspace, item.type, 'write') || may(workspace, 'comments', 'write');

export function filesPart(page: ItemPage): Content {
  const files = page.opened.files.filter(({ removed }) => removed === null);
  const adds = mayAdd(page);
  if (files.length === 0 && !adds) return null;
  const list = files.length > 0 && html`<ul class="file-list">${files.map((file) => fileRow(page, file))}</ul>`;
  return section({ title: 'Files', id: 'files', class: 'files' }, html`${list}${adds && addForm(page)}`);
}

function fileRow(page: ItemPage, file: ItemFile): Content {
  const { request, opened, clock } = page;
  const { id, name, size, type, state, by, at } = file;
  const address = `${request.basePath}/files/${id}`;
  const about = html`<span class="meta">${sizeWords(size)} · ${by.name}, ${momentWithin(at, clock)}</span>`;
  const mine = by.id === request.user.id || mayWork(opened.workspace, opened.item.type, 'write');
  const removal = (label: string) => mine && mayAdd(page) && removeForm(page, id, label);
  if (state === 'refused')
    return html`<li class="refused">${icon('shield')}<span class="t"><b dir="auto">${name}</b> <span class="fault" role="alert">The virus scan refused this file, so it was deleted.</span></span>${removal(`Dismiss ${name}`)}</li>`;
  if (state === 'scanning')
    return html`<li>${icon('hourglass')}<span class="t"><b dir="auto">${name}</b> <span class="meta">Being scanned. It can be opened soon.</span></span>${removal(`Remove ${name}`)}</li>`;
  const shown = isImage(type) ? address : `${address}?download=1`;
  return html`<li><a class="preview" href="${shown}" tabindex="-1" aria-hidden="true">${preview(address, file)}</a><span class="t"><a href="${shown}" dir="auto">${name}</a>${about}</span>${iconLink(`${address}?download=1`, 'download', `Download ${name}`, { size: 's' })}${removal(`Remove ${name}`)}</li>`;
}

function preview(address: string, { type, size, thumbnail }: ItemFile): Content {
  const source = thumbnail ? `${address}/thumbnail` : isImage(type) && size <= MOST_SHOWN_BYTES ? address : null;
  return source ? html`<img src="${source}" alt="" loading="lazy">` : icon(isImage(type) ? 'image' : 'file');
}

const removeForm = (page: ItemPage, fileId: number, label: string): Content =>
  postForm(
    page.request,
    { action: `/files/${fileId}/remove`, hidden: { back: page.back }, live: '#work', class: 'plain' },
    iconButton('x', label, { type: 'submit', size: 's' }),
  );

/** `data-upload`: for the script, the largest size in bytes. */
function addForm(page: ItemPage): Content {
  const { workspace, item, at } = page.opened;
  const fields = page.fieldsOf('files');
  const form = {
    action: `${workspace.path}/items/${item.id}/files`,
    hidden: page.listFields,
    once: true,
    multipart: true,
    class: 'add-file',
    data: { upload: String(MOST_FILE_BYTES) },
  };
  return html`<ul class="uploads" data-uploads aria-live="polite"></ul>
<a href="${at}${page.list}" hidden data-files-again${liveGet('#work', { push: false })}>Show the new files</a>
${postForm(
  page.request,
  form,
  html`<label>${icon('plus', 's')}<span>Add a file of up to 25 MiB</span><input type="file" name="file" required${fields.mark('file')}></label>${button('Upload', { small: true, icon: 'paperclip' })}${fields.note('file')}`,
)}`;
}
