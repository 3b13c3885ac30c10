/** Commands of toolbar and keys. */
import { lift, setBlockType, toggleMark, wrapIn } from 'prosemirror-commands';
import { InputRule, inputRules, textblockTypeInputRule, wrappingInputRule } from 'prosemirror-inputrules';
import type { Attrs, MarkType, NodeType } from 'prosemirror-model';
import { liftListItem, splitListItem, wrapInList } from 'prosemirror-schema-list';
import { type Command, type EditorState, TextSelection } from 'prosemirror-state';
import { isInTable } from 'prosemirror-tables';
import { schema } from '../markdown.ts';

export const { nodes, marks } = schema;

/** The innermost list around the selection, with the item in it. */
function listAround({ selection: { $from } }: EditorState) {
  for (let depth = $from.depth; depth > 0; depth--) {
    if ($from.node(depth).type === nodes.list_item)
      return { item: $from.node(depth), at: $from.before(depth), list: $from.node(depth - 1), depth };
  }
  return null;
}

export const isActive = (state: EditorState, type: MarkType): boolean => {
  const { from, to, empty, $from } = state.selection;
  return empty ? type.isInSet(state.storedMarks ?? $from.marks()) !== undefined : state.doc.rangeHasMark(from, to, type);
};

export const blockOf = ({ selection: { $from } }: EditorState): string => {
  const { type, attrs } = $from.parent;
  return type === nodes.heading ? `heading-${attrs.level}` : type === nodes.code_block ? 'code' : 'text';
};

export type ListKind = 'bullet' | 'ordered' | 'task';

export function listKind(state: EditorState): ListKind | null {
  const around = listAround(state);
  if (!around) return null;
  if (around.item.attrs.checked !== null) return 'task';
  return around.list.type === nodes.ordered_list ? 'ordered' : 'bullet';
}

/** Makes a list of the selected blocks, changes the kind of the list around them, or takes them out of it. */
export const toggleList =
  (kind: ListKind): Command =>
  (state, dispatch) => {
    const now = listKind(state);
    if (now === kind) return liftListItem(nodes.list_item)(state, dispatch);
    const type = kind === 'ordered' ? nodes.ordered_list : nodes.bullet_list;
    if (!now) {
      if (kind !== 'task') return wrapInList(type)(state, dispatch);
      return wrapInList(type)(state, dispatch && ((tr) => dispatch(withBoxes(tr, kind))));
    }
    const around = listAround(state)!;
    const $item = state.doc.resolve(around.at);
    const tr = state.tr.setNodeMarkup(
      $item.before(),
      type,
      type === nodes.ordered_list ? { order: 1, tight: around.list.attrs.tight } : { tight: around.list.attrs.tight },
    );
    dispatch?.(withBoxes(tr, kind));
    return true;
  };

/** Gives the items of the list around the selection boxes, or takes them away. */
function withBoxes(tr: EditorState['tr'], kind: ListKind): EditorState['tr'] {
  const { $from } = tr.selection;
  for (let depth = $from.depth; depth > 0; depth--) {
    const list = $from.node(depth);
    if (list.type !== nodes.bullet_list && list.type !== nodes.ordered_list) continue;
    list.forEach((item, offset) => {
      const checked = kind === 'task' ? (item.attrs.checked ?? false) : null;
      tr.setNodeMarkup($from.start(depth) + offset, undefined, { ...item.attrs, checked });
    });
    break;
  }
  return tr;
}

/** The next item of a checklist starts with an empty box. */
export const nextItem: Command = (state, dispatch) =>
  splitListItem(nodes.list_item, listKind(state) === 'task' ? { checked: false } : undefined)(state, dispatch);

export const toggleQuote: Command = (state, dispatch) => {
  const { $from } = state.selection;
  for (let depth = $from.depth; depth > 0; depth--) if ($from.node(depth).type === nodes.blockquote) return lift(state, dispatch);
  return wrapIn(nodes.blockquote)(state, dispatch);
};

export function setBlock(name: string): Command {
  if (name.startsWith('heading-')) return setBlockType(nodes.heading, { level: Number(name.slice(8)) });
  return setBlockType(name === 'code' ? nodes.code_block : nodes.paragraph);
}

export const insertTable: Command = (state, dispatch) => {
  if (isInTable(state)) return false;
  const row = (type: NodeType) => nodes.table_row.create(null, [type.createAndFill()!, type.createAndFill()!]);
  const table = nodes.table.create(null, [row(nodes.table_header), row(nodes.table_cell), row(nodes.table_cell)]);
  const tr = state.tr.replaceSelectionWith(table);
  const at = tr.mapping.map(state.selection.from, -1);
  dispatch?.(tr.setSelection(TextSelection.near(tr.doc.resolve(Math.min(at + 3, tr.doc.content.size)))).scrollIntoView());
  return true;
};

/** A cell holds one line: Enter goes to the cell below, or out of the table. */
export const leaveCell: Command = (state, dispatch) => {
  if (!isInTable(state)) return false;
  const { $head } = state.selection;
  let depth = $head.depth;
  while ($head.node(depth).type !== nodes.table_row) depth--;
  const after = $head.after(depth);
  const { pos } = state.doc.resolve(after);
  dispatch?.(state.tr.setSelection(TextSelection.near(state.doc.resolve(pos), 1)).scrollIntoView());
  return true;
};

export const addBreak: Command = (state, dispatch) => {
  const { $from } = state.selection;
  if (!$from.parent.contentMatchAt($from.index()).matchType(nodes.hard_break)) return false;
  dispatch?.(state.tr.replaceSelectionWith(nodes.hard_break.create()).scrollIntoView());
  return true;
};

export const toggle = (type: MarkType, attrs?: Attrs): Command => toggleMark(type, attrs);

/** Formats a text when its closing marks are typed. */
function markRule(pattern: RegExp, type: MarkType): InputRule {
  return new InputRule(pattern, (state, match, start, end) => {
    const [all, before = '', words = ''] = match;
    const from = start + before.length;
    const tr = state.tr.delete(from, end).insert(from, schema.text(words, type.create().addToSet(state.doc.resolve(start).marks())));
    return all ? tr.removeStoredMark(type) : null;
  });
}

const boxRule = new InputRule(/^\[([ xX]?)\]\s$/, (state, match, start, end) => {
  const checked = /x/i.test(match[1] ?? '');
  const around = listAround(state);
  if (around) return state.tr.delete(start, end).setNodeMarkup(around.at, undefined, { checked });
  return null;
});

export const typing = inputRules({
  rules: [
    textblockTypeInputRule(/^(#{1,3})\s$/, nodes.heading, (match) => ({ level: match[1]!.length })),
    textblockTypeInputRule(/^```$/, nodes.code_block),
    wrappingInputRule(/^\s*>\s$/, nodes.blockquote),
    boxRule,
    wrappingInputRule(/^\s*([-+*])\s$/, nodes.bullet_list),
    wrappingInputRule(/^(\d+)\.\s$/, nodes.ordered_list, (match) => ({ order: Number(match[1]) })),
    markRule(/(^|\s)\*\*([^*\s][^*]*)\*\*$/, marks.strong),
    markRule(/(^|[^*\w])\*([^*\s][^*]*)\*$/, marks.em),
    markRule(/(^|\s)~~([^~]+)~~$/, marks.strike),
    markRule(/(^|\s)`([^`]+)`$/, marks.code),
  ],
});
