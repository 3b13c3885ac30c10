/** /capacity in a real browser: forecasts that unfold, print, what-if, and offers in a week's popover. capacity.db.test.ts covers HTML and
 *  forms. */
import type { ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { addDays } from '../../src/values/dates.ts';
import { expectAccessible, expectFitsPhone, fileBrowser, openAs } from '../support/browser.ts';
import { capacityWorld, hostile, monday } from '../support/capacityWorld.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const capacity = capacityWorld();
const browser = fileBrowser();
let apollo: number;
test.before('forecasts', async () => {
  apollo = capacity.now.refs.id('apollo');
  await capacity.now.compute(apollo, 0);
});

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1440, height: 900 };

async function open(t: ExecutionContext, path: string): Promise<Page> {
  const page = await browser.shared(t);
  await page.setViewportSize(DESKTOP);
  await openAs(page, capacity.now.web.baseUrl, 'ana@acme.example', capacity.now.web.baseUrl + path);
  return page;
}

const idOf = (ref: string) => capacity.now.refs.id(ref);

async function stored(ref: string) {
  const columns = 'assignee_id as assignee, start_date as start, due_date as due';
  return (await capacity.now.world.rows(`select ${columns} from items where id = $1`, [idOf(ref)]))[0];
}

/** Undoes the last change by its toast. */
async function undo(page: Page): Promise<void> {
  await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
  await page.locator('.toast').getByText('Undone').waitFor();
}

/** The popover of Ana's next week, and a task in it. */
async function openWeek(page: Page, title: string) {
  await page.locator('.heat tbody tr', { hasText: 'Ana' }).locator('.cell').nth(1).click();
  const box = page.locator('.menu-box');
  const offer = (name: string) => box.locator('li', { hasText: title }).getByRole('link', { name });
  await offer('Move to…').waitFor();
  return { box, offer };
}

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
  const at = `/workspaces/${apollo}`;
  const page = await open(t, at);
  const { baseUrl } = capacity.now.web;
  await page.setViewportSize({ width: 1047, height: 718 });
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  const head = page.locator('.head');
  const report = `/reports/time?workspaceId=${apollo}&from=2026-03-02&to=2026-03-08`;
  for (const path of [`${at}?type=release`, `${at}/items/${idOf('launch')}`, report, `/capacity?workspaceId=${apollo}`]) {
    t.deepEqual(await page.evaluate(ON_PAPER), [], page.url());
    await page.goto(baseUrl + path);
    if (path === report) t.regex(await head.innerText(), /All people in Apollo, Monday 2 March 2026 to Sunday 8 March 2026/);
  }
  t.deepEqual(await page.evaluate(ON_PAPER), [], page.url());
  t.regex(await head.innerText(), /Apollo · [A-Z][a-z]+ \d+ [A-Z][a-z]+ \d{4}/, 'the scope and the day');
  const sheets = (await page.pdf({ preferCSSPageSize: true, format: 'A4' })).toString('latin1').match(/\/Type\s*\/Page(?!s)/g);
  t.is(sheets?.length, 1);
  await page.emulateMedia({ media: null, colorScheme: null });
});

