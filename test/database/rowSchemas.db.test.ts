/** Each statement's row schema against the columns that PostgreSQL describes. No statement is executed. */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { type QuerySqlToken, sql } from 'slonik';
import type { z } from 'zod';
import { fileDatabase } from '../support/database.ts';
import { described } from '../support/described.ts';
import { suite } from '../support/suite.ts';
import { MADE_UP, queryFunctions, sqlFiles } from '../support/typedArguments.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
const source = fileURLToPath(new URL('../../src/', import.meta.url));
const VARIANTS = 8;
const MOST_STATEMENTS = 100;

type Statement = QuerySqlToken<z.ZodType<Record<string, unknown>>>;

/** Where a statement was composed: file:line:column of `type` in `sql.type`. */
const siteOf = new WeakMap<object, string>();
const statements = new Map<string, { site: string; statement: Statement }>();

const original = sql.type;
function typeWithSite(parser: z.ZodType) {
  const at = /\((?:file:\/\/)?([^()]*:\d+:\d+)\)|at (?:async )?(?:file:\/\/)?([^() ]*:\d+:\d+)$/.exec(new Error().stack!.split('\n')[2]!)!;
  const site = relative(source, at[1] ?? at[2]!);
  return (...template: Parameters<ReturnType<typeof original>>) => {
    const statement = original(parser)(...template);
    siteOf.set(statement, site);
    return statement;
  };
}
test.before('statements remember their place', () => Object.assign(sql, { type: typeWithSite }));
test.after('restore', () => Object.assign(sql, { type: original }));

/** A value that the schema accepts, in most cases. */
function sample(schema: z.ZodType, variant: number): unknown {
  // biome-ignore lint/suspicious/noExplicitAny: each kind of schema has other parts
  const def = schema.def as any;
  const of = (inner: z.ZodType) => sample(inner, variant);
  if (def.innerType) return of(def.innerType);
  switch (def.type) {
    case 'object':
      return Object.fromEntries(Object.entries<z.ZodType>(def.shape).map(([name, inner]) => [name, of(inner)]));
    case 'array':
      return [of(def.element)];
    case 'tuple':
      return def.items.map(of);
    case 'pipe':
      return of(def.in);
    case 'union':
      return of(def.options[0]);
    case 'enum':
      return Object.values(def.entries)[0];
    case 'literal':
      return def.values[0];
    case 'number':
      return 1;
    case 'boolean':
      return variant % 2 === 0 && variant < 4;
    case 'string':
      return MADE_UP;
    case 'custom':
      return Buffer.alloc(32);
    default:
      return {};
  }
}

/** Notes statements and answers with a sample row. In the variants from 4 on, the first to fourth statement finds none. */
function recorder(variant: number) {
  let count = 0;
  const any = async (statement: Statement) => {
    if (count++ > MOST_STATEMENTS) throw new Error('The function does not end.');
    const site = siteOf.get(statement);
    if (site) statements.set(`${site} ${statement.sql}`, { site, statement });
    if (variant === count + 3) return [];
    const row = sample(statement.parser, variant) as Record<string, unknown>;
    return [statement.parser.safeParse(row).data ?? row];
  };
  const one = async (statement: Statement) => (await any(statement))[0] ?? null;
  const first = async (statement: Statement) => Object.values((await one(statement)) ?? { none: null })[0];
  const query = async (statement: Statement) => ({ rows: await any(statement), rowCount: 1 });
  return {
    any,
    anyFirst: async (statement: Statement) => [await first(statement)],
    maybeOne: one,
    maybeOneFirst: first,
    one,
    oneFirst: first,
    query,
  };
}

/** Calls it, and what it returns for later: a step, steps, or an object of functions. */
async function call(work: (...given: unknown[]) => unknown, given: unknown[], tx: unknown): Promise<void> {
  const result = await work(...given);
  const later = typeof result === 'function' ? [result] : Object.values(result ?? {}).filter((value) => typeof value === 'function');
  for (const step of later) await step(tx, 1);
}

/** All places of `sql.type` in files of SQL. */
function sites(): string[] {
  return sqlFiles().flatMap((name) =>
    readFileSync(source + name, 'utf8')
      .split('\n')
      .flatMap((line, n) => [...line.matchAll(/sql\.type\(/g)].map(({ index }) => `${name}:${n + 1}:${index + 5}`)),
  );
}

/** Names of tables are made up, too. A running timer has a start, which PostgreSQL does not tell. */
const isExpected = (site: string, fault: string): boolean =>
  fault.includes(`"${MADE_UP}"`) || (site.startsWith('time/queries.ts') && fault === 'started_at may be null');

test('the columns of every statement have the names, types and nullability that its row schema expects', async (t) => {
  for (const { file, name, argumentsFor } of queryFunctions()) {
    const exported = (await import(file))[name];
    const work = 'run' in exported ? exported.run.bind(exported) : exported;
    for (let variant = 0; variant < VARIANTS; variant++) {
      const tx = recorder(variant);
      // Made-up arguments may be refused. What counts is that every place was reached, see below.
      await call(work, argumentsFor(tx, variant), tx).catch(() => {});
    }
  }
  const reached = new Set([...statements.values()].map(({ site }) => site));
  t.deepEqual(
    sites().filter((site) => !reached.has(site)),
    [],
    'no function of made-up arguments reaches these statements',
  );
  const client = new pg.Client(database.url);
  await client.connect();
  const faults = new Set<string>();
  for (const { site, statement } of statements.values())
    for (const fault of await described(client, statement)) if (!isExpected(site, fault)) faults.add(`${site}: ${fault}`);
  await client.end();
  t.deepEqual([...faults], []);
});
