/** `node test/support/takeScreenshots.ts`: the README's pictures of the sample account, into .readme/. */
import { mkdirSync } from 'node:fs';
import { readConfig } from '../../src/config.ts';
import { migrate } from '../../src/database/migrate.ts';
import { makeLogger } from '../../src/log.ts';
import { loadSample } from '../../src/sample/load.ts';
import { startWorker } from '../../workers/worker.ts';
import { launchChromium } from './chromium.ts';
import { startDisposable } from './disposable.ts';
import { startWeb, TEST_SECRET } from './world.ts';

const folder = new URL('../../.readme/', import.meta.url);
mkdirSync(folder, { recursive: true });
const database = await startDisposable();
await migrate(database.url);
const sample = (await loadSample(database.url))!;
const web = await startWeb(database.url);
const config = readConfig({ DATABASE_URL: database.url, SECRET_KEY: TEST_SECRET });
const worker = startWorker(config, makeLogger('silent', 'worker'), () => {});
const browser = await launchChromium();
const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, colorScheme: 'light' });
await page.goto(`${web.baseUrl}/sign-in`);
await page.getByLabel('Email').fill(sample.email);
await page.getByLabel('Password').fill(sample.password);
await page.getByRole('button', { name: 'Sign in' }).click();
await page.getByRole('heading', { name: 'My day' }).waitFor();

const work = `/workspaces/${sample.workspaceId}`;
const pictures = {
  my: '/',
  list: work,
  board: `${work}?view=board`,
  item: `${work}/items/12`,
  timeline: `${work}?view=timeline&scale=months`,
  capacity: `/capacity?workspaceId=${sample.workspaceId}`,
  agents: '/mcp-access',
};
for (const [name, path] of Object.entries(pictures)) {
  await page.goto(web.baseUrl + path);
  // A first forecast takes a moment.
  for (let looks = 0; looks < 5 && (await page.getByText(/refresh/i).count()); looks++) await page.reload();
  await page.screenshot({ path: new URL(`${name}.png`, folder).pathname });
}
await browser.close();
await worker.stop();
await web.stop();
await database.stop();
process.exit(0);