test('an overcommitted project links to its what-if, whose effects follow the typed values and its address keeps them', async (t) => {
  const page = await open(t, '/capacity?workspaceId=0');
  const link = page.getByRole('link', { name: /^What if.*Launch/ });
  await page.setViewportSize(PHONE);
  t.true((await link.boundingBox())!.height >= 44);
  await link.click();
  await page.waitForURL((url) => url.searchParams.get('workspaceId') === String(apollo), { waitUntil: 'load' });
  t.is(await page.getByLabel('Project').locator('option:checked').textContent(), `Launch ${hostile}`);

  const asked: string[] = [];
  page.on('request', (request) => request.url().includes('/what-if?') && asked.push(request.url()));
  const effects = page.getByRole('region', { name: 'Effects' });
  const field = page.getByLabel('Estimate, h of Much');
  await field.focus();
  await page.evaluate(`for (document.activeElement.value of ['2', '24', '240'])
    document.activeElement.dispatchEvent(new Event('input', { bubbles: true }))`);
  await effects.getByRole('button', { name: 'Save 1 change' }).waitFor();
  t.true(await field.evaluate((one) => one === one.ownerDocument.activeElement), 'the field keeps the focus');
  await effects
    .getByText(/becomes/)
    .first()
    .waitFor();
  t.is(asked.length, 1, 'not one request a key');
  t.true(asked[0]!.includes(`e${idOf('much')}=240`));
  const done = page.getByLabel('Done, % of Much');
  for (const percent of ['400', '10']) {
    await done.fill(percent);
    await done.blur();
  }
  await page.waitForURL(new RegExp(`p${idOf('much')}=10`));
  t.false(
    asked.some((url) => url.includes('=400')),
    'an invalid value is not sent',
  );
  await page.reload();
  t.is(await field.inputValue(), '240', 'the address contains the tried values');
  await page.getByLabel('Project').selectOption('Without a project');
  await page.getByRole('button', { name: 'Show' }).click();
  await page.getByLabel('Estimate, h of Given').waitFor({ state: 'detached' });
  t.is(await field.inputValue(), '240', 'tried values stay');
});

test('a forecast unfolds; in the popover of a week tasks move to another week and, on a phone, to another member', async (t) => {
  const page = await open(t, `/capacity?workspaceId=${apollo}`);
  const launch = page.locator('details.proj', { hasText: 'Launch' });
  await launch.locator('summary').first().click();
  await launch.getByText('3 tasks forecast to finish late').waitFor();
  await launch.getByText('Show numbers').click();
  t.true(await launch.getByRole('region', { name: 'Trend in numbers' }).isVisible());
  await expectFitsPhone(t, page);

  const { box, offer } = await openWeek(page, 'Moved');
  const moved = await stored('moved');
  await offer('Move to…').click();
  const weeks = box.getByRole('button');
  await weeks.first().waitFor();
  t.is(await weeks.count(), 7, 'every other week on the page');
  t.regex((await weeks.last().textContent())!, /10 h free/);
  await expectAccessible(t, page);
  await weeks.last().click();
  await page.locator('.toast').getByRole('button', { name: 'Undo' }).waitFor();
  const then = addDays(monday, 49);
  t.deepEqual(await stored('moved'), { ...moved, start: then, due: addDays(then, 4) });
  await page.locator('.heat').waitFor();
  await undo(page);
  t.deepEqual(await stored('moved'), moved);

  await page.setViewportSize(PHONE);
  const given = await stored('given');
  const { offer: offerGiven } = await openWeek(page, 'Given');
  for (const name of ['Move to…', 'Give to…']) t.true((await offerGiven(name).boundingBox())!.height >= 44);
  await offerGiven('Give to…').click();
  const bo = box.getByRole('button', { name: 'bo' });
  await bo.waitFor();
  t.notRegex((await bo.textContent())!, /free/, 'without confirmed hours');
  t.is(await box.getByRole('button').count(), 1, 'neither who may not write tasks nor the present assignee is offered');
  await bo.click();
  await page.locator('.toast').getByRole('button', { name: 'Undo' }).waitFor();
  t.deepEqual(await stored('given'), { ...given, assignee: idOf('bo') });
  await undo(page);
  t.deepEqual(await stored('given'), given);
});

test('after what-if is saved Capacity says "Recomputing…" until the new figures appear without a reload', async (t) => {
  const page = await open(t, `/capacity/what-if?workspaceId=${apollo}&project=${idOf('launch')}&e${idOf('much')}=80`);
  await page.getByRole('button', { name: 'Save 1 change' }).click();
  const status = page.getByRole('status').filter({ hasText: 'Recomputing…' });
  await status.waitFor();
  const launch = page.locator('details.proj', { hasText: 'Launch' });
  t.regex((await launch.textContent())!, /520 h left/);
  await capacity.now.compute();
  await launch.getByText('200 h left').waitFor();
  t.is(await status.count(), 0);
});
