/** The page "Import" of a workspace, with a worker, on a wide screen and on a phone (behaviour §36.20–§36.27). */
import type { Page } from 'playwright-core';
import { connectDb } from '../../../src/database/db.ts';
import { getImport, uploadImport } from '../../../src/import/runs/imports.ts';
import { ImportMap } from '../../../src/import/sources/map.ts';
import { outputOf } from '../../../src/operations/json.ts';
import { perform } from '../../../src/operations/perform.ts';
import { fileOf, pieces } from '../../import/runs/importWorld.ts';
import { expectAccessible, expectFitsPhone, fileBrowser, signIn } from '../../support/browser.ts';
import { fileDatabase } from '../../support/database.ts';
import { PASSWORD } from '../../support/password.ts';
import { suite } from '../../support/suite.ts';
import { runningWorker } from '../../support/workers.ts';
import { startWeb, type Web, type WorldRefs, world } from '../../support/world.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
const browser = fileBrowser();
let web: Web;
let refs: WorldRefs;

const person = (ref: string, name: string) => ({ ref, email: `${ref}@acme.example`, name, password: PASSWORD });

test.before('a workspace', async () => {
  refs = await world(database.url, {
    accounts: [
      {
        name: 'Acme',
        users: [{ ...person('ana', 'Ana Lind'), accountRole: 'owner' }, person('bo', 'Bo Berg'), person('cy', 'Cy Dahl')],
        workspaces: [
          {
            ref: 'apollo',
            name: 'Apollo',
            members: [
              { user: 'ana', role: 'owner' },
              { user: 'bo', role: 'member' },
              { user: 'cy', role: 'manager' },
            ],
          },
        ],
      },
    ],
  });
  web = await startWeb(database.url);
});
test.after('stop', () => web?.stop());

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
const csv = (given: Parameters<typeof fileOf>[0]) => ({ name: 'shop.csv', mimeType: 'text/csv', buffer: Buffer.from(fileOf(given)) });

for (const [device, viewport] of [
  ['a wide screen', { width: 1440, height: 900 }],
  ['a phone', { width: 390, height: 844 }],
] as const)
  test(`a file is uploaded, previewed, changed, imported, found by its key and undone on ${device}`, async (t) => {
    await runningWorker(t, database.url);
    const page = await browser.page(t, { viewport });
    await signIn(page, web.baseUrl, 'ana@acme.example');
    const apollo = `${web.baseUrl}/workspaces/${refs.id('apollo')}`;
    await page.goto(`${apollo}/settings/import`);
    await expectAccessible(t, page);
    await page.setInputFiles('input[type=file]', csv(issues));
    await page.click('#upload button');
    await page.waitForSelector('text=Import 3 items');
    t.is(await page.inputValue('select[name=format]'), 'jira');
    t.true((await page.locator('#preview tbody tr').count()) === 3);
    t.regex(await page.innerText('#report'), /Refused rows\s+1[\s\S]*it has no key/);
    await expectAccessible(t, page);
    await expectFitsPhone(t, page);
    // Zoe is Ana here.
    await page.selectOption('select[aria-label="Zoe"]', { label: 'Ana Lind' });
    await page.click('#choices button:has-text("Update preview")');
    await page.waitForSelector('#preview tr:has-text("Refund"):has-text("Ana Lind")');
    await page.click('#summary button:has-text("Import 3 items")');
    await page.waitForSelector('#result');
    t.regex(await page.innerText('#result'), /3 items created, 1 comment added, 1 row refused/);
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#result a[download]')]);
    const csvFile = Buffer.concat(await (await download.createReadStream()).toArray()).toString();
    t.regex(csvFile, /"5","","[^"]*","yes","it has no key/);
    await expectAccessible(t, page);
    await page.goto(`${apollo}?q=shop-3`);
    await page.click('a:has-text("Refund")');
    await page.waitForSelector('text=SHOP-3');
    await expectAccessible(t, page);
    await page.goto(`${apollo}/settings/import`);
    await page.click('#imports a:has-text("shop.csv") >> nth=0');
    await page.click('button:has-text("Undo import")');
    await page.getByRole('dialog').getByRole('button', { name: 'Undo import' }).click();
    await page.waitForSelector('text=Undone');
    await page.goto(`${apollo}?q=shop-3`);
    t.is(await page.locator('a:has-text("Refund")').count(), 0);
  });

