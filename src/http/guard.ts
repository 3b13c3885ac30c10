import type { RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Unanswered requests on one connection (behaviour §13.5). Browsers and libraries wait for an answer before the next request. */
const MOST_AT_ONCE = 8;
const MOST_UNSENT_BYTES = 24 * 1024 * 1024;
const LOOK_EVERY_MS = 500;

/** Closes connections that send too many requests or do not read. Returns a function that ends the others after their answer. */
export function guarded(server: Server, handle: RequestListener): () => void {
  let leaving = false;
  const open = new Set<ServerResponse>();
  const atOnce = new WeakMap<Socket, number>();
  server.on('request', (request, response) => {
    const { socket } = request;
    // Requests in one packet arrive in the same turn, even after the connection was closed.
    if (socket.destroyed) return;
    const count = (atOnce.get(socket) ?? 0) + 1;
    if (count > MOST_AT_ONCE) return endBurst(socket);
    atOnce.set(socket, count);
    open.add(response);
    response.on('close', () => {
      open.delete(response);
      atOnce.set(socket, atOnce.get(socket)! - 1);
      if (leaving) setImmediate(() => server.closeIdleConnections());
    });
    // Waits for the rest of the turn, so that no request of a burst starts.
    queueMicrotask(() => socket.destroyed || handle(request, response));
  });
  setInterval(() => endStalled(open), LOOK_EVERY_MS).unref();
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

const left = new WeakMap<Socket, number>();

/** Above MOST_UNSENT_BYTES, closes connections without progress since the last check, largest answer first. */
function endStalled(open: Set<ServerResponse>): void {
  const waiting = [...open].flatMap((response) => {
    const { headersSent, writableFinished, writableLength, socket } = response;
    if (!headersSent || writableFinished || !socket) return [];
    // An answer counts in full until its last slice is sent.
    return [{ socket, bytes: Math.max(writableLength, Number(response.getHeader('content-length') ?? 0)) }];
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
