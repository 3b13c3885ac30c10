/** A TCP proxy in front of PostgreSQL that can fail: swallow, reset, delay, or drop answers. */
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Proxy {
  /** The database's URL, through the proxy. */
  url: string;
  /** Swallows everything in both directions. Connections stay open. */
  blackhole(): void;
  /** Forwards again. Data that was dropped is lost, and its connections are reset. */
  heal(): void;
  /** Resets every connection. New ones work. */
  reset(): void;
  /** Refuses new connections and resets the old ones until healed. */
  refuse(): void;
  delay(ms: number): void;
  /** Loses the next `count` acknowledgements of a COMMIT with their connection. */
  dropCommits(count: number): void;
  /** Loses the next `count` answers outside of a transaction with their connection: acknowledgements of single statements. */
  dropAnswers(count: number): void;
  /** New connections go to this restarted PostgreSQL. */
  retarget(databaseUrl: string): void;
  close(): void;
}

interface Pair {
  down: Socket;
  up: Socket;
  swallowed: boolean;
}

const COMMITTED = Buffer.from('COMMIT\0');
/** ReadyForQuery, and no transaction is open. */
const READY = Buffer.from('Z\0\0\0\x05I', 'latin1');

/** Resets the connection. An ending one can't be reset, and Node loses such a socket: its process spins at the end. */
function cut(socket: Socket): void {
  if (socket.writableEnded) socket.destroy();
  else socket.resetAndDestroy();
}

export async function startProxy(databaseUrl: string): Promise<Proxy> {
  let target = new URL(databaseUrl);
  const pairs = new Set<Pair>();
  let mode: 'pass' | 'blackhole' | 'refuse' = 'pass';
  let delayMs = 0;
  let commitsToDrop = 0;
  let answersToDrop = 0;
  /** Chunks under way, which later ones must not overtake. */
  const underWay = new Map<Socket, Promise<void>>();

  const end = (pair: Pair) => {
    pairs.delete(pair);
    cut(pair.down);
    cut(pair.up);
  };
  const pass = (pair: Pair, to: Socket, chunk: Buffer) => {
    if (mode === 'blackhole') {
      pair.swallowed = true;
      return;
    }
    if (to === pair.down && commitsToDrop > 0 && chunk.includes(COMMITTED)) {
      commitsToDrop--;
      return end(pair);
    }
    if (to === pair.down && answersToDrop > 0 && chunk.includes(READY)) {
      answersToDrop--;
      return end(pair);
    }
    if (delayMs || underWay.has(to)) late(to, chunk);
    else to.write(chunk);
  };
  const late = (to: Socket, chunk: Buffer) => {
    const sent = Promise.all([underWay.get(to), sleep(delayMs)]).then(() => {
      if (to.writable) to.write(chunk);
      if (underWay.get(to) === sent) underWay.delete(to);
    });
    underWay.set(to, sent);
  };
  const server = createServer((down) => {
    if (mode === 'refuse') return cut(down);
    const up = connect(Number(target.port || 5432), target.hostname.replace(/^\[|\]$/g, ''));
    const pair: Pair = { down, up, swallowed: false };
    pairs.add(pair);
    for (const [from, to] of [
      [down, up],
      [up, down],
    ] as const) {
      from.setNoDelay(true);
      from.on('data', (chunk: Buffer) => pass(pair, to, chunk));
      from.on('error', () => end(pair));
      from.on('close', () => end(pair));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as { port: number }).port);
  const resetAll = () => {
    for (const pair of [...pairs]) end(pair);
  };
  return {
    url: url.href,
    blackhole: () => {
      mode = 'blackhole';
    },
    heal() {
      mode = 'pass';
      delayMs = 0;
      for (const pair of [...pairs]) if (pair.swallowed) end(pair);
    },
    reset: resetAll,
    refuse() {
      mode = 'refuse';
      resetAll();
    },
    delay: (ms) => {
      delayMs = ms;
    },
    dropCommits: (count) => {
      commitsToDrop = count;
    },
    dropAnswers: (count) => {
      answersToDrop = count;
    },
    retarget: (databaseUrl) => {
      target = new URL(databaseUrl);
    },
    close() {
      resetAll();
      server.close();
    },
  };
}
