/** GET {base}/api/v1/openapi.json: the API document, for everybody (behaviour §5.13). */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Context } from 'koa';
import { answerError } from '../http/answer.ts';

/** Made when it is first asked for, and kept: most processes never are, and it would be a part of what their start costs. */
export function restDocument(make: () => object) {
  let made: { bytes: Buffer; zipped: Promise<Buffer> } | undefined;
  const content = () => {
    if (!made) {
      const bytes = Buffer.from(JSON.stringify(make()));
      made = { bytes, zipped: promisify(gzip)(bytes) };
    }
    return made;
  };
  return async (ctx: Context): Promise<void> => {
    ctx.state.operation = 'docs';
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
      ctx.set('Allow', 'GET, HEAD');
      return answerError(ctx, 405, 'This address takes GET and HEAD only.');
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
