/** `migrate` and `import`. */

import { migrate as bringUp } from '../database/migrate.ts';
import { knownMigrations } from '../database/migrations.ts';
import { importData } from '../import/importData.ts';
import { InvalidRequest } from '../values/errors.ts';
import { command } from './command.ts';

export const migrate = command({
  summary: "bring the database up to this version's schema; safe to run again and by many at once",
  options: {},
  async run(context) {
    await bringUp(context.databaseUrl());
    return { migrated: true, migrations: (await knownMigrations()).length };
  },
});

export const importFile = command({
  summary: 'accounts with people, workspaces, work and keys from a JSON file: all of it or nothing; keys are printed this once',
  argument: 'FILE|-',
  options: {},
  async run(context, _values, file) {
    const text = await context.readText(file);
    const db = await context.db();
    return { refs: await importData(db, parseJson(text)) };
  },
  print: (result) => {
    const { refs } = result as { refs: Record<string, { id: number; key?: string }> };
    const lines = Object.entries(refs).map(([ref, { id, key }]) => `${ref}: id ${id}${key ? `, key ${key}` : ''}`);
    return ['Imported.', ...lines].join('\n');
  },
});

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new InvalidRequest([], `The file is not JSON: ${(error as Error).message}.`);
  }
}
