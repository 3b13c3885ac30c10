/** The slonik pool: bigint as safe integer, instants as ISO text, every row validated, every statement prepared, and no wait without end. */
import type pg from 'pg';
import { createPool, type DatabasePool, type Interceptor } from 'slonik';
import { AppError, Unavailable } from '../values/errors.ts';
import { connections, type Limits } from './connections.ts';
import { pgDriver } from './driver.ts';
import { Listener, type Listens, type Subscriber } from './listen.ts';
import { sql } from './sql.ts';
import { statementsOn, type Tx, validated, type Wanted } from './statements.ts';

export type { Tx };

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
  /** Nothing is begun that is not `wanted` any more when a connection is free: then it throws Unavailable. */
  pool(wanted?: Wanted): Tx;
  transaction<T>(body: (tx: Tx) => Promise<T>, wanted?: Wanted): Promise<T>;
  /** As Listener has them. */
  subscribe(channel: string, subscriber: Subscriber): Promise<() => void>;
  probeListener(): Promise<void>;
  /** Connections in use, and how many wait for one. */
  load(): { inUse: number; waiting: number };
  close(): Promise<void>;
}

/** What is still running at the end is not waited for longer. */
const LAST_WORDS_MS = 1_000;

export interface DbSettings extends Limits {
  /** Where LISTEN goes: past a pooler. */
  directUrl?: string;
  preparedStatements?: boolean;
}

/** Opens the pool. It connects when it is first used, so that a process that starts while the database is away stays up: its operations
 *  fail with Unavailable until the database answers. */
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

/** A refusal rolls back, and that is all: slonik throws the connection of whatever failed away, and a new one takes ten times as long. */
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

/** The same, checked: rejects when the database can't be reached. For commands and tests. */
export async function connectDb(databaseUrl: string, poolSize = 4, settings: DbSettings = {}): Promise<Db> {
  const db = openDb(databaseUrl, poolSize, settings);
  await db.pool().query(sql.unsafe`select 1`);
  return db;
}

/** Slonik's transactions on the pool's connections, which it gives back at once. */
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
    // Nothing here changes a connection's state, and the default (discard all) would drop the prepared statements.
    resetConnection: async () => {},
  });
}

const validateRows: Interceptor = {
  name: 'validate-rows',
  transformRow: ({ resultParser: parser }, query, row) => (parser ? validated({ ...query, parser } as never, row) : row),
};
