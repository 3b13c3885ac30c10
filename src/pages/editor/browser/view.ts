/** A rich editor in place of a textarea. The textarea stays the field of the form: it gets the Markdown. */
import { baseKeymap, chainCommands, exitCode } from 'prosemirror-commands';
import { history, redo, undo } from 'prosemirror-history';
import { keymap } from 'prosemirror-keymap';
import type { Node } from 'prosemirror-model';
import { liftListItem, sinkListItem } from 'prosemirror-schema-list';
import { EditorState, Plugin, Selection } from 'prosemirror-state';
import { goToNextCell, tableEditing } from 'prosemirror-tables';
import { EditorView, type NodeView } from 'prosemirror-view';
import { type Opened, read, schema, textOf } from '../markdown.ts';
import { addBreak, leaveCell, marks, nextItem, nodes, toggle, toggleList, typing } from './commands.ts';
import { cleanHtml, keepFirstBlock, sliceOfText, takeFiles } from './paste.ts';
import { toolbarOf } from './toolbar.ts';

/** The list of people to mention, static/js/mentions.ts. */
export type MentionsOf = (
  field: HTMLElement,
  listId: string,
  caret: { before(): string; rect(): { left: number; top: number; bottom: number }; insert(length: number, name: string): void },
) => { refresh(): void; key(event: KeyboardEvent): boolean; close(): void };

export interface Options {
  small?: boolean;
  /** Ctrl+Enter. */
  send?(): void;
  /** Escape, if nothing else used it. */
  cancel?(): void;
}

export interface Edited {
  /** The element around toolbar and text. */
  dom: HTMLElement;
  focus(): void;
  /** Writes the Markdown into the textarea. */
  flush(): void;
  destroy(): void;
}

/** A list item with a box that can be ticked. */
function itemView(node: Node, view: EditorView, getPos: () => number | undefined): NodeView {
  const dom = document.createElement('li');
  const contentDOM = document.createElement('div');
  if (node.attrs.checked !== null) {
    dom.className = 'task';
    const box = document.createElement('input');
    box.type = 'checkbox';
    box.checked = node.attrs.checked;
    box.setAttribute('aria-label', 'Done');
    box.addEventListener('change', () => {
      const at = getPos();
      if (at !== undefined) view.dispatch(view.state.tr.setNodeAttribute(at, 'checked', box.checked));
    });
    const side = document.createElement('span');
    side.contentEditable = 'false';
    side.append(box);
    dom.append(side);
  }
  dom.append(contentDOM);
  return {
    dom,
    contentDOM,
    update: (next) => next.type === node.type && next.attrs.checked === node.attrs.checked,
    stopEvent: (event) => event.target instanceof HTMLInputElement,
    ignoreMutation: (mutation) => mutation.type !== 'selection' && !contentDOM.contains(mutation.target),
  };
}

const stateOf = (opened: Opened, more: Plugin[]): EditorState =>
  EditorState.create({
    doc: opened.doc,
    plugins: [
      ...more,
      typing,
      keymap({
        'Mod-z': undo,
        'Mod-y': redo,
        'Mod-Shift-z': redo,
        'Mod-b': toggle(marks.strong),
        'Mod-i': toggle(marks.em),
        'Mod-e': toggle(marks.code),
        'Mod-Shift-7': toggleList('ordered'),
        'Mod-Shift-8': toggleList('bullet'),
        'Mod-Shift-9': toggleList('task'),
        'Shift-Enter': chainCommands(exitCode, addBreak),
        Enter: chainCommands(leaveCell, nextItem),
        Tab: chainCommands(goToNextCell(1), sinkListItem(nodes.list_item)),
        'Shift-Tab': chainCommands(goToNextCell(-1), liftListItem(nodes.list_item)),
      }),
      keymap(baseKeymap),
      history(),
      tableEditing(),
    ],
  });

function mentionsFor(textarea: HTMLTextAreaElement, view: EditorView): ReturnType<MentionsOf> | undefined {
  const list = textarea.dataset.mentions;
  return list === undefined
    ? undefined
    : window.stint.mentions?.(view.dom, list, {
        before() {
          const { $from, empty } = view.state.selection;
          return empty && !$from.parent.type.spec.code ? $from.parent.textBetween(0, $from.parentOffset, '\n', '\n') : '';
        },
        rect: () => view.coordsAtPos(view.state.selection.from),
        insert(length, name) {
          const { from } = view.state.selection;
          view.dispatch(view.state.tr.insertText(`${name} `, from - length, from).scrollIntoView());
          view.focus();
        },
      });
}

