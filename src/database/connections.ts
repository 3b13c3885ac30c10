/** The connections of a process: one pool by node-postgres, out of which single statements and slonik's transactions take theirs. */
import pg, { type ClientConfig } from 'pg';
import { BackendTerminatedError, UniqueIntegrityConstraintViolationError } from 'slonik';
import { dbConfig } from './connection.ts';

const QUERY_TIMEOUT_MS = 10_000;
const LOCK_TIMEOUT_MS = 5_000;
const CONNECT_TIMEOUT_MS = 5_000;

function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`${text} is beyond 2^53-1`);
  return value;
}

// By type OID, which PostgreSQL never changes for its own types.
const parsers = new Map<number, (text: string) => unknown>([
  [20, safeInteger], // int8
  [1016, (text) => (text === '{}' ? [] : text.slice(1, -1).split(',').map(safeInteger))], // int8[]
  [1184, (text) => new Date(text).toISOString()], // timestamptz
  [1082, (text) => text], // date
]);

const types: ClientConfig['types'] = {
  // biome-ignore lint/suspicious/noExplicitAny: node-postgres' overloads
  getTypeParser: ((oid: number, format: any) => parsers.get(oid) ?? pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

/** Waiting for a connection has no limit but the request's; only making one has. */
class Client extends pg.Client {
  constructor(config?: ClientConfig) {
    super({ ...config, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  }
}

/** One plan for all arguments: our statements are written so that it is a good one (the tests of plans hold it to that), while PostgreSQL
 *  left alone plans many of them anew each time, for several times what they cost to run. */
export function connections(databaseUrl: string, most: number): pg.Pool {
  const pool = new pg.Pool({
    ...dbConfig(databaseUrl),
    options: `-c lock_timeout=${LOCK_TIMEOUT_MS} -c timezone=UTC -c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c jit=off`,
    query_timeout: QUERY_TIMEOUT_MS,
    statement_timeout: QUERY_TIMEOUT_MS,
    idle_in_transaction_session_timeout: 15_000,
    max: most,
    idleTimeoutMillis: 60_000,
    maxLifetimeSeconds: 1_800,
    types,
    Client,
  } as pg.PoolConfig);
  // Whoever uses a connection that is lost is told by their statement; one that nobody uses is not missed.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** Refused for its data (22, 23, and our own), or for what others do at the same time (40, a lock): the session is as it was, and a new one
 *  would cost ten times the statement. After anything else the next statement gets another. */
export function leavesSession(error: unknown): boolean {
  const { code = '', severity } = error as { code?: string; severity?: string };
  return severity === 'ERROR' && /^(?:22|23|40|55P03|ST)/.test(code);
}

/** A failure in slonik's terms. A connection whose query got no answer in time is given up, for the next query would only queue behind it. */
export function asSlonikError(error: Error & { code?: string }, client: object): Error {
  if (error.message === 'Query read timeout') {
    // biome-ignore lint/suspicious/noExplicitAny: the socket is not in the types
    (client as any).connection.stream.destroy();
    return new BackendTerminatedError(error);
  }
  if (error.code === '57P01' || /connection terminated|not queryable|ECONNRESET|EPIPE/i.test(error.message))
    return new BackendTerminatedError(error);
  return error.code === '23505' ? new UniqueIntegrityConstraintViolationError(error as never) : error;
}
