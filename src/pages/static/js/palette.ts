// The palette shows the search page's results while typing. It is a combobox: the focus stays in the field.
import { activate, all, around, base, fetchPage, focusedElement, make, the } from './shared.ts';

const form = document.querySelector('.find');
const address = form?.getAttribute('action');
const sign = form?.querySelector('svg')?.cloneNode(true);
const field = make('input', {
  ...{ type: 'text', id: 'palette-q', role: 'combobox', 'aria-expanded': 'true', 'aria-controls': 'palette-results', autofocus: '' },
  ...{
    'aria-autocomplete': 'list',
    'aria-label': 'Search or command',
    placeholder: 'Go to, create or search',
    maxlength: '300',
    autocomplete: 'off',
    spellcheck: 'false',
  },
});
const results = make('div', { class: 'res', id: 'palette-results', role: 'listbox', 'aria-label': 'Results' });
const count = make('p', { class: 'vh', role: 'status' });
const key = make('kbd', { class: 'kbd', 'aria-hidden': 'true' }, 'Esc');
const foot = make('div', { class: 'foot', 'aria-hidden': 'true' });
const hints: [keys: string, what: string][] = [
  ['↑ ↓', 'choose'],
  ['↵', 'open'],
  ['⇧ ↵', 'create and open'],
  ['Tab', 'next scope'],
];
for (const [keys, what] of hints) foot.append(make('span', {}, make('kbd', { class: 'kbd' }, keys), ` ${what}`));
const scopes = make('div', { class: 'scopes', role: 'tablist', 'aria-label': 'Show' });
const palette = make('div', { class: 'palette', id: 'palette', popover: 'auto', role: 'dialog', 'aria-label': 'Search or command' });
palette.append(make('div', { class: 'q' }, ...(sign ? [sign] : []), field, key), scopes, results, count, foot);

let waiting = 0;
let asking: AbortController | null = null;
let back: HTMLElement | null = null;
const options = () => all('[role=option]', results).filter((one) => one.checkVisibility());
const ALL = 'All';
let scope = ALL;
const active = () => results.querySelector<HTMLElement>('.is-active');
const formOf = (option: HTMLElement | null) => (option instanceof HTMLButtonElement ? option.form : null);

function choose(option: HTMLElement | undefined): void {
  activate(field, options(), option);
  option?.scrollIntoView({ block: 'nearest' });
}

function show(page: Document): void {
  const groups = all('#found section', page).map((section) => {
    const title = the('h2', section).textContent;
    const inside = [...section.querySelectorAll('li')].flatMap((row) => [...row.childNodes]).map((node) => document.importNode(node, true));
    return make('div', { role: 'group', 'aria-label': title }, make('h3', { 'aria-hidden': 'true' }, title), ...inside);
  });
  results.replaceChildren(...groups);
  for (const [at, option] of all('.opt', results).entries()) {
    option.id = `palette-${at}`;
    option.hidden = false;
    option.tabIndex = -1;
    option.setAttribute('role', 'option');
  }
  showScopes();
  count.textContent = page.querySelector('#found [role=status]')?.textContent ?? '';
}

const groupsShown = () => all('[role=group]', results);
const nameOf = (group: HTMLElement) => group.getAttribute('aria-label') ?? '';

/** Tabs for the groups of results, if there are several. */
function showScopes() {
  const names = [ALL, ...groupsShown().map(nameOf)];
  if (!names.includes(scope)) scope = ALL;
  const tabs = names.map((name) => {
    const found = groupsShown().filter((group) => name === ALL || nameOf(group) === name);
    const amount = found.reduce((sum, group) => sum + group.querySelectorAll('[role=option]').length, 0);
    return make(
      'button',
      { type: 'button', role: 'tab', tabindex: '-1', 'aria-selected': String(name === scope), 'data-scope': name },
      name,
      make('span', {}, String(amount)),
    );
  });
  scopes.replaceChildren(...(field.value.trim() !== '' && names.length > 2 ? tabs : []));
  for (const group of groupsShown()) group.hidden = scopes.children.length > 0 && scope !== ALL && nameOf(group) !== scope;
  choose(options()[0]);
}

