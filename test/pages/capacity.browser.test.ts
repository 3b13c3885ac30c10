/** /capacity in a real browser, with a real worker. */
import pg from 'pg';
import { addDays, mondayOf } from '../../src/values/dates.ts';
import { expectAccessible, expectFitsPhone, fileBrowser, openAs, signIn } from '../support/browser.ts';
import { fileDatabase } from '../support/database.ts';
import { PASSWORD } from '../support/password.ts';
import { type Spawned, spawnNode } from '../support/processes.ts';
import { suite } from '../support/suite.ts';
import { oneWorkspace, startWeb, type Web, type WorldRefs, world } from '../support/world.ts';

const test = suite(import.meta.url);

const hostile = `<script>document.title='broken'</script>`;
const database = fileDatabase();
const browser = fileBrowser();
let web: Web;
let refs: WorldRefs;
let worker: Spawned | undefined;

const far = '2999-01-07';

test.before('releases of every outlook', async () => {
  // The day may change during the test, so assert only what does not depend on today.
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
test.after('stop', async () => {
  worker?.kill('SIGTERM');
  await worker?.exit();
  await web?.stop();
});

test('while the first forecast is computed the page says so and can be reloaded', async (t) => {
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
  const heading = page.getByRole('heading', { level: 1 });
  // A worker that has just started takes longer than a page waits.
  while ((await heading.textContent()) !== 'Capacity') await page.getByRole('link', { name: 'Refresh' }).click();
  t.pass();
});

test('each cell shows its load as a number, and forecasts show their target and reasons in words', async (t) => {
  const page = await browser.page(t);
  await openAs(page, web.baseUrl, 'ana@acme.example', `${web.baseUrl}/capacity?workspaceId=${refs.id('apollo')}`);
  const ana = page.locator('.heat tbody tr', { hasText: 'Ana' });
  t.is(await ana.locator('.cell').count(), 8);
  for (const cell of await ana.locator('.cell').allTextContents()) t.regex(cell, /\d %/);
  t.regex((await ana.textContent())!, /\d+(\.5)? h over/);
  t.regex((await ana.locator('.cell').first().getAttribute('title'))!, /h of tasks, .* recorded, .* planned/);
  t.regex((await page.locator('.heat tbody tr', { hasText: 'bo' }).textContent())!, /40 h a week, not confirmed/);
  t.regex(
    (await page
      .locator('section', { has: page.locator('#people') })
      .locator('.sec')
      .textContent())!,
    /1 overloaded in the next two weeks: .*ana.* by/i,
  );

  const row = (title: string) => page.locator('details.proj', { hasText: title });
  t.deepEqual(
    (await page.locator('details.proj .name b').allTextContents()).map((title) => title.split(' ')[0]),
    ['Launch', 'Later', 'Easy'],
    'the worst first',
  );
  t.regex((await row('Launch').textContent())!, /Overcommitted.*\d+ days late/s);
  t.true((await row('Launch').textContent())!.includes(`Launch ${hostile}`), 'titles are shown as texts');
  await row('Launch').locator('summary').first().click();
  await row('Launch').getByText('1 task forecast to finish late').waitFor();
  t.true((await row('Launch').textContent())!.includes(`Much ${hostile}`));
  t.true(
    (await row('Launch').getByRole('link', { name: 'Open project' }).getAttribute('href'))!.endsWith(
      `/workspaces/${refs.id('apollo')}/items/${refs.id('launch')}`,
    ),
  );
  await row('Launch').getByText('Show numbers').click();
  t.true(await row('Launch').getByRole('region', { name: 'Trend in numbers' }).isVisible());
  await row('Later').locator('summary').first().click();
  await row('Later').getByText('1 task without an estimate: Unclear').waitFor();
  t.regex((await row('Later').textContent())!, /1 task unassigned: Nobody/);
  await row('Easy').locator('summary').first().click();
  await row('Easy').getByText('unconfirmed weekly hours').waitFor();
  await expectAccessible(t, page);
  await expectFitsPhone(t, page);
});

test('users who oversee capacity can export people and projects', async (t) => {
  const page = await browser.page(t, { javaScriptEnabled: false });
  await openAs(page, web.baseUrl, 'ana@acme.example', `${web.baseUrl}/capacity?workspaceId=${refs.id('apollo')}`);
  const read = async (name: string) => {
    const href = await page.locator('a.opt', { hasText: name }).getAttribute('href');
    const answer = await page.request.get(new URL(href!, web.baseUrl).href);
    t.is(answer.headers()['content-type'], 'text/csv; charset=utf-8');
    return (await answer.text()).trimEnd().split('\r\n');
  };
  const people = await read('People as CSV');
  t.is(people.length, 1 + 2 * 8, 'a line for each person and week');
  t.regex(people[1]!, /^"(Ana|bo)","(10|40)","(yes|no)","\d{4}-\d\d-\d\d","\d/);
  const projects = await read('Projects as CSV');
  t.deepEqual(
    projects.slice(1).map((line) => line.split('","')[1]!.split(' ')[0]),
    ['Launch', 'Later', 'Easy'],
  );
});

/** Faults of a page in print. */
const ON_PAPER = `[
  ...[...document.querySelectorAll('.side, .tabbar, .timer, .filters, button, .btn, .pop, .seg, input, select')]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && one.getBoundingClientRect().width > 1)
    .map((one) => 'is seen: ' + one.outerHTML.slice(0, 100)),
  ...[document.documentElement, document.body, document.querySelector('main')]
    .filter((one) => !['rgb(255, 255, 255)', 'rgba(0, 0, 0, 0)'].includes(getComputedStyle(one).backgroundColor))
    .map((one) => one.localName + ' is ' + getComputedStyle(one).backgroundColor),
  ...[...document.querySelectorAll('h1, h2, main a, main td')]
    .filter((one) => one.checkVisibility() && /^rgb\\((?!0, 0, 0|51, 51, 51)/.test(getComputedStyle(one).color) && !one.closest('.over, .badge, .due'))
    .map((one) => one.outerHTML.slice(0, 100) + ' is ' + getComputedStyle(one).color),
  ...[...document.querySelectorAll('main a')].filter((one) => getComputedStyle(one).textDecorationLine !== 'none').map((one) => 'is underlined: ' + one.textContent),
  ...[...document.querySelectorAll('main .row, main tr, main .proj')].filter((one) => getComputedStyle(one).breakInside !== 'avoid').map((one) => 'is cut: ' + one.className),
]`;

test('print shows only the content, in black on white also in dark mode, and capacity on one sheet', async (t) => {
  const page = await browser.page(t, { colorScheme: 'dark', viewport: { width: 1047, height: 718 } });
  await signIn(page, web.baseUrl, 'ana@acme.example');
  const at = `/workspaces/${refs.id('apollo')}`;
  const capacity = `/capacity?workspaceId=${refs.id('apollo')}`;
  for (const path of [at, `${at}?type=release`, `${at}/items/${refs.id('launch')}`, '/reports/time', capacity]) {
    await page.emulateMedia({ media: 'screen' });
    await page.goto(web.baseUrl + path);
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    t.deepEqual(await page.evaluate(ON_PAPER), [], path);
  }
  const head = page.locator('.head');
  t.regex(await head.innerText(), /Apollo · [A-Z][a-z]+ \d+ [A-Z][a-z]+ \d{4}/, 'the scope and the day');
  await page.goto(`${web.baseUrl}/reports/time?workspaceId=${refs.id('apollo')}&from=2026-03-02&to=2026-03-08`);
  t.regex(await head.innerText(), /All people in Apollo, Monday 2 March 2026 to Sunday 8 March 2026/);
  await page.goto(web.baseUrl + capacity);
  const sheets = (await page.pdf({ preferCSSPageSize: true, format: 'A4' })).toString('latin1').match(/\/Type\s*\/Page(?!s)/g);
  t.is(sheets?.length, 1);
});

test('a cell opens its parts, with links to the items', async (t) => {
  const page = await browser.page(t, { javaScriptEnabled: false });
  await openAs(page, web.baseUrl, 'ana@acme.example', `${web.baseUrl}/capacity?workspaceId=${refs.id('apollo')}`);
  await page.locator('.heat tbody tr', { hasText: 'Ana' }).locator('.cell.over').first().click();
  const made = page.getByRole('region', { name: 'Details of this week' });
  t.regex((await made.textContent())!, /\d+(\.5)? h over.*Tasks.*Recorded.*None\..*Planned.*None\./s);
  await made.getByRole('link', { name: /^Much/ }).click();
  t.true(new URL(page.url()).pathname.endsWith(`/workspaces/${refs.id('apollo')}/items/${refs.id('big')}`));
});

test('what-if: changed figures change the forecast before anything is saved, and are saved all or none', async (t) => {
  const page = await browser.page(t);
  await openAs(page, web.baseUrl, 'ana@acme.example', `${web.baseUrl}/capacity?workspaceId=${refs.id('apollo')}`);
  await page.getByRole('link', { name: 'What if', exact: true }).click();
  await page.getByLabel('Estimate, h of Much').fill('2');
  await page.getByLabel('Estimate, h of Much').blur();
  const moves = page.getByRole('region', { name: 'Effects' });
  await moves.getByText('Launch').waitFor();
  t.regex((await moves.textContent())!, /Overcommitted.*becomes/s);
  t.regex(page.url(), new RegExp(`e${refs.id('big')}=2`), 'the address contains the tried values');
  await page.reload();
  t.is(await page.getByLabel('Estimate, h of Much').inputValue(), '2');
  await expectAccessible(t, page);
  await expectFitsPhone(t, page);

  const other = await browser.page(t, { javaScriptEnabled: false });
  await openAs(other, web.baseUrl, 'ana@acme.example', page.url());
  await other.getByRole('button', { name: 'Save 1 change' }).click();
  t.true(await other.getByText('Saved.').isVisible());
  await page.getByRole('button', { name: 'Save 1 change' }).click();
  t.true(await page.getByText('Another user changed one of these tasks.').isVisible(), 'the version has moved on');

  await other.goto(`${web.baseUrl}/capacity/what-if?workspaceId=${refs.id('apollo')}`);
  await other.getByLabel('Estimate, h of Much').fill('400');
  await other.getByRole('button', { name: 'Preview' }).click();
  await other.getByRole('link', { name: 'Discard' }).click();
  await other.getByRole('link', { name: 'What if', exact: true }).click();
  t.is(await other.getByLabel('Estimate, h of Much').inputValue(), '2', 'the discarded values are gone');
});

test('after what-if is saved Capacity says "Recomputing…" until the new figures appear without a reload', async (t) => {
  const page = await browser.page(t);
  await signIn(page, web.baseUrl, 'ana@acme.example');
  const client = new pg.Client(database.url);
  await client.connect();
  const forecasts = await client.query('select id from capacity_forecasts');
  // Takes the computation's lock: nothing is computed while it is held.
  const lock = async (change: string) => {
    for (const { id } of forecasts.rows) await client.query(`select pg_advisory_${change}($1, $2)`, [0x43_41_50, id]);
  };
  await page.goto(`${web.baseUrl}/capacity/what-if?workspaceId=${refs.id('apollo')}&project=${refs.id('launch')}&e${refs.id('big')}=80`);
  await lock('lock');
  await page.getByRole('button', { name: 'Save 1 change' }).click();
  const status = page.getByRole('status').filter({ hasText: 'Recomputing…' });
  await status.waitFor();
  const launch = page.locator('details.proj', { hasText: 'Launch' });
  t.notRegex((await launch.textContent())!, /80 h left/);
  await expectAccessible(t, page);
  await lock('unlock');
  await launch.getByText('80 h left').waitFor();
  t.is(await status.count(), 0);
  await client.end();
});

test('scope and weeks can be chosen, and one scope covers all workspaces', async (t) => {
  const page = await browser.page(t, { javaScriptEnabled: false });
  await openAs(page, web.baseUrl, 'ana@acme.example', `${web.baseUrl}/capacity?workspaceId=${refs.id('empty')}`);
  t.true(await page.getByText('No open releases, requirements or milestones').isVisible());
  t.is(await page.getByRole('link', { name: 'Other workspace' }).count(), 0, 'all of them are offered');
  await page.goto(`${web.baseUrl}/capacity/scopes?q=EMP`);
  await page.getByRole('main').getByRole('link', { name: 'Empty' }).click();
  await page.locator('summary', { hasText: 'Empty' }).last().click();
  await page.getByRole('link', { name: /^All my workspaces/ }).click();
  await page
    .getByRole('link', { name: 'Refresh' })
    .click({ timeout: 2_000 })
    .catch(() => {});
  t.regex((await page.locator('details.proj', { hasText: 'Launch' }).textContent())!, /Apollo/, 'it says in which workspace');
  await page.getByRole('link', { name: 'Next week' }).click();
  t.is(new URL(page.url()).searchParams.get('from'), addDays(mondayOf(new Date().toISOString().slice(0, 10)), 7));
  await page
    .getByRole('link', { name: 'Refresh' })
    .click({ timeout: 2_000 })
    .catch(() => {});
  t.is(new URL(page.url()).searchParams.get('workspaceId'), '0');
  await page.locator('details.proj', { hasText: 'Launch' }).locator('summary').first().click();
  await page.getByRole('link', { name: /^Tasks, causes and burn-down of Launch/ }).click();
  await page.getByRole('link', { name: 'Much' }).last().click();
  t.true(new URL(page.url()).pathname.endsWith(`/items/${refs.id('big')}`));
});

test('without the right to oversee there is no forecast, and invalid parameters are refused', async (t) => {
  const page = await browser.page(t);
  await signIn(page, web.baseUrl, 'vic@acme.example');
  for (const query of ['', `?workspaceId=${refs.id('apollo')}`, '?workspaceId=987654']) {
    const answer = await page.goto(`${web.baseUrl}/capacity${query}`);
    t.is(answer!.status(), 403);
  }
  t.is(await page.getByRole('link', { name: 'Capacity' }).count(), 0, 'only who may is led there');
  for (const path of [
    `/what-if?workspaceId=${refs.id('apollo')}`,
    `/projects/${refs.id('launch')}?workspaceId=${refs.id('apollo')}`,
    `/people/1?workspaceId=${refs.id('apollo')}&week=2026-01-05`,
    `/people.csv?workspaceId=${refs.id('apollo')}`,
    `/projects.csv?workspaceId=${refs.id('apollo')}`,
  ]) {
    t.is((await page.goto(`${web.baseUrl}/capacity${path}`))!.status(), 403, path);
  }
  await page.goto(`${web.baseUrl}/capacity`);
  t.true(await page.getByText('You cannot see the capacity of any workspace').isVisible());
  for (const query of ['?workspaceId=x', '?from=2030-02-30']) {
    t.is((await page.goto(`${web.baseUrl}/capacity${query}`))!.status(), 400);
  }
});
