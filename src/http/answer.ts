/** HTTP answers for errors and limits: behaviour §5.8. */
import { Readable } from 'node:stream';
import type { Context } from 'koa';
import { holdSlot } from '../access/throttle/concurrency.ts';
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

export function answerAppError(ctx: Context, error: AppError, scheme: 'ApiKey' | 'Bearer' = 'ApiKey') {
  if (error.cause) ctx.state.cause = error.cause;
  ctx.set('X-Error-Code', error.code === 'conflict' ? 'version_conflict' : error.code);
  if (error.code === 'unauthenticated') ctx.set('WWW-Authenticate', `${scheme} realm="Stint"`);
  if (error.details.retryAfter) ctx.set('Retry-After', String(error.details.retryAfter));
  answerError(ctx, statusOf[error.code], error.message);
}

export function answerError(ctx: Context, status: number, error: string) {
  answerJson(ctx, status, JSON.stringify({ error }));
  // Does not wait for the rest of the body.
  if (!ctx.req.complete) ctx.set('Connection', 'close');
}

const LONG = 512 * 1024;
/** A long answer that makes no progress for this time is aborted. Node checks at intervals, so it may take twice as long. */
const STALLED_MS = 30_000;
/** Length of one written piece, in characters, or in bytes for a Buffer. */
const SLICE_LENGTH = 128 * 1024;

export function answerJson(ctx: Context, status: number, text: string | Buffer) {
  ctx.status = status;
  ctx.set('Content-Type', 'application/json; charset=utf-8');
  if (text.length >= LONG) answerLong(ctx, text);
  else ctx.body = text;
}

/** Holds one of the caller's slots until the client has received it (behaviour §5.15), so that long answers can't fill memory. */
function answerLong(ctx: Context, text: string | Buffer) {
  answerPieces(ctx, slicesOf(text));
  ctx.length = Buffer.byteLength(text);
  // After a disconnect or a 503, `close` has already fired.
  if (ctx.state.caller && !ctx.res.closed) ctx.res.once('close', holdSlot(ctx.state.caller));
}

/** Streams as fast as the client reads: writing megabytes in one piece would block the event loop. */
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

const endOfSlice = (text: string | Buffer, end: number): number =>
  typeof text === 'string' && (text.codePointAt(end - 1) ?? 0) > 0xffff ? end + 1 : end;

/** Streams JSON text. Reads later pieces on demand; if that fails, the connection is closed. */
export function answerTagged(ctx: Context, tagged: TaggedJson<object>) {
  if (!tagged.rest) return answerJson(ctx, 200, (tagged.pieces ?? []).join(''));
  ctx.status = 200;
  ctx.set('Content-Type', 'application/json; charset=utf-8');
  answerPieces(ctx, tagged.all());
}

export function setLimitHeaders(ctx: Context, { limit, remaining, reset }: Allowance) {
  ctx.set({ 'RateLimit-Limit': `${limit}`, 'RateLimit-Remaining': `${remaining}`, 'RateLimit-Reset': `${reset}` });
}
