/** A timeline in a browser: bars by mouse, touch and keyboard (behaviour §26.7), and moving dependent items (behaviour §33.18). */
import type { Page } from 'playwright-core';
import { addDays, mondayOf } from '../../src/values/dates.ts';
import { expectAccessible, expectFitsPhone } from '../support/browser.ts';
import { suite } from '../support/suite.ts';
import { workPages } from '../support/workPages.ts';

const test = suite(import.meta.url);

const monday = mondayOf(addDays(new Date().toISOString().slice(0, 10), 7));
const day = (days: number) => addDays(monday, days);

const work = workPages({
  items: [
    { ref: 'voyage', type: 'release', title: 'First voyage', fields: { startDate: day(0), targetDate: day(20) } },
    { ref: 'hull', type: 'release', title: 'Hull', fields: { startDate: day(0), targetDate: day(4) } },
    { ref: 'deck', type: 'release', title: 'Deck', fields: { startDate: day(7), targetDate: day(9) }, blockedBy: [{ ref: 'hull' }] },
    { ref: 'launch', type: 'milestone', title: 'Launch', fields: { targetDate: day(10) }, blockedBy: [{ ref: 'deck' }] },
  ],
});

const barOf = (page: Page, ref: string) => page.locator(`#tl-${work.refs.id(ref)} .tbar`);
const undo = async (page: Page) => {
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Undone.').waitFor();
};
const ends = (page: Page, ref: string) => barOf(page, ref).evaluate(({ dataset }): [string, string] => [dataset.s ?? '', dataset.e ?? '']);
const allEnds = (page: Page) => Promise.all(['hull', 'deck', 'launch'].map((ref) => ends(page, ref)));
const inTime = (page: Page) => page.locator('#timeline-said');

/** Drags from somewhere on a bar by so many days. */
async function drag(page: Page, ref: string, from: 'middle' | 'end', days: number): Promise<void> {
  const bar = (await barOf(page, ref).locator('.barr').boundingBox())!;
  const axis = (await page.locator('.ground svg.tl').boundingBox())!;
  const [x, y] = [from === 'end' ? bar.x + bar.width - 3 : bar.x + bar.width / 2, bar.y + bar.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + (axis.width / 84) * days, y, { steps: 5 });
  await page.mouse.up();
}

test('a bar and its end can be dragged by mouse and long press, which is announced; a swipe moves nothing', async (t) => {
  const page = await work.open(t, `${work.at}?view=timeline`);
  const [start, end] = await ends(page, 'voyage');
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
  const axis = (await page.locator('.ground svg.tl').boundingBox())!;
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

test('a bar can be moved by keyboard with announcements and saved by Enter; Escape cancels, and a stale one is refused', async (t) => {
  const page = await work.open(t, `${work.at}?view=timeline`);
  const [start, end] = await ends(page, 'voyage');
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
  t.true(await page.evaluate(`document.activeElement.closest('[data-item="${work.refs.id('voyage')}"]') !== null`));
  const max = await work.visitor('max');
  await max.go(`${work.item('voyage').slice(work.web.baseUrl.length)}/change/status`);
  await max.send('/change/status', { value: 'in_progress' });
  await barOf(page, 'voyage').focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await page
    .getByText(/has changed since you opened/)
    .first()
    .waitFor();
});

test('a bar whose end is moved offers to move what waits for it, by key M or by mouse: a dialog, one Undo', async (t) => {
  const page = await work.open(t, `${work.at}?view=timeline`);
  const before = await allEnds(page);
  const offer = page.getByRole('link', { name: /Move 2 dependent items/ });
  const lengthen = async (days: number) => {
    await barOf(page, 'hull').focus();
    for (let n = 0; n < days; n++) await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Enter');
    await offer.waitFor();
  };
  // From Friday to the next Tuesday.
  await lengthen(4);
  await page.keyboard.press('m');
  await page.getByRole('dialog', { name: 'Move dependent items' }).getByText('Deck').waitFor();
  await expectAccessible(t, page);
  await page.keyboard.press('Enter');
  await page.getByText('2 items updated').waitFor();
  t.deepEqual(await allEnds(page), [
    [day(0), day(8)],
    [day(9), day(11)],
    ['', day(14)],
  ]);
  await undo(page);
  t.deepEqual((await allEnds(page)).slice(1), before.slice(1));

  await lengthen(1);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectFitsPhone(t, page);
  await offer.click();
  await page.getByRole('button', { name: 'Move 2 items' }).click();
  await page.getByText('2 items updated').waitFor();
  t.deepEqual((await allEnds(page))[1], [day(10), day(14)]);
});