/** Milliseconds without a key before the textarea is written. */
const PAUSE = 250;

/** Null if the text has something that the editor would lose; then the textarea stays. */
export function edit(textarea: HTMLTextAreaElement, options: Options = {}): Edited | null {
  let opened = read(textarea.value);
  if (!opened) return null;
  const dom = document.createElement('div');
  dom.className = `editor${options.small ? ' small' : ''}`;
  let mentions: ReturnType<MentionsOf> | undefined;
  let pause = 0;
  let changed = false;
  const flush = () => {
    clearTimeout(pause);
    if (!changed) return;
    changed = false;
    textarea.value = textOf(view.state.doc, opened!);
    textarea.dispatchEvent(new Event('input', { bubbles: true }));
  };
  const keys = keymap({
    'Mod-Enter': () => {
      flush();
      options.send?.();
      return true;
    },
    Escape: () => {
      options.cancel?.();
      return options.cancel !== undefined;
    },
  });
  const first = new Plugin({ props: { handleKeyDown: (_view, event) => mentions?.key(event) ?? false } });
  const plugins = [first, keys];
  const view: EditorView = new EditorView(
    { mount: document.createElement('div') },
    {
      state: stateOf(opened, plugins),
      attributes: () => ({
        class: 'prose editable',
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-label': textarea.labels?.[0]?.textContent?.trim() ?? textarea.getAttribute('aria-label') ?? 'Text',
        ...(textarea.placeholder && { 'data-placeholder': textarea.placeholder }),
      }),
      nodeViews: { list_item: itemView },
      handlePaste: (into, event) => takeFiles(into, event, event.clipboardData),
      handleDrop(into, event) {
        const at = into.posAtCoords({ left: event.clientX, top: event.clientY });
        if (at && event.dataTransfer?.files.length)
          into.dispatch(into.state.tr.setSelection(Selection.near(into.state.doc.resolve(at.pos))));
        return takeFiles(into, event, event.dataTransfer);
      },
      transformPastedHTML: cleanHtml,
      transformPasted: keepFirstBlock,
      clipboardTextParser: (text, _context, isPlain, into) => sliceOfText(text, isPlain, into),
      dispatchTransaction(tr) {
        view.updateState(view.state.apply(tr));
        toolbar.update();
        view.dom.classList.toggle('blank', isEmpty(view.state.doc));
        if (tr.docChanged) {
          changed = true;
          clearTimeout(pause);
          pause = window.setTimeout(flush, PAUSE);
        }
        mentions?.refresh();
      },
      handleDOMEvents: {
        blur: () => {
          flush();
          mentions?.close();
        },
      },
    },
  );
  const toolbar = toolbarOf(view, Boolean(options.small));
  mentions = mentionsFor(textarea, view);
  view.dom.classList.toggle('blank', isEmpty(view.state.doc));
  dom.append(...(options.small ? [view.dom, toolbar.dom] : [toolbar.dom, view.dom]));
  textarea.before(dom);
  textarea.hidden = true;
  const wasRequired = textarea.required;
  textarea.required = false;
  const { form } = textarea;
  const onReset = () =>
    setTimeout(() => {
      const next = read(textarea.value);
      if (!next || view.isDestroyed) return;
      opened = next;
      view.updateState(stateOf(next, plugins));
      view.dom.classList.toggle('blank', isEmpty(view.state.doc));
      toolbar.update();
    });
  form?.addEventListener('submit', flush, true);
  form?.addEventListener('reset', onReset);
  return {
    dom,
    flush,
    focus() {
      view.dispatch(view.state.tr.setSelection(Selection.atEnd(view.state.doc)));
      view.focus();
    },
    destroy() {
      flush();
      mentions?.close();
      form?.removeEventListener('submit', flush, true);
      form?.removeEventListener('reset', onReset);
      view.destroy();
      dom.remove();
      textarea.hidden = false;
      textarea.required = wasRequired;
    },
  };
}

const isEmpty = (doc: Node): boolean =>
  doc.childCount === 1 && doc.firstChild?.type === schema.nodes.paragraph && doc.firstChild.childCount === 0;
