import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { callersFolders, readBaseUrl, readWebhookSettings } from '../config.ts';
import type { Limits } from '../database/connections.ts';
import { connectDb, type Db } from '../database/db.ts';
import { databaseState, INCOMPATIBLE } from '../database/migrations.ts';
import { explainTrouble, troubles } from '../database/trouble.ts';
import { runningAddress, runningDatabase } from '../embedded/running.ts';
import { type OpenFile, openPath, spool } from '../import/file/open.ts';
import { storedSecretKey } from '../start/dataFolder.ts';
import type { Context } from './command.ts';

/** `given`: the database URL, undefined for the `npm start` that runs in this folder. */
export function openContext(given: () => string | undefined): { context: Context; close(): Promise<void> } {
  let opened: Db | undefined;
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
  const baseUrl = () => (embedded() ? runningAddress(embeddedFolder) : undefined) ?? readBaseUrl();
  const webhooks = () => readWebhookSettings(embedded() ? storedSecretKey(join(process.cwd(), '.data')) : undefined);
  const secretKey = () => webhooks().secretKey;
  return {
    context: { databaseUrl, embedded, baseUrl, webhooks, secretKey, db, readText, openFile, write },
    close: async () => opened?.close(),
  };
}

async function readText(file: string): Promise<string> {
  if (file === '-') return text(process.stdin);
  return readFile(pathOf(file), 'utf8').catch(unreadable);
}

function openFile(file: string): Promise<OpenFile> {
  return (file === '-' ? spool(process.stdin) : openPath(pathOf(file))).catch(unreadable);
}

function pathOf(file: string): string {
  const candidates = callersFolders().map((folder) => resolve(folder, file));
  return candidates.find(existsSync) ?? candidates.at(-1)!;
}

function unreadable(error: Error): never {
  throw new Error(`The file can't be read: ${error.message}`);
}

/** Waits for a slow reader, so that output does not fill memory. */
async function write(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}
