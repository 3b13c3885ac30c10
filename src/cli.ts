/** The operator's command line: `npm run -s stint -- COMMAND --json` (contract §2). */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Context } from './cli/command.ts';
import { run } from './cli/run.ts';
import { callersFolders, readDatabaseUrl } from './config.ts';
import { connectDb, type Db } from './db.ts';
import { runningDatabase } from './embedded/running.ts';
import { databaseState } from './migrations.ts';

let opened: Db | undefined;

const context: Context = {
  databaseUrl() {
    const url = readDatabaseUrl() ?? runningDatabase(join(process.cwd(), '.data/postgres'));
    if (url) return url;
    throw new Error("There is no database: set DATABASE_URL, or run 'npm start' in this folder and leave it running.");
  },
  embedded: () => readDatabaseUrl() === undefined,
  async db() {
    const url = context.databaseUrl();
    opened = await connectDb(url, 1).catch((error) => {
      throw new Error(`The database can't be reached: ${error.cause?.message ?? error.message}`);
    });
    const state = await databaseState(opened).catch(() => 'behind');
    if (state === 'behind') throw new Error("The database is not at this version's schema: run npm run stint -- migrate first.");
    return opened;
  },
  async readText(file) {
    if (file === '-') return text(process.stdin);
    const candidates = callersFolders().map((folder) => resolve(folder, file));
    return readFile(candidates.find(existsSync) ?? candidates.at(-1)!, 'utf8').catch((error) => {
      throw new Error(`The file can't be read: ${error.message}`);
    });
  },
};

const outcome = await run(process.argv.slice(2), context);
await opened?.close();
if (outcome.stderr) process.stderr.write(`${outcome.stderr}\n`);
if (outcome.stdout) process.stdout.write(`${outcome.stdout}\n`);
process.exitCode = outcome.code;
