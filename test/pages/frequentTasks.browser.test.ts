/** The ten most frequent tasks (behaviour §22.11) with only the keyboard, with the sample's data. */
import type { Locator, Page } from 'playwright-core';
import { loadSample } from '../../src/sample/load.ts';
import { fileBrowser } from '../support/browser.ts';
import { fileDatabase } from '../support/database.ts';
import { doFrequentTasks } from '../support/frequentTasks.ts';
import { suite } from '../support/suite.ts';
import { startWeb, type Web } from '../support/world.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
const browser = fileBrowser();
let web: Web;
let sample: { email: string; password: string; workspaceId: number };
test.before('the sample', async () => {
  sample = (await loadSample(database.url))!;
  web = await startWeb(database.url);
});
test.after('stop', () => web?.stop());

const work = () => `/workspaces/${sample.workspaceId}`;
const notice = (page: Page, text: RegExp) => page.locator('#notice').getByText(text).waitFor();

/** As a user without a mouse. */
async function tabTo(page: Page, one: Locator): Promise<void> {
  for (let stops = 0; stops < 150; stops++) {
    if (await one.and(page.locator(':focus')).count()) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab never comes to ${one}`);
}

/** Opens a menu by its letter, reaches the choice by Tab and takes it by Enter. */
async function choose(page: Page, key: string, name: RegExp): Promise<void> {
  await page.evaluate('document.activeElement.blur()');
  await page.keyboard.press(key);
  const choice = page.locator('#change').getByRole('button', { name }).first();
  await choice.waitFor();
  await tabTo(page, choice);
  await page.keyboard.press('Enter');
  await choice.waitFor({ state: 'detached' });
}

async function say(page: Page, line: string): Promise<void> {
  await page.goto(`${web.baseUrl}/`);
  await tabTo(page, page.getByLabel('Add a task, or log or plan time'));
  await page.keyboard.type(line);
  await page.locator('#line-said mark').first().waitFor();
  await page.keyboard.press('Enter');
}

test('the ten most frequent tasks work with the keyboard alone', async (t) => {
  const page = await browser.page(t, { viewport: { width: 1440, height: 900 } });
  await page.goto(`${web.baseUrl}/sign-in`);
  await tabTo(page, page.getByLabel('Email'));
  await page.keyboard.type(sample.email);
  await page.keyboard.press('Tab');
  await page.keyboard.type(sample.password);
  await page.keyboard.press('Enter');
  await doFrequentTasks(page, {
    async see() {
      await page.locator('#work [data-item]').first().waitFor();
      await page.keyboard.press('j');
      t.true(await page.evaluate('document.activeElement.closest("[data-item]") === document.querySelector("[data-item]")'));
    },
    async timer() {
      // Items that wait for a decision have no timer.
      for (let rows = 0; rows < 20; rows++) {
        if (await page.locator('[data-item]:focus-within [data-key=t]').count()) break;
        await page.keyboard.press('j');
      }
      await page.keyboard.press('t');
      await notice(page, /Timer started/);
      await tabTo(page, page.locator('#timer').getByRole('button', { name: /Stop/ }));
      await page.keyboard.press('Space');
      await notice(page, /stopped|Stopped|Logged|recorded/);
    },
    async find() {
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
      t.true(await page.getByRole('heading', { name: /Deck plan of each ship/ }).isVisible());
    },
    async values() {
      await choose(page, 'a', /Bo Madsen/);
      await page.getByRole('link', { name: /^Change assignee of .*Bo Madsen/ }).waitFor();
      await choose(page, '!', /Low/);
      await page.getByRole('link', { name: /^Change priority of .*Low/ }).waitFor();
      // Its start is in the future: an earlier due date would be refused.
      await choose(page, 'd', /No due date/);
      await page.getByRole('link', { name: /^Change due of .*Set/ }).waitFor();
    },
    async comment() {
      await tabTo(page, page.getByRole('textbox', { name: 'Add a comment' }));
      await page.keyboard.type('Seen on deck');
      await page.keyboard.press('Control+Enter');
      await page.getByText('Seen on deck').first().waitFor();
    },
    async done() {
      await choose(page, 's', /^Done/);
      await page.locator('#notice').getByRole('button', { name: 'Undo' }).waitFor();
    },
    async create() {
      await page.goto(web.baseUrl + work());
      await tabTo(page, page.getByRole('textbox', { name: /^New task in/ }).first());
      await page.keyboard.type('Wash the ropes 2h');
      await page.keyboard.press('Enter');
      await page.locator('#work').getByRole('link', { name: 'Wash the ropes', exact: true }).waitFor();
      await page.keyboard.press('Escape');
      await page.evaluate('document.activeElement.blur()');
      await page.keyboard.press('j');
      await page.keyboard.press('ArrowDown');
      t.true(await page.evaluate('document.activeElement.closest("[data-item]") === document.querySelectorAll("[data-item]")[1]'));
    },
    async time() {
      await say(page, '30m on ropes');
      await notice(page, /Logged 30 min/);
      await say(page, '9-10 tomorrow on ropes');
      await notice(page, /Planned/);
    },
    async decide() {
      await page.goto(`${web.baseUrl}/notifications`);
      await tabTo(page, page.getByRole('button', { name: /^Approve/ }).first());
      await page.keyboard.press('Space');
      await notice(page, /Approved/);
    },
    async agent() {
      await page.goto(`${web.baseUrl}/mcp-access`);
      await tabTo(page, page.getByRole('main').getByLabel('Name', { exact: true }));
      await page.keyboard.type('By keys');
      await page.keyboard.press('Enter');
      await page.locator('#new-key').waitFor();
      // And leaving.
      await page.keyboard.press('Control+k');
      await page.locator('#palette-results [role=option]').first().waitFor();
      await page.keyboard.type('sign out');
      await page.locator('[role=option][aria-selected=true]', { hasText: 'Sign out' }).waitFor();
      await page.keyboard.press('Enter');
      await page.waitForURL('**/sign-in**');
    },
  });
});