function turn(by: number): void {
  const names = all('[data-scope]', scopes).map((tab) => tab.dataset.scope ?? ALL);
  if (names.length === 0) return;
  scope = names[(names.indexOf(scope) + by + names.length) % names.length] ?? ALL;
  showScopes();
}

async function ask() {
  asking?.abort();
  asking = new AbortController();
  const query = new URLSearchParams({ q: field.value.trim(), palette: '', back: here() });
  const workspace = /\/workspaces\/(\d+)/.exec(location.pathname)?.[1];
  if (workspace) query.set('in', workspace);
  try {
    const { answer, page } = await fetchPage(`${address}?${query}`, { signal: asking.signal });
    if (!answer.ok) throw new Error(String(answer.status));
    // The user was signed out meanwhile.
    if (!page.getElementById('found')) location.reload();
    else show(page);
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') return;
    results.replaceChildren(make('p', { class: 'hint' }, 'No connection to the server. Try again.'));
    count.textContent = results.textContent;
  }
}

const here = () => (location.pathname + location.search).slice(base.length) || '/';

function open(text = '') {
  if (palette.matches(':popover-open')) return;
  back = focusedElement();
  field.value = text;
  scope = ALL;
  scopes.replaceChildren();
  results.replaceChildren();
  palette.showPopover();
  field.focus();
  ask();
}

palette.addEventListener('toggle', ({ newState }) => {
  if (newState === 'closed' && back?.isConnected) back.focus({ preventScroll: true });
});
field.addEventListener('input', () => {
  clearTimeout(waiting);
  scope = ALL;
  waiting = setTimeout(ask, 120);
});
field.addEventListener('keydown', (event) => {
  const found = options();
  const option = active();
  const at = option ? found.indexOf(option) : -1;
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: Math.min(at + 5, found.length - 1), PageUp: Math.max(at - 5, 0) }[event.key];
  if (to !== undefined) {
    event.preventDefault();
    choose(found[(to + found.length) % found.length]);
  } else if (event.key === 'Enter' && !event.isComposing) {
    event.preventDefault();
    if (event.ctrlKey && option instanceof HTMLAnchorElement && option.href) window.open(option.href, '_blank', 'noopener');
    else {
      // Shift: the new item is opened.
      const sending = event.shiftKey ? formOf(option) : null;
      if (sending?.querySelector('[name="as"][value="task"]'))
        sending.append(make('input', { type: 'hidden', name: 'open', value: 'yes' }));
      option?.click();
    }
  } else if (event.key === 'Tab') {
    event.preventDefault();
    turn(event.shiftKey ? -1 : 1);
  }
});
scopes.addEventListener('click', ({ target }) => {
  const tab = around(target, '[role=tab]');
  if (!tab) return;
  scope = tab.dataset.scope ?? ALL;
  showScopes();
  field.focus();
});
results.addEventListener('pointermove', ({ target }) => {
  const option = around(target, '[role=option]');
  if (option && option !== active()) choose(option);
});
results.addEventListener('click', ({ target }) => {
  const option = around(target, '[role=option]');
  if (option?.dataset.do) {
    palette.hidePopover();
    document.dispatchEvent(new CustomEvent(`stint:${option.dataset.do}`));
  } else if (option && !formOf(option)) palette.hidePopover();
});

if (form && 'showPopover' in HTMLElement.prototype) {
  document.body.append(palette);
  document.addEventListener('keydown', (event) => {
    if (event.key?.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    event.preventDefault();
    if (palette.matches(':popover-open')) palette.hidePopover();
    else if (!document.querySelector('dialog:modal')) open();
  });
  document.addEventListener('stint:palette', () => open());
  // The field in the sidebar only opens the palette.
  const shown = the<HTMLInputElement>('input', form);
  shown.addEventListener('click', () => open());
  shown.addEventListener('input', () => {
    const text = shown.value;
    shown.value = '';
    open(text);
  });
}
