/** The inbox on a phone, and Undo of what is done there. */
import { expectAccessible, expectFitsPhone, fileBrowser, openAs } from '../../support/browser.ts';
import { fileDatabase } from '../../support/database.ts';
import { fillInbox } from '../../support/inbox.ts';
import { suite } from '../../support/suite.ts';
import { drag, flick, phone } from '../../support/touch.ts';
import { emailOf, type WorkWorld, workWorld } from '../../support/workWorld.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
const browser = fileBrowser();
let work: WorkWorld;
test.before('a person with notifications', async () => {
  work = await workWorld(database.url, {
    items: [
      { ref: 'car', type: 'requirement', title: 'Take a car along' },
      { ref: 'deck', type: 'task', title: 'Paint the deck', fields: { assigneeId: { ref: 'max' } } },
    ],
  });
  await fillInbox(database.url, work, { requirements: ['car'], task: 'deck', comments: ['First', 'Second', 'Third'] });
});
test.after('stop', () => work?.stop());

test('swipes complete and snooze a notification, both with Undo', async (t) => {
  const page = await browser.page(t, phone);
  await openAs(page, work.web.baseUrl, emailOf('max'), `${work.web.baseUrl}/notifications`);
  await expectAccessible(t, page);
  await expectFitsPhone(t, page);
  const approve = (await page.getByRole('button', { name: /^Approve/ }).boundingBox())!;
  const rejecting = (await page.locator('.decide summary').boundingBox())!;
  t.true(approve.width + rejecting.width > 280, 'both fill the width');
  const rows = page.locator('.told.unread');
  const before = await rows.count();
  await drag(rows.first(), { x: 150 });
  const undo = page.locator('.toast').getByRole('button', { name: 'Undo' });
  await undo.tap();
  await page.locator('.toast', { hasText: 'Back in the inbox.' }).waitFor();
  t.is(await rows.count(), before);
  await drag(rows.first(), { x: -150 });
  await page
    .getByRole('dialog', { name: 'Snooze until' })
    .getByRole('button', { name: /^Tomorrow/ })
    .tap();
  await page.locator('.toast', { hasText: 'Snoozed.' }).waitFor();
  t.is(await rows.count(), before - 1);
  await undo.tap();
  await page.locator('.toast', { hasText: 'Back in the inbox.' }).waitFor();
  t.is(await rows.count(), before);
});

test('after a quick swipe the first tap on Undo works', async (t) => {
  const page = await browser.page(t, phone);
  await openAs(page, work.web.baseUrl, emailOf('max'), `${work.web.baseUrl}/notifications`);
  const rows = page.locator('.told.unread');
  const before = await rows.count();
  for (let n = 0; n < 3; n += 1) {
    await flick(rows.first(), 150);
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).tap();
    await page.locator('.toast', { hasText: 'Back in the inbox.' }).waitFor();
    t.is(await rows.count(), before);
  }
});

test('a notification is snoozed to a chosen day, not to one in the past; wide screens name the keys', async (t) => {
  const page = await browser.page(t, { viewport: { width: 1440, height: 900 } });
  await openAs(page, work.web.baseUrl, emailOf('max'), `${work.web.baseUrl}/notifications`);
  t.true(await page.locator('.legend').isVisible());
  const id = await page.locator('.told.unread').first().getAttribute('data-item');
  const answer = await page.request.get(`${work.web.baseUrl}/notifications/snooze?notificationId=${id!.slice(1)}`);
  t.true(answer.ok());
  await page.goto(`${work.web.baseUrl}/notifications/snooze?notificationId=${id!.slice(1)}`);
  await page.locator('input[type=date]').evaluate((one) => one.removeAttribute('min'));
  await page.getByLabel('Choose a date').fill('2020-01-01');
  await page.getByRole('button', { name: 'Snooze', exact: true }).click();
  await page.getByText(/choose a day from tomorrow on/i).waitFor();
  const later = new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10);
  await page.getByLabel('Choose a date').fill(later);
  await page.getByRole('button', { name: 'Snooze', exact: true }).click();
  await page.locator('.toast', { hasText: 'Snoozed.' }).waitFor();
});
