/** `npm start` runs everything on one machine (behaviour §1.2, §1.4): PostgreSQL unless DATABASE_URL is set, migrations, sample account,
 *  web and worker. A killed worker is replaced. `npm run dev` adds `--dev`: both restart after each code change. */
import './start/requireNode.js';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Config, readConfig } from './config.ts';
import { startEmbedded } from './embedded/startEmbedded.ts';
import type { SampleAccess } from './sample/load.ts';
import { banner } from './start/banner.ts';
import { compiledCode, openDataFolder, readSampleAccess, secretKey, storeSampleAccess } from './start/dataFolder.ts';
import { freePort, help, readOptions } from './start/options.ts';
import { startServices } from './start/services.ts';
import { startWatched } from './start/watched.ts';
import { messageOf } from './values/errors.ts';

const folder = join(process.cwd(), '.data');
const options = optionsGiven();
const READY_WITHIN_MS = options.dev ? Number.POSITIVE_INFINITY : 60_000;

/** Aborted by a signal (reason: undefined) or by a failure (reason: a sentence). */
const ending = new AbortController();
const undo: (() => Promise<void>)[] = [];

interface Database {
  environment: NodeJS.ProcessEnv;
  announce(address: string): void;
  sample(config: Config): Promise<SampleAccess | undefined>;
}

/** The sample account is only added to the embedded database. */
const given: Database = { environment: process.env, announce() {}, sample: async () => undefined };

function optionsGiven() {
  try {
    const found = readOptions(process.argv.slice(2));
    if (!found.help) return found;
    process.stdout.write(`${help}\n`);
    process.exit(0);
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n`);
    process.exit(1);
  }
}

async function embedded(): Promise<Database> {
  openDataFolder(folder);
  const database = await startEmbedded(join(folder, 'postgres'));
  undo.push(database.stop);
  database.exited.then((log) => ending.abort(`PostgreSQL stopped:\n${log}`));
  return {
    environment: {
      ...process.env,
      DATABASE_URL: database.url,
      DATABASE_DIRECT_URL: '',
      SECRET_KEY: process.env.SECRET_KEY || secretKey(folder),
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE || compiledCode(folder),
    },
    announce: database.announce,
    sample: ({ local }) => sampleAccess(database.url, options.sample ?? local),
  };
}

/** Every start prints the sample access of the first start. */
async function sampleAccess(databaseUrl: string, wanted: boolean): Promise<SampleAccess | undefined> {
  const known = readSampleAccess(folder);
  if (known || !wanted) return known;
  const { loadSample } = await import('./sample/load.ts');
  const made = await loadSample(databaseUrl);
  if (made) storeSampleAccess(folder, made);
  return made;
}

/** Reports faults of the environment before anything starts. Fills in the variables that the embedded database sets later. */
function checkEnvironment(): void {
  const own = { DATABASE_URL: 'postgres://127.0.0.1/postgres', SECRET_KEY: process.env.SECRET_KEY || '0'.repeat(64) };
  readConfig(process.env.DATABASE_URL ? process.env : { ...process.env, ...own });
  if (options.sample && process.env.DATABASE_URL)
    throw new Error('The sample needs its own database. Start without DATABASE_URL, or without --sample.');
  if (options.sample === false && !process.env.DATABASE_URL && readSampleAccess(folder))
    throw new Error('The sample account is already in .data. Start without --no-sample, or delete the folder .data with all its data.');
}

async function answers({ port, host, basePath }: Config): Promise<void> {
  const address = `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${port}${basePath}/readyz`;
  for (const end = Date.now() + READY_WITHIN_MS; Date.now() < end; await sleep(25)) {
    ending.signal.throwIfAborted();
    const response = await fetch(address, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined);
    await response?.body?.cancel();
    if (response?.ok) return;
  }
  throw new Error(`The web process does not answer at ${address}; see its messages above.`);
}

async function bringUp(): Promise<void> {
  checkEnvironment();
  const loading = Promise.all([import('./database/migrate.ts'), import('./start/banner.ts'), import('graphile-worker')]);
  const database = process.env.DATABASE_URL ? given : await embedded();
  const first = readConfig(database.environment);
  const environment = { ...database.environment, PORT: String(await freePort(first.port, first.host)) };
  const config = readConfig(environment);
  ending.signal.throwIfAborted();
  const [{ migrate }, { firstOwnerLink }] = await loading;
  await migrate(config.directUrl);
  const sample = await database.sample(config);
  ending.signal.throwIfAborted();
  const services = options.dev
    ? startWatched(environment, async () => void (await migrate(config.directUrl)))
    : startServices(environment, (why) => ending.abort(why));
  undo.push(services.stop);
  const [ownerLink] = await Promise.all([firstOwnerLink(config), answers(config)]);
  database.announce(config.baseUrl);
  process.stdout.write(`${banner(config.baseUrl, { sample, ownerLink })}\n`);
}

// npm passes Ctrl-C on and the terminal sends it, too: the second signal changes nothing.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => ending.abort(undefined));
// Without a listener, a closed terminal would end the process before it stops PostgreSQL.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

let failure: string | undefined;
try {
  await bringUp();
  await new Promise<void>((resolve) => {
    if (ending.signal.aborted) resolve();
    ending.signal.addEventListener('abort', () => resolve());
  });
} catch (error) {
  if (!ending.signal.aborted) failure = messageOf(error);
}
if (typeof ending.signal.reason === 'string') failure = ending.signal.reason;
for (const step of undo.reverse()) await step();
if (failure !== undefined) process.stderr.write(`${failure}\n`);
process.exit(failure === undefined ? 0 : 1);
