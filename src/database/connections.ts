import { hash } from 'node:crypto';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg, { type ClientConfig } from 'pg';
import { parse as parseUrl } from 'pg-connection-string';
import { readCertificate } from '../values/certificate.ts';
import { codeOf, messageOf, Unavailable } from '../values/errors.ts';
import { loopback } from '../values/hosts.ts';

// In its own file, because threads that connect load it without the rest of the configuration.

/** Verified TLS by default for hosts that are not local (behaviour §1.7). Parses `sslmode`, because node-postgres treats `require` as
 *  verify-full. PGSSLMODE is for platforms that set the URL (Heroku), and only for hosts that are not local. */
export function dbConfig(databaseUrl: string, { DATABASE_CA_CERT: ca, PGSSLMODE } = process.env): ClientConfig {
  const url = new URL(databaseUrl);
  const mode = url.searchParams.get('sslmode');
  url.searchParams.delete('sslmode');
  const { host } = parseUrl(url.href);
  const local = !host || host.startsWith('/') || loopback.has(host);
  return { connectionString: url.href, ssl: tls(mode ?? (local ? 'disable' : PGSSLMODE || 'verify-full'), authority(ca)), keepAlive: true };
}

function authority(given: string | undefined): string | undefined {
  if (!given) return undefined;
  try {
    return readCertificate(given);
  } catch (error) {
    throw new Error(`DATABASE_CA_CERT ${messageOf(error)}.`);
  }
}

function tls(mode: string, ca: string | undefined): ClientConfig['ssl'] {
  switch (mode) {
    case 'disable':
      return false;
    case 'require':
    case 'no-verify':
      return { rejectUnauthorized: false };
    case 'verify-ca':
      return { ca, checkServerIdentity: () => undefined };
    case 'verify-full':
      return { ca };
    default:
      throw new Error(`DATABASE_URL has sslmode=${mode}: use disable, require, verify-ca or verify-full.`);
  }
}

// Uses only the newest primary (behaviour §1.26). After a failover the old one may answer with outdated rows and rights.

/** Each promotion of a standby starts the next timeline of a cluster. */
export interface Timeline {
  cluster: string;
  number: number;
}

/** Highest timeline of each cluster seen by this process. pg_upgrade creates a new cluster. */
const newest = new Map<string, number>();

export const isOutdated = ({ cluster, number }: Timeline): boolean => number < (newest.get(cluster) ?? 0);

// The first 8 hex digits of a WAL file name are the timeline.
const QUESTION = `select s.standby, c.system_identifier::text as cluster,
    case when not s.standby then left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline
  from (select pg_is_in_recovery() as standby) s, pg_control_system() c`;

const ANSWER_WITHIN_MS = 5_000;

/** Throws for a standby or an outdated primary. Null if the server has no WAL functions, as in Aurora. */
export async function timelineOf(client: pg.Client): Promise<Timeline | null> {
  const row = await ask(client);
  if (!row) return null;
  if (row.standby) throw refusal('25006', 'The server is a standby.');
  const timeline = { cluster: row.cluster, number: Number.parseInt(row.timeline, 16) };
  if (isOutdated(timeline))
    throw refusal(OLD_PRIMARY, `Its timeline is ${timeline.number}, the current one is ${newest.get(timeline.cluster)}.`);
  newest.set(timeline.cluster, timeline.number);
  return timeline;
}

async function ask(client: pg.Client) {
  try {
    const query = { text: QUESTION, query_timeout: ANSWER_WITHIN_MS };
    const { rows } = await client.query<{ standby: boolean; cluster: string; timeline: string }>(query);
    return rows[0] ?? null;
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.severity === 'ERROR') return null;
    throw error;
  }
}

/** Used in place of an SQLSTATE. */
export const OLD_PRIMARY = 'STALE';

const refusal = (code: string, message: string) => Object.assign(new pg.DatabaseError(message, 0, 'error'), { code, severity: 'FATAL' });

const STATEMENT_TIMEOUT_MS = 10_000;
const IDLE_TIMEOUT_MS = 15_000;
const LOCK_TIMEOUT_MS = 5_000;
const CONNECT_TIMEOUT_MS = 5_000;

