/** The served API document and its reference page (behaviour §5.13). */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { fileDatabase } from '../support/database.ts';
import { type Api, startApi } from '../support/restWorld.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let api: Api;
test.before('the API', async () => {
  api = await startApi(database.url);
});
test.after('stop', () => api?.close());

const bin = (name: string) => fileURLToPath(new URL(`../../node_modules/.bin/${name}`, import.meta.url));
const run = promisify(execFile);

async function lintFolder(t: { teardown(undo: () => Promise<void>): void }): Promise<{ folder: string; document: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'stint-openapi-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const document = join(folder, 'openapi.json');
  await writeFile(document, JSON.stringify(api.document, null, 2));
  return { folder, document };
}

test.long("the document passes Redocly's recommended rules without a warning", async (t) => {
  const { folder, document } = await lintFolder(t);
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const { stdout } = await run(bin('redocly'), ['lint', document, '--extends', 'recommended', '--format', 'json'], { cwd: folder, env });
  t.deepEqual(JSON.parse(stdout).problems, []);
});

test.long("the document passes Spectral's recommended rules without a hint", async (t) => {
  const { folder, document } = await lintFolder(t);
  const rules = join(folder, 'rules.json');
  await writeFile(rules, JSON.stringify({ extends: ['spectral:oas'] }));
  const { stdout } = await run(bin('spectral'), ['lint', document, '-r', rules, '-f', 'json', '--fail-severity', 'hint', '-q'], {
    cwd: folder,
  });
  t.deepEqual(JSON.parse(stdout), []);
});

test('X-Request-Id is returned as sent, as documented', async (t) => {
  const { headers } = api.document.components.responses.Unauthenticated;
  t.regex(headers['X-Request-Id'].description, /the X-Request-Id of the request if that has this form/);
  const ask = (id: string) => api.fetch(`${api.base}/workspaces`, { headers: { 'X-Request-Id': id } });
  t.is((await ask('router.42:a-b_c')).headers.get('x-request-id'), 'router.42:a-b_c');
  t.not((await ask('no spaces')).headers.get('x-request-id'), 'no spaces');
});

test('the document is public, and only GET and HEAD are allowed', async (t) => {
  const found = await fetch(`${api.base}/openapi.json`);
  t.is(found.status, 200);
  t.is(found.headers.get('content-type'), 'application/json; charset=utf-8');
  t.like(await found.json(), { openapi: '3.1.0' });
  t.is((await fetch(`${api.base}/openapi.json`, { method: 'HEAD' })).status, 200);
  const refused = await fetch(`${api.base}/openapi.json`, { method: 'POST' });
  t.is(refused.status, 405);
  t.is(refused.headers.get('allow'), 'GET, HEAD');
});

test('the reference page works with and without a trailing slash, under a policy without inline script or style', async (t) => {
  for (const end of ['', '/']) {
    const page = await fetch(`${api.base}/docs${end}`, { redirect: 'manual' });
    t.is(page.status, 200);
    t.regex(page.headers.get('content-security-policy')!, /^default-src 'none'; script-src 'self'; style-src 'self';/);
    t.notRegex(page.headers.get('content-security-policy')!, /unsafe/);
    const html = await page.text();
    t.notRegex(html.replaceAll(api.base, ''), /<style|<script>|style=|(?:href|src|action)="https?:/);
  }
});

test('the application serves everything that the reference page requests', async (t) => {
  const html = await (await fetch(`${api.base}/docs`)).text();
  const places = [...html.matchAll(/(?:<link[^>]* href|src)="(\/[^"]+)"/g)].map((match) => match[1]!);
  t.true(places.length >= 5);
  for (const place of places) {
    t.true(place.startsWith('/stint/'));
    const found = await fetch(new URL(place, api.base), { redirect: 'manual' });
    t.is(found.status, 200, place);
    t.is(found.headers.get('x-content-type-options'), 'nosniff');
    t.true((await found.arrayBuffer()).byteLength > 0);
  }
});

test('a client that does not accept gzip gets the plain bytes', async (t) => {
  const [plain, zipped] = await Promise.all(
    ['identity', 'gzip'].map((encoding) => fetch(`${api.base}/openapi.json`, { headers: { 'Accept-Encoding': encoding } })),
  );
  t.is(plain!.headers.get('content-encoding'), null);
  t.is(zipped!.headers.get('content-encoding'), 'gzip');
  t.is(await plain!.text(), await zipped!.text());
});
