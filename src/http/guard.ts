/** What no honest client does to its connection, and what a few dishonest ones could fill the memory with. */
import type { RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests on one connection that have not been answered (behaviour §13.5): browsers and libraries send the next one after the answer. */
const MOST_AT_ONCE = 8;
const MOST_UNSENT_BYTES = 24 * 1024 * 1024;
const LOOK_EVERY_MS = 500;

/** Hands a server's requests to `handle`, and ends connections that ask for more and more without waiting or without reading. What it
 *  returns ends the others: those that are idle now, and each behind the answer in flight. Kept alive they would hold up the server's end. */
export function guarded(server: Server, handle: RequestListener): () => void {
  let leaving = false;
  const open = new Set<ServerResponse>();
  const atOnce = new WeakMap<Socket, number>();
  server.on('request', (request, response) => {
    const { socket } = request;
    // Requests sent in one breath arrive here in one turn, also behind the one that ended the connection.
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
    // After the turn: of a burst that goes too far none is begun.
    queueMicrotask(() => socket.destroyed || handle(request, response));
  });
  setInterval(() => endStalled(open), LOOK_EVERY_MS).unref();
  return () => {
    leaving = true;
    server.closeIdleConnections();
  };
}

/** Node makes an error for each request that a closing connection leaves behind. Their stacks would take longer than all else about a
 *  burst. */
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

/** What had left for the client when it was looked at last. */
const left = new WeakMap<Socket, number>();

/** Answers that nobody takes lie in memory: beyond a bound the longest of those that have not moved since the last look are given up. */
function endStalled(open: Set<ServerResponse>): void {
  const waiting = [...open].flatMap((response) => {
    const { headersSent, writableFinished, writableLength, socket } = response;
    if (!headersSent || writableFinished || !socket) return [];
    // An answer of which a slice is left is there whole until it is sent.
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
