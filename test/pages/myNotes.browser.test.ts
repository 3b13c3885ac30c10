/** Personal notes in a browser: editing, autosave, unsaved drafts, dragging, dropped and pasted files, and encrypted notes.
 *  myNotes.db.test.ts and myProtected.db.test.ts cover the rest. */
import type { ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { expectAccessible, expectFitsPhone } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { suite } from '../support/suite.ts';
import { workPages } from '../support/workPages.ts';

const test = suite(import.meta.url);

const PASSPHRASE = 'blue whale over bremen';
const note = (ref: string, html: string) => ({ ref, user: 'ana', html });
const personalNotes = [
  note('typed', '<p>first</p>'),
  note('moved', '<p>as <strong>it</strong>\n was</p>'),
  note('kept', '<p>stored</p>'),
  note('filed', '<p>with files</p>'),
  note('dragged', '<p>to be filed</p>'),
  note('odd', '<h1>Odd<ul><li>list in a heading</li></ul></h1>'),
  note('tools', '<p>see it</p>'),
];
const work = workPages({}, { personalNotes, noteFolders: [{ user: 'ana', name: 'Ideas' }] });

const open = (t: ExecutionContext, path: string) => work.open(t, `${work.web.baseUrl}/my/notes/${path}`);
const openNote = (t: ExecutionContext, ref: string) => open(t, String(work.refs.id(ref)));
const text = (page: Page) => page.getByRole('textbox', { name: 'Text', exact: true });
const state = (page: Page, said: RegExp) => page.locator('[data-state]').filter({ hasText: said }).waitFor();
/** Types at the caret, and waits for the save. */
async function write(page: Page, typed: string): Promise<void> {
  await page.keyboard.type(typed);
  await state(page, /^(Not saved yet|Saving)/);
  await state(page, /^Saved/);
}
/** Moves the caret. The editor learns of it in an event, which keys of a test could overtake. */
async function move(page: Page, key: string): Promise<void> {
  await page.keyboard.press(key);
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))');
}
/** Makes a paragraph of the block at the caret, and starts another one after it. */
async function leaveBlock(page: Page): Promise<void> {
  await move(page, 'Home');
  await page.keyboard.press('Backspace');
  await move(page, 'End');
  await page.keyboard.press('Enter');
}
/** The number of saves since: one for each pause, which on a busy machine may follow any key. */
function savesSince(page: Page): () => number {
  let saves = 0;
  page.on('response', (response) => {
    if (response.url().endsWith('/autosave') && response.ok()) saves++;
  });
  return () => saves;
}
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click();
/** Browsers type non-breaking spaces where plain ones would collapse. */
const stored = async (id: number) => {
  const row = (await work.rows('select * from personal_notes where id = $1', [id]))[0];
  return { ...row, html: row.html.replaceAll('\u00a0', ' ') };
};
/** Pastes something into the note, or drops it on it. */
const happens = (event: 'ClipboardEvent' | 'DragEvent', type: string, fill: string) => `{
  const data = new DataTransfer();
  ${fill};
  const given = { clipboardData: data, dataTransfer: data, bubbles: true, cancelable: true };
  document.querySelector('.ProseMirror').dispatchEvent(new ${event}('${type}', given));
}`;
const DRAFTS = 'Object.entries(localStorage).filter(([name]) => name.startsWith("stint-note/")).flat().join()';
const drafts = (page: Page) => page.evaluate(DRAFTS);
const nothingKept = async (t: ExecutionContext, page: Page) =>
  t.is(
    await eventually(
      () => drafts(page),
      (kept) => kept === '',
    ),
    '',
  );
const unsaved = (page: Page) => state(page, /^Not saved: no connection\. Your text is kept in this browser\./);

