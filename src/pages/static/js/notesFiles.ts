// Attaches dropped or pasted files through the upload form (behaviour §11.11, §29.7).
import { showHints } from './notesForm.ts';
import { opened } from './notesSave.ts';
import { fieldOf, fieldValue, the } from './shared.ts';

const MAX_BYTES = 5 * 1024 * 1024;
const pane = the('.notes-one');
const hasFiles = (data: DataTransfer | null) => data?.types.includes('Files');
const mayTake = () => document.querySelector('[data-upload]') || document.querySelector('#note-form[data-kind=new]');

function tell(text: string): void {
  const box = the('[data-file-problem]');
  box.textContent = text;
  box.hidden = text === '';
}

async function send(file: File, name: string): Promise<string> {
  const form = the<HTMLFormElement>('[data-upload]');
  const body = new FormData(form);
  body.delete('_once');
  body.set('file', file, name);
  const answer = await fetch(form.getAttribute('action') ?? '', { method: 'POST', body });
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const theirs = page.getElementById('files');
  if (!answer.ok || !theirs) {
    const why = page.querySelector('main [role=alert]:not([hidden])')?.textContent;
    return `${name} was not attached: ${why ?? 'the server refused it.'}`;
  }
  the('#files').replaceWith(document.importNode(theirs, true));
  // The inserted forms may have an older revision than the text being typed.
  const note = the<HTMLFormElement>('#note-form');
  opened.saver?.renew({ revision: fieldValue(note, 'revision'), opened: fieldOf(note, 'opened')?.value });
  showHints();
  return '';
}

async function attach(files: File[]): Promise<void> {
  const { saver } = opened;
  if (!saver) return;
  if (saver.kind === 'new') {
    saver.base.html = null;
    if (!(await saver.flush())) return;
  }
  const problems: string[] = [];
  for (const file of files) {
    const name =
      file.name && file.name !== 'image.png' ? file.name : `Pasted ${new Date().toISOString().slice(0, 16).replace(/[T:]/g, '-')}.png`;
    if (file.size > MAX_BYTES) problems.push(`${name} was not attached: a file has at most 5 MiB.`);
    else problems.push(await send(file, name).catch(() => `${name} was not attached: no connection.`));
  }
  tell(problems.filter(Boolean).join(' '));
}

pane.addEventListener('dragover', (event) => {
  if (!hasFiles(event.dataTransfer) || !mayTake()) return;
  event.preventDefault();
  pane.classList.add('drop');
});
pane.addEventListener('dragleave', ({ relatedTarget }) => {
  if (!(relatedTarget instanceof Node && pane.contains(relatedTarget))) pane.classList.remove('drop');
});
const take = (event: Event, data: DataTransfer | null) => {
  if (!data?.files.length || !mayTake()) return;
  event.preventDefault();
  event.stopPropagation();
  attach([...data.files]);
};
// Before the editor, which would insert the dropped file.
pane.addEventListener(
  'drop',
  (event) => {
    pane.classList.remove('drop');
    take(event, event.dataTransfer);
  },
  true,
);
// Pasted HTML may contain images; only its text is used.
pane.addEventListener('paste', (event) => event.clipboardData?.types.includes('text/html') || take(event, event.clipboardData), true);
