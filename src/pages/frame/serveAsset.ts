/** Serves /static/NAME. Names with a content hash are cached forever. Compresses with br or gzip if the browser accepts it. */
import { hash } from 'node:crypto';
import type { Context } from 'koa';
import { type Asset, assetAt, textNames } from './assets.ts';
import { compressed, type Encoding } from './compressed.ts';

const made = new Map<string, Promise<Buffer>>();
const etags = new Map<string, string>();

function encoded(name: string, { bytes }: Asset, encoding: Encoding): Promise<Buffer> {
  const key = `${name} ${encoding}`;
  const found = made.get(key) ?? compressed(bytes, encoding);
  made.set(key, found);
  return found;
}

/** Compresses all assets at start, one at a time: the thread pool is shared. */
export async function compressAll(): Promise<void> {
  for (const name of textNames) await encoded(name, assetAt(name)!.asset, 'br');
}

function etagOf(name: string, { bytes }: Asset): string {
  const etag = etags.get(name) ?? `W/"${hash('sha256', bytes, 'base64url').slice(0, 22)}"`;
  etags.set(name, etag);
  return etag;
}

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
  // Prefer br: browsers list gzip first but accept both.
  const encoding = asset.text && (['br', 'gzip'] as const).find((one) => ctx.acceptsEncodings(one, 'identity') === one);
  if (encoding) {
    ctx.set('Content-Encoding', encoding);
    ctx.body = await encoded(name, asset, encoding);
  } else ctx.body = asset.bytes;
  return true;
}
