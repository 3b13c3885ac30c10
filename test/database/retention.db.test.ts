/** Behaviour §14 lists the retention of every table. Compared with the catalog, so that new tables are included. */
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { expiringTables } from '../../workers/pruneQueries.ts';
import { fileDatabase } from '../support/database.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
const behaviour = readFileSync(new URL('../../docs/behaviour.md', import.meta.url), 'utf8');

/** The tables in the last column of a rule's table. */
function tablesIn(rule: string): string[] {
  const text = behaviour.slice(behaviour.indexOf(`**${rule}**`)).split('\n**', 1)[0]!;
  const cells = text
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split('|').at(-2)!);
  return cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name!));
}

test('behaviour §14 names every table of the database once, with its retention', async (t) => {
  const client = new pg.Client(database.url);
  await client.connect();
  const found = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
  );
  await client.end();
  t.deepEqual([...tablesIn('14.1'), ...tablesIn('14.2')].sort(), found.rows.map(({ name }) => name).sort());
});

test('behaviour §14.1 lists every table that the hourly job deletes from', (t) => {
  const named = new Set(tablesIn('14.1'));
  t.deepEqual(
    expiringTables({ auditDays: 1 }).filter(({ table }) => !named.has(table)),
    [],
  );
});
