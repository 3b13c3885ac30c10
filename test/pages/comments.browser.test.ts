/** Comments in a browser: editor, mentions, drafts, own comments and reactions (behaviour §8.11–8.14). */
import { expectAccessible, expectFitsPhone, fileBrowser, openAs, waitUntil } from '../support/browser.ts';
import { fileDatabase } from '../support/database.ts';
import { suite } from '../support/suite.ts';
import { emailOf, type WorkWorld, workWorld } from '../support/workWorld.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
const browser = fileBrowser();
let work: WorkWorld;
test.before('a task with a long comment', async () => {
  work = await workWorld(database.url, {
    items: [{ ref: 'task', type: 'task', title: 'Sew' }],
    comments: [{ item: 'task', author: 'max', body: Array.from({ length: 60 }, (_, n) => `Line ${n + 1}`).join('\n') }],
  });
});
test.after('stop', () => work?.stop());

test('a draft survives a reload and is gone once sent; a mention is inserted by Enter, and Ctrl+Enter sends', async (t) => {
  const page = await browser.shared(t);
  await openAs(page, work.web.baseUrl, emailOf('mia'), work.item('task'));
  const field = page.getByRole('textbox', { name: 'Add a comment' });
  await field.focus();
  await page.locator('.comment-form .ProseMirror').waitFor();
  await page.keyboard.type('**Strong** words @ma');
  await page.getByRole('option', { name: 'Max' }).waitFor();
  await page.keyboard.press('Enter');
  await waitUntil(page, `Object.values(localStorage).some((text) => text.includes('@Max'))`);
  await page.reload();
  t.is(await field.inputValue(), '**Strong** words @Max ');
  await field.focus();
  await page.locator('.comment-form .ProseMirror').waitFor();
  await page.keyboard.press('Control+Enter');
  await page.locator('.say strong', { hasText: 'Strong' }).waitFor();
  await page.reload();
  t.is(await field.inputValue(), '');
});

test('a long comment unfolds; the author edits, reacts to and deletes a comment in place; others have no such buttons', async (t) => {
  const page = await browser.shared(t);
  const long = page.locator('.say', { hasText: 'Line 60' });
  t.is(await long.getByRole('link', { name: 'Edit comment' }).count(), 0);
  const before = (await long.boundingBox())!.height;
  await long.getByRole('button', { name: 'Show all 60 lines' }).click();
  t.true((await long.boundingBox())!.height > before);
  const own = page.locator('.say', { hasText: 'Strong words' });
  await own.hover();
  await own.getByRole('link', { name: 'Edit comment' }).click();
  await own.locator('.ProseMirror').waitFor();
  await page.keyboard.type('again');
  await page.keyboard.press('Control+Enter');
  await own.getByText('edited', { exact: true }).waitFor();
  await own.hover();
  await own.locator('.hov summary').click();
  await expectAccessible(t, page);
  await own.getByRole('button', { name: 'Well done' }).click();
  await own.getByRole('button', { name: 'Well done: 1, you' }).waitFor();
  await expectFitsPhone(t, page);
  await own.hover();
  await own.getByRole('button', { name: 'Delete comment' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Continue|Delete/ })
    .click();
  await page.getByText('deleted a comment').waitFor();
  t.is(await own.count(), 0);
});
