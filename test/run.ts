/** `node test/run.ts`: runs the groups of tests (test/groups) on a new PostgreSQL for this run, or on DATABASE_URL_TEST.
 *  `node test/run.ts --long`: runs the long ones. `node test/run.ts FILE|FOLDER… [ava's options]`: runs these, each file in a process of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { guard } from '../src/embedded/life.ts';
import { type Embedded, startEmbedded } from '../src/embedded/startEmbedded.ts';
import { unpackChromium } from './support/chromium.ts';
import { cheapestFolder, temporaryFolder } from './support/disposable.ts';
import { failedFiles, flakyFiles } from './support/failedFiles.ts';
import { endChildren, endLeftovers } from './support/leftovers.ts';

const GROUPS = 'test/groups/*.ts';
const LONG = 'test/groups/long/*.ts';
/** Their tests read or replace sources, so they run without the bundle. */
const FROM_SOURCE = 'test/groups/long/source/*.ts';
const MOST_AGAIN = 8;
/** Several times the duration on two cores, for a busy machine. */
const LIMIT_MINUTES = 60;
/** Longer than any test may take. */
const SILENCE_MS = 5 * 60_000;
const compiledSources = fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url));
const ava = fileURLToPath(new URL('../node_modules/ava/entrypoints/cli.js', import.meta.url));

type Environment = { TMPDIR: string; NODE_OPTIONS?: string } & NodeJS.ProcessEnv;

/** Ava ends its own workers on SIGINT. A terminal has already sent it one, a supervisor hasn't. Ava waits forever for a worker that has
 *  finished its tests but does not exit: after a silence it is killed, so that its file fails. */
async function runAva(args: string[], environment: Environment, interrupted: AbortSignal): Promise<{ code: number; output: string }> {
  const child = spawn(process.execPath, [ava, ...args], { stdio: ['inherit', 'pipe', 'inherit'], env: { ...process.env, ...environment } });
  let output = '';
  const silence = setInterval(() => {
    for (const stuck of endChildren(child.pid!, environment.TMPDIR)) console.error(`Silent for too long and was ended: ${stuck}`);
  }, SILENCE_MS);
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    silence.refresh();
    process.stdout.write(text);
    output += text;
  });
  const dismissGuard = guard(child.pid!, 'TERM');
  const pass = () => {
    child.kill('SIGINT');
    setTimeout(() => child.kill('SIGKILL'), 10_000).unref();
  };
  if (interrupted.aborted) pass();
  interrupted.addEventListener('abort', pass);
  const [code] = await once(child, 'close');
  clearInterval(silence);
  dismissGuard();
  return { code: interrupted.aborted ? 130 : (code ?? 1), output };
}

/** Runs the failed files again, one after another and from their sources, to tell flaky tests from broken ones. The run fails in any
 *  case. */
async function runTests(environment: Environment, interrupted: AbortSignal): Promise<number> {
  const args = process.argv.slice(2);
  const [what = GROUPS] = args;
  const first =
    what === '--long'
      ? await runGroups([LONG], { ...environment, THOROUGH: '1' }, interrupted)
      : what.startsWith('test/groups/')
        ? await runGroups([what, ...args.slice(1)], environment, interrupted)
        : await runAva(args, environment, interrupted);
  const failed = failedFiles(first.output);
  if (first.code === 0 || interrupted.aborted || failed.length === 0 || failed.length > MOST_AGAIN) return tell(first);
  console.log(`\nRunning the failed files again, one after another:\n  ${failed.join('\n  ')}`);
  const alone = await runAva(['--concurrency', '1', ...failed], environment, interrupted);
  const flaky = flakyFiles(failed, alone);
  if (flaky.length > 0) console.error(`\nFlaky, because they failed beside others and passed alone:\n  ${flaky.join('\n  ')}`);
  return tell(first);
}

/** With a bundle for all. Bundling costs more than it saves for a file or two. */
async function runGroups(args: string[], environment: Environment, interrupted: AbortSignal): Promise<{ code: number; output: string }> {
  const { bundleInto } = await import('./support/bundle.ts');
  // Once, and not in each process that needs it.
  if (!process.env.CHROMIUM_PATH) await unpackChromium();
  const options = [process.env.NODE_OPTIONS, await bundleInto(join(folder, 'bundle'), args)].filter(Boolean).join(' ');
  const runs = [runAva(args, { ...environment, NODE_OPTIONS: options }, interrupted)];
  if (args.includes(LONG)) runs.push(runAva([FROM_SOURCE], environment, interrupted));
  const ended = await Promise.all(runs);
  return { code: Math.max(...ended.map(({ code }) => code)), output: ended.map(({ output }) => output).join('') };
}

/** Prints the closing line, for people and scripts. */
function tell({ code, output }: { code: number; output: string }): number {
  const count = (pattern: RegExp) => output.match(pattern)?.length ?? 0;
  console.log(`\n${count(/^\s*✔ /gm)} passed, ${count(/^\s*✘ /gm)} failed`);
  return code;
}

/** The folder for temporary files of tests, writable for an ordinary user. Deleted after the run, also after an interrupted one. */
function scratch(folder: string): string {
  const inside = join(folder, 'tmp');
  mkdirSync(inside);
  for (const open of [folder, inside]) chmodSync(open, 0o1777);
  return inside;
}

/** Removes what the run used, within a bounded time, so that stray processes don't delay the end. */
async function tidy(folder: string, server: Embedded | undefined): Promise<void> {
  await server?.stop().catch(console.error);
  for (const left of await endLeftovers(folder)) console.error(`Outlived the tests and was ended: ${left}`);
  for (let tries = 1; tries <= 5; tries++) {
    try {
      return await rm(folder, { recursive: true, force: true });
    } catch (error) {
      console.error(`${folder} can not be removed yet: ${(error as Error).message}`);
      await sleep(tries * 200);
    }
  }
}

const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interruption.abort());
setTimeout(() => {
  console.error(`The tests have not ended within ${LIMIT_MINUTES} minutes.`);
  interruption.abort();
}, LIMIT_MINUTES * 60_000).unref();

const folder = temporaryFolder(cheapestFolder());
const given = process.env.DATABASE_URL_TEST;
const server = given ? undefined : await startEmbedded(join(folder, 'postgres'), { disposable: true });
let code = 1;
try {
  const environment = {
    STINT_TEST_DATABASE: given ?? server!.url,
    TMPDIR: scratch(folder),
    // Hundreds of processes load the same modules. Sources of a named run stay cached for the next one. A bundle is used only once.
    NODE_COMPILE_CACHE: process.argv.length > 2 ? compiledSources : join(folder, 'compiled'),
  };
  code = await runTests(environment, interruption.signal);
} finally {
  await tidy(folder, server);
}
process.exit(code);
