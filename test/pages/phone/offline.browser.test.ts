/** Stint as an installed application: offline page, what waits for a connection, and "Share" (behaviour §39.4–§39.6).
 *  installed.db.test.ts covers the manifest. */
import type { ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { expectAccessible, openAs, waitUntil } from '../../support/browser.ts';
import { suite } from '../../support/suite.ts';
import { workPages } from '../../support/workPages.ts';
import { emailOf, type Person } from '../../support/workWorld.ts';

const test = suite(import.meta.url);

const work = workPages({ items: [{ ref: 'deck', type: 'task', title: 'Paint the deck' }] });

async function open(t: ExecutionContext, address: string, who: Person = 'mia'): Promise<Page> {
  const page = await work.browser.page(t, { serviceWorkers: 'allow' });
  await openAs(page, work.web.baseUrl, emailOf(who), address);
  return page;
}

const titled = async (title: string) => (await work.rows('select from items where title = $1', [title])).length;
const waiting = (page: Page, text: RegExp | string) => page.locator('.outbox', { hasText: text });

test('what is added without a connection waits, is shown in all pages of the browser, sent later, and made once', async (t) => {
  const page = await open(t, `${work.at}?group=none`);
  const other = await page.context().newPage();
  await other.goto(work.at);
  const line = page.getByLabel(/^New task in/).first();
  await page.keyboard.press('n');
  const dialog = page.getByRole('dialog', { name: 'New task' });
  await dialog.getByRole('textbox', { name: 'Title', exact: true }).fill('Oil the winch');
  await dialog.getByRole('textbox', { name: 'Description' }).fill('Two\nlines');
  await page.context().setOffline(true);
  await dialog.getByRole('button', { name: /^Create task/ }).click();
  await waiting(page, 'Offline. 1 change waits').waitFor();
  t.false(await dialog.isVisible());
  await line.fill('Order paper');
  await page.keyboard.press('Enter');
  await waiting(page, 'Offline. 2 changes wait').waitFor();
  await waiting(other, 'Offline. 2 changes wait').waitFor();
  t.is(await line.inputValue(), '');
  await page.getByRole('button', { name: 'Show' }).click();
  await page.getByRole('dialog', { name: 'Waiting changes' }).getByText('Order paper').waitFor();
  await expectAccessible(t, page);
  await page.close();
  await other.context().setOffline(false);
  await waiting(other, /./).waitFor({ state: 'detached' });
  t.is(await titled('Order paper'), 1);
  t.is(await titled('Oil the winch'), 1);
});

test('a form whose answer got lost is not carried out again', async (t) => {
  const page = await work.open(t, work.item('deck'), 'mia');
  let lost = 0;
  await page.route('**/comments', async (route) => {
    if (route.request().method() !== 'POST' || lost++ > 0) return route.continue();
    await route.fetch({ maxRedirects: 0 });
    await route.abort('connectionreset');
  });
  await page.locator('.comment-form textarea').fill('Said once');
  const drafts = `Object.keys(localStorage).filter((name) => name.startsWith('stint-draft/')).length`;
  await waitUntil(page, `${drafts} === 1`);
  await page.locator('.comment-form').getByRole('button', { name: 'Comment' }).click();
  await waiting(page, '1 change waits').waitFor();
  t.is(await page.evaluate(drafts), 0, 'what waits is no draft any more');
  await page.evaluate(`dispatchEvent(new Event('online'))`);
  await waiting(page, /./).waitFor({ state: 'detached' });
  t.true(lost >= 2, 'sent again');
  t.is((await work.rows('select from comments where body = $1', ['Said once'])).length, 1);
  await page.unroute('**/comments');
});

test('another user of the browser neither sees nor sends what waits; after signing in again its user is asked', async (t) => {
  const page = await open(t, work.at, 'max');
  await page.context().setOffline(true);
  await page
    .getByLabel(/^New task in/)
    .first()
    .fill('Secret of Max');
  await page.keyboard.press('Enter');
  await waiting(page, '1 change waits').waitFor();
  await page.context().clearCookies();
  await page.context().setOffline(false);
  await openAs(page, work.web.baseUrl, emailOf('mia'), work.at);
  t.is(await page.locator('.outbox').count(), 0);
  t.notRegex(await page.content(), /Secret of Max/);
  await openAs(page, work.web.baseUrl, emailOf('max'), work.at);
  await waiting(page, '1 change waits').waitFor();
  await page.evaluate(`dispatchEvent(new Event('online'))`);
  await page.getByRole('button', { name: 'Show' }).click();
  await page.getByText('Written before you signed in again.').waitFor();
  t.is(await titled('Secret of Max'), 0);
  await page.getByRole('button', { name: 'Send' }).click();
  await waiting(page, /./).waitFor({ state: 'detached' });
  t.is(await titled('Secret of Max'), 1);
});

test('a page that can’t be loaded is the offline page, which keeps a note; no page with data is stored', async (t) => {
  const page = await open(t, work.at);
  await page.evaluate('navigator.serviceWorker.ready');
  await waitUntil(page, 'navigator.serviceWorker.controller !== null');
  await page.context().setOffline(true);
  await page.goto(`${work.web.baseUrl}/notifications`).catch(() => {});
  await page.getByRole('heading', { name: 'You are offline' }).waitFor();
  await page.getByLabel('Add a task or log time').fill('Buy rope');
  await page.getByRole('button', { name: 'Keep' }).click();
  await page.getByText('Kept.').waitFor();
  const stored = String(
    await page.evaluate(
      `caches.keys().then(async (names) => (await Promise.all(names.map(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => url)))).flat().join('\\n'))`,
    ),
  );
  for (const url of stored.split('\n')) t.regex(url, /\/static\/|\/offline$/);
  await page.context().setOffline(false);
  await page.goto(work.at);
  await waiting(page, /./).waitFor({ state: 'detached' });
  t.is(await titled('Buy rope'), 1);
});

test('sharing opens the filled dialog and makes nothing; hostile input is text, cut to its limits', async (t) => {
  const hostile = `"><script>window.broken = true</script>${'long '.repeat(3_000)}`;
  const query = new URLSearchParams({ title: 'Read this', text: hostile, url: 'javascript:alert(1)' });
  const page = await work.open(t, `${work.web.baseUrl}/share?${query}`, 'mia');
  const dialog = page.getByRole('dialog', { name: 'New task' });
  await dialog.waitFor();
  t.is(await dialog.getByRole('textbox', { name: 'Title', exact: true }).inputValue(), 'Read this');
  const description = await dialog.getByRole('textbox', { name: 'Description' }).inputValue();
  t.true(description.startsWith('"><script>') && description.length <= 4_000 && !description.includes('javascript:'));
  t.is(await page.evaluate('window.broken'), undefined);
  t.is(await titled('Read this'), 0);
});
