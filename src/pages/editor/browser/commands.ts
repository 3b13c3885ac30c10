/** Commands of toolbar and keys, for any schema of the editor. */
import { lift, setBlockType, toggleMark, wrapIn } from 'prosemirror-commands';
import type { Mark, NodeType } from 'prosemirror-model';
import { liftListItem, sinkListItem, splitListItem, wrapInList } from 'prosemirror-schema-list';
import { type Command, type EditorState, TextSelection, type Transaction } from 'prosemirror-state';
import { isInTable } from 'prosemirror-tables';
import type { EditorSchema, MarkName } from '../format.ts';

export const schemaOf = ({ schema }: EditorState): EditorSchema => schema;

/** The innermost list around the selection, with the item in it. */
export function listAround({ selection: { $from } }: EditorState) {
  for (let depth = $from.depth; depth > 0; depth--) {
    if ($from.node(depth).type.name === 'list_item')
      return { item: $from.node(depth), at: $from.before(depth), list: $from.node(depth - 1), depth };
  }
  return null;
}

/** The format at the caret, or of all selected text. */
export function isActive(state: EditorState, name: MarkName | 'underline'): boolean {
  const type = state.schema.marks[name];
  const { from, to, empty, $from } = state.selection;
  if (!type) return false;
  if (empty) return type.isInSet(state.storedMarks ?? $from.marks()) !== undefined;
  let [all, any] = [true, false];
  state.doc.nodesBetween(from, to, (node) => {
    if (!node.isText) return;
    any = true;
    all &&= type.isInSet(node.marks) !== undefined;
  });
  return any && all;
}

export const toggle =
  (name: MarkName | 'underline'): Command =>
  (state, dispatch, view) => {
    const type = state.schema.marks[name];
    return type ? toggleMark(type, null, { removeWhenPresent: false })(state, dispatch, view) : false;
  };

/** The link at the caret, or at the start of the selection. */
export function linkAt(state: EditorState): { mark: Mark; from: number; to: number } | null {
  const { link } = schemaOf(state).marks;
  const { $from, empty } = state.selection;
  const mark = link.isInSet($from.marks()) ?? (empty ? undefined : link.isInSet($from.nodeAfter?.marks ?? []));
  if (!mark) return null;
  let [from, to] = [$from.pos, $from.pos];
  $from.parent.forEach((node, offset) => {
    const start = $from.start() + offset;
    if (!mark.isInSet(node.marks) || start > to) return;
    if (start + node.nodeSize < from) return;
    [from, to] = [Math.min(from, start), Math.max(to, start + node.nodeSize)];
  });
  return { mark, from, to };
}

export const blockOf = ({ selection: { $from } }: EditorState): string => {
  const { type, attrs } = $from.parent;
  return type.name === 'heading' ? `heading-${attrs.level}` : type.name === 'code_block' ? 'code' : 'text';
};

export type ListKind = 'bullet' | 'ordered' | 'task';

const isTask = (checked: unknown): boolean => typeof checked === 'boolean';
export const hasChecklists = ({ nodes }: EditorSchema): boolean => 'checked' in (nodes.list_item.spec.attrs ?? {});

export function listKind(state: EditorState): ListKind | null {
  const around = listAround(state);
  if (!around) return null;
  if (isTask(around.item.attrs.checked)) return 'task';
  return around.list.type.name === 'ordered_list' ? 'ordered' : 'bullet';
}

/** Makes a list of the selected blocks, changes the kind of the list around them, or takes them out of it. */
export const toggleList =
  (kind: ListKind): Command =>
  (state, dispatch) => {
    const { nodes } = schemaOf(state);
    if (kind === 'task' && !hasChecklists(state.schema)) return false;
    const now = listKind(state);
    if (now === kind) return liftListItem(nodes.list_item)(state, dispatch);
    const type = kind === 'ordered' ? nodes.ordered_list : nodes.bullet_list;
    const around = listAround(state);
    if (!around) {
      if (kind !== 'task') return wrapInList(type)(state, dispatch);
      return wrapInList(type)(state, dispatch && ((tr) => dispatch(withBoxes(tr, kind))));
    }
    const { tight } = around.list.attrs;
    const list = state.doc.resolve(around.at).before();
    dispatch?.(withBoxes(state.tr.setNodeMarkup(list, type, kind === 'ordered' ? { order: 1, tight } : { tight }), kind));
    return true;
  };

