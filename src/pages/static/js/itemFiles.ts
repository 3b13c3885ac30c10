// Uploads chosen, dropped and pasted files, one after the other, with progress and cancel (behaviour §35.4).
import type { Upload } from '../../editor/browser/paste.ts';
import { around, each, fieldValue, make, messageOf, the } from './shared.ts';
import { showFault } from './toast.ts';

type Added = Awaited<ReturnType<Upload>>[number];

const formOf = () => document.querySelector<HTMLFormElement>('form[data-upload]');
const hasFiles = (data: DataTransfer | null) => data?.types.includes('Files');
const THUMBNAIL = 240;
const MOST_THUMBNAIL = 60_000;

const nameOf = ({ name, type }: File) =>
  name && name !== 'image.png'
    ? name
    : `Pasted ${new Date().toISOString().slice(0, 16).replace(/[T:]/g, '-')}.${type.split('/').at(-1) || 'bin'}`;

// Null for other files, and for images that the browser can't decode.
async function thumbnailOf(file: File): Promise<Blob | null> {
  if (!/^image\/(png|jpeg|gif|webp)$/.test(file.type)) return null;
  try {
    const image = await createImageBitmap(file);
    const scale = Math.min(1, THUMBNAIL / Math.max(image.width, image.height));
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [Math.max(1, image.width * scale), Math.max(1, image.height * scale)];
    const context = canvas.getContext('2d');
    if (!context) return null;
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    image.close();
    const made = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/webp', 0.8));
    return made && made.size <= MOST_THUMBNAIL ? made : null;
  } catch {
    return null;
  }
}

function rowOf(name: string) {
  const bar = make('progress', { max: '1', value: '0', 'aria-label': `Uploading ${name}` });
  const stop = make('button', { type: 'button', class: 'btn small quiet' }, 'Cancel');
  return { row: make('li', {}, make('span', { class: 't', dir: 'auto' }, name), bar, stop), bar, stop };
}

const problemIn = (request: XMLHttpRequest): string | undefined => {
  try {
    return JSON.parse(request.responseText).error;
  } catch {
    const page = new DOMParser().parseFromString(request.responseText, 'text/html');
    return page.querySelector('[role="alert"]')?.textContent.trim();
  }
};

function send(file: File, name: string, thumbnail: Blob | null, { bar, stop }: ReturnType<typeof rowOf>): Promise<Added | null> {
  const form = the<HTMLFormElement>('form[data-upload]');
  // The token comes first: the server checks it before it reads the file.
  const body = new FormData();
  body.append('_csrf', fieldValue(form, '_csrf'));
  if (thumbnail) body.append('thumbnail', thumbnail, 'thumbnail');
  body.append('file', file, name);
  const request = new XMLHttpRequest();
  stop.addEventListener('click', () => request.abort());
  request.upload.addEventListener('progress', ({ loaded, total }) => {
    bar.value = loaded / total;
  });
  return new Promise((resolve, reject) => {
    request.addEventListener('load', () => {
      if (request.status === 200) resolve(JSON.parse(request.responseText));
      else reject(new Error(problemIn(request) || `The server refused it (${request.status}).`));
    });
    request.addEventListener('error', () => reject(new Error('The connection was lost. Try again.')));
    request.addEventListener('abort', () => resolve(null));
    request.open('POST', form.getAttribute('action') ?? '');
    request.setRequestHeader('Accept', 'application/json');
    request.send(body);
  });
}

// Resolves to the added file, or null if it was cancelled or refused.
async function upload(file: File): Promise<Added | null> {
  const form = the('form[data-upload]');
  const name = nameOf(file);
  const shown = rowOf(name);
  the('[data-uploads]').append(shown.row);
  try {
    if (file.size > Number(form.dataset.upload)) throw new Error('A file has at most 25 MiB.');
    if (file.size === 0) throw new Error('The file is empty.');
    const added = await send(file, name, await thumbnailOf(file), shown);
    shown.row.remove();
    return added;
  } catch (error) {
    shown.row.remove();
    showFault(`${name} was not added. ${messageOf(error)}`);
    return null;
  }
}

let queue: Promise<void> = Promise.resolve();
// uploadFiles(files): adds files to the item of this page, in order. Resolves to the added files.
export const uploadFiles: Upload = (files) => {
  const work = queue.then(async () => {
    const added: (Added | null)[] = [];
    for (const file of files) added.push(await upload(file));
    return added.filter((one) => one !== null);
  });
  queue = work.then(
    () => {},
    () => {},
  );
  return work;
};

const addAll = async (files: File[]) => {
  if ((await uploadFiles(files)).length > 0) document.querySelector<HTMLElement>('[data-files-again]')?.click();
};

each('form[data-upload]', (form) => {
  the<HTMLInputElement>('[name="file"]', form).multiple = true;
  the('button', form).hidden = true;
  the('label span', form).textContent = 'Add files, or drop them here';
  form.classList.add('by-script');
});
document.addEventListener('change', ({ target }) => {
  const form = around<HTMLFormElement>(target, 'form[data-upload]');
  if (!form || !(target instanceof HTMLInputElement) || !target.files?.length) return;
  const files = [...target.files];
  form.reset();
  addAll(files);
});

// In a plain text field: as in the rich editor, editor/browser/paste.ts.
async function insertInto(field: HTMLTextAreaElement, files: File[]): Promise<void> {
  const texts = (await uploadFiles(files)).map(({ fileId, type }) =>
    type.startsWith('image/') ? `![Image](/files/${fileId})` : `[File ${fileId}](/files/${fileId})`,
  );
  if (texts.length === 0) return;
  field.setRangeText(texts.join(' '), field.selectionStart, field.selectionEnd, 'end');
  field.dispatchEvent(new Event('input', { bubbles: true }));
}
const textIn = (target: EventTarget | null) => around<HTMLTextAreaElement>(target, 'textarea[data-editor]');

function take(target: EventTarget | null, files: File[]): Promise<void> {
  const field = textIn(target);
  return field ? insertInto(field, files) : addAll(files);
}
document.addEventListener('dragover', (event) => {
  if (!formOf() || !hasFiles(event.dataTransfer)) return;
  event.preventDefault();
  the('#files').classList.add('drop');
});
const left = () => document.getElementById('files')?.classList.remove('drop');
document.addEventListener('dragleave', ({ relatedTarget }) => relatedTarget === null && left());
document.addEventListener('drop', (event) => {
  left();
  if (event.defaultPrevented || !formOf() || !hasFiles(event.dataTransfer)) return;
  event.preventDefault();
  take(event.target, [...(event.dataTransfer?.files ?? [])]);
});
document.addEventListener('paste', (event) => {
  const data = event.clipboardData;
  if (event.defaultPrevented || !formOf() || !data?.files.length) return;
  if (around(event.target, '.editable, textarea, input') && (!textIn(event.target) || data.getData('text/plain'))) return;
  event.preventDefault();
  take(event.target, [...data.files]);
});
