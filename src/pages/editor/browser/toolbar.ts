/** The editor's toolbar: one tab stop, arrows move inside. */
import { redo, redoDepth, undo, undoDepth } from 'prosemirror-history';
import type { Command, EditorState } from 'prosemirror-state';
import { addColumnAfter, addRowAfter, deleteColumn, deleteRow, deleteTable, isInTable } from 'prosemirror-tables';
import type { EditorView } from 'prosemirror-view';
import type { EditorSchema, Format } from '../format.ts';
import {
  blockOf,
  hasChecklists,
  insertTable,
  isActive,
  type ListKind,
  linkAt,
  listKind,
  schemaOf,
  setBlock,
  toggle,
  toggleList,
  toggleQuote,
} from './commands.ts';

interface Tool {
  name: string;
  key?: string;
  icon: string;
  run: Command;
  isOn?(state: EditorState): boolean;
  isOff?(state: EditorState): boolean;
  isFor?(schema: EditorSchema): boolean;
}

const ofMark = (name: string, mark: Parameters<typeof toggle>[0], icon: string, key?: string): Tool => ({
  ...{ name, icon, run: toggle(mark), isOn: (state) => isActive(state, mark), isFor: ({ marks }) => mark in marks },
  ...(key && { key }),
});
const ofList = (name: string, kind: ListKind, icon: string, key: string): Tool => ({
  ...{ name, icon, key, run: toggleList(kind), isOn: (state) => listKind(state) === kind },
  isFor: (schema) => kind !== 'task' || hasChecklists(schema),
});

const bold = ofMark('Bold', 'strong', 'bold', 'Ctrl+B');
const italic = ofMark('Italic', 'em', 'italic', 'Ctrl+I');
const code = ofMark('Code', 'code', 'code', 'Ctrl+E');
const text = [
  bold,
  italic,
  ofMark('Underline', 'underline', 'underline', 'Ctrl+U'),
  ofMark('Strikethrough', 'strike', 'strikethrough'),
  code,
];
const lists = [
  ofList('Bulleted list', 'bullet', 'list', 'Ctrl+Shift+8'),
  ofList('Numbered list', 'ordered', 'list-ordered', 'Ctrl+Shift+7'),
  ofList('Checklist', 'task', 'list-checks', 'Ctrl+Shift+9'),
];
const table: Tool = { name: 'Insert table', icon: 'table', run: insertTable, isOn: isInTable };
const quote: Tool = { name: 'Quote', icon: 'text-quote', run: toggleQuote };
const past: Tool[] = [
  { name: 'Undo', key: 'Ctrl+Z', icon: 'undo-2', run: undo, isOff: (state) => undoDepth(state) === 0 },
  { name: 'Redo', key: 'Ctrl+Y', icon: 'redo-2', run: redo, isOff: (state) => redoDepth(state) === 0 },
];
const ofTable: { name: string; run: Command }[] = [
  { name: 'Add row', run: addRowAfter },
  { name: 'Add column', run: addColumnAfter },
  { name: 'Delete row', run: deleteRow },
  { name: 'Delete column', run: deleteColumn },
  { name: 'Delete table', run: deleteTable },
];
const blocks = [
  ['text', 'Text'],
  ['heading-1', 'Heading 1'],
  ['heading-2', 'Heading 2'],
  ['heading-3', 'Heading 3'],
  ['heading-4', 'Heading 4'],
  ['code', 'Code block'],
] as const;

function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  className: string,
  ...inside: (Element | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  made.className = className;
  made.append(...inside);
  return made;
}

function icon(name: string): SVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.classList.add('i', 's');
  svg.setAttribute('aria-hidden', 'true');
  const use = document.createElementNS('http://www.w3.org/2000/svg', 'use');
  use.setAttribute('href', `${document.body.dataset.icons}#${name}`);
  svg.append(use);
  return svg;
}

const line = () => make('span', 'line');

interface Updating {
  dom: HTMLElement;
  update(): unknown;
}

function toolButton(view: EditorView, { name, key, icon: sign, run, isOn, isOff }: Tool): Updating {
  const button = make('button', 'icon-btn tool', icon(sign));
  button.type = 'button';
  button.title = key ? `${name} (${key})` : name;
  button.setAttribute('aria-label', name);
  // Keeps the selection of the text.
  button.addEventListener('mousedown', (event) => event.preventDefault());
  button.addEventListener('click', () => {
    run(view.state, view.dispatch, view);
    view.focus();
  });
  return {
    dom: button,
    update() {
      if (isOn) button.setAttribute('aria-pressed', String(isOn(view.state)));
      // `disabled` would drop the focus.
      if (isOff) button.setAttribute('aria-disabled', String(isOff(view.state)));
    },
  };
}

function blockChoice(view: EditorView): Updating {
  const select = make('select', 'block');
  select.setAttribute('aria-label', 'Text style');
  for (const [value, name] of blocks) select.append(new Option(name, value));
  select.addEventListener('change', () => {
    setBlock(select.value)(view.state, view.dispatch);
    view.focus();
  });
  return {
    dom: select,
    update() {
      select.value = blockOf(view.state);
    },
  };
}

/** A typed address; an e-mail address or one without a scheme is completed. */
function addressOf(typed: string, isLink: (address: string) => boolean): string | null {
  const text = typed.trim();
  if (/^[^\s@/:]+@[^\s@/]+\.[^\s@/]+$/.test(text)) return `mailto:${text}`;
  const address = isLink(text) || /^[a-z][\w+.-]*:/i.test(text) ? text : `https://${text}`;
  return isLink(address) && !/\s/.test(address) ? address : null;
}

