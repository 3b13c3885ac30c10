/** The slonik pool: bigint as safe integer, instants as ISO text, every row validated, every statement prepared, and no wait without end. */
import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { CommonQueryMethods, DatabasePool, Interceptor } from 'slonik';
import { createPool, SchemaValidationError } from 'slonik';
import type { z } from 'zod';
import { AppError, Unavailable } from '../values/errors.ts';
import { dbConfig } from './connection.ts';
import { pgDriver } from './driver.ts';
import { Listener, type Listens } from './listen.ts';
import { sql } from './sql.ts';

/** What an operation's statements run on: the pool itself or one transaction. */
export type Tx = CommonQueryMethods;

/** A piece of a statement. */
export type Fragment = ReturnType<typeof sql.fragment>;

/** A fragment of fixed text, for lists of columns made from a table in code. Never from anything a caller sent. */
export function fixedSql(text: string): Fragment {
  return sql.fragment(Object.assign([text], { raw: Object.freeze([text]) }) as unknown as TemplateStringsArray);
}

/** SQL text: words of our own as a list of literals, `'a', 'b'`. */
export const literals = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(', ');

/** SQL text: a timestamptz as JSON shows it, `2026-03-02T09:00:00.000Z`. `column` is text of our own, as in fixedSql. */
export const instantText = (column: string): string => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

export interface Db extends Listens {
  /** Throws Unavailable until the first connection has been made. */
  pool(): Tx;
  transaction<T>(body: (tx: Tx) => Promise<T>): Promise<T>;
  /** Connections in use, and how many wait for one. */
  load(): { inUse: number; waiting: number };
  close(): Promise<void>;
}

const QUERY_TIMEOUT_MS = 10_000;
const LOCK_TIMEOUT_MS = 5_000;
const MAX_PREPARED = 1_000;

export interface DbSettings {
  /** Where LISTEN goes: past a pooler. */
  directUrl?: string;
  preparedStatements?: boolean;
}

/** Opens the pool. It connects when it is first used, so that a process that starts while the database is away stays up:
 *  its operations fail with Unavailable until the database answers. */
export function openDb(databaseUrl: string, poolSize: number, { directUrl = databaseUrl, preparedStatements = true }: DbSettings = {}): Db {
  let pool: DatabasePool | undefined;
  const opening = connect(databaseUrl, poolSize, preparedStatements).then((opened) => {
    pool = opened;
  });
  const listener = new Listener(directUrl);
  const current = () => {
    if (!pool) throw new Unavailable();
    return pool;
  };
  return {
    pool: current,
    transaction: (body) => transaction(current(), body),
    load() {
      const { acquiredConnections: inUse = 0, waitingClients: waiting = 0 } = pool?.state() ?? {};
      return { inUse, waiting };
    },
    listen: (channel, payload) => listener.listen(channel, payload),
    async close() {
      await opening;
      await Promise.all([listener.close(), pool?.end()]);
    },
  };
}

/** A refusal rolls back, and that is all: slonik throws the connection of whatever failed away, and a new one takes ten times as long. */
async function transaction<T>(pool: DatabasePool, body: (tx: Tx) => Promise<T>): Promise<T> {
  const outcome = await pool.connect(async (connection): Promise<{ value: T } | { refusal: AppError }> => {
    try {
      return { value: await connection.transaction(body) };
    } catch (error) {
      if (error instanceof AppError) return { refusal: error };
      throw error;
    }
  });
  if ('refusal' in outcome) throw outcome.refusal;
  return outcome.value;
}

/** The same, checked: rejects when the database can't be reached. For commands and tests. */
export async function connectDb(databaseUrl: string, poolSize = 4, settings: DbSettings = {}): Promise<Db> {
  const db = openDb(databaseUrl, poolSize, settings);
  await setImmediate();
  await db.pool().query(sql.unsafe`select 1`);
  return db;
}

/** One plan for all arguments: our statements are written so that it is a good one (the tests of plans hold it to that), while PostgreSQL
 *  left alone plans many of them anew each time, for several times what they cost to run. */
async function connect(databaseUrl: string, poolSize: number, preparedStatements: boolean): Promise<DatabasePool> {
  return await createPool(databaseUrl, {
    driverFactory: pgDriver({
      ...dbConfig(databaseUrl),
      options: `-c lock_timeout=${LOCK_TIMEOUT_MS} -c timezone=UTC -c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c jit=off`,
      connectionTimeoutMillis: 5_000,
      query_timeout: QUERY_TIMEOUT_MS,
      statement_timeout: QUERY_TIMEOUT_MS,
      idle_in_transaction_session_timeout: 15_000,
    }),
    maxPoolSize: poolSize,
    minPoolSize: 0,
    connectionRetryLimit: 0,
    gracefulTerminationTimeout: 1_000,
    idleTimeout: 60_000,
    captureStackTrace: false,
    interceptors: preparedStatements ? [prepareStatements(), validateRows] : [validateRows],
    // Nothing here changes a connection's state, and the default (discard all) would drop the prepared statements.
    resetConnection: async () => {},
  });
}

/** Names each distinct text, so that PostgreSQL plans it once per connection. Past the bound a statement stays unnamed. The name says
 *  the text: behind a pooler that shares a session among processes, one counted up could stand for another process's statement. */
function prepareStatements(): Interceptor {
  const names = new Map<string, string>();
  return {
    name: 'prepare-statements',
    transformQuery: (_context, query) => {
      let name = names.get(query.sql);
      if (name === undefined && names.size < MAX_PREPARED) {
        name = hash('sha256', query.sql, 'base64url').slice(0, 22);
        names.set(query.sql, name);
      }
      return name === undefined ? query : { ...query, name };
    },
  };
}

const validateRows: Interceptor = {
  name: 'validate-rows',
  transformRow: ({ resultParser }, query, row) => {
    if (!resultParser) return row;
    const parsed = (resultParser as unknown as z.ZodType).safeParse(row);
    if (!parsed.success) {
      throw new SchemaValidationError(query, row, parsed.error.issues as never);
    }
    return parsed.data as typeof row;
  },
};
