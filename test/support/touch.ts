/** Touch on a page as a finger makes it, through the browser's own input: scrolling, gestures and clicks follow from it. */
import { setTimeout } from 'node:timers/promises';
import type { BrowserContextOptions, CDPSession, Locator, Page } from 'playwright-core';

export const phone: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

const sessions = new WeakMap<Page, Promise<CDPSession>>();

function cdp(page: Page): Promise<CDPSession> {
  const found = sessions.get(page) ?? page.context().newCDPSession(page);
  sessions.set(page, found);
  return found;
}

async function touch(page: Page, type: 'touchStart' | 'touchMove' | 'touchEnd', x?: number, y?: number): Promise<void> {
  const touchPoints = x === undefined || y === undefined ? [] : [{ x, y }];
  await (await cdp(page)).send('Input.dispatchTouchEvent', { type, touchPoints });
}

async function middleOf(target: Locator): Promise<{ x: number; y: number }> {
  await target.scrollIntoViewIfNeeded();
  const box = (await target.boundingBox())!;
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Moves a finger from the middle of `target`, and lifts it. `meanwhile` runs before. */
export async function drag(
  target: Locator,
  { x: dx = 0, y: dy = 0 }: { x?: number; y?: number },
  meanwhile: () => Promise<void> = async () => {},
): Promise<void> {
  const page = target.page();
  const { x, y } = await middleOf(target);
  await cdp(page);
  // Sent at once: on a busy machine pauses would make it a hold.
  const first = touch(page, 'touchStart', x, y);
  const moves = Array.from({ length: 8 }, (_, n) => touch(page, 'touchMove', x + (dx * (n + 1)) / 8, y + (dy * (n + 1)) / 8));
  await Promise.all([first, ...moves]);
  await meanwhile();
  await touch(page, 'touchEnd');
}

/** A quick swipe, which Chromium takes for a fling: unlike those of `drag`, its moves take time, but no answer is awaited between them. */
export async function flick(target: Locator, dx: number): Promise<void> {
  const { x, y } = await middleOf(target);
  const page = target.page();
  const sent = [touch(page, 'touchStart', x, y)];
  for (let n = 1; n <= 8; n += 1) {
    await setTimeout(12);
    sent.push(touch(page, 'touchMove', x + (dx * n) / 8, y));
  }
  sent.push(touch(page, 'touchEnd'));
  await Promise.all(sent);
}

export async function hold(target: Locator, ms = 700): Promise<void> {
  const page = target.page();
  const { x, y } = await middleOf(target);
  await touch(page, 'touchStart', x, y);
  await page.waitForTimeout(ms);
  await touch(page, 'touchEnd');
}