test('without script a file is uploaded, and a file that is none says what to do', async (t) => {
  await runningWorker(t, database.url);
  const page = await browser.page(t, { javaScriptEnabled: false });
  await signIn(page, web.baseUrl, 'ana@acme.example');
  const address = `${web.baseUrl}/workspaces/${refs.id('apollo')}/settings/import`;
  await page.goto(address);
  await page.setInputFiles('input[type=file]', { name: 'shop.zip', mimeType: 'application/zip', buffer: Buffer.from('PK\x03\x04 more') });
  await page.click('#upload button');
  t.regex(await page.innerText('#upload'), /zip or Excel file. Unpack it/);
  await page.setInputFiles('input[type=file]', {
    name: 'half.json',
    mimeType: 'application/json',
    buffer: Buffer.from('[{"number": 1, "title": "Ha'),
  });
  await page.click('#upload button');
  for (let looks = 0; looks < 100 && !(await page.isVisible('text=Not readable')); looks++) {
    await page.waitForTimeout(100);
    await page.reload();
  }
  t.regex(await page.innerText('#summary'), /The JSON ends too early/);
  await page.click('#summary button:has-text("Discard")');
  await page.waitForURL(/settings\/import(\?|$)/);
  await page.setInputFiles('input[type=file]', csv(issues));
  await page.click('#upload button');
  for (let looks = 0; looks < 100 && !(await page.isVisible('text=Import 3 items')); looks++) {
    await page.waitForTimeout(100);
    await page.click('text=Refresh').catch(() => {});
  }
  t.true(await page.isVisible('text=Import 3 items'));
});

const sheet = 'Title,Assignee,Due date,Points\nPay by card,Zoe,03/04/2026,2\nRefund,max@new.example,05/06/2026,1\n';
const sheetFile = { name: 'sheet.csv', mimeType: 'text/csv', buffer: Buffer.from(sheet) };

/** Uploads the sheet without script, and waits until it is read. */
async function uploaded(page: Page): Promise<void> {
  await page.goto(`${web.baseUrl}/workspaces/${refs.id('apollo')}/settings/import`);
  await page.setInputFiles('input[type=file]', sheetFile);
  await page.click('#upload button');
  await refreshed(page, 'text=Import 2 items');
}

/** The page reloads itself only with script. */
async function refreshed(page: Page, selector: string): Promise<void> {
  for (let looks = 0; looks < 100; looks++) {
    if (await page.isVisible(selector)) return;
    if (!(await page.isVisible('text=Refresh'))) throw new Error(await page.innerText('main'));
    await page.waitForTimeout(200);
    await page.click('text=Refresh');
  }
}

test('a manager who can not invite is offered members only, and unambiguous dates ask nothing', async (t) => {
  await runningWorker(t, database.url);
  const page = await browser.page(t, { javaScriptEnabled: false });
  await signIn(page, web.baseUrl, 'cy@acme.example');
  await uploaded(page);
  t.deepEqual(await page.locator('select[name=unknownPeople] option').allInnerTexts(), ['Leave all unassigned']);
  t.is(await page.locator('select[aria-label="Zoe"] option:has-text("Invite")').count(), 0);
  t.is(await page.locator('input[name=personMail]').count(), 0);
  t.is(await page.locator('select[name=dateTo]').count(), 1);
  await page.goto(`${web.baseUrl}/workspaces/${refs.id('apollo')}/settings/import`);
  await page.setInputFiles('input[type=file]', { ...sheetFile, buffer: Buffer.from(sheet.replaceAll(/(..).(..).2026/g, '2026-$2-$1')) });
  await page.click('#upload button');
  await refreshed(page, 'text=Import 2 items');
  t.is(await page.locator('select[name=dateTo]').count(), 0);
});

