// mentionsFor(field, listId, caret): a list of people under the caret, for textareas and the rich editor. `caret` reads the text before
// the caret, its place, and inserts a name. The focus stays in the field.
import { activate, make } from './shared.ts';

const MOST = 6;
const ROOM = 200;
const begun = (text) => /(?:^|[^\p{L}\p{N}_])@([^\n@]{0,60})$/u.exec(text)?.[1];
const peopleOf = (listId) =>
  [...(document.getElementById(listId)?.querySelectorAll('li') ?? [])].map((line) => ({
    name: line.querySelector('code').textContent.slice(1),
    role: line.querySelector('small')?.textContent ?? '',
  }));
const matches = (name, typed) => name.startsWith(typed) || name.split(' ').some((part) => part.startsWith(typed));
let count = 0;

export const mentionsFor = (field, listId, caret) => {
  const id = `mention-${++count}`;
  let box = null;
  let options = [];
  let active = 0;
  let closedAt = null;

  function close() {
    box?.remove();
    box = null;
    for (const name of ['aria-controls', 'aria-activedescendant', 'aria-autocomplete']) field.removeAttribute(name);
  }

  function choose(at) {
    const typed = begun(caret.before());
    const { name } = options[at];
    close();
    if (typed !== undefined) caret.insert(typed.length, name);
  }

  function mark(at) {
    active = at;
    activate(field, box.firstChild.children, box.firstChild.children[at]);
  }

  function optionOf({ name, role }, at) {
    const option = make('div', { class: 'opt', id: `${id}-${at}`, role: 'option' }, name, make('span', { class: 'end' }, role));
    option.addEventListener('mousedown', (event) => event.preventDefault());
    option.addEventListener('click', () => choose(at));
    return option;
  }

  function place() {
    const { left, top, bottom } = caret.rect();
    box.style.left = `${Math.max(8, Math.min(left, innerWidth - box.offsetWidth - 8))}px`;
    const isAbove = innerHeight - bottom < ROOM;
    box.classList.toggle('above', isAbove);
    box.style.top = isAbove ? 'auto' : `${bottom + 4}px`;
    box.style.bottom = isAbove ? `${innerHeight - top + 4}px` : 'auto';
  }

  function refresh() {
    const before = caret.before();
    const typed = begun(before)?.toLowerCase();
    if (typed === undefined || closedAt !== null) {
      if (typed === undefined) closedAt = null;
      return close();
    }
    options = peopleOf(listId)
      .filter(({ name }) => matches(name.toLowerCase(), typed))
      .slice(0, MOST);
    if (options.length === 0) return close();
    if (!box) {
      box = make('div', { class: 'mention-list' });
      document.body.append(box);
    }
    box.replaceChildren(make('div', { id, role: 'listbox', 'aria-label': 'People to mention' }, ...options.map(optionOf)));
    field.setAttribute('aria-controls', id);
    field.setAttribute('aria-autocomplete', 'list');
    mark(0);
    place();
  }

  // Returns true if the key was for the list.
  function key(event) {
    if (!box || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return false;
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by) mark((active + by + options.length) % options.length);
    else if (event.key === 'Enter' || (event.key === 'Tab' && !event.shiftKey)) choose(active);
    else if (event.key === 'Escape') {
      closedAt = caret.before();
      close();
    } else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  }
  return { refresh, key, close };
};

function caretOf(field) {
  return {
    before: () => field.value.slice(0, field.selectionStart),
    rect: () => field.getBoundingClientRect(),
    insert(length, name) {
      const at = field.selectionStart;
      field.setRangeText(`${name} `, at - length, at, 'end');
      field.focus();
      field.dispatchEvent(new Event('input', { bubbles: true }));
    },
  };
}

const lists = new WeakMap();
const listOf = (field) => {
  if (!lists.has(field)) lists.set(field, mentionsFor(field, field.dataset.mentions, caretOf(field)));
  return lists.get(field);
};
const isMeant = (target) => target.matches?.('textarea[data-mentions]') && !target.hidden;
document.addEventListener('input', ({ target }) => isMeant(target) && listOf(target).refresh());
document.addEventListener('keydown', (event) => isMeant(event.target) && listOf(event.target).key(event), true);
document.addEventListener('focusout', ({ target }) => isMeant(target) && listOf(target).close());
