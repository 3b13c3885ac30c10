// Rows of lists: one tab stop for all rows, arrow keys inside a row, actions of the current row, and editing its title in place.
import { each } from './shared.ts';

const ROW = '[data-rows] .row[data-item]';
const CONTROLS = 'a[href], button, input:not([type=hidden])';
const rowOf = (at) => at?.closest?.(ROW);
const titleOf = (row) => row.querySelector('.t > a');
const idOf = (row) => row.dataset.item;
const off = () => document.documentElement.dataset.keys === 'off';

// One tab stop: Tab leaves the rows, arrow keys move (keys.js moves up and down).
let current = null;
function quiet(row) {
  for (const one of row.querySelectorAll(CONTROLS)) if (!one.closest('.acts, .rename')) one.tabIndex = -1;
}
function stopAt(row) {
  if (current?.isConnected && current !== row) quiet(current);
  current = row;
  const title = titleOf(row);
  if (title) title.tabIndex = 0;
}
function prepare() {
  const rows = [...document.querySelectorAll(ROW)];
  for (const row of rows) quiet(row);
  const kept = rows.includes(rowOf(document.activeElement)) ? rowOf(document.activeElement) : rows.includes(current) ? current : rows[0];
  if (kept) stopAt(kept);
  // A swap replaces the actions: the timer may run now.
  const [row, key] = [holder, tools?.contains(document.activeElement) && document.activeElement.dataset.key];
  tools?.remove();
  tools = holder = null;
  if (row && rows.includes(row) && !row.matches('.renaming')) place(row);
  if (key) tools?.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
}

document.addEventListener('keydown', (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const row = step && rowOf(event.target);
  if (!row || event.target.matches('input:not(.pick), textarea')) return;
  const all = [...row.querySelectorAll(CONTROLS)].filter((one) => one.checkVisibility() && !one.matches('.vh, .rename *'));
  const next = all[all.indexOf(event.target) + step];
  if (!next) return;
  event.preventDefault();
  next.focus({ preventScroll: true });
});

// The actions are in the page once and move to the hovered or focused row.
let tools = null;
let holder = null;
function place(row) {
  const common = document.getElementById('row-tools');
  if (!common) return;
  const acts = row.querySelector(':scope > .acts');
  if (acts && holder === row && acts === tools) return;
  if (tools?.querySelector(':focus-visible') || document.querySelector('.row.renaming')) return;
  // After a click the focus is in the actions: it stays in their row.
  if (tools?.contains(document.activeElement)) titleOf(holder)?.focus({ preventScroll: true });
  tools?.remove();
  tools = common.firstElementChild.cloneNode(true);
  holder = row;
  const id = idOf(row);
  for (const one of tools.querySelectorAll('[aria-label]')) {
    const said = `${one.getAttribute('aria-label')} ${id}`;
    one.setAttribute('aria-label', said);
    if (one.title) one.title = said;
  }
  for (const one of tools.querySelectorAll('[data-to]'))
    one.setAttribute(one.matches('form') ? 'action' : 'href', common.dataset.at + id + one.dataset.to);
  for (const one of tools.querySelectorAll('[name="itemId"]')) one.value = id;
  for (const one of tools.querySelectorAll('[name="version"]')) one.value = versionOf(row) ?? '';
  for (const one of tools.querySelectorAll(CONTROLS)) one.tabIndex = -1;
  row.querySelector('.tags, .t')?.after(tools);
  window.htmx?.process(tools);
}
export const rowTools = (row) => row.matches(ROW) && place(row);
// pointerover also fires for touch, where it precedes the click.
document.addEventListener('pointerover', ({ target, pointerType }) => {
  const row = pointerType === 'mouse' && rowOf(target);
  if (row) place(row);
});
document.addEventListener('focusin', ({ target }) => {
  const row = rowOf(target);
  if (!row) return;
  stopAt(row);
  place(row);
});

// The title: Enter saves at the version shown, Escape restores.
const versionOf = (row) => row.querySelector('.pick')?.value.split('.')[1];
function rename(row) {
  const form = row.querySelector('.acts .rename');
  const title = titleOf(row);
  const version = versionOf(row);
  if (!form || !title || !version || row.matches('.renaming')) return;
  const input = form.querySelector('[name="value"]');
  input.value = input.defaultValue = title.textContent;
  row.classList.add('renaming');
  title.before(form);
  input.focus();
  input.select();
}
function restore(row) {
  row.classList.remove('renaming');
  row.querySelector('.t > .rename')?.remove();
  tools?.remove();
  tools = holder = null;
  titleOf(row)?.focus({ preventScroll: true });
}
document.addEventListener('click', ({ target }) => {
  const row = target.closest?.('[data-rename]') && rowOf(target);
  if (row) rename(row);
});
document.addEventListener('keydown', (event) => {
  const row = rowOf(event.target);
  if (!row) return;
  if (event.key === 'F2' && !off()) {
    event.preventDefault();
    place(row);
    rename(row);
  } else if (event.key === 'Escape' && event.target.closest('.rename')) {
    event.preventDefault();
    restore(row);
  }
});
document.addEventListener(
  'submit',
  (event) => {
    const row = event.target.matches('.rename') && rowOf(event.target);
    if (!row || event.target.elements.value.value !== titleOf(row).textContent) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    restore(row);
  },
  true,
);
document.addEventListener('focusout', ({ target, relatedTarget }) => {
  const form = target.closest?.('.t > .rename');
  const row = form && rowOf(form);
  if (!row || form.contains(relatedTarget) || form.matches('.htmx-request') || target.value !== target.defaultValue) return;
  // Chromium fires this for a node that is being removed, too.
  setTimeout(() => form.isConnected && document.hasFocus() && restore(row));
});

// Group headings stick below the page's header, whose height depends on its filters. A new height styles the whole page again, so only
// lists set it; the header of a page that was left has none.
const height = new ResizeObserver(([{ target }]) => {
  if (target.isConnected) document.documentElement.style.setProperty('--head-height', `${target.offsetHeight}px`);
});
each('#head', (head) => document.querySelector('.list > .group') && height.observe(head));
// A form that opens in a row takes the focus; so does the first option of a row's menu.
document.addEventListener(
  'toggle',
  ({ target }) => {
    if (!target.open || !target.matches?.('[data-focus], .told details')) return;
    target.querySelector('textarea, .opt')?.focus();
  },
  true,
);
each('[data-rows]', prepare);
