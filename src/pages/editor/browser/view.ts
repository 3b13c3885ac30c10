/** A rich editor in place of a textarea. The textarea stays the field of the form: it gets the text. */
import { baseKeymap, chainCommands, exitCode } from 'prosemirror-commands';
import { closeHistory, history, redo, undo } from 'prosemirror-history';
import { keymap } from 'prosemirror-keymap';
import type { Node } from 'prosemirror-model';
import { EditorState, Plugin, Selection, type Transaction } from 'prosemirror-state';
import { goToNextCell, tableEditing } from 'prosemirror-tables';
import { EditorView, type NodeView } from 'prosemirror-view';
import type { Format, Opened } from '../format.ts';
import { addBreak, indent, insertRule, leaveBlock, leaveCell, nextItem, outdent, toggle, toggleList } from './commands.ts';
import { cleanHtml, keepFirstBlock, sliceOfText, takeFiles, type Upload } from './paste.ts';
import { type Toolbar, toolbarOf } from './toolbar.ts';
import { linkBeforeEnter, typing } from './typing.ts';

/** Implemented by static/js/mentions.ts. */
export type MentionsOf = (
  field: HTMLElement,
  listId: string,
  caret: { before(): string; rect(): { left: number; top: number; bottom: number }; insert(length: number, name: string): void },
) => { refresh(): void; key(event: KeyboardEvent): boolean; close(): void };

export interface Options {
  /** The list of people to mention; none on pages without it. */
  mentions?: MentionsOf;
  upload?: Upload;
  small?: boolean;
  /** The editor replaces the content of this element. Otherwise it is inserted before the textarea. */
  into?: Element;
  label?: string;
  placeholder?: string;
  /** Ctrl+Enter. */
  send?(): void;
  /** Escape, if nothing else used it. */
  cancel?(): void;
}

export interface Edited {
  /** The element around toolbar and text. */
  dom: HTMLElement;
  focus(): void;
  /** Writes the text into the textarea. */
  flush(): void;
  /** Replaces the text, as one step for undo. False if the editor would lose something. */
  replace(text: string): boolean;
  destroy(): void;
}

