/** Every page of the table, with the sample's data, in every size and mode (support/pageFaults.ts). EVERY_PAGE=/my checks only addresses that contain it. */
import type { ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { fileBrowser, signIn } from '../support/browser.ts';
import { fileDatabase } from '../support/database.ts';
import { pageFaults, RIGHT_TO_LEFT } from '../support/pageFaults.ts';
import { samplePages } from '../support/samplePages.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
const browser = fileBrowser();
/** Half of the items keep the sample's titles. */
const sample = samplePages(database, async (fixtures, workspaceId) => {
  await fixtures.sql('update items set title = $1 where workspace_id = $2 and id % 2 = 1', [RIGHT_TO_LEFT, workspaceId]);
  await fixtures.sql(
    `insert into notifications (account_id, workspace_id, user_id, kind, item_id, due_on, due_at)
     select account_id, workspace_id, (select min(id) from users), 'overdue', id, current_date - 1, now() from items
     where workspace_id = $1 and title = $2 limit 1`,
    [workspaceId, RIGHT_TO_LEFT],
  );
});

async function expectGood(t: ExecutionContext, page: Page, addresses: readonly string[]): Promise<void> {
  const only = process.env.EVERY_PAGE ?? '';
  const faults: string[] = [];
  for (const address of addresses.filter((one) => one.includes(only)))
    faults.push(...(await pageFaults(page, sample.now.web.baseUrl + address, true)));
  t.deepEqual(faults, []);
}

test('every page before signing in keeps its content, order and focus in every size and mode', async (t) => {
  await expectGood(t, await browser.page(t), ['/sign-in', '/forgotten', '/email', '/nowhere', '/api/v1/docs', '/api/v1/docs/webhooks']);
});

/** In parts: a run ends a file that is silent for too long. */
const PARTS = 5;
for (let part = 0; part < PARTS; part++)
  test(`every page after signing in keeps its content, order and focus in every size and mode, part ${part + 1} of ${PARTS}`, async (t) => {
    const page = await browser.shared(t);
    const { web, who, addresses } = sample.now;
    if (part === 0) await signIn(page, web.baseUrl, who.email, who.password);
    const all = [...addresses, `/search?q=${encodeURIComponent('שפות')}`];
    await expectGood(
      t,
      page,
      all.filter((_, at) => at % PARTS === part),
    );
  });