function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`${text} is beyond 2^53-1`);
  return value;
}

export function typeParsers(parsers: ReadonlyMap<number, (text: string) => unknown>): pg.CustomTypesConfig {
  // biome-ignore lint/suspicious/noExplicitAny: node-postgres' overloads
  return { getTypeParser: (oid: number, format?: any): any => parsers.get(oid) ?? pg.types.getTypeParser(oid, format) };
}

const parsers = new Map<number, (text: string) => unknown>([
  [20, safeInteger], // int8
  [1016, (text) => (text === '{}' ? [] : text.slice(1, -1).split(',').map(safeInteger))], // int8[]
  [1184, (text) => new Date(text).toISOString()], // timestamptz
  [1082, (text) => text], // date
]);

const types = typeParsers(parsers);

/** How long a statement waits for a connection. Clients no longer wait after that, and the queue would grow while PostgreSQL hangs. */
const MOST_WAIT_MS = 10_000;

/** Pause after a refused connection in ms, because each attempt costs PostgreSQL a process. */
const FULL_MS = 200;
let refusedAt = Number.NEGATIVE_INFINITY;

export const isRefusedForNumber = (): boolean => refusedAt > Number.NEGATIVE_INFINITY;

/** 53300: the connection limit of the server, database or role is reached. */
const isFull = (error: unknown): boolean => codeOf(error) === '53300';
/** pg's error for a connection that took longer than CONNECT_TIMEOUT_MS. */
export const isConnectTimeout = (error: unknown): boolean => error instanceof Error && error.message === 'timeout expired';

const open = new Set<Client>();

/** Far above the need of all pages. A plan takes about 70 bytes for each character of its text, on each connection. */
const MOST_PREPARED = { texts: 500, characters: 1_000_000 };

/** Sends one statement. */
export type Send = (text: string, values: readonly unknown[]) => Promise<pg.QueryResult<Record<string, unknown>>>;

/** Connecting has a shorter time limit than waiting in the pool. */
export class Client extends pg.Client {
  #timeline: Timeline | null = null;
  #spoilt = false;
  readonly #names = new Map<string, string>();
  #characters = 0;