test('a note is written with Markdown shortcuts, keys and buttons, saved meanwhile, and its HTML is accepted', async (t) => {
  const page = await open(t, 'new');
  const { keyboard } = page;
  t.true(await text(page).evaluate((one) => one.matches(':focus')), 'one can begin at once');
  await keyboard.type('# Plan *for* all\nwith **bold words**, a `code` and ');
  await keyboard.press('Control+i');
  await keyboard.type('more');
  await keyboard.press('Control+i');
  await keyboard.type('.\n*last*\nplain');
  await keyboard.press('Shift+Enter');
  await keyboard.type('again\n- **one** x\ntwo <3\nthree');
  await leaveBlock(page);
  await keyboard.type('---\n> said\n\n1. first\n\nsee https://example.org/a ');
  await state(page, /^Saved/);
  const id = Number(/notes\/(\d+)$/.exec(page.url())![1]);
  const wanted =
    '<h1>Plan <i>for</i> all</h1><p>with <b>bold words</b>, a <code>code</code> and <i>more</i>.</p><p><i>last</i></p><p>plain<br>again</p><ul><li><b>one</b> x</li><li>two &lt;3</li></ul><p>three</p><hr><blockquote><p>said</p></blockquote>';
  t.true((await stored(id)).html.startsWith(wanted), (await stored(id)).html);
  t.regex((await stored(id)).html, /<ol><li>first<\/li><\/ol><p>see <a href="https:\/\/example.org\/a">https:\/\/example.org\/a<\/a>/);
  t.is(await page.getByRole('heading', { level: 1 }).first().textContent(), 'Plan for all');
  t.true(await page.locator('.note-list').getByRole('link', { name: 'Plan for all' }).isVisible(), 'the list has it');
  const { revision } = await stored(id);
  const saves = savesSince(page);
  await keyboard.press('Control+a');
  await press(page, 'Bold');
  t.is(await page.getByRole('button', { name: 'Bold' }).getAttribute('aria-pressed'), 'true');
  await press(page, 'Undo');
  await move(page, 'Control+End');
  await keyboard.type('later');
  await move(page, 'Control+Shift+ArrowLeft');
  await press(page, 'Link');
  await page.getByLabel('Link address').fill('example.org/b');
  await press(page, 'Set link');
  const linked = '<a href="https://example.org/b">later</a></p>';
  // The state may still be that of the save before.
  const { html: saved } = await eventually(
    () => stored(id),
    ({ html }) => html.endsWith(linked),
  );
  t.true(saved.endsWith(linked), saved);
  await state(page, /^Saved \d/);
  t.is((await stored(id)).revision, revision + saves());

  await page.reload();
  t.is(await text(page).locator('h1').innerText(), 'Plan for all');
  t.is(await page.locator('[data-state]').textContent(), '', 'opening a note changes nothing');
  await text(page).press('Control+Home');
  const html =
    '<p style="color:red" onclick="x()">From <span style="font-weight:700">elsewhere</span><img src=x onerror="x()"><script>x()</script></p>';
  await page.evaluate(happens('ClipboardEvent', 'paste', `data.setData('text/html', ${JSON.stringify(html)})`));
  await state(page, /^Saved \d/);
  t.regex((await stored(id)).html, /From <b>elsewhere<\/b>/);
  await nothingKept(t, page);
});

test.long('a note that the editor would change is edited as HTML, saved meanwhile, and opens in the editor once it can', async (t) => {
  const id = work.refs.id('odd');
  const page = await openNote(t, 'odd');
  await page.getByText('The editor cannot show all of this note').waitFor();
  const field = page.getByRole('textbox', { name: /^Text, as HTML/ });
  const html = await field.inputValue();
  t.is(html, '<h1>Odd<ul><li>list in a heading</li></ul></h1>');
  await field.fill(html.replace('in a', 'in the'));
  await state(page, /^Saved \d/);
  t.is((await stored(id)).html, html.replace('in a', 'in the'));
  await work.rows(`update personal_notes set html = '<h1>Even</h1>', revision = revision + 1 where id = $1`, [id]);
  await field.fill(html);
  await press(page, 'Use the saved version');
  t.is(await text(page).innerText(), 'Even');
  t.false(await field.isVisible());
});

