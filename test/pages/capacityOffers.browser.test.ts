/** Offers of /capacity in a real browser, with a real worker: what-if of a project, moving and giving a task of a person's week. */
import type { ExecutionContext } from 'ava';
import type { Locator, Page } from 'playwright-core';
import { addDays, mondayOf } from '../../src/values/dates.ts';
import { expectAccessible, expectFitsPhone, fileBrowser, openAs } from '../support/browser.ts';
import { fileDatabase } from '../support/database.ts';
import { PASSWORD } from '../support/password.ts';
import { type Spawned, spawnNode } from '../support/processes.ts';
import { Fixtures } from '../support/restWorld.ts';
import { suite } from '../support/suite.ts';
import { oneWorkspace, startWeb, type Web, type WorldRefs, world } from '../support/world.ts';

const test = suite(import.meta.url);

const hostile = `<script>document.title='broken'</script>`;
const database = fileDatabase();
const browser = fileBrowser();
let fixtures: Fixtures;
let web: Web;
let refs: WorldRefs;
let worker: Spawned;

const monday = mondayOf(new Date().toISOString().slice(0, 10));
const next = addDays(monday, 7);
const sizes = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];

test.before('an overloaded person, a free one, and a reader who may not write tasks', async () => {
  const task = (ref: string, title: string) => ({
    ...{ ref, type: 'task' as const, title },
    fields: { releaseId: { ref: 'launch' }, assigneeId: { ref: 'ana' }, estimatedHours: 60, startDate: next, dueDate: addDays(next, 4) },
  });
  const file = oneWorkspace(
    {
      members: [
        { user: 'bo', role: 'member' },
        { user: 'rita', role: 'member', timeOversight: true, access: { tasks: 'read' } },
      ],
      items: [
        { ref: 'launch', type: 'release', title: `Launch ${hostile}`, fields: { targetDate: addDays(next, 4) } },
        ...sizes.flatMap(({ width }) => [task(`move${width}`, `Moved ${width}`), task(`give${width}`, `Given ${width}`)]),
      ],
    } as never,
    { users: ['bo', 'rita'].map((ref) => ({ ref, email: `${ref}@acme.example`, name: ref, password: PASSWORD })) },
  );
  Object.assign(file.accounts[0]!.users![0]!, { email: 'ana@acme.example', password: PASSWORD, weeklyHours: 10 });
  refs = await world(database.url, file);
  fixtures = new Fixtures(database.url);
  web = await startWeb(database.url);
  worker = spawnNode(['workers/index.ts'], {
    env: { DATABASE_URL: database.url, SECRET_KEY: 'a secret of thirty-two characters', BASE_URL: 'http://localhost' },
  });
  await worker.log({ msg: 'listening' });
});
test.after('stop', async () => {
  worker?.kill('SIGTERM');
  await worker?.exit();
  await web?.stop();
  await fixtures?.close();
});

async function capacity(page: Page, email: string, scope = refs.id('apollo')): Promise<void> {
  await openAs(page, web.baseUrl, email, `${web.baseUrl}/capacity?workspaceId=${scope}`);
  // The first forecast takes a moment.
  for (let looks = 0; looks < 10 && (await page.getByRole('link', { name: 'Refresh' }).count()); looks++) await page.reload();
}

async function stored(ref: string) {
  const [row] = await fixtures.sql(
    `select assignee_id::int as assignee, start_date::text as start, due_date::text as due from items where id = ${refs.id(ref)}`,
  );
  return row;
}

async function expectTarget(t: ExecutionContext, page: Page, link: Locator): Promise<void> {
  if (page.viewportSize()!.width < 960) t.true((await link.boundingBox())!.height >= 44);
}

const nextWeek = (page: Page) => page.locator('.heat tbody tr', { hasText: 'Ana' }).locator('.cell').nth(1);
const taskIn = (place: Locator, title: string) => place.locator('li', { hasText: title });

