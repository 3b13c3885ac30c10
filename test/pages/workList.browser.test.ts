/** A workspace's page: making one, finding work in it, and what others may not see. */
import test from 'ava';
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
  t.regex(await page.getByRole('status').innerText(), /No task here/);
});

test('work is found by type, filters and pages, and the list follows the filters in place', async (t) => {
  const page = await browser.page(t);
  await signIn(page, work.web.baseUrl, emailOf('mia'));
  await page.goto(work.at);
  await expectAccessible(t, page);
  await expectFitsPhone(t, page);
  t.is(await page.getByRole('table').getByRole('link').count(), 50);
  t.false((await page.getByRole('table').innerText()).includes('Long done'));
  await page.getByRole('link', { name: 'Next page' }).click();
  await page.getByRole('link', { name: 'Rivet 52' }).waitFor();
  await page.getByRole('link', { name: 'First page' }).click();
  await page.getByLabel('Assignee').selectOption('me');
  await page.getByText('1 task.').waitFor();
  t.regex(page.url(), /assignee=me/);
  t.deepEqual(await page.getByRole('table').getByRole('link').allInnerTexts(), ['Paint the deck']);
  await page.getByLabel('Assignee').selectOption('all');
  await page.getByLabel('Status').selectOption('closed');
  await page.getByRole('link', { name: 'Long done' }).waitFor();
  await page.getByRole('link', { name: 'Goals' }).click();
  await page.getByRole('link', { name: 'Win back the islands' }).click();
  await page.getByRole('heading', { name: 'Win back the islands' }).waitFor();
});

test('open work whose day is over is called overdue, in the list and on its page; other work is not', async (t) => {
  const page = await browser.page(t);
  await signIn(page, work.web.baseUrl, emailOf('vic'));
  await page.goto(`${work.at}?type=requirement&status=all`);
  t.deepEqual(await page.locator('tbody tr', { hasText: 'overdue' }).locator('th').allInnerTexts(), ['Forgotten']);
  t.is(await page.getByRole('row').count(), 4);
  await expectAccessible(t, page);
  await page.getByRole('link', { name: 'Forgotten' }).click();
  t.regex(await page.locator('dl.facts').innerText(), /2020-02-29 overdue/);
});

/** What can be pressed and begins or ends beyond the right edge, even inside a box of its own that scrolls. */
const beyondTheEdge = `[...document.querySelectorAll('main a, main button, main input:not([type=hidden])')]
  .filter((one) => one.getBoundingClientRect().right > innerWidth).map((one) => one.outerHTML)`;

test('a title without a space pushes nothing aside, and nothing to press lies beyond the edge, on a phone and on a tablet', async (t) => {
  const page = await browser.page(t);
  await signIn(page, work.web.baseUrl, emailOf('ana'));
  const people = `${work.web.baseUrl}/settings/people`;
  for (const path of [`${work.at}?type=milestone`, work.item('wide'), `${work.item('wide')}/edit`, `${work.at}/settings`, people]) {
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
  await page.getByLabel('Search').fill('deck');
  await page.getByLabel('Priority').selectOption('urgent');
  await page.getByRole('button', { name: 'Filter' }).click();
  t.deepEqual(await page.getByRole('table').getByRole('link').allInnerTexts(), ['Paint the deck']);
  t.is(await page.getByLabel('Search').inputValue(), 'deck');
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
    `${work.web.baseUrl}/workspaces/999999/settings`,
    `${work.at}/settings`,
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