test.long('keys and buttons make tables, lists and links, and Backspace leaves a block', async (t) => {
  const page = await openNote(t, 'tools');
  const { keyboard } = page;
  await text(page).press('Control+a');
  await keyboard.press('Control+Shift+L');
  await page.getByLabel('Link address').fill('no address');
  await keyboard.press('Enter');
  await page.getByRole('alert').filter({ hasText: 'Enter a full address' }).waitFor();
  await page.getByLabel('Link address').fill('ana@a.example');
  await keyboard.press('Enter');
  await state(page, /^Saved \d/);
  t.is((await stored(work.refs.id('tools'))).html, '<p><a href="mailto:ana@a.example">see it</a></p>');
  await move(page, 'ArrowRight');
  await move(page, 'ArrowLeft');
  await press(page, 'Link');
  t.is(await page.getByRole('link', { name: 'Open link' }).getAttribute('href'), 'mailto:ana@a.example');
  await press(page, 'Remove link');
  await move(page, 'Control+End');
  await keyboard.type('\n1) one\ntwo');
  await keyboard.press('Tab');
  await keyboard.press('Enter');
  await keyboard.press('Backspace');
  await keyboard.press('Backspace');
  await keyboard.type('## Heading');
  await leaveBlock(page);
  await keyboard.press('Control+u');
  await keyboard.type('under');
  await keyboard.press('Enter');
  await press(page, 'Insert table');
  await keyboard.type('head');
  await keyboard.press('Tab');
  await keyboard.press('Tab');
  await keyboard.type('- cell');
  // The pauses of a busy machine save parts before.
  const { html } = await eventually(
    () => stored(work.refs.id('tools')),
    (row) => row.html.includes('cell'),
  );
  t.is(
    html,
    '<p>see it</p><ol><li>one<ol><li>two</li></ol></li></ol><p>Heading</p><p><u>under</u></p><table><thead><tr><th>head</th><th></th></tr></thead><tbody><tr><td><ul><li>cell</li></ul></td><td></td></tr><tr><td></td><td></td></tr></tbody></table>',
  );
  await keyboard.press('Alt+F10');
  t.is(await page.evaluate('document.activeElement.getAttribute("aria-label")'), 'Text style');
  await keyboard.press('ArrowRight');
  t.is(await page.evaluate('document.activeElement.getAttribute("aria-label")'), 'Bold');
});

test("an undone edit changes nothing; another change meanwhile is shown next to the user's own text, and both can be kept", async (t) => {
  const id = work.refs.id('moved');
  const page = await openNote(t, 'moved');
  const before = await stored(id);
  await text(page).press('Control+End');
  await page.keyboard.type('!');
  await page.keyboard.press('Control+z');
  await press(page, 'Save');
  t.is(await page.locator('[data-state]').textContent(), '');
  t.like(await stored(id), { html: before.html, revision: before.revision });
  await work.rows(`update personal_notes set html = '<p>an agent’s</p>', revision = revision + 1 where id = $1`, [id]);
  await text(page).press('Control+End');
  await page.keyboard.type(' of old');
  await page.getByRole('alert').filter({ hasText: 'has changed since you opened it' }).waitFor();
  t.is(await page.getByRole('article', { name: 'Saved version' }).innerText(), 'an agent’s');
  t.is(await text(page).innerText(), 'as it was of old');
  await expectAccessible(t, page);
  await expectFitsPhone(t, page);
  await press(page, 'Combine both');
  await state(page, /^Saved \d/);
  t.regex((await stored(id)).html, /^<p>as <b>it<\/b> was of old<\/p><hr>(<p><br><\/p>)?<p>an agent’s<\/p>$/);
});

