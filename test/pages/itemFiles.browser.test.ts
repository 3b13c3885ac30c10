/** Files in a browser: choosing, dropping, pasting, cancelling, and pictures in texts (behaviour §35.4, §35.7, §35.11). */
import type { Page } from 'playwright-core';
import { expectAccessible, expectFitsPhone, openAs, waitUntil } from '../support/browser.ts';
import { nextRequest } from '../support/nextRequest.ts';
import { Fixtures } from '../support/restWorld.ts';
import { suite } from '../support/suite.ts';
import { workPages } from '../support/workPages.ts';
import { emailOf } from '../support/workWorld.ts';

const test = suite(import.meta.url);

const work = workPages({
  items: ['task', 'texts'].map((ref) => ({ ref, type: 'task' as const, title: `Task ${ref}`, description: 'Words' })),
});

/** An event with a file that the page draws itself. */
const give = (page: Page, selector: string, kind: 'drop' | 'paste', name: string) =>
  page.evaluate(
    `(async () => {
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [600, 300];
      canvas.getContext('2d').fillRect(0, 0, 300, 300);
      const made = await new Promise((resolve) => canvas.toBlob(resolve));
      const data = new DataTransfer();
      const isImage = ${JSON.stringify(name)}.endsWith('.png');
      data.items.add(new File([isImage ? made : 'plain text'], ${JSON.stringify(name)}, { type: isImage ? 'image/png' : 'text/plain' }));
      const at = document.querySelector(${JSON.stringify(selector)});
      const { left, top } = at.getBoundingClientRect();
      const given = { bubbles: true, cancelable: true };
      at.dispatchEvent('${kind}' === 'drop'
        ? new DragEvent('drop', { ...given, dataTransfer: data, clientX: left + 5, clientY: top + 5 })
        : new ClipboardEvent('paste', { ...given, clipboardData: data }));
    })()`,
  );

test('chosen and dropped files are uploaded, images with a small thumbnail; open pages of others follow; a too large one is refused before it is sent', async (t) => {
  const [page, other] = [await work.open(t, work.item('task'), 'mia'), await work.browser.page(t)];
  const listening = other.waitForRequest((request) => request.url().endsWith('/live'));
  await openAs(other, work.web.baseUrl, emailOf('ana'), work.item('task'));
  await listening;
  await other.evaluate('window.unbroken = true');
  const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
  await page.locator('form[data-upload] input[type=file]').setInputFiles([
    { name: 'dot.png', mimeType: 'image/png', buffer: png },
    { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('some text') },
  ]);
  const link = (where: Page, name: string) => where.locator('.file-list').getByRole('link', { name, exact: true });
  await link(page, 'notes.txt').waitFor();
  const rows = await work.rows(
    'select f.name, t.type from item_files f left join file_thumbnails t on t.blob_id = f.blob_id order by f.id',
  );
  t.deepEqual(rows, [
    { name: 'dot.png', type: 'image/webp' },
    { name: 'notes.txt', type: null },
  ]);
  await waitUntil(page, `document.querySelector('.file-list img').naturalWidth === 1`);
  await expectFitsPhone(t, page);
  await link(other, 'notes.txt').waitFor();
  await page.getByRole('button', { name: 'Remove notes.txt' }).click();
  await other.getByText('removed the file notes.txt').waitFor();
  for (const where of [page, other]) t.is(await link(where, 'notes.txt').count(), 0);
  t.true(await other.evaluate('window.unbroken'));
  await page.locator('#notice').getByRole('button', { name: 'Undo' }).click();
  await link(page, 'notes.txt').waitFor();

  await give(page, '#work', 'drop', 'dropped.png');
  await link(page, 'dropped.png').waitFor();
  await page.evaluate(`document.querySelector('form[data-upload]').dataset.upload = '10'`);
  await give(page, '#work', 'drop', 'large.png');
  await page.getByRole('alert').filter({ hasText: 'large.png was not added. A file has at most 25 MiB.' }).waitFor();
  t.is((await work.rows(`select from item_files where name = 'large.png'`)).length, 0);
});

test('an upload shows its progress and is cancelled; pictures and files given to texts are added to the item, named in no text', async (t) => {
  const page = await work.open(t, work.item('texts'), 'mia');
  const holder = new Fixtures(work.databaseUrl);
  await holder.sql('begin; lock table blobs');
  const upload = nextRequest();
  await page
    .locator('form[data-upload] input[type=file]')
    .setInputFiles({ name: 'slow.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(4 * 1024 * 1024) });
  await page.getByRole('progressbar', { name: 'Uploading slow.bin' }).waitFor();
  await expectAccessible(t, page);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('progressbar').waitFor({ state: 'detached' });
  await (await upload).closed;
  await holder.close();

  const place = page.locator('.in-place-description');
  const editor = '.in-place-description .ProseMirror';
  const stored = async () => (await work.rows('select description from items where id = $1', [work.refs.id('texts')]))[0].description;
  await place.locator('.shown').click();
  await page.locator(editor).waitFor();
  await give(page, editor, 'paste', 'Secret sketch.png');
  await page.locator(`${editor} img[src*="/files/"]`).waitFor();
  await give(page, editor, 'drop', 'Secret list.txt');
  await page.locator(`${editor} a[href*="/files/"]`).waitFor();
  await place.getByRole('button', { name: 'Save', exact: false }).click();
  await place.locator('.shown img[alt="Secret sketch.png"]').waitFor();
  await waitUntil(page, `document.querySelector('.in-place-description .shown img').naturalWidth === 600`);
  t.is(await page.getByText('slow.bin').count(), 0);
  t.regex(await stored(), /!\[Image\]\(\/files\/\d+\)/);
  t.regex(await stored(), /\[File (\d+)\]\(\/files\/\1\)/);
  t.notRegex(await stored(), /Secret/);
  // Editing again keeps the references.
  await place.locator('.edit-here').click();
  await page.locator(`${editor} img[alt=Image]`).waitFor();
  await page.keyboard.type(' more');
  await page.keyboard.press('Control+Enter');
  await place.locator('.shown', { hasText: 'more' }).waitFor();
  t.regex(await stored(), /!\[Image\]\(\/files\/\d+\)/);

  await page.getByRole('textbox', { name: 'Add a comment' }).focus();
  await page.locator('.comment-form .ProseMirror').waitFor();
  await page.keyboard.type('See');
  await give(page, '.comment-form .ProseMirror', 'drop', 'shot.png');
  await page.locator('.comment-form .ProseMirror img[alt=Image]').waitFor();
  await page.keyboard.press('Control+Enter');
  await page.locator('.say img[alt="shot.png"]').waitFor();
  t.regex((await work.rows('select body from comments order by id desc limit 1'))[0].body, /!\[Image\]\(\/files\/\d+\)/);
});
