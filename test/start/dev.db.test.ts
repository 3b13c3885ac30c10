/** `npm run dev`, in a copy of the code that the test changes. */
import { cpSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ExecutionContext } from 'ava';
import { serversOf, waitFor } from '../../src/embedded/life.ts';
import { temporaryFolder } from '../support/disposable.ts';
import { eventually } from '../support/eventually.ts';
import { spawnFor } from '../support/processes.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const LIMIT_MS = 40_000;
const root = fileURLToPath(new URL('../../', import.meta.url));
const unset = { DATABASE_URL: undefined, SECRET_KEY: undefined, BASE_URL: undefined, LOG_LEVEL: undefined, NODE_COMPILE_CACHE: undefined };

function copyOfCode(t: ExecutionContext): string {
  const folder = temporaryFolder();
  t.teardown(async () => {
    await waitFor(() => serversOf(join(folder, '.data/postgres/data'), 0).length === 0, 10_000);
    rmSync(folder, { recursive: true, force: true });
  });
  for (const name of ['src', 'workers', 'sql', 'package.json']) cpSync(join(root, name), join(folder, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

/** Saves as many editors do: the new file replaces the old one. */
function save(file: string, text: string): void {
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}

/** The answer of GET once it is as wanted. Until then other processes may answer, or none. */
async function answered(
  address: string,
  headers: Record<string, string>,
  isWanted: (status: number, text: string) => boolean,
): Promise<string> {
  const ask = async () => {
    try {
      const response = await fetch(address, { headers, signal: AbortSignal.timeout(5_000) });
      return { status: response.status, text: await response.text() };
    } catch (error) {
      return { status: 0, text: String(error) };
    }
  };
  const { status, text } = await eventually(ask, (last) => isWanted(last.status, last.text), LIMIT_MS);
  if (!isWanted(status, text)) throw new Error(`${address} was last answered ${text}`);
  return text;
}

const isOk = (status: number) => status === 200;

test('changed code is served, broken code waits for the next change, and the database is kept', async (t) => {
  const folder = copyOfCode(t);
  const dev = spawnFor(t, [join(folder, 'src/start.ts'), '--dev'], { cwd: folder, detached: true, env: { ...unset, PORT: '0' } });
  const address = /http:\S+/.exec(await dev.line(/^Stint is running at /))![0];
  const key = { 'X-API-Key': /^REST key +(\S+)/.exec(await dev.line(/^REST key/))![1]! };
  const before = await answered(`${address}/api/v1/workspaces`, key, isOk);

  const health = join(folder, 'src/http/health.ts');
  save(health, readFileSync(health, 'utf8').replace("status: 'up'", "status: 'up again'"));
  await answered(`${address}/healthz`, {}, (_status, text) => text.includes('up again'));
  t.is(await answered(`${address}/api/v1/workspaces`, key, isOk), before);

  const web = join(folder, 'src/web.ts');
  const works = readFileSync(web, 'utf8');
  save(web, 'this is not TypeScript');
  await dev.line(/^The web process ended by itself/);
  const next = String(readdirSync(join(folder, 'sql')).length + 1).padStart(4, '0');
  writeFileSync(join(folder, `sql/${next}_probe.sql`), 'create table probe (id integer)');
  await dev.line(new RegExp(`^sql/${next}_probe.sql has changed`));
  save(web, works);
  await answered(`${address}/readyz`, {}, isOk);
  t.is(await answered(`${address}/api/v1/workspaces`, key, isOk), before);

  process.kill(-dev.pid, 'SIGINT');
  t.deepEqual(await dev.exit(), { code: 0, signal: null });
});
