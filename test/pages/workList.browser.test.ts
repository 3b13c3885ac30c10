/** A workspace's page: making one, finding work in it, and what others may not see. */
import test from 'ava';
import type { Page } from 'playwright-core';
import { expectAccessible, expectFitsPhone, fileBrowser, signIn } from '../support/browser.ts';
import { fileDatabase } from '../support/database.ts';
import { emailOf, type WorkWorld, workWorld } from '../support/workWorld.ts';

const database = fileDatabase();
const browser = fileBrowser();
let work: WorkWorld;
test.serial.before('a workspace with work', async () => {
  work = await workWorld(
    database.url,
    {
      items: [
        { ref: 'goal', type: 'goal', title: 'Win back the islands' },
        { ref: 'closed', type: 'task', title: 'Long done', status: 'done' },
        { ref: 'wide', type: 'milestone', title: 'W'.repeat(300), fields: { targetDate: '2030-01-31' } },
        { ref: 'mine', type: 'task', title: 'Paint the deck', fields: { assigneeId: { ref: 'mia' }, priorityKey: 'urgent' } },
        { ref: 'late', type: 'requirement', title: 'Forgotten', fields: { dueDate: '2020-02-29' } },
        { type: 'requirement', title: 'Too late but done', status: 'done', fields: { dueDate: '2020-02-29' } },
        { type: 'requirement', title: 'In time', fields: { dueDate: '2999-01-31' } },
        ...Array.from({ length: 52 }, (_, n) => ({ type: 'task' as const, title: `Rivet ${n + 1}` })),
      ],
    },
    { workspaces: [{ ref: 'hidden', name: 'Hidden', items: [{ ref: 'secret', type: 'task', title: 'Secret' }] }] },
  );
});
test.after.always('it ends', () => work?.stop());

test('an administrator makes a workspace and is its owner', async (t) => {
  const page = await browser.page(t);
  await signIn(page, work.web.baseUrl, emailOf('ana'));
  await page.goto(`${work.web.baseUrl}/workspaces`);
  await page.getByLabel('Name of a new workspace').fill('Gemini <b>2</b>');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { name: 'Settings of Gemini <b>2</b>' }).waitFor();
  t.is(await page.getByRole('row', { name: /Ana.*owner/ }).count(), 1);
  await page.goto(`${work.web.baseUrl}/workspaces`);
  await page.getByRole('main').getByRole('link', { name: 'Gemini <b>2</b>' }).click();
  await page.getByText('No open task yet').waitFor();
});

const titles = (page: Page) => page.locator('#work .row[data-item] .t > a').allInnerTexts();

test('work is found by type, filters and pages, and the list follows the filters in place', async (t) => {
  const page = await browser.page(t);
  await signIn(page, work.web.baseUrl, emailOf('mia'));
  await page.goto(work.at);
  await expectAccessible(t, page);
  await expectFitsPhone(t, page);
  t.is((await titles(page)).length, 50);
  t.false((await titles(page)).includes('Long done'));
  await page.getByRole('link', { name: 'Next 50' }).click();
  await page.getByRole('link', { name: 'Rivet 52', exact: true }).waitFor();
  await page.getByRole('link', { name: 'First page' }).click();
  await page.getByRole('link', { name: 'Rivet 1', exact: true }).waitFor();
  const filters = page.getByRole('search', { name: 'Filters' });
  await filters.getByText('Filter', { exact: true }).click();
  await filters.locator('#more-assignee > summary').click();
  await filters.getByRole('checkbox', { name: 'Me' }).check();
  await page.getByText('Assignee me').waitFor();
  t.regex(page.url(), /assignee=me/);
  t.deepEqual(await titles(page), ['Paint the deck']);
  await expectAccessible(t, page);
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Remove the filter Assignee' }).click();
  await page.getByRole('link', { name: 'Rivet 1', exact: true }).waitFor();
  await page.getByRole('searchbox', { name: 'Find in this list' }).pressSequentially('paint');
  await page.getByText('1', { exact: true }).first().waitFor();
  await page.waitForURL(/search=paint/);
  t.deepEqual(await titles(page), ['Paint the deck']);
  t.is(await page.getByRole('searchbox', { name: 'Find in this list' }).inputValue(), 'paint');
  await page.goto(`${work.at}?status=closed`);
  t.deepEqual(await titles(page), ['Long done']);
  await page.getByRole('link', { name: /^Goals/ }).click();
  await page.waitForURL(/type=goal/);
  await page.goto(`${work.at}?type=goal`);
  await page.getByRole('link', { name: 'Win back the islands' }).click();
  await page.getByRole('heading', { name: 'Win back the islands' }).waitFor();
});

