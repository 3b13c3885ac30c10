/** A TCP proxy in front of PostgreSQL that can fail: swallow, reset, delay, or drop answers. */
import { EventEmitter, once } from 'node:events';
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
  /** Resolves at the next connection, also a refused one. */
  connected(): Promise<void>;
  delay(ms: number): void;
  /** Holds all data from now on, until `heal` or the next `hold`. Resolves once it holds some. */
  hold(): Promise<void>;
  /** Loses the next `count` acknowledgements of a COMMIT with their connection. */
  dropCommits(count: number): void;
  /** Loses the next `count` answers outside of a transaction with their connection: acknowledgements of single statements. Resolves once the
   *  last is lost. */
  dropAnswers(count: number): Promise<void>;
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
  let holding: { some: PromiseWithResolvers<void>; over: PromiseWithResolvers<void> } | undefined;
  const events = new EventEmitter();
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
      if (--answersToDrop === 0) events.emit('dropped');
      return end(pair);
    }
    if (delayMs || holding || underWay.has(to)) late(to, chunk);
    else to.write(chunk);
  };
  const late = (to: Socket, chunk: Buffer) => {
    holding?.some.resolve();
    const sent = Promise.all([underWay.get(to), holding?.over.promise, delayMs && sleep(delayMs)]).then(() => {
      if (to.writable) to.write(chunk);
      if (underWay.get(to) === sent) underWay.delete(to);
    });
    underWay.set(to, sent);
  };
  const server = createServer((down) => {
    events.emit('connection');
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
  const release = () => {
    holding?.over.resolve();
    holding = undefined;
  };
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
      release();
      for (const pair of [...pairs]) if (pair.swallowed) end(pair);
    },
    reset: resetAll,
    connected: async () => void (await once(events, 'connection')),
    refuse() {
      mode = 'refuse';
      resetAll();
    },
    delay: (ms) => {
      delayMs = ms;
    },
    hold() {
      release();
      holding = { some: Promise.withResolvers(), over: Promise.withResolvers() };
      return holding.some.promise;
    },
    dropCommits: (count) => {
      commitsToDrop = count;
    },
    async dropAnswers(count) {
      answersToDrop = count;
      if (count > 0) await once(events, 'dropped');
    },
    retarget: (databaseUrl) => {
      target = new URL(databaseUrl);
    },
    close() {
      release();
      resetAll();
      server.close();
    },
  };
}
