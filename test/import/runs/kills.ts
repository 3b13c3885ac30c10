/** An import whose workers are killed while they read and write, and the check that each of its rows was written once (behaviour §36.22). */
import type { Issue } from './importWorld.ts';

/** Issues with a parent, a blocker, a label and a comment each, as far as there are earlier ones. */
export const linkedIssues = (count: number): Issue[] =>
  Array.from({ length: count }, (_, n) => ({
    key: `SHOP-${n}`,
    labels: [`l${n % 7}`],
    ...(n > 0 && { blockedBy: [`SHOP-${n - 1}`] }),
    ...(n % 5 && { parent: `SHOP-${n - (n % 5)}` }),
    comments: [{ author: 'Zoe', at: '03/Feb/26 10:00 AM', body: `Comment of ${n}` }],
  }));

interface Hands {
  /** Resolves when the statement's first column is true. */
  until(statement: string): Promise<unknown>;
  killWorkers(): Promise<unknown>;
}

/** Kills once while a started import of so many issues is read, and once while it is written. */
export async function killTwice(importId: number, issues: number, { until, killWorkers }: Hands): Promise<void> {
  for (const reached of ['staged > 0 or staged is null', `done >= ${issues / 4}`]) {
    await until(`select ${reached} or state <> 'running' from imports where id = ${importId}`);
    await killWorkers();
  }
}

export interface Imported {
  lost: string[];
  doubled: string[];
}

type Rows = (statement: string, values: unknown[]) => Promise<{ key: string; name: string; found: number; expected: number }[]>;

/** Compares what an import of `linkedIssues` has written with the issues. */
export async function readImported(rows: Rows, importId: number, issues: number): Promise<Imported> {
  const wrong = await rows(
    `with written as (select k.key, k.item_id from imported_items k where k.import_id = $1)
     select e.key, c.name, c.found, c.expected from (select n, 'SHOP-' || n as key from generate_series(0, $2::integer - 1) n) e
     left join written w on w.key = e.key
     cross join lateral (values
       ('items', (select count(*) from items i where i.title = e.key), 1),
       ('comments', (select count(*) from comments m where m.item_id = w.item_id), 1),
       ('labels', (select count(*) from item_labels l where l.item_id = w.item_id), 1),
       ('dependencies', (select count(*) from item_dependencies d where d.item_id = w.item_id), least(e.n, 1)),
       ('changes', (select count(*) from changes c where c.item_id = w.item_id), 2)
     ) c (name, found, expected) where c.found <> c.expected`,
    [importId, issues],
  );
  const named = (found: typeof wrong) => found.map((row) => `${row.name} of ${row.key}: ${row.found} instead of ${row.expected}`);
  return {
    lost: named(wrong.filter(({ found, expected }) => Number(found) < expected)),
    doubled: named(wrong.filter(({ found, expected }) => Number(found) > expected)),
  };
}
