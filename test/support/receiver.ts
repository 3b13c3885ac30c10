/** A webhook receiver on a free loopback port, with several moods. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type ReceiverMood = 'takes' | 'hangs' | 'resets' | 'fails' | 'redirects' | 'goes on talking';

export interface Received {
  path: string;
  headers: Record<string, string>;
  body: string;
}

export interface Receiver {
  url: string;
  /** Called for each request. */
  mood: (received: Received) => ReceiverMood;
  /** All requests in order of arrival, whatever the answer. */
  received: Received[];
  /** Requests that got 200. */
  taken: Received[];
  /** The body of its answers. */
  says: string;
  close(): void;
}

export async function startReceiver(): Promise<Receiver> {
  const receiver: Receiver = { url: '', mood: () => 'takes', received: [], taken: [], says: 'thanks', close };
  const server: Server = createServer((request, response) => void answer(receiver, request, response));
  function close() {
    server.closeAllConnections();
    server.close();
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  return receiver;
}

async function answer(receiver: Receiver, request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.on('error', () => {});
  const pieces: Buffer[] = [];
  try {
    for await (const piece of request) pieces.push(piece);
  } catch {
    return;
  }
  const received: Received = {
    path: request.url!,
    headers: request.headers as Record<string, string>,
    body: Buffer.concat(pieces).toString('utf8'),
  };
  receiver.received.push(received);
  switch (receiver.mood(received)) {
    case 'takes':
      receiver.taken.push(received);
      return void response.end(receiver.says);
    case 'fails':
      return void response.writeHead(500).end('out of order');
    case 'redirects':
      return void response.writeHead(302, { location: `${receiver.url}/elsewhere` }).end();
    case 'resets':
      return void request.socket.destroy();
    case 'goes on talking':
      receiver.taken.push(received);
      response.writeHead(200);
      return talk(response);
    case 'hangs':
  }
}

function talk(response: ServerResponse): void {
  if (!response.destroyed) response.write('x'.repeat(64 * 1024), () => setImmediate(talk, response));
}
