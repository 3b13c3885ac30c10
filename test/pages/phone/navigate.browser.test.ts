/** Moving between lists, items, My day and the inbox without loading the page anew (behaviour §39.7). */
import type { ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { waitUntil } from '../../support/browser.ts';
import { eventually } from '../../support/eventually.ts';
import { suite } from '../../support/suite.ts';
import { workPages } from '../../support/workPages.ts';

const test = suite(import.meta.url);

const work = workPages({
  items: [
    { ref: 'deck', type: 'task', title: 'Paint the deck', fields: { assigneeId: { ref: 'mia' } } },
    ...Array.from({ length: 30 }, (_, n) => ({ type: 'task' as const, title: `Filler ${n}` })),
  ],
});

/** `window.kept` is lost when the page is loaded anew. */
async function open(t: ExecutionContext): Promise<Page> {
  const page = await work.open(t, `${work.at}?group=none`, 'mia');
  await page.evaluate('window.kept = true');
  return page;
}
const isKept = (page: Page) => page.evaluate('window.kept === true');
const h1 = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

test('an item opens in place: title, focus, scroll and announcement are those of a new page; Back restores the list', async (t) => {
  const page = await open(t);
  await page.evaluate('scrollTo(0, 300)');
  await waitUntil(page, 'scrollY > 200');
  const link = page.locator('#work').getByRole('link', { name: 'Filler 20', exact: true });
  await link.click();
  await h1(page, 'Filler 20');
  t.true(await isKept(page));
  t.regex(await page.title(), /Filler 20/);
  t.is(await page.evaluate('document.activeElement.id'), 'main');
  t.is(await page.evaluate('scrollY'), 0);
  await page.locator('[role="status"].vh', { hasText: 'Filler 20' }).waitFor({ state: 'attached' });
  await page.goBack();
  await h1(page, 'Tasks');
  t.true(await isKept(page));
  await waitUntil(page, 'scrollY > 200');
  await page.goForward();
  await h1(page, 'Filler 20');
});

test('scripts of the new page start: an item is edited in place, a card moves on the board', async (t) => {
  const page = await open(t);
  await page.locator('.head .seg').getByRole('link', { name: 'Board' }).click();
  await page.locator('.board').waitFor();
  t.true(await isKept(page));
  await page.locator('.tile h3 a', { hasText: 'Filler 3' }).first().focus();
  await waitUntil(page, 'Object.keys(document.querySelector("[data-board] .cards")).some((key) => key.startsWith("Sortable"))');
  await page.keyboard.press('Space');
  await page.locator('#board-said', { hasText: 'picked up' }).waitFor({ state: 'attached' });
  await page.keyboard.press('Escape');
  await page.locator('.tile h3 a', { hasText: 'Filler 3' }).first().click();
  await page.locator('.comment-form textarea').waitFor();
  t.true(await isKept(page));
  await page.locator('.comment-form textarea').fill('From a page that was not loaded');
  await page.locator('.comment-form').getByRole('button', { name: 'Comment' }).click();
  await page.getByText('Comment added.').waitFor();
});

test('the sidebar keeps its elements and marks the new page; a row of a list reached in place starts a timer there', async (t) => {
  const page = await open(t);
  await page.evaluate('document.querySelector(".side .brand").kept = true');
  await page.locator('.side').getByRole('link', { name: 'Inbox' }).click();
  await h1(page, 'Inbox');
  t.true(await page.evaluate('document.querySelector(".side .brand").kept === true'));
  t.regex(String(await page.locator('.side [aria-current="page"]').textContent()), /^Inbox/);
  await page.locator('.side').getByRole('link', { name: 'My day' }).click();
  await h1(page, 'My day');
  await page
    .locator('.side .nav .nav')
    .getByRole('link', { name: /^Tasks/ })
    .click();
  await h1(page, 'Tasks');
  const row = page.locator('#work .row', { hasText: 'Filler 1' }).first();
  await row.hover();
  await row.getByRole('button', { name: /^Start timer on/ }).click();
  await page.getByRole('region', { name: 'Running timer' }).waitFor();
  t.true(await isKept(page));
});

test('a hovered link is fetched ahead once in five seconds, privately, and not with Save-Data; only opening counts as a visit', async (t) => {
  const page = await open(t);
  const asked: string[] = [];
  page.on('request', (request) => request.headers().purpose === 'prefetch' && asked.push(request.url()));
  const link = page.locator('#work .row', { hasText: 'Paint the deck' }).locator('.t > a');
  /** In the page, whose timers run in order: the time after which a hovered link is fetched has passed. */
  const pause = () => page.evaluate('new Promise((done) => setTimeout(done, 200))');
  // However slow the machine is, the five seconds do not pass.
  await page.evaluate('performance.now = ((now) => () => now)(performance.now()); 0');
  const answered = page.waitForResponse((response) => response.request().headers().purpose === 'prefetch');
  await link.hover();
  t.is((await answered).headers()['cache-control'], 'no-store');
  await page.mouse.move(5, 5);
  await link.hover();
  await pause();
  t.is(asked.length, 1);
  const recent = async () =>
    (await (await page.request.get(`${work.web.baseUrl}/`)).text()).includes('<span class="name">Paint the deck</span></a></li>');
  t.false(await recent(), 'hovering does not count as a visit');
  await link.click();
  await h1(page, 'Paint the deck');
  t.true(await eventually(recent, Boolean));

  await page.goto(`${work.at}?group=none`);
  asked.length = 0;
  await page.evaluate(`Object.defineProperty(navigator, 'connection', { value: { saveData: true }, configurable: true })`);
  await link.hover();
  await pause();
  t.deepEqual(asked, []);
});

test('typed text, other pages and an ended session are left to the browser', async (t) => {
  const page = await open(t);
  await page.locator('.side').getByRole('link', { name: 'Notes' }).click();
  await h1(page, 'Notes');
  t.false(await isKept(page));
  await page.goto(`${work.at}?group=none`);
  await page.evaluate('window.kept = true');
  await page
    .getByLabel(/^New task in/)
    .first()
    .fill('Half a line');
  await page.locator('.side').getByRole('link', { name: 'Inbox' }).click();
  await h1(page, 'Inbox');
  t.false(await isKept(page));
  await page.goto(`${work.at}?group=none`);
  await page.context().clearCookies();
  await page.locator('.side').getByRole('link', { name: 'Inbox' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
});
