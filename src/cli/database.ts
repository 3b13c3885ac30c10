import { pruneAll } from '../../workers/prune.ts';
import { makeOwnerLink } from '../accounts/firstAccount.ts';
import { auditEvent, operator } from '../audit/audit.ts';
import type { AuditKind } from '../audit/kinds.ts';
import type { Subject } from '../audit/line.ts';
import { readAuditDays } from '../config.ts';
import type { Tx } from '../database/db.ts';
import { migrate as bringUp, CONNECT_WITHIN_MS } from '../database/migrate.ts';
import { knownMigrations } from '../database/migrations.ts';
import { beginExport, type Exported, exportAccount } from '../import/exportAccount.ts';
import { importFile as readAll } from '../import/importData.ts';
import type { Imported } from '../import/imported.ts';
import { importSchema } from '../import/schema.ts';
import { InvalidRequest } from '../values/errors.ts';
import { commit, version as packageVersion } from '../values/version.ts';
import { accountOfWorkspace } from '../workspaces/adminQueries.ts';
import { type Context, command, Pieces } from './command.ts';
import { importSource, printSource, sourceOptions } from './importSource.ts';
import { flag, id } from './options.ts';

export const migrate = command({
  summary: 'migrate the database to the schema of this version; safe to repeat and to run concurrently',
  options: {},
  note: 'If there is no account, it prints a one-time link to create the first one.',
  async run(context) {
    const baseUrl = context.baseUrl();
    const warning = await bringUp(context.databaseUrl());
    const ownerLink = await makeOwnerLink((await context.db({ mostWaitMs: CONNECT_WITHIN_MS })).pool(), baseUrl, null);
    return { migrated: true, migrations: (await knownMigrations()).length, ...(warning && { warning }), ownerLink };
  },
  print: ({ migrations, warning, ownerLink }) => {
    const first = [
      'There is no account yet. Open this link to create it and become its owner. It works once, within 7 days:',
      `  ${ownerLink}`,
    ];
    return [`The database has all ${migrations} migrations.`, ...(warning ? [warning] : []), ...(ownerLink === null ? [] : first)].join(
      '\n',
    );
  },
});

export const importFile = command({
  summary: 'import accounts from a JSON file, all or nothing, or the export of another service; keys are printed only once',
  argument: 'FILE|-',
  alone: 'schema',
  options: {
    schema: flag('print the JSON Schema of such a file instead'),
    unassign: flag('import open items without an assignee or owner who cannot be assigned there, and list them'),
    ...sourceOptions,
  },
  note: 'docs/import.md describes the files.',
  async run(context, { schema, unassign, format, ...given }, file) {
    if (schema) return new Pieces([JSON.stringify(importSchema())], [JSON.stringify(importSchema(), null, 2)]);
    if (format) return importSource(context, { format, ...given }, file);
    const [unused] = Object.keys(given);
    if (unused) throw new InvalidRequest([unused], 'needs --format; give it, too.');
    const { source, close } = await context.openFile(file);
    try {
      const imported = await readAll(await context.db({ unlimited: true }), source, { unassign });
      return new Pieces(jsonOf(imported), linesOf(imported));
    } finally {
      await close();
    }
  },
  print: printSource,
});

function* jsonOf(imported: Imported): Generator<string> {
  yield '{"refs":{';
  let separator = '';
  for (const [ref, become] of imported.refs()) {
    yield `${separator}${JSON.stringify(ref)}:${JSON.stringify(become)}`;
    separator = ',';
  }
  yield `},"keys":${JSON.stringify([...imported.keys()])},"warnings":${JSON.stringify([...imported.warnings()])}}`;
}

function* linesOf(imported: Imported): Generator<string> {
  yield 'Imported.';
  for (const [ref, { id, key }] of imported.refs()) yield `\n${ref}: id ${id}${key ? `, key ${key}` : ''}`;
  for (const { at, name, id, key } of imported.keys()) yield `\n${at} (${name}): id ${id}, key ${key}`;
  for (const warning of imported.warnings()) yield `\n${warning}`;
}

export const exportOne = command({
  summary: 'print an account as an import file, without passwords and keys',
  options: { account: id('account') },
  note: 'docs/import.md describes the file. It contains personal notes, so protect it like a backup.',
  run: (context, { account }) =>
    writeExport(context, 'account.exported', { type: 'account', id: account }, async () => ({ accountId: account })),
});

export const exportWorkspace = command({
  summary: 'print a workspace as an import file, with the users of its account',
  options: { workspace: id('workspace') },
  note: 'The file has no personal notes, keys or agents. docs/import.md describes it.',
  run: (context, { workspace }) =>
    writeExport(context, 'workspace.exported', { type: 'workspace', id: workspace }, async (tx) => ({
      accountId: await accountOfWorkspace(tx, workspace),
      workspaceId: workspace,
    })),
});

async function writeExport(context: Context, kind: AuditKind, subject: Subject, read: (tx: Tx) => Promise<Exported>): Promise<undefined> {
  const db = await context.db({ unlimited: true });
  const exported = await read(db.pool());
  // Audited before the export starts, because even an interrupted export has been read in part.
  await db.transaction((tx) => auditEvent(tx, operator(), kind, subject));
  await db.transaction(async (tx) => {
    await beginExport(tx);
    for await (const piece of exportAccount(tx, exported)) await context.write(piece);
  });
}

export const prune = command({
  summary: 'delete now what is kept for a limited time only; a worker does it every hour',
  options: {},
  async run(context) {
    const deleted = await pruneAll(await context.db(), { auditDays: readAuditDays(context.environment) });
    return { deleted };
  },
});

export const version = command({
  summary: 'print version, commit and Node version',
  options: {},
  run: async () => ({ version: packageVersion, commit, node: process.versions.node }),
});
