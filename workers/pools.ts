/** Plain node-postgres pools: graphile-worker wants one, and cursors can't run through slonik. */
import pg, { type ClientConfig, type PoolConfig } from 'pg';
import { dbConfig } from '../src/database/connection.ts';

/** A client that gives its connection up when the database does not answer: the next query would only queue behind the lost one. */
class ImpatientClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: node-postgres' overloads
  override query(...given: any[]): any {
    // biome-ignore lint/suspicious/noExplicitAny: as above
    const answer = (super.query as any)(...given);
    if (answer instanceof Promise) answer.catch((error: Error) => this.#giveUpAfter(error));
    return answer;
  }

  #giveUpAfter(error: Error): void {
    // biome-ignore lint/suspicious/noExplicitAny: the socket is not in the types
    if (error.message === 'Query read timeout') (this as any).connection.stream.destroy();
  }
}

function open(databaseUrl: string, settings: PoolConfig & ClientConfig): pg.Pool {
  const pool = new pg.Pool({ ...dbConfig(databaseUrl), connectionTimeoutMillis: 5_000, ...settings });
  // A connection that breaks must not end the process; its next query fails by itself.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** For graphile-worker: fetching, finishing, and one LISTEN per lane. */
export function queuePool(databaseUrl: string, size: number): pg.Pool {
  return open(databaseUrl, {
    max: size,
    Client: ImpatientClient,
    query_timeout: 10_000,
    keepAliveInitialDelayMillis: 10_000,
    options: '-c timezone=UTC -c lock_timeout=5s',
  });
}

const parsers = new Map<number, (text: string) => unknown>([[20, Number]]);

/** For cursors, each statement with time enough for a large workspace. */
export function streamPool(databaseUrl: string, size: number): pg.Pool {
  return open(databaseUrl, {
    max: size,
    query_timeout: 60_000,
    idleTimeoutMillis: 30_000,
    // A computation that can't get a connection yet waits its turn.
    connectionTimeoutMillis: 60_000,
    options: '-c timezone=UTC -c lock_timeout=5s -c statement_timeout=60s -c idle_in_transaction_session_timeout=60s',
    // biome-ignore lint/suspicious/noExplicitAny: node-postgres' overloads
    types: { getTypeParser: ((oid: number, format: any) => parsers.get(oid) ?? pg.types.getTypeParser(oid, format)) as any },
  });
}
