/** The editor's toolbar: one tab stop, arrows move inside. */
import { redo, redoDepth, undo, undoDepth } from 'prosemirror-history';
import type { Command, EditorState } from 'prosemirror-state';
import { addColumnAfter, addRowAfter, deleteColumn, deleteRow, deleteTable, isInTable } from 'prosemirror-tables';
import type { EditorView } from 'prosemirror-view';
import { isSafeAddress } from '../../frame/components/markdownSyntax.ts';
import { blockOf, insertTable, isActive, listKind, marks, setBlock, toggle, toggleList, toggleQuote } from './commands.ts';

interface Tool {
  name: string;
  icon: string;
  run: Command;
  isOn?(state: EditorState): boolean;
  isOff?(state: EditorState): boolean;
}

const text: Tool[] = [
  { name: 'Bold', icon: 'bold', run: toggle(marks.strong), isOn: (state) => isActive(state, marks.strong) },
  { name: 'Italic', icon: 'italic', run: toggle(marks.em), isOn: (state) => isActive(state, marks.em) },
  { name: 'Strikethrough', icon: 'strikethrough', run: toggle(marks.strike), isOn: (state) => isActive(state, marks.strike) },
  { name: 'Code', icon: 'code', run: toggle(marks.code), isOn: (state) => isActive(state, marks.code) },
];
const lists: Tool[] = [
  { name: 'Bulleted list', icon: 'list', run: toggleList('bullet'), isOn: (state) => listKind(state) === 'bullet' },
  { name: 'Numbered list', icon: 'list-ordered', run: toggleList('ordered'), isOn: (state) => listKind(state) === 'ordered' },
  { name: 'Checklist', icon: 'list-checks', run: toggleList('task'), isOn: (state) => listKind(state) === 'task' },
];
const table: Tool = { name: 'Insert table', icon: 'table', run: insertTable, isOn: isInTable };
const quote: Tool = { name: 'Quote', icon: 'text-quote', run: toggleQuote };
const past: Tool[] = [
  { name: 'Undo', icon: 'undo-2', run: undo, isOff: (state) => undoDepth(state) === 0 },
  { name: 'Redo', icon: 'redo-2', run: redo, isOff: (state) => redoDepth(state) === 0 },
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

function toolButton(view: EditorView, { name, icon: sign, run, isOn, isOff }: Tool): Updating {
  const button = make('button', 'tool', icon(sign));
  button.type = 'button';
  button.title = name;
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

/** The address is typed in the toolbar. Without a selection the address is the text. */
function linkTool(view: EditorView): Updating & { panel: HTMLElement } {
  const field = make('input', 'address');
  field.type = 'url';
  field.placeholder = 'https://';
  field.setAttribute('aria-label', 'Link address');
  const set = make('button', 'btn small', 'Set link');
  const remove = make('button', 'btn small quiet', 'Remove link');
  const wrong = make('span', 'meta', 'Start the address with https:// or mailto:');
  wrong.setAttribute('role', 'alert');
  const panel = make('div', 'link-panel', field, set, remove);
  panel.hidden = true;
  set.type = 'button';
  remove.type = 'button';
  const close = () => {
    panel.hidden = true;
    wrong.remove();
    view.focus();
  };
  const apply = () => {
    const href = field.value.trim();
    if (!isSafeAddress(href)) {
      panel.append(wrong);
      field.focus();
      return;
    }
    const { state } = view;
    const { from, to, empty } = state.selection;
    const tr = empty ? state.tr.insertText(href, from) : state.tr.removeMark(from, to, marks.link);
    view.dispatch(tr.addMark(from, empty ? from + href.length : to, marks.link.create({ href })));
    close();
  };
  set.addEventListener('click', apply);
  remove.addEventListener('click', () => {
    const { from, to, empty, $from } = view.state.selection;
    const [start, end] = empty ? [$from.start(), $from.end()] : [from, to];
    view.dispatch(view.state.tr.removeMark(start, end, marks.link));
    close();
  });
  field.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Enter') apply();
    else close();
  });
  const open: Command = (state) => {
    const mark =
      marks.link.isInSet(state.selection.$from.marks()) ?? marks.link.isInSet(state.doc.nodeAt(state.selection.from)?.marks ?? []);
    field.value = String(mark?.attrs.href ?? '');
    panel.hidden = false;
    field.focus();
    return true;
  };
  const button = make('button', 'tool', icon('link'));
  button.type = 'button';
  button.title = 'Link';
  button.setAttribute('aria-label', 'Link');
  button.addEventListener('mousedown', (event) => event.preventDefault());
  button.addEventListener('click', () => open(view.state));
  return { dom: button, panel, update: () => button.setAttribute('aria-pressed', String(isActive(view.state, marks.link))) };
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

export function toolbarOf(view: EditorView, isSmall: boolean): Updating {
  const link = linkTool(view);
  const button = (tool: Tool) => toolButton(view, tool);
  const group = (...tools: Updating[]): Updating[] => tools;
  const groups = isSmall
    ? [group(button(text[0]!), button(text[1]!), button(text[3]!)), group(...lists.map(button)), group(link)]
    : [group(blockChoice(view)), text.map(button), lists.map(button), group(button(table), button(quote), link), past.map(button)];
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
  return { dom: make('div', 'toolbar', bar, link.panel, ...panels.map(({ dom }) => dom)), update };
}
