/** A TCP proxy in front of PostgreSQL that can misbehave: swallow, reset, delay, or drop what comes back. */
import { connect, createServer, type Socket } from 'node:net';

export interface Proxy {
  /** The database's URL, through the proxy. */
  url: string;
  /** Nothing passes any more, in either direction; connections stay open. */
  blackhole(): void;
  /** Everything passes again; what was swallowed is lost, its connections are reset. */
  heal(): void;
  /** Resets every connection; new ones are served. */
  reset(): void;
  /** Refuses new connections and resets the old ones until healed. */
  refuse(): void;
  delay(ms: number): void;
  /** The next `count` acknowledgements of a COMMIT are lost with their connection. */
  dropCommits(count: number): void;
  close(): void;
}

interface Pair {
  down: Socket;
  up: Socket;
  swallowed: boolean;
}

const COMMITTED = Buffer.from('COMMIT\0');

export async function startProxy(databaseUrl: string): Promise<Proxy> {
  const target = new URL(databaseUrl);
  const pairs = new Set<Pair>();
  let mode: 'pass' | 'blackhole' | 'refuse' = 'pass';
  let delayMs = 0;
  let commitsToDrop = 0;

  const end = (pair: Pair) => {
    pairs.delete(pair);
    pair.down.resetAndDestroy();
    pair.up.resetAndDestroy();
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
    if (delayMs) setTimeout(() => to.writable && to.write(chunk), delayMs);
    else to.write(chunk);
  };
  const server = createServer((down) => {
    if (mode === 'refuse') return void down.resetAndDestroy();
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
    close() {
      resetAll();
      server.close();
    },
  };
}
