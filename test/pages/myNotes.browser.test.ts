/** /my/notes in a real browser: folders, texts, conflicts, attachments. */
import test, { type ExecutionContext } from 'ava';
import pg from 'pg';
import type { Page } from 'playwright-core';
import { expectAccessible, expectFitsPhone, fileBrowser } from '../support/browser.ts';
import { fileDatabase } from '../support/database.ts';
import { openAs, workspaceOfPeople } from '../support/people.ts';
import { startWeb, type Web, type WorldRefs, world } from '../support/world.ts';

const hostile = '<script>alert(1)</script>';
const database = fileDatabase();
const browser = fileBrowser();
let web: Web;
let refs: WorldRefs;
let pool: pg.Pool;

const people = ['ana', 'bo', 'cleo', 'dan', 'eve'];

test.serial.before('people with no note, but for one of everything', async () => {
  const rich =
    '<h1>Plan</h1><p>see <a href="https://example.org/a">there</a></p><table><tbody><tr><td colspan="2">x</td></tr></tbody></table><pre>if (a &lt; b)</pre>';
  const file = workspaceOfPeople(
    people,
    {},
    {
      personalNotes: [{ ref: 'rich', user: 'eve', folder: 'Ideas', html: rich, attachments: [{ name: 'a.txt', text: 'words' }] }],
    },
  );
  refs = await world(database.url, file);
  web = await startWeb(database.url);
  pool = new pg.Pool({ connectionString: database.url, max: 2 });
  pool.on('error', () => {});
});
test.after.always('stop', async () => {
  await web?.stop();
  await pool?.end();
});

const open = (t: ExecutionContext, person: string, path = '/my/notes', script = true): Promise<Page> =>
  openAs(t, { browser, baseUrl: web.baseUrl, person, path, script });

const notice = (page: Page) => page.locator('.notice').textContent();
const text = (page: Page) => page.getByRole('textbox', { name: 'Text, as HTML' });

async function create(page: Page, html: string): Promise<void> {
  await page.goto(`${web.baseUrl}/my/notes/new`);
  await text(page).fill(html);
  await page.getByRole('button', { name: 'Create the note' }).click();
}

test('folders are made, renamed and deleted; a note is written into one, found, and outlives it', async (t) => {
  const page = await open(t, 'ana', '/my/notes', false);
  await page.getByLabel('Name of a new folder').fill(`Ideas ${hostile}`);
  await page.getByRole('button', { name: 'Add' }).click();
  t.is(await notice(page), 'Created.');
  await page.getByLabel('Name of a new folder').fill(`Ideas ${hostile}`);
  await page.getByRole('button', { name: 'Add' }).click();
  t.regex((await page.getByRole('alert').textContent())!, /already/);

  await page.getByRole('link', { name: `Ideas ${hostile}` }).click();
  await page.getByRole('link', { name: 'New note', exact: true }).click();
  await text(page).fill(`First line & more\nhas &lt;b&gt; in it`);
  await page.getByRole('button', { name: 'Create the note' }).click();
  t.is(await page.getByRole('heading', { level: 1 }).textContent(), 'First line & more');
  t.is(await page.locator('.note').innerText(), 'First line & more\nhas <b> in it');

  await page.goto(`${web.baseUrl}/my/notes?q=HAS+%3Cb`);
  t.is(await page.locator('.note-list li').count(), 1);
  await page.goto(`${web.baseUrl}/my/notes?q=%25`);
  t.is(await page.locator('.note-list li').count(), 0);
  await page.getByRole('link', { name: `Ideas ${hostile}` }).click();
  await page.getByText(`Folder Ideas ${hostile}`).click();
  await page.getByLabel('New name of the folder').fill('Plans');
  await page.getByRole('button', { name: 'Rename' }).click();
  t.true(await page.getByText('in Plans').isVisible());
  await page.getByText('Folder Plans').click();
  await page.getByRole('button', { name: 'Delete the folder' }).click();
  t.true(await page.getByText('Its notes stay, unfiled.').isVisible());
  await page.getByRole('button', { name: 'Yes, go on' }).click();
  t.is(await notice(page), 'Deleted.');
  t.is(await page.locator('.note-list li').count(), 1);
  t.is(await page.getByText('in Plans').count(), 0);
});

test('refused HTML says why and keeps the text', async (t) => {
  const page = await open(t, 'bo');
  await create(page, `<p>dear diary</p>${hostile}`);
  t.regex((await page.getByRole('alert').textContent())!, /Take <script> out of html/);
  t.is(await text(page).inputValue(), `<p>dear diary</p>${hostile}`);
  await text(page).fill(`<p>dear diary</p>&lt;script&gt;`);
  await page.getByRole('button', { name: 'Create the note' }).click();
  t.is(await notice(page), 'Created.');
  t.true((await page.locator('.note').innerText()).includes('<script>'));

  await page.getByText('Edit', { exact: true }).click();
  await text(page).fill('<p onclick="x()">changed</p>');
  await page.getByRole('button', { name: 'Save' }).click();
  t.regex((await page.getByRole('alert').textContent())!, /onclick/);
  t.is(await text(page).inputValue(), '<p onclick="x()">changed</p>');
});

