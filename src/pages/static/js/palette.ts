// The palette shows the search page's results while typing. It is a combobox: the focus stays in the field.
import { activate, base, fetchPage, make } from './shared.ts';

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
const hints = [
  ['↑ ↓', 'choose'],
  ['↵', 'open'],
  ['⇧ ↵', 'create and open'],
  ['Tab', 'next scope'],
];
for (const [keys, what] of hints) foot.append(make('span', {}, make('kbd', { class: 'kbd' }, keys), ` ${what}`));
const scopes = make('div', { class: 'scopes', role: 'tablist', 'aria-label': 'Show' });
const palette = make('div', { class: 'palette', id: 'palette', popover: 'auto', role: 'dialog', 'aria-label': 'Search or command' });
palette.append(make('div', { class: 'q' }, ...(sign ? [sign] : []), field, key), scopes, results, count, foot);

let waiting;
let asking;
let back = null;
const options = () => [...results.querySelectorAll('[role=option]')].filter((one) => one.checkVisibility());
const ALL = 'All';
let scope = ALL;
const active = () => results.querySelector('.is-active');

function choose(option) {
  activate(field, options(), option);
  option?.scrollIntoView({ block: 'nearest' });
}

function show(page) {
  const groups = [...page.querySelectorAll('#found section')].map((section) => {
    const title = section.querySelector('h2').textContent;
    const inside = [...section.querySelectorAll('li')].flatMap((row) => [...row.childNodes]).map((node) => document.importNode(node, true));
    return make('div', { role: 'group', 'aria-label': title }, make('h3', { 'aria-hidden': 'true' }, title), ...inside);
  });
  results.replaceChildren(...groups);
  for (const [at, option] of [...results.querySelectorAll('.opt')].entries()) {
    option.id = `palette-${at}`;
    option.hidden = false;
    option.tabIndex = -1;
    option.setAttribute('role', 'option');
  }
  showScopes();
  count.textContent = page.querySelector('#found [role=status]')?.textContent ?? '';
}

const groupsShown = () => [...results.querySelectorAll('[role=group]')];

/** Tabs for the groups of results, if there are several. */
function showScopes() {
  const names = [ALL, ...groupsShown().map((group) => group.getAttribute('aria-label'))];
  if (!names.includes(scope)) scope = ALL;
  const tabs = names.map((name) => {
    const found = groupsShown().filter((group) => name === ALL || group.getAttribute('aria-label') === name);
    const amount = found.reduce((sum, group) => sum + group.querySelectorAll('[role=option]').length, 0);
    return make(
      'button',
      { type: 'button', role: 'tab', tabindex: '-1', 'aria-selected': String(name === scope), 'data-scope': name },
      name,
      make('span', {}, String(amount)),
    );
  });
  scopes.replaceChildren(...(field.value.trim() !== '' && names.length > 2 ? tabs : []));
  for (const group of groupsShown())
    group.hidden = scopes.children.length > 0 && scope !== ALL && group.getAttribute('aria-label') !== scope;
  choose(options()[0]);
}

function turn(by) {
  const all = [...scopes.children].map((tab) => tab.dataset.scope);
  if (all.length === 0) return;
  scope = all[(all.indexOf(scope) + by + all.length) % all.length];
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
    if (error.name === 'AbortError') return;
    results.replaceChildren(make('p', { class: 'hint' }, 'No connection to the server. Try again.'));
    count.textContent = results.textContent;
  }
}

const here = () => (location.pathname + location.search).slice(base.length) || '/';

function open(text = '') {
  if (palette.matches(':popover-open')) return;
  back = document.activeElement;
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
  const all = options();
  const at = all.indexOf(active());
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: Math.min(at + 5, all.length - 1), PageUp: Math.max(at - 5, 0) }[event.key];
  if (to !== undefined) {
    event.preventDefault();
    choose(all[(to + all.length) % all.length]);
  } else if (event.key === 'Enter' && !event.isComposing) {
    event.preventDefault();
    const option = active();
    if (option && event.ctrlKey && option.href) window.open(option.href, '_blank', 'noopener');
    else {
      // Shift: the new item is opened.
      const made = event.shiftKey && option?.form?.querySelector('[name="as"][value="task"]');
      if (made) option.form.append(make('input', { type: 'hidden', name: 'open', value: 'yes' }));
      option?.click();
    }
  } else if (event.key === 'Tab') {
    event.preventDefault();
    turn(event.shiftKey ? -1 : 1);
  }
});
scopes.addEventListener('click', ({ target }) => {
  const tab = target.closest('[role=tab]');
  if (!tab) return;
  scope = tab.dataset.scope;
  showScopes();
  field.focus();
});
results.addEventListener('pointermove', ({ target }) => {
  const option = target.closest('[role=option]');
  if (option && option !== active()) choose(option);
});
results.addEventListener('click', ({ target }) => {
  const option = target.closest('[role=option]');
  if (option?.dataset.do) {
    palette.hidePopover();
    document.dispatchEvent(new CustomEvent(`stint:${option.dataset.do}`));
  } else if (option && !option.form) palette.hidePopover();
});

if (form && HTMLElement.prototype.showPopover) {
  document.body.append(palette);
  document.addEventListener('keydown', (event) => {
    if (event.key?.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    event.preventDefault();
    if (palette.matches(':popover-open')) palette.hidePopover();
    else if (!document.querySelector('dialog:modal')) open();
  });
  document.addEventListener('stint:palette', () => open());
  // The field in the sidebar only opens the palette.
  const shown = form.querySelector('input');
  shown.addEventListener('click', () => open());
  shown.addEventListener('input', () => {
    const text = shown.value;
    shown.value = '';
    open(text);
  });
}
