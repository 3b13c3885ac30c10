/** How faults and limits look as HTTP answers, whichever face gives them: behaviour §5.8. */
import { Readable } from 'node:stream';
import type { Context } from 'koa';
import { holdSlot } from '../access/throttle/atOnce.ts';
import type { Allowance } from '../access/throttle/perMinute.ts';
import type { TaggedJson } from '../operations/json.ts';
import type { AppError } from '../values/errors.ts';

export const statusOf: Record<AppError['code'], number> = {
  invalid_request: 400,
  unauthenticated: 401,
  forbidden: 403,
  conflict: 409,
  rate_limited: 429,
  unavailable: 503,
  rewrite_unavailable: 503,
};

/** `scheme` is what a 401 asks for in WWW-Authenticate. */
export function answerAppError(ctx: Context, error: AppError, scheme: 'ApiKey' | 'Bearer' = 'ApiKey') {
  if (error.cause) ctx.state.cause = error.cause;
  ctx.set('X-Error-Code', error.code === 'conflict' ? 'version_conflict' : error.code);
  if (error.code === 'unauthenticated') ctx.set('WWW-Authenticate', `${scheme} realm="Stint"`);
  if (error.details.retryAfter) ctx.set('Retry-After', String(error.details.retryAfter));
  answerError(ctx, statusOf[error.code], error.message);
}

export function answerError(ctx: Context, status: number, error: string) {
  answerJson(ctx, status, JSON.stringify({ error }));
  // What is left of a body is not waited for.
  if (!ctx.req.complete) ctx.set('Connection', 'close');
}

const LONG = 512 * 1024;
/** A connection on which nothing of a long answer moves for so long is closed; Node looks twice, so that it takes up to twice as long. */
const STALLED_MS = 30_000;
/** Characters, or bytes of what is in bytes already. */
const SLICE_LENGTH = 128 * 1024;

export function answerJson(ctx: Context, status: number, text: string | Buffer) {
  ctx.status = status;
  ctx.set('Content-Type', 'application/json; charset=utf-8');
  if (text.length >= LONG) answerLong(ctx, text);
  else ctx.body = text;
}

/** Until the client has received it, it counts as one of the caller's operations (behaviour §5.15): long answers must not pile up in memory. */
function answerLong(ctx: Context, text: string | Buffer) {
  answerPieces(ctx, slicesOf(text));
  ctx.length = Buffer.byteLength(text);
  // A client that has hung up, or was answered 503 already, receives no more of it.
  if (ctx.state.caller && !ctx.res.closed) ctx.res.once('close', holdSlot(ctx.state.caller));
}

/** As fast as the client receives them: megabytes written at once would block the event loop. */
export function answerPieces(ctx: Context, pieces: Iterable<Buffer> | AsyncIterable<string>) {
  ctx.body = Readable.from(pieces, { objectMode: false, highWaterMark: SLICE_LENGTH });
  ctx.res.setTimeout(STALLED_MS);
}

function* slicesOf(text: string | Buffer): Generator<Buffer> {
  for (let start = 0; start < text.length; ) {
    const end = endOfSlice(text, start + SLICE_LENGTH);
    yield typeof text === 'string' ? Buffer.from(text.slice(start, end)) : text.subarray(start, end);
    start = end;
  }
}

/** Not between the halves of a character. */
const endOfSlice = (text: string | Buffer, end: number): number =>
  typeof text === 'string' && (text.codePointAt(end - 1) ?? 0) > 0xffff ? end + 1 : end;

/** JSON text of any length: what is more than its beginning is fetched as fast as the client receives it; when that fails the connection is closed. */
export function answerTagged(ctx: Context, tagged: TaggedJson<object>) {
  if (!tagged.rest) return answerJson(ctx, 200, tagged.pieces!.join(''));
  ctx.status = 200;
  ctx.set('Content-Type', 'application/json; charset=utf-8');
  answerPieces(ctx, tagged.all());
}

export function tellAllowance(ctx: Context, { limit, remaining, reset }: Allowance) {
  ctx.set({ 'RateLimit-Limit': `${limit}`, 'RateLimit-Remaining': `${remaining}`, 'RateLimit-Reset': `${reset}` });
}
