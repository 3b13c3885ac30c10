/** Selects with many choices, and fields that name an item, as lists with a search field (behaviour §40.1 to §40.4). */
import type { ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { addDays } from '../../src/values/dates.ts';
import { expectAccessible, fileBrowser, setSession } from '../support/browser.ts';
import { fileDatabase } from '../support/database.ts';
import { PASSWORD } from '../support/password.ts';
import { type Spawned, spawnNode } from '../support/processes.ts';
import { suite } from '../support/suite.ts';
import { signedIn, type Visitor } from '../support/visitor.ts';
import { oneWorkspace, startWeb, TEST_SECRET, type Web, type WorldRefs, world } from '../support/world.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
const browser = fileBrowser();
const hostile = '<img src=x onerror=alert(1)>';
const crew = ['crew0', 'crew1', 'crew2', 'crew3', 'crew4', 'crew5'];
let web: Web;
let refs: WorldRefs;
let worker: Spawned;
let ana: Visitor;
test.before('people with hours, a service user, more than 200 releases, and a goal that one member may not see', async () => {
  const releases = Array.from({ length: 205 }, (_, n) => ({ ref: `v${n}`, type: 'release' as const, title: `Version ${n}` }));
  const file = oneWorkspace(
    {
      members: [
        { user: 'mia', role: 'member' },
        { user: 'max', role: 'member', access: { goals: 'none' } },
        { user: 'robot', role: 'member' },
        ...crew.map((ref) => ({ user: ref, role: 'member' })),
      ],
      items: [
        { ref: 'deck', type: 'requirement', title: 'Paint the deck' },
        { ref: 'odd', type: 'requirement', title: hostile },
        { ref: 'task', type: 'task', title: 'Buy paint' },
        { ref: 'aim', type: 'goal', title: 'Secret aim' },
        ...releases,
      ],
    } as never,
    {
      users: [
        { ref: 'mia', email: 'mia@acme.example', name: 'Mia', password: PASSWORD, weeklyHours: 20 },
        { ref: 'max', email: 'max@acme.example', name: 'Max', password: PASSWORD },
        { ref: 'robot', email: 'robot@acme.example', name: 'Robot', kind: 'service' },
        ...crew.map((ref, n) => ({ ref, email: `${ref}@acme.example`, name: `Crew ${n}` })),
        { ref: 'eve', email: 'eve@acme.example', name: 'Eve', password: PASSWORD },
      ],
    },
  );
  Object.assign(file.accounts[0]!.users![0]!, { email: 'ana@acme.example', password: PASSWORD });
  refs = await world(database.url, file);
  web = await startWeb(database.url);
  const env = { DATABASE_URL: database.url, SECRET_KEY: TEST_SECRET, BASE_URL: 'http://localhost' };
  worker = spawnNode(['workers/index.ts'], { env });
  ana = await signedIn(web.baseUrl, 'ana@acme.example');
});
test.after('stop', async () => {
  worker?.kill('SIGTERM');
  await worker?.exit();
  await web?.stop();
});

const at = () => `/workspaces/${refs.id('apollo')}`;
const editAt = (ref: string) => `${web.baseUrl}${at()}/items/${refs.id(ref)}/edit`;
const list = (page: Page) => page.locator('.pick-box');
const search = (page: Page, label: string) => page.getByRole('combobox', { name: `Search: ${label}` });

async function open(t: ExecutionContext, address: string): Promise<Page> {
  const page = await browser.shared(t);
  await page.setViewportSize({ width: 1440, height: 900 });
  await setSession(page, web.baseUrl, ana.cookie);
  await page.goto(address);
  return page;
}

test('a person is chosen by typing, arrow keys and Enter, and Escape changes nothing, on a tablet and a phone', async (t) => {
  const page = await open(t, editAt('task'));
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
    t.is(await select.inputValue(), String(refs.id('mia')));
    t.is(page.url(), editAt('task'));
    await select.selectOption('');
  }
});

