/** A board in a browser. */
import type { Locator, Page } from 'playwright-core';

/** Drags a card with the mouse to the top or bottom of a column, and drops it once the column accepts it. */
export async function dragCard(page: Page, card: Locator, column: string, place: 'top' | 'bottom' = 'top'): Promise<void> {
  const from = (await card.boundingBox())!;
  const to = (await page.locator(`[data-column="${column}"]`).boundingBox())!;
  await page.mouse.move(from.x + 40, from.y + 30);
  await page.mouse.down();
  await page.mouse.move(from.x + 80, from.y + 50, { steps: 4 });
  await page.mouse.move(to.x + to.width / 2, place === 'top' ? to.y + 80 : to.y + to.height - 20, { steps: 8 });
  await page.locator(`[data-column="${column}"].drop-here`).waitFor();
  await page.mouse.up();
}
