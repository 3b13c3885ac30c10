/** GET {base}/api/v1/openapi.json: the public API document (behaviour §5.13). */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Context } from 'koa';
import { answerError } from '../http/answer.ts';
import { lazy } from '../values/lazy.ts';

export function restDocument(make: () => object) {
  // Lazy, because most processes never serve it and it would slow their start.
  const content = lazy(() => {
    const bytes = Buffer.from(JSON.stringify(make()));
    return { bytes, zipped: promisify(gzip)(bytes) };
  });
  return async (ctx: Context): Promise<void> => {
    ctx.state.operation = 'docs';
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
      ctx.set('Allow', 'GET, HEAD');
      return answerError(ctx, 405, 'This address accepts only GET and HEAD.');
    }
    ctx.set({ 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding' });
    ctx.type = 'application/json; charset=utf-8';
    const { bytes, zipped } = content();
    if (ctx.acceptsEncodings('gzip', 'identity') !== 'gzip') ctx.body = bytes;
    else {
      ctx.set('Content-Encoding', 'gzip');
      ctx.body = await zipped;
    }
  };
}
