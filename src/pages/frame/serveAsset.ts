/** Answers /static/NAME: for good under a name with the hash of its content, compressed once as the browser understands it. */
import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Context } from 'koa';
import { type Asset, assetAt } from './assets.ts';

type Encoding = 'br' | 'gzip';
const compress: Record<Encoding, (bytes: Buffer) => Promise<Buffer>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 9 }),
};

/** By plain name and encoding. Made by the thread pool when first asked for, which a start does not wait for, and then kept. */
const compressed = new Map<string, Promise<Buffer>>();
const etags = new Map<string, string>();

function encoded(name: string, { bytes }: Asset, encoding: Encoding): Promise<Buffer> {
  const key = `${name} ${encoding}`;
  const made = compressed.get(key) ?? compress[encoding](bytes);
  compressed.set(key, made);
  return made;
}

function etagOf(name: string, { bytes }: Asset): string {
  const etag = etags.get(name) ?? `W/"${hash('sha256', bytes, 'base64url').slice(0, 22)}"`;
  etags.set(name, etag);
  return etag;
}

/** False when there is no such file. */
export async function serveAsset(ctx: Context, path: string): Promise<boolean> {
  const found = assetAt(path);
  if (!found || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return false;
  const { asset, name, lasting } = found;
  ctx.set({
    ETag: etagOf(name, asset),
    'Cache-Control': lasting ? 'public, max-age=31536000, immutable' : 'public, max-age=60',
  });
  if (asset.text) ctx.vary('Accept-Encoding');
  ctx.status = 200;
  if (ctx.fresh) {
    ctx.status = 304;
    return true;
  }
  ctx.type = asset.text ? `${asset.type}; charset=utf-8` : asset.type;
  // Browsers name gzip first and take both.
  const encoding = asset.text && (['br', 'gzip'] as const).find((one) => ctx.acceptsEncodings(one, 'identity') === one);
  if (encoding) {
    ctx.set('Content-Encoding', encoding);
    ctx.body = await encoded(name, asset, encoding);
  } else ctx.body = asset.bytes;
  return true;
}
