/** Compresses pages (behaviour §18.16) and assets. */
import { promisify } from 'node:util';
import { type BrotliOptions, brotliCompress, constants, gzip, type ZlibOptions } from 'node:zlib';
import type { Context } from 'koa';

const encodings = ['br', 'gzip'] as const;
export type Encoding = (typeof encodings)[number];

const brotli = promisify<Buffer, BrotliOptions, Buffer>(brotliCompress);
const zip = promisify<Buffer, ZlibOptions, Buffer>(gzip);

/** Runs in the thread pool. `quality`: of Brotli, `level`: of gzip. */
export function compress(bytes: Buffer, encoding: Encoding, { quality, level }: { quality: number; level: number }): Promise<Buffer> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  return encoding === 'br' ? brotli(bytes, { params }) : zip(bytes, { level });
}

/** Prefers br: browsers list gzip first but accept both. */
export const acceptedEncoding = (ctx: Context): Encoding | undefined =>
  encodings.find((one) => ctx.acceptsEncodings(one, 'identity') === one);

const LEAST_BYTES = 1_024;
/** Low, because pages are made for each request. */
const ofPages = { quality: 4, level: 3 };

/** Requests from other sites get uncompressed answers: the site could choose a part of the page and compare lengths (BREACH). */
const isOwn = (ctx: Context): boolean => ['', 'none', 'same-origin'].includes(ctx.get('Sec-Fetch-Site'));

export async function compressPage(ctx: Context): Promise<void> {
  const { body } = ctx;
  if (!Buffer.isBuffer(body) || body.length < LEAST_BYTES || !ctx.response.is('html') || ctx.response.get('Content-Encoding')) return;
  ctx.vary('Accept-Encoding');
  ctx.vary('Sec-Fetch-Site');
  const encoding = isOwn(ctx) && acceptedEncoding(ctx);
  if (!encoding) return;
  const compressed = await compress(body, encoding, ofPages);
  // The deadline may have answered meanwhile.
  if (ctx.body !== body || ctx.headerSent) return;
  ctx.set('Content-Encoding', encoding);
  ctx.body = compressed;
}
