/** The slonik pool: bigint as safe integer, instants as ISO text, every row validated, every statement prepared, and no wait without end. */
import pg from 'pg';
import type { CommonQueryMethods, DatabasePool, DriverTypeParser, Interceptor } from 'slonik';
import { createPool, SchemaValidationError, sql } from 'slonik';
import type { z } from 'zod';
import { dbConfig } from './config.ts';
import { Unavailable } from './errors.ts';

/** What an operation's statements run on: the pool itself or one transaction. */
export type Tx = CommonQueryMethods;

/** A piece of a statement. */
export type Fragment = ReturnType<typeof sql.fragment>;

/** A fragment of fixed text, for lists of columns made from a table in code. Never from anything a caller sent. */
export function fixedSql(text: string): Fragment {
  return sql.fragment(Object.assign([text], { raw: Object.freeze([text]) }) as unknown as TemplateStringsArray);
}

export interface Db {
  /** Throws Unavailable until the first connection has been made. */
  pool(): Tx;
  transaction<T>(body: (tx: Tx) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

const QUERY_TIMEOUT_MS = 10_000;
const LOCK_TIMEOUT_MS = 5_000;
const MAX_PREPARED = 1_000;

/** Opens the pool in the background and keeps trying: a process that starts while the database is away stays up. */
export function openDb(databaseUrl: string, poolSize: number, onError: (error: unknown) => void = () => {}): Db {
  let pool: DatabasePool | undefined;
  let closed = false;
  const connecting = (async () => {
    while (!closed && !pool) {
      try {
        pool = await connect(databaseUrl, poolSize);
      } catch (error) {
        onError(error);
        await new Promise((resolve) => setTimeout(resolve, 500).unref());
      }
    }
  })();
  const current = () => {
    if (!pool) throw new Unavailable();
    return pool;
  };
  return {
    pool: current,
    transaction: (body) => current().transaction(body),
    async close() {
      closed = true;
      await Promise.race([connecting, new Promise((resolve) => setTimeout(resolve, 100))]);
      await pool?.end();
    },
  };
}

/** The same pool, awaited: rejects when the database can't be reached. For commands and tests. */
export async function connectDb(databaseUrl: string, poolSize = 4): Promise<Db> {
  const pool = await connect(databaseUrl, poolSize);
  return { pool: () => pool, transaction: (body) => pool.transaction(body), close: () => pool.end() };
}

async function connect(databaseUrl: string, poolSize: number): Promise<DatabasePool> {
  // Slonik's driver passes no client-side timeout: without one a black-holed database hangs for good.
  pg.defaults.query_timeout = QUERY_TIMEOUT_MS;
  const { connectionString, ssl } = dbConfig(databaseUrl);
  const url = new URL(connectionString!);
  url.searchParams.set('options', `-c lock_timeout=${LOCK_TIMEOUT_MS} -c timezone=UTC`);
  return await createPool(url.href, {
    ...(ssl ? { ssl: ssl as object } : {}),
    maxPoolSize: poolSize,
    minPoolSize: 0,
    connectionTimeout: 3_000,
    connectionRetryLimit: 0,
    statementTimeout: QUERY_TIMEOUT_MS,
    idleInTransactionSessionTimeout: 15_000,
    gracefulTerminationTimeout: 1_000,
    idleTimeout: 60_000,
    captureStackTrace: false,
    typeParsers,
    interceptors: [prepareStatements(), validateRows],
    // Nothing here changes a connection's state, and the default (discard all) would drop the prepared statements.
    resetConnection: async () => {},
  });
}

function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`${text} is beyond 2^53-1`);
  return value;
}

const typeParsers: DriverTypeParser[] = [
  { name: 'int8', parse: safeInteger },
  { name: 'timestamptz', parse: (text) => new Date(text).toISOString() },
  { name: 'date', parse: (text) => text },
];

/** Names each distinct text, so that PostgreSQL plans it once per connection. Past the bound a statement stays unnamed. */
function prepareStatements(): Interceptor {
  const names = new Map<string, string>();
  return {
    name: 'prepare-statements',
    transformQuery: (_context, query) => {
      let name = names.get(query.sql);
      if (name === undefined && names.size < MAX_PREPARED) {
        name = `s${names.size}`;
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
