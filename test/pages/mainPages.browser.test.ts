/** The main pages, with the sample's data, on a phone and a desktop (support/pageFaults.ts). everyPage.browser.test.ts checks all pages in all sizes and
 *  modes. */
import { fileBrowser, signIn } from '../support/browser.ts';
import { pageFaults } from '../support/pageFaults.ts';
import { samplePages } from '../support/samplePages.ts';
import { suite } from '../support/suite.ts';
import { runDueJobs } from '../support/tasks.ts';
import { timeWorld } from '../support/timeWorld.ts';
import { signedIn } from '../support/visitor.ts';

const test = suite(import.meta.url);

const world = timeWorld();
const browser = fileBrowser();
const sample = samplePages(world);

test('main pages keep their content, order and focus on a phone and a desktop, in light and dark mode', async (t) => {
  const { web, who, workspaceId, itemId } = sample.now;
  const at = `/workspaces/${workspaceId}`;
  const capacity = `/capacity?workspaceId=${workspaceId}`;
  await (await signedIn(web.baseUrl, who.email, who.password)).go(capacity);
  await runDueJobs(world);
  const page = await browser.page(t);
  const faults = await pageFaults(page, `${web.baseUrl}/sign-in`, false);
  await signIn(page, web.baseUrl, who.email, who.password);
  for (const path of ['/my', at, `${at}?view=board`, `${at}/items/${itemId}`, capacity, '/my/notes', '/settings/people'])
    faults.push(...(await pageFaults(page, web.baseUrl + path, false)));
  t.deepEqual(faults, []);
});
