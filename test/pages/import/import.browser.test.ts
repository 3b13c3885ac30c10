/** The page "Import" of a workspace in a browser, which follows the work by itself (behaviour §36.20–§36.27). import.db.test.ts covers
 *  choices and rights. */
import { fileOf } from '../../import/runs/importWorld.ts';
import { expectAccessible, expectFitsPhone, fileBrowser, openAs } from '../../support/browser.ts';
import { PASSWORD } from '../../support/password.ts';
import { suite } from '../../support/suite.ts';
import { runDueJobs } from '../../support/tasks.ts';
import { timeWorld } from '../../support/timeWorld.ts';
import { world as made, oneWorkspace, startWeb } from '../../support/world.ts';

const test = suite(import.meta.url);

const world = timeWorld();
const browser = fileBrowser();

const issues = [
  { key: 'SHOP-1', title: 'Checkout', type: 'Epic' },
  { key: 'SHOP-2', title: 'Pay by card', status: 'In Progress', parent: 'SHOP-1', assignee: 'Bo Berg', labels: ['Payment'] },
  {
    key: 'SHOP-3',
    title: 'Refund',
    status: 'To Do',
    assignee: 'Zoe',
    blockedBy: ['SHOP-2'],
    comments: [{ author: 'Zoe', at: '03/Feb/26 10:00 AM', body: 'Soon.' }],
  },
  'bad' as const,
];

test('a file is uploaded, previewed, changed, imported, found by its key and undone', async (t) => {
  const account = oneWorkspace(
    { members: [{ user: 'bo', role: 'member' }] },
    { users: [{ ref: 'bo', email: 'bo@acme.example', name: 'Bo Berg' }] },
  );
  Object.assign(account.accounts[0]!.users![0]!, { email: 'ana@acme.example', password: PASSWORD, name: 'Ana Lind' });
  const refs = await made(world.url, account);
  const web = await startWeb(world.url);
  t.teardown(web.stop);
  const page = await browser.page(t);
  const apollo = `${web.baseUrl}/workspaces/${refs.id('apollo')}`;
  await openAs(page, web.baseUrl, 'ana@acme.example', `${apollo}/settings/import`);
  await page.setInputFiles('input[type=file]', { name: 'shop.csv', mimeType: 'text/csv', buffer: Buffer.from(fileOf(issues)) });
  await page.click('#upload button');
  await page.waitForSelector('text=Reading the file');
  await runDueJobs(world);
  await page.waitForSelector('text=Import 3 items');
  t.is(await page.inputValue('select[name=format]'), 'jira');
  t.is(await page.locator('#preview tbody tr').count(), 3);
  t.regex(await page.innerText('#report'), /Refused rows\s+1[\s\S]*it has no key/);
  await expectAccessible(t, page);
  await expectFitsPhone(t, page);
  // Zoe is Ana here.
  await page.selectOption('select[aria-label="Zoe"]', { label: 'Ana Lind' });
  await page.click('#choices button:has-text("Update preview")');
  await page.waitForSelector('text=Reading the file');
  await runDueJobs(world);
  await page.waitForSelector('#preview tr:has-text("Refund"):has-text("Ana Lind")');
  await page.click('#summary button:has-text("Import 3 items")');
  await page.waitForSelector('#summary [role=status]');
  await runDueJobs(world);
  await page.waitForSelector('#result');
  t.regex(await page.innerText('#result'), /3 items created, 1 comment added, 1 row refused/);
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('#result a[download]')]);
  const csvFile = Buffer.concat(await (await download.createReadStream()).toArray()).toString();
  t.regex(csvFile, /"5","","[^"]*","yes","it has no key/);
  const imported = page.url();
  await page.goto(`${apollo}?q=shop-3`);
  await page.click('a:has-text("Refund")');
  await page.waitForSelector('text=SHOP-3');
  await page.goto(imported);
  await page.click('button:has-text("Undo import")');
  await page.getByRole('dialog').getByRole('button', { name: 'Undo import' }).click();
  await page.waitForSelector('#summary [role=status]');
  await runDueJobs(world);
  await page.waitForSelector('text=Undone');
  t.is((await world.rows('select from items where archived_at is null')).length, 0);
});
