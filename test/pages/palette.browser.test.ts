/** Search and commands over any page, and single keys: keyboard only, announced, and never in the way (behaviour §22.6, §22.7). */
import { expectAccessible, openAs } from '../support/browser.ts';
import { suite } from '../support/suite.ts';
import { workPages } from '../support/workPages.ts';
import { emailOf } from '../support/workWorld.ts';

const test = suite(import.meta.url);

const items = ['Deck plan', 'Deck paint', 'Sail'].map((title, n) => ({ ref: `t${n}`, type: 'task' as const, title }));
const work = workPages({ items });

test("the browser's time zone is stored for a user who has not chosen one", async (t) => {
  const page = await work.browser.page(t, { timezoneId: 'Europe/Rome' });
  const stored = page.waitForResponse((answer) => answer.request().method() === 'POST');
  await openAs(page, work.web.baseUrl, emailOf('mia'), work.web.baseUrl);
  await stored;
  t.regex(await (await page.request.get(`${work.web.baseUrl}/profile`)).text(), /<option value="Europe\/Rome" selected/);
});

test('Ctrl K opens the search over the page; arrows choose, Tab turns the scope, Enter opens, Escape returns', async (t) => {
  const page = await work.open(t, `${work.web.baseUrl}/`);
  const field = page.getByRole('combobox', { name: 'Search or command' });
  const tab = () => page.locator('.palette [role=tab][aria-selected=true]').innerText();
  const chosen = async () => String(await page.locator('[role=option][aria-selected=true]').textContent());
  await page.getByRole('link', { name: 'Stint' }).focus();
  await page.keyboard.press('Control+k');
  await page.getByRole('option', { name: 'My day' }).waitFor();
  t.is(await page.locator('[role=option][aria-selected=true]').count(), 1, 'the first row is active without a text');
  await page.keyboard.press('Escape');
  await field.waitFor({ state: 'hidden' });
  t.is(await page.evaluate('document.activeElement.className'), 'brand');

  await page.keyboard.press('Control+k');
  await page.keyboard.type('deck p');
  const plan = page.getByRole('option', { name: /Deck plan/ });
  await plan.waitFor();
  await expectAccessible(t, page);
  t.regex(await tab(), /^All/);
  await page.keyboard.press('Tab');
  t.regex(await tab(), /^Items\s*2/);
  t.deepEqual(await page.locator('.palette [role=group]:visible').evaluateAll((all) => all.map((one) => one.ariaLabel)), ['Items']);
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Shift+Tab');
  t.regex(await tab(), /^Commands/);
  await page.keyboard.press('Tab');
  t.regex(await chosen(), /Deck paint/);
  await page.keyboard.press('ArrowDown');
  t.regex(await chosen(), /Deck plan/);
  t.is(await field.getAttribute('aria-activedescendant'), await plan.getAttribute('id'));
  t.is(await page.locator('.palette [role=status]').textContent(), '2 items');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  t.regex(await chosen(), /Search for/);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/items/${work.refs.id('t1')}`);
});

test('a line is read as chips; Enter creates or logs where the user is, Shift+Enter opens; G and a letter, and the search field, lead on', async (t) => {
  const page = await work.open(t, `${work.web.baseUrl}/profile`);
  const chosen = page.locator('.palette [role=option][aria-selected=true]');
  const notice = (text: string) => page.locator('#notice').getByText(text).waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type(`Order paper 2031-05-02 4h #${work.refs.id('t0')}`);
  await chosen.getByText('Create task Order paper').waitFor();
  t.deepEqual(await chosen.locator('.chip-of').allInnerTexts(), ['Fri 2 May', '4 h', `${work.refs.id('t0')} Deck plan`]);
  await page.keyboard.press('Enter');
  await notice('Order paper created');
  t.is(new URL(page.url()).pathname, '/stint/profile');
  await page.keyboard.press('Control+k');
  await page.keyboard.type(`45m #${work.refs.id('t2')}`);
  await chosen.getByText(/Log 45 min on \d+ Sail/).waitFor();
  await page.keyboard.press('Enter');
  await notice('Logged 45 min');
  await page.keyboard.press('z');
  await notice('Undone.');
  await page.keyboard.press('g');
  await page.keyboard.press('n');
  await page.waitForURL(/\/my\/notes/);
  await page.getByRole('searchbox', { name: 'Search', exact: true }).click();
  await page.getByRole('combobox', { name: 'Search or command' }).fill('theme dark');
  await page.getByRole('option', { name: 'Theme: dark', exact: true }).click();
  await page.locator('html[data-theme=dark]').waitFor();
  t.is(new URL(page.url()).pathname, '/stint/my/notes');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('Buy rope 2h');
  await page.getByRole('option', { name: /Create task Buy rope/ }).waitFor();
  await page.keyboard.press('Shift+Enter');
  await page.waitForURL(/items\/\d+/);
  await page.getByRole('heading', { name: 'Buy rope' }).waitFor();
});

test("the page's keys are listed from its own controls; keys do nothing while typing or when switched off", async (t) => {
  const page = await work.open(t);
  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await page.keyboard.press('?');
  await keys.waitFor();
  const words = await keys.innerText();
  t.notRegex(words, /Deck|Sail|rope/);
  for (const shown of [/Ctrl K\s*Search and commands/, /S\s+Change status/, /G D\s+My day/]) t.regex(words, shown);
  await page.keyboard.press('Escape');
  await page.keyboard.press('/');
  const field = page.getByRole('combobox', { name: 'Search or command' });
  await field.waitFor();
  await page.keyboard.type('?j/');
  t.is(await field.inputValue(), '?j/');
  t.is(await keys.count(), 0);
  await page.goto(`${work.web.baseUrl}/profile`);
  await page.getByRole('checkbox', { name: /Single-key shortcuts/ }).uncheck();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  await page.keyboard.press('/');
  await page.keyboard.press('?');
  t.deepEqual([await keys.count(), await field.isVisible()], [0, false]);
  await page.locator('details.me summary').click();
  await page.getByRole('button', { name: 'Keyboard shortcuts', exact: true }).click();
  t.regex((await keys.textContent())!, /turned off/);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await field.waitFor();
});
