/** Runs single statements without slonik's connection handling, which takes as long as the statement (0002). */
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import {
  type CommonQueryMethods,
  DataIntegrityError,
  NotFoundError,
  type QueryResultRow,
  type QuerySqlToken,
  SchemaValidationError,
} from 'slonik';
import type { z } from 'zod';
import { asSlonikError, connectionOf, hasOutdatedPlan, isUndone, leavesSession } from './connections.ts';

export type Tx = Pick<CommonQueryMethods, 'any' | 'anyFirst' | 'maybeOne' | 'maybeOneFirst' | 'one' | 'oneFirst' | 'query'>;

const MOST_RETRIES = 5;

/** True while the client still waits for the result. */
export type Wanted = () => boolean;

export class Statements {
  readonly #pool: pg.Pool;
  readonly #prepares: boolean;
  readonly #wanted: Wanted | undefined;

  constructor(pool: pg.Pool, prepares: boolean, wanted?: Wanted) {
    this.#pool = pool;
    this.#prepares = prepares;
    this.#wanted = wanted;
  }

  async query(statement: QuerySqlToken): Promise<pg.QueryResult> {
    const text = statement.sql.replaceAll('$slonik_', '$');
    const result = await run(this.#pool, this.#prepares, { text, values: statement.values as unknown[] }, this.#wanted);
    if (statement.parser) result.rows = result.rows.map((row) => validated(statement, row));
    return result;
  }

  async any(statement: QuerySqlToken) {
    return (await this.query(statement)).rows;
  }

  async anyFirst(statement: QuerySqlToken) {
    return (await this.any(statement)).map(firstOf);
  }

  async maybeOne(statement: QuerySqlToken) {
    const [first = null, ...more] = await this.any(statement);
    if (more.length) throw new DataIntegrityError('Query returned multiple rows.', statement);
    return first;
  }

  async maybeOneFirst(statement: QuerySqlToken) {
    const row = await this.maybeOne(statement);
    return row && firstOf(row);
  }

  async one(statement: QuerySqlToken) {
    const row = await this.maybeOne(statement);
    if (!row) throw new NotFoundError('Query returned no rows.', statement);
    return row;
  }

  async oneFirst(statement: QuerySqlToken) {
    return firstOf(await this.one(statement));
  }
}

export const statementsOn = (pool: pg.Pool, prepares: boolean, wanted?: Wanted): Tx =>
  new Statements(pool, prepares, wanted) as unknown as Tx;

interface Plain {
  text: string;
  values: unknown[];
}

async function run(pool: pg.Pool, prepares: boolean, statement: Plain, wanted?: Wanted): Promise<pg.QueryResult> {
  for (let retries = 0; ; retries++) {
    const client = await connectionOf(pool, wanted);
    try {
      const result = await client.query(prepares ? named(client, statement.text, statement.values) : statement);
      client.release();
      return result;
    } catch (thrown) {
      client.release(!leavesSession(thrown));
      if (retries === MOST_RETRIES) throw asSlonikError(thrown as Error, client);
      if (hasOutdatedPlan(thrown)) prepares = false;
      else if (!isUndone(thrown)) throw asSlonikError(thrown as Error, client);
    }
  }
}

const firstOf = (row: QueryResultRow): unknown => {
  for (const name in row) return row[name];
  return undefined;
};

export function validated(query: Pick<QuerySqlToken, 'parser' | 'sql' | 'values'>, row: QueryResultRow): QueryResultRow {
  const parsed = (query.parser as unknown as z.ZodType<QueryResultRow>).safeParse(row);
  if (!parsed.success) throw new SchemaValidationError(query as never, row, parsed.error.issues as never);
  return parsed.data;
}

/** Far above the need of all pages. A plan takes about 70 bytes for each character of its text, on each connection. */
const MOST_PREPARED = { max: 500, maxSize: 1_000_000, sizeCalculation: (_name: string, text: string) => text.length };

const prepared = new WeakMap<pg.ClientBase, LRUCache<string, string>>();

/** The name is a hash of the text: behind a pooler, a counter could name another process's statement. */
export function named(client: pg.ClientBase, text: string, values: unknown[]): pg.QueryConfig {
  let names = prepared.get(client);
  if (!names) {
    names = new LRUCache({ ...MOST_PREPARED, dispose: (name) => deallocate(client, name) });
    prepared.set(client, names);
  }
  let name = names.get(text);
  if (name === undefined) {
    name = hash('sha256', text, 'base64url').slice(0, 22);
    names.set(text, name);
  }
  return { name, text, values };
}

/** Sent together with the next statement: needs no round trip, and works through a pooler. */
function deallocate(client: pg.ClientBase, name: string): void {
  const { connection } = client as unknown as { connection: { parsedStatements: Record<string, string>; close(of: object): void } };
  connection.close({ type: 'S', name });
  delete connection.parsedStatements[name];
}
