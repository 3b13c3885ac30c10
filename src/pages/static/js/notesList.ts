// Drags a note of the list to a folder.
import { opened } from './notesSave.ts';
import { all, around, each, setValue, the } from './shared.ts';
import { showFault } from './toast.ts';

const KIND = 'application/x-stint-note';
const folderOf = ({ dataTransfer, target }: DragEvent) => (dataTransfer?.types.includes(KIND) ? around(target, 'a[data-folder]') : null);

each('.note-list > li[data-note]', (row) => {
  row.draggable = true;
});

document.addEventListener('dragstart', (event) => {
  const row = around(event.target, '.note-list > li[data-note]');
  if (!row || !event.dataTransfer) return;
  event.dataTransfer.setData(KIND, row.dataset.note ?? '');
  event.dataTransfer.effectAllowed = 'move';
});
document.addEventListener('dragover', (event) => {
  const folder = folderOf(event);
  for (const one of document.querySelectorAll('a.drop')) if (one !== folder) one.classList.remove('drop');
  if (!folder) return;
  event.preventDefault();
  folder.classList.add('drop');
});
document.addEventListener('dragend', () => document.querySelector('a.drop')?.classList.remove('drop'));
document.addEventListener('drop', (event) => {
  const folder = folderOf(event);
  if (!folder) return;
  event.preventDefault();
  folder.classList.remove('drop');
  move(event.dataTransfer?.getData(KIND) ?? '', folder.dataset.folder ?? '');
});

async function move(id: string, folderId: string): Promise<void> {
  const saver = opened.saver?.form.dataset.note === id ? opened.saver : null;
  // Save first: otherwise both requests name the same revision, and the second is refused.
  if (saver?.dirty && !(await saver.flush())) return;
  const row = the(`li[data-note="${CSS.escape(id)}"]`);
  const body = new FormData();
  const { value: _csrf } = the<HTMLInputElement>('.notes-list input[name=_csrf]');
  const { revision = '' } = row.dataset;
  for (const [name, value] of Object.entries({ _csrf, revision, folderId, back: 'list' })) body.set(name, value);
  const list = the('.t', row).getAttribute('href') ?? '';
  const to = new URL(list, location.href);
  const answer = await fetch(`${to.pathname}/move${to.search}`, { method: 'POST', body }).catch(() => null);
  const page = answer && new DOMParser().parseFromString(await answer.text(), 'text/html');
  const theirs = page?.getElementById('notes-list');
  if (!answer?.ok || !theirs) return showFault(page?.querySelector('main [role=alert]')?.textContent ?? 'Not moved: no connection.');
  the('#notes-list').replaceWith(document.importNode(theirs, true));
  for (const one of all('.note-list > li[data-note]')) one.draggable = true;
  if (saver) {
    setValue(saver.form, 'folderId', folderId);
    saver.base.folderId = folderId;
    const moved = document.querySelector<HTMLElement>(`li[data-note="${CSS.escape(id)}"]`);
    saver.renew({ revision: moved?.dataset.revision ?? Number(saver.revision) + 1 });
  }
  the('#notice').textContent = 'Moved.';
}
