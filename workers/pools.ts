/** Pools for graphile-worker and for cursors. */
import { EventEmitter } from 'node:events';
import pg, { type ClientConfig, type PoolClient, type PoolConfig } from 'pg';
import { Client, connectWithin, dbConfig, typeParsers } from '../src/database/connections.ts';
import type { Db } from '../src/database/db.ts';

export const IDLE_MS = 10_000;

type Listening = Pick<Db, 'subscribe'>;
type Connected = (error: Error | undefined, client?: PoolClient, release?: () => void) => void;

/** Waits for a connection when PostgreSQL has no free one. */
class Pool extends pg.Pool {
  readonly #listening: Listening | undefined;

  constructor(settings: PoolConfig, listening?: Listening) {
    super(settings);
    this.#listening = listening;
  }

  /** graphile-worker passes a callback when it wants a connection for LISTEN, one per lane. All lanes share `listening`. */
  // biome-ignore lint/suspicious/noExplicitAny: node-postgres' overloads
  override connect(callback?: any): any {
    if (!callback) return connectWithin(this.options.connectionTimeoutMillis ?? 0, () => super.connect());
    if (!this.#listening) return super.connect(callback);
    void listenForJobs(this.#listening, callback);
  }

  /** node-postgres' own `query` would call `connect` with a callback. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  override async query(...given: any[]): Promise<any> {
    const client = await this.connect();
    try {
      return await client.query(...given);
    } finally {
      client.release();
    }
  }
}

async function listenForJobs(listening: Listening, connected: Connected): Promise<void> {
  const client = Object.assign(new EventEmitter(), { query: async () => {} });
  // Like a pool's clients: without a listener, an `error` event would throw.
  client.on('error', () => {});
  const lost = () => void client.emit('error', new Error('The connection that listens was lost.'));
  const subscribe = (channel: string) =>
    listening.subscribe(channel, { notified: (payload) => void client.emit('notification', { channel, payload }), lost });
  try {
    const ends = await Promise.all(['jobs:insert', 'worker:migrate'].map(subscribe));
    connected(undefined, client as unknown as PoolClient, () => ends.forEach((end) => void end()));
  } catch (error) {
    connected(error instanceof Error ? error : new Error(String(error)));
  }
}

function open(databaseUrl: string, settings: PoolConfig & ClientConfig, listening?: Listening): pg.Pool {
  const pool = new Pool({ ...dbConfig(databaseUrl), connectionTimeoutMillis: 5_000, Client, ...settings }, listening);
  pool.on('error', () => {});
  // graphile-worker warns about a pool without this listener. `Client` handles its errors itself.
  pool.on('connect', () => {});
  return pool;
}

/** Pool for graphile-worker. It LISTENs over `listening`, or else on its own connections. */
export function queuePool(databaseUrl: string, size: number, listening?: Listening): pg.Pool {
  const settings = {
    max: size,
    query_timeout: 10_000,
    keepAliveInitialDelayMillis: 10_000,
    options: '-c timezone=UTC -c lock_timeout=5s',
  };
  return open(databaseUrl, settings, listening);
}

/** Pool for cursors. The statement timeout is long enough for a large workspace. */
export function streamPool(databaseUrl: string, size: number): pg.Pool {
  return open(databaseUrl, {
    max: size,
    query_timeout: 60_000,
    idleTimeoutMillis: IDLE_MS,
    // A computation waits this long for a connection.
    connectionTimeoutMillis: 60_000,
    options: '-c timezone=UTC -c lock_timeout=5s -c statement_timeout=60s -c idle_in_transaction_session_timeout=60s',
    types: typeParsers(new Map([[20, Number]])),
  });
}
