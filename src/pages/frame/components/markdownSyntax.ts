/** The Markdown that pages show and the editor edits: one parser for both, so the editor shows what the page will. Runs in browsers too. */
import MarkdownIt, { type StateCore, type Token } from 'markdown-it';

const MAX_NESTING = 20;

const ownFile = /^\/files\/[1-9]\d{0,14}$/;
/** A file of an item, without the context path (behaviour §35.11). */
export const isOwnFile = (address: string): boolean => ownFile.test(address);

const safeAddress = /^(?:https?:|mailto:)/i;
export const isSafeAddress = (address: string): boolean => safeAddress.test(address.trim()) || isOwnFile(address);

/** A box at the start of a list item: `- [ ] open`, `- [x] done`. */
const box = /^\[([ xX])\](?=[ \t])[ \t]+/;

export interface Task {
  done: boolean;
  /** Line of the box in the text, from 0. */
  line: number;
  words: string;
}

/** The task of a list item, if it has a box. */
export function taskOf({ meta }: { meta: { task?: Task } | null }): Task | null {
  return meta?.task ?? null;
}

function findTasks({ tokens }: StateCore): void {
  for (const [at, token] of tokens.entries()) {
    const [paragraph, inline] = [tokens[at + 1], tokens[at + 2]];
    if (token.type !== 'list_item_open' || paragraph?.type !== 'paragraph_open' || inline?.type !== 'inline') continue;
    const [first] = inline.children ?? [];
    const found = first?.type === 'text' ? box.exec(first.content) : null;
    if (!found || !first) continue;
    first.content = first.content.slice(found[0].length);
    const words = inline.content.slice(found[0].length).slice(0, 200);
    token.meta = { task: { done: found[1] !== ' ', line: inline.map?.[0] ?? 0, words } satisfies Task };
  }
}

declare module 'markdown-it' {
  interface Env {
    blocksLeft?: number;
  }
}

/** A short text can contain 65,536 table cells, so the blocks are counted. */
export class OverBudget extends Error {}

export function markdownParser(options: { linkify: boolean }) {
  const parser = new MarkdownIt({ html: false, breaks: true, typographer: false, maxNesting: MAX_NESTING, ...options });
  parser.validateLink = isSafeAddress;
  parser.linkify.set({ fuzzyLink: true, fuzzyEmail: true, fuzzyIP: false });
  parser.core.ruler.after('inline', 'tasks', findTasks);
  parser.block.State = class extends parser.block.State {
    override push(...given: Parameters<InstanceType<typeof parser.block.State>['push']>): Token {
      const { env } = this;
      if (env.blocksLeft !== undefined && --env.blocksLeft < 0) throw new OverBudget();
      return super.push(...given);
    }
  };
  return parser;
}
