/** `migrate`, `import` and `export`. */

import { makeOwnerLink } from '../accounts/ownerLinks.ts';
import { operator, tellEvent } from '../audit/audit.ts';
import { migrate as bringUp } from '../database/migrate.ts';
import { knownMigrations } from '../database/migrations.ts';
import { exportAccount } from '../import/exportAccount.ts';
import { importFile as readAll } from '../import/importData.ts';
import { importSchema } from '../import/schema.ts';
import { InvalidRequest } from '../values/errors.ts';
import { command } from './command.ts';
import { flag, id } from './options.ts';

export const migrate = command({
  summary: "bring the database up to this version's schema; safe to run again and by many at once",
  options: {},
  note: 'While there is no account it prints a one-time link for whoever is to create the first one.',
  async run(context) {
    const baseUrl = context.baseUrl();
    await bringUp(context.databaseUrl());
    const ownerLink = await makeOwnerLink((await context.db()).pool(), baseUrl, null);
    return { migrated: true, migrations: (await knownMigrations()).length, ownerLink };
  },
  print: (result) => {
    const { migrations, ownerLink } = result as { migrations: number; ownerLink: string | null };
    const first = [
      'There is no account yet. Whoever opens this link, once and within seven days, creates it and owns it:',
      `  ${ownerLink}`,
    ];
    return [`The database has all ${migrations} migrations.`, ...(ownerLink === null ? [] : first)].join('\n');
  },
});

export const importFile = command({
  summary: 'accounts with people, workspaces, work and keys from a JSON file: all of it or nothing; keys are printed this once',
  argument: 'FILE|-',
  alone: 'schema',
  options: { schema: flag('print the JSON Schema of such a file instead') },
  note: 'docs/import.md describes the file.',
  async run(context, { schema }, file) {
    if (schema) return importSchema();
    const text = await context.readText(file);
    const db = await context.db();
    return readAll(db, parseJson(text));
  },
  print: (result) => {
    if (!('refs' in result)) return JSON.stringify(result, null, 2);
    const { refs, keys } = result as Awaited<ReturnType<typeof readAll>>;
    const lines = Object.entries(refs).map(([ref, { id, key }]) => `${ref}: id ${id}${key ? `, key ${key}` : ''}`);
    const unnamed = keys.map(({ at, name, id, key }) => `${at} (${name}): id ${id}, key ${key}`);
    return ['Imported.', ...lines, ...unnamed].join('\n');
  },
});

export const exportOne = command({
  summary: 'an account as a file that import takes, on stdout: to move, or to leave; without passwords and keys, which are made anew',
  options: { account: id('account') },
  note: 'docs/import.md tells what the file holds and what it does not. It holds the text of personal notes: keep it as you keep a backup.',
  async run(context, { account }) {
    const db = await context.db();
    // Told before it begins: an export that is cut short has been one.
    await db.transaction((tx) => tellEvent(tx, operator(), 'account.exported', { type: 'account', id: account }));
    await db.transaction(async (tx) => {
      for await (const piece of exportAccount(tx, account)) await context.write(piece);
    });
    return undefined;
  },
});

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new InvalidRequest([], `The file is not JSON: ${(error as Error).message}.`);
  }
}
