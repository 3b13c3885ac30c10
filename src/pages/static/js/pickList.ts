// The open list of choices of a select, or of a field that names an item. It is a combobox: the focus stays in the field.
import { type Choice, hasAll, type Notes, rowOf, wordsOf } from './pickRows.ts';
import { activate, all, around, make, the } from './shared.ts';

const MOST_SHOWN = 100;

interface List {
  /** The select, or the field that names an item. */
  control: HTMLSelectElement | HTMLInputElement;
  /** The search field above the list; of a field that names an item, that field. */
  field: HTMLInputElement;
  box: HTMLElement;
  notes: Notes;
}
let list: List | null = null;
let choosing = false;

/** True while a choice changes the control: its `input` event is not typed text. */
export const isChoosing = (): boolean => choosing;

/** The open list of this control, or any. */
export function openList(control: EventTarget | null = list?.control ?? null): List | null {
  return list && list.control === control && list.box.isConnected && list.box.matches(':popover-open') ? list : null;
}

export const closeList = (): void => openList()?.box.hidePopover();

const rows = (): HTMLElement[] => (list ? all('.opt', list.box) : []);
const activeRow = (): HTMLElement | undefined => rows().find((row) => row.matches('.is-active'));

function mark(row: HTMLElement | undefined): void {
  if (list) activate(list.field, rows(), row);
  row?.scrollIntoView({ block: 'nearest' });
}

export function fillList({ box, control, notes }: List, found: readonly Choice[], words: readonly string[], current = ''): void {
  const isSeveral = control instanceof HTMLSelectElement && control.multiple;
  const made = found.slice(0, MOST_SHOWN).map((one, at) => {
    const row = rowOf(one, at, words, notes[one.value]);
    if (isSeveral) row.setAttribute('aria-checked', String(one.selected));
    return row;
  });
  the('[role=listbox]', box).replaceChildren(...made);
  the('[role=status]', box).textContent =
    found.length === 0 ? 'No matches.' : found.length > MOST_SHOWN ? `${MOST_SHOWN} of ${found.length} shown. Type to find others.` : '';
  mark(made.find((row) => words.length === 0 && row.dataset.value === current) ?? made[0]);
}

/** The options of a select that have the typed words. */
export function showOptions(current = list?.control.value): void {
  if (!(list?.control instanceof HTMLSelectElement)) return;
  const words = wordsOf(list.field.value);
  const choices = [...list.control.options].map(({ text, value, selected, dataset }) => ({
    ...{ value, label: text || 'None', note: dataset.note, av: dataset.av, selected: selected && value !== '' },
  }));
  fillList(
    list,
    choices.filter(({ label, note = '' }) => hasAll(words, `${label} ${note}`)),
    words,
    current,
  );
}

export function showNotes(control: HTMLSelectElement, notes: Notes): void {
  const open = openList(control);
  if (!open) return;
  open.notes = notes;
  // The user may have moved in the list meanwhile.
  const value = activeRow()?.dataset.value;
  showOptions(value);
  mark(rows().find((row) => row.dataset.value === value));
}

export function placeList(): void {
  if (!list || matchMedia('(max-width: 959px)').matches) return;
  const { box, control } = list;
  const at = (control.closest('.compose label') ?? control).getBoundingClientRect();
  const height = box.offsetHeight;
  const above = at.bottom + 4 + height > innerHeight - 8 && at.top > height;
  box.style.top = `${above ? at.top - height - 4 : at.bottom + 4}px`;
  box.style.left = `${Math.max(8, Math.min(at.left, innerWidth - box.offsetWidth - 8))}px`;
}

/** Puts a closed list next to its control. */
export function buildList(control: List['control'], field: HTMLInputElement, kind: 'auto' | 'manual', label: string): List {
  list?.box.remove();
  const rowsBox = make('div', { role: 'listbox', id: 'pick-list', 'aria-label': label });
  const box = make('div', { class: 'pick-box', popover: kind }, rowsBox, make('p', { class: 'hint', role: 'status' }));
  box.addEventListener('click', ({ target }) => choose(around(target, '.opt')));
  box.addEventListener('mousedown', (event) => event.target !== field && event.preventDefault());
  (control.closest('dialog') ?? document.body).append(box);
  list = { control, field, box, notes: {} };
  return list;
}

function choose(row: HTMLElement | null | undefined) {
  if (!row || !list) return;
  const { value = '' } = row.dataset;
  const { control, box } = list;
  if (control instanceof HTMLSelectElement && control.multiple) return toggle(control, value);
  box.hidePopover();
  control.focus();
  if (control.value === value) return;
  control.value = value;
  choosing = true;
  for (const kind of ['input', 'change']) control.dispatchEvent(new Event(kind, { bubbles: true }));
  choosing = false;
}

/** The list stays open for more. */
function toggle(control: HTMLSelectElement, value: string) {
  const one = [...control.options].find((option) => option.value === value);
  if (!one) return;
  one.selected = !one.selected;
  delete one.dataset.said;
  control.dispatchEvent(new Event('input', { bubbles: true }));
  list?.field.select();
  showOptions(value);
  mark(rows().find((row) => row.dataset.value === value));
}

export function pressedInList(event: KeyboardEvent) {
  if (event.isComposing || !list) return;
  const { control, field, box } = list;
  const found = rows();
  const to = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  event.stopPropagation();
  if (to && found.length > 0) {
    event.preventDefault();
    const at = found.findIndex((row) => row.matches('.is-active'));
    mark(found[(at + to + found.length) % found.length]);
  } else if (event.key === 'Enter' || event.key === 'Tab') {
    // Tab leaves a field that names an item.
    if (event.key === 'Tab' && control === field) return box.hidePopover();
    event.preventDefault();
    choose(activeRow());
  } else if (event.key === 'Escape') {
    event.preventDefault();
    box.hidePopover();
    control.focus();
  }
}

/** The words next to a control. */
export function nameOf(control: List['control']): string {
  const said = control.getAttribute('aria-label');
  if (said) return said;
  const label = control.labels?.[0];
  const part = label?.querySelector('.l, .vh')?.textContent;
  return part ?? [...(label?.childNodes ?? [])].find((node) => node instanceof Text && node.data.trim())?.textContent?.trim() ?? '';
}
