/** Changes in place in a browser: menus, bulk changes, moves to another workspace (behaviour §42), and a board by mouse and keyboard
 *  (behaviour §23). */
import type { Page } from 'playwright-core';
import { dragCard } from '../support/board.ts';
import { expectAccessible, expectFitsPhone } from '../support/browser.ts';
import { suite } from '../support/suite.ts';
import { workPages } from '../support/workPages.ts';

const test = suite(import.meta.url);

const task = (ref: string, title: string, more = {}) => ({ ref, type: 'task' as const, title, ...more });
const work = workPages(
  {
    items: [
      ...[task('keel', 'Lay the keel'), task('hull', 'Weld the hull'), task('mast', 'Step the mast'), task('sail', 'Sew the sail')],
      task('rudder', 'Hang the rudder', { status: 'in_progress', fields: { estimatedHours: 4, progressPercent: 50 } }),
      task('paint', 'Paint the deck', { status: 'done' }),
      ...['First', 'Second'].map((ref) => task(ref, `${ref} of two`, { fields: { assigneeId: { ref: 'max' } } })),
    ],
  },
  { workspaces: [{ ref: 'hermes', name: 'Hermes', members: [{ user: 'ana', role: 'owner' }] }] },
);

const rowOf = (page: Page, ref: string) => page.locator(`[data-item="${work.refs.id(ref)}"]`);
const undo = async (page: Page) => {
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Undone.').waitFor();
};
const focused = (page: Page) =>
  page.evaluate<string>(`document.activeElement?.closest('[data-item]')?.dataset.item ?? document.activeElement?.tagName`);

