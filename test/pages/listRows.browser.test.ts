/** Rows of a list in a browser: one tab stop, arrow keys, actions, editing a title, columns, group headings, and the indent of goals
 *  (behaviour §27.1). */
import type { Page } from 'playwright-core';
import { expectAccessible, expectFitsPhone, waitUntil } from '../support/browser.ts';
import { suite } from '../support/suite.ts';
import { workPages } from '../support/workPages.ts';

const test = suite(import.meta.url);

const LEVELS = 9;
const work = workPages({
  items: [
    { ref: 'deck', type: 'task', title: 'Paint the deck', fields: { assigneeId: { ref: 'mia' }, dueDate: '2031-01-01' } },
    { ref: 'rivet', type: 'task', title: 'Rivet 1', fields: { dueDate: '2031-01-02' } },
    { ref: 'bell', type: 'task', title: 'Ring the bell', fields: { dueDate: '2031-01-03' } },
    ...Array.from({ length: 24 }, (_, n) => ({ type: 'task' as const, title: `Filler ${n}` })),
    ...Array.from({ length: LEVELS }, (_, at) => ({
      ...{ ref: `goal-${at + 1}`, type: 'goal' as const, title: `Goal of level ${at + 1}` },
      fields: at > 0 ? { parentId: { ref: `goal-${at}` } } : {},
    })),
  ],
});

const pathOf = (address: string) => address.slice(work.web.baseUrl.length);
const row = (page: Page, ref: string) => page.locator(`#work .row[data-item="${work.refs.id(ref)}"]`);
const focused = (page: Page) => page.evaluate('document.activeElement.textContent || document.activeElement.getAttribute("aria-label")');
const tabStops = (page: Page) =>
  page.evaluate(`[...document.querySelectorAll('#work .row[data-item] :is(a[href], button, input:not([type=hidden]))')]
  .filter((one) => one.tabIndex >= 0 && one.checkVisibility()).length`);

test('the rows are one tab stop with arrows between them; a hovered one has menus; E edits the title, not over a change', async (t) => {
  const page = await work.open(t, `${work.at}?group=none`, 'mia');
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
  const ana = await work.visitor('ana');
  await ana.go(`${pathOf(work.item('rivet'))}/change/title`);
  await ana.send('/change/title', { value: 'Her title' });
  await input.press('Enter');
  await page.getByRole('heading', { name: 'Changed since you opened it' }).waitFor();
  t.true((await page.locator('#main').innerText()).includes('Her title'));
});

test('columns are chosen in place and remembered for the person', async (t) => {
  const page = await work.open(t, `${work.at}?group=none`, 'mia');
  await page.getByLabel('Columns').click();
  await page.getByRole('checkbox', { name: 'Estimate' }).uncheck();
  await page.locator('#work.no-est').waitFor();
  t.is(await row(page, 'deck').locator('.c-est').count(), 0);
  await page.reload();
  t.is(await row(page, 'deck').locator('.c-est').count(), 0);
  t.is(await row(page, 'deck').locator('.c-due').count(), 1);
  const ana = await work.visitor('ana');
  t.notRegex((await ana.go(`${pathOf(work.at)}?group=none`)).html, /id="work"[^>]*no-est/, "another user's list is unchanged");
});

test('a group heading stays below the header while its rows scroll', async (t) => {
  const page = await work.open(t);
  await page.setViewportSize({ width: 1440, height: 600 });
  await page.mouse.wheel(0, 600);
  await waitUntil(page, 'scrollY > 300');
  const [head, heading] = [await page.locator('#head').boundingBox(), await page.locator('.group > summary').last().boundingBox()];
  t.is(Math.round(heading!.y), Math.round(head!.y + head!.height));
});

test('each level is indented by 20 px, at most six levels; deeper goals show the goals above them', async (t) => {
  const page = await work.open(t, `${work.at}?type=goal`);
  const titles = Array.from({ length: LEVELS }, (_, at) =>
    page.locator(`[data-item="${work.refs.id(`goal-${at + 1}`)}"] .t a:not(.up)`).first(),
  );
  for (const width of [1440, 820, 390]) {
    await page.setViewportSize({ width, height: 900 });
    const starts: number[] = [];
    for (const title of titles) starts.push(Math.round((await title.boundingBox())!.x));
    t.deepEqual(
      starts.slice(1).map((x, at) => x - starts[at]!),
      [20, 20, 20, 20, 20, 0, 0, 0],
      `${width} px`,
    );
  }
  t.deepEqual(await page.locator('.goal-path').allInnerTexts(), [
    'Goal of level 6',
    'Goal of level 6 / Goal of level 7',
    'Goal of level 6 / Goal of level 7 / Goal of level 8',
  ]);
  await expectFitsPhone(t, page);
});
