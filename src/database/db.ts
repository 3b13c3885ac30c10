/** The pool: bigint as safe integer, timestamps as ISO text, validated rows, prepared statements, and limited waits. */
import { connections, connectWithin, isConnectTimeout, type Limits } from './connections.ts';
import { Listener, type Listens, type Subscriber } from './listen.ts';
import { sql } from './sql.ts';
import { statementsOn, type Tx, transaction, type Wanted } from './statements.ts';

export type { Tx };

export type Fragment = ReturnType<typeof sql.fragment>;

/** SQL from fixed text, such as column lists made in code. Never pass user input. */
export function fixedSql(text: string): Fragment {
  return sql.fragment(Object.assign([text], { raw: Object.freeze([text]) }));
}

/** SQL text: words of our own as literals, `'a', 'b'`. Never pass user input. */
export const literals = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(', ');

/** SQL: these rows as JSON. */
export const listOf = (rows: Fragment): Fragment => sql.fragment`(select coalesce(json_agg(row), '[]') from (${rows}) row)`;

/** SQL text: a timestamptz as JSON, `2026-03-02T09:00:00.000Z`. `column` is inserted as SQL text. */
export const instantText = (column: string): string => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

export interface Db extends Listens {
  /** Throws Unavailable if the work is no longer `wanted` when a connection is free. */
  pool(wanted?: Wanted): Tx;
  transaction<T>(body: (tx: Tx) => Promise<T>, wanted?: Wanted): Promise<T>;
  subscribe(channel: string, subscriber: Subscriber): Promise<() => void>;
  probeListener(): Promise<void>;
  /** The most connections, without the one that listens. */
  readonly connections: number;
  load(): { inUse: number; waiting: number };
  close(): Promise<void>;
}

const LAST_WORDS_MS = 1_000;
/** Four attempts, each of which may take 5 s. */
const CONNECT_WITHIN_MS = 17_000;

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
  const listener = new Listener(directUrl);
  return {
    pool: (wanted) => (wanted ? statementsOn(pool, preparedStatements, wanted) : statements),
    transaction: (body, wanted) => transaction(pool, preparedStatements, body, wanted),
    connections: poolSize,
    load: () => ({ inUse: pool.totalCount - pool.idleCount, waiting: pool.waitingCount }),
    listen: (channel, payload) => listener.listen(channel, payload),
    subscribe: (channel, subscriber) => listener.subscribe(channel, subscriber),
    probeListener: () => listener.probe(),
    async close() {
      await listener.close();
      await Promise.race([pool.end(), new Promise((resolve) => setTimeout(resolve, LAST_WORDS_MS).unref())]);
    },
  };
}

/** Like openDb, but rejects if the database can't be reached. For commands and tests, which wait longer for a busy server than a request
 *  does. */
export async function connectDb(databaseUrl: string, poolSize = 4, settings: DbSettings = {}): Promise<Db> {
  const db = openDb(databaseUrl, poolSize, settings);
  await connectWithin(CONNECT_WITHIN_MS, () => db.pool().query(sql.unsafe`select 1`), undefined, isConnectTimeout);
  return db;
}