test('a line says what was understood as one types, adds it, and is open for the next one', async (t) => {
  const page = await browser.page(t);
  await signIn(page, work.web.baseUrl, emailOf('ana'));
  await page.goto(`${work.at}?group=none&mine=1`);
  const line = page.getByRole('textbox', { name: /New task in/ });
  await line.fill('Typed tomorrow 4h !high #999999');
  await page.getByText('There is no #999999').waitFor();
  await page.keyboard.press('Enter');
  t.is(await line.inputValue(), 'Typed tomorrow 4h !high #999999');
  await line.fill('Typed tomorrow 4h !high');
  await page.locator('.said mark', { hasText: 'Tomorrow' }).waitFor();
  await expectAccessible(t, page);
  await page.keyboard.press('Enter');
  await page
    .getByRole('status')
    .getByText(/Added .*Typed/)
    .waitFor();
  t.deepEqual(await titles(page), ['Typed']);
  t.is(await line.inputValue(), '');
  await page.locator('.row.new .input:focus').waitFor();
  await page.keyboard.type('Typed too');
  await page.keyboard.press('Enter');
  await page
    .getByRole('status')
    .getByText(/Added .*Typed too/)
    .waitFor();
  t.is((await titles(page)).length, 2);
});

test('open work whose day is over is said to be late, in the list and on its page; other work is not', async (t) => {
  const page = await browser.page(t);
  await signIn(page, work.web.baseUrl, emailOf('vic'));
  await page.goto(`${work.at}?type=requirement&status=all&sort=id`);
  t.is(await page.locator('#work .row[data-item]').count(), 3);
  t.deepEqual(await page.locator('#work .row', { hasText: 'days late' }).locator('.t > a').allInnerTexts(), []);
  await page.goto(`${work.at}?type=requirement&status=all&group=due`);
  t.deepEqual(await titles(page), ['Forgotten', 'Too late but done', 'In time']);
  await expectAccessible(t, page);
  await page.getByRole('link', { name: 'Forgotten' }).click();
  t.regex(await page.getByRole('complementary', { name: 'Properties' }).innerText(), /days late/);
});

/** What can be pressed and begins or ends beyond the right edge, even inside a box of its own that scrolls; but for the line of filters, which
 *  scrolls sideways on phones. */
const beyondTheEdge = `[...document.querySelectorAll('main a, main button, main input:not([type=hidden])')]
  .filter((one) => one.checkVisibility({ contentVisibilityAuto: true }) && !one.closest('.filters') && one.getBoundingClientRect().right > innerWidth).map((one) => one.outerHTML)`;

test('a title without a space pushes nothing aside, and nothing to press lies beyond the edge, on a phone and on a tablet', async (t) => {
  const page = await browser.page(t);
  await signIn(page, work.web.baseUrl, emailOf('ana'));
  const people = `${work.web.baseUrl}/settings/people`;
  for (const path of [`${work.at}?type=milestone`, work.item('wide'), `${work.item('wide')}/edit`, `${work.at}/settings/members`, people]) {
    await page.goto(path);
    await expectFitsPhone(t, page);
    for (const width of [360, 800, 1000]) {
      await page.setViewportSize({ width, height: 740 });
      t.deepEqual(await page.evaluate(beyondTheEdge), [], `${path} at ${width}`);
    }
  }
});

test('without script the filters are a form like any other', async (t) => {
  const page = await browser.page(t, { javaScriptEnabled: false });
  await signIn(page, work.web.baseUrl, emailOf('vic'));
  await page.goto(work.at);
  const filters = page.getByRole('search', { name: 'Filters' });
  await filters.getByLabel('Find in this list').fill('deck');
  await filters.getByText('Filter', { exact: true }).click();
  await filters.locator('#more-priority > summary').click();
  await filters.getByRole('checkbox', { name: 'Urgent' }).check();
  await filters.getByRole('button', { name: 'Show' }).last().click();
  t.deepEqual(await titles(page), ['Paint the deck']);
  t.is(await filters.getByLabel('Find in this list').inputValue(), 'deck');
  t.is(await page.getByText('Priority Urgent').count(), 1);
});

test('what is hidden, archived, foreign or absent is one and the same page', async (t) => {
  const page = await browser.page(t);
  await signIn(page, work.web.baseUrl, emailOf('mia'));
  const hidden = `${work.web.baseUrl}/workspaces/${work.refs.id('hidden')}`;
  const pages: string[] = [];
  for (const address of [
    hidden,
    `${hidden}/items/${work.refs.id('secret')}`,
    `${work.at}/items/${work.refs.id('secret')}`,
    `${work.at}/items/999999`,
    `${work.at}/items/${work.refs.id('secret')}/edit`,
    `${work.web.baseUrl}/workspaces/999999`,
    `${work.web.baseUrl}/workspaces/999999/settings/general`,
    `${work.at}/settings/members`,
    `${work.at}/settings/members/${work.refs.id('vic')}`,
  ]) {
    const answer = await page.goto(address);
    t.is(answer?.status(), 403, address);
    pages.push((await page.locator('main').innerHTML()).replaceAll(/\s+/g, ' '));
  }
  t.is(new Set(pages).size, 1, pages.join('\n'));
});

test('who is not in the workspace does not find it among theirs', async (t) => {
  const page = await browser.page(t);
  await signIn(page, work.web.baseUrl, emailOf('eve'));
  t.is(await page.getByRole('link', { name: 'Apollo' }).count(), 0);
  t.is((await page.goto(work.at))?.status(), 403);
});
