// Opens selects with many choices as a list with a search field.
import { buildList, nameOf, placeList, pressedInList, showNotes, showOptions } from './pickList.ts';
import { fetchJson, type Notes } from './pickRows.ts';
import { around, icon, make } from './shared.ts';

const selectAt = (target: EventTarget | null) =>
  around<HTMLSelectElement>(target, 'select[data-pick], .compose :is(.cells, .where) select');

function open(select: HTMLSelectElement, text = ''): void {
  const label = nameOf(select);
  const field = make('input', {
    ...{ type: 'text', role: 'combobox', 'aria-expanded': 'true', 'aria-controls': 'pick-list', 'aria-autocomplete': 'list' },
    ...{ 'aria-label': `Search: ${label}`, placeholder: label, autocomplete: 'off', spellcheck: 'false' },
  });
  const { box } = buildList(select, field, 'auto', label);
  box.prepend(make('div', { class: 'q' }, icon('search'), field));
  box.setAttribute('role', 'dialog');
  box.setAttribute('aria-label', label);
  box.addEventListener('input', (event) => {
    event.stopPropagation();
    showOptions();
  });
  box.addEventListener('keydown', pressedInList);
  box.addEventListener('toggle', ({ newState }) => newState === 'closed' && box.remove());
  field.value = text;
  showOptions();
  box.showPopover();
  placeList();
  field.focus();
  // Without notes the names suffice.
  if (select.dataset.notes)
    fetchJson<Notes>(select.dataset.notes)
      .then((notes) => showNotes(select, notes))
      .catch(() => {});
}

document.addEventListener('mousedown', (event) => {
  if (event.button === 0 && selectAt(event.target)) event.preventDefault();
});
// Not before the pointer is up, which would close the list.
document.addEventListener('click', ({ target }) => {
  const select = selectAt(target);
  if (select) open(select);
});
// Safari on phones opens its own list on touchend.
let moved = false;
const setMoved = (now: boolean) => () => {
  moved = now;
};
document.addEventListener('touchstart', setMoved(false), { passive: true });
document.addEventListener('touchmove', setMoved(true), { passive: true });
document.addEventListener(
  'touchend',
  (event) => {
    const select = selectAt(event.target);
    if (!select || moved || !event.cancelable) return;
    event.preventDefault();
    open(select);
  },
  { passive: false },
);
document.addEventListener(
  'keydown',
  (event) => {
    const select = selectAt(event.target);
    if (!select || event.ctrlKey || event.metaKey || event.isComposing) return;
    const letter = event.key.length === 1 && event.key !== ' ' ? event.key : '';
    if (!letter && ![' ', 'ArrowDown', 'ArrowUp'].includes(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    open(select, letter);
  },
  true,
);