test('a conflict shows both texts, and a text is kept when its note is gone', async (t) => {
  const page = await open(t, 'bo');
  await create(page, '<p>as it was</p>');
  const address = page.url().replace(/\?.*/, '');
  await page.getByText('Edit', { exact: true }).click();
  await text(page).fill('<p>mine</p>');
  await pool.query(`update personal_notes set html = '<p>an agent''s</p>', revision = revision + 1 where id = $1`, [
    address.split('/').at(-1),
  ]);
  await page.getByRole('button', { name: 'Save' }).click();
  t.is(await text(page).inputValue(), '<p>mine</p>');
  t.is(await page.getByLabel('Stored text, as HTML').textContent(), `<p>an agent's</p>`);
  await expectAccessible(t, page);
  await expectFitsPhone(t, page);
  await page.getByRole('button', { name: 'Save' }).click();
  t.is(await page.locator('.note').innerText(), 'mine');

  await page.getByText('Edit', { exact: true }).click();
  await text(page).fill('<p>not to be lost</p>');
  await pool.query('delete from personal_notes where id = $1', [address.split('/').at(-1)]);
  await page.getByRole('button', { name: 'Save' }).click();
  t.regex((await page.getByRole('alert').textContent())!, /save it as a new note/);
  t.is(await text(page).inputValue(), '<p>not to be lost</p>');
});

test('the toolbar wraps what is selected', async (t) => {
  const page = await open(t, 'cleo', '/my/notes/new');
  await text(page).fill('one\ntwo <3');
  await text(page).selectText();
  await page.getByRole('button', { name: 'Plain text to paragraphs' }).click();
  t.is(await text(page).inputValue(), '<p>one</p>\n<p>two &lt;3</p>');
  await expectAccessible(t, page);
  await expectFitsPhone(t, page);
  await page.getByRole('button', { name: 'Create the note' }).click();
  t.is(await page.getByRole('heading', { level: 1 }).textContent(), 'one');
});

test('attachments are uploaded, downloaded as downloads and deleted; more than 5 MiB is refused', async (t) => {
  const page = await open(t, 'cleo');
  await create(page, '<p>with files</p>');
  const choose = (name: string, buffer: Buffer) => page.getByLabel('Add a file').setInputFiles({ name, mimeType: 'text/html', buffer });
  const content = Buffer.from(`<h1>${hostile}</h1>`);
  await choose(`é "q" ${'x'.repeat(5)}.html`, content);
  await page.getByRole('button', { name: 'Upload' }).click();
  t.is(await notice(page), 'Saved.');
  const link = page.getByRole('link', { name: `é "q" xxxxx.html` });
  const answer = await page.request.get(new URL((await link.getAttribute('href'))!, web.baseUrl).href);
  t.deepEqual(await answer.body(), content);
  t.is(answer.headers()['content-disposition'], `attachment; filename*=UTF-8''%C3%A9%20%22q%22%20xxxxx.html`);
  t.is(answer.headers()['content-type'], 'application/octet-stream');
  t.is(answer.headers()['x-content-type-options'], 'nosniff');
  t.regex(answer.headers()['content-security-policy']!, /default-src 'none'/);
  await expectAccessible(t, page);

  await choose('exact.bin', Buffer.alloc(5 * 1024 * 1024, 1));
  await page.getByRole('button', { name: 'Upload' }).click();
  t.is(await page.locator('ul .actions').count(), 2);
  const note = page.url().replace(/\?.*/, '');
  await choose('large.bin', Buffer.alloc(5 * 1024 * 1024 + 1));
  await page.getByRole('button', { name: 'Upload' }).click();
  t.regex((await page.getByRole('alert').textContent())!, /5 MiB/);

  await page.goto(note);
  await page.getByRole('button', { name: 'Delete exact.bin' }).click();
  await page.locator('dialog').getByRole('button', { name: 'Delete' }).click();
  t.is(await notice(page), 'Saved.');
  t.is(await page.locator('ul .actions').count(), 1);
});

test('a note is shown as it is, one level of headings down, and is nobody else’s', async (t) => {
  const page = await open(t, 'eve', `/my/notes/${refs.id('rich')}`);
  t.is(await page.locator('.note h2').innerText(), 'Plan');
  t.is(await page.locator('.note a').getAttribute('rel'), 'noopener noreferrer nofollow');
  t.is(await page.locator('.note td').getAttribute('colspan'), '2');
  await expectAccessible(t, page);
  await expectFitsPhone(t, page);
  await page.goto(`${web.baseUrl}/my/notes`);
  await expectAccessible(t, page);
  await expectFitsPhone(t, page);

  const other = await open(t, 'dan');
  const { rows } = await pool.query('select id from note_attachments where note_id = $1', [refs.id('rich')]);
  for (const path of ['', '/delete', `/files/${rows[0].id}`]) {
    t.is((await other.request.get(`${web.baseUrl}/my/notes/${refs.id('rich')}${path}`)).status(), 403);
  }
});

test('deleting asks first, without script too', async (t) => {
  const page = await open(t, 'dan', '/my/notes', false);
  await create(page, '<p>short-lived</p>');
  await page.getByRole('link', { name: 'Delete this note' }).click();
  t.is((await page.getByRole('heading', { level: 1 }).textContent())!, 'Delete this note?');
  await page.getByRole('link', { name: 'Keep it' }).click();
  await page.getByRole('link', { name: 'Delete this note' }).click();
  await page.getByRole('button', { name: 'Delete it for good' }).click();
  t.is(await notice(page), 'Deleted.');
  t.is(await page.locator('.note-list li').count(), 0);
});
