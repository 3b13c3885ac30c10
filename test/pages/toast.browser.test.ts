/** The toast after a form: what it says, when it leaves, and Undo by key and click; rows and cards that stay when done (behaviour §23.10,
 *  §23.11). phone/phone.browser.test.ts covers its place on a phone, undo.db.test.ts and inPlace.db.test.ts what Undo does. */
import type { Page } from 'playwright-core';
import { dragCard } from '../support/board.ts';
import { expectAccessible } from '../support/browser.ts';
import { suite } from '../support/suite.ts';
import type { Visitor } from '../support/visitor.ts';
import { workPages } from '../support/workPages.ts';

const test = suite(import.meta.url);

let ana: Visitor;
const task = (ref: string, more: object = {}) => ({
  ref,
  type: 'task' as const,
  title: `Paint the ${ref}`,
  fields: { assigneeId: { ref: 'ana' }, ...more },
});
const work = workPages({
  items: [task('mast', { dueDate: '2020-01-02' }), ...['rail', 'bow', 'flag', 'rope'].map((ref) => task(ref))],
});
test.before('Ana in another browser', async () => {
  ana = await work.visitor('ana');
});

/** Of an item, for HTTP. */
const pathOf = (ref: string) => work.item(ref).slice(work.web.baseUrl.length);
const toastOf = (page: Page) => page.locator('#notice .toast');
const row = (page: Page, ref: string) => page.locator(`#work [data-item="${work.refs.id(ref)}"]`);
const keptRow = (page: Page, ref: string) => page.locator(`#work [data-kept="${work.refs.id(ref)}"]`);

const top = async (page: Page) => (await page.locator('#work').boundingBox())!.y;
/** A page that is shown again looks for changes, as after an event. */
const lookAgain = (page: Page) => page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);

test('done in a row: the toast names the item, nothing moves, the row stays until the pointer leaves, Undo works once', async (t) => {
  const page = await work.open(t, `${work.web.baseUrl}/`);
  const before = await top(page);
  const finish = async () => {
    await row(page, 'mast').hover();
    await row(page, 'mast').getByRole('button', { name: /done/ }).click();
    await toastOf(page)
      .getByText(`${work.refs.id('mast')} Paint the mast marked done`)
      .waitFor();
    await keptRow(page, 'mast').waitFor();
  };
  await finish();
  t.is(await top(page), before);
  t.is(await page.locator('#group-overdue').count(), 0, 'the count changes at once');
  t.regex((await keptRow(page, 'mast').getAttribute('class'))!, /is-done/);
  await page.mouse.move(5, 5);
  await keptRow(page, 'mast').waitFor({ state: 'detached' });
  t.is(await page.locator('.toast :focus').count(), 0);
  await toastOf(page).getByRole('button', { name: 'Undo' }).dblclick();
  await toastOf(page).getByText('Undone.').waitFor();
  await row(page, 'mast').waitFor();
  const { text } = await ana.go(pathOf('mast'));
  t.is(text.match(/changed the status from/g)?.length, 2, 'a double click undoes once');
  await finish();
  await ana.go(`${pathOf('bow')}/change/priority`);
  await ana.send('/change/priority', { value: 'urgent' });
  await lookAgain(page);
  await row(page, 'bow').locator('[aria-label*="Urgent"], [title*="Urgent"]').first().waitFor();
  t.is(await keptRow(page, 'mast').count(), 1, 'it also stays when the list is updated by another page');
  await expectAccessible(t, page);
});

const cardIn = (page: Page, column: string, ref: string) => page.locator(`[data-column="${column}"] [data-item="${work.refs.id(ref)}"]`);
const keptIn = (page: Page, column: string, ref: string) => page.locator(`[data-column="${column}"] [data-kept="${work.refs.id(ref)}"]`);

async function finishByMenu(page: Page, ref: string): Promise<void> {
  await cardIn(page, 'planned', ref).locator('h3 a').focus();
  await page.keyboard.press('s');
  await page.locator('.menu-box').getByRole('button', { name: 'Done', exact: true }).click();
  await toastOf(page).getByText(`Paint the ${ref} marked done`).waitFor();
}

test('on a board a card marked done stays in place until the pointer leaves its column, then goes to Done with the focus', async (t) => {
  const page = await work.open(t, `${work.at}?view=board&open=done`);
  await finishByMenu(page, 'flag');
  const kept = keptIn(page, 'planned', 'flag');
  await kept.waitFor();
  t.regex(
    String(await kept.locator('h3 a').evaluate((link) => link.ownerDocument.defaultView.getComputedStyle(link).textDecorationLine)),
    /line-through/,
  );
  t.is(await cardIn(page, 'done', 'flag').count(), 0);
  t.is(await kept.evaluate((card) => card.contains(card.ownerDocument.activeElement)), true);
  await lookAgain(page);
  await kept.hover();
  t.is(await kept.count(), 1, 'an update by another page leaves it there');
  const done = (await page.locator('[data-column="done"]').boundingBox())!;
  await page.mouse.move(done.x + 20, done.y + 20);
  await cardIn(page, 'done', 'flag').waitFor();
  t.is(await page.locator('[data-kept], [data-kept-place]').count(), 0);
  t.is(await cardIn(page, 'done', 'flag').evaluate((card) => card.contains(card.ownerDocument.activeElement)), true);
  await page.keyboard.press('z');
  await cardIn(page, 'planned', 'flag').waitFor();
  t.is(await keptIn(page, 'planned', 'flag').count(), 0);
  await page.setViewportSize({ width: 2000, height: 900 });
  await dragCard(page, cardIn(page, 'planned', 'rail'), 'done');
  await toastOf(page).getByText('Paint the rail marked done').waitFor();
  await cardIn(page, 'done', 'rail').waitFor();
  t.is(await page.locator('[data-kept]').count(), 0, 'a dragged one goes there at once');

  await page.goto(`${work.at}?view=board`);
  t.is(await page.locator('[data-column="done"] [data-item]').count(), 0, 'Done is folded');
  await finishByMenu(page, 'rope');
  await keptIn(page, 'planned', 'rope').hover({ force: true });
  await page.mouse.move(5, 5);
  await keptIn(page, 'planned', 'rope').waitFor({ state: 'detached' });
});

// At the end: the page's clock is not that of the browser any more.
test('the toast leaves by itself, not while it has the pointer, and a reload does not repeat it', async (t) => {
  await (await work.browser.shared(t)).clock.install();
  const page = await work.open(t, `${work.web.baseUrl}/?notice=saved`);
  await toastOf(page).waitFor();
  await toastOf(page).hover();
  await page.clock.runFor(30_000);
  t.is(await toastOf(page).count(), 1);
  await page.mouse.move(5, 5);
  await page.clock.runFor(11_000);
  t.is(await toastOf(page).count(), 0);
  t.false(page.url().includes('notice='));
});