test('without script, people are invited, and the order of dates and the hours per point are chosen', async (t) => {
  await runningWorker(t, database.url);
  const page = await browser.page(t, { javaScriptEnabled: false });
  page.setDefaultTimeout(20_000);
  await signIn(page, web.baseUrl, 'ana@acme.example');
  await uploaded(page);
  t.regex(await page.innerText('#choices'), /Emails are not set up: after the start, create links for them on the page People/);
  await page.selectOption('select[aria-label="Due date"] >> nth=0', { label: 'Month/day' });
  await page.fill('input[name=hoursPerPoint]', '8');
  await page.selectOption('select[name=unknownPeople]', { label: 'Invite assignees with an email address' });
  await page.selectOption('select[aria-label="Zoe"]', { label: 'Invite' });
  await page.click('#choices button:has-text("Update preview")');
  t.regex(await page.innerText('#choices'), /People: Give an email address|Zoe: give an email address/i);
  await page.selectOption('select[aria-label="Due date"] >> nth=0', { label: 'Month/day' });
  await page.fill('input[name=hoursPerPoint]', '8');
  await page.selectOption('select[name=unknownPeople]', { label: 'Invite assignees with an email address' });
  await page.selectOption('select[aria-label="Zoe"]', { label: 'Invite' });
  await page.fill('input[aria-label="Email of Zoe"]', 'zoe@new.example');
  await page.click('#choices button:has-text("Update preview")');
  await refreshed(page, 'text=Import 2 items');
  t.regex(
    await page.innerText('#choices'),
    /Invited: zoe@new\.example[\s\S]*Invited: max@new\.example|Invited: max@new\.example[\s\S]*Invited: zoe@new\.example/,
  );
  t.regex(await page.innerText('#preview'), /4 Mar/);
  await page.click('#summary button:has-text("Import 2 items")');
  await refreshed(page, '#result');
  t.regex(await page.innerText('#result'), /2 items created/);
  t.regex(await page.innerText('#summary'), /Emails are not set up\. Create links for the people/);
  await page.goto(`${web.baseUrl}/workspaces/${refs.id('apollo')}?q=refund`);
  t.regex(await page.innerText('main'), /max/i);
});

test('a new preview keeps choices about names that the page does not list, and shows labels that are left out', async (t) => {
  const db = await connectDb(database.url);
  t.teardown(() => db.close());
  const [apollo, ana] = [refs.id('apollo'), refs.id('ana')];
  const statuses = Array.from({ length: 201 }, (_, n) => `Task ${n},Status ${n},${n === 0 ? 'noise' : ''}`);
  const importId = await uploadImport(
    db,
    { kind: 'user', userId: ana },
    {
      ...{ workspaceId: apollo, fileName: 'many.csv', source: pieces(['Title,Status,Labels', ...statuses].join('\n')), quotaBytes: 1e9 },
      map: ImportMap.parse({ statuses: { 'Status 200': 'in_review' }, labels: { noise: null }, hoursPerPoint: 8 }),
    },
  );
  await runningWorker(t, database.url);
  const page = await browser.page(t, { javaScriptEnabled: false });
  await signIn(page, web.baseUrl, 'ana@acme.example');
  await page.goto(`${web.baseUrl}/workspaces/${apollo}/settings/import/${importId}`);
  const map = async () => {
    await refreshed(page, 'text=Import 201 items');
    return outputOf(await perform(db, { kind: 'user', userId: ana }, getImport, { workspaceId: apollo, importId })).map;
  };
  await map();
  t.is(await page.locator('input[name=status]').count(), 200);
  const choose = async (table: string, name: string, label: string) => {
    await page.click(`#choices summary:has-text("${table}")`);
    await page.selectOption(`select[aria-label="${name}"]`, { label });
  };
  await choose('Statuses', 'Status 0', 'In review');
  await page.click('#choices button:has-text("Update preview")');
  const { statuses: chosen, labels, hoursPerPoint } = await map();
  t.deepEqual([chosen, labels, hoursPerPoint], [{ 'Status 200': 'in_review', 'Status 0': 'in_review' }, { noise: null }, 8]);
  await choose('Statuses', 'Status 0', 'As proposed');
  await choose('Labels', 'noise', 'As proposed');
  await page.click('#choices button:has-text("Update preview")');
  const last = await map();
  t.deepEqual([last.statuses, last.labels], [{ 'Status 200': 'in_review' }, {}]);
});
