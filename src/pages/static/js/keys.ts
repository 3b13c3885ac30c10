// Single-key shortcuts: each presses a visible control (data-key) in the focused row or on the page.
import { all, around, base, each, isField, make, showDialog } from './shared.ts';

const typing = (at: EventTarget | null) =>
  around(at, 'input:not([type=checkbox], [type=radio], [type=button], [type=submit]), textarea, select, [contenteditable]');
// An item's page has data-item too, but is not a row.
const ROW = 'li[data-item], tr[data-item], .row[data-item], .tile[data-item]';
const rows = () => all(ROW).filter((row) => row.checkVisibility());
const rowOf = (at: EventTarget | null) => around(at, ROW);
/** An open dialog, popover or menu handles keys itself. */
const covered = () => document.querySelector('dialog[open], [popover]:popover-open, details.pop[open]');
const keyOf = (control: HTMLElement) => (control.dataset.key ?? '').toUpperCase();
const off = () => document.documentElement.dataset.keys === 'off';

function controlFor(key: string): HTMLElement | undefined {
  const like = `[data-key="${CSS.escape(key)}"]`;
  const inRow = rowOf(document.activeElement)?.querySelector<HTMLElement>(like);
  if (inRow) return inRow;
  return all(like).find((one) => !rowOf(one) && one.checkVisibility() && !one.matches('[disabled]'));
}

// Set by script, because shortcuts need script and may be off.
document.addEventListener('focusin', ({ target }) => {
  if (off()) return;
  for (const control of rowOf(target)?.querySelectorAll<HTMLElement>('[data-key]:not([aria-keyshortcuts])') ?? [])
    control.setAttribute('aria-keyshortcuts', keyOf(control));
});

function press(control: HTMLElement): void {
  if (typing(control)) control.focus();
  // The toast takes no focus: it leaves, and the focus would be lost. The dialog of a new item gives it back to the row.
  else if (control.closest('.toast') || control.dataset.key === 'n') control.click();
  else {
    // The focus returns here when the opened element closes.
    control.focus({ preventScroll: true });
    control.click();
  }
}

const target = (row: HTMLElement) => row.querySelector<HTMLElement>('.t a') ?? row.querySelector<HTMLElement>('a[href]') ?? row;
function move(by: number): boolean {
  const found = rows();
  const row = rowOf(document.activeElement);
  const at = row ? found.indexOf(row) : -1;
  const next = at < 0 ? (by > 0 ? found[0] : found.at(-1)) : found[at + by];
  if (!next) return false;
  if (target(next) === next) next.tabIndex = -1;
  target(next).focus();
  next.scrollIntoView({ block: 'nearest' });
  return true;
}

document.addEventListener('keydown', (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (off() || typing(event.target) || covered() || event.key.length > 9) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const letter = /^[a-z]$/.test(key);
  if (letter && event.shiftKey) return;
  const done = act(key);
  if (done) event.preventDefault();
});

const GO_WITHIN_MS = 1_500;
let goUntil = 0;
/** G, then a letter: a page of the sidebar. */
const places: Record<string, [path: string, name: string]> = {
  ...{ d: ['/', 'My day'], i: ['/notifications', 'Inbox'], w: ['/workspaces', 'Workspaces'], c: ['/capacity', 'Capacity'] },
  ...{ n: ['/my/notes', 'Notes'], m: ['/my', 'My week'], a: ['/mcp-access', 'Agents'], p: ['/profile', 'Profile'] },
};
function go(key: string): boolean {
  goUntil = 0;
  const place = Object.hasOwn(places, key) && places[key];
  if (!place) return false;
  location.assign(base + place[0]);
  return true;
}

