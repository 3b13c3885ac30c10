/** The pages in a browser without script: the ten most frequent tasks (behaviour §22.11) work, and nothing is lost. Tests of pages over
 *  HTTP (*.db.test.ts) cover all other forms. */
import type { ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { openAccountMenu, openAs } from '../support/browser.ts';
import { doFrequentTasks } from '../support/frequentTasks.ts';
import { suite } from '../support/suite.ts';
import { workPages } from '../support/workPages.ts';
import { emailOf, type Person } from '../support/workWorld.ts';

const test = suite(import.meta.url);

const work = workPages({
  mcp: {
    enabled: true,
    limits: { tasks: 'write', requirements: 'read', releases: 'read', milestones: 'read', time: 'write', plans: 'write' },
  },
  items: [
    { ref: 'brass', type: 'task', title: 'Polish the brass', fields: { assigneeId: { ref: 'max' } } },
    { ref: 'bell', type: 'requirement', title: 'Ring the bell', status: 'pending_approval', ownerId: { ref: 'mia' } },
    { ref: 'task', type: 'task', title: 'Write it down' },
  ],
});

async function open(t: ExecutionContext, who: Person, address: string): Promise<Page> {
  const page = await work.browser.page(t, { javaScriptEnabled: false });
  await openAs(page, work.web.baseUrl, emailOf(who), address);
  return page;
}
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const said = (page: Page) => page.getByRole('status').innerText();

test.long('the ten most frequent tasks work without script', async (t) => {
  const page = await open(t, 'max', `${work.web.baseUrl}/`);
  const choose = async (field: string, name: RegExp) => {
    await page
      .getByRole('link', { name: new RegExp(`^Change ${field} of`) })
      .first()
      .click();
    await page.locator('#change').getByRole('button', { name }).first().click();
    await page.getByRole('status').waitFor();
  };
  const say = async (line: string) => {
    await page.getByLabel('Add a task, or log or plan time').fill(line);
    await press(page, 'Add');
  };
  await doFrequentTasks(page, {
    async see() {
      t.true(await page.locator('#work').getByRole('link', { name: 'Polish the brass', exact: true }).isVisible());
    },
    async timer() {
      await page.goto(work.item('brass'));
      await page.getByRole('button', { name: /^Start timer/ }).click();
      t.is(await said(page), 'Timer started.');
      const bar = page.getByRole('region', { name: 'Running timer' });
      t.true(await bar.getByRole('link', { name: /brass/ }).isVisible());
      await bar.locator('summary').click();
      await bar.getByLabel('Note', { exact: true }).fill('Rubbed <i>twice</i>');
      await press(page, 'Save note');
      t.is(await said(page), 'Saved.');
      t.is(page.url().replace(/\?.*/, ''), work.item('brass'), 'back where it was written');
      await page.getByRole('button', { name: /^Stop timer/ }).click();
      t.regex(await said(page), /Timer stopped: 0 min on \d+ /);
      t.deepEqual(await work.rows('select note from time_entries'), [{ note: 'Rubbed <i>twice</i>' }]);
    },
    async find() {
      await page.getByLabel('Search').first().fill('brass');
      await page.getByLabel('Search').first().press('Enter');
      await page
        .getByRole('main')
        .getByRole('link', { name: /Polish the brass/ })
        .first()
        .click();
      t.is(page.url().replace(/\?.*/, ''), work.item('brass'));
    },
    async values() {
      await choose('assignee', /Mia/);
      await choose('priority', /High/);
      await choose('due', /Tomorrow/);
      for (const value of [/^Change assignee of .*Mia/, /^Change priority of .*High/, /^Change due of .*Tomorrow/])
        t.true(await page.getByRole('link', { name: value }).first().isVisible(), String(value));
    },
    async comment() {
      await page.getByRole('textbox', { name: 'Add a comment' }).fill('Shines');
      await press(page, 'Comment');
      t.true(await page.getByText('Shines', { exact: true }).first().isVisible());
    },
    async done() {
      await choose('status', /^Done/);
      t.true(await page.getByRole('button', { name: 'Undo' }).isVisible());
    },
    async create() {
      await page.goto(work.at);
      const line = page.getByRole('textbox', { name: /^New task in/ }).first();
      await line.fill('Wash the ropes 2h');
      await line.press('Enter');
      t.true(await page.locator('#work').getByRole('link', { name: 'Wash the ropes', exact: true }).isVisible());
    },
    async time() {
      await page.goto(`${work.web.baseUrl}/`);
      await say(`45m on #${work.refs.id('task')}`);
      t.regex(await said(page), /Logged 45 min/);
      await say(`9-10 tomorrow on #${work.refs.id('task')}`);
      t.regex(await said(page), /Planned/);
    },
    async decide() {
      await page.goto(`${work.web.baseUrl}/notifications`);
      await press(page, 'Approve Ring the bell');
      t.regex(await said(page), /Approved/);
    },
    async agent() {
      await page.goto(`${work.web.baseUrl}/mcp-access`);
      await page.getByRole('main').getByLabel('Name', { exact: true }).fill('Plain');
      await press(page, 'Create connection');
      t.regex(await page.locator('#new-key').innerText(), /stint_agent_/);
    },
  });
});

test('an edit conflict shows both texts and is resolved; going back to the form shows the stored text', async (t) => {
  const mine = await open(t, 'mia', `${work.item('task')}/edit`);
  const theirs = await open(t, 'max', `${work.item('task')}/edit`);
  await theirs.getByRole('textbox', { name: 'Description' }).fill('Theirs');
  await press(theirs, 'Save');
  await mine.getByRole('textbox', { name: 'Description' }).fill('Mine');
  await press(mine, 'Save');
  const both = mine.getByRole('group', { name: 'Description' });
  t.deepEqual(await both.locator('.val').allInnerTexts(), ['Theirs', 'Mine']);
  t.false(await both.getByRole('textbox').isVisible());
  await both.getByText('Use both and edit').click();
  t.is(await both.getByRole('textbox', { name: 'Both versions' }).inputValue(), 'Theirs\n\nMine');
  await both.getByRole('textbox').fill('Ours');
  await both.getByText('Use this').nth(1).click();
  await press(mine, 'Save');
  t.regex(await said(mine), /updated: Description/);
  t.is(await mine.locator('.in-place-description .prose').innerText(), 'Mine', 'the chosen version, not the edited text');
  await theirs.goBack();
  t.is(await theirs.getByRole('textbox', { name: 'Description' }).inputValue(), 'Mine', 'earlier typed text does not replace it');
});

test('after signing out, Back shows nothing private, and an open form saves nothing and says so', async (t) => {
  const page = await open(t, 'mia', work.item('task'));
  const left = await page.context().newPage();
  await left.goto(work.item('task'));
  await left.getByRole('textbox', { name: 'Add a comment' }).fill('Too late');
  await openAccountMenu(page);
  await press(page, 'Sign out');
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  await page.goBack();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  t.is(await page.getByText('Write it down').count(), 0);
  await press(left, 'Comment');
  t.is(await said(left), 'Your session has ended, so nothing was saved. Sign in, then send the form again.');
  t.is((await work.rows('select from comments where body = $1', ['Too late'])).length, 0);
});
