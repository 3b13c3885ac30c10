/** Serves /static/NAME. Names with a content hash are cached forever. Compresses with br or gzip if the browser accepts it. */
import { hash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import module from 'node:module';
import { join } from 'node:path';
import { constants } from 'node:zlib';
import type { Context } from 'koa';
import { type Asset, assetAt, texts } from './assets.ts';
import { acceptedEncoding, compress, type Encoding } from './compress.ts';

const best = { quality: constants.BROTLI_MAX_QUALITY, level: 9 };

/** Folder for compressed assets; each Node version and system user has its own. */
function besideCode(): string | undefined {
  const code = module.getCompileCacheDir();
  return code && join(code, 'compressed');
}

/** Cached on disk by content hash in Node's compile cache folder (start/requireNode.js). Without that folder: no cache. */
export async function compressed(bytes: Buffer, encoding: Encoding, folder = besideCode()): Promise<Buffer> {
  if (folder === undefined) return compress(bytes, encoding, best);
  const file = join(folder, `${hash('sha256', bytes, 'hex')}.${encoding}`);
  const kept = await readFile(file).catch(() => undefined);
  if (kept) return kept;
  const made = await compress(bytes, encoding, best);
  await keep(folder, file, made).catch(() => {});
  return made;
}

/** Writes to a temporary name, then renames: another process may read the file at the same time. */
async function keep(folder: string, file: string, bytes: Buffer): Promise<void> {
  const begun = `${file}.${randomUUID()}`;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    await writeFile(begun, bytes);
    await rename(begun, file);
  } catch (error) {
    await rm(begun, { force: true });
    throw error;
  }
}

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
  for (const [name, asset] of texts) await encoded(name, asset, 'br');
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
  const encoding = asset.text && acceptedEncoding(ctx);
  if (encoding) {
    ctx.set('Content-Encoding', encoding);
    ctx.body = await encoded(name, asset, encoding);
  } else ctx.body = asset.bytes;
  return true;
}
