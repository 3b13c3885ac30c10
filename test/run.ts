/** `node test/run.ts [ava's arguments]`: the tests against one PostgreSQL that exists for this run only, or against DATABASE_URL_TEST. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { guard } from '../src/embedded/guard.ts';
import { startEmbedded } from '../src/embedded.ts';
import { temporaryFolder } from './support/disposable.ts';

const ava = fileURLToPath(new URL('../node_modules/ava/entrypoints/cli.js', import.meta.url));

/** Ava ends its own workers on SIGINT; a terminal has sent it one already, a supervisor hasn't. */
async function runAva(environment: NodeJS.ProcessEnv, interrupted: AbortSignal): Promise<number> {
  const child = spawn(process.execPath, [ava, ...process.argv.slice(2)], { stdio: 'inherit', env: { ...process.env, ...environment } });
  const dismissGuard = guard(child.pid!, 'TERM');
  const pass = () => {
    child.kill('SIGINT');
    setTimeout(() => child.kill('SIGKILL'), 10_000).unref();
  };
  if (interrupted.aborted) pass();
  interrupted.addEventListener('abort', pass);
  const [code] = await once(child, 'exit');
  dismissGuard();
  return interrupted.aborted ? 130 : (code ?? 1);
}

/** Where tests put their temporary files, an ordinary user's included: all gone after the run, even one cut short. */
function scratch(folder: string): string {
  const inside = join(folder, 'tmp');
  mkdirSync(inside);
  for (const open of [folder, inside]) chmodSync(open, 0o1777);
  return inside;
}

const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interruption.abort());

const folder = temporaryFolder();
const given = process.env.DATABASE_URL_TEST;
const server = given ? undefined : await startEmbedded(join(folder, 'postgres'), { disposable: true });
try {
  const environment = { STINT_TEST_DATABASE: given ?? server!.url, TMPDIR: scratch(folder) };
  process.exitCode = await runAva(environment, interruption.signal);
} finally {
  await server?.stop();
  // A test cut short may have a server of its own that is still shutting down and writing.
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}
