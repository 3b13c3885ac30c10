/** Changes in place in a browser: menus, bulk changes, a board and a timeline by mouse, touch and keyboard (behaviour §23, §26). */
import type { ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { addDays } from '../../src/values/dates.ts';
import { dragCard } from '../support/board.ts';
import { expectAccessible, fileBrowser, openAs } from '../support/browser.ts';
import { fileDatabase } from '../support/database.ts';
import { suite } from '../support/suite.ts';
import { signedIn } from '../support/visitor.ts';
import { emailOf, type WorkWorld, workWorld } from '../support/workWorld.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
const browser = fileBrowser();
let work: WorkWorld;
const later = (days: number) => addDays(new Date().toISOString().slice(0, 10), days);
test.before('a workspace with work', async () => {
  const task = (ref: string, title: string, more = {}) => ({ ref, type: 'task' as const, title, ...more });
  work = await workWorld(database.url, {
    items: [
      ...[task('keel', 'Lay the keel'), task('hull', 'Weld the hull'), task('mast', 'Step the mast'), task('sail', 'Sew the sail')],
      task('rudder', 'Hang the rudder', { status: 'in_progress', fields: { estimatedHours: 4, progressPercent: 50 } }),
      task('paint', 'Paint the deck', { status: 'done' }),
      { ref: 'voyage', type: 'release', title: 'First voyage', fields: { startDate: later(7), targetDate: later(27) } },
    ],
  });
});
test.after('stop', () => work?.stop());

async function open(t: ExecutionContext, query = ''): Promise<Page> {
  const page = await browser.shared(t);
  await openAs(page, work.web.baseUrl, emailOf('ana'), work.at + query);
  return page;
}

/** Another user presses this button: the displayed version is outdated. */
async function changeBeside(t: ExecutionContext, ref: string, field: string, said: string): Promise<void> {
  const max = await signedIn(work.web.baseUrl, emailOf('max'));
  const { html } = await max.go(`${work.item(ref).slice(work.web.baseUrl.length)}/change/${field}`);
  const [, value] = new RegExp(`name="value" value="([^"]*)"(?:(?!</button>).)*${said}`, 's').exec(html)!;
  t.regex((await max.send(`/change/${field}`, { value: value! })).path, /notice=changed/);
}

const rowOf = (page: Page, ref: string) => page.locator(`[data-item="${work.refs.id(ref)}"]`);
const undo = async (page: Page) => {
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Undone.').waitFor();
};
const focused = (page: Page) =>
  page.evaluate<string>(`document.activeElement?.closest('[data-item]')?.dataset.item ?? document.activeElement?.tagName`);

test('a menu opens by key, closes on Escape, takes digits, and asks why work is blocked; the row keeps the focus', async (t) => {
  const page = await open(t);
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
  const page = await open(t);
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

test('a card can be dragged to another column, also below its cards, which is announced, and moved by its menu', async (t) => {
  const page = await open(t, '?view=board');
  await dragCard(page, rowOf(page, 'mast'), 'in_review');
  await cardIn(page, 'in_review', 'Step the mast').waitFor();
  await page.getByRole('button', { name: 'Undo' }).waitFor();
  t.regex(await said(page).innerText(), /Step the mast moved to In review/);
  await dragCard(page, rowOf(page, 'keel'), 'in_review', 'bottom');
  await cardIn(page, 'in_review', 'Lay the keel').waitFor();
  await said(page).getByText('Lay the keel moved to In review').waitFor();
  await undo(page);
  await cardIn(page, 'planned', 'Lay the keel').waitFor();

  await rowOf(page, 'keel').hover();
  await rowOf(page, 'keel').getByRole('link', { name: 'Move Lay the keel' }).click();
  await page.locator('.menu-box').getByRole('button', { name: 'In review' }).click();
  await cardIn(page, 'in_review', 'Lay the keel').waitFor();
});

test('a card can be moved by keyboard with announcements; Escape cancels, and a refused move is reverted', async (t) => {
  const page = await open(t, '?view=board');
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
  await changeBeside(t, 'sail', 'estimate', '8 h');
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

const barOf = (page: Page, ref: string) => rowOf(page, ref).locator('.tbar');
const ends = async (page: Page, ref: string) => {
  const bar = barOf(page, ref);
  return [await bar.getAttribute('data-s'), await bar.getAttribute('data-e')].map((date) => date ?? '');
};
const inTime = (page: Page) => page.locator('#timeline-said');

/** Drags from somewhere on a bar by so many days. */
async function drag(page: Page, ref: string, from: 'middle' | 'end', days: number): Promise<void> {
  const bar = (await barOf(page, ref).locator('.barr').boundingBox())!;
  const axis = (await page.locator('.ground svg').boundingBox())!;
  const [x, y] = [from === 'end' ? bar.x + bar.width - 3 : bar.x + bar.width / 2, bar.y + bar.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + (axis.width / 84) * days, y, { steps: 5 });
  await page.mouse.up();
}

test('a bar and its end can be dragged by mouse and long press, which is announced; a swipe moves nothing', async (t) => {
  const page = await open(t, '?view=timeline');
  const [start, end] = (await ends(page, 'voyage')) as [string, string];
  await drag(page, 'voyage', 'middle', 7);
  await page.getByRole('button', { name: 'Undo' }).waitFor();
  t.deepEqual(await ends(page, 'voyage'), [addDays(start, 7), addDays(end, 7)]);
  t.regex(await inTime(page).innerText(), /First voyage: /);
  await drag(page, 'voyage', 'end', -5);
  await page.locator(`.tbar[data-e="${addDays(end, 2)}"]`).waitFor();
  t.deepEqual(await ends(page, 'voyage'), [addDays(start, 7), addDays(end, 2)]);
  await undo(page);
  t.deepEqual(await ends(page, 'voyage'), [addDays(start, 7), addDays(end, 7)]);
  // A click opens its dates.
  await barOf(page, 'voyage').click();
  await page.locator('.menu-box').getByRole('button', { name: 'A week earlier' }).click();
  await page.locator(`.tbar[data-s="${start}"][data-e="${end}"]`).waitFor();

  const bar = (await barOf(page, 'voyage').locator('.barr').boundingBox())!;
  const axis = (await page.locator('.ground svg').boundingBox())!;
  const [x, y] = [bar.x + bar.width / 2, bar.y + bar.height / 2];
  const device = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', days = 0) =>
    device.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x: x + (axis.width / 84) * days, y }] });
  const moving = page.locator('.tbar.moving');
  await touch('touchStart');
  await touch('touchMove', 3);
  await touch('touchEnd');
  t.is(await moving.count(), 0);
  // A browser that waits too long for a busy page takes the touch for scrolling: the bar returns, and the test retries.
  for (let tries = 0; tries < 40 && (await ends(page, 'voyage'))[0] === start; tries++) {
    await touch('touchStart');
    await moving.waitFor();
    await touch('touchMove', 1);
    await touch('touchMove', 3);
    await touch('touchEnd');
    await moving.waitFor({ state: 'detached' });
  }
  await page.locator(`.tbar[data-s="${addDays(start, 3)}"][data-e="${addDays(end, 3)}"]`).waitFor();
  await device.detach();
});

test('a bar can be moved by keyboard with announcements and saved by Enter; Escape cancels, and a refused move is reverted', async (t) => {
  const page = await open(t, '?view=timeline');
  const [start, end] = (await ends(page, 'voyage')) as [string, string];
  await barOf(page, 'voyage').focus();
  await page.keyboard.press('ArrowRight');
  t.regex(await inTime(page).innerText(), /Enter saves/);
  await page.keyboard.press('Escape');
  t.regex(await inTime(page).innerText(), /was not moved/);
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Undo' }).waitFor();
  t.deepEqual(await ends(page, 'voyage'), [addDays(start, -1), end]);
  t.is(await focused(page), String(work.refs.id('voyage')));
  await changeBeside(t, 'voyage', 'dates', 'A week later');
  await barOf(page, 'voyage').focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await page
    .getByText(/has changed since you opened/)
    .first()
    .waitFor();
  await page.getByText('Saved value').first().waitFor();
});
