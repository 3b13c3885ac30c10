/** Rules that format typed Markdown, and in notes link typed addresses. */
import { InputRule, inputRules, textblockTypeInputRule, wrappingInputRule } from 'prosemirror-inputrules';
import type { MarkType } from 'prosemirror-model';
import type { Command, EditorState, Plugin, Transaction } from 'prosemirror-state';
import type { Format } from '../format.ts';
import { listAround } from './commands.ts';

/** Formats a text when its closing marks are typed. */
function markRule(pattern: RegExp, ...types: MarkType[]): InputRule {
  return new InputRule(pattern, (state, match, start, end) => {
    const [, before = '', words = ''] = match;
    const from = start + before.length;
    const marks = types.reduce((set, type) => type.create().addToSet(set), state.doc.resolve(start).marks());
    const tr = state.tr.delete(from, end).insert(from, state.schema.text(words, marks));
    for (const type of types) tr.removeStoredMark(type);
    return tr;
  });
}

const boxRule = new InputRule(/^\[([ xX]?)\]\s$/, (state, match, start, end) => {
  const around = listAround(state);
  if (around?.item.attrs.checked === undefined) return null;
  return state.tr.delete(start, end).setNodeMarkup(around.at, undefined, { checked: /x/i.test(match[1] ?? '') });
});

/** An address at the end of a text. Punctuation after it is not part of it. */
export const address = /(?<![^\s(])(https?:\/\/\S+?)[.,;:!?)]*$/;

/** Links the address before the caret; null if there is none. */
function linkTyped(state: EditorState, { schema, isLink }: Format): Transaction | null {
  const { $from, empty } = state.selection;
  if (!empty || $from.parent.type.spec.code) return null;
  const before = $from.parent.textBetween(0, $from.parentOffset, '\n', '\n');
  const [found, href = ''] = address.exec(before) ?? [];
  const from = $from.pos - (found?.length ?? 0);
  const { link, code } = schema.marks;
  if (!found || !isLink(href) || [link, code].some((type) => state.doc.rangeHasMark(from, $from.pos, type))) return null;
  return state.tr.addMark(from, from + href.length, link.create({ href })).removeStoredMark(link);
}

/** Before Enter: links the address that ends there, and leaves the key to others. */
export const linkBeforeEnter =
  (format: Format): Command =>
  (state, dispatch) => {
    const tr = format.linksAddresses ? linkTyped(state, format) : null;
    if (tr) dispatch?.(tr);
    return false;
  };

export function typing(format: Format): Plugin {
  const { nodes, marks } = format.schema;
  const addresses = new InputRule(/\s$/, (state, match, _start, end) => linkTyped(state, format)?.insertText(match[0], end) ?? null);
  return inputRules({
    rules: [
      textblockTypeInputRule(/^(#{1,4})\s$/, nodes.heading, (match) => ({ level: match[0].length - 1 })),
      textblockTypeInputRule(/^```$/, nodes.code_block),
      wrappingInputRule(/^\s*>\s$/, nodes.blockquote),
      boxRule,
      wrappingInputRule(/^\s*([-+*])\s$/, nodes.bullet_list),
      wrappingInputRule(/^(\d+)[.)]\s$/, nodes.ordered_list, (match) => ({ order: Number(match[1]) })),
      markRule(/(^|[^*\w])\*{3}([^*\s][^*]*)\*{3}$/, marks.strong, marks.em),
      markRule(/(^|\s)\*\*([^*\s][^*]*)\*\*$/, marks.strong),
      markRule(/(^|[^*\w])\*([^*\s][^*]*)\*$/, marks.em),
      markRule(/(^|[^_\w])_([^_\s][^_]*)_$/, marks.em),
      markRule(/(^|\s)~~([^~]+)~~$/, marks.strike),
      markRule(/(^|\s)`([^`]+)`$/, marks.code),
      ...(format.linksAddresses ? [addresses] : []),
    ],
  });
}
