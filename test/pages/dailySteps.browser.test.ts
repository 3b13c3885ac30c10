/** How many steps the most frequent tasks take, and that they and others go with the keyboard alone. A step is a control that is used, or a line
 *  that is typed. With the sample's data. */
import test, { type ExecutionContext } from 'ava';
import type { Locator, Page } from 'playwright-core';
import { loadSample } from '../../src/sample/load.ts';
import { fileBrowser, signIn } from '../support/browser.ts';
import { fileDatabase } from '../support/database.ts';
import { startWeb, type Web } from '../support/world.ts';

const database = fileDatabase();
const browser = fileBrowser();
let web: Web;
let sample: { email: string; password: string; workspaceId: number };
test.serial.before('the sample', async () => {
  sample = (await loadSample(database.url))!;
  web = await startWeb(database.url);
});
test.after.always('it ends', () => web?.stop());

async function enter(t: ExecutionContext, path = ''): Promise<Page> {
  const page = await browser.page(t, { permissions: ['clipboard-read', 'clipboard-write'], viewport: { width: 1440, height: 900 } });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await signIn(page, web.baseUrl, sample.email, sample.password);
  if (path) await page.goto(web.baseUrl + path);
  return page;
}
const work = () => `/workspaces/${sample.workspaceId}`;
const notice = (page: Page, text: RegExp) => page.locator('#notice').getByText(text).waitFor();

/** Counts what somebody does. */
class Steps {
  taken = 0;
  async click(one: Locator): Promise<void> {
    this.taken++;
    await one.click();
  }
  async type(one: Locator, text: string): Promise<void> {
    this.taken++;
    await one.fill(text);
  }
  async press(page: Page, key: string): Promise<void> {
    this.taken++;
    await page.keyboard.press(key);
  }
}

test.serial('the next work is there without a step, and done is one', async (t) => {
  const page = await enter(t);
  const steps = new Steps();
  t.true(await page.locator('#work [data-item]').first().isVisible());
  t.is(steps.taken, 0);
  // What waits for a decision is not done by its approver.
  const first = page
    .locator('#work [data-item]')
    .filter({ has: page.getByRole('button', { name: /done/i }) })
    .first();
  const id = await first.getAttribute('data-item');
  await first.hover();
  await steps.click(first.getByRole('button', { name: /done/i }));
  await page.locator('#notice').getByRole('button', { name: 'Undo' }).waitFor();
  t.is(await page.locator(`#work [data-item="${id}"]`).count(), 0);
  t.is(steps.taken, 1);
});

test.serial('work is made in two steps where it belongs, and time is logged in two', async (t) => {
  const page = await enter(t, work());
  const making = new Steps();
  await making.type(page.getByRole('textbox', { name: /^New task in/ }).first(), 'Count the life jackets');
  await making.press(page, 'Enter');
  await page.locator('#work').getByRole('link', { name: 'Count the life jackets', exact: true }).waitFor();
  t.is(making.taken, 2);
  await page.goto(`${web.baseUrl}/`);
  const logging = new Steps();
  await logging.type(page.getByLabel('Log or plan time in words'), '45m on words yesterday');
  await page.locator('#line-said mark').first().waitFor();
  await logging.press(page, 'Enter');
  await notice(page, /Logged 45 min/);
  t.is(logging.taken, 2);
});

test.serial('an agent is connected in four steps: where, its name, making it, and what to paste', async (t) => {
  const page = await enter(t);
  const steps = new Steps();
  await steps.click(page.getByRole('complementary', { name: 'Main' }).getByRole('link', { name: 'Agents' }));
  await steps.type(page.getByRole('main').getByLabel('Name', { exact: true }), 'Laptop of Ana');
  await steps.click(page.getByRole('button', { name: /^Create/ }));
  await steps.click(page.getByRole('button', { name: /^Copy/ }).first());
  t.regex(String(await page.evaluate('navigator.clipboard.readText()')), /stint_agent_/);
  t.is(steps.taken, 4);
});

/** As somebody does who has no mouse. */
async function tabTo(page: Page, one: Locator): Promise<void> {
  for (let stops = 0; stops < 150; stops++) {
    if (await one.and(page.locator(':focus')).count()) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab never comes to ${one}`);
}

test.serial('ten frequent tasks with the keyboard alone', async (t) => {
  t.timeout(300_000);
  const page = await browser.page(t, { viewport: { width: 1440, height: 900 } });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  // 1: signing in.
  await page.goto(`${web.baseUrl}/sign-in`);
  await tabTo(page, page.getByLabel('E-mail'));
  await page.keyboard.type(sample.email);
  await page.keyboard.press('Tab');
  await page.keyboard.type(sample.password);
  await page.keyboard.press('Enter');
  await page.locator('#work [data-item]').first().waitFor();
  // 2: starting a timer on the next work; 3: stopping it.
  // What waits for a decision has no timer.
  for (let rows = 0; rows < 20; rows++) {
    await page.keyboard.press('j');
    if (await page.locator('[data-item]:focus-within [data-key=t]').count()) break;
  }
  await page.keyboard.press('t');
  await notice(page, /The timer runs/);
  await tabTo(page, page.locator('#timer').getByRole('button', { name: /Stop/ }));
  await page.keyboard.press('Space');
  await notice(page, /stopped|Stopped|Logged|recorded/);
  // 4: opening a piece of work by the search.
  await page.keyboard.press('Control+k');
  await page.locator('#palette-results [role=option]').first().waitFor();
  await page.keyboard.type('Deck plan of each ship');
  await page
    .getByRole('option', { name: /Deck plan of each ship/ })
    .first()
    .waitFor();
  await page.locator('[role=option][aria-selected=true]', { hasText: 'Deck plan' }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/items/**');
  // 5: its status.
  await page.keyboard.press('s');
  const chosen = page.getByRole('button', { name: /In progress/ }).first();
  await chosen.waitFor();
  await tabTo(page, chosen);
  await page.keyboard.press('Enter');
  await page.locator('#notice').getByRole('button', { name: 'Undo' }).waitFor();
  // 6: a comment.
  await tabTo(page, page.getByRole('textbox', { name: 'Add a comment' }));
  await page.keyboard.type('Seen on deck');
  await page.keyboard.press('Control+Enter');
  await page.getByText('Seen on deck').first().waitFor();
  // 7: making work.
  await page.goto(web.baseUrl + work());
  await tabTo(page, page.getByRole('textbox', { name: /^New task in/ }).first());
  await page.keyboard.type('Wash the ropes 2h');
  await page.keyboard.press('Enter');
  await page.locator('#work').getByRole('link', { name: 'Wash the ropes', exact: true }).waitFor();
  // 8: going from row to row.
  await page.keyboard.press('Escape');
  await page.evaluate('document.activeElement.blur()');
  await page.keyboard.press('j');
  await page.keyboard.press('ArrowDown');
  t.true(await page.evaluate('document.activeElement.closest("[data-item]") === document.querySelectorAll("[data-item]")[1]'));
  // 9: logging time.
  await page.goto(`${web.baseUrl}/`);
  await tabTo(page, page.getByLabel('Log or plan time in words'));
  await page.keyboard.type('30m on ropes');
  await page.locator('#line-said mark').first().waitFor();
  await page.keyboard.press('Enter');
  await notice(page, /Logged 30 min/);
  // 10: leaving.
  await page.keyboard.press('Control+k');
  await page.locator('#palette-results [role=option]').first().waitFor();
  await page.keyboard.type('sign out');
  await page.locator('[role=option][aria-selected=true]', { hasText: 'Sign out' }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/sign-in**');
  t.pass();
});
