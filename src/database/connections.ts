/** The connections of a process: one pool by node-postgres, out of which single statements and slonik's transactions take theirs. */
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg, { type ClientConfig } from 'pg';
import { BackendTerminatedError, UniqueIntegrityConstraintViolationError } from 'slonik';
import { Unavailable } from '../values/errors.ts';
import { dbConfig } from './connection.ts';
import { isOutdated, type Timeline, timelineOf } from './primary.ts';

const STATEMENT_TIMEOUT_MS = 10_000;
const IDLE_TIMEOUT_MS = 15_000;
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

/** Nearly as long as a request may take: who waits for a connection leaves the queue when nobody waits for the answer any more, or the queue
 *  would grow for as long as PostgreSQL is silent, and be worked off for nobody when it is back. */
const MOST_WAIT_MS = 10_000;

/** After a refusal no new connection is tried for so long: each try costs PostgreSQL a process. */
const FULL_MS = 200;
let refusedAt = Number.NEGATIVE_INFINITY;

/** True if PostgreSQL refused the latest connection of this process because a limit is reached. */
export const isRefusedForNumber = (): boolean => refusedAt > Number.NEGATIVE_INFINITY;

/** 53300: the limit of the server, the database or the role is reached. */
const isFull = (error: unknown): boolean => (error as { code?: unknown }).code === '53300';

const open = new Set<Client>();

/** Making a connection may not take as long as waiting for one. */
export class Client extends pg.Client {
  #timeline: Timeline | null = null;

  constructor(config?: ClientConfig) {
    super({ ...config, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
    // From the beginning: a connection that breaks before the pool listens would end the process. Its next statement fails by itself.
    this.on('error', () => {});
  }

  // biome-ignore lint/suspicious/noExplicitAny: node-postgres' overloads
  override connect(callback?: any): any {
    const connected = this.#connect();
    if (!callback) return connected;
    connected.then(() => callback(undefined), callback);
  }

  async #connect(): Promise<void> {
    const pause = refusedAt + FULL_MS - performance.now();
    if (pause > 0) await sleep(pause);
    try {
      await super.connect();
      refusedAt = Number.NEGATIVE_INFINITY;
      await this.#checkPrimary();
    } catch (error) {
      if (isFull(error)) refusedAt = performance.now();
      throw error;
    }
  }

  /** After a failover, connections to the old primary end. */
  async #checkPrimary(): Promise<void> {
    try {
      this.#timeline = await timelineOf(this);
    } catch (error) {
      this.end().catch(() => {});
      throw error;
    }
    open.add(this);
    this.once('end', () => open.delete(this));
    for (const client of open) if (client.#timeline && isOutdated(client.#timeline)) socketOf(client).destroy();
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the socket is not in the types
export const socketOf = (client: pg.Client): Socket => (client as any).connection.stream;

/** Repeats `connect` for `ms` while PostgreSQL has no free connection, and it is `wanted`: other processes close the ones they don't use. */
export async function connectWithin<T>(ms: number, connect: () => Promise<T>, wanted?: () => boolean): Promise<T> {
  for (const end = performance.now() + ms; ; ) {
    try {
      return await connect();
    } catch (error) {
      if (!isFull(error) || performance.now() > end || wanted?.() === false) throw error;
    }
  }
}

export interface Limits {
  /** How long a statement waits for a connection. */
  mostWaitMs?: number | undefined;
  /** For how long a connection that is not used stays open. */
  idleMs?: number | undefined;
  /** Statements may take any time, and transactions may pause between them: for imports and exports. */
  unlimited?: boolean | undefined;
}

/** One plan for all arguments: our statements are written so that it is a good one (the tests of plans hold it to that), while PostgreSQL
 *  left alone plans many of them anew each time, for several times what they cost to run. */
export function connections(
  databaseUrl: string,
  most: number,
  { mostWaitMs = MOST_WAIT_MS, idleMs = 60_000, unlimited = false }: Limits = {},
): pg.Pool {
  const statementTimeoutMs = unlimited ? 0 : STATEMENT_TIMEOUT_MS;
  const pool = new pg.Pool({
    ...dbConfig(databaseUrl),
    options: `-c lock_timeout=${LOCK_TIMEOUT_MS} -c timezone=UTC -c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c jit=off`,
    query_timeout: statementTimeoutMs,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: unlimited ? 0 : IDLE_TIMEOUT_MS,
    max: most,
    connectionTimeoutMillis: mostWaitMs,
    idleTimeoutMillis: idleMs,
    maxLifetimeSeconds: 1_800,
    types,
    Client,
  } as pg.PoolConfig);
  // An idle connection that is lost is not missed.
  pool.on('error', () => {});
  return pool;
}

/** One of them, for work that is still `wanted` when one is free: a write that has not begun when its request is answered is not begun
 *  (behaviour §13.1). */
export async function connectionOf(pool: pg.Pool, wanted?: () => boolean): Promise<pg.PoolClient> {
  const client = await connectWithin(pool.options.connectionTimeoutMillis ?? 0, () => pool.connect(), wanted);
  if (!wanted || wanted()) return client;
  client.release();
  throw new Unavailable();
}

type Thrown = Error & { code?: string; severity?: string };

/** Refused for its data (22, 23, and our own), or for what others do at the same time (40, a lock): the session is as it was, and a new one
 *  would cost ten times the statement. After anything else the next statement gets another. */
export function leavesSession(error: unknown): boolean {
  const { code = '', severity } = error as Thrown;
  return severity === 'ERROR' && /^(?:22|23|40|55P03|ST)/.test(code);
}

/** A deadlock or a serialization failure, and nothing else of class 40: of 40003 it is not known whether the statement happened. */
export const isUndone = (error: unknown): boolean => /^40(?:001|P01)$/.test((error as Thrown).code ?? '');

/** The statement was prepared when its tables were others, as by a process that a migration came upon, or the session has forgotten it. It
 *  has not begun. */
export function hasOutdatedPlan(error: unknown): boolean {
  const { code, message } = error as Thrown;
  return code === '26000' || (code === '0A000' && message === 'cached plan must not change result type');
}

/** True if the message says that a connection was lost. */
export const isConnectionLoss = (message: string): boolean => /connection terminated|not queryable|ECONNRESET|EPIPE/i.test(message);

/** A failure in slonik's terms. A connection whose query got no answer in time is given up, for the next query would only queue behind it. */
export function asSlonikError(error: Thrown, client: object): Error {
  if (error.message === 'Query read timeout') {
    // biome-ignore lint/suspicious/noExplicitAny: the socket is not in the types
    (client as any).connection.stream.destroy();
    return new BackendTerminatedError(error);
  }
  // 40003: slonik would repeat it for its class.
  if (['57P01', '40003'].includes(error.code ?? '') || isConnectionLoss(error.message)) return new BackendTerminatedError(error);
  return error.code === '23505' ? new UniqueIntegrityConstraintViolationError(error as never) : error;
}
