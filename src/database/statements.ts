/** Single statements, past slonik's connections: what those do around a statement takes as long as the statement (0002). They are composed
 *  by slonik, and fail as slonik's do. */
import { hash } from 'node:crypto';
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
import { asSlonikError, leavesSession } from './connections.ts';

/** What an operation's statements run on: the pool itself or one transaction. */
export type Tx = Pick<CommonQueryMethods, 'any' | 'anyFirst' | 'maybeOne' | 'maybeOneFirst' | 'one' | 'oneFirst' | 'query'>;

/** Of a deadlock or the like (SQLSTATE 40…), which has undone the statement. As often as slonik does in transactions. */
const MOST_RETRIES = 5;

export function statementsOn(pool: pg.Pool, nameOf: (text: string) => string | undefined): Tx {
  const query = async <Token extends QuerySqlToken>(statement: Token) => {
    const text = statement.sql.replaceAll('$slonik_', '$');
    const result = await run(pool, { name: nameOf(text), text, values: statement.values as unknown[] });
    const { parser } = statement;
    if (parser) result.rows = result.rows.map((row) => validated(statement, row));
    return result;
  };
  const rows = async (statement: QuerySqlToken) => (await query(statement)).rows;
  const maybeOne = async (statement: QuerySqlToken) => {
    const [first = null, ...more] = await rows(statement);
    if (more.length) throw new DataIntegrityError('Query returned multiple rows.', statement);
    return first;
  };
  const one = async (statement: QuerySqlToken) => {
    const row = await maybeOne(statement);
    if (!row) throw new NotFoundError('Query returned no rows.', statement);
    return row;
  };
  return {
    query,
    any: rows,
    anyFirst: async (statement: QuerySqlToken) => (await rows(statement)).map(firstOf),
    maybeOne,
    maybeOneFirst: async (statement: QuerySqlToken) => {
      const row = await maybeOne(statement);
      return row && firstOf(row);
    },
    one,
    oneFirst: async (statement: QuerySqlToken) => firstOf(await one(statement)),
  } as unknown as Tx;
}

async function run(pool: pg.Pool, statement: pg.QueryConfig): Promise<pg.QueryResult> {
  for (let retries = 0; ; retries++) {
    const client = await pool.connect();
    try {
      const result = await client.query(statement);
      client.release();
      return result;
    } catch (thrown) {
      client.release(!leavesSession(thrown));
      const error = thrown as Error & { code?: string };
      if (!error.code?.startsWith('40') || retries === MOST_RETRIES) throw asSlonikError(error, client);
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

const MAX_PREPARED = 1_000;

/** Names each distinct text, so that PostgreSQL plans it once per connection. Past the bound a statement stays unnamed. The name says
 *  the text: behind a pooler that shares a session among processes, one counted up could stand for another process's statement. */
export function namesOfTexts(): (text: string) => string | undefined {
  const names = new Map<string, string>();
  return (text) => {
    let name = names.get(text);
    if (name === undefined && names.size < MAX_PREPARED) {
      name = hash('sha256', text, 'base64url').slice(0, 22);
      names.set(text, name);
    }
    return name;
  };
}
