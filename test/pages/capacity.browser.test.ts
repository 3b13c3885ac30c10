/** /capacity in a real browser, over a real worker. */
import test from 'ava';
import { addDays, mondayOf } from '../../src/values/dates.ts';
import { expectAccessible, expectFitsPhone, fileBrowser, signIn } from '../support/browser.ts';
import { fileDatabase } from '../support/database.ts';
import { PASSWORD } from '../support/password.ts';
import { type Spawned, spawnNode } from '../support/processes.ts';
import { oneWorkspace, startWeb, type Web, type WorldRefs, world } from '../support/world.ts';

const hostile = `<script>document.title='broken'</script>`;
const database = fileDatabase();
const browser = fileBrowser();
let web: Web;
let refs: WorldRefs;
let worker: Spawned | undefined;

const far = '2999-01-07';

test.serial.before('releases of every sort', async () => {
  // Another day may begin under way: only what does not depend on today is asserted.
  const soon = addDays(new Date().toISOString().slice(0, 10), 1);
  const inRelease = (ref: string, title: string, releaseId: string, fields: object) => ({
    ref,
    type: 'task' as const,
    title,
    fields: { releaseId: { ref: releaseId }, ...fields },
  });
  const file = oneWorkspace(
    {
      members: [
        { user: 'bo', role: 'member' },
        { user: 'vic', role: 'viewer' },
      ],
      items: [
        { ref: 'launch', type: 'release', title: `Launch ${hostile}`, fields: { targetDate: soon } },
        { ref: 'later', type: 'release', title: 'Later', fields: { targetDate: far } },
        { ref: 'easy', type: 'release', title: 'Easy', fields: { targetDate: far } },
        inRelease('big', `Much ${hostile}`, 'launch', { assigneeId: { ref: 'ana' }, estimatedHours: 400, dueDate: soon }),
        inRelease('open', 'Unclear', 'later', {}),
        inRelease('nobody', 'Nobody', 'later', { estimatedHours: 5 }),
        inRelease('small', 'Small', 'easy', { assigneeId: { ref: 'bo' }, estimatedHours: 4, dueDate: far }),
      ],
    },
    {
      users: ['bo', 'vic'].map((ref) => ({ ref, email: `${ref}@acme.example`, name: ref, password: PASSWORD })),
      workspaces: [{ ref: 'empty', name: 'Empty', members: [{ user: 'ana', role: 'owner' }] }],
    },
  );
  Object.assign(file.accounts[0]!.users![0]!, { email: 'ana@acme.example', password: PASSWORD, weeklyHours: 10 });
  refs = await world(database.url, file);
  web = await startWeb(database.url);
});
test.after.always('stop', async () => {
  worker?.kill('SIGTERM');
  await worker?.exit();
  await web?.stop();
});

test.serial('while the first forecast is being computed the page says so, and can be looked at again', async (t) => {
  const page = await browser.page(t);
  await signIn(page, web.baseUrl, 'ana@acme.example');
  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.url().includes('/capacity')),
    page.goto(`${web.baseUrl}/capacity?workspaceId=${refs.id('apollo')}`),
  ]);
  t.is(answer.status(), 503);
  t.regex(answer.headers()['retry-after']!, /^[1-9]\d*$/);
  t.is(await page.getByRole('heading', { level: 1 }).textContent(), 'The forecast is being computed');
  await expectAccessible(t, page);

  worker = spawnNode(['workers/index.ts'], {
    env: { DATABASE_URL: database.url, SECRET_KEY: 'a secret of thirty-two characters', BASE_URL: 'http://localhost' },
  });
  await worker.log({ msg: 'listening' });
  await page.getByRole('button', { name: 'Look again' }).click();
  t.is(await page.getByRole('heading', { level: 1 }).textContent(), 'Capacity');
});