for (const viewport of sizes) {
  const { width } = viewport;

  test(`${width} px: an overcommitted project links to its what-if, which updates while typing and cancels older requests`, async (t) => {
    const page = await browser.page(t, { viewport });
    await capacity(page, 'ana@acme.example', 0);
    const link = page.getByRole('link', { name: /^What if.*Launch/ });
    await expectTarget(t, page, link);
    await expectAccessible(t, page);
    await link.click();
    t.is(new URL(page.url()).searchParams.get('workspaceId'), String(refs.id('apollo')), 'of the workspace of the project');
    t.is(await page.getByLabel('Project').locator('option:checked').textContent(), `Launch ${hostile}`);

    const asked: string[] = [];
    page.on('request', (request) => request.url().includes('/what-if?') && asked.push(request.url()));
    const effects = page.getByRole('region', { name: 'Effects' });
    const field = page.getByLabel(`Estimate, h of Moved ${width}`);
    await field.fill('');
    await field.pressSequentially('240', { delay: 20 });
    await effects.getByRole('button', { name: 'Save 1 change' }).waitFor();
    t.true(await field.evaluate((one) => one === one.ownerDocument.activeElement), 'the field keeps the focus');
    await effects
      .getByText('240 h', { exact: false })
      .or(effects.getByText(/becomes/).first())
      .first()
      .waitFor();
    t.true(asked.at(-1)!.includes(`e${refs.id(`move${width}`)}=240`));
    t.true(asked.length < 3, 'not one request a key');
    const count = asked.length;
    await page.getByLabel(`Done, % of Moved ${width}`).fill('400');
    await page.waitForTimeout(600);
    t.is(asked.length, count, 'an invalid value is not sent');
    t.is(await page.getByRole('alert').count(), 0);
    await expectFitsPhone(t, page);
    await page.getByLabel(`Done, % of Moved ${width}`).fill('10');
    await page.getByLabel('Project').selectOption('Without a project');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByLabel(`Estimate, h of Given ${width}`).waitFor({ state: 'detached' });
    t.is(await field.inputValue(), '240', 'tried values stay');
  });

  test(`${width} px: a task is moved to another week, and undone`, async (t) => {
    const page = await browser.page(t, { viewport });
    await capacity(page, 'ana@acme.example');
    await nextWeek(page).click();
    const box = page.locator('.menu-box');
    const move = taskIn(box, `Moved ${width}`).getByRole('link', { name: 'Move to…' });
    await expectTarget(t, page, move);
    await expectAccessible(t, page);
    const before = await stored(`move${width}`);
    await move.click();
    await box
      .getByRole('button', { name: /Week of/ })
      .first()
      .waitFor();
    t.is(await box.getByRole('button').count(), 7, 'every other week on the page');
    await expectAccessible(t, page);
    const last = box.getByRole('button').last();
    t.regex((await last.textContent())!, /10 h free/);
    await last.click();
    const toast = page.locator('.toast');
    await toast.getByRole('button', { name: 'Undo' }).waitFor();
    const then = addDays(monday, 49);
    t.deepEqual(await stored(`move${width}`), { ...before, start: then, due: addDays(then, 4) });
    await page.locator('.heat').waitFor();
    await toast.getByRole('button', { name: 'Undo' }).click();
    await toast.getByText('Undone').waitFor();
    t.deepEqual(await stored(`move${width}`), before);
  });

  test(`${width} px: a task is given to another member, with their free hours, and undone`, async (t) => {
    const page = await browser.page(t, { viewport });
    await capacity(page, 'ana@acme.example');
    await nextWeek(page).click();
    const box = page.locator('.menu-box');
    const before = await stored(`give${width}`);
    await taskIn(box, `Given ${width}`).getByRole('link', { name: 'Give to…' }).click();
    const bo = box.getByRole('button', { name: 'bo' });
    await bo.waitFor();
    t.regex((await bo.textContent())!, /40 h free/);
    t.is(await box.getByRole('button', { name: 'rita' }).count(), 0, 'who may not write tasks is no assignee');
    t.is(await box.getByRole('button', { name: 'Ana' }).count(), 0, 'nor is the present one offered');
    await expectAccessible(t, page);
    await bo.click();
    const toast = page.locator('.toast');
    await toast.getByRole('button', { name: 'Undo' }).waitFor();
    t.deepEqual(await stored(`give${width}`), { ...before, assignee: refs.id('bo') });
    await toast.getByRole('button', { name: 'Undo' }).click();
    await toast.getByText('Undone').waitFor();
    t.deepEqual(await stored(`give${width}`), before);
  });
}

