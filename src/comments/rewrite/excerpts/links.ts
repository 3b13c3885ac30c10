/** Finds links in prose: `scheme://…`, `mailto:…`, `www.…` and `host.tld/path`. linkify-it says where a link ends. Pure. */
import { linkifyit } from 'linkify-it';
import type { Range } from './ranges.ts';

const linkify = linkifyit({ urlAuth: true, maxLength: 12_000 });
/** What a link begins with: a scheme with its colon, or a host. */
const beginning = /[\p{L}\p{N}+.:-]+/gu;
const pastLink = /[\s<>"`“”„«»()[\]{}]|$/;

/** `https://…` behind the scheme at `colon`. A place that the parser knows no host in (`file:///etc`) goes on to the next space or bracket. */
function schemeLink(text: string, head: string, colon: number): [start: number, end: number] | null {
  const scheme = head
    .slice(0, -1)
    .split(':')
    .at(-1)!
    .replace(/^[^a-z]+/i, '');
  const tail = linkify.testSchemaAt(text, 'http:', colon + 1) || text.slice(colon + 1).search(pastLink);
  return scheme && tail > 2 ? [colon - scheme.length, colon + 1 + tail] : null;
}

/** `www.x.y` and `host.tld/path`; a name and an ending alone may as well be a file. */
function bareLink(text: string, start: number): [start: number, end: number] | null {
  if (/[_/@\\]/.test(text[start - 1] ?? '')) return null;
  const link = text.slice(start, start + linkify.testSchemaAt(text, '//', start));
  const slash = link.indexOf('/');
  const hasPath = slash > 0 && /[a-z](?::\d{1,5})?$/i.test(link.slice(0, slash));
  return hasPath || /^www\./i.test(link) ? [start, start + link.length] : null;
}

function linkAt(text: string, start: number, head: string): [start: number, end: number] | null {
  const end = start + head.length;
  if (head.endsWith(':') && text.startsWith('//', end)) return schemeLink(text, head, end - 1);
  if (!/^mailto:/i.test(head)) return head.includes('.') ? bareLink(text, start) : null;
  const address = linkify.testSchemaAt(text, 'mailto:', start + 7);
  return address > 0 ? [start, start + 7 + address] : null;
}

/** Links between `from` and `to`. */
export function findLinks(text: string, from: number, to: number): Range[] {
  const part = text.slice(from, to);
  const found: Range[] = [];
  let past = 0;
  for (const { 0: head, index } of part.matchAll(beginning)) {
    const link = index < past ? null : linkAt(part, index, head);
    if (!link) continue;
    past = link[1];
    found.push({ start: from + link[0], end: from + past, block: false });
  }
  return found;
}
