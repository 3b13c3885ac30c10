import { each } from './shared.ts';
import { figure, minutesOf, words } from './timesheetWords.ts';

const sheet = () => document.querySelector('[data-sheet]');
const rowsOf = (table) => [...table.tBodies[0].rows].filter((row) => !row.classList.contains('why'));
const held = (cell) => Number(cell.dataset.minutes ?? minutesOf(cell.querySelector('[data-cell]')?.value ?? ''));

function addUp(table) {
  const days = Array(7).fill(0);
  for (const row of rowsOf(table)) {
    const minutes = [...row.cells].slice(1, 8).map(held);
    row.querySelector('[data-sum=row]').textContent = figure(minutes.reduce((all, one) => all + one, 0));
    for (const [day, one] of minutes.entries()) days[day] += one;
  }
  const total = days.reduce((all, one) => all + one, 0);
  table.querySelectorAll('[data-sum=day]').forEach((cell, day) => {
    cell.textContent = figure(days[day]);
  });
  table.querySelector('[data-sum=week]').textContent = figure(total);
  const week = document.querySelector('[data-week]');
  week.textContent = words(total);
  const left = document.querySelector('[data-left]');
  const more = Number(week.dataset.week) - total;
  if (left) left.textContent = more >= 0 ? `${words(more)} left` : `${words(-more)} over`;
}

// Refused values are in the cells but not in the sums of the page.
each('[data-sheet]', addUp);

function grow(table, row) {
  if (row.dataset.new === undefined || row.nextElementSibling) return;
  const at = Number(row.dataset.new);
  if (at >= 19) return;
  const next = row.cloneNode(true);
  next.dataset.new = at + 1;
  for (const field of next.querySelectorAll('input')) {
    field.value = '';
    for (const name of ['aria-invalid', 'aria-describedby', 'autofocus']) field.removeAttribute(name);
    field.name = field.name.replace(/^(work|n)-\d+/, `$1-${at + 1}`);
    field.setAttribute('aria-label', field.getAttribute('aria-label').replace(/ew row \d+/, `ew row ${at + 2}`));
  }
  next.querySelector('[data-sum]').textContent = '';
  table.tBodies[0].append(next);
}

/** Focuses the next input in the column, skipping cells without one. */
function move(field, down, across) {
  const rows = rowsOf(field.closest('table'));
  let row = rows.indexOf(field.closest('tr'));
  let column = field.closest('td, th').cellIndex;
  for (;;) {
    row += down;
    column += across;
    const cell = rows[row]?.cells[column];
    if (!cell) return false;
    const other = cell.querySelector('[data-cell]');
    if (!other) continue;
    other.focus();
    other.select();
    return true;
  }
}

document.addEventListener('keydown', (event) => {
  const field = event.target;
  if (!field.matches?.('[data-sheet] [data-cell]') || event.isComposing || event.altKey) return;
  if (event.ctrlKey || event.metaKey) {
    if (event.key === 'Enter') field.form.requestSubmit();
    return;
  }
  const { selectionStart: from, selectionEnd: to, value } = field;
  const all = from === 0 && to === value.length;
  // Fields with suggestions need the arrow keys.
  const vertical = !field.list;
  const steps: Record<string, [number, number]> = {
    ArrowUp: vertical && [-1, 0],
    ArrowDown: vertical && [1, 0],
    Enter: vertical ? [event.shiftKey ? -1 : 1, 0] : [0, 1],
    ArrowLeft: (all || (from === 0 && to === 0)) && [0, -1],
    ArrowRight: (all || from === value.length) && [0, 1],
  };
  const step = !(event.shiftKey && event.key !== 'Enter') && steps[event.key];
  if (event.key === 'Escape' && value !== field.defaultValue) {
    event.preventDefault();
    field.value = field.defaultValue;
    field.select();
    addUp(sheet());
  } else if (step && (move(field, ...step) || event.key === 'Enter')) event.preventDefault();
});

document.addEventListener('input', ({ target }) => {
  if (!target.matches?.('[data-sheet] [data-cell]')) return;
  const table = target.closest('table');
  grow(table, target.closest('tr'));
  addUp(table);
});

document.addEventListener('focusin', ({ target }) => {
  if (target.matches?.('[data-sheet] td [data-cell]')) target.select();
});

let sent = false;
document.addEventListener('submit', ({ target }) => {
  sent ||= target.contains(sheet());
});
addEventListener('pageshow', () => {
  sent = false;
});
addEventListener('beforeunload', (event) => {
  const typed = [...(sheet()?.querySelectorAll('[data-cell]') ?? [])].some(({ value, defaultValue }) => value !== defaultValue);
  if (typed && !sent) event.preventDefault();
});
