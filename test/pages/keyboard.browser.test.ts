/** The pages without a mouse: Tab reaches everything in order, without traps. everyPage.browser.test.ts checks that the focus is
 *  visible. */
import type { ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { expectAccessible, waitUntil } from '../support/browser.ts';
import { PASSWORD } from '../support/password.ts';
import { suite } from '../support/suite.ts';
import { workPages } from '../support/workPages.ts';
import { emailOf } from '../support/workWorld.ts';

const test = suite(import.meta.url);

const today = () => new Date().toISOString().slice(0, 10);
const work = workPages(
  {
    mcp: {
      enabled: true,
      limits: { tasks: 'delete', requirements: 'write', releases: 'read', milestones: 'read', time: 'write', plans: 'write' },
    },
    items: [
      { ref: 'requirement', type: 'requirement', title: 'Tickets without a network', fields: { targetDate: today() } },
      { ref: 'task', type: 'task', title: 'Write', fields: { requirementId: { ref: 'requirement' }, assigneeId: { ref: 'ana' } } },
    ],
    comments: [{ item: 'requirement', author: 'mia', body: 'Soon' }],
  },
  {
    connections: [{ ref: 'c1', user: 'ana', name: 'Laptop', workspaces: ['apollo'] }],
    personalNotes: [{ ref: 'n1', user: 'ana', html: '<p>Note</p>' }],
  },
);

/** Marks focusable elements of `within` in document order, one of each radio group. Tab begins at the first. */
const mark = (within: string) => `(() => {
  const root = document.querySelector('${within}');
  const groups = new Set();
  document.activeElement?.blur();
  getSelection().removeAllRanges();
  root.tabIndex = -1;
  root.focus();
  root.removeAttribute('tabindex');
  return [...root.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex="0"], [contenteditable]')].filter((one) => {
    // Of a toolbar one button has the focus, and arrows lead to the others.
    // The rows of a list are one stop, too.
    if (one.getAttribute('tabindex') === '-1' && one.closest('[role=toolbar], [data-rows] .row[data-item]')) return false;
    if (one.disabled || !one.checkVisibility({ visibilityProperty: true })) return false;
    if (one.type === 'radio') {
      const checked = one.form.querySelector('input[name="' + one.name + '"]:checked');
      if (checked ? checked !== one : groups.has(one.name)) return false;
      groups.add(one.name);
    }
    return true;
  }).map((one, at) => { one.dataset.stop = at; return one.outerHTML.slice(0, 120); });
})()`;
const FOCUSED = `(async () => {
  // The rich editor takes the place of its textarea on focus.
  const field = document.activeElement;
  if (field.matches('textarea[data-editor]')) for (let n = 0; n < 100 && document.activeElement === field; n++) await new Promise((next) => setTimeout(next, 50));
  const one = document.activeElement;
  const replaced = one.matches('.editable') && one.closest('form')?.querySelector('textarea[data-editor][hidden]');
  return { stop: Number((replaced || one).dataset.stop ?? -1), html: one.outerHTML.slice(0, 120) };
})()`;

async function expectTabOrder(t: ExecutionContext, page: Page, within = 'body'): Promise<void> {
  const stops = (await page.evaluate(mark(within))) as string[];
  for (let at = 0; at < stops.length; at++) {
    let { stop, html } = await next(page, at - 1);
    // The toolbar of the editor that came on focus is one stop.
    if (html.includes('class="icon-btn tool"')) ({ stop, html } = await next(page, at - 1));
    t.is(stop, at, `${page.url()}: Tab came to ${html}, not to ${stops[at]}`);
    if (stop !== at) return;
  }
}

/** A date field has several Tab stops. */
async function next(page: Page, from: number): Promise<{ stop: number; html: string }> {
  for (let presses = 1; ; presses++) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate<{ stop: number; html: string }>(FOCUSED);
    if (focused.stop !== from || from < 0 || presses === 6) return focused;
  }
}

