/** Style, script and icon, read once at boot and served from here: no page asks another host for anything. */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Context } from 'koa';

/** Where a page finds it: below the context path. */
export const assetPath = (name: string): string => `/static/${name}`;

const require = createRequire(import.meta.url);
const own = (name: string) => readFileSync(new URL(`../static/${name}`, import.meta.url));

const files: Record<string, { type: string; bytes: Buffer }> = {
  'pico.css': { type: 'text/css', bytes: readFileSync(require.resolve('@picocss/pico/css/pico.min.css')) },
  'htmx.js': { type: 'text/javascript', bytes: readFileSync(require.resolve('htmx.org/dist/htmx.min.js')) },
  'app.css': { type: 'text/css', bytes: own('app.css') },
  'app.js': { type: 'text/javascript', bytes: own('app.js') },
  'my.css': { type: 'text/css', bytes: own('my.css') },
  'notes.js': { type: 'text/javascript', bytes: own('notes.js') },
  'icon.svg': { type: 'image/svg+xml', bytes: own('icon.svg') },
};
const etags = new Map(Object.entries(files).map(([name, { bytes }]) => [name, `"${hash('sha1', bytes, 'base64url')}"`]));

/** Answers /static/NAME; false when there is no such file. */
export function serveAsset(ctx: Context, name: string): boolean {
  const file = Object.hasOwn(files, name) ? files[name] : undefined;
  if (!file || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return false;
  ctx.set({ ETag: etags.get(name)!, 'Cache-Control': 'public, max-age=300' });
  if (ctx.get('If-None-Match') === etags.get(name)) {
    ctx.status = 304;
    return true;
  }
  ctx.type = `${file.type}; charset=utf-8`;
  ctx.body = file.bytes;
  return true;
}
