/** Moving selected items to another workspace in a browser (behaviour §42). move.db.test.ts covers the pages. */
import { expectFitsPhone, fileBrowser, openAs } from '../support/browser.ts';
import { fileDatabase } from '../support/database.ts';
import { suite } from '../support/suite.ts';
import { emailOf, type WorkWorld, workWorld } from '../support/workWorld.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
const browser = fileBrowser();
let work: WorkWorld;
test.before('two workspaces', async () => {
  const items = ['First', 'Second'].map((ref) => ({
    ref,
    type: 'task' as const,
    title: `${ref} of two`,
    fields: { assigneeId: { ref: 'max' } },
  }));
  const hermes = { ref: 'hermes', name: 'Hermes', members: [{ user: 'ana', role: 'owner' as const }] };
  work = await workWorld(database.url, { items }, { workspaces: [hermes] });
});
test.after('stop', () => work?.stop());

test('the bar of selected items moves several at once, after a preview, and leads back to the list', async (t) => {
  const page = await browser.page(t);
  await openAs(page, work.web.baseUrl, emailOf('ana'), `${work.at}?type=task`);
  for (const ref of ['First', 'Second']) await page.locator(`input.pick[value^="${work.refs.id(ref)}."]`).check({ force: true });
  await page.locator('form[data-bulk]').getByRole('button', { name: 'Move' }).click();
  await page.getByRole('button', { name: 'Show what changes' }).click();
  await page.getByText('Assignee: Max is removed').first().waitFor();
  await expectFitsPhone(t, page);
  await page.getByRole('button', { name: 'Move 2 tasks' }).click();
  await page.locator('#notice .toast').getByText('2 tasks moved').waitFor();
  t.true(page.url().startsWith(`${work.at}?type=task`));
  t.is(await page.getByText('First of two').count(), 0);
});
