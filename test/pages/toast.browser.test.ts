/** The toast after a form: what it says, when it leaves, and Undo by key, click and touch (behaviour §23.10). */
import type { ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { dragCard } from '../support/board.ts';
import { expectAccessible, fileBrowser, openAs } from '../support/browser.ts';
import { fileDatabase } from '../support/database.ts';
import { suite } from '../support/suite.ts';
import { emailOf, type WorkWorld, workWorld } from '../support/workWorld.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
const browser = fileBrowser();
let work: WorkWorld;
test.before('a workspace with work', async () => {
  const task = (ref: string, more: object = {}) => ({
    ref,
    type: 'task' as const,
    title: `Paint the ${ref}`,
    fields: { assigneeId: { ref: 'ana' }, ...more },
  });
  work = await workWorld(database.url, {
    items: [
      task('deck'),
      task('hull'),
      task('mast', { dueDate: '2020-01-02' }),
      task('keel'),
      task('rail'),
      task('stern'),
      task('oar', { dueDate: '2100-01-01' }),
      task('bow'),
      task('flag'),
      task('helm'),
      task('rope', { dueDate: '2090-01-01' }),
    ],
  });
});
test.after('stop', () => work?.stop());

const toastOf = (page: Page) => page.locator('#notice .toast');
const row = (page: Page, ref: string) => page.locator(`#work [data-item="${work.refs.id(ref)}"]`);
const keptRow = (page: Page, ref: string) => page.locator(`#work [data-kept="${work.refs.id(ref)}"]`);

async function open(t: ExecutionContext, path: string, options = {}): Promise<Page> {
  const page = await browser.page(t, options);
  await openAs(page, work.web.baseUrl, emailOf('ana'), path);
  return page;
}

const top = async (page: Page) => (await page.locator('#work').boundingBox())!.y;

test('done in a row: the toast names the item, nothing moves, the row stays until the pointer leaves, and Z brings it back', async (t) => {
  const page = await open(t, `${work.web.baseUrl}/`);
  const before = await top(page);
  await row(page, 'mast').hover();
  await row(page, 'mast').getByRole('button', { name: /done/ }).click();
  await toastOf(page)
    .getByText(`${work.refs.id('mast')} Paint the mast marked done`)
    .waitFor();
  t.is(await top(page), before);
  t.is(await page.locator('#group-overdue').count(), 0, 'the count changes at once');
  await keptRow(page, 'mast').waitFor();
  t.regex((await keptRow(page, 'mast').getAttribute('class'))!, /is-done/);
  await page.mouse.move(5, 5);
  await keptRow(page, 'mast').waitFor({ state: 'detached' });
  t.is(await page.locator('.toast :focus').count(), 0);
  await page.keyboard.press('z');
  await toastOf(page).getByText('Undone.').waitFor();
  await row(page, 'mast').hover();
  await row(page, 'mast').getByRole('button', { name: /done/ }).click();
  await keptRow(page, 'mast').waitFor();
  await expectAccessible(t, page);
});

test('Undo pressed twice, and again after a reload, counts once', async (t) => {
  const page = await open(t, `${work.at}?group=none`);
  await row(page, 'hull')
    .getByRole('link', { name: /^Change status/ })
    .click();
  await page.locator('.menu-box .opt', { hasText: 'In progress' }).click();
  await toastOf(page).getByText('Paint the hull moved to In progress').waitFor();
  const undo = toastOf(page).getByRole('button', { name: 'Undo' });
  await undo.dblclick();
  await toastOf(page).getByText('Undone.').waitFor();
  await page.goto(work.item('hull'));
  await page.getByText(/changed the status from In progress to Planned/).waitFor();
  t.is(await page.getByText(/changed the status from/).count(), 2);
});

test('quick add and archive can be undone; many items have one toast', async (t) => {
  const page = await open(t, `${work.at}?group=none`);
  await page
    .getByLabel(/^New task in/)
    .first()
    .fill('Buy brushes');
  await page.keyboard.press('Enter');
  await toastOf(page).getByText('Buy brushes created').waitFor();
  await page.keyboard.press('Escape');
  await toastOf(page).getByRole('button', { name: 'Undo' }).click();
  await toastOf(page).getByText('Undone.').waitFor();
  t.is(await page.getByRole('link', { name: 'Buy brushes' }).count(), 0);
  for (const ref of ['keel', 'rail']) await row(page, ref).locator('.pick').check();
  // By keyboard: the pointer stays on the rows, which leave when it does.
  await page.locator('.bulk').getByRole('button', { name: 'Status' }).press('Enter');
  await page.locator('.menu-box .opt', { hasText: 'Done' }).press('Enter');
  await toastOf(page).getByText('2 tasks marked done').waitFor();
  await keptRow(page, 'rail').waitFor();
  await toastOf(page).getByRole('button', { name: 'Undo' }).click();
  await row(page, 'rail').waitFor();
  t.is(await keptRow(page, 'keel').count(), 0);
});

test('the toast leaves by itself, not while it has the pointer, and a reload does not repeat it', async (t) => {
  const page = await open(t, `${work.web.baseUrl}/`);
  await page.clock.install();
  await page.goto(`${work.web.baseUrl}/?notice=saved`);
  await toastOf(page).waitFor();
  await toastOf(page).hover();
  await page.clock.runFor(30_000);
  t.is(await toastOf(page).count(), 1);
  await page.mouse.move(5, 5);
  await page.clock.runFor(11_000);
  t.is(await toastOf(page).count(), 0);
  t.false(page.url().includes('notice='));
});

test('on a phone the toast is above the tab bar, and Undo is a target of 44 px', async (t) => {
  const page = await open(t, `${work.at}?group=none`, { viewport: { width: 390, height: 844 }, hasTouch: true });
  await row(page, 'stern')
    .getByRole('link', { name: /^Change status/ })
    .tap();
  await page.locator('.menu-box .opt', { hasText: 'Done' }).tap();
  const undo = toastOf(page).getByRole('button', { name: 'Undo' });
  t.true((await undo.boundingBox())!.height >= 44);
  const [toast, tabs] = [await toastOf(page).boundingBox(), await page.locator('.tabbar').boundingBox()];
  t.true(toast!.y + toast!.height <= tabs!.y);
  await expectAccessible(t, page);
  await undo.tap();
  await row(page, 'stern').waitFor();
});

test('without script the toast has the same words and Undo', async (t) => {
  const page = await open(t, work.item('deck'), { javaScriptEnabled: false });
  await page.goto(`${work.item('deck')}/change/status?back=${encodeURIComponent(`/workspaces/${work.refs.id('apollo')}`)}`);
  await page.getByRole('button', { name: 'Done' }).click();
  await toastOf(page).getByText('Paint the deck marked done').waitFor();
  await toastOf(page).getByRole('button', { name: 'Undo' }).click();
  await toastOf(page).getByText('Undone.').waitFor();
  t.is(await row(page, 'deck').count(), 1);
});

test('a row that stays also stays when the list is updated by another page', async (t) => {
  const [page, other] = [await open(t, `${work.web.baseUrl}/`), await open(t, `${work.at}?group=none`)];
  await row(page, 'oar').hover();
  await row(page, 'oar').getByRole('button', { name: /done/ }).click();
  await keptRow(page, 'oar').waitFor();
  await row(other, 'bow')
    .getByRole('link', { name: /^Change priority/ })
    .click();
  await other.locator('.menu-box .opt', { hasText: 'Urgent' }).click();
  // A page that is shown again looks for changes, as after an event.
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
  await row(page, 'bow').locator('[aria-label*="Urgent"], [title*="Urgent"]').first().waitFor();
  t.is(await keptRow(page, 'oar').count(), 1);
});

const cardIn = (page: Page, column: string, ref: string) => page.locator(`[data-column="${column}"] [data-item="${work.refs.id(ref)}"]`);
const keptIn = (page: Page, column: string, ref: string) => page.locator(`[data-column="${column}"] [data-kept="${work.refs.id(ref)}"]`);

async function finishByMenu(page: Page, ref: string): Promise<void> {
  await cardIn(page, 'planned', ref).locator('h3 a').focus();
  await page.keyboard.press('s');
  await page.locator('.menu-box').getByRole('button', { name: 'Done', exact: true }).click();
  await toastOf(page).getByText(`Paint the ${ref} marked done`).waitFor();
}

for (const width of [1440, 820]) {
  test(`on a board of ${width} px a card marked done stays in place until the pointer leaves its column, then goes to Done with the focus`, async (t) => {
    const ref = width === 1440 ? 'flag' : 'helm';
    const page = await open(t, `${work.at}?view=board&open=done`, { viewport: { width, height: 900 } });
    await finishByMenu(page, ref);
    const kept = keptIn(page, 'planned', ref);
    await kept.waitFor();
    t.regex(
      String(await kept.locator('h3 a').evaluate((link) => link.ownerDocument.defaultView.getComputedStyle(link).textDecorationLine)),
      /line-through/,
    );
    t.is(await cardIn(page, 'done', ref).count(), 0);
    t.is(await kept.evaluate((card) => card.contains(card.ownerDocument.activeElement)), true);
    // An update by another page leaves it there.
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    await kept.hover();
    t.is(await kept.count(), 1);
    const done = (await page.locator('[data-column="done"]').boundingBox())!;
    await page.mouse.move(done.x + 20, done.y + 20);
    await cardIn(page, 'done', ref).waitFor();
    t.is(await page.locator('[data-kept], [data-kept-place]').count(), 0);
    t.is(await cardIn(page, 'done', ref).evaluate((card) => card.contains(card.ownerDocument.activeElement)), true);
    await page.keyboard.press('z');
    await cardIn(page, 'planned', ref).waitFor();
    t.is(await keptIn(page, 'planned', ref).count(), 0);
  });
}

test('a card stays also if Done is folded; one that is dragged to Done goes there at once', async (t) => {
  const page = await open(t, `${work.at}?view=board`, { viewport: { width: 2000, height: 900 } });
  await finishByMenu(page, 'rope');
  await keptIn(page, 'planned', 'rope').hover({ force: true });
  await page.mouse.move(5, 5);
  await keptIn(page, 'planned', 'rope').waitFor({ state: 'detached' });
  await toastOf(page).getByRole('button', { name: 'Undo' }).click();
  await cardIn(page, 'planned', 'rope').waitFor();
  await page.goto(`${work.at}?view=board&open=done`);
  await dragCard(page, cardIn(page, 'planned', 'rope'), 'done');
  await toastOf(page).getByText('Paint the rope marked done').waitFor();
  await cardIn(page, 'done', 'rope').waitFor();
  t.is(await page.locator('[data-kept]').count(), 0);
});
