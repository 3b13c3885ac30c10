/** Stint as an installed application, over HTTP: the manifest, its files, and "Share" (behaviour §39.4, §39.6). */
import { fileDatabase } from '../../support/database.ts';
import { suite } from '../../support/suite.ts';
import { signedIn } from '../../support/visitor.ts';
import { emailOf, type WorkWorld, workWorld } from '../../support/workWorld.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let work: WorkWorld;
test.before('a workspace', async () => {
  work = await workWorld(database.url);
});
test.after('stop', () => work?.stop());

test('the manifest names icons and the share target; its files exist', async (t) => {
  const at = (path: string) => fetch(new URL(path, work.web.baseUrl));
  const answer = await fetch(`${work.web.baseUrl}/manifest.webmanifest`);
  t.regex(answer.headers.get('Content-Type')!, /manifest/);
  const manifest = (await answer.json()) as { icons: { src: string; purpose: string }[]; scope: string; share_target: { action: string } };
  t.true(manifest.icons.some(({ purpose }) => purpose === 'maskable'));
  for (const { src } of manifest.icons) t.is((await at(src)).headers.get('Content-Type'), 'image/png');
  t.is(manifest.share_target.action, `${new URL(work.web.baseUrl).pathname}/share`);
  const worker = await at(`${manifest.scope}sw.js`);
  t.is(worker.headers.get('Cache-Control'), 'no-cache');
  t.notRegex(await worker.text(), /Function\(|eval\(/);
});

test('"Share" answers without, with odd and with too much input', async (t) => {
  const mia = await signedIn(work.web.baseUrl, emailOf('mia'));
  for (const odd of ['', '?title=%00&text=%ED%A0%80', `?title=${'x'.repeat(5_000)}`])
    t.is((await mia.go(`/share${odd}`)).status, 200, odd.slice(0, 40));
});
