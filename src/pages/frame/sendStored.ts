/** Sends a stored file: whole or a range, only to this reader, and never as a page of our origin (behaviour §35.5, §35.6). */
import { Readable } from 'node:stream';
import type { Context } from 'koa';
import { sentInPieces } from '../../http/guard.ts';
import type { Stored } from './page.ts';

const STALLED_MS = 30_000;

export function sendStored(ctx: Context, { stored }: Stored): void {
  const { name, type, size, inline } = stored;
  const tag = `"${stored.tag}"`;
  ctx.set({
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    'Cross-Origin-Resource-Policy': 'same-origin',
    // Browsers keep it, but ask before each use, so that rights are checked.
    'Cache-Control': 'private, no-cache',
    ETag: tag,
    'Accept-Ranges': 'bytes',
    'Content-Type': type,
    'Content-Disposition': `${inline ? 'inline' : 'attachment'}; ${filenames(name)}`,
  });
  if (matches(ctx.get('If-None-Match'), tag)) {
    ctx.status = 304;
    return;
  }
  const range = ctx.get('If-Range') === '' || ctx.get('If-Range') === tag ? rangeOf(ctx.get('Range'), size) : null;
  if (range === 'none') {
    ctx.status = 416;
    ctx.set('Content-Range', `bytes */${size}`);
    ctx.body = '';
    return;
  }
  const { start, end } = range ?? { start: 0, end: size - 1 };
  ctx.status = range ? 206 : 200;
  if (range) ctx.set('Content-Range', `bytes ${start}-${end}/${size}`);
  ctx.body = Readable.from(stored.read({ start, end }), { objectMode: false });
  ctx.length = end - start + 1;
  sentInPieces(ctx.res);
  ctx.res.setTimeout(STALLED_MS);
}

const matches = (given: string, tag: string): boolean =>
  given === '*' || given.split(',').some((one) => one.trim().replace(/^W\//, '') === tag);

/** RFC 6266: an ASCII name for old programs, and the real one. */
function filenames(name: string): string {
  const plain = name.replace(/[^\w .()-]/g, '_');
  return `filename="${plain}"; ${fullFilename(name)}`;
}

export const fullFilename = (name: string): string =>
  `filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`)}`;

/** RFC 9110: one range; null for none, several or an invalid one, which are answered in full; 'none' if it is outside. */
export function rangeOf(header: string, size: number): { start: number; end: number } | 'none' | null {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header.trim()) ?? [];
  if (first === '' && last === '') return null;
  if (first === '') return Number(last) === 0 ? 'none' : { start: Math.max(0, size - Number(last)), end: size - 1 };
  const start = Number(first);
  if (last !== '' && Number(last) < start) return null;
  return start >= size ? 'none' : { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}
