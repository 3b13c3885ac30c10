/** An item's pages in a browser: fields on demand, conflicts, comments, mentions, confirmations. items/item.db.test.ts covers HTML and
 *  forms. */
import type { ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { expectAccessible, expectFitsPhone, fileBrowser, setSession } from '../support/browser.ts';
import { fileDatabase } from '../support/database.ts';
import { rowsAt } from '../support/rowsAt.ts';
import { suite } from '../support/suite.ts';
import { signedIn } from '../support/visitor.ts';
import { emailOf, type WorkWorld, workWorld } from '../support/workWorld.ts';

const test = suite(import.meta.url);

const HOSTILE = `<script>document.title = 'broken'</script><img src=x onerror="document.title = 'broken'"> "quoted" 'single' &amp;`;

const database = fileDatabase();
const browser = fileBrowser();
let work: WorkWorld;
let cookie: string;
test.before('a workspace with work', async () => {
  work = await workWorld(database.url, {
    name: `Apollo ${HOSTILE}`,
    items: [
      { ref: 'milestone', type: 'milestone', title: 'Regatta' },
      { ref: 'release', type: 'release', title: 'Summer', fields: { versionLabel: '2.0' } },
      { ref: 'requirement', type: 'requirement', title: 'Tickets without a network', fields: { releaseId: { ref: 'release' } } },
      { ref: 'task', type: 'task', title: 'Write it down', fields: { requirementId: { ref: 'requirement' } } },
      { ref: 'hostile', type: 'requirement', title: HOSTILE, description: `\n${HOSTILE}`, fields: { acceptance: HOSTILE } },
    ],
    comments: [{ item: 'hostile', author: 'mia', body: HOSTILE }],
  });
  ({ cookie } = await signedIn(work.web.baseUrl, emailOf('ana')));
});
test.after('stop', () => work?.stop());

async function open(t: ExecutionContext, address: string): Promise<Page> {
  const page = await browser.shared(t);
  await setSession(page, work.web.baseUrl, cookie);
  await page.goto(address);
  return page;
}

test('a conflict shows both texts side by side, merges independent changes, and loses nothing', async (t) => {
  const mine = await open(t, `${work.item('task')}/edit`);
  // Rare fields appear on demand.
  t.false(await mine.getByLabel('Start date', { exact: true }).isVisible());
  t.false(await mine.getByLabel('Reason for the block').isVisible());
  await mine.getByRole('combobox', { name: 'Status' }).selectOption({ label: 'Blocked' });
  t.true(await mine.getByLabel('Reason for the block').isVisible());
  await mine.getByRole('combobox', { name: 'Status' }).selectOption({ label: 'Planned' });
  const theirs = await signedIn(work.web.baseUrl, emailOf('max'));
  await theirs.go(`${work.item('task').slice(work.web.baseUrl.length)}/edit`);
  t.regex((await theirs.send('/edit', { description: 'Theirs: tie the knots', estimatedHours: '5' })).text, /updated/);
  await mine.getByRole('textbox', { name: 'Title' }).fill('Write it all down');
  await mine.getByRole('textbox', { name: 'Description' }).fill('Mine: count the knots');
  const answer = mine.waitForResponse((response) => response.status() === 409);
  await mine.getByRole('button', { name: 'Save' }).click();
  await answer;
  await mine.getByRole('heading', { name: /^Max.* changed this task while you edited it$/ }).waitFor();
  await expectAccessible(t, mine);
  await expectFitsPhone(t, mine);
  const both = mine.getByRole('group', { name: 'Description' });
  t.deepEqual(await both.locator('.val').allInnerTexts(), ['Theirs: tie the knots', 'Mine: count the knots']);
  t.regex(await mine.locator('.merged').innerText(), /Merged already: estimate \(hours\) 5 h \(Max\) and title Write it all down \(you\)/);
  t.true(await mine.getByRole('button', { name: 'Save' }).isDisabled());
  await mine.getByRole('radio', { name: 'Description, Your version' }).focus();
  await mine.keyboard.press('Space');
  await mine.getByText('1 of 1 fields chosen.').waitFor();
  await mine.keyboard.press('Control+Enter');
  await mine.getByText('4 Write it all down updated').waitFor();
  t.regex(await mine.locator('main').innerText(), /Write it all down.*Mine: count the knots.*5 h/s);
});

test('people are suggested while a mention is typed, markup stays text, and a double click sends once', async (t) => {
  const page = await open(t, work.item('hostile'));
  t.is(await page.locator('main script, main img').count(), 0);
  t.true((await page.title()).startsWith('<script>'));
  const field = page.getByRole('textbox', { name: 'Add a comment' });
  await field.focus();
  await page.locator('.comment-form .ProseMirror').waitFor();
  await field.pressSequentially('mia@example, look @mi');
  const offer = page.getByRole('listbox', { name: 'People to mention' });
  t.is(await offer.getByRole('option', { selected: true }).innerText(), 'Mia\nmember');
  await expectAccessible(t, page);
  await page.keyboard.press('Escape');
  t.is(await offer.count(), 0);
  for (const _letter of '@mi') await page.keyboard.press('Backspace');
  await page.keyboard.type('@m');
  await offer.getByRole('option', { name: 'Max' }).waitFor();
  await page.keyboard.type('i');
  await page.keyboard.press('Tab');
  t.is(await field.innerText(), 'mia@example, look @Mia ');
  t.is(await offer.count(), 0);
  await page.keyboard.type('there');
  await page.getByRole('button', { name: 'Comment', exact: true }).dblclick();
  await page.getByText('Comment added.').waitFor();
  t.is((await rowsAt(database.url, "select from comments where body like 'mia@example%'")).length, 1);
  t.is(await page.evaluate(`Object.keys(localStorage).filter((name) => name.startsWith('stint-draft/')).length`), 0, 'no draft is left');
});

test('a typed comment stays while a value is changed in place, is sent by Ctrl+Enter, and clears its box', async (t) => {
  const page = await open(t, work.item('milestone'));
  const field = page.getByRole('textbox', { name: 'Add a comment' });
  await field.focus();
  await page.locator('.comment-form .ProseMirror').waitFor();
  await field.fill('Half a thought');
  await page.getByRole('link', { name: 'Change status of Regatta' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /In progress/ })
    .click();
  await page.locator('.panel .st-in_progress').waitFor();
  await page.locator('.ev', { hasText: 'changed the status from' }).waitFor();
  t.is(await page.locator('.comment-form .ProseMirror').innerText(), 'Half a thought', 'the editor stays open');
  await field.press('End');
  await field.pressSequentially(', and the other');
  await field.press('Control+Enter');
  await page.locator('.say', { hasText: 'Half a thought, and the other' }).waitFor();
  t.is(await field.inputValue(), '');
  await field.fill('Another one');
  await field.press('Control+Enter');
  await page.locator('.say', { hasText: 'Another one' }).waitFor();
});

test('archiving shows a dialog first, and explains a refusal in place', async (t) => {
  const page = await open(t, work.item('release'));
  await page.locator('#head details.pop > summary').click();
  await page.getByRole('button', { name: 'Archive' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click();
  await page.getByRole('alert').waitFor();
  t.regex(await page.getByRole('alert').innerText(), /Tickets without a network/);
});