/** A list item with a box that can be ticked. */
function itemView(node: Node, view: EditorView, getPos: () => number | undefined): NodeView {
  const dom = document.createElement('li');
  const contentDOM = document.createElement('div');
  if (typeof node.attrs.checked === 'boolean') {
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

const stateOf = (doc: Node, format: Format, more: Plugin[]): EditorState =>
  EditorState.create({
    doc,
    plugins: [
      ...more,
      typing(format),
      keymap({ Enter: linkBeforeEnter(format) }),
      keymap({
        'Mod-z': undo,
        'Mod-y': redo,
        'Mod-Shift-z': redo,
        'Mod-b': toggle('strong'),
        'Mod-i': toggle('em'),
        'Mod-u': toggle('underline'),
        'Mod-e': toggle('code'),
        'Mod-Shift-7': toggleList('ordered'),
        'Mod-Shift-8': toggleList('bullet'),
        'Mod-Shift-9': toggleList('task'),
        'Shift-Enter': chainCommands(exitCode, addBreak),
        Enter: chainCommands(leaveCell, insertRule, nextItem),
        Backspace: leaveBlock,
        Tab: chainCommands(goToNextCell(1), indent),
        'Shift-Tab': chainCommands(goToNextCell(-1), outdent),
      }),
      keymap(baseKeymap),
      history(),
      tableEditing(),
    ],
  });

const caretOf = (view: EditorView): Parameters<MentionsOf>[2] => ({
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

/** Milliseconds without a key before the textarea is written. */
const PAUSE = 250;

const isEmpty = (doc: Node): boolean =>
  doc.childCount === 1 && doc.firstChild?.type.name === 'paragraph' && doc.firstChild.childCount === 0;

class Editor implements Edited {
  readonly dom = document.createElement('div');
  readonly #textarea: HTMLTextAreaElement;
  readonly #format: Format;
  readonly #options: Options;
  readonly #view: EditorView;
  readonly #toolbar: Toolbar;
  readonly #mentions: ReturnType<MentionsOf> | undefined;
  readonly #wasRequired: boolean;
  #opened: Opened;
  #pause = 0;
  #isChanged = false;

  constructor(textarea: HTMLTextAreaElement, format: Format, options: Options, opened: Opened) {
    this.#textarea = textarea;
    this.#format = format;
    this.#options = options;
    this.#opened = opened;
    this.#view = this.#makeView();
    this.#toolbar = toolbarOf(this.#view, format, Boolean(options.small));
    const people = textarea.dataset.mentions;
    this.#mentions = people === undefined ? undefined : options.mentions?.(this.#view.dom, people, caretOf(this.#view));
    this.dom.className = `editor${options.small ? ' small' : ''}`;
    const parts = [this.#toolbar.dom, this.#view.dom];
    this.dom.append(...(options.small ? parts.reverse() : parts));
    if (options.into) options.into.replaceChildren(this.dom);
    else textarea.before(this.dom);
    this.#wasRequired = textarea.required;
    textarea.hidden = true;
    textarea.required = false;
    textarea.form?.addEventListener('submit', this.flush, true);
    textarea.form?.addEventListener('reset', this.#reset);
    this.#refresh();
  }

  readonly flush = (): void => {
    clearTimeout(this.#pause);
    if (!this.#isChanged) return;
    this.#isChanged = false;
    this.#textarea.value = this.#opened.write(this.#view.state.doc);
    this.#textarea.dispatchEvent(new Event('input', { bubbles: true }));
  };

  focus(): void {
    this.#view.dispatch(this.#view.state.tr.setSelection(Selection.atEnd(this.#view.state.doc)));
    this.#view.focus();
  }

  replace(text: string): boolean {
    const next = this.#format.open(text);
    if (!next) return false;
    this.#opened = next;
    const { tr, doc } = this.#view.state;
    this.#view.dispatch(closeHistory(tr.replaceWith(0, doc.content.size, next.doc.content)));
    this.flush();
    return true;
  }

  destroy(): void {
    this.flush();
    this.#mentions?.close();
    this.#textarea.form?.removeEventListener('submit', this.flush, true);
    this.#textarea.form?.removeEventListener('reset', this.#reset);
    this.#view.destroy();
    this.dom.remove();
    this.#textarea.hidden = false;
    this.#textarea.required = this.#wasRequired;
  }

  readonly #reset = (): void => {
    setTimeout(() => {
      const next = this.#format.open(this.#textarea.value);
      if (!next || this.#view.isDestroyed) return;
      this.#opened = next;
      this.#view.updateState(stateOf(next.doc, this.#format, this.#ownPlugins()));
      this.#refresh();
    });
  };

  #refresh(): void {
    this.#toolbar.update();
    this.#view.dom.classList.toggle('blank', isEmpty(this.#view.state.doc));
  }

  #ownPlugins(): Plugin[] {
    return [
      new Plugin({ props: { handleKeyDown: (_view, event) => this.#mentions?.key(event) ?? false } }),
      keymap({
        'Mod-Enter': () => {
          this.flush();
          this.#options.send?.();
          return true;
        },
        Escape: () => {
          this.#options.cancel?.();
          return this.#options.cancel !== undefined;
        },
        'Mod-Shift-l': () => this.#toolbar.openLink(),
        'Alt-F10': () => this.#toolbar.focus(),
      }),
    ];
  }

  #attributes(): Record<string, string> {
    const { labels, placeholder } = this.#textarea;
    const hint = this.#options.placeholder ?? placeholder;
    return {
      class: 'prose editable',
      role: 'textbox',
      'aria-multiline': 'true',
      'aria-label': this.#options.label ?? labels?.[0]?.textContent?.trim() ?? this.#textarea.getAttribute('aria-label') ?? 'Text',
      ...(hint && { 'data-placeholder': hint }),
    };
  }

  #makeView(): EditorView {
    return new EditorView(
      { mount: document.createElement('div') },
      {
        state: stateOf(this.#opened.doc, this.#format, this.#ownPlugins()),
        attributes: () => this.#attributes(),
        nodeViews: { list_item: itemView },
        handlePaste: (view, event) => takeFiles(view, event, event.clipboardData, this.#options.upload),
        handleDrop: (view, event) => dropFiles(view, event, this.#options.upload),
        transformPastedHTML: cleanHtml,
        transformPasted: keepFirstBlock,
        clipboardTextParser: (text, _context, isPlain, view) => sliceOfText(text, isPlain, view, this.#format),
        dispatchTransaction: (tr) => this.#apply(tr),
        handleDOMEvents: {
          blur: () => {
            this.flush();
            this.#mentions?.close();
          },
        },
      },
    );
  }

  #apply(tr: Transaction): void {
    this.#view.updateState(this.#view.state.apply(tr));
    this.#refresh();
    if (tr.docChanged) {
      this.#isChanged = true;
      clearTimeout(this.#pause);
      this.#pause = window.setTimeout(this.flush, PAUSE);
    }
    this.#mentions?.refresh();
  }
}

function dropFiles(view: EditorView, event: DragEvent, upload: Upload | undefined): boolean {
  const at = view.posAtCoords({ left: event.clientX, top: event.clientY });
  if (at && event.dataTransfer?.files.length) view.dispatch(view.state.tr.setSelection(Selection.near(view.state.doc.resolve(at.pos))));
  return takeFiles(view, event, event.dataTransfer, upload);
}

/** Null if the text has something that the editor would lose; then the textarea stays. */
export function edit(textarea: HTMLTextAreaElement, format: Format, options: Options): Edited | null {
  const opened = format.open(textarea.value);
  return opened && new Editor(textarea, format, options, opened);
}