function act(key: string): boolean {
  if (performance.now() < goUntil) return go(key);
  if (key === 'g' && document.querySelector('.find')) {
    goUntil = performance.now() + GO_WITHIN_MS;
    return true;
  }
  if (key === 'ArrowDown' || key === 'ArrowUp') {
    const row = rowOf(document.activeElement);
    return row !== null && !row.closest('[data-arrows]') && move(key === 'ArrowDown' ? 1 : -1);
  }
  if (key.length !== 1) return false;
  const control = controlFor(key);
  if (control) {
    press(control);
    return true;
  }
  if (key === 'j' || key === 'k') return move(key === 'j' ? 1 : -1);
  if (key === 'n') {
    const link = document.querySelector<HTMLElement>('.tabbar a[href*="/new?"]');
    link?.click();
    return link !== null;
  }
  if (key === '?') return overview();
  if (key === '/') return document.dispatchEvent(new CustomEvent('stint:palette'));
  return false;
}

const general: [string, string][] = [
  ['Ctrl K', 'Search and commands'],
  ['/', 'Search'],
  ['N', 'New item'],
  ['Z', 'Undo the last change'],
  ['J', 'Next row'],
  ['K', 'Previous row'],
  ['Enter', 'Open focused row'],
  ['Esc', 'Close'],
  ['?', 'Keyboard shortcuts'],
];
/** The action of a row's control, without the row's title and value. */
const actions = [
  ...['Change status', 'Change due date', 'Change target date', 'Change priority', 'Change assignee', 'Change owner', 'Change estimate'],
  ...['Change progress', 'Change labels', 'Start timer', 'Stop timer', 'Plan time', 'Comment', 'Edit title', 'Select', 'Move', 'Mark'],
];
const actionOf = (name: string) =>
  actions.find((action) => name.startsWith(action)) ?? name.replace(/ (?:of|on|for|task|requirement|goal|release|milestone) .*$/, '');
const nameOf = (control: HTMLElement): string => {
  const said = control.getAttribute('aria-label');
  if (said) return said;
  const copy = document.importNode(control, true);
  for (const part of copy.querySelectorAll('kbd, svg, select')) part.remove();
  return copy.textContent.replace(/\s+/g, ' ').trim() || (isField(control) && control.labels?.[0]?.textContent.trim()) || '';
};

function shown() {
  const found = { 'On this page': new Map<string, string>(), 'In a row': new Map<string, string>() };
  const row = rowOf(document.activeElement) ?? rows()[0];
  for (const control of all('[data-key]')) {
    const its = rowOf(control);
    if ((its && its !== row) || (!its && !control.checkVisibility())) continue;
    const group = found[its ? 'In a row' : 'On this page'];
    const key = keyOf(control);
    const name = control.dataset.keyName || actionOf(nameOf(control));
    if (name && !group.has(key)) group.set(key, name);
  }
  return Object.entries(found).filter(([, keys]) => keys.size > 0);
}

function overview() {
  // The list may scroll.
  const body = make('div', { class: 'body', tabindex: '0' });
  if (off()) body.append(make('p', { class: 'hint' }, 'Single-key shortcuts are turned off in your profile.'));
  const groups: [string, [string, string][] | Map<string, string>][] = off()
    ? [['Everywhere', general.filter(([key]) => key.length > 1)]]
    : [
        ...shown(),
        ['Everywhere', general],
        ['Go to', Object.entries(places).map(([key, [, name]]) => [`G ${key.toUpperCase()}`, name])],
        [
          'In the search',
          [
            ['Tab', 'Next scope'],
            ['Shift Enter', 'Create and open'],
          ],
        ],
      ];
  for (const [name, keys] of groups) {
    const list = make('dl');
    for (const [key, what] of keys) list.append(make('div', {}, make('dt', {}, make('kbd', { class: 'kbd' }, key)), make('dd', {}, what)));
    body.append(make('h3', {}, name), list);
  }
  showDialog('keys-title', 'Keyboard shortcuts', body, 'keys');
  return true;
}

document.addEventListener('stint:keys', overview);
each('[data-show-keys]', (button) => {
  button.hidden = false;
});
document.addEventListener('click', ({ target }) => {
  if (around(target, '[data-show-keys]')) overview();
});
