/** Finds quoted passages: "…", “…”, ‘…’, „…“, «…» and the like. Pure and linear. */
import { gapsBetween, type Range } from './ranges.ts';

/** Opening mark -> what closes it. */
const pairs: Record<string, string> = { '“': '”', '„': '“”', '«': '»', '‹': '›', '「': '」', '『': '』' };
/** These marks look alike, or are apostrophes too: the letters beside them decide. */
const sided: Record<string, string> = { '"': '"', "'": "'", '‘': '’', '”': '”', '»': '«' };
/** Apostrophes are everywhere: such a quote ends with its paragraph. */
const inParagraph = "'‘”»";
const wordCharacter = /[\p{L}\p{N}]/u;

function isWord(character: string | undefined): boolean {
  return character !== undefined && wordCharacter.test(character);
}

function opens(text: string, i: number, bySides: boolean): boolean {
  return !bySides || (!isWord(text[i - 1]) && /\S/.test(text[i + 1] ?? ''));
}

/** The quotes of one kind. Nested marks belong to the outermost quote. */
function quotesOf(text: string, mark: string, closing: string, bySides: boolean, gaps: Range[]): Range[] {
  const found: Range[] = [];
  let opened: number[] = [];
  for (const gap of gaps) {
    for (let i = gap.start; i < gap.end; i++) {
      const character = text[i]!;
      if (character === '\n' && /[\n\r]/.test(text[i + 1] ?? '') && inParagraph.includes(mark)) opened = [];
      const start = opened.at(-1);
      if (start !== undefined && closing.includes(character) && (!bySides || (!isWord(text[i + 1]) && i > start + 1))) {
        found.push({ start, end: i + 1, block: false });
        opened.pop();
      } else if (character === mark && opens(text, i, bySides) && !(bySides && start !== undefined)) opened.push(i);
    }
  }
  return found;
}

/** `solid`: code and links, whose marks don't count; sorted and disjoint. */
export function findQuotations(text: string, solid: Range[]): Range[] {
  const gaps = gapsBetween(solid, text.length);
  return [
    ...Object.entries(pairs).flatMap(([mark, closing]) => quotesOf(text, mark, closing, false, gaps)),
    ...Object.entries(sided).flatMap(([mark, closing]) => quotesOf(text, mark, closing, true, gaps)),
  ];
}