/** Gives the items of the list around the selection boxes, or takes them away. */
function withBoxes(tr: Transaction, kind: ListKind): Transaction {
  const { $from } = tr.selection;
  for (let depth = $from.depth; depth > 0; depth--) {
    const list = $from.node(depth);
    if (!/^(?:bullet|ordered)_list$/.test(list.type.name)) continue;
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
  splitListItem(schemaOf(state).nodes.list_item, listKind(state) === 'task' ? { checked: false } : undefined)(state, dispatch);
export const indent: Command = (state, dispatch) => sinkListItem(schemaOf(state).nodes.list_item)(state, dispatch);
export const outdent: Command = (state, dispatch) => liftListItem(schemaOf(state).nodes.list_item)(state, dispatch);

export const toggleQuote: Command = (state, dispatch) => {
  const { $from } = state.selection;
  for (let depth = $from.depth; depth > 0; depth--) if ($from.node(depth).type.name === 'blockquote') return lift(state, dispatch);
  return wrapIn(schemaOf(state).nodes.blockquote)(state, dispatch);
};

export const setBlock =
  (name: string): Command =>
  (state, dispatch) => {
    const { heading, code_block, paragraph } = schemaOf(state).nodes;
    if (name.startsWith('heading-')) return setBlockType(heading, { level: Number(name.slice(8)) })(state, dispatch);
    return setBlockType(name === 'code' ? code_block : paragraph)(state, dispatch);
  };

/** At the start of a heading, code block, list item or quote, Backspace first makes it an ordinary paragraph. */
export const leaveBlock: Command = (state, dispatch) => {
  const { $from, empty } = state.selection;
  if (!empty || $from.parentOffset > 0) return false;
  if (blockOf(state) !== 'text') return setBlock('text')(state, dispatch);
  if ($from.depth < 2 || $from.index(-1) > 0) return false;
  const around = $from.node(-1).type.name;
  return around === 'list_item' ? outdent(state, dispatch) : around === 'blockquote' && lift(state, dispatch);
};

/** Enter after `---` makes a line. */
export const insertRule: Command = (state, dispatch) => {
  const { $from, empty } = state.selection;
  const { horizontal_rule, paragraph } = schemaOf(state).nodes;
  if (!empty || $from.parent.type !== paragraph || $from.parent.textContent !== '---') return false;
  const at = $from.index(-1);
  if (!$from.node(-1).canReplaceWith(at, at, horizontal_rule)) return false;
  dispatch?.(state.tr.delete($from.start(), $from.end()).insert($from.before(), horizontal_rule.create()).scrollIntoView());
  return true;
};

export const insertTable: Command = (state, dispatch) => {
  if (isInTable(state)) return false;
  const { table, table_row, table_header, table_cell } = schemaOf(state).nodes;
  const row = (type: NodeType) => table_row.create({ head: type === table_header }, [type.createAndFill()!, type.createAndFill()!]);
  const tr = state.tr.replaceSelectionWith(table.create(null, [row(table_header), row(table_cell), row(table_cell)]));
  const at = tr.mapping.map(state.selection.from, -1);
  dispatch?.(tr.setSelection(TextSelection.near(tr.doc.resolve(Math.min(at + 3, tr.doc.content.size)))).scrollIntoView());
  return true;
};

/** In a cell that holds one line, Enter goes to the cell below, or out of the table. */
export const leaveCell: Command = (state, dispatch) => {
  const { $head } = state.selection;
  if (!isInTable(state) || !$head.parent.type.spec.tableRole) return false;
  let depth = $head.depth;
  while ($head.node(depth).type.name !== 'table_row') depth--;
  dispatch?.(state.tr.setSelection(TextSelection.near(state.doc.resolve($head.after(depth)), 1)).scrollIntoView());
  return true;
};

export const addBreak: Command = (state, dispatch) => {
  const { hard_break } = schemaOf(state).nodes;
  const { $from } = state.selection;
  if (!$from.parent.contentMatchAt($from.index()).matchType(hard_break)) return false;
  dispatch?.(state.tr.replaceSelectionWith(hard_break.create()).scrollIntoView());
  return true;
};
