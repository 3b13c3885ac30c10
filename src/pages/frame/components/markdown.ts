/** Markdown as safe HTML: HTML is escaped, links have safe addresses, pictures become links, except files of items. `#24` links to that
 *  item (behaviour §18.4, §35.11). */
import type { StateCore, Token } from 'markdown-it';
import { mentionsAt, type Named } from '../../../notifications/mentions.ts';
import { elementAt } from '../../../values/records.ts';
import { escapeHtml, Html, html } from '../html.ts';
import { isOwnFile, markdownParser, OverBudget, taskOf } from './markdownSyntax.ts';

/** Finds references in a text: `#24` is an item, `@Name` and `@Name#7` a person. Pure. */
type Piece = { kind: 'text'; text: string } | { kind: 'item' | 'person'; text: string; id: number };

interface Found {
  from: number;
  to: number;
  kind: 'item' | 'person';
  id: number;
}

/** Not inside a word, URL or other number: a1#2, x/#3, ##4. */
const itemAt = /(?<![\p{L}\p{N}_#/&])#([1-9]\d{0,14})(?![\p{L}\p{N}_])/gu;

const itemsIn = (text: string): Found[] =>
  [...text.matchAll(itemAt)].map((match) => ({ from: match.index, to: match.index + match[0].length, kind: 'item', id: Number(match[1]) }));

const personsIn = (text: string, people: readonly Named[]): Found[] =>
  people.length === 0 || !text.includes('@')
    ? []
    : mentionsAt(text, people).flatMap(({ from, to, meant }) => (meant ? [{ from, to, kind: 'person', id: meant.id }] : []));

/** The whole text in pieces, in order. `items`: recognise item numbers. */
export function pieces(text: string, people: readonly Named[], items = true): Piece[] {
  const found = [...personsIn(text, people), ...(items ? itemsIn(text) : [])].sort((a, b) => a.from - b.from || b.to - a.to);
  const all: Piece[] = [];
  let at = 0;
  for (const { from, to, kind, id } of found) {
    if (from < at) continue;
    if (from > at) all.push({ kind: 'text', text: text.slice(at, from) });
    all.push({ kind, text: text.slice(from, to), id });
    at = to;
  }
  if (at < text.length || all.length === 0) all.push({ kind: 'text', text: text.slice(at) });
  return all;
}

export interface MarkdownLinks {
  /** Path of the workspace's items, with the context path: `${basePath}/workspaces/1/items`. Without it numbers are not links. */
  items?: string;
  people?: readonly Named[];
  /** The context path, before `/files/1`. Without it files are shown as links only. */
  files?: string;
}

export interface MarkdownBudget {
  /** Block tokens of the parser: three per table cell. A short text can contain 65,536 cells. */
  blocks: number;
  /** Characters of HTML. */
  output: number;
}

declare module 'markdown-it' {
  interface Env extends MarkdownLinks {}
}

const REL = 'noopener nofollow ugc';

const parser = markdownParser({ linkify: true });

type Rule = NonNullable<(typeof parser.renderer.rules)[string]>;

/** Changes a token before it is rendered as usual. */
const changing =
  (change: (token: Token, env: MarkdownLinks | undefined) => void): Rule =>
  (tokens, at, options, env, self) => {
    change(elementAt(tokens, at), env);
    return self.renderToken(tokens, at, options);
  };

function setRules(names: readonly string[], rule: Rule): void {
  for (const name of names) parser.renderer.rules[name] = rule;
}

/** rel: no referrer, no window handle, no search engine credit. */
parser.renderer.rules.link_open = changing((token, env) => {
  const address = String(token.attrGet('href') ?? '');
  if (isOwnFile(address)) token.attrSet('href', `${env?.files ?? ''}${address}`);
  token.attrSet('rel', REL);
});

/** Pictures on other hosts become links: loading one would tell its host who reads. Inside a link only the alt text is shown. */
parser.renderer.rules.image = (tokens, at, options, env, self) => {
  const token = elementAt(tokens, at);
  const words = escapeHtml(self.renderInlineAsText(token.children ?? [], options, env) || 'Picture');
  const address = String(token.attrGet('src') ?? '');
  const within =
    tokens.slice(0, at).reduce((depth, { type }) => depth + Number(type === 'link_open') - Number(type === 'link_close'), 0) > 0;
  if (within) return words;
  const isShown = isOwnFile(address) && env?.files !== undefined;
  const source = isShown ? `${env.files}${address}` : address;
  return `<a href="${escapeHtml(source)}" rel="${REL}">${isShown ? `<img src="${escapeHtml(source)}" alt="${words}" loading="lazy">` : words}</a>`;
};

/** Headings start at h3: the page's title is h1 and its sections are h2. */
const shifted = (tag: string): string => `h${Math.min(6, Number(tag.slice(1)) + 2)}`;
setRules(
  ['heading_open', 'heading_close'],
  changing((token) => {
    token.tag = shifted(token.tag);
  }),
);

/** Bullets and numbers follow the text direction of the list's content. Paragraphs need only CSS. */
setRules(
  ['bullet_list_open', 'ordered_list_open', 'blockquote_open'],
  changing((token) => token.attrSet('dir', 'auto')),
);

/** Scripts enable the boxes for readers who may edit the text; `data-task` is the line (static/js/inPlaceText.ts). */
parser.renderer.rules.list_item_open = (tokens, at, options, _env, self) => {
  const task = taskOf(elementAt(tokens, at));
  if (!task) return self.renderToken(tokens, at, options);
  const { done, line, words } = task;
  return `<li class="task"><input type="checkbox" disabled${done ? ' checked' : ''} data-task="${line}" aria-label="${escapeHtml(words)}" autocomplete="off">`;
};

// Wide tables and code scroll in their own box, also by keyboard.
parser.renderer.rules.table_open = () => '<div class="wide-box" tabindex="0" role="region" aria-label="Table"><table>';
parser.renderer.rules.table_close = () => '</table></div>';
// Column alignment as a class: the CSP blocks style attributes.
setRules(
  ['th_open', 'td_open'],
  changing((token) => {
    const style = String(token.attrGet('style') ?? '');
    token.attrs = style ? [['class', style.replace('text-align:', 'to-')]] : null;
  }),
);
setRules(['fence', 'code_block'], (tokens, at) => `<pre tabindex="0"><code>${escapeHtml(elementAt(tokens, at).content)}</code></pre>`);

/** Links item numbers and names in plain text, not in code or links. */
function linkReferences(state: StateCore): void {
  const links = state.env;
  for (const block of state.tokens) {
    if (block.type !== 'inline' || !block.children) continue;
    let inLink = 0;
    block.children = block.children.flatMap((token) => {
      if (token.type === 'link_open') inLink++;
      if (token.type === 'link_close') inLink--;
      return token.type === 'text' && inLink === 0 ? referencesIn(state, token, links) : [token];
    });
  }
}

function referencesIn(state: StateCore, token: Token, { items, people = [] }: MarkdownLinks): Token[] {
  const found = pieces(token.content, people, items !== undefined);
  if (found.every(({ kind }) => kind === 'text')) return [token];
  return found.map((piece) => {
    const made = new state.Token(piece.kind === 'text' ? 'text' : 'reference', '', 0);
    made.content = piece.kind === 'text' ? piece.text : referenceTo(piece, items);
    return made;
  });
}

const referenceTo = ({ kind, text, id }: Exclude<Piece, { kind: 'text' }>, items = ''): string =>
  kind === 'item'
    ? `<a class="ref" href="${escapeHtml(items)}/${id}">${escapeHtml(text)}</a>`
    : `<span class="mention">${escapeHtml(text)}</span>`;

parser.core.ruler.push('references', linkReferences);
parser.renderer.rules.reference = (tokens, at) => elementAt(tokens, at).content;

/** Null if over budget. Hostile text takes seconds: pages must call this in a thread (formatting/format.ts). */
export function markdownWithin(text: string, links: MarkdownLinks, { blocks, output }: MarkdownBudget): string | null {
  try {
    const made = parser.render(text, { ...links, blocksLeft: blocks });
    return made.length <= output ? made : null;
  } catch (error) {
    if (error instanceof OverBudget) return null;
    throw error;
  }
}

/** HTML of our own texts, in `<div class="prose">`. */
export const markdown = (text: string, links: MarkdownLinks = {}): Html =>
  html`<div class="prose">${new Html(parser.render(text, { ...links }))}</div>`;
