// A list of people under the caret, for textareas and the rich editor. The focus stays in the field.
import type { MentionsOf } from '../../editor/browser/view.ts';
import { activate, all, around, make } from './shared.ts';

const MOST = 6;
const ROOM = 200;

/** Reads the text before the caret and the caret's place, and inserts a name. */
type Caret = Parameters<MentionsOf>[2];

interface Person {
  name: string;
  role: string;
}

/** The text after an @ at the end of the text. */
const begun = (text: string): string | undefined => /(?:^|[^\p{L}\p{N}_])@([^\n@]{0,60})$/u.exec(text)?.[1];

const peopleOf = (listId: string): Person[] =>
  all(`#${CSS.escape(listId)} li`).map((line) => ({
    name: line.querySelector('code')?.textContent.slice(1) ?? '',
    role: line.querySelector('small')?.textContent ?? '',
  }));

const matches = (name: string, typed: string): boolean => name.startsWith(typed) || name.split(' ').some((part) => part.startsWith(typed));

let count = 0;

class MentionList {
  readonly #field: HTMLElement;
  readonly #listId: string;
  readonly #caret: Caret;
  readonly #id = `mention-${++count}`;
  readonly #box = make('div', { class: 'mention-list' });
  #people: Person[] = [];
  #active = 0;
  #isDismissed = false;

  constructor(field: HTMLElement, listId: string, caret: Caret) {
    this.#field = field;
    this.#listId = listId;
    this.#caret = caret;
  }

  close(): void {
    this.#box.remove();
    for (const name of ['aria-controls', 'aria-activedescendant', 'aria-autocomplete']) this.#field.removeAttribute(name);
  }

  refresh() {
    const typed = begun(this.#caret.before())?.toLowerCase();
    if (typed === undefined) this.#isDismissed = false;
    if (typed === undefined || this.#isDismissed) return this.close();
    this.#people = peopleOf(this.#listId)
      .filter(({ name }) => matches(name.toLowerCase(), typed))
      .slice(0, MOST);
    if (this.#people.length === 0) return this.close();
    const options = this.#people.map((person, at) => this.#optionOf(person, at));
    this.#box.replaceChildren(make('div', { id: this.#id, role: 'listbox', 'aria-label': 'People to mention' }, ...options));
    if (!this.#box.isConnected) document.body.append(this.#box);
    this.#field.setAttribute('aria-controls', this.#id);
    this.#field.setAttribute('aria-autocomplete', 'list');
    this.#mark(0);
    this.#place();
  }

  /** Returns true if the key was for the list. */
  key(event: KeyboardEvent): boolean {
    if (!this.#box.isConnected || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return false;
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (by) this.#mark((this.#active + by + this.#people.length) % this.#people.length);
    else if (event.key === 'Enter' || (event.key === 'Tab' && !event.shiftKey)) this.#choose(this.#people[this.#active]);
    else if (event.key === 'Escape') {
      this.#isDismissed = true;
      this.close();
    } else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  }

  #choose(person: Person | undefined): void {
    const typed = begun(this.#caret.before());
    this.close();
    if (person && typed !== undefined) this.#caret.insert(typed.length, person.name);
  }

  #mark(at: number): void {
    this.#active = at;
    const options = all('.opt', this.#box);
    activate(this.#field, options, options[at]);
  }

  #optionOf(person: Person, at: number): HTMLElement {
    const role = make('span', { class: 'end' }, person.role);
    const option = make('div', { class: 'opt', id: `${this.#id}-${at}`, role: 'option' }, person.name, role);
    option.addEventListener('mousedown', (event) => event.preventDefault());
    option.addEventListener('click', () => this.#choose(person));
    return option;
  }

  #place(): void {
    const { left, top, bottom } = this.#caret.rect();
    const { style } = this.#box;
    style.left = `${Math.max(8, Math.min(left, innerWidth - this.#box.offsetWidth - 8))}px`;
    const isAbove = innerHeight - bottom < ROOM;
    this.#box.classList.toggle('above', isAbove);
    style.top = isAbove ? 'auto' : `${bottom + 4}px`;
    style.bottom = isAbove ? `${innerHeight - top + 4}px` : 'auto';
  }
}

export const mentionsFor: MentionsOf = (field, listId, caret) => new MentionList(field, listId, caret);

const caretOf = (field: HTMLTextAreaElement): Caret => ({
  before: () => field.value.slice(0, field.selectionStart),
  rect: () => field.getBoundingClientRect(),
  insert(length, name) {
    const at = field.selectionStart;
    field.setRangeText(`${name} `, at - length, at, 'end');
    field.focus();
    field.dispatchEvent(new Event('input', { bubbles: true }));
  },
});

const lists = new WeakMap<HTMLTextAreaElement, MentionList>();
/** The list of a textarea that shows people, not of one that the rich editor hides. */
function listAt(target: EventTarget | null): MentionList | undefined {
  const field = around<HTMLTextAreaElement>(target, 'textarea[data-mentions]');
  if (!field || field.hidden) return undefined;
  const list = lists.get(field) ?? new MentionList(field, field.dataset.mentions ?? '', caretOf(field));
  lists.set(field, list);
  return list;
}
document.addEventListener('input', ({ target }) => listAt(target)?.refresh());
document.addEventListener('keydown', (event) => listAt(event.target)?.key(event), true);
document.addEventListener('focusout', ({ target }) => listAt(target)?.close());