test.serial('load stands in every cell as a number, and forecasts stand against targets with their reasons in words', async (t) => {
  const page = await browser.page(t);
  await signIn(page, web.baseUrl, 'ana@acme.example');
  await page.goto(`${web.baseUrl}/capacity?workspaceId=${refs.id('apollo')}`);
  const ana = page.locator('.weeks tbody tr', { hasText: 'Ana' });
  t.is(await ana.locator('td').count(), 8);
  for (const cell of await ana.locator('td').allTextContents()) t.regex(cell, /\d %\s+of 10 h/);
  t.regex((await ana.textContent())!, /over by \d+(\.\d+)? h/);
  t.regex((await page.locator('.weeks tbody tr', { hasText: 'bo' }).textContent())!, /40 h a week, not confirmed/);

  const card = (title: string) => page.locator('section.project', { hasText: title });
  const launch = (await card('Launch').textContent())!;
  t.true(launch.includes(`Launch ${hostile}`) && launch.includes(`Much ${hostile}`), 'titles are shown as texts');
  t.regex(launch, /Overcommitted\./);
  t.regex(launch, /\d+ days late/);
  t.regex(launch, /1 task forecast to end after the due date/);
  const later = (await card('Later').textContent())!;
  t.regex(later, /Needs data\.[\s\S]*1 task without an estimate: Unclear[\s\S]*1 task with nobody assigned: Nobody/);
  t.regex((await card('Easy').textContent())!, /Within capacity\.[\s\S]*never confirmed/);
  t.true(
    (await card('Launch').getByRole('link', { name: 'Launch' }).getAttribute('href'))!.endsWith(
      `/workspaces/${refs.id('apollo')}/items/${refs.id('launch')}`,
    ),
  );
  t.is(await page.title(), 'Capacity · Stint');
  await card('Launch').getByText('Trend of').click();
  t.true(await card('Launch').getByRole('region', { name: 'Trend in numbers' }).isVisible());
  await expectAccessible(t, page);
  await expectFitsPhone(t, page);
});

test.serial('the scope and the weeks are chosen, and one scope covers all workspaces', async (t) => {
  const page = await browser.page(t, { javaScriptEnabled: false });
  await signIn(page, web.baseUrl, 'ana@acme.example');
  await page.goto(`${web.baseUrl}/capacity?workspaceId=${refs.id('empty')}`);
  t.true(await page.getByText('No open release, requirement or milestone is here.').isVisible());
  t.deepEqual(await page.getByLabel('Scope').locator('option').allTextContents(), ['All that I oversee', 'Apollo', 'Empty']);
  await page.getByLabel('Scope').selectOption('All that I oversee');
  await page.getByLabel('From the week of').fill('2030-01-09');
  await page.getByRole('button', { name: 'Show' }).click();
  t.true(await page.getByRole('heading', { name: `People, eight weeks from ${mondayOf('2030-01-09')}` }).isVisible());
  t.is(await page.getByRole('link', { name: 'Launch' }).count(), 0, 'nothing tells in which workspace it is');
  await page.getByRole('link', { name: 'Week after' }).click();
  t.true(await page.getByRole('heading', { name: 'eight weeks from 2030-01-14' }).isVisible());
  t.is(await page.getByLabel('Scope').inputValue(), '0');
});

test.serial('without the right to oversee there is no forecast, and odd questions are refused', async (t) => {
  const page = await browser.page(t);
  await signIn(page, web.baseUrl, 'vic@acme.example');
  for (const query of ['', `?workspaceId=${refs.id('apollo')}`, '?workspaceId=987654']) {
    const answer = await page.goto(`${web.baseUrl}/capacity${query}`);
    t.is(answer!.status(), 403);
  }
  await page.getByRole('link', { name: 'Capacity' }).click();
  t.true(await page.getByText('You oversee no workspace.').isVisible());
  for (const query of ['?workspaceId=x', '?from=2030-02-30']) {
    t.is((await page.goto(`${web.baseUrl}/capacity${query}`))!.status(), 400);
  }
});
