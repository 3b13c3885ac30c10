/** Reads prose as words in clauses and sentences, for the check. Pure; never throws, whatever the text. */
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
  /** The same for all clauses of a sentence. */
  sentence: number;
  /** The clause before a colon, whose list or sentence this one belongs to: what that marks, this is. */
  under: Clause | null;
}

/** Lines that are read together: a paragraph up to a line that begins with a capital, or an item of a list. */
interface Block {
  text: string;
  inList: boolean;
}

const bullet = /^\s*(?:[-*+•]|(\d{1,2})[.)])\s+/;
/** Any other line goes on with the sentence before it, unless that has ended. */
const freshLine = /^\s*(?:\p{Lu}|#)|^[^\p{L}\p{N}]*$/u;
const endedLine = /^\s*#|[.!?。:]["')\]}*_\s]{0,5}$|^[^\p{L}\p{N}]*$/u;
/** One line. */
const heading = /^\s*#|^[^\n]*:["*_\s]{0,5}$/;
/** Not behind the dot of an initial or of "e.g.". */
const sentenceEnd = /(?<=(?<!(?:^|[\s.])\p{L})[.!?]["')\]}*]{0,3})[\s,;—]|(?<=。)/u;
const colon = /:["'*]{0,3}(?:\s|$)/;
const clauseEnd =
  /[;—、]|,(?!\d)|(?<=[)\]}]["'*]{0,3})\s|\s-\s|\s(?=[([{])|\s(?=(?:and|but|because|so|while|although|though|however|since|which|then|whereas|und|aber|mais|pero)[\s,])/i;
/** `v1.2` of `(v1.2),`; `.env`, `--force` and `C++` keep what belongs to them. */
const word = /\.?[^\s.,;:!?"'*|)\]}([{¿¡][^\s.,;:!?"'*|)\]}]*(?:[.,;:!?"'*|)\]}]+[^\s.,;:!?"'*|)\]}]+)*/gu;

/** One form for characters that look alike; tokens and letters of scripts without spaces as words of their own; and as one word what
 *  is no marker where it stands, or another one: "some kind", "could not". */
function plain(text: string, prefix: string): string {
  return (prefix === '' ? text : text.replaceAll(prefix, ` ${prefix}`).replaceAll('⟧', '⟧ '))
    .normalize('NFKC')
    .replace(/[‘’ʼ′]/g, "'")
    .replace(/[‐‑‒–−]/g, '-')
    .replace(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu, ' $& ')
    .replace(
      /\b([Cc]ould(?=\snot\b)|[Ss]ome(?=\s(?:kind|sort|time)\b)|[Nn]ot(?=\sonly\b)|[Mm]ost(?=\sof\sthe\sday\b)|did(?=\s(?:have|want)\sto\b))\s/g,
      '$1-',
    );
}

function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let ended = true;
  let numbering = 0;
  for (const { text: line } of linesOf(text)) {
    const [marker, digits] = bullet.exec(line) ?? [];
    const isIndented = /^\s/.test(line);
    const goesOn = !ended && !marker && !freshLine.test(line);
    ended = endedLine.test(line);
    if (goesOn) {
      const open = blocks.at(-1)!;
      open.text += `\n${line}`;
      open.inList &&= isIndented;
      continue;
    }
    // A number that continues the numbering is no fact of the note.
    const isCounted = digits === undefined || Number(digits) === 1 || Number(digits) === numbering + 1;
    const content = (isCounted ? '' : `${digits} `) + line.slice(marker?.length ?? 0);
    const ticked = marker ? content.replace(/^\[ \]\s/, 'todo ').replace(/^\[[xX]\]\s/, 'box_ticked ') : line;
    const inList = marker !== undefined || isIndented;
    // A heading rules its list, or the one line below it.
    ended ||= !inList && heading.test(blocks.at(-1)?.text ?? '');
    if (!isBlank(line)) blocks.push({ text: ticked, inList });
    if (digits) numbering = Number(digits);
  }
  return blocks;
}

function wordsIn(text: string, prefix: string): Word[] {
  return (text.match(word) ?? [])
    .filter((found) => /[\p{L}\p{N}<>=≠≤≥±]/u.test(found))
    .map((found) => ({
      text: found,
      lower: found.toLowerCase().replace(/'s$/, ''),
      begins: false,
      token: prefix !== '' && found.startsWith(prefix),
    }));
}

/** `prefix` is what the tokens of the text begin with, '' when it has none. */
export function readProse(text: string, prefix: string): Clause[] {
  const clauses: Clause[] = [];
  let above: Clause | null = null;
  for (const block of blocksOf(plain(text, prefix))) {
    const isHeading = heading.test(block.text);
    if (isHeading) above = null;
    for (const said of block.text.split(sentenceEnd)) {
      const sentence = clauses.length;
      let leader: Clause | null = null;
      for (const part of said.split(colon)) {
        const from = clauses.length;
        for (const words of part.split(clauseEnd).map((piece) => wordsIn(piece, prefix)))
          if (words.length > 0) clauses.push({ words, sentence, under: leader ?? above });
        const first = clauses[from]?.words[0];
        if (first) first.begins = true;
        leader ??= clauses.length > sentence ? clauses.at(-1)! : null;
      }
    }
    if (isHeading || !block.inList) above = isHeading ? (clauses.at(-1) ?? null) : null;
  }
  return clauses;
}

export function wordsOf(clauses: Clause[]): Word[] {
  return clauses.flatMap((clause) => clause.words);
}
