/** Approval on an item's page, and the original of a note that was rewritten. */
import test from 'ava';
import type { Page } from 'playwright-core';
import { expectAccessible, expectFitsPhone, fileBrowser, signIn } from '../support/browser.ts';
import { fileDatabase } from '../support/database.ts';
import { Fixtures } from '../support/restWorld.ts';
import { emailOf, type WorkWorld, workWorld } from '../support/workWorld.ts';

const database = fileDatabase();
const browser = fileBrowser();
let work: WorkWorld;
test.serial.before('requirements to approve', async () => {
  const titles = ['approve', 'reject', 'stale', 'member'] as const;
  work = await workWorld(database.url, {
    items: titles.map((ref) => ({ ref, type: 'requirement' as const, title: `To ${ref}`, status: 'in_review' as const })),
    comments: [{ item: 'member', author: 'mia', body: 'The pump leaks; Max looks into it.' }],
  });
});
test.after.always('it ends', () => work?.stop());

const comment = (page: Page) => page.getByRole('textbox', { name: 'Comment on the decision' });
const status = (page: Page) =>
  page
    .locator('dl.facts div', { hasText: /^Status/ })
    .locator('dd')
    .innerText();
const decide = async (page: Page, button: string) => {
  await page.getByRole('button', { name: button, exact: true }).click();
};

test('a manager requests approval, the owner gives it, and the history says who, when and why', async (t) => {
  const [max, ana] = [await browser.page(t), await browser.page(t)];
  await signIn(max, work.web.baseUrl, emailOf('max'));
  await signIn(ana, work.web.baseUrl, emailOf('ana'));
  await max.goto(work.item('approve'));
  await comment(max).fill('Ready, <b>I think</b>');
  await decide(max, 'Request approval');
  await max.getByText('Approval requested.').waitFor();
  await ana.goto(work.item('approve'));
  t.is(await status(ana), 'Pending approval');
  await decide(ana, 'Approve');
  await ana.getByText('Approved.', { exact: true }).waitFor();
  t.is(await status(ana), 'Approved');
  const history = ana.getByRole('region', { name: 'Comments and changes' });
  t.regex(
    await history.innerText(),
    /Ana approved \d{4}-\d\d-\d\d \d\d:\d\d UTC, version 3\n.*Max requested approval .* version 2\nReady, <b>I think<\/b>/s,
  );
  t.is(await ana.getByRole('button', { name: /approv/i }).count(), 0);
  await expectAccessible(t, ana);
  await expectFitsPhone(t, ana);
});

test('a rejection needs its reason and leads back, and what was typed is not lost', async (t) => {
  const page = await browser.page(t, { javaScriptEnabled: false });
  await signIn(page, work.web.baseUrl, emailOf('ana'));
  await page.goto(work.item('reject'));
  await decide(page, 'Request approval');
  await decide(page, 'Reject');
  t.is(await page.getByRole('alert').innerText(), 'Say what has to change.');
  await comment(page).fill('Say what happens at sea');
  await decide(page, 'Reject');
  t.is(await status(page), 'In review');
  t.regex(await page.getByRole('region', { name: 'Comments and changes' }).innerText(), /Ana rejected.*Say what happens at sea/s);
});

test('a decision on what has changed since is not taken', async (t) => {
  const [ana, max] = [await browser.page(t), await browser.page(t)];
  await signIn(ana, work.web.baseUrl, emailOf('ana'));
  await signIn(max, work.web.baseUrl, emailOf('max'));
  await max.goto(work.item('stale'));
  await decide(max, 'Request approval');
  await max.getByText('Approval requested.').waitFor();
  await ana.goto(work.item('stale'));
  await max.getByRole('button', { name: 'Edit' }).click();
  t.deepEqual(await max.getByRole('combobox', { name: 'Status' }).locator('option').allInnerTexts(), ['Pending approval']);
  await max.getByRole('textbox', { name: 'Title' }).fill('Something else');
  await max.getByRole('button', { name: 'Save' }).click();
  await max.getByText('Saved.').waitFor();
  await comment(ana).fill('Fine with me');
  await decide(ana, 'Approve');
  await ana
    .getByRole('alert')
    .getByText(/Max has changed this in the meantime/)
    .waitFor();
  t.is(await ana.getByRole('heading', { level: 1 }).innerText(), 'Something else');
  t.is(await status(ana), 'Pending approval');
  t.is(await comment(ana).inputValue(), 'Fine with me');
});

test('a member sees where approval stands, decides nothing, and finds no approval among the statuses', async (t) => {
  const page = await browser.page(t);
  await signIn(page, work.web.baseUrl, emailOf('mia'));
  await page.goto(work.item('member'));
  t.is(await page.getByText('Not requested.').count(), 1);
  t.is(await comment(page).count(), 0);
  const csrf = await page.locator('input[name=_csrf]').first().inputValue();
  const form = { _csrf: csrf, version: '1', decision: 'request', comment: '' };
  t.is(
    (await page.request.post(`${work.item('member')}/approval`, { form, headers: { origin: new URL(work.web.baseUrl).origin } })).status(),
    403,
  );
  await page.getByRole('button', { name: 'Edit' }).click();
  const offered = await page.getByRole('combobox', { name: 'Status' }).locator('option').allInnerTexts();
  t.deepEqual(
    offered.filter((label) => /approv/i.test(label)),
    [],
  );
});

test('a rewritten note shows what was submitted only when asked', async (t) => {
  const fixtures = new Fixtures(database.url);
  t.teardown(() => fixtures.close());
  await fixtures.sql('update comments set original_body = $1 where item_id = $2', [
    'Pump leaks!! <i>Max on it</i>',
    work.refs.id('member'),
  ]);
  const page = await browser.page(t);
  await signIn(page, work.web.baseUrl, emailOf('vic'));
  await page.goto(work.item('member'));
  await page.getByText('rewritten in plain language').waitFor();
  const original = page.getByText('Pump leaks!! <i>Max on it</i>');
  t.false(await original.isVisible());
  await page.getByText('As it was submitted').click();
  t.true(await original.isVisible());
});
