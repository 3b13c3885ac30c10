/** The reference page in a real browser, under its own policy. */
import test from 'ava';
import { fileBrowser } from '../support/browser.ts';
import { fileDatabase } from '../support/database.ts';
import { type RestWorld, restWorld } from '../support/restWorld.ts';

const database = fileDatabase();
const browser = fileBrowser();
let world: RestWorld;
test.before('a world', async () => {
  world = await restWorld(database.url);
});
test.after.always('the world ends', () => world?.end());

test('the reference shows every operation, asks nobody else, breaks no rule of its policy, and tries operations out', async (t) => {
  const { base } = world.api;
  // The page fails this test when it breaks its policy.
  const page = await browser.page(t);
  const complaints: string[] = [];
  const asked: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('request', (request) => asked.push(request.url()));

  await page.goto(`${base}/docs`);
  const operations = page.locator('.opblock');
  await operations.first().waitFor();
  const { paths, webhooks } = world.api.document;
  const rows = Object.values<object>({ ...paths, ...webhooks }).flatMap((operation) => Object.keys(operation));
  t.is(await operations.count(), rows.length);

  await page.locator('button.authorize').first().click();
  await page.locator('.auth-container input').first().fill(world.key);
  await page.locator('.auth-btn-wrapper button.authorize').first().click();
  await page.locator('.btn-done').first().click();
  await page.locator('#operations-Access-getCapabilities .opblock-summary-control').click();
  await page.locator('#operations-Access-getCapabilities .try-out__btn').click();
  await page.locator('#operations-Access-getCapabilities .execute').click();
  const answer = page.locator('#operations-Access-getCapabilities .live-responses-table .response');
  t.regex((await answer.textContent()) ?? '', /"apiVersion"/);

  t.deepEqual(complaints, []);
  t.deepEqual(
    asked.filter((address) => !address.startsWith(`${base}/`) && !address.startsWith('data:')),
    [],
  );
  t.is(await page.evaluate('localStorage.length + sessionStorage.length'), 0);
});
