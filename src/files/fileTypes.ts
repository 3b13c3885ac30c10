/** Types of files by their first bytes. Only types that browsers show safely; others are downloads (behaviour §35.5). */

const DOWNLOAD = 'application/octet-stream';

/** Patterns for the first bytes of a file, decoded as Latin-1. */
const signatures: readonly (readonly [type: string, start: RegExp])[] = [
  ['image/png', /^\x89PNG\r\n\x1a\n/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF.{4}WEBPVP8/s],
  ['application/pdf', /^%PDF-/],
];

export const typeOf = (head: Buffer): string => signatures.find(([, start]) => start.test(head.toString('latin1', 0, 32)))?.[0] ?? DOWNLOAD;

export const isImage = (type: string): boolean => type.startsWith('image/');