/** The address is typed in the toolbar. Without a selection the address is the text. */
class LinkTool implements Updating {
  readonly dom = make('button', 'icon-btn tool', icon('link'));
  readonly panel: HTMLElement;
  readonly #view: EditorView;
  readonly #format: Format;
  readonly #field = make('input', 'address');
  readonly #open = make('a', 'btn small quiet', 'Open link');
  readonly #wrong = make('span', 'meta', 'Enter a full address such as https://example.org.');

  constructor(view: EditorView, format: Format) {
    this.#view = view;
    this.#format = format;
    this.dom.type = 'button';
    this.dom.title = 'Link (Ctrl+Shift+L)';
    this.dom.setAttribute('aria-label', 'Link');
    this.dom.addEventListener('mousedown', (event) => event.preventDefault());
    this.dom.addEventListener('click', () => this.open());
    this.#field.type = 'text';
    this.#field.inputMode = 'url';
    this.#field.placeholder = 'https://';
    this.#field.setAttribute('aria-label', 'Link address');
    this.#field.addEventListener('keydown', (event) => this.#key(event));
    this.#wrong.setAttribute('role', 'alert');
    this.#open.target = '_blank';
    this.#open.rel = 'noopener noreferrer nofollow';
    const set = make('button', 'btn small', 'Set link');
    const remove = make('button', 'btn small quiet', 'Remove link');
    for (const button of [set, remove]) button.type = 'button';
    set.addEventListener('click', () => this.#set());
    remove.addEventListener('click', () => this.#remove());
    this.panel = make('div', 'link-panel', this.#field, set, remove, this.#open);
    this.panel.hidden = true;
  }

  update(): void {
    this.dom.setAttribute('aria-pressed', String(isActive(this.#view.state, 'link')));
  }

  open(): boolean {
    const href = String(linkAt(this.#view.state)?.mark.attrs.href ?? '');
    this.#field.value = href;
    this.#open.hidden = href === '';
    this.#open.href = href;
    this.panel.hidden = false;
    this.#field.focus();
    return true;
  }

  #close(): void {
    this.panel.hidden = true;
    this.#wrong.remove();
    this.#view.focus();
  }

  /** The selected text, or the link at the caret. */
  #range(): { from: number; to: number } {
    const { selection } = this.#view.state;
    return (selection.empty && linkAt(this.#view.state)) || selection;
  }

  #set(): void {
    const href = addressOf(this.#field.value, this.#format.isLink);
    if (!href) {
      this.panel.append(this.#wrong);
      this.#field.focus();
      return;
    }
    const { state } = this.#view;
    const { link } = schemaOf(state).marks;
    const { from, to } = this.#range();
    const tr = from === to ? state.tr.insertText(href, from) : state.tr.removeMark(from, to, link);
    this.#view.dispatch(tr.addMark(from, from === to ? from + href.length : to, link.create({ href })));
    this.#close();
  }

  #remove(): void {
    const { from, to } = this.#range();
    this.#view.dispatch(this.#view.state.tr.removeMark(from, to, schemaOf(this.#view.state).marks.link));
    this.#close();
  }

  #key(event: KeyboardEvent): void {
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Enter') this.#set();
    else this.#close();
  }
}

function tablePanel(view: EditorView): Updating {
  const buttons = ofTable.map(({ name, run }) => {
    const button = make('button', 'btn small quiet', name);
    button.type = 'button';
    button.addEventListener('mousedown', (event) => event.preventDefault());
    button.addEventListener('click', () => {
      run(view.state, view.dispatch);
      view.focus();
    });
    return button;
  });
  const dom = make('div', 'table-panel', ...buttons);
  dom.setAttribute('role', 'group');
  dom.setAttribute('aria-label', 'Table');
  return { dom, update: () => dom.toggleAttribute('hidden', !isInTable(view.state)) };
}

/** One tab stop (ARIA toolbar pattern). */
function arrows(bar: HTMLElement): void {
  const controls = () => [...bar.querySelectorAll<HTMLElement>('button, select')];
  for (const [at, control] of controls().entries()) control.tabIndex = at === 0 ? 0 : -1;
  bar.addEventListener('keydown', (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const all = controls();
    const at = all.indexOf(document.activeElement as HTMLElement);
    if (!by || at < 0) return;
    event.preventDefault();
    const next = all[(at + by + all.length) % all.length]!;
    for (const one of all) one.tabIndex = one === next ? 0 : -1;
    next.focus();
  });
}

export interface Toolbar extends Updating {
  focus(): boolean;
  openLink(): boolean;
}

export function toolbarOf(view: EditorView, format: Format, isSmall: boolean): Toolbar {
  const link = new LinkTool(view, format);
  const buttons = (...tools: Tool[]): Updating[] =>
    tools.filter(({ isFor }) => isFor?.(format.schema) ?? true).map((tool) => toolButton(view, tool));
  const groups: Updating[][] = isSmall
    ? [buttons(bold, italic, code), buttons(...lists), [link]]
    : [[blockChoice(view)], buttons(...text), buttons(...lists), [...buttons(table, quote), link], buttons(...past)];
  const bar = make('div', 'tools', ...groups.flatMap((tools, at) => [...(at > 0 ? [line()] : []), ...tools.map(({ dom }) => dom)]));
  bar.setAttribute('role', 'toolbar');
  bar.setAttribute('aria-label', 'Formatting');
  const panels = isSmall ? [] : [tablePanel(view)];
  const all = [...groups.flat(), ...panels];
  const update = () => {
    for (const one of all) one.update();
  };
  update();
  arrows(bar);
  const focus = () => {
    bar.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
    return true;
  };
  return { dom: make('div', 'toolbar', bar, link.panel, ...panels.map(({ dom }) => dom)), update, focus, openLink: () => link.open() };
}
