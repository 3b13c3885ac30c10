/** Behaviour §14 says of every table how long its rows are kept. Compared with the catalog, so that a new table is asked too. */
import { readFileSync } from 'node:fs';
import test from 'ava';
import pg from 'pg';
import { perishables } from '../../workers/pruneQueries.ts';
import { fileDatabase } from '../support/database.ts';

const database = fileDatabase();
const behaviour = readFileSync(new URL('../../docs/behaviour.md', import.meta.url), 'utf8');

/** The tables named in the last column of a rule's table. */
function tablesIn(rule: string): string[] {
  const text = behaviour.slice(behaviour.indexOf(`**${rule}**`)).split('\n**', 1)[0]!;
  const cells = text
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split('|').at(-2)!);
  return cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name!));
}

test('behaviour §14 names every table of the database once, with how long its rows are kept', async (t) => {
  const client = new pg.Client(database.url);
  await client.connect();
  const found = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
  );
  await client.end();
  t.deepEqual([...tablesIn('14.1'), ...tablesIn('14.2')].sort(), found.rows.map(({ name }) => name).sort());
});

test('what the hourly job deletes is named by behaviour §14.1 as kept for a time', (t) => {
  const named = new Set(tablesIn('14.1'));
  t.deepEqual(
    perishables({ auditDays: 1 }).filter(({ table }) => !named.has(table)),
    [],
  );
});
