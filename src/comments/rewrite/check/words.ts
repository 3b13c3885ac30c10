/** Reads prose as words in clauses and sentences, for the check. Pure, one walk; never throws, whatever the text. */
import { isBlank, linesOf } from '../excerpts/ranges.ts';

export interface Word {
  /** Without the punctuation around it; apostrophes and dashes in their plain form. */
  text: string;
  /** Lower case, without a possessive 's. */
  lower: string;
  /** First of its sentence: a capital says nothing there. */
  begins: boolean;
  sentence: number;
  clause: number;
  /** Stands for a passage that bypassed the model. */
  token: boolean;
  /** The punctuation that ends its clause, '' when the clause goes on. */
  ends: string;
}

export interface Prose {
  words: Word[];
  /** For each sentence, the heading (`Next steps:`) whose list it stands in, as a sentence number, or −1. */
  under: number[];
}

const conjunctions = new Set('and but because so while although though however since which then whereas und aber mais pero'.split(' '));
const abbreviations = new Set('e.g. i.e. etc. vs. approx. no. dr. mr. mrs. ms. st. incl. resp. ca. cf.'.split(' '));
const bullet = /^\s*(?:[-*+•]|#{1,6}|(\d{1,2})[.)])\s+/;
const checkbox = /^\[([ xX])\]\s/;
// Scripts that write no spaces: their letters only part the Latin words and figures among them.
const seams = /(—|…|,(?!\d)|;|[，。、；：！？]|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])/u;
const opensAside = /^[([{]/;
const endsClause = /[,;:)\]}]["'*]*$/;
const endsSentence = /[.!?。！？]["')\]}*]*$/;
const before = /[([{"'*.,;:!?¿¡|]/;
const after = /[.,;:!?"'*)\]}|]/;
const closers = ')]}';
const opposite: Record<string, string> = { ')': '(', ']': '[', '}': '{' };

function plain(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[‘’ʼ′]/g, "'")
    .replace(/[‐‑‒–−]/g, '-');
}

/** `(v1.2),` -> `v1.2`; `.env`, `--force`, `foo()` and `C++` keep what belongs to them. */
function strip(piece: string): string {
  let start = 0;
  while (start < piece.length && before.test(piece[start]!) && !(piece[start] === '.' && /\w/.test(piece[start + 1] ?? ''))) start++;
  const inner = piece.slice(start);
  // A closing bracket belongs to the word when its opening one does.
  const kept = [...closers].filter((closer) => inner.includes(opposite[closer]!)).join('');
  let end = inner.length;
  while (end > 0 && after.test(inner[end - 1]!) && !kept.includes(inner[end - 1]!)) end--;
  const word = inner.slice(0, end);
  return /^_[^_]+_$/.test(word) ? word.slice(1, -1) : word;
}

class Reader {
  readonly words: Word[] = [];
  readonly under: number[] = [-1];
  private sentence = 0;
  private clause = 0;
  private fresh = true;
  /** The heading that the lines of its list belong to. */
  private heading = -1;
  private numbering = 0;
  private readonly prefix: string;
  constructor(prefix: string) {
    this.prefix = prefix;
  }

  private endClause(mark: string): void {
    this.clause++;
    const last = this.words.at(-1);
    if (last) last.ends = mark;
  }

  private endSentence(): void {
    if (this.fresh) return;
    this.endClause('.');
    this.sentence++;
    this.under.push(this.heading);
    this.fresh = true;
  }

  private add(text: string, token = false): void {
    const lower = text.toLowerCase().replace(/'s$/, '');
    if (conjunctions.has(lower)) this.clause++;
    const { sentence, clause, fresh: begins } = this;
    this.words.push({ text, lower, begins, sentence, clause, token, ends: '' });
    this.fresh = false;
  }

  private chunk(chunk: string): void {
    for (const piece of chunk.split(seams)) {
      if (piece === '') continue;
      if (opensAside.test(piece)) this.endClause('(');
      const word = strip(piece);
      if (/[\p{L}\p{N}<>=≠≤≥±]/u.test(word)) this.add(word);
      if (abbreviations.has(piece.toLowerCase())) continue;
      if (endsSentence.test(piece)) this.endSentence();
      else if (word === '' || word === '-' || endsClause.test(piece) || seams.test(piece))
        this.endClause(/:["'*]*$/.test(piece) ? ':' : ',');
    }
  }

  private prose(text: string): void {
    for (const chunk of text.split(/\s+/)) if (chunk !== '') this.chunk(plain(chunk));
  }

  private inline(text: string): void {
    const [first, ...rest] = this.prefix === '' ? [text] : text.split(this.prefix);
    this.prose(first!);
    for (const part of rest) {
      const close = part.indexOf('⟧') + 1;
      this.add(this.prefix + part.slice(0, close), true);
      this.prose(part.slice(close));
    }
  }

  /** Returns the line without its list marker. A number that continues the list's numbering is no fact of the note. */
  private unmarked(line: string, marker: RegExpExecArray): string {
    const number = marker[1] === undefined ? 0 : Number(marker[1]);
    const content = line.slice(marker[0].length);
    if (number > 0 && number !== 1 && number !== this.numbering + 1) this.add(marker[1]!);
    if (number > 0) this.numbering = number;
    const box = checkbox.exec(content);
    if (!box) return content;
    this.add(box[1] === ' ' ? 'todo' : '[x]');
    return content.slice(box[0].length);
  }

  line(line: string): void {
    if (isBlank(line)) {
      this.endSentence();
      return;
    }
    const marker = bullet.exec(line);
    // Any other line goes on with the sentence before it, unless a capital says that it doesn't.
    if (marker || /^\s*\p{Lu}/u.test(line)) this.endSentence();
    const isHeading = marker?.[0].includes('#') || /:["*_\s]*$/.test(line);
    // A heading rules its list, or the one paragraph below it.
    if (isHeading) this.heading = -1;
    this.under[this.sentence] = this.heading;
    const first = this.sentence;
    this.inline(marker ? this.unmarked(line, marker) : line);
    if (isHeading) {
      this.heading = first;
      this.endSentence();
      this.under[this.sentence] = first;
    } else if (!marker && this.heading >= 0 && !/^\s/.test(line)) this.heading = -1;
  }
}

/** `prefix` is what the tokens of the text begin with, '' when it has none. */
export function readProse(text: string, prefix: string): Prose {
  const reader = new Reader(prefix);
  for (const line of linesOf(text)) reader.line(line.text);
  return { words: reader.words, under: reader.under };
}
