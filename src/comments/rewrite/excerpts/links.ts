/** Finds links in prose: `scheme://…`, `mailto:…`, `www.…`, `host.tld/path`. linkify-it finds the end. Pure. */
import { linkifyit } from 'linkify-it';
import type { Range } from './ranges.ts';

const linkify = linkifyit({ urlAuth: true, maxLength: 12_000 });
const beginning = /[\p{L}\p{N}+.:-]+/gu;
const pastLink = /[\s\0<>"`“”„«»()[\]{}]|$/;

/** Offset of the end of the link that begins with `head`. `start` if it is no link. */
function endOfLink(text: string, start: number, head: string): number {
  const behind = start + head.length;
  // Without a host known to the parser (`file:///etc`), the link ends at the next space or bracket.
  if (/[^:]:$/.test(head) && text.startsWith('//', behind))
    return behind + (linkify.testSchemaAt(text, 'http:', behind) || text.slice(behind).search(pastLink));
  if (/^mailto:/i.test(head)) {
    const address = linkify.testSchemaAt(text, 'mailto:', start + 'mailto:'.length);
    return address > 0 ? start + 'mailto:'.length + address : start;
  }
  if (!head.includes('.') || /[_/@\\]/.test(text[start - 1] ?? '')) return start;
  const end = start + linkify.testSchemaAt(text, '//', start);
  // A bare `name.ending` may be a file name.
  return /^www\.|\//i.test(text.slice(start, end)) ? end : start;
}

export function findLinks(text: string): Range[] {
  const found: Range[] = [];
  let past = 0;
  for (const { 0: head, index: start } of text.matchAll(beginning)) {
    const end = start < past ? start : endOfLink(text, start, head);
    if (end === start) continue;
    found.push({ start, end, block: false });
    past = end;
  }
  return found;
}
