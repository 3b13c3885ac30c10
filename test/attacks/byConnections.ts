/** Attacks by connections: slow, silent, never reading, guessing credentials. */
import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { type Attack, loops, type Tally, type Target } from './attack.ts';
import { BASE, callTool, restHeaders, send, signIn } from './requests.ts';

/** A socket until it or the attack ends. */
function opened({ port }: Target, signal: AbortSignal, tally: Tally): { socket: Socket; closed: Promise<void> } {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.on('error', () => {});
  const end = () => socket.destroy();
  signal.addEventListener('abort', end, { once: true });
  const closed = new Promise<void>((resolve) => {
    socket.on('close', () => {
      if (!signal.aborted) tally.add('closed');
      signal.removeEventListener('abort', end);
      resolve();
    });
  });
  return { socket, closed };
}

/** Sends `opening`, then a byte now and then, and ends when it is closed. */
async function drip(target: Target, signal: AbortSignal, tally: Tally, opening: string, drop: string): Promise<void> {
  const { socket, closed } = opened(target, signal, tally);
  socket.on('data', (data) => tally.add(data.toString('latin1').slice(9, 12)));
  socket.write(opening);
  const timer = setInterval(() => socket.write(drop), 1_000);
  await closed;
  clearInterval(timer);
}

const head = (line: string, headers: Record<string, string | number>) =>
  [`${line} HTTP/1.1`, 'Host: localhost', ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`), ''].join('\r\n');

/** Requests long answers, several on each connection, and never reads one. */
async function stall(target: Target, signal: AbortSignal, tally: Tally): Promise<void> {
  const { socket, closed } = opened(target, signal, tally);
  const path = `${BASE}/api/v1/items?workspaceId=${target.workspaceId}&limit=100`;
  socket.write(`${head(`GET ${path}`, { 'X-API-Key': target.restKey })}\r\n`.repeat(2));
  socket.pause();
  await closed;
}

export const byConnections: Record<string, Attack> = {
  slowHeaders: {
    ...{ title: '300 connections that send a header at one byte a second', seconds: 20 },
    run: (target, signal, tally) =>
      loops(300, signal, () => drip(target, signal, tally, `${head(`GET ${BASE}/api/v1/workspaces`, {})}X-Slow: `, 'a')),
  },
  slowBodies: {
    ...{ title: '300 connections that send a body at one byte a second', seconds: 20 },
    run: (target, signal, tally) => {
      const opening = `${head(`POST ${BASE}/api/v1/comments`, { ...restHeaders(target), 'Content-Length': 100_000 })}\r\n{`;
      return loops(300, signal, () => drip(target, signal, tally, opening, ' '));
    },
  },
  slowReaders: {
    ...{ title: '60 connections that request 2 × 5 MB and never read', seconds: 15 },
    run: (target, signal, tally) => loops(60, signal, () => stall(target, signal, tally)),
  },
  idle: {
    ...{ title: '500 silent connections, 500 kept alive', seconds: 8 },
    run: (target, signal, tally) => {
      const opening = `${head(`GET ${BASE}/healthz`, {})}\r\n`;
      return loops(1_000, signal, (n) => drip(target, signal, tally, n % 2 ? opening : '', ''));
    },
  },
  signIns: {
    ...{ title: '200 concurrent sign-ins, repeatedly', seconds: 10 },
    run: (target, signal, tally) =>
      loops(200, signal, (n) => send(target, { ...signIn, body: `email=unknown${n}%40x.example&password=${randomUUID()}` }, tally)),
  },
  wrongKeys: {
    ...{ title: '16 connections that guess keys', seconds: 8 },
    run: (target, signal, tally) =>
      loops(16, signal, (n) =>
        n % 2
          ? send(target, { method: 'GET', path: '/api/v1/workspaces', headers: { 'X-API-Key': `stint_rest_${randomUUID()}` } }, tally)
          : send(target, callTool({ ...target, agentKey: `stint_agent_${randomUUID()}` }, 'svc_context', {}), tally),
      ),
  },
};
