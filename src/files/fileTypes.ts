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

/** Browsers would unpack a small file that states more pixels into gigabytes. */
const MOST_PIXELS = 100_000_000;
/** Our script makes them of at most 240 × 240. */
const MOST_THUMBNAIL_PIXELS = 512 * 512;

export function typeOf(head: Buffer): string {
  const type = signatures.find(([, start]) => start.test(head.toString('latin1', 0, 32)))?.[0] ?? DOWNLOAD;
  return (pixelsOf(type, head) ?? 0) > MOST_PIXELS ? DOWNLOAD : type;
}

export const isImage = (type: string): boolean => type.startsWith('image/');

/** The image type of these bytes, if they state few pixels; else null. */
export function thumbnailTypeOf(bytes: Buffer): string | null {
  const type = typeOf(bytes);
  const pixels = pixelsOf(type, bytes);
  return pixels !== null && pixels <= MOST_THUMBNAIL_PIXELS ? type : null;
}

/** Null for other types and for cut heads. Of JPEG and GIF the head states nothing that browsers hold on to. */
function pixelsOf(type: string, head: Buffer): number | null {
  if (head.length < 32) return null;
  switch (type) {
    case 'image/png':
      return head.readUInt32BE(16) * head.readUInt32BE(20);
    case 'image/webp':
      return webpPixels(head.toString('latin1', 12, 16), head);
    default:
      return null;
  }
}

function webpPixels(form: string, head: Buffer): number {
  if (form === 'VP8X') return (head.readUIntLE(24, 3) + 1) * (head.readUIntLE(27, 3) + 1);
  if (form === 'VP8 ') return (head.readUInt16LE(26) & 0x3fff) * (head.readUInt16LE(28) & 0x3fff);
  const sizes = head.readUInt32LE(21);
  return ((sizes & 0x3fff) + 1) * (((sizes >>> 14) & 0x3fff) + 1);
}
