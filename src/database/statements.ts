/** Sends slonik's statements to `pg` directly, alone or in a transaction (0002). */
import type pg from 'pg';
import { type CommonQueryMethods, DataIntegrityError, NotFoundError, type QuerySqlToken, SchemaValidationError } from 'slonik';
import { unmetered } from '../values/meter.ts';
import { type Client, connectionOf, hasOutdatedPlan, isUndone, type Send } from './connections.ts';

export type Tx = Pick<CommonQueryMethods, 'any' | 'anyFirst' | 'maybeOne' | 'maybeOneFirst' | 'one' | 'oneFirst' | 'query'>;

type Row = Record<string, unknown>;

const MOST_RETRIES = 5;

/** True while the client still waits for the result. */
export type Wanted = () => boolean;

export class Statements {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  async query(statement: QuerySqlToken): Promise<pg.QueryResult<Row>> {
    const result = await unmetered(this.#send(statement.sql.replaceAll('$slonik_', '$'), statement.values));
    result.rows = result.rows.map((row) => validated(statement, row));
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

const txOf = (send: Send) => new Statements(send) as unknown as Tx;

export const statementsOn = (pool: pg.Pool, prepares: boolean, wanted?: Wanted): Tx =>
  txOf((text, values) => onConnection(pool, prepares, (send) => send(text, values), wanted));

export function transaction<T>(pool: pg.Pool, prepares: boolean, body: (tx: Tx) => Promise<T>, wanted?: Wanted): Promise<T> {
  const work = async (send: Send, client: Client): Promise<T> => {
    try {
      const result = await body(txOf(client.begin(send)));
      // PostgreSQL answers COMMIT with ROLLBACK if an earlier statement failed and its error was caught.
      if ((await unmetered<pg.QueryResult>(client.query('commit'))).command === 'ROLLBACK')
        throw new Error('The transaction failed and was rolled back.');
      return result;
    } catch (error) {
      // If this fails, the connection is lost or closed on release. PostgreSQL then undoes the transaction.
      await client.query('rollback').catch(() => {});
      throw error;
    }
  };
  return onConnection(pool, prepares, work, wanted);
}

/** Repeats work that PostgreSQL undid: after a deadlock, a serialization failure or a migration that changed a prepared statement. */
async function onConnection<T>(
  pool: pg.Pool,
  prepares: boolean,
  work: (send: Send, client: Client) => Promise<T>,
  wanted?: Wanted,
): Promise<T> {
  for (let retries = 0; ; retries++) {
    const client = await unmetered(connectionOf(pool, wanted));
    try {
      return await work((text, values) => client.send(text, values, prepares), client);
    } catch (error) {
      if (retries === MOST_RETRIES) throw error;
      if (hasOutdatedPlan(error)) prepares = false;
      else if (!isUndone(error)) throw error;
    } finally {
      client.release(client.isWorn());
    }
  }
}

function firstOf(row: Row): unknown {
  for (const name in row) return row[name];
  return undefined;
}

function validated(statement: Pick<QuerySqlToken, 'parser' | 'sql' | 'values'>, row: Row): Row {
  const parsed = statement.parser['~standard'].validate(row);
  if (parsed instanceof Promise) throw new TypeError('A row schema must be synchronous.');
  if (parsed.issues) throw new SchemaValidationError(statement as never, row as never, parsed.issues);
  return parsed.value as Row;
}
