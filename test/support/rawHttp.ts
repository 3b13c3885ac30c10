/** Raw HTTP, for what fetch refuses to send: repeated headers, broken encodings, truncated bodies. */
import { connect, type Socket } from 'node:net';
import type { Answered } from './checkedFetch.ts';

export interface RawRequest {
  method?: string;
  /** Path and query as in the request line. */
  target: string;
  /** The Host header. Pages and sessions accept only our own. */
  host?: string;
  headers?: readonly (readonly [name: string, value: string])[];
  body?: string | Buffer;
  /** Omits Content-Length if null, or sends a wrong one. */
  length?: number | null;
}

/** The bytes of a request that closes its connection, with its body. */
export function rawBytes({ method = 'GET', target, host = 'localhost', headers = [], body, length }: RawRequest): Buffer {
  const content = body === undefined ? Buffer.alloc(0) : Buffer.from(body);
  const size = length === undefined ? (body === undefined ? null : content.length) : length;
  const lines = [
    `${method} ${target} HTTP/1.1`,
    `Host: ${host}`,
    'Connection: close',
    ...(size === null ? [] : [`Content-Length: ${size}`]),
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), content]);
}

export function openSocket(port: number): Socket {
  return connect({ port, host: '127.0.0.1', noDelay: true });
}

/** Everything until the server closes. */
export function readToEnd(socket: Socket, limitMs = 20_000): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const done = () => resolve(Buffer.concat(chunks).toString());
    socket.setTimeout(limitMs, () => socket.destroy(new Error(`no end of the answer within ${limitMs} ms`)));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('close', done);
    // A server that has answered may reset the rest of the request.
    socket.on('error', (error) => (chunks.length > 0 ? done() : reject(error)));
  });
}

/** The last answer that a server sent. Interim ones such as 100 are omitted. */
export function parseAnswer(text: string): Answered {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]);
  if (status < 200) return parseAnswer(rest.join('\r\n\r\n'));
  const headers = new Headers();
  for (const line of head.split('\r\n').slice(1))
    headers.append(line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim());
  return { status, headers, text: rest.join('\r\n\r\n') };
}

export async function exchange(port: number, bytes: Buffer): Promise<Answered> {
  const socket = openSocket(port);
  const answer = readToEnd(socket);
  socket.write(bytes);
  return parseAnswer(await answer);
}