test('a menu opens by key, closes on Escape, takes digits, and asks why work is blocked; the row keeps the focus', async (t) => {
  const page = await work.open(t);
  const row = rowOf(page, 'keel');
  await row.locator('.t a').focus();
  await page.keyboard.press('s');
  const menu = page.locator('.menu-box');
  await menu.getByRole('button', { name: 'Planned' }).waitFor();
  await page.keyboard.press('Escape');
  await menu.waitFor({ state: 'hidden' });
  t.is(await focused(page), String(work.refs.id('keel')));
  await page.keyboard.press('s');
  await menu.getByRole('button', { name: 'In progress' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('2');
  await page.locator('#g-in_progress').getByRole('link', { name: 'Lay the keel', exact: true }).waitFor();
  t.is(await focused(page), String(work.refs.id('keel')));
  await undo(page);
  await page.locator('#g-planned').getByRole('link', { name: 'Lay the keel', exact: true }).waitFor();

  await rowOf(page, 'rudder').locator('.chg-estimate').click();
  await menu.getByRole('button', { name: '4 h', exact: true }).waitFor();
  await page.keyboard.press('1');
  await page.keyboard.press('7');
  t.is(await menu.getByLabel('Hours').inputValue(), '17');
  await page.keyboard.press('Enter');
  await rowOf(page, 'rudder').getByText('17 h', { exact: true }).waitFor();
  t.is(await focused(page), String(work.refs.id('rudder')));
  await undo(page);
  await rowOf(page, 'hull').locator('.chg-status').click();
  await menu.getByRole('link', { name: 'Blocked' }).click();
  await page.getByLabel('What blocks this item?').fill('No plates');
  await page.keyboard.press('Enter');
  await page.getByText('No plates').waitFor();
  t.is(await page.locator('#g-blocked').getByRole('link', { name: 'Weld the hull', exact: true }).count(), 1);
  await undo(page);
});

test('rows are selected by x and as a range and changed from the bar; ticks stay when a change moves another row', async (t) => {
  const page = await work.open(t);
  const bar = page.locator('.bulk');
  await bar.waitFor({ state: 'hidden' });
  await rowOf(page, 'keel').locator('.t a').focus();
  await page.keyboard.press('x');
  await rowOf(page, 'mast')
    .locator('.pick')
    .click({ modifiers: ['Shift'] });
  await bar.getByText('3 selected').waitFor();
  await bar.getByRole('button', { name: 'Priority' }).click();
  const urgent = page.locator('.menu-box').getByRole('button', { name: 'Urgent' });
  await urgent.waitFor();
  await expectAccessible(t, page);
  await urgent.click();
  await page.getByRole('button', { name: 'Undo' }).waitFor();
  t.is(await page.getByTitle('Urgent priority').count(), 3);
  await bar.waitFor({ state: 'hidden' });
  await undo(page);
  t.is(await page.getByTitle('Urgent priority').count(), 0);

  await rowOf(page, 'hull').locator('.pick').check();
  await rowOf(page, 'keel').locator('.t a').focus();
  await page.keyboard.press('s');
  await page.locator('.menu-box').getByRole('button', { name: 'In progress' }).click();
  await page.locator('#g-in_progress').getByRole('link', { name: 'Lay the keel', exact: true }).waitFor();
  const ticked = await page.evaluate(
    `[...document.querySelectorAll('.pick:checked')].map((box) => box.closest('[data-item]').dataset.item)`,
  );
  t.deepEqual(ticked, [String(work.refs.id('hull'))]);
  await undo(page);
});

const columnOf = (page: Page, key: string) => page.locator(`[data-column="${key}"]`);
const cardIn = (page: Page, key: string, title: string) => columnOf(page, key).getByRole('heading', { name: title });
const said = (page: Page) => page.locator('#board-said');

test('a card can be dragged to another column, also below its cards, which is announced', async (t) => {
  const page = await work.open(t, `${work.at}?view=board`);
  await dragCard(page, rowOf(page, 'mast'), 'in_review');
  await cardIn(page, 'in_review', 'Step the mast').waitFor();
  await page.getByRole('button', { name: 'Undo' }).waitFor();
  t.regex(await said(page).innerText(), /Step the mast moved to In review/);
  await dragCard(page, rowOf(page, 'keel'), 'in_review', 'bottom');
  await cardIn(page, 'in_review', 'Lay the keel').waitFor();
  await said(page).getByText('Lay the keel moved to In review').waitFor();
  await undo(page);
  await cardIn(page, 'planned', 'Lay the keel').waitFor();
});

test('a card can be moved by keyboard with announcements; Escape cancels, and a refused move is reverted', async (t) => {
  const page = await work.open(t, `${work.at}?view=board`);
  const card = rowOf(page, 'sail');
  await card.locator('h3 a').focus();
  await page.keyboard.press(' ');
  t.regex(await said(page).innerText(), /Sew the sail picked up in Planned/);
  await page.keyboard.press('ArrowRight');
  t.regex(await said(page).innerText(), /In progress, 1/);
  await page.keyboard.press('Escape');
  t.regex(await said(page).innerText(), /still in Planned/);
  t.is(await cardIn(page, 'planned', 'Sew the sail').count(), 1);
  await page.keyboard.press(' ');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press(' ');
  await page.getByRole('button', { name: 'Undo' }).waitFor();
  t.regex(await said(page).innerText(), /Sew the sail moved to In progress/);
  t.is(await focused(page), String(work.refs.id('sail')));
  const max = await work.visitor('max');
  await max.go(`${work.item('sail').slice(work.web.baseUrl.length)}/change/priority`);
  await max.send('/change/priority', { value: 'urgent' });
  await card.locator('h3 a').focus();
  await page.keyboard.press(' ');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press(' ');
  await page
    .getByText(/has changed since you opened/)
    .first()
    .waitFor();
  await page.goto(`${work.at}?view=board`);
  t.is(await cardIn(page, 'in_progress', 'Sew the sail').count(), 1);
});

test('the bar of selected items moves several at once, after a preview, and leads back to the list', async (t) => {
  const page = await work.open(t, `${work.at}?type=task`);
  for (const ref of ['First', 'Second']) await page.locator(`input.pick[value^="${work.refs.id(ref)}."]`).check({ force: true });
  await page.locator('form[data-bulk]').getByRole('button', { name: 'Move' }).click();
  await page.getByRole('button', { name: 'Show what changes' }).click();
  await page.getByText('Assignee: Max is removed').first().waitFor();
  await expectFitsPhone(t, page);
  await page.getByRole('button', { name: 'Move 2 tasks' }).click();
  await page.locator('#notice .toast').getByText('2 tasks moved').waitFor();
  t.true(page.url().startsWith(`${work.at}?type=task`));
  t.is(await page.getByText('First of two').count(), 0);
});
