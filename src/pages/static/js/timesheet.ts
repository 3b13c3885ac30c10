import { figure, hours } from './clock.ts';
import { all, each, the } from './shared.ts';
import { minutesOf } from './timesheetWords.ts';

const sheet = () => document.querySelector<HTMLTableElement>('[data-sheet]');
const rowsOf = (table: HTMLTableElement) => [...(table.tBodies[0]?.rows ?? [])].filter((row) => !row.classList.contains('why'));
const sum = (minutes: readonly number[]) => minutes.reduce((total, one) => total + one, 0);
const held = (cell: HTMLElement) =>
  Number(cell.dataset.minutes ?? minutesOf(cell.querySelector<HTMLInputElement>('[data-cell]')?.value ?? ''));

function addUp(table: HTMLTableElement): void {
  const days: number[] = Array(7).fill(0);
  for (const row of rowsOf(table)) {
    const minutes = [...row.cells].slice(1, 8).map(held);
    the('[data-sum=row]', row).textContent = figure(sum(minutes));
    for (const [day, one] of minutes.entries()) days[day] = (days[day] ?? 0) + one;
  }
  const total = sum(days);
  for (const [day, cell] of all('[data-sum=day]', table).entries()) cell.textContent = figure(days[day] ?? 0);
  the('[data-sum=week]', table).textContent = figure(total);
  const week = the('[data-week]');
  week.textContent = hours(total);
  const left = document.querySelector('[data-left]');
  const more = Number(week.dataset.week) - total;
  if (left) left.textContent = more >= 0 ? `${hours(more)} left` : `${hours(-more)} over`;
}

// Refused values are in the cells but not in the sums of the page.
each('[data-sheet]', addUp);

function grow(table: HTMLTableElement, row: HTMLTableRowElement): void {
  if (row.dataset.new === undefined || row.nextElementSibling) return;
  const at = Number(row.dataset.new);
  if (at >= 19) return;
  const next = document.importNode(row, true);
  next.dataset.new = String(at + 1);
  for (const field of next.querySelectorAll('input')) {
    field.value = '';
    for (const name of ['aria-invalid', 'aria-describedby', 'autofocus']) field.removeAttribute(name);
    field.name = field.name.replace(/^(work|n)-\d+/, `$1-${at + 1}`);
    field.setAttribute('aria-label', (field.getAttribute('aria-label') ?? '').replace(/ew row \d+/, `ew row ${at + 2}`));
  }
  the('[data-sum]', next).textContent = '';
  table.tBodies[0]?.append(next);
}

/** Focuses the next input in the column, skipping cells without one. */
function move(field: HTMLElement, down: number, across: number): boolean {
  const [table, line, from] = [field.closest('table'), field.closest('tr'), field.closest<HTMLTableCellElement>('td, th')];
  if (!table || !line || !from) return false;
  const rows = rowsOf(table);
  let row = rows.indexOf(line);
  let column = from.cellIndex;
  for (;;) {
    row += down;
    column += across;
    const cell = rows[row]?.cells[column];
    if (!cell) return false;
    const other = cell.querySelector<HTMLInputElement>('[data-cell]');
    if (!other) continue;
    other.focus();
    other.select();
    return true;
  }
}

const isCell = (target: EventTarget | null): target is HTMLInputElement =>
  target instanceof HTMLInputElement && target.matches('[data-sheet] [data-cell]');

document.addEventListener('keydown', (event) => {
  const field = event.target;
  if (!isCell(field) || event.isComposing || event.altKey) return;
  if (event.ctrlKey || event.metaKey) {
    if (event.key === 'Enter') field.form?.requestSubmit();
    return;
  }
  const { selectionStart: from, selectionEnd: to, value } = field;
  const isAll = from === 0 && to === value.length;
  // Fields with suggestions need the arrow keys.
  const vertical = !field.list;
  const steps: Record<string, [number, number] | false> = {
    ArrowUp: vertical && [-1, 0],
    ArrowDown: vertical && [1, 0],
    Enter: vertical ? [event.shiftKey ? -1 : 1, 0] : [0, 1],
    ArrowLeft: (isAll || (from === 0 && to === 0)) && [0, -1],
    ArrowRight: (isAll || from === value.length) && [0, 1],
  };
  const step = !(event.shiftKey && event.key !== 'Enter') && steps[event.key];
  if (event.key === 'Escape' && value !== field.defaultValue) {
    event.preventDefault();
    field.value = field.defaultValue;
    field.select();
    const table = field.closest('table');
    if (table) addUp(table);
  } else if (step && (move(field, ...step) || event.key === 'Enter')) event.preventDefault();
});

document.addEventListener('input', ({ target }) => {
  if (!isCell(target)) return;
  const [table, row] = [target.closest('table'), target.closest('tr')];
  if (!table || !row) return;
  grow(table, row);
  addUp(table);
});

document.addEventListener('focusin', ({ target }) => {
  if (isCell(target) && target.closest('td')) target.select();
});

let sent = false;
document.addEventListener('submit', ({ target }) => {
  sent ||= target instanceof Node && target.contains(sheet());
});
addEventListener('pageshow', () => {
  sent = false;
});
addEventListener('beforeunload', (event) => {
  const typed = all<HTMLInputElement>('[data-sheet] [data-cell]').some(({ value, defaultValue }) => value !== defaultValue);
  if (typed && !sent) event.preventDefault();
});
