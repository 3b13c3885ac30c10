/** Compresses pages (behaviour §18.16). */
import { promisify } from 'node:util';
import { type BrotliOptions, brotliCompress, constants, gzip, type ZlibOptions } from 'node:zlib';
import type { Context } from 'koa';

const LEAST_BYTES = 1_024;
/** Low levels: pages are made for each request. Both run in the thread pool. */
const QUALITY = 4;
const LEVEL = 3;

const brotli = promisify<Buffer, BrotliOptions, Buffer>(brotliCompress);
const zip = promisify<Buffer, ZlibOptions, Buffer>(gzip);

const compress = {
  br: (bytes: Buffer) =>
    brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
  gzip: (bytes: Buffer) => zip(bytes, { level: LEVEL }),
};

/** Requests that another site causes get plain answers: it could choose a part of the page and compare lengths (BREACH). */
const isOwn = (ctx: Context): boolean => ['', 'none', 'same-origin'].includes(ctx.get('Sec-Fetch-Site'));

export async function compressPage(ctx: Context): Promise<void> {
  const { body } = ctx;
  if (!Buffer.isBuffer(body) || body.length < LEAST_BYTES || !ctx.response.is('html') || ctx.response.get('Content-Encoding')) return;
  ctx.vary('Accept-Encoding');
  ctx.vary('Sec-Fetch-Site');
  const encoding = isOwn(ctx) && (['br', 'gzip'] as const).find((one) => ctx.acceptsEncodings(one, 'identity') === one);
  if (!encoding) return;
  const compressed = await compress[encoding](body);
  // The deadline may have answered meanwhile.
  if (ctx.body !== body || ctx.headerSent) return;
  ctx.set('Content-Encoding', encoding);
  ctx.body = compressed;
}
