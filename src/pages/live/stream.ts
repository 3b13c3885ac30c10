/** One stream of events to a browser (server-sent events): written as it comes, nothing kept for who does not read. */
import type { ServerResponse } from 'node:http';
import type { Context } from 'koa';
import { event, type Stream } from '../../live/hub.ts';
import { Unavailable } from '../../values/errors.ts';

/** Unsent bytes with which a reader is given up: it opens another one and is told whether it has missed anything. */
const MOST_UNSENT = 64 * 1024;
const RETRY_MS = 3_000;
/** What stands between may neither gather nor change it. Whatever ends it closes the connection: no piece of it needs a length of its own. */
const headers = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
  Connection: 'close',
};

/** What says how a page may be shown says nothing of what no browser shows. */
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

  /** Sends head and first event. `onEnd` is called once, whoever ends it. Throws Unavailable when that was before it began. */
  begin(ctx: Context, place: string, { changed, own }: { changed: boolean; own: string }, onEnd: () => void): void {
    const res = this.#res;
    if (this.#state === 'ended' || res.headersSent || res.closed) throw new Unavailable();
    const first = event('hello', { changed: changed || this.#state === 'missed', own }, place);
    this.#state = 'open';
    ctx.state.untilEnd = new Promise<void>((resolve) => res.once('close', resolve)).then(onEnd);
    // Koa would pipe it.
    ctx.respond = false;
    ctx.status = 200;
    for (const name of ofPages) res.removeHeader(name);
    ctx.set(headers);
    res.removeHeader('Transfer-Encoding');
    // Thousands are open for hours: what has had its use goes.
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
