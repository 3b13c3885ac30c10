/** `node test/run.ts [ava's arguments]`: the tests against one PostgreSQL that exists for this run only, or against DATABASE_URL_TEST. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { guard } from '../src/embedded/guard.ts';
import { startDisposable } from './support/disposable.ts';

const ava = fileURLToPath(new URL('../node_modules/ava/entrypoints/cli.js', import.meta.url));

/** Ava ends its own workers on SIGINT; a terminal has sent it one already, a supervisor hasn't. */
async function runAva(databaseUrl: string, interrupted: AbortSignal): Promise<number> {
  const env = { ...process.env, STINT_TEST_DATABASE: databaseUrl };
  const child = spawn(process.execPath, [ava, ...process.argv.slice(2)], { stdio: 'inherit', env });
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

const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interruption.abort());

const given = process.env.DATABASE_URL_TEST;
const server = given ? undefined : await startDisposable();
try {
  process.exitCode = await runAva(given ?? server!.url, interruption.signal);
} finally {
  await server?.stop();
}
