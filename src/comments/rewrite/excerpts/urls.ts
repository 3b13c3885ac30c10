/** Finds links in prose: `scheme://…`, `mailto:`, `www.…` and `host.tld/path`. Pure and linear. */
import type { Range } from './ranges.ts';

const ends = /[\s<>"`“”„«»‘’‹›「」『』]/;
const trailing = /[.,;:!?'*…]/;
const schemeCharacter = /[a-z0-9+.-]/i;
const label = /^[a-z0-9-]+$/i;
const wordCharacter = /[\p{L}\p{N}]/u;
const closers = new Map([
  [')', '('],
  [']', '['],
  ['}', '{'],
]);

/** The end of the link that starts at `start`: a closing bracket without an opening one inside the link, and closing punctuation, are not part of it. */
function urlEnd(text: string, start: number): number {
  const depth = new Map<string, number>();
  let end = start;
  for (; end < text.length && !ends.test(text[end]!); end++) {
    const character = text[end]!;
    const opener = closers.get(character);
    if (opener !== undefined && !depth.get(opener)) break;
    if (opener !== undefined) depth.set(opener, depth.get(opener)! - 1);
    else if (character === '(' || character === '[' || character === '{') depth.set(character, (depth.get(character) ?? 0) + 1);
  }
  while (end > start && trailing.test(text[end - 1]!)) end--;
  return end;
}

/** The start of the scheme before `://`, or −1. */
function schemeStart(text: string, colon: number, floor: number): number {
  let start = colon;
  while (start > floor && schemeCharacter.test(text[start - 1]!)) start--;
  while (start < colon && !/[a-z]/i.test(text[start]!)) start++;
  return start < colon ? start : -1;
}

/** `docs.example.com/x`: labels and a top-level domain of letters before the first slash. */
function isHostWithPath(chunk: string): boolean {
  const slash = chunk.indexOf('/');
  if (slash < 4 || slash > 260) return false;
  const labels = chunk
    .slice(0, slash)
    .replace(/:\d{1,5}$/, '')
    .split('.');
  return labels.length > 1 && labels.every((part) => label.test(part)) && /^[a-z]{2,}$/i.test(labels.at(-1)!);
}

/** Starts of links without a scheme: at the beginning of the chunk and behind a bracket or quote inside it. */
function bareStarts(chunk: string): number[] {
  const starts: number[] = [];
  for (let i = 0; i < chunk.length; i++) {
    if (!wordCharacter.test(chunk[i]!) || (i > 0 && !/[([{<"'=,;*|]/.test(chunk[i - 1]!))) continue;
    const head = chunk.slice(i, i + 270);
    if (/^(?:www\.|mailto:)[^\s.]/i.test(head) || isHostWithPath(head)) starts.push(i);
  }
  return starts;
}

/** Starts of links with a scheme and something behind it. */
function schemeStarts(chunk: string): number[] {
  const starts: number[] = [];
  let floor = 0;
  for (let colon = chunk.indexOf('://'); colon >= 0; colon = chunk.indexOf('://', floor)) {
    const start = schemeStart(chunk, colon, floor);
    floor = colon + 3;
    if (start >= 0 && floor < chunk.length && !ends.test(chunk[floor]!)) starts.push(start);
  }
  return starts;
}

/** Offsets of the links in one word of the text, from left to right; a start inside a link is part of it. */
function urlsInChunk(chunk: string): [start: number, end: number][] {
  const found: [number, number][] = [];
  let floor = 0;
  for (const start of [...schemeStarts(chunk), ...bareStarts(chunk)].sort((a, b) => a - b)) {
    if (start < floor) continue;
    floor = urlEnd(chunk, start);
    if (floor > start) found.push([start, floor]);
  }
  return found;
}

/** Links between `from` and `to`. */
export function findUrls(text: string, from: number, to: number): Range[] {
  const found: Range[] = [];
  for (const chunk of text.slice(from, to).matchAll(/\S+/g)) {
    if (!/[/.:]/.test(chunk[0])) continue;
    const base = from + chunk.index;
    for (const [start, end] of urlsInChunk(chunk[0])) found.push({ start: base + start, end: base + end, block: false });
  }
  return found;
}