test('a click opens the list, with titles as text and free hours; of more than 200 items the server finds the typed words; Enter sends no form', async (t) => {
  const page = await open(t, editAt('task'));
  await page.locator('select[name=assigneeId]').click();
  // From a forecast that was not computed before.
  await list(page).getByRole('option', { name: 'Mia 20 h free this week' }).waitFor();
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
  t.is(await requirement.inputValue(), String(refs.id('deck')));

  const field = page.getByRole('combobox', { name: 'Release' });
  await field.fill('version 3');
  await list(page).getByRole('option', { name: 'Version 3 Release' }).waitFor();
  await page.keyboard.press('Enter');
  t.is(await field.inputValue(), `#${refs.id('v3')} Version 3`);
  t.is(await field.getAttribute('aria-expanded'), 'false');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.waitForURL(/items\/\d+(\?|$)/);
  await page.getByRole('link', { name: 'Version 3', exact: true }).first().waitFor();
});

test('the menu of assignees has their free hours, and a search field only with more than eight choices', async (t) => {
  const page = await browser.shared(t);
  const change = (field: string) =>
    page
      .getByRole('link', { name: new RegExp(`^Change ${field}`) })
      .first()
      .click();
  await change('assignee');
  const menu = page.locator('.menu-box');
  await menu.getByText('20 h free this week').waitFor();
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
  const page = await open(t, `${web.baseUrl}/`);
  await page.keyboard.press('n');
  const line = page.locator('.c-fit');
  await page.getByRole('dialog', { name: 'New task' }).getByRole('textbox', { name: 'Title' }).waitFor();
  await page.keyboard.type(`Sand the rail @mia 8h ${due}`);
  await line.getByText(/^Fits: Mia has [\d.]+ h free until /).waitFor();
  await page.locator('.compose').getByLabel('Estimate (hours)').fill('100');
  await line.getByText(/^Does not fit: Mia has /).waitFor();
  await page.locator('.compose').getByLabel('Assignee').selectOption('Max');
  await line.getByText(/./).waitFor({ state: 'detached' });
  t.is(await line.textContent(), '');
});

test('only those who oversee capacity get free hours, and only members of the workspace get anything', async (t) => {
  const [mia, max, eve] = await Promise.all(['mia', 'max', 'eve'].map((who) => signedIn(web.baseUrl, `${who}@acme.example`)));
  const fit = `${at()}/fit?assignee=${refs.id('mia')}&due=&hours=4`;
  t.regex((await ana.go(fit)).html, /Mia has [\d.]+ h free this week/);
  t.deepEqual(JSON.parse((await mia!.go(fit)).html), {});
  const notes = JSON.parse((await mia!.go(`${at()}/candidates`)).html);
  t.deepEqual(new Set(Object.keys(notes).map(Number)), new Set(['ana', 'mia', 'max', 'robot', ...crew].map((who) => refs.id(who))));
  t.notRegex(JSON.stringify(notes), /free/);
  const goals = `${at()}/find?types=goal,task&q=`;
  t.true((await mia!.go(goals)).html.includes('Secret aim'));
  t.false((await max!.go(goals)).html.includes('Secret aim'));
  for (const path of [fit, goals, `${at()}/candidates`]) {
    const { status, text } = await eve!.go(path);
    const absent = await eve!.go(path.replace(/workspaces\/\d+/, 'workspaces/987654'));
    t.deepEqual([status, text.length], [absent.status, absent.text.length], path);
  }
});

test('malformed queries get an answer', async (t) => {
  const get = async (rest: string) => (await ana.go(`${at()}/${rest}`)).status;
  const odd = ['fit?assignee=x&due=never&hours=many', 'fit?assignee=1e99', `find?types=task&q=%00%ff${'a'.repeat(5_000)}`];
  for (const rest of odd) t.is(await get(rest), 200, rest);
  for (const rest of ['find?types=secret&q=a', 'find']) t.is(await get(rest), 400, rest);
});
