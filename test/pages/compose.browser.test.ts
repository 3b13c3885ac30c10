/** The dialog for a new item: opened from anywhere, it understands its title, and sends the form of the page (behaviour §19.11),
 *  which items/item.db.test.ts covers. */
import type { ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { expectAccessible } from '../support/browser.ts';
import { suite } from '../support/suite.ts';
import { workPages } from '../support/workPages.ts';

const test = suite(import.meta.url);

const labels = [{ name: 'Bug' }, { name: 'Paint' }, { name: 'two words' }];
const work = workPages({ labels, items: [{ ref: 'deck', type: 'requirement', title: 'Paint the deck' }] });

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'New task' });
const titleOf = (page: Page) => dialogOf(page).getByRole('textbox', { name: 'Title' });

async function open(t: ExecutionContext, path: string): Promise<Page> {
  const page = await work.open(t, path);
  await page.keyboard.press('n');
  await titleOf(page).waitFor();
  return page;
}

test('N on My day opens the form, and Enter creates what the title says, also before the preview is there', async (t) => {
  const page = await open(t, `${work.web.baseUrl}/`);
  await page.keyboard.type(`Order paper @mia 4h #${work.refs.id('deck')}`);
  await page.keyboard.press('Enter');
  await page.locator('#notice').getByText('Order paper created').waitFor();
  t.is(await page.locator('dialog[open]').count(), 0);
  t.is(new URL(page.url()).pathname, '/stint/');
  const [made] = await work.rows("select * from items where title = 'Order paper'");
  t.deepEqual([made.assignee_id, made.requirement_id, made.estimated_hours].map(Number), [work.refs.id('mia'), work.refs.id('deck'), 4]);
});

test('the chips show what the title sets; a chip that the user sets wins; Shift+Enter opens the new item', async (t) => {
  const page = await open(t, `${work.at}?group=none`);
  await titleOf(page).fill('Call max @max 3h');
  await dialogOf(page).locator('.set', { hasText: 'Max' }).waitFor();
  t.deepEqual(await dialogOf(page).locator('.c-mirror mark').allInnerTexts(), ['@max', '3h']);
  await dialogOf(page).getByLabel('Assignee').selectOption('Ana');
  await page.locator('.compose .set', { hasText: 'Max' }).waitFor({ state: 'detached' });
  await titleOf(page).focus();
  await page.keyboard.press('End');
  await page.keyboard.press('Backspace');
  t.is(await titleOf(page).inputValue(), 'Call max @max "3h"');
  await page.keyboard.press('Shift+Enter');
  await page.waitForURL(/\/items\/\d+/);
  await page.getByRole('heading', { name: 'Call max 3h' }).waitFor();
  t.regex(await page.locator('.props').first().innerText(), /Ana/);
});

test('a refused title is explained; Escape keeps the draft; "Create another" keeps the dialog and creates each item once', async (t) => {
  const page = await open(t, `${work.at}?group=none`);
  await page.keyboard.type('Paint @nobody');
  await page.keyboard.press('Enter');
  await dialogOf(page).getByText('@nobody matches no assignable user.').waitFor();
  await dialogOf(page).getByRole('textbox', { name: 'Description' }).fill('With red paint');
  await page.keyboard.press('Escape');
  await dialogOf(page).waitFor({ state: 'hidden' });
  await page.keyboard.press('n');
  await dialogOf(page).waitFor();
  t.is(await titleOf(page).inputValue(), 'Paint @nobody');
  t.is(await dialogOf(page).getByRole('textbox', { name: 'Description' }).inputValue(), 'With red paint');

  await dialogOf(page).getByRole('checkbox', { name: 'Create another' }).check();
  for (const title of ['First of two', 'Second of two']) {
    await titleOf(page).fill(title);
    await page.keyboard.press('Enter');
    await page.locator('#work').getByRole('link', { name: title, exact: true }).waitFor();
  }
  t.true(await dialogOf(page).isVisible());
  t.is((await work.rows("select from items where title like '% of two'")).length, 2);
});

test('a title sets labels; chips open lists with a search field, for labels until Escape; drafts survive a reload', async (t) => {
  const page = await open(t, `${work.at}?group=none`);
  const value = (text: string) => dialogOf(page).locator('.cells .v', { hasText: text });
  await titleOf(page).fill('Sand the hull ~bug ~"two words"');
  const chip = dialogOf(page).locator('.set .v', { hasText: 'Bug, two words' });
  await chip.waitFor();
  t.deepEqual(await dialogOf(page).locator('.c-mirror mark').allInnerTexts(), ['~bug', '~"two words"']);
  await titleOf(page).press('Backspace');
  t.is(await titleOf(page).inputValue(), 'Sand the hull ~bug "~two words"');
  await chip.waitFor({ state: 'detached' });

  await dialogOf(page).locator('select[name="labels"]').focus();
  await page.keyboard.press('p');
  const labels = page.locator('#pick-list');
  t.deepEqual(await labels.getByRole('option').allInnerTexts(), ['Paint']);
  await page.keyboard.press('Enter');
  await value('Bug, Paint').waitFor();
  await page.keyboard.press('Backspace');
  await labels.getByRole('option', { name: 'two words' }).click();
  t.is(await labels.getByRole('option', { name: 'two words' }).getAttribute('aria-checked'), 'true');
  await expectAccessible(t, page);
  await page.keyboard.press('Escape');
  await value('Bug, Paint, two words').waitFor();

  await dialogOf(page).locator('select[name="assigneeId"]').focus();
  await page.keyboard.press('m');
  const list = page.getByRole('listbox', { name: 'Assignee' });
  await list.waitFor();
  t.deepEqual(await list.locator('.cut').allInnerTexts(), ['Max', 'Mia']);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await list.waitFor({ state: 'detached' });
  await value('Mia').waitFor();
  await page.keyboard.press(' ');
  await list.waitFor();
  await page.keyboard.press('Escape');
  await list.waitFor({ state: 'detached' });
  t.true(await dialogOf(page).isVisible(), 'Escape closes only the list');
  await page.keyboard.press('Escape');
  await dialogOf(page).waitFor({ state: 'hidden' });

  const reopen = async () => {
    await page.reload();
    await page.keyboard.press('n');
    await titleOf(page).waitFor();
  };
  await reopen();
  t.is(await titleOf(page).inputValue(), 'Sand the hull ~bug "~two words"');
  await value('Mia').waitFor();
  await value('Bug, Paint, two words').waitFor();
  await titleOf(page).press('Enter');
  await page.locator('#notice').getByText('Sand the hull ~two words created').waitFor();
  const made = await work.rows("select from item_labels join items i on i.id = item_id where i.title like 'Sand the hull%'");
  t.is(made.length, 3);
  await reopen();
  t.is(await titleOf(page).inputValue(), '', 'a created item leaves no draft');
});