  constructor(config?: ClientConfig) {
    super({ ...config, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
    // Set immediately: a connection that breaks before the pool listens would end the process. Its next statement fails anyway.
    this.on('error', () => {});
  }

  // biome-ignore lint/suspicious/noExplicitAny: node-postgres' overloads
  override query(...given: any[]): any {
    // biome-ignore lint/suspicious/noExplicitAny: as above
    const answer = (super.query as any)(...given);
    if (answer instanceof Promise) answer.catch((error) => this.#failed(error));
    return answer;
  }

  /** The next query would wait behind one that got no answer, so that closes the connection. */
  #failed(error: Error): void {
    this.#spoilt ||= !leavesSession(error);
    if (isTimeout(error)) socketOf(this).destroy();
  }

  send(text: string, values: readonly unknown[], prepares: boolean): Promise<pg.QueryResult> {
    return this.query(prepares ? { name: this.#nameOf(text), text, values } : { text, values });
  }

  /** Begins a transaction with the first statement that `send` sends: both travel in one packet. */
  begin(send: Send): Send {
    let begun: Promise<unknown> | undefined;
    return async (text, values) => {
      if (begun) return send(text, values);
      const socket = socketOf(this);
      socket.cork();
      begun = this.query('begin');
      const sent = send(text, values);
      socket.uncork();
      return (await Promise.all([sent, begun]))[0];
    };
  }

  /** A hash of the text: behind a pooler, a counter could name another process's statement. */
  #nameOf(text: string): string {
    let name = this.#names.get(text);
    if (name === undefined) {
      name = hash('sha256', text, 'base64url').slice(0, 22);
      this.#names.set(text, name);
      this.#characters += text.length;
    }
    return name;
  }

  /** True if it must be closed after use. */
  isWorn(): boolean {
    const full = this.#names.size >= MOST_PREPARED.texts || this.#characters > MOST_PREPARED.characters;
    return full || this.#spoilt || this.getTransactionStatus() !== 'I';
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

  /** Closes connections to the old primary after a failover. */
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

/** Retries `connect` for `ms` while it fails with a `temporary` error, by default the connection limit, and the work is `wanted`. */
export async function connectWithin<T>(ms: number, connect: () => Promise<T>, wanted?: () => boolean, temporary = isFull): Promise<T> {
  for (const end = performance.now() + ms; ; ) {
    try {
      return await connect();
    } catch (error) {
      if (!temporary(error) || performance.now() > end || wanted?.() === false) throw error;
    }
  }
}

export interface Limits {
  /** Maximum wait of a statement for a connection, in ms. */
  mostWaitMs?: number | undefined;
  /** Unused connections close after this time in ms. */
  idleMs?: number | undefined;
  /** No timeouts for statements and transactions: for imports and exports. */
  unlimited?: boolean | undefined;
}

/** Sessions use generic plans, because custom planning costs several times the run time. The plan tests check all statements. */
export function connections(
  databaseUrl: string,
  most: number,
  { mostWaitMs = MOST_WAIT_MS, idleMs = 60_000, unlimited = false }: Limits = {},
): pg.Pool {
  const statementTimeoutMs = unlimited ? 0 : STATEMENT_TIMEOUT_MS;
  const more = {
    options: `-c lock_timeout=${LOCK_TIMEOUT_MS} -c timezone=UTC -c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c jit=off`,
    // Later than PostgreSQL's own limit, whose error says what happened.
    query_timeout: unlimited ? 0 : statementTimeoutMs + 250,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: unlimited ? 0 : IDLE_TIMEOUT_MS,
    max: most,
    connectionTimeoutMillis: mostWaitMs,
    idleTimeoutMillis: idleMs,
    maxLifetimeSeconds: 1_800,
    types,
    Client,
    pipeline: true,
  };
  const pool = new pg.Pool({ ...dbConfig(databaseUrl), ...more });
  pool.on('error', () => {});
  return pool;
}

/** Throws Unavailable if no longer `wanted`: a write must not begin after its request was answered (behaviour §13.1). */
export async function connectionOf(pool: pg.Pool, wanted?: () => boolean): Promise<Client & pg.PoolClient> {
  const client = await connectWithin(pool.options.connectionTimeoutMillis ?? 0, () => pool.connect(), wanted);
  if (!(client instanceof Client)) throw new TypeError('The pool has clients of another class.');
  if (!wanted || wanted()) return client;
  client.release();
  throw new Unavailable();
}

/** True if the session stays usable: invalid data (22, 23), our own codes (ST…), conflicts (40), locks. */
function leavesSession(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.severity === 'ERROR' && /^(?:22|23|40|55P03|ST)/.test(error.code ?? '');
}

/** Repeating the work helps: a deadlock, a serialization failure (not all of class 40: after 40003 the statement may have taken effect), a row
 *  for an item that moved to another workspace meanwhile (behaviour §42), or an external key that another item got meanwhile (§42.6). */
export function isUndone(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false;
  const { code, constraint } = error;
  if (code === '23503') return constraint?.includes('_workspace_id_') === true;
  return code === '40001' || code === '40P01' || (code === '23505' && constraint === 'imported_items_key');
}

/** A prepared statement whose tables have changed, as by a migration, or that the session has lost. It has not run. */
export function hasOutdatedPlan(error: unknown): boolean {
  const code = codeOf(error);
  return code === '26000' || (code === '0A000' && messageOf(error) === 'cached plan must not change result type');
}

const isTimeout = ({ message }: Error): boolean => message === 'Query read timeout';

/** True if the database failed, not the work: a lost connection, a failover, missing resources, a lock of other work. */
export function isOutage(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return error.severity !== 'ERROR' || /^(?:08|25|40|53|55P03|57P)/.test(error.code ?? '');
  return error instanceof Error && isConnectionLoss(error) && !isTimeout(error);
}

export const isConnectionLoss = (error: Error): boolean =>
  isTimeout(error) || /connection terminated|not queryable|ECONNRESET|EPIPE/i.test(error.message);

/** Sets the name of this process's connections in pg_stat_activity. Call it before the first connection. */
export function nameConnections(process: 'web' | 'worker' | 'command'): void {
  pg.defaults.application_name = `stint ${process}`;
}
