import type { RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Context } from 'koa';
import type { Config } from '../config.ts';
import { Unavailable } from '../values/errors.ts';
import { loopback } from '../values/hosts.ts';
import { isUpload } from './upload.ts';

/** Unanswered requests on one connection (behaviour §13.5). Browsers and libraries wait for an answer before the next request. */
const MOST_AT_ONCE = 8;
const MOST_UNSENT_BYTES = 24 * 1024 * 1024;
const LOOK_EVERY_MS = 500;
/** To receive a whole request. Uploads have their own limits (upload.ts). */
const RECEIVED_WITHIN_MS = 30_000;

/** Closes connections that send too many requests or do not read. Returns a function for
 *  shutdown: it closes idle connections, and the others after their response. */
export function guarded(server: Server, handle: RequestListener): () => void {
  let leaving = false;
  const open = new Map<ServerResponse, number>();
  const inProgress = new WeakMap<Socket, number>();
  server.on('request', (request, response) => {
    const { socket } = request;
    // Requests in one packet arrive in the same turn, even after the connection was closed.
    if (socket.destroyed) return;
    const count = (inProgress.get(socket) ?? 0) + 1;
    if (count > MOST_AT_ONCE) return endBurst(socket);
    inProgress.set(socket, count);
    open.set(response, performance.now());
    response.on('close', () => {
      open.delete(response);
      inProgress.set(socket, (inProgress.get(socket) ?? 1) - 1);
      if (leaving) setImmediate(() => server.closeIdleConnections());
    });
    // Waits for the rest of the turn, so that no request of a burst starts.
    queueMicrotask(() => socket.destroyed || handle(request, response));
  });
  setInterval(() => {
    endStalled([...open.keys()]);
    endUnreceived(open);
  }, LOOK_EVERY_MS).unref();
  return () => {
    leaving = true;
    server.closeIdleConnections();
  };
}

/** Node creates an error for each pending request of a closed connection. Their stack traces would cost more than the burst. */
function endBurst(socket: Socket): void {
  const { stackTraceLimit } = Error;
  socket.prependOnceListener('close', () => {
    Error.stackTraceLimit = 0;
  });
  socket.once('close', () => {
    Error.stackTraceLimit = stackTraceLimit;
  });
  socket.destroy();
}

const inPieces = new WeakSet<ServerResponse>();

/** For bodies that are read while they are sent: their length is not in memory. */
export const sentInPieces = (response: ServerResponse): void => void inPieces.add(response);

function endUnreceived(open: ReadonlyMap<ServerResponse, number>): void {
  for (const [{ req }, since] of open)
    if (!req.complete && !isUpload(req) && performance.now() - since > RECEIVED_WITHIN_MS) req.socket.destroy();
}

const left = new WeakMap<Socket, number>();

/** Above MOST_UNSENT_BYTES, closes connections without progress since the last check, largest answer first. */
function endStalled(open: ServerResponse[]): void {
  const waiting = open.flatMap((response) => {
    const { headersSent, writableFinished, writableLength, socket } = response;
    if (!headersSent || writableFinished || !socket) return [];
    // An answer in memory counts in full until its last slice is sent.
    const whole = inPieces.has(response) ? 0 : Number(response.getHeader('content-length') ?? 0);
    return [{ socket, bytes: Math.max(writableLength, whole) }];
  });
  let unsent = waiting.reduce((sum, { bytes }) => sum + bytes, 0);
  const leftNow = (socket: Socket) => socket.bytesWritten - socket.writableLength;
  const stalled = waiting.filter(({ socket }) => left.get(socket) === leftNow(socket));
  for (const { socket } of waiting) left.set(socket, leftNow(socket));
  for (const { socket, bytes } of stalled.sort((a, b) => b.bytes - a.bytes)) {
    if (unsent <= MOST_UNSENT_BYTES) return;
    unsent -= bytes;
    socket.destroy();
  }
}

/** Prevents DNS rebinding (behaviour §1.6, §1.19): only the Host header reveals a foreign name. A page can set X-Forwarded-Host. */
const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];

/** True for the origin of the public address. If that is loopback, also for other loopback names, with its port or the port listened on. */
export function isOwnOrigin(own: string, ctx: Context, origin: string): boolean {
  if (origin === own) return true;
  const { protocol, hostname, port } = new URL(own);
  if (!loopback.has(hostname)) return false;
  const ports = [port, ctx.req.socket.localPort ?? port];
  return ports.some((one) => loopbackNames.some((name) => origin === new URL(`${protocol}//${name}:${one}`).origin));
}

export function hasOwnHost(own: string, ctx: Context): boolean {
  const { host = '' } = ctx.req.headers;
  const claimed = `${new URL(own).protocol}//${host}`;
  return /^[\w.:[\]-]+$/.test(host) && URL.canParse(claimed) && isOwnOrigin(own, ctx, new URL(claimed).origin);
}

export const misdirected = ({ baseUrl }: Config) => `This is not the address of this service. Go to ${baseUrl}`;

/** Only the last value counts, because the router adds it. The caller can set those before. */
export function cameAsPlainHttp({ https, trustProxy }: Config, ctx: Context): boolean {
  return https && trustProxy > 0 && ctx.get('X-Forwarded-Proto').split(',').at(-1)?.trim().toLowerCase() !== 'https';
}

export const useHttps = 'Use https. If this request had a password or key, change the password or rotate the key.';

/** The time limit of a request. After it the answer is 503, whatever is still running (behaviour §13.1). */
export class Deadline {
  #endsAt: number;
  #timer: NodeJS.Timeout | undefined;
  #expire: (error: Unavailable) => void = () => {};
  /** Number of running `apart` calls, and since when the clock is stopped. */
  #apart = 0;
  #stoppedAt = 0;

  constructor(ms: number) {
    this.#endsAt = performance.now() + ms;
  }

  /** Stops the clock while `work` runs. It must have its own time limit. */
  async apart<T>(work: Promise<T>): Promise<T> {
    if (this.#apart++ === 0) this.#stoppedAt = performance.now();
    this.#arm();
    try {
      return await work;
    } finally {
      if (--this.#apart === 0) this.#endsAt += performance.now() - this.#stoppedAt;
      this.#arm();
    }
  }

  /** Throws Unavailable if the time ends before the work. */
  async race(work: Promise<unknown>): Promise<void> {
    this.#arm();
    try {
      await new Promise((resolve, reject) => {
        this.#expire = reject;
        work.then(resolve, reject);
      });
    } finally {
      clearTimeout(this.#timer);
    }
  }

  #arm() {
    clearTimeout(this.#timer);
    if (this.#apart === 0) this.#timer = setTimeout(() => this.#expire(new Unavailable()), this.#endsAt - performance.now());
  }
}

/** Waits for `work` without using up the request's time. */
export const apart = <T>(ctx: Context, work: Promise<T>): Promise<T> => ctx.state.deadline?.apart(work) ?? work;
