/** The slonik pool: bigint as safe integer, timestamps as ISO text, validated rows, prepared statements, and limited waits. */
import type pg from 'pg';
import { createPool, type DatabasePool, type Interceptor } from 'slonik';
import { AppError, Unavailable } from '../values/errors.ts';
import { connections, type Limits } from './connections.ts';
import { pgDriver } from './driver.ts';
import { Listener, type Listens, type Subscriber } from './listen.ts';
import { sql } from './sql.ts';
import { statementsOn, type Tx, validated, type Wanted } from './statements.ts';

export type { Tx };

export type Fragment = ReturnType<typeof sql.fragment>;

/** SQL from fixed text, such as column lists made in code. Never pass user input. */
export function fixedSql(text: string): Fragment {
  return sql.fragment(Object.assign([text], { raw: Object.freeze([text]) }) as unknown as TemplateStringsArray);
}

/** SQL text: words of our own as literals, `'a', 'b'`. Never pass user input. */
export const literals = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(', ');

/** SQL text: a timestamptz as JSON, `2026-03-02T09:00:00.000Z`. `column` is inserted as SQL text. */
export const instantText = (column: string): string => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

export interface Db extends Listens {
  /** Throws Unavailable if the work is no longer `wanted` when a connection is free. */
  pool(wanted?: Wanted): Tx;
  transaction<T>(body: (tx: Tx) => Promise<T>, wanted?: Wanted): Promise<T>;
  subscribe(channel: string, subscriber: Subscriber): Promise<() => void>;
  probeListener(): Promise<void>;
  load(): { inUse: number; waiting: number };
  close(): Promise<void>;
}

const LAST_WORDS_MS = 1_000;

export interface DbSettings extends Limits {
  /** URL for LISTEN, without a pooler. */
  directUrl?: string;
  preparedStatements?: boolean;
}

/** Opens the pool without connecting, so a process can start while the database is unavailable. Operations then fail with Unavailable. */
export function openDb(databaseUrl: string, poolSize: number, settings: DbSettings = {}): Db {
  const { directUrl = databaseUrl, preparedStatements = true } = settings;
  const pool = connections(databaseUrl, poolSize, settings);
  const statements = statementsOn(pool, preparedStatements);
  const transactions = slonikOn(pool, databaseUrl, poolSize, preparedStatements);
  const listener = new Listener(directUrl);
  return {
    pool: (wanted) => (wanted ? statementsOn(pool, preparedStatements, wanted) : statements),
    transaction: async (body, wanted) => transaction(await transactions, body, wanted),
    load: () => ({ inUse: pool.totalCount - pool.idleCount, waiting: pool.waitingCount }),
    listen: (channel, payload) => listener.listen(channel, payload),
    subscribe: (channel, subscriber) => listener.subscribe(channel, subscriber),
    probeListener: () => listener.probe(),
    async close() {
      await Promise.all([listener.close(), (await transactions).end()]);
      await Promise.race([pool.end(), new Promise((resolve) => setTimeout(resolve, LAST_WORDS_MS).unref())]);
    },
  };
}

/** Returns a refusal instead of throwing it through slonik, which would close the connection. A new one costs ten times as much. */
async function transaction<T>(pool: DatabasePool, body: (tx: Tx) => Promise<T>, wanted?: Wanted): Promise<T> {
  const outcome = await pool.connect(async (connection): Promise<{ value: T } | { refusal: AppError }> => {
    if (wanted && !wanted()) return { refusal: new Unavailable() };
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

/** Like openDb, but rejects if the database can't be reached. For commands and tests. */
export async function connectDb(databaseUrl: string, poolSize = 4, settings: DbSettings = {}): Promise<Db> {
  const db = openDb(databaseUrl, poolSize, settings);
  await db.pool().query(sql.unsafe`select 1`);
  return db;
}

async function slonikOn(pool: pg.Pool, databaseUrl: string, most: number, prepares: boolean): Promise<DatabasePool> {
  return await createPool(databaseUrl, {
    driverFactory: pgDriver(pool, prepares),
    maxPoolSize: most,
    minPoolSize: 0,
    connectionRetryLimit: 0,
    gracefulTerminationTimeout: 1_000,
    idleTimeout: 1,
    captureStackTrace: false,
    interceptors: [validateRows],
    // The default (`discard all`) would drop prepared statements, and no code here changes the state of a session.
    resetConnection: async () => {},
  });
}

const validateRows: Interceptor = {
  name: 'validate-rows',
  transformRow: ({ resultParser: parser }, query, row) => (parser ? validated({ ...query, parser } as never, row) : row),
};
