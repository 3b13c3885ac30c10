/** The inbox by keyboard and with the pointer: move, approve, reject with a reason, done and snooze in the row. */
import { expectAccessible, expectFitsPhone, fileBrowser, openAs } from '../support/browser.ts';
import { fileDatabase } from '../support/database.ts';
import { fillInbox } from '../support/inbox.ts';
import { suite } from '../support/suite.ts';
import { emailOf, type WorkWorld, workWorld } from '../support/workWorld.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
const browser = fileBrowser();
let work: WorkWorld;
test.before('a workspace with requests and comments', async () => {
  work = await workWorld(database.url, {
    items: [
      { ref: 'car', type: 'requirement', title: 'Take a car along' },
      { ref: 'dog', type: 'requirement', title: 'Take a dog along' },
      { ref: 'deck', type: 'task', title: 'Paint the deck', fields: { assigneeId: { ref: 'max' } } },
    ],
  });
  await fillInbox(database.url, work, { requirements: ['car', 'dog'], task: 'deck', comments: ['First', 'Second'] });
});
test.after('stop', () => work?.stop());

test('J, A, E and H work on the focused row, rejecting asks for the reason there', async (t) => {
  const page = await browser.shared(t);
  await openAs(page, work.web.baseUrl, emailOf('max'), `${work.web.baseUrl}/notifications`);
  await page.keyboard.press('j');
  await page.keyboard.press('a');
  await page.getByText('Approved.').waitFor();
  await page
    .getByLabel(/^Reject Take a/)
    .first()
    .click();
  await page.getByRole('textbox', { name: /^Message to/ }).fill('Not by car');
  await expectAccessible(t, page);
  await expectFitsPhone(t, page);
  await page.getByRole('button', { name: /with this message$/ }).click();
  await page.getByText('Rejected.').waitFor();
  t.is(await page.locator('.told.ask').count(), 0);
  const rows = page.locator('.told.unread');
  const before = await rows.count();
  await rows.first().locator('.what a').focus();
  await page.keyboard.press('e');
  await page.getByText('Done.').waitFor();
  t.is(await rows.count(), before - 1);
  await rows.first().locator('.what a').focus();
  await page.keyboard.press('h');
  await page.locator('.menu-box .opt:focus').waitFor();
  await page.getByRole('button', { name: /^Tomorrow/ }).click();
  await page.getByText('Snoozed.', { exact: true }).waitFor();
  t.is(await rows.count(), before - 2);
});
