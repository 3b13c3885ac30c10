// Drags a note of the list to a folder.
import { opened } from './notesSave.ts';
import { each } from './shared.ts';
import { showFault } from './toast.ts';

const KIND = 'application/x-stint-note';
const rowOf = (target) => target.closest?.('.note-list > li[data-note]');
const folderOf = (event) => event.dataTransfer?.types.includes(KIND) && event.target.closest?.('a[data-folder]');

each('.note-list > li[data-note]', (row) => {
  row.draggable = true;
});

document.addEventListener('dragstart', (event) => {
  const row = rowOf(event.target);
  if (!row) return;
  event.dataTransfer.setData(KIND, row.dataset.note);
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
  move(event.dataTransfer.getData(KIND), folder.dataset.folder);
});

async function move(id, folderId) {
  const { saver } = opened;
  const open = saver?.form.dataset.note === id;
  // Save first: otherwise both requests name the same revision, and the second is refused.
  if (open && saver.dirty && !(await saver.flush())) return;
  const row = document.querySelector(`li[data-note="${CSS.escape(id)}"]`);
  const body = new FormData();
  const csrf = document.querySelector('.notes-list input[name=_csrf]').value;
  for (const [name, value] of Object.entries({ _csrf: csrf, revision: row.dataset.revision, folderId, back: 'list' }))
    body.set(name, value);
  const list = row.querySelector('.t').getAttribute('href');
  const to = new URL(list, location.href);
  const answer = await fetch(`${to.pathname}/move${to.search}`, { method: 'POST', body }).catch(() => null);
  const page = answer && new DOMParser().parseFromString(await answer.text(), 'text/html');
  const theirs = page?.getElementById('notes-list');
  if (!answer?.ok || !theirs) return showFault(page?.querySelector('main [role=alert]')?.textContent ?? 'Not moved: no connection.');
  document.getElementById('notes-list').replaceWith(document.importNode(theirs, true));
  for (const one of document.querySelectorAll('.note-list > li[data-note]')) one.draggable = true;
  if (open) {
    saver.form.elements.folderId.value = folderId;
    saver.base.folderId = folderId;
    const moved = document.querySelector(`li[data-note="${CSS.escape(id)}"]`);
    saver.renew({ revision: moved?.dataset.revision ?? Number(saver.revision) + 1 });
  }
  document.getElementById('notice').textContent = 'Moved.';
}
