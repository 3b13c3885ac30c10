/** Lists, the board and My day on a phone: one header row, filters in a sheet, swipes, selecting several (behaviour §39). */
import type { ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { expectAccessible, openAs, waitUntil } from '../../support/browser.ts';
import { eventually } from '../../support/eventually.ts';
import { suite } from '../../support/suite.ts';
import { drag, hold, phone } from '../../support/touch.ts';
import { workPages } from '../../support/workPages.ts';
import { emailOf } from '../../support/workWorld.ts';

const test = suite(import.meta.url);

const refs = ['deck', 'mast', 'bell', 'oar', 'keel', 'helm', 'rope', 'sail'] as const;
type Ref = (typeof refs)[number];
const work = workPages({
  items: [
    ...refs.map((ref, n) => ({
      ...{ ref, type: 'task' as const, title: `Paint the ${ref}` },
      fields: { assigneeId: { ref: n < 6 ? 'mia' : 'max' }, dueDate: '2031-01-01' },
    })),
    ...Array.from({ length: 20 }, (_, n) => ({ type: 'task' as const, title: `Filler ${n}` })),
  ],
});

/** One profile for all tests: it costs as much as a short test. */
let common: Promise<Page> | undefined;
async function open(address = `${work.at}?group=none`, viewport = phone.viewport!): Promise<Page> {
  common ??= work.browser.page({ teardown: test.after }, phone);
  const page = await common;
  await page.setViewportSize(viewport);
  await openAs(page, work.web.baseUrl, emailOf('mia'), address);
  return page;
}

const row = (page: Page, ref: Ref) => page.locator(`#work [data-item="${work.refs.id(ref)}"]`);
const toast = (page: Page) => page.locator('#notice > .toast');
/** Waits for the toast, and undoes what it tells. */
async function undo(t: ExecutionContext, page: Page, told: string | RegExp): Promise<void> {
  await toast(page).getByText(told).waitFor();
  const button = toast(page).getByRole('button', { name: 'Undo' });
  t.true((await button.boundingBox())!.height >= 44);
  await button.tap();
  await toast(page).getByText('Undone.').waitFor();
}

/** Controls smaller than 44 px in height or width; a pseudo-element may enlarge what the finger meets. Links in running text are exempt, and blocks
 *  of a day, whose height is their time. */
const smallTargets = `[...document.querySelectorAll('a[href], button, summary, select, input:not([type=hidden]), textarea')].filter((one) => {
  if (!one.checkVisibility({ opacityProperty: true }) || one.closest('.skip, .vh, .seek, [inert], .board .tile h3, .blk, p, dd, blockquote')) return false;
  const box = one.getBoundingClientRect();
  if (box.width < 2 || box.right < 0 || box.left > innerWidth) return false;
  const part = (name) => { const style = getComputedStyle(one, name); return style.content !== 'none' && style.position === 'absolute' ? [parseFloat(style.width) || 0, parseFloat(style.height) || 0] : [0, 0]; };
  const label = one.matches('input') && one.closest('label')?.getBoundingClientRect();
  const sizes = [[box.width, box.height], part('::before'), part('::after'), ...(label ? [[label.width, label.height]] : [])];
  return !sizes.some(([width, height]) => width >= 43.5 && height >= 43.5);
}).map((one) => one.outerHTML.slice(0, 110))`;

test('the header is one row and cut nowhere; its title opens the menu of views or weeks; targets have at least 44 px', async (t) => {
  const page = await open();
  t.is((await page.locator('#head').boundingBox())!.height, 57, '56 px and the line');
  t.deepEqual(await page.evaluate(smallTargets), [], 'list');
  await page.getByRole('heading', { name: 'Tasks', level: 1 }).tap({ force: true });
  await page.locator('.view-menu').getByRole('link', { name: 'Board' }).tap();
  await page.locator('.board').waitFor();
  t.is((await page.locator('#head').boundingBox())!.height, 57);
  t.true((await page.locator('.board .col').nth(1).boundingBox())!.x > 300, 'one column at a time');
  t.deepEqual(await page.evaluate(smallTargets), [], 'board');

  const parts = '#head :is(.crumbs > h1, .acts > .btn, .acts .seg a, .view-menu > summary)';
  for (const path of ['/my/timesheet', '/my/month', '/my/notes', '/my/notes/new', '/my']) {
    await page.goto(work.web.baseUrl + path);
    const all = page.locator(parts).filter({ visible: true });
    t.true((await all.count()) > 1, path);
    const ends = await all.evaluateAll((found) => found.map((one) => one.getBoundingClientRect().right));
    t.deepEqual(
      ends.filter((end) => end > page.viewportSize()!.width),
      [],
      path,
    );
  }
  t.true(await page.locator('#head h1').evaluate((title) => title.scrollWidth <= title.clientWidth));
  await page.locator('#head .view-menu > summary').tap();
  await page.getByRole('link', { name: 'Next week' }).filter({ visible: true }).tap();
  await page.waitForURL('**/my?week=*');
});

test('filters are in a sheet with five fields, whose button says how many tasks they leave', async (t) => {
  const page = await open();
  await page.getByRole('link', { name: 'Filters' }).tap();
  const sheet = page.locator('.filter-sheet');
  await sheet.getByRole('button', { name: /^Show 2\d tasks/ }).waitFor();
  t.is(await sheet.locator('fieldset:visible, .srow > label:visible').count(), 5);
  await sheet.getByRole('checkbox', { name: 'Unassigned' }).tap();
  await sheet.getByRole('button', { name: 'Show 20 tasks' }).tap();
  await page.getByRole('link', { name: 'Filters, 1 set' }).waitFor();
  t.is(await page.locator('#work .row[data-item]').count(), 20);
  t.regex(page.url(), /assignee=unassigned/);
});

test('a swipe to the right marks a row done, one to the left plans it, both with Undo; other movements do nothing', async (t) => {
  const page = await open();
  const deck = row(page, 'deck');
  await drag(deck, { x: 60 });
  t.is(await deck.locator('.under').count(), 0, 'a short one springs back');
  await drag(row(page, 'keel'), { x: 20, y: -200 });
  await waitUntil(page, 'scrollY > 50');
  t.is(await page.locator('.toast, .swiping, .under').count(), 0, 'a vertical movement scrolls');
  await drag(deck, { x: 150 }, async () => {
    await deck.locator('.to-right .i').waitFor();
    await deck.locator('.under b', { hasText: /^Done$/ }).waitFor();
  });
  await undo(t, page, 'Paint the deck marked done');
  await deck.waitFor();
  await drag(row(page, 'mast'), { x: -150 });
  const sheet = page.getByRole('dialog', { name: 'Plan time' });
  await sheet.getByRole('button', { name: /^Tomorrow/ }).tap();
  await undo(t, page, /^Planned/);
  t.is(await page.locator('.under').count(), 0);
  t.is(new URL(page.url()).pathname, new URL(work.at).pathname, 'no row was opened');

  await page.goto(`${work.web.baseUrl}/`);
  await drag(row(page, 'bell'), { x: 150 });
  await toast(page).getByText('Paint the bell marked done').waitFor();
  await drag(row(page, 'oar'), { x: -150 });
  await sheet.waitFor();
  t.is(new URL(page.url()).pathname, new URL(`${work.web.baseUrl}/`).pathname);
});

test('on a tablet a button in each row opens its menu, also after a change in place', async (t) => {
  const page = await open(undefined, { width: 820, height: 1180 });
  const button = row(page, 'rope').getByRole('link', { name: `Actions for ${work.refs.id('rope')}` });
  await button.tap();
  await page.getByRole('dialog').getByText('Priority').tap();
  await page.getByRole('button', { name: 'Urgent' }).tap();
  await toast(page).getByText('updated: Priority').waitFor();
  await button.tap();
  await page.getByRole('dialog').getByRole('link', { name: 'Plan time' }).waitFor();
  t.is(await row(page, 'rope').locator('.row-menu').count(), 1);
});

test('holding a row or card selects several: further taps tick, and the bar changes them', async (t) => {
  const page = await open();
  const raise = async (first: Ref, second: Ref, link: string) => {
    await hold(row(page, first));
    await row(page, second).locator(link).tap();
    await page.getByText('2 selected').waitFor();
    if (link === '.t > a') await expectAccessible(t, page);
    await page.locator('[data-bulk]').getByRole('button', { name: 'Priority' }).tap();
    await page.locator('.menu-box').getByRole('button', { name: /High/ }).tap();
    await toast(page).getByText('2 tasks').waitFor();
    t.is(await page.locator('#work.selecting').count(), 0);
  };
  await raise('keel', 'helm', '.t > a');
  await page.goto(`${work.at}?view=board&assignee=${work.refs.id('max')}`);
  await raise('rope', 'sail', 'h3 a');
});

test('targets of other pages have at least 44 px; the running timer is above the bottom bar, and a toast above the timer', async (t) => {
  const page = await open(`${work.at}/filters`);
  for (const address of [`${work.at}/filters`, `${work.web.baseUrl}/notifications`, work.item('deck'), `${work.web.baseUrl}/`]) {
    if (page.url() !== address) await page.goto(address);
    t.deepEqual(await page.evaluate(smallTargets), [], address);
  }
  await page
    .getByRole('button', { name: /^Actions for/ })
    .first()
    .tap();
  await page
    .getByRole('button', { name: /^Start timer on/ })
    .first()
    .tap();
  await page.getByRole('region', { name: 'Running timer' }).waitFor();
  const boxes = await Promise.all(['#notice > .toast', '#timer', '.tabbar'].map((one) => page.locator(one).boundingBox()));
  const [told, timer, bar] = boxes.map((box) => box!);
  t.true(told!.y + told!.height <= timer!.y && timer!.y + timer!.height <= bar!.y);
  await page.getByRole('button', { name: 'Stop the timer' }).tap();
});

test('a form shows at most five fields, the rest after a press; a faulty one is always shown', async (t) => {
  const page = await open(`${work.item('rope')}/edit`);
  const fields = page.locator('main form.item-form :is(input:not([type=hidden]), select, textarea):visible');
  t.is(await fields.count(), 5);
  await page.getByRole('button', { name: 'More fields' }).tap();
  await page.getByLabel('Estimate').fill('much');
  t.true((await fields.count()) > 5);
  await page.getByRole('button', { name: /^Save/ }).tap();
  await page.locator('[aria-invalid="true"]:visible').first().waitFor();
});

test('the dialog of a new item is a sheet with lists to tap, whose arrow also opens the item', async (t) => {
  const page = await open();
  await page.getByRole('link', { name: 'New task' }).tap();
  const sheet = page.getByRole('dialog', { name: 'New task' });
  await sheet.getByRole('textbox', { name: 'Title', exact: true }).fill('Oil the winch @mia');
  await sheet.locator('select[name="assigneeId"]').tap();
  const max = page.getByRole('listbox').getByRole('option', { name: 'Max' });
  // The list is drawn again when its hints arrive.
  const height = await eventually(
    async () => (await max.boundingBox())?.height ?? 0,
    (found) => found >= 44,
  );
  t.true(height >= 44);
  await max.tap();
  const box = await eventually(
    async () => (await sheet.boundingBox())!,
    ({ y, height }) => y + height === 844,
  );
  t.is(box.y + box.height, 844);
  t.is(box.width, 390);
  await sheet.getByText('Other ways to create').or(sheet.locator('.split > summary')).first().tap();
  await sheet.getByRole('button', { name: 'Create and open' }).filter({ visible: true }).tap();
  await page.waitForURL(/\/items\/\d+/);
  t.is(await page.locator('h1').textContent(), 'Oil the winch');
});