test('unsaved text is kept in the browser, readable only by its writer, offered again, and deleted once the server has it', async (t) => {
  const id = work.refs.id('kept');
  const page = await openNote(t, 'kept');
  await page.route('**/autosave', (route) => route.abort());
  await text(page).press('Control+End');
  await page.keyboard.type(' and more');
  await unsaved(page);
  t.notRegex(String(await drafts(page)), /and more/);
  await page.reload();
  t.is(await text(page).innerText(), 'stored');
  await page.unroute('**/autosave');
  await press(page, 'Restore');
  await state(page, /^Saved/);
  t.is((await stored(id)).html, '<p>stored and more</p>');
  await nothingKept(t, page);

  // The answer to a save is lost.
  await page.route('**/autosave', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await page.keyboard.type(', sent');
  await unsaved(page);
  await page.unroute('**/autosave');
  await press(page, 'Save');
  await state(page, /^Saved/);
  t.is((await stored(id)).html, '<p>stored and more, sent</p>');
  await nothingKept(t, page);

  // Text is typed while an earlier draft is offered.
  await page.route('**/autosave', (route) => route.abort());
  await text(page).press('Control+End');
  await page.keyboard.type(', earlier');
  await unsaved(page);
  // Otherwise the page would save the text while it closes, and the next save would conflict.
  await page.evaluate('window.fetch = () => new Promise(() => {}); 0');
  await page.reload();
  await page.getByRole('button', { name: 'Discard' }).waitFor();
  await text(page).press('Control+End');
  await page.keyboard.type(', later');
  await unsaved(page);
  await press(page, 'Discard');
  await page.unroute('**/autosave');
  await press(page, 'Save');
  await state(page, /^Saved/);
  t.is((await stored(id)).html, '<p>stored and more, sent, later</p>');
  await nothingKept(t, page);

  await page.context().clearCookies();
  await text(page).press('Control+End');
  await page.keyboard.type('!');
  await state(page, /^Not saved: you are signed out\. Your text is kept in this browser\. Sign in again/);
});

test.long('files are dropped and pasted, a note is dragged into a folder, and neither loses typed text', async (t) => {
  const page = await openNote(t, 'filed');
  // Other tests lengthen the list. `dragTo` scrolls to the folder after pressing the button, and would then drag the row that came there.
  await page.setViewportSize({ width: 1280, height: 2_400 });
  await text(page).press('Control+End');
  await page.keyboard.type(', typed');
  const files = `data.items.add(new File(['words'], 'a.txt')); data.items.add(new File([new Uint8Array(${5 * 1024 * 1024 + 1})], 'large.bin'))`;
  await page.evaluate(happens('DragEvent', 'drop', files));
  await page.getByRole('link', { name: 'a.txt' }).waitFor();
  await page.getByRole('alert').filter({ hasText: 'large.bin was not attached: a file has at most 5 MiB.' }).waitFor();
  await page.evaluate(happens('ClipboardEvent', 'paste', `data.items.add(new File(['png'], 'image.png', { type: 'image/png' }))`));
  await page.getByRole('link', { name: /^Pasted \d.*\.png$/ }).waitFor();
  await state(page, /^Saved/);
  t.is((await stored(work.refs.id('filed'))).html, '<p>with files, typed</p>');

  await page.keyboard.type(', on');
  const intoFolder = async (ref: string) => {
    const row = page.locator(`li[data-note="${work.refs.id(ref)}"]`);
    await row.dragTo(page.getByRole('link', { name: /^Ideas/ }));
    await row.getByText('in Ideas').waitFor();
  };
  await intoFolder('filed');
  t.is(await page.getByRole('combobox', { name: 'Folder' }).inputValue(), String((await stored(work.refs.id('filed'))).folder_id));
  await intoFolder('dragged');
  await text(page).press('Control+End');
  await write(page, ' and on');
  t.is((await stored(work.refs.id('filed'))).html, '<p>with files, typed, on and on</p>');
  t.truthy((await stored(work.refs.id('filed'))).folder_id);
});

test('an encrypted note is saved as ciphertext while typing and opened again, and the server never gets its text', async (t) => {
  const page = await open(t, 'new-encrypted');
  const sent: string[] = [];
  page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`));
  const { keyboard } = page;
  await text(page).focus();
  await keyboard.type('# Diary');
  await keyboard.press('Enter');
  await keyboard.type('Größenwahn 🐋 <script>document.title="broken"</script>');
  await page.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE);
  await page.getByLabel('Confirm passphrase').fill('something else');
  await press(page, 'Encrypt and save');
  t.regex((await page.getByRole('alert').textContent())!, /do not match/);
  await page.getByLabel('Confirm passphrase').fill(PASSPHRASE);
  await press(page, 'Encrypt and save');
  await page.getByText('Created.').waitFor();
  const id = Number(/notes\/(\d+)/.exec(page.url())![1]);

  await page.getByLabel('Passphrase').fill('a wrong passphrase');
  await press(page, 'Open');
  await page.getByRole('alert').filter({ hasText: 'passphrase is not correct' }).waitFor();
  await page.getByLabel('Passphrase').fill(PASSPHRASE);
  await press(page, 'Open');
  await text(page).waitFor();
  t.is(await text(page).locator('h1').innerText(), 'Diary');
  t.regex(await text(page).innerText(), /Größenwahn 🐋 <script>/);
  t.is(await page.title(), 'Encrypted note · Stint');

  await text(page).press('Control+End');
  await page.route('**/autosave', (route) => route.abort());
  await keyboard.type(' second thoughts');
  await unsaved(page);
  const kept = String(await drafts(page));
  await page.unroute('**/autosave');
  await press(page, 'Encrypt and save');
  await state(page, /^Saved \d/);
  const row = await stored(id);
  t.like(row, { protection: 'encrypted', html: '', title: '', text: '' });
  t.is(JSON.parse(row.cipher).iterations, 600_000);

  // As another tab would leave it: the first text at another revision.
  await work.rows('update personal_notes set revision = revision + 1 where id = $1', [id]);
  await text(page).press('Control+End');
  const saves = savesSince(page);
  await write(page, ' third');
  t.is((await stored(id)).revision, row.revision + 1 + saves(), 'the text was the same: that is no conflict');
  const everything = JSON.stringify(row) + kept + sent.join('\n');
  for (const secret of ['Diary', 'wahn', 'thoughts', 'bremen', encodeURIComponent('second thoughts')])
    t.false(everything.includes(secret), secret);

  await press(page, 'Remove encryption');
  await page.getByText('Saved.', { exact: true }).waitFor();
  t.like(await stored(id), { protection: 'none', title: 'Diary', cipher: null });
  t.regex((await stored(id)).html, /second thoughts third/);
});

test.long('encrypting an existing note includes the typed text, and a conflict shows both texts', async (t) => {
  const id = work.refs.id('typed');
  const page = await openNote(t, 'typed');
  await text(page).press('Control+End');
  await page.keyboard.type(', now secret');
  await page.getByText('Encrypt', { exact: true }).first().click();
  await page.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE);
  await page.getByLabel('Confirm passphrase').fill(PASSPHRASE);
  await press(page, 'Encrypt');
  await page.getByRole('heading', { name: 'Encrypted note' }).waitFor();
  const first = await stored(id);
  t.like(first, { protection: 'encrypted', html: '', title: '', text: '' });
  await page.getByLabel('Passphrase').fill(PASSPHRASE);
  await press(page, 'Open');
  await text(page).press('Control+End');
  const saves = savesSince(page);
  await write(page, '!');
  await work.rows('update personal_notes set cipher = $2, revision = revision + 1 where id = $1', [id, first.cipher]);
  await page.keyboard.type('!');
  await page.getByRole('article', { name: 'Saved version' }).waitFor();
  t.is(await page.getByRole('article', { name: 'Saved version' }).innerText(), 'first, now secret');
  await press(page, 'Keep my version');
  await state(page, /^Saved \d/);
  t.is((await stored(id)).revision, first.revision + 1 + saves());
});
