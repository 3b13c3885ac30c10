/** Slonik's `sql` with a memory for texts. Nesting fragments means rewriting their text at each level and hashing a text never seen
 *  before, although it depends on the templates alone: 14 µs of each GET /item, against 1 µs remembered. So each combination of
 *  templates is composed once, by slonik, and found again by the templates and the texts of the fragments in it; the values are
 *  gathered anew each time. */
import { LRUCache } from 'lru-cache';
import { type QuerySqlToken, sql as slonik } from 'slonik';

type Argument = Parameters<typeof slonik.fragment>[1];
type Template = TemplateStringsArray;

function kept<Key, Value>(map: { set(key: Key, value: Value): unknown }, key: Key, value: Value): Value {
  map.set(key, value);
  return value;
}

/** A node of the trie of templates and their arguments' kinds: the arguments seen so far lead to it. */
class TemplateNode {
  fragment: string | undefined;
  /** As a whole statement: placeholders as PostgreSQL wants them. */
  statement: string | undefined;
  readonly next = new Map<unknown, TemplateNode>();

  constructor() {
    bytes += NODE_BYTES;
  }

  to(step: unknown): TemplateNode {
    return this.next.get(step) ?? kept(this.next, step, new TemplateNode());
  }
}

/** Several times what all operations need. Combinations of filters could go on beyond that: then the trie starts anew. A cache that keeps
 *  what was used last would have to note each use of each fragment. */
const MOST_BYTES = 16 * 1024 * 1024;
const NODE_BYTES = 600;
let bytes = 0;
let starts = new WeakMap<Template, TemplateNode>();

function keep(node: TemplateNode, as: 'fragment' | 'statement', text: string): void {
  bytes += text.length;
  node[as] = text;
}

/** The step of any plain value; of an array its type is a step of its own. */
const VALUE = Symbol('value');
const arrays = new Map<unknown, symbol>();

const QUERY = slonik.unsafe``.type;
const FRAGMENT = slonik.fragment``.type;
const ARRAY = slonik.array([], 'text').type;
const BINARY = slonik.binary(Buffer.alloc(0)).type;

/** The node of a template with these arguments, whose values go into `values`; none for arguments whose text isn't remembered. */
function nodeOf(parts: Template, args: readonly Argument[], values: unknown[]): TemplateNode | undefined {
  if (bytes > MOST_BYTES) {
    starts = new WeakMap();
    bytes = 0;
  }
  let node = starts.get(parts) ?? kept(starts, parts, new TemplateNode());
  for (const arg of args) {
    const step = stepOf(arg, values);
    if (step === undefined) return undefined;
    node = node.to(step);
  }
  return node;
}

function stepOf(arg: Argument, values: unknown[]): unknown {
  if (arg === null || typeof arg !== 'object') {
    // Slonik says what is wrong with it.
    if (arg === undefined || typeof arg === 'function') return undefined;
    values.push(arg);
    return VALUE;
  }
  switch ((arg as { type?: unknown }).type) {
    case FRAGMENT: {
      const { sql: text, values: own } = arg as { sql: string; values: readonly unknown[] };
      for (const value of own) values.push(value);
      return text;
    }
    case BINARY:
      values.push((arg as { data: Buffer }).data);
      return VALUE;
    case ARRAY: {
      const { memberType, values: members } = arg as { memberType: unknown; values: readonly unknown[] };
      values.push(members);
      return arrayOf(memberType);
    }
    default:
      return undefined;
  }
}

function arrayOf(memberType: unknown): symbol | undefined {
  if (typeof memberType !== 'string') return undefined;
  return arrays.get(memberType) ?? kept(arrays, memberType, Symbol(memberType));
}

const fragment: typeof slonik.fragment = (parts, ...args) => {
  const values: unknown[] = [];
  const node = nodeOf(parts, args, values);
  if (!node) return slonik.fragment(parts, ...args);
  if (node.fragment === undefined) keep(node, 'fragment', slonik.fragment(parts, ...args).sql);
  return { sql: node.fragment, type: FRAGMENT, values } as unknown as ReturnType<typeof slonik.fragment>;
};

const type = ((parser) =>
  (parts, ...args) => {
    const values: unknown[] = [];
    const node = nodeOf(parts, args, values);
    if (!node) return slonik.type(parser)(parts, ...args);
    if (node.statement === undefined) {
      const made = slonik.type(parser)(parts, ...args);
      keep(node, 'statement', made.sql.replaceAll('$slonik_', '$').trim());
    }
    return { parser, sql: node.statement, type: QUERY, values } as never;
  }) as typeof slonik.type;

/** By the text of a statement. */
const pieces = new LRUCache<string, string>({ max: 200 });

/** A whole statement as a piece of another one: something to select from. */
export function asPiece({ sql: text, values }: QuerySqlToken): ReturnType<typeof slonik.fragment> {
  let piece = pieces.get(text);
  if (piece === undefined) {
    piece = text.replaceAll(/\$(?=\d)/g, '$slonik_');
    pieces.set(text, piece);
  }
  return { sql: piece, type: FRAGMENT, values } as unknown as ReturnType<typeof slonik.fragment>;
}

const unvalidated = slonik.unsafe``.parser;

export const sql: typeof slonik = {
  ...slonik,
  fragment,
  type,
  unsafe: type(unvalidated as never) as unknown as typeof slonik.unsafe,
};