test.long('on every main page Tab reaches everything in order', async (t) => {
  const page = await work.browser.page(t, { viewport: { width: 1280, height: 720 } });
  await page.goto(`${work.web.baseUrl}/sign-in`);
  await expectTabOrder(t, page);
  await page.getByLabel('Email').focus();
  await page.keyboard.type(emailOf('ana'));
  await page.keyboard.press('Tab');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('complementary', { name: 'Main' }).waitFor();
  await expectTabOrder(t, page);
  const own = ['/workspaces', '/my', `/my/notes/${work.refs.id('n1')}`, '/mcp-access', '/mcp-access/activity'];
  const account = ['/settings/people', '/settings/keys', '/settings/password', '/capacity?from=odd'];
  const addresses = [...own, ...account].map((path) => work.web.baseUrl + path);
  const others = [work.at, `${work.at}/settings/statuses`, `${work.at}/new?type=requirement`, work.item('requirement')];
  for (const address of [...addresses, ...others]) {
    await page.goto(address);
    // The editor of a note takes the place of its text when its script is loaded.
    if (await page.locator('[data-writes]').count()) await page.locator('.editable').waitFor();
    await expectTabOrder(t, page, 'main');
  }
});

const isInside = (page: Page, selector: string): Promise<boolean> =>
  page.evaluate(`document.querySelector('${selector}').contains(document.activeElement)`);

test('a dialog holds the focus until it is answered, Escape cancels, and the focus returns', async (t) => {
  const page = await work.open(t, `${work.web.baseUrl}/mcp-access`);
  await page.getByRole('article').filter({ hasText: 'Laptop' }).locator('summary').click();
  const revoke = page.getByRole('button', { name: 'Revoke' });
  await revoke.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: /Revoke Laptop\?/ }).waitFor();
  await expectAccessible(t, page);
  for (let n = 0; n < 4; n++) {
    t.true((await isInside(page, 'dialog')) || (await page.evaluate('document.activeElement === document.body')));
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Escape');
  t.is(await page.getByRole('dialog').count(), 0);
  t.is(await revoke.and(page.locator(':focus')).count(), 1);
  await page.keyboard.press('Space');
  const answer = page.getByRole('dialog').getByRole('button', { name: 'Revoke' });
  await answer.waitFor();
  for (let n = 0; n < 5 && !(await answer.and(page.locator(':focus')).count()); n++) await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText('The key no longer works.').waitFor();
});

/** The row of the focus, or the name of the control that has it. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(`(() => {
    const at = document.activeElement;
    const row = at.closest('.row')?.dataset.item;
    return row ? 'row ' + row : (at.getAttribute('aria-label') ?? at.textContent).trim().replace(/\\s+/g, ' ');
  })()`);
const COVERS = 'dialog[open], :popover-open, details.pop[open]';

/** Opens with a key, moves the focus inside, and closes with Escape. */
async function expectReturn(t: ExecutionContext, page: Page, key: string): Promise<void> {
  const before = await focused(page);
  await page.keyboard.press(key);
  await page.locator(COVERS).first().waitFor();
  await waitUntil(page, '!document.querySelector("[aria-busy]")');
  if (key === 'Enter') await page.keyboard.press('Tab');
  t.true(
    await page.evaluate(`document.activeElement.closest('${COVERS}') !== null`),
    `${key} on ${before}: the focus is at ${await focused(page)}`,
  );
  await page.keyboard.press('Escape');
  t.is(await page.locator(COVERS).count(), 0, `${key} on ${before} is open`);
  t.is(await focused(page), before, key);
}

test('the first stop is a link past the navigation; what a key opens takes the focus and gives it back, also in the sheets of a phone', async (t) => {
  const page = await work.open(t, work.at);
  await page.keyboard.press('Tab');
  t.true(await page.getByRole('link', { name: 'Skip to content' }).isVisible());
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  t.true(await isInside(page, 'main'));
  await page.locator('.row .t > a').focus();
  for (const key of ['n', '?', '.', 's', 'p', 'Control+k']) await expectReturn(t, page, key);
  for (const menu of await page.locator('#head details.pop > summary').filter({ visible: true }).all()) {
    await menu.focus();
    await expectReturn(t, page, 'Enter');
  }
  await page.setViewportSize({ width: 390, height: 800 });
  await page.reload();
  for (const control of ['.view-menu > summary', '.filter-button a', '.tabbar > :last-child']) {
    await page.locator(control).focus();
    await expectReturn(t, page, 'Enter');
  }
});
