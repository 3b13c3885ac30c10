/** Selects with many choices, and fields that name an item, as lists with a search field (behaviour §40.1 to §40.4). */
import type { Page } from 'playwright-core';
import { addDays } from '../../src/values/dates.ts';
import { expectAccessible } from '../support/browser.ts';
import { type Spawned, spawnNode } from '../support/processes.ts';
import { suite } from '../support/suite.ts';
import { workPages } from '../support/workPages.ts';
import { TEST_SECRET } from '../support/world.ts';

const test = suite(import.meta.url);

const hostile = '<img src=x onerror=alert(1)>';
const crew = ['crew0', 'crew1', 'crew2', 'crew3', 'crew4', 'crew5'];
const releases = Array.from({ length: 205 }, (_, n) => ({ ref: `v${n}`, type: 'release' as const, title: `Version ${n}` }));
const work = workPages(
  {
    members: ['bo', 'robot', ...crew].map((user) => ({ user, role: 'member' })),
    items: [
      { ref: 'deck', type: 'requirement', title: 'Paint the deck' },
      { ref: 'odd', type: 'requirement', title: hostile },
      { ref: 'task', type: 'task', title: 'Buy paint' },
      ...releases,
    ],
  },
  {
    users: [
      { ref: 'bo', email: 'bo@acme.example', name: 'Bo', weeklyHours: 20 },
      { ref: 'robot', email: 'robot@acme.example', name: 'Robot', kind: 'service' },
      ...crew.map((ref, n) => ({ ref, email: `${ref}@acme.example`, name: `Crew ${n}` })),
    ],
  },
);
let worker: Spawned;
test.before('a worker', async () => {
  worker = spawnNode(['workers/index.ts'], {
    env: { DATABASE_URL: work.databaseUrl, SECRET_KEY: TEST_SECRET, BASE_URL: 'http://localhost' },
  });
  // A picker waits for a forecast for some seconds only.
  await worker.log({ msg: 'listening' });
});
test.after('stop', async () => {
  worker?.kill('SIGTERM');
  await worker?.exit();
});

const editAt = (ref: string) => `${work.item(ref)}/edit`;
const list = (page: Page) => page.locator('.pick-box');
const search = (page: Page, label: string) => page.getByRole('combobox', { name: `Search: ${label}` });

test('a person is chosen by typing, arrow keys and Enter, and Escape changes nothing, on a tablet and a phone', async (t) => {
  const page = await work.open(t, editAt('task'));
  const select = page.locator('select[name=assigneeId]');
  for (const width of [820, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await select.focus();
    await page.keyboard.press('m');
    t.is(await search(page, 'Assignee').inputValue(), 'm');
    await list(page).waitFor();
    t.deepEqual(await list(page).getByRole('option').locator('.cut').allTextContents(), ['Max', 'Mia']);
    if (width === 390) await expectAccessible(t, page);
    await page.keyboard.press('ArrowDown');
    t.regex(await list(page).locator('[aria-selected="true"]').innerText(), /Mia/);
    await page.keyboard.press('Escape');
    await list(page).waitFor({ state: 'detached' });
    t.is(await select.inputValue(), '');
    t.is(await select.and(page.locator(':focus')).count(), 1);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.type('mi');
    await page.keyboard.press('Enter');
    await list(page).waitFor({ state: 'detached' });
    t.is(await select.inputValue(), String(work.refs.id('mia')));
    t.is(page.url(), editAt('task'));
    await select.selectOption('');
  }
});

test('a click opens the list, with titles as text and free hours; of more than 200 items the server finds the typed words; Enter sends no form', async (t) => {
  const page = await work.open(t, editAt('task'));
  await page.locator('select[name=assigneeId]').click();
  // From a forecast that was not computed before.
  await list(page)
    .getByRole('option', { name: /^Bo \d[\w ]* free until Fri / })
    .waitFor();
  await list(page).getByRole('option', { name: 'Robot Agent' }).waitFor();
  t.is(await list(page).getByRole('option', { name: 'Max', exact: true }).count(), 1);
  await page.keyboard.press('Escape');
  const requirement = page.locator('select[name=requirementId]');
  await requirement.click();
  await list(page).getByText(hostile).waitFor();
  await search(page, 'Requirement').fill('no such title');
  await list(page).getByText('No matches.').waitFor();
  await page.keyboard.press('Enter');
  t.is(await requirement.inputValue(), '');
  await search(page, 'Requirement').fill('deck');
  await list(page).getByRole('option', { name: 'Paint the deck' }).click();
  t.is(await requirement.inputValue(), String(work.refs.id('deck')));

  const field = page.getByRole('combobox', { name: 'Release' });
  await field.fill('version 3');
  await list(page).getByRole('option', { name: 'Version 3 Release' }).waitFor();
  await page.keyboard.press('Enter');
  t.is(await field.inputValue(), `#${work.refs.id('v3')} Version 3`);
  await list(page).waitFor({ state: 'detached' });
  t.is(await field.getAttribute('aria-expanded'), 'false');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.waitForURL(/items\/\d+(\?|$)/);
  await page.getByRole('link', { name: 'Version 3', exact: true }).first().waitFor();
});

test('the menu of assignees has their free hours, and a search field only with more than eight choices', async (t) => {
  const page = await work.browser.shared(t);
  const change = (field: string) =>
    page
      .getByRole('link', { name: new RegExp(`^Change ${field}`) })
      .first()
      .click();
  await change('assignee');
  const menu = page.locator('.menu-box');
  await menu.getByText(/^\d[\w ]* free until Fri /).waitFor();
  await menu.locator('.menu-seek').fill('crew 5');
  t.deepEqual(await menu.locator('.opt:visible .cut').allInnerTexts(), ['Crew 5']);
  await page.keyboard.press('Enter');
  await page.locator('.props').getByText('Crew 5').waitFor();
  await change('priority');
  await menu.getByRole('button', { name: 'High' }).waitFor();
  t.is(await menu.locator('.menu-seek').count(), 0);
});

test('the dialog for a new task says if the work fits until its due date', async (t) => {
  const due = addDays(new Date().toISOString().slice(0, 10), 13);
  const page = await work.open(t, `${work.web.baseUrl}/`);
  await page.keyboard.press('n');
  const line = page.locator('.c-fit');
  await page.getByRole('dialog', { name: 'New task' }).getByRole('textbox', { name: 'Title' }).waitFor();
  await page.keyboard.type(`Sand the rail @bo 8h ${due}`);
  await line.getByText(/^Fits: Bo has \d[\w ]* free until /).waitFor();
  await page.locator('.compose').getByLabel('Estimate (hours)').fill('100');
  await line.getByText(/^Does not fit: Bo has /).waitFor();
  await page.locator('.compose').getByLabel('Assignee').selectOption('Max');
  await line.getByText(/./).waitFor({ state: 'detached' });
  t.is(await line.textContent(), '');
});
