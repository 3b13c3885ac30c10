/** Reads prose as words in clauses and sentences, for the check. Pure, one walk; never throws, whatever the text. */
import { isBlank, linesOf } from '../excerpts/ranges.ts';

export interface Word {
  /** Without the punctuation around it; apostrophes and dashes in their plain form. */
  text: string;
  /** Lower case, without a possessive 's. */
  lower: string;
  /** First of its sentence, or behind a colon: a capital says little there. */
  begins: boolean;
  /** Stands for a passage that bypassed the model. */
  token: boolean;
}

export interface Clause {
  words: Word[];
  sentence: number;
  /** The clause before a colon, whose list or sentence this one belongs to: what that marks, this is. */
  under: Clause | null;
}

const conjunctions = new Set('and but because so while although though however since which then whereas und aber mais pero'.split(' '));
const bullet = /^\s*(?:[-*+•]|#{1,6}|(\d{1,2})[.)])\s+/;
const checkbox = /^\[([ xX])\]\s/;
// Scripts that write no spaces: their letters only part the Latin words and figures among them.
const seams = /(—|…|,(?!\d)|;|[，。、；：！？]|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])/u;
const endsClause = /^-?$|[,;:)\]}—…，、；：]["'*]*$/;
const endsSentence = /[.!?。！？]["')\]}*]*$/;
const initials = /^(?:\p{L}\.)+$/u;
const opening = /[([{"'*.,;:!?¿¡|]/;
const closing = /[.,;:!?"'*)\]}|]/;
const brackets: Record<string, string> = { ')': '(', ']': '[', '}': '{' };

function plain(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[‘’ʼ′]/g, "'")
    .replace(/[‐‑‒–−]/g, '-');
}

/** `(v1.2),` -> `v1.2`; `.env`, `--force`, `foo()` and `C++` keep what belongs to them. */
function strip(piece: string): string {
  let start = 0;
  while (start < piece.length && opening.test(piece[start]!) && !/^\.\w/.test(piece.slice(start, start + 2))) start++;
  const kept = Object.keys(brackets).filter((bracket) => piece.includes(brackets[bracket]!, start));
  let end = piece.length;
  while (end > start && closing.test(piece[end - 1]!) && !kept.includes(piece[end - 1]!)) end--;
  const word = piece.slice(start, end);
  return /^_[^_]+_$/.test(word) ? word.slice(1, -1) : word;
}

class Reader {
  readonly clauses: Clause[] = [];
  private open: Clause | null = null;
  private sentence = 0;
  private begins = true;
  /** The clause before the last colon of this sentence, and the heading whose list goes on. */
  private leader: Clause | null = null;
  private heading: Clause | null = null;
  private numbering = 0;

  private endSentence(): void {
    this.open = this.leader = null;
    this.sentence++;
    this.begins = true;
  }

  add(text: string, token = false): void {
    const lower = text.toLowerCase().replace(/'s$/, '');
    if (conjunctions.has(lower)) this.open = null;
    if (!this.open) {
      this.open = { words: [], sentence: this.sentence, under: this.leader ?? this.heading };
      this.clauses.push(this.open);
    }
    this.open.words.push({ text, lower, begins: this.begins, token });
    this.begins = false;
  }

  private piece(piece: string): void {
    if (/^[([{]/.test(piece)) this.open = null;
    const word = strip(piece);
    if (/[\p{L}\p{N}<>=≠≤≥±]/u.test(word)) this.add(word);
    if (/:["'*]*$/.test(piece)) this.colon();
    if (endsSentence.test(piece) && !initials.test(piece)) this.endSentence();
    else if (endsClause.test(piece)) this.open = null;
  }

  private colon(): void {
    this.leader ??= this.open;
    this.begins = true;
  }

  private prose(text: string): void {
    for (const chunk of text.split(/\s+/)) for (const piece of plain(chunk).split(seams)) if (piece !== '') this.piece(piece);
  }

  /** `prefix`: what the tokens begin with, '' when there are none. */
  private inline(text: string, prefix: string): void {
    const [first, ...rest] = prefix === '' ? [text] : text.split(prefix);
    this.prose(first!);
    for (const part of rest) {
      const close = part.indexOf('⟧') + 1;
      this.add(prefix + part.slice(0, close), true);
      this.prose(part.slice(close));
    }
  }

  /** Returns the line without its list marker. A number that continues the list's numbering is no fact of the note. */
  private unmarked(line: string, [marker, digits]: RegExpExecArray): string {
    const number = Number(digits ?? 0);
    const content = line.slice(marker.length);
    if (number > 1 && number !== this.numbering + 1) this.add(digits!);
    if (number > 0) this.numbering = number;
    const box = checkbox.exec(content);
    if (box) this.add(box[1] === ' ' ? 'todo' : '[x]');
    return box ? content.slice(box[0].length) : content;
  }

  line(line: string, prefix: string): void {
    const marker = bullet.exec(line);
    // Any other line goes on with the sentence before it, unless a capital says that it doesn't.
    if (marker || isBlank(line) || /^\s*\p{Lu}/u.test(line)) this.endSentence();
    if (isBlank(line)) return;
    const isHeading = line.trimStart().startsWith('#') || /:["*_\s]*$/.test(line);
    if (isHeading) this.heading = null;
    const known = this.clauses.length;
    this.inline(marker ? this.unmarked(line, marker) : line, prefix);
    // A heading rules its list, or the one paragraph below it.
    if (isHeading) {
      this.heading = this.clauses.length > known ? this.clauses.at(-1)! : null;
      this.endSentence();
    } else if (!marker && !/^\s/.test(line)) this.heading = null;
  }
}

/** `prefix` is what the tokens of the text begin with, '' when it has none. */
export function readProse(text: string, prefix: string): Clause[] {
  const reader = new Reader();
  for (const line of linesOf(text)) reader.line(line.text, prefix);
  return reader.clauses;
}

export function wordsOf(clauses: Clause[]): Word[] {
  return clauses.flatMap((clause) => clause.words);
}
