/** Renders Markdown in a thread, so hostile text does not block the event loop. Results are cached; users take turns (behaviour
 *  §18.15). */
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { SharedThread } from '../../../access/throttle/sharedThread.ts';
import { threadLimits } from '../../../values/helperThread.ts';
import { elementAt } from '../../../values/records.ts';
import type { MarkdownLinks } from '../components/markdown.ts';
import type { Question, Unformatted } from './formatThread.ts';

const thread = new SharedThread<Question, (string | null)[]>(new URL('./formatThread.ts', import.meta.url), threadLimits.markdown);
/** Characters per turn, unless a single text has more. */
const TURN = 20_000;

/** Rendered HTML, limited in characters. Null: over budget. */
const known = new LRUCache<string, { made: string | null }>({
  maxSize: 8_000_000,
  sizeCalculation: ({ made }) => 100 + (made?.length ?? 0),
});

interface Keyed extends Unformatted {
  key: string;
}

/** HTML of each text, in order; null if over budget or if too many requests wait. `line`: the reader, for taking turns. */
export async function format(line: string, links: MarkdownLinks, texts: readonly Unformatted[]): Promise<(string | null)[]> {
  const people = hash('sha1', JSON.stringify(links.people ?? []));
  const keyed = texts.map(({ text, budget }) => ({
    ...{ text, budget },
    key: hash('sha1', [budget, links.items, links.files, text.includes('@') && people, text].join('\0')),
  }));
  for (const piece of piecesOf(missing(keyed))) {
    // Rejects when too many requests wait; the text is then shown unformatted.
    await thread.inTurn(line, (ask) => formatPiece(ask, piece, links)).catch(() => {});
  }
  return keyed.map(({ key }) => known.get(key)?.made ?? null);
}

const missing = (texts: readonly Keyed[]): Keyed[] => texts.filter(({ key }) => !known.has(key));

function* piecesOf(texts: readonly Keyed[]): Generator<Keyed[]> {
  let piece: Keyed[] = [];
  let length = 0;
  for (const one of texts) {
    if (piece.length > 0 && length + one.text.length > TURN) {
      yield piece;
      piece = [];
      length = 0;
    }
    piece.push(one);
    length += one.text.length;
  }
  if (piece.length > 0) yield piece;
}

type Ask = (question: Question) => Promise<(string | null)[]>;

async function formatPiece(ask: Ask, piece: readonly Keyed[], links: MarkdownLinks): Promise<void> {
  const left = missing(piece);
  const [first, ...others] = left;
  if (!first) return;
  try {
    const made = await ask({ texts: left.map(({ text, budget }) => ({ text, budget })), links });
    for (const [n, { key }] of left.entries()) known.set(key, { made: elementAt(made, n) });
  } catch {
    // One of the texts took too long or too much memory: render them one by one.
    if (others.length === 0) known.set(first.key, { made: null });
    else for (const one of left) await formatPiece(ask, [one], links);
  }
}
