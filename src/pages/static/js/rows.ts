// Rows of lists: one tab stop for all rows, arrow keys inside a row, actions of the current row, and editing its title in place.
import { all, around, each, fieldValue, the } from './shared.ts';

const ROW = '[data-rows] .row[data-item]';
const CONTROLS = 'a[href], button, input:not([type=hidden])';
const rowOf = (at: EventTarget | null) => around(at, ROW);
const titleOf = (row: HTMLElement) => row.querySelector<HTMLElement>('.t > a');
const off = () => document.documentElement.dataset.keys === 'off';

// One tab stop: Tab leaves the rows, arrow keys move (keys.js moves up and down).
let current: HTMLElement | null = null;
function quiet(row: HTMLElement): void {
  for (const one of all(CONTROLS, row)) if (!one.closest('.acts, .rename')) one.tabIndex = -1;
}
function stopAt(row: HTMLElement): void {
  if (current?.isConnected && current !== row) quiet(current);
  current = row;
  const title = titleOf(row);
  if (title) title.tabIndex = 0;
}
function prepare(): void {
  const rows = all(ROW);
  for (const row of rows) quiet(row);
  const { activeElement } = document;
  const kept = [rowOf(activeElement), current].find((one) => one && rows.includes(one)) ?? rows[0];
  if (kept) stopAt(kept);
  // A swap replaces the actions: the timer may run now.
  const [row, key] = [holder, tools?.contains(activeElement) && activeElement?.getAttribute('data-key')];
  removeTools();
  if (row && rows.includes(row) && !row.matches('.renaming')) place(row);
  if (key) tools?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
}

document.addEventListener('keydown', (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const { target, key } = event;
  const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
  const row = rowOf(target);
  if (!step || !row || !(target instanceof HTMLElement) || target.matches('input:not(.pick), textarea')) return;
  const controls = all(CONTROLS, row).filter((one) => one.checkVisibility() && !one.matches('.vh, .rename *'));
  const next = controls[controls.indexOf(target) + step];
  if (!next) return;
  event.preventDefault();
  next.focus({ preventScroll: true });
});

// The actions are in the page once and move to the hovered or focused row.
let tools: HTMLElement | null = null;
let holder: HTMLElement | null = null;
function removeTools(): void {
  tools?.remove();
  tools = holder = null;
}
function place(row: HTMLElement): void {
  const common = document.getElementById('row-tools');
  if (!common) return;
  const acts = row.querySelector(':scope > .acts');
  if (acts && holder === row && acts === tools) return;
  if (tools?.querySelector(':focus-visible') || document.querySelector('.row.renaming')) return;
  // After a click the focus is in the actions: it stays in their row.
  if (holder && tools?.contains(document.activeElement)) titleOf(holder)?.focus({ preventScroll: true });
  tools?.remove();
  tools = document.importNode(the('*', common), true);
  holder = row;
  const { item: id = '' } = row.dataset;
  for (const one of all('[aria-label]', tools)) {
    const said = `${one.getAttribute('aria-label')} ${id}`;
    one.setAttribute('aria-label', said);
    if (one.title) one.title = said;
  }
  for (const one of all('[data-to]', tools))
    one.setAttribute(one.matches('form') ? 'action' : 'href', `${common.dataset.at}${id}${one.dataset.to}`);
  for (const one of all<HTMLInputElement>('[name="itemId"]', tools)) one.value = id;
  for (const one of all<HTMLInputElement>('[name="version"]', tools)) one.value = versionOf(row) ?? '';
  for (const one of all(CONTROLS, tools)) one.tabIndex = -1;
  row.querySelector('.tags, .t')?.after(tools);
  if ('htmx' in window) htmx.process(tools);
}
export const rowTools = (row: HTMLElement) => row.matches(ROW) && place(row);
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
const versionOf = (row: HTMLElement) => row.querySelector<HTMLInputElement>('.pick')?.value.split('.')[1];
function rename(row: HTMLElement): void {
  const form = row.querySelector('.acts .rename');
  const title = titleOf(row);
  const version = versionOf(row);
  if (!form || !title || !version || row.matches('.renaming')) return;
  const input = the<HTMLInputElement>('[name="value"]', form);
  input.value = input.defaultValue = title.textContent;
  row.classList.add('renaming');
  title.before(form);
  input.focus();
  input.select();
}
function restore(row: HTMLElement): void {
  row.classList.remove('renaming');
  row.querySelector('.t > .rename')?.remove();
  removeTools();
  titleOf(row)?.focus({ preventScroll: true });
}
document.addEventListener('click', ({ target }) => {
  const row = around(target, '[data-rename]') && rowOf(target);
  if (row) rename(row);
});
document.addEventListener('keydown', (event) => {
  const row = rowOf(event.target);
  if (!row) return;
  if (event.key === 'F2' && !off()) {
    event.preventDefault();
    place(row);
    rename(row);
  } else if (event.key === 'Escape' && around(event.target, '.rename')) {
    event.preventDefault();
    restore(row);
  }
});
document.addEventListener(
  'submit',
  (event) => {
    const form = event.target;
    const row = around(form, '.rename') && rowOf(form);
    if (!row || !(form instanceof HTMLFormElement) || fieldValue(form, 'value') !== titleOf(row)?.textContent) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    restore(row);
  },
  true,
);
document.addEventListener('focusout', ({ target, relatedTarget }) => {
  const form = around(target, '.t > .rename');
  const row = form && rowOf(form);
  if (!row || form.matches('.htmx-request') || (relatedTarget instanceof Node && form.contains(relatedTarget))) return;
  if (!(target instanceof HTMLInputElement) || target.value !== target.defaultValue) return;
  // Chromium fires this for a node that is being removed, too.
  setTimeout(() => form.isConnected && document.hasFocus() && restore(row));
});

// Group headings stick below the page's header, whose height depends on its filters. A new height styles the whole page again, so only
// lists set it; the header of a page that was left has none.
const height = new ResizeObserver(([entry]) => {
  const target = entry?.target;
  if (target instanceof HTMLElement && target.isConnected)
    document.documentElement.style.setProperty('--head-height', `${target.offsetHeight}px`);
});
each('#head', (head) => document.querySelector('.list > .group') && height.observe(head));
// A form that opens in a row takes the focus; so does the first option of a row's menu.
document.addEventListener(
  'toggle',
  ({ target }) => {
    if (!(target instanceof HTMLDetailsElement && target.open && target.matches('[data-focus], .told details'))) return;
    target.querySelector<HTMLElement>('textarea, .opt')?.focus();
  },
  true,
);
each('[data-rows]', prepare);
