/** A server-sent event stream. Nothing is buffered for slow readers. */
import type { ServerResponse } from 'node:http';
import type { Context } from 'koa';
import { event, type Stream } from '../../live/hub.ts';
import { Unavailable } from '../../values/errors.ts';

/** Unsent bytes at which the stream is closed. The client reconnects and learns if it missed a change. */
const MOST_UNSENT = 64 * 1024;
const RETRY_MS = 3_000;
/** Proxies must not buffer or transform the stream. Without chunked encoding the end of the connection ends it. */
const headers = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
  Connection: 'close',
};

/** Headers that only matter for pages. */
const ofPages = ['Content-Security-Policy', 'X-Frame-Options', 'Referrer-Policy'];

export class ResponseStream implements Stream {
  readonly sessionId: number;
  readonly accountId: number;
  readonly userId: number;
  readonly #res: ServerResponse;
  #state: 'opening' | 'missed' | 'open' | 'ended' = 'opening';

  constructor(res: ServerResponse, { sessionId, accountId, userId }: Pick<Stream, 'sessionId' | 'accountId' | 'userId'>) {
    this.#res = res;
    this.sessionId = sessionId;
    this.accountId = accountId;
    this.userId = userId;
  }

  /** Sends headers and the first event. Calls `onEnd` once. Throws Unavailable if the stream ended before. */
  begin(ctx: Context, place: string, { changed, own }: { changed: boolean; own: string }, onEnd: () => void): void {
    const res = this.#res;
    if (this.#state === 'ended' || res.headersSent || res.closed) throw new Unavailable();
    const first = event('hello', { changed: changed || this.#state === 'missed', own }, place);
    this.#state = 'open';
    ctx.state.untilEnd = new Promise<void>((resolve) => res.once('close', resolve)).then(onEnd);
    // Otherwise Koa would pipe a body.
    ctx.respond = false;
    ctx.status = 200;
    for (const name of ofPages) res.removeHeader(name);
    ctx.set(headers);
    res.removeHeader('Transfer-Encoding');
    // Saves memory: thousands of streams stay open for hours.
    ctx.state.deadline = ctx.state.caller = undefined;
    ctx.req.rawHeaders.length = 0;
    ctx.req.headers = {};
    res.flushHeaders();
    this.write(Buffer.from(`retry: ${RETRY_MS}\n${first}`));
  }

  write(text: Buffer): void {
    if (this.#state === 'opening') this.#state = 'missed';
    if (this.#state !== 'open' || this.#res.closed) return;
    this.#res.write(text);
    if (this.#res.writableLength > MOST_UNSENT) this.#res.destroy();
  }

  end(): void {
    if (this.#state === 'open') this.#res.end();
    this.#state = 'ended';
  }
}
