/** The frame of every page in a browser: the phone's bar, the running timer, and changes in place. workList.db.test.ts covers
 *  navigation. */
import type { Page } from 'playwright-core';
import { expectAccessible, openAs } from '../support/browser.ts';
import { suite } from '../support/suite.ts';
import { workPages } from '../support/workPages.ts';
import { emailOf } from '../support/workWorld.ts';

const test = suite(import.meta.url);

const work = workPages(
  { items: [{ ref: 'task', type: 'task', title: 'Write', fields: { assigneeId: { ref: 'mia' } } }] },
  { connections: [{ ref: 'c1', user: 'mia', name: 'Laptop', workspaces: ['apollo'] }] },
);

const main = (page: Page) => page.getByRole('complementary', { name: 'Main' });
const bar = (page: Page) => page.getByRole('region', { name: 'Running timer' });

test('on a phone the bottom bar links everywhere, and its menu opens the rest', async (t) => {
  const page = await work.browser.shared(t);
  await page.setViewportSize({ width: 390, height: 844 });
  await openAs(page, work.web.baseUrl, emailOf('mia'), `${work.web.baseUrl}/settings/sessions`);
  t.false(await main(page).isVisible());
  const small = await page
    .getByRole('navigation', { name: 'Main, phone' })
    .locator('a, button')
    .evaluateAll((all) => all.filter((one) => one.getBoundingClientRect().height < 44 || one.getBoundingClientRect().width < 44).length);
  t.is(small, 0, 'targets are at least 44 px');
  await page.getByRole('button', { name: 'Menu' }).click();
  await main(page)
    .getByRole('link', { name: /^Tasks/ })
    .waitFor();
  await expectAccessible(t, page);
  await main(page)
    .getByRole('link', { name: /^Tasks/ })
    .click();
  await page.waitForURL(/type=task/);
  await page.getByRole('link', { name: 'New task' }).last().click();
  await page.getByRole('textbox', { name: 'Title' }).waitFor();
});

test('a timer is started, annotated and stopped in place, confirmations come first, and nothing is lost without a connection', async (t) => {
  const page = await work.open(t, work.item('task'), 'mia');
  await page.getByRole('button', { name: /Start timer/ }).click();
  await bar(page).waitFor();
  await page.getByRole('status').getByText('Timer started.').waitFor();

  await bar(page).locator('summary').click();
  await bar(page).getByLabel('Note', { exact: true }).fill('What for');
  await page.context().setOffline(true);
  await bar(page).getByRole('button', { name: 'Save note' }).click();
  await page.getByRole('alert').getByText('No connection').waitFor();
  t.is(await bar(page).getByLabel('Note', { exact: true }).inputValue(), 'What for');
  await page.context().setOffline(false);
  await bar(page).getByRole('button', { name: 'Save note' }).click();
  await page.getByRole('status').getByText('Saved.').waitFor();
  t.is(await page.getByRole('alert').count(), 0);

  // Another user or tab is faster: the timer changes after the click, because a live update may show an earlier change.
  await page.route(
    (url) => url.pathname.endsWith('/timer/stop'),
    async (route) => {
      await work.rows('update time_entries set revision = revision + 1 where minutes is null and user_id = $1', [work.refs.id('mia')]);
      await route.continue();
    },
    { times: 1 },
  );
  await page.getByRole('button', { name: 'Stop the timer' }).click();
  await page.getByRole('alert').waitFor();
  t.true(await bar(page).isVisible(), 'it runs on');
  await page.goto(work.item('task'));
  await page.evaluate('window.stayed = true');
  const comment = page.getByRole('textbox', { name: 'Add a comment' });
  await comment.focus();
  await page.locator('.comment-form .ProseMirror').waitFor();
  await comment.fill('Half a sentence');
  await bar(page)
    .locator('form')
    .last()
    .evaluate((form) => form.setAttribute('data-confirm', 'Stop it?'));
  await page.getByRole('button', { name: 'Stop the timer' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  t.true(await bar(page).isVisible());
  await page.getByRole('button', { name: 'Stop the timer' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click();
  await page
    .getByRole('status')
    .getByText(/Timer stopped: \d+ min on/)
    .waitFor();
  t.is(await bar(page).count(), 0);
  await page.getByRole('button', { name: /Start timer/ }).waitFor();
  t.not(await page.evaluate('document.activeElement.tagName'), 'BODY', 'the focus is somewhere');
  t.is(await comment.innerText(), 'Half a sentence');
  t.true(await page.evaluate('window.stayed'), 'the page was never left');
  t.is((await work.rows('select from time_entries where note = $1', ['What for'])).length, 1);
});
