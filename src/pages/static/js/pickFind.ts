// Completes fields that name an item: the server finds items whose text has the typed words.
import { buildList, closeList, fillList, isChoosing, nameOf, openList, placeList, pressedInList } from './pickList.ts';
import { type Choice, fetchJson, wordsOf } from './pickRows.ts';
import { around, each } from './shared.ts';

const ASK_AFTER_MS = 150;
const SELECTOR = 'input[data-find]';
let soon = 0;
let asking: AbortController | null = null;

function unfold(input: HTMLInputElement) {
  const list = buildList(input, input, 'manual', nameOf(input));
  input.setAttribute('aria-expanded', 'true');
  list.box.addEventListener('toggle', ({ newState }) => {
    if (newState !== 'closed') return;
    input.setAttribute('aria-expanded', 'false');
    input.removeAttribute('aria-activedescendant');
    list.box.remove();
  });
  list.box.showPopover();
  return list;
}

async function find(input: HTMLInputElement): Promise<void> {
  asking?.abort();
  asking = new AbortController();
  const to = new URL(input.dataset.find ?? '', location.href);
  to.searchParams.set('q', input.value);
  try {
    const found = await fetchJson<Choice[]>(to, asking.signal);
    if (document.activeElement !== input) return;
    fillList(openList(input) ?? unfold(input), found, wordsOf(input.value.replace(/^#/, '')));
    placeList();
  } catch (error) {
    // The field still takes a number or a title.
    if (!(error instanceof DOMException && error.name === 'AbortError')) closeList();
  }
}

each<HTMLInputElement>(SELECTOR, (input) => {
  for (const [name, value] of Object.entries({
    role: 'combobox',
    'aria-expanded': 'false',
    'aria-controls': 'pick-list',
    'aria-autocomplete': 'list',
  }))
    if (!input.hasAttribute(name)) input.setAttribute(name, value);
  input.autocomplete = 'off';
});
document.addEventListener('input', ({ target }) => {
  const input = around<HTMLInputElement>(target, SELECTOR);
  if (!input || isChoosing()) return;
  clearTimeout(soon);
  soon = window.setTimeout(find, ASK_AFTER_MS, input);
});
document.addEventListener('focusout', ({ target }) => {
  if (!around(target, SELECTOR)) return;
  clearTimeout(soon);
  asking?.abort();
  openList(target)?.box.hidePopover();
});
// Before the dialog's own keys: Enter there sends the form.
document.addEventListener(
  'keydown',
  (event) => {
    const input = around<HTMLInputElement>(event.target, SELECTOR);
    if (!input) return;
    if (openList(input)) return pressedInList(event);
    if (event.key !== 'ArrowDown') return;
    event.preventDefault();
    void find(input);
  },
  true,
);
