/** Comments in a browser: editor, mentions, drafts, own comments and reactions (behaviour §8.11–8.14); archiving an item. */
import { expectAccessible, expectFitsPhone, waitUntil } from '../support/browser.ts';
import { suite } from '../support/suite.ts';
import { workPages } from '../support/workPages.ts';

const test = suite(import.meta.url);

const work = workPages({
  items: [
    { ref: 'task', type: 'task', title: 'Sew' },
    { ref: 'release', type: 'release', title: 'Summer' },
    { ref: 'requirement', type: 'requirement', title: 'Tickets without a network', fields: { releaseId: { ref: 'release' } } },
  ],
  comments: [{ item: 'task', author: 'max', body: Array.from({ length: 60 }, (_, n) => `Line ${n + 1}`).join('\n') }],
});

test('a draft survives a reload and is gone once sent; a mention is inserted by Enter, and Ctrl+Enter sends', async (t) => {
  const page = await work.open(t, work.item('task'), 'mia');
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
  const page = await work.browser.shared(t);
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

test('people are suggested while a mention is typed; a double click sends once and clears the box', async (t) => {
  const page = await work.open(t, work.item('requirement'));
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
  t.is((await work.rows("select from comments where body like 'mia@example%'")).length, 1);
  t.is(await page.evaluate(`Object.keys(localStorage).filter((name) => name.startsWith('stint-draft/')).length`), 0, 'no draft is left');
  await field.fill('Another one');
  await field.press('Control+Enter');
  await page.locator('.say', { hasText: 'Another one' }).waitFor();
});

test('archiving shows a dialog first, and explains a refusal in place', async (t) => {
  const page = await work.open(t, work.item('release'));
  await page.locator('#head details.pop > summary').click();
  await page.getByRole('button', { name: 'Archive' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click();
  await page.getByRole('alert').waitFor();
  t.regex(await page.getByRole('alert').innerText(), /Tickets without a network/);
});
