/** A closed loop of HTTP/1.1 keep-alive connections on bare sockets: the client must cost less than the server. */
import { connect } from 'node:net';

export interface Call {
  method: 'GET' | 'POST';
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface Reply {
  status: number;
  body: string;
}

/** Returns a connection's next call, given its last reply. */
export type Caller = (connection: number, last: Reply | undefined) => Call;

export interface Load {
  requests: number;
  seconds: number;
  /** Milliseconds of each answer. */
  times: number[];
  /** Replies by status. */
  statuses: Record<number, number>;
}

function bytesOf(port: number, { method, path, headers = {}, body }: Call): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  if (body !== undefined) lines.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`);
  return [`${method} ${path} HTTP/1.1`, `Host: localhost:${port}`, ...lines, '', body ?? ''].join('\r\n');
}

/** A whole reply at the start of `data`, or null while it is incomplete. */
function parseReply(data: Buffer): Reply | null {
  const end = data.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const head = data.toString('latin1', 0, end);
  const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
  const start = end + 4;
  if (data.length < start + length) return null;
  return { status: Number(head.slice(9, 12)), body: data.toString('utf8', start, start + length) };
}

export interface Pace {
  connections?: number;
  seconds?: number;
  /** Calls a second over all connections, unlimited if left out. With a rate, a call's time begins when it was due. */
  perSecond?: number;
}

/** Runs `connections` loops against a port on loopback for `seconds`. */
export async function load(port: number, next: Caller, { connections = 8, seconds = 2, perSecond }: Pace = {}): Promise<Load> {
  const started = performance.now();
  const until = started + seconds * 1000;
  const step = perSecond ? (connections / perSecond) * 1000 : 0;
  const times: number[] = [];
  const statuses: Record<number, number> = {};
  const loop = (connection: number) =>
    new Promise<void>((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true });
      let data: Buffer = Buffer.alloc(0);
      let sent = 0;
      let due = started + (step * connection) / connections;
      const send = (last?: Reply) => {
        sent = perSecond ? due : performance.now();
        if (sent >= until) return socket.end(() => resolve());
        due += step;
        const early = sent - performance.now();
        const write = () => socket.write(bytesOf(port, next(connection, last)));
        if (early > 1) setTimeout(write, early);
        else write();
      };
      socket.on('connect', () => send());
      socket.on('error', reject);
      socket.on('close', () => reject(new Error(`Port ${port} closed a connection.`)));
      socket.on('data', (chunk) => {
        data = data.length ? Buffer.concat([data, chunk]) : chunk;
        const reply = parseReply(data);
        if (!reply) return;
        data = Buffer.alloc(0);
        times.push(performance.now() - sent);
        statuses[reply.status] = (statuses[reply.status] ?? 0) + 1;
        send(reply);
      });
    });
  await Promise.all(Array.from({ length: connections }, (_, connection) => loop(connection)));
  return { requests: times.length, seconds: (performance.now() - started) / 1000, times, statuses };
}