test('without script the offers are pages, and a task that changed meanwhile is asked about again', async (t) => {
  const page = await browser.page(t, { javaScriptEnabled: false });
  await capacity(page, 'ana@acme.example');
  await nextWeek(page).click();
  await taskIn(page.locator('#change'), 'Moved 390').getByRole('link', { name: 'Move to…' }).click();
  await fixtures.sql(`update items set version = version + 1 where id = ${refs.id('move390')}`);
  const before = await stored('move390');
  const choice = page.locator('#change').getByRole('button').last();
  await choice.click();
  t.true(await page.getByText('Another user changed this task.').isVisible());
  t.deepEqual(await stored('move390'), before);
  await choice.click();
  t.true(await page.getByRole('heading', { name: 'Capacity' }).isVisible());
  t.is((await stored('move390'))!.start, addDays(monday, 49));

  await page.goto(`${web.baseUrl}/capacity/what-if?workspaceId=${refs.id('apollo')}&project=${refs.id('launch')}`);
  await page.getByLabel('Estimate, h of Given 390').fill('2');
  await page.getByRole('button', { name: 'Preview' }).click();
  t.true(await page.getByRole('button', { name: 'Save 1 change' }).isVisible());
});

test('who may not write tasks gets no offers, and their addresses say what absent ones say', async (t) => {
  const page = await browser.page(t);
  await capacity(page, 'rita@acme.example');
  await nextWeek(page).click();
  const box = page.locator('.menu-box');
  await taskIn(box, 'Given').first().waitFor();
  t.is(await box.getByRole('link', { name: /Move to|Give to/ }).count(), 0);
  const query = `workspaceId=${refs.id('apollo')}&week=${next}&person=${refs.id('ana')}`;
  for (const task of [refs.id('give390'), 987_654])
    for (const offer of ['move', 'give']) {
      const answer = await page.goto(`${web.baseUrl}/capacity/workspaces/${refs.id('apollo')}/tasks/${task}/${offer}?${query}`);
      t.is(answer!.status(), 403);
    }
});

test('hostile addresses and values of offers are refused', async (t) => {
  const page = await browser.page(t, { javaScriptEnabled: false });
  await capacity(page, 'ana@acme.example');
  const at = `${web.baseUrl}/capacity/workspaces/${refs.id('apollo')}/tasks`;
  const query = `workspaceId=${refs.id('apollo')}&week=${next}&person=${refs.id('ana')}`;
  t.is((await page.goto(`${at}/${refs.id('launch')}/move?${query}`))!.status(), 403, 'a release is no task');
  t.is((await page.goto(`${at}/${refs.id('give390')}/move?workspaceId=${refs.id('apollo')}&week=never`))!.status(), 400);
  t.is((await page.goto(`${web.baseUrl}/capacity/what-if?workspaceId=0&project=987654`))!.status(), 403);
  const before = await stored('give390');
  for (const [offer, value] of [
    ['give', String(refs.id('rita'))],
    ['give', 'bo'],
    ['move', '2030-02-30..2030-03-01'],
    ['move', `${next}..${monday}`],
  ] as const) {
    await page.goto(`${at}/${refs.id('give390')}/${offer}?${query}`);
    const button = page.locator('#change').getByRole('button').first();
    // Without script the page cannot be changed, so the form is sent as the browser would.
    const sent = await page.locator('#change form input').evaluateAll((all) => all.map((one) => [one.name, one.value]));
    t.true(await button.isVisible());
    const answer = await page.request.post(`${at}/${refs.id('give390')}/${offer}?${query}`, {
      form: { ...Object.fromEntries(sent), value },
      headers: { Origin: new URL(web.baseUrl).origin },
    });
    t.is(answer.status(), 400, `${offer} ${value}`);
  }
  t.deepEqual(await stored('give390'), before);
});
