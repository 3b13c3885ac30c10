import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import type { z } from 'zod';
import { callersFolders, readBaseUrl, readDatabaseUrl, readWebhookSettings } from '../config.ts';
import type { Limits } from '../database/connections.ts';
import { connectDb, type Db } from '../database/db.ts';
import { databaseState, INCOMPATIBLE } from '../database/migrations.ts';
import { explainTrouble, troubles } from '../database/trouble.ts';
import { runningAddress, runningDatabase } from '../embedded/running.ts';
import { type OpenFile, openPath, spool } from '../import/file/source.ts';
import { storedSecretKey } from '../start/dataFolder.ts';
import type { WebhookSettings } from '../webhooks/manage.ts';

export interface Option<Schema extends z.ZodType = z.ZodType> {
  /** Parses the text of the option, or `true` for a switch. Must accept undefined if the option is optional. */
  schema: Schema;
  /** Name of the value in the help. Null for a switch. */
  value: string | null;
  help: string;
}

export const option = <Schema extends z.ZodType>(schema: Schema, value: string | null, help: string): Option<Schema> => ({
  schema,
  value,
  help,
});

export type Options = Record<string, Option>;
type Values<Given extends Options> = { [Name in keyof Given]: z.infer<Given[Name]['schema']> };

/** Everything that commands use. Opens nothing before its first use. */
export interface Context {
  environment: NodeJS.ProcessEnv;
  /** Throws an Error with instructions if there is no database. */
  databaseUrl(): string;
  embedded(): boolean;
  /** The service's public address without a trailing slash. Throws an Error that names the fault. */
  baseUrl(): string;
  /** Settings for creating webhooks. Throws an Error that names the fault. */
  webhooks(): WebhookSettings;
  /** The service's SECRET_KEY. Throws an Error that names the fault. */
  secretKey(): string;
  /** Connected and migrated. The caller of the command closes it. */
  db(limits?: Limits): Promise<Db>;
  readText(file: string): Promise<string>;
  /** Like `readText`, but reads any part on demand and holds nothing in memory. */
  openFile(file: string): Promise<OpenFile>;
  /** Writes to stdout. Resolves when it can take more. For output too large for memory. */
  write(text: string): Promise<void>;
}

export class Pieces {
  readonly json: Iterable<string>;
  readonly lines: Iterable<string>;

  constructor(json: Iterable<string>, lines: Iterable<string>) {
    this.json = json;
    this.lines = lines;
  }
}

export interface Command<Given extends Options = Options, Result extends object = object> {
  summary: string;
  argument?: string;
  /** The switch that replaces the argument. */
  alone?: string;
  options: Given;
  note?: string;
  /** Returns the value that `--json` prints; `ok: false` in it sets exit code 1. Returns undefined if it has written everything itself. */
  run(context: Context, values: Values<Given>, argument: string): Promise<Result | Pieces | undefined>;
  print?(result: Result): string;
}

// biome-ignore lint/suspicious/noExplicitAny: one table has commands with different options
export const command = <Given extends Options, Result extends object>(definition: Command<Given, Result>): Command<any> => definition;

/** Without DATABASE_URL in the environment, the database is the one of the `npm start` that runs in this folder. */
export function openContext(environment: NodeJS.ProcessEnv): { context: Context; close(): Promise<void> } {
  let opened: Db | undefined;
  const given = () => readDatabaseUrl(environment);
  const embeddedFolder = join(process.cwd(), '.data/postgres');
  const databaseUrl = () => {
    const url = given() ?? runningDatabase(embeddedFolder);
    if (url) return url;
    throw new Error("No database found. Set DATABASE_URL, or keep 'npm start' running in this folder.");
  };
  const db = async (limits?: Limits) => {
    const url = databaseUrl();
    opened = await connectDb(url, 1, limits).catch((error) => {
      throw new Error(`The database can't be used: ${explainTrouble(error)}`);
    });
    const state = await databaseState(opened);
    if (state === 'behind' || state === 'unmigrated')
      throw new Error('The database has an older schema. Run npm run stint -- migrate first.');
    if (state === 'incompatible') throw new Error(`The database can't be used: ${INCOMPATIBLE}.`);
    if (state !== 'migrated') throw new Error(`The database can't be used: ${troubles[state]}.`);
    return opened;
  };
  const embedded = () => given() === undefined;
  const baseUrl = () => (embedded() ? runningAddress(embeddedFolder) : undefined) ?? readBaseUrl(environment);
  const webhooks = () => readWebhookSettings(embedded() ? storedSecretKey(join(process.cwd(), '.data')) : undefined, environment);
  const secretKey = () => webhooks().secretKey;
  const pathOf = (file: string) => {
    const candidates = callersFolders(environment).map((folder) => resolve(folder, file));
    return candidates.find(existsSync) ?? resolve(file);
  };
  const readText = (file: string) => (file === '-' ? text(process.stdin) : readFile(pathOf(file), 'utf8').catch(unreadable));
  const openFile = (file: string) => (file === '-' ? spool(process.stdin) : openPath(pathOf(file))).catch(unreadable);
  return {
    context: { environment, databaseUrl, embedded, baseUrl, webhooks, secretKey, db, readText, openFile, write },
    close: async () => opened?.close(),
  };
}

function unreadable(error: Error): never {
  throw new Error(`The file can't be read. Check its path and permissions: ${error.message}`);
}

/** Waits for a slow reader, so that output does not fill memory. */
async function write(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (Array.isArray(value)) return value.length ? value.join(',') : '-';
  if (typeof value !== 'object') return String(value).replaceAll('\n', ' ');
  const pairs = Object.entries(value).map(([key, one]) => `${key}=${one}`);
  return pairs.length ? pairs.join(',') : '-';
}

export function table(rows: readonly object[], next: number | null = null): string {
  const [first] = rows;
  if (!first) return 'No results.';
  const heads = Object.keys(first);
  const lines = [heads, ...rows.map((row) => Object.values(row).map(cell))];
  const widths = heads.map((_name, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const text = lines.map((line) =>
    line
      .map((value, column) => value.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return [...text, ...(next === null ? [] : [`More results: --after ${next}`])].join('\n');
}
