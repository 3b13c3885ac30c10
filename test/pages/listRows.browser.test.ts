/** Rows of a list in a browser: one tab stop, arrow keys, actions, editing a title, columns and group headings. */
import type { ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { expectAccessible, fileBrowser, setSession, waitUntil } from '../support/browser.ts';
import { fileDatabase } from '../support/database.ts';
import { suite } from '../support/suite.ts';
import { signedIn, type Visitor } from '../support/visitor.ts';
import { emailOf, type WorkWorld, workWorld } from '../support/workWorld.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
const browser = fileBrowser();
let work: WorkWorld;
let ana: Visitor;
let mia: Visitor;
test.before('a workspace with work', async () => {
  work = await workWorld(database.url, {
    items: [
      { ref: 'deck', type: 'task', title: 'Paint the deck', fields: { assigneeId: { ref: 'mia' }, dueDate: '2031-01-01' } },
      { ref: 'rivet', type: 'task', title: 'Rivet 1', fields: { dueDate: '2031-01-02' } },
      { ref: 'bell', type: 'task', title: 'Ring the bell', fields: { dueDate: '2031-01-03' } },
      ...Array.from({ length: 24 }, (_, n) => ({ type: 'task' as const, title: `Filler ${n}` })),
    ],
  });
  [ana, mia] = [await signedIn(work.web.baseUrl, emailOf('ana')), await signedIn(work.web.baseUrl, emailOf('mia'))];
});
test.after('stop', () => work?.stop());

async function open(t: ExecutionContext, query = '?group=none'): Promise<Page> {
  const page = await browser.shared(t);
  await page.setViewportSize({ width: 1440, height: 900 });
  await setSession(page, work.web.baseUrl, mia.cookie);
  await page.goto(work.at + query);
  return page;
}

const pathOf = (address: string) => address.slice(work.web.baseUrl.length);
const row = (page: Page, ref: string) => page.locator(`#work .row[data-item="${work.refs.id(ref)}"]`);
const focused = (page: Page) => page.evaluate('document.activeElement.textContent || document.activeElement.getAttribute("aria-label")');
const tabStops = (page: Page) =>
  page.evaluate(`[...document.querySelectorAll('#work .row[data-item] :is(a[href], button, input:not([type=hidden]))')]
  .filter((one) => one.tabIndex >= 0 && one.checkVisibility()).length`);

test('the rows are one tab stop with arrows between them; a hovered one has menus; E edits the title, not over a change', async (t) => {
  const page = await open(t);
  t.is(await tabStops(page), 1);
  await row(page, 'deck').locator('.t > a').focus();
  await page.keyboard.press('ArrowDown');
  t.is(await focused(page), 'Rivet 1');
  t.is(await tabStops(page), 1);
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowLeft');
  t.regex(String(await focused(page)), /Change status/);
  await page.keyboard.press('ArrowRight');
  t.is(await focused(page), 'Paint the deck');
  await page.keyboard.press('ArrowRight');
  t.regex(String(await focused(page)), /Start timer on/);
  await page.keyboard.press('Tab');
  t.is(await page.evaluate(`document.activeElement.closest('.row[data-item]')`), null, 'Tab leaves the rows');

  await row(page, 'bell').hover();
  await page.getByRole('link', { name: `Plan ${work.refs.id('bell')}`, exact: true }).click();
  const menu = page.locator('.menu-box');
  await expectAccessible(t, page);
  await menu.getByRole('button', { name: /^Tomorrow/ }).click();
  await page
    .locator('.toast')
    .getByText(/^Planned/)
    .waitFor();
  await row(page, 'bell').hover();
  await page.getByRole('link', { name: `More for ${work.refs.id('bell')}`, exact: true }).click();
  await menu.getByRole('link', { name: /^Status/ }).click();
  await menu.getByRole('button', { name: /In progress/ }).click();
  await row(page, 'bell')
    .getByRole('link', { name: /Change status of Ring the bell: In progress/ })
    .waitFor();

  await row(page, 'rivet').locator('.t > a').focus();
  await page.keyboard.press('e');
  const input = page.getByRole('textbox', { name: `Title of ${work.refs.id('rivet')}` });
  await input.fill('Never saved');
  await page.keyboard.press('Escape');
  t.is(await focused(page), 'Rivet 1');
  await page.keyboard.press('e');
  await input.fill('Rivet the hull');
  await page.keyboard.press('Enter');
  await row(page, 'rivet').getByRole('link', { name: 'Rivet the hull', exact: true }).waitFor();
  t.is(await focused(page), 'Rivet the hull');
  await page.keyboard.press('e');
  await input.fill('My title');
  await ana.go(`${pathOf(work.item('rivet'))}/change/title`);
  await ana.send('/change/title', { value: 'Her title' });
  await input.press('Enter');
  await page.getByRole('heading', { name: 'Changed since you opened it' }).waitFor();
  t.true((await page.locator('#main').innerText()).includes('Her title'));
});

test('columns are chosen per list and remembered', async (t) => {
  const page = await open(t);
  await page.getByLabel('Columns').click();
  await page.getByRole('checkbox', { name: 'Estimate' }).uncheck();
  await page.locator('#work.no-est').waitFor();
  t.is(await row(page, 'deck').locator('.c-est').count(), 0);
  await page.reload();
  t.is(await row(page, 'deck').locator('.c-est').count(), 0);
  t.is(await row(page, 'deck').locator('.c-due').count(), 1);
  const hides = async (who: Visitor, query: string) => /id="work"[^>]*no-est/.test((await who.go(pathOf(work.at) + query)).html);
  t.true(await hides(mia, '?group=none'));
  t.false(await hides(mia, '?type=goal&view=list'));
  t.false(await hides(ana, '?group=none'), "another user's list is unchanged");
});

test('a group heading stays below the header while its rows scroll', async (t) => {
  const page = await open(t, '');
  await page.setViewportSize({ width: 1440, height: 600 });
  await page.mouse.wheel(0, 600);
  await waitUntil(page, 'scrollY > 300');
  const [head, heading] = [await page.locator('#head').boundingBox(), await page.locator('.group > summary').last().boundingBox()];
  t.is(Math.round(heading!.y), Math.round(head!.y + head!.height));
});
