/** Locked and encrypted notes in a real browser: what opens them, and what the database and agents ever get to see. */
import { randomBytes, webcrypto } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import pg from 'pg';
import type { Page } from 'playwright-core';
import type { ImportInput } from '../../src/import/schema.ts';
import { expectAccessible, expectFitsPhone, fileBrowser } from '../support/browser.ts';
import { stintHere } from '../support/cli.ts';
import { fileDatabase } from '../support/database.ts';
import { PASSWORD } from '../support/password.ts';
import { openAs, workspaceOfPeople } from '../support/people.ts';
import { startWeb, type Web, type WorldRefs, world } from '../support/world.ts';

const PASSPHRASE = 'blue whale over bremen';
const database = fileDatabase();
const browser = fileBrowser();
let web: Web;
let refs: WorldRefs;
let pool: pg.Pool;

const people = ['ana', 'bo', 'cleo', 'dan', 'emil'];

test.serial.before('people with a note each', async () => {
  const file = workspaceOfPeople(
    people,
    {},
    {
      personalNotes: [
        { ref: 'secret', user: 'ana', html: '<p>the cake recipe</p>', attachments: [{ name: 'cake.txt', text: 'flour' }] },
        { ref: 'plain', user: 'bo', html: '<p>not yet secret</p>' },
        { ref: 'foreign', user: 'cleo', html: '<p>whatever another program stored</p>', protection: 'encrypted' },
      ],
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

const shown = (page: Page) => page.locator('.note').innerText();
const heading = (page: Page) => page.getByRole('heading', { level: 1 }).textContent();
const stored = async (id: number) => (await pool.query('select * from personal_notes where id = $1', [id])).rows[0];

async function agentsNotes(): Promise<string> {
  const answer = await fetch(`${web.baseUrl}/mcp`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      Authorization: `Bearer ${refs.key('c1')}`,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'svc_personal_notes_list', arguments: {} },
    }),
  });
  return answer.text();
}

test('a locked note opens with the password alone, each time anew, and not to agents', async (t) => {
  t.regex(await agentsNotes(), /cake recipe/);
  const address = `/my/notes/${refs.id('secret')}`;
  const page = await open(t, 'ana', address, false);
  await page.getByRole('button', { name: 'Lock' }).click();
  t.is(await heading(page), 'Locked note');
  t.false((await page.content()).includes('cake'));
  t.notRegex(await agentsNotes(), /cake/);
  const { rows } = await pool.query('select id from note_attachments');
  t.is((await page.request.get(`${web.baseUrl}${address}/files/${rows[0].id}`)).status(), 403);
  await page.goto(`${web.baseUrl}/my/notes`);
  t.true(await page.getByRole('link', { name: 'Locked note' }).isVisible());
  t.false((await page.content()).includes('cake'), 'its first line is locked, too');

  await page.goto(web.baseUrl + address);
  await page.getByLabel('password').fill('not my password');
  await page.getByRole('button', { name: 'Open' }).click();
  t.regex((await page.getByRole('alert').textContent())!, /not the password/);
  t.false((await page.content()).includes('cake'));
  await page.getByLabel('password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Open' }).click();
  t.is(await shown(page), 'the cake recipe');

  await page.getByText('Edit', { exact: true }).click();
  await page.getByLabel('Text, as HTML').fill('<p>the bread recipe</p>');
  await page.getByRole('button', { name: 'Save' }).click();
  t.is(await shown(page), 'the bread recipe');
  t.is((await stored(refs.id('secret'))).protection, 'locked');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'cake.txt', exact: true }).click(),
  ]);
  t.is(download.suggestedFilename(), 'cake.txt');
  await page.getByLabel('Add a file').setInputFiles({ name: 'b.txt', mimeType: 'text/plain', buffer: Buffer.from('b') });
  await page.getByRole('button', { name: 'Upload' }).click();
  t.true(await page.getByRole('button', { name: 'b.txt', exact: true }).isVisible());

  await page.goto(web.baseUrl + address);
  t.is(await heading(page), 'Locked note', 'it is closed again by leaving the page');
});

test('unlocking asks for the password, and brings the note back to everybody it was for', async (t) => {
  const page = await open(t, 'dan');
  await page.goto(`${web.baseUrl}/my/notes/new`);
  await page.getByLabel('Text, as HTML').fill('<p>under lock</p>');
  await page.getByRole('button', { name: 'Create the note' }).click();
  await page.getByRole('button', { name: 'Lock' }).click();
  await expectAccessible(t, page);
  await expectFitsPhone(t, page);
  await page.getByLabel('password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Open' }).click();
  await expectAccessible(t, page);
  await expectFitsPhone(t, page);
  await page.getByLabel('password').fill('wrong');
  await page.getByRole('button', { name: 'Unlock' }).click();
  t.regex((await page.getByRole('alert').textContent())!, /not the password/);
  t.is(await shown(page), 'under lock', 'it is still open, and still locked');
  await page.getByLabel('password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Unlock' }).click();
  t.is(await page.locator('.notice').textContent(), 'Saved.');
  await page.reload();
  t.is(await shown(page), 'under lock');

  await page.getByRole('button', { name: 'Lock' }).click();
  await page.getByRole('link', { name: 'Delete this note' }).click();
  await page.getByLabel('password').fill('wrong');
  await page.getByRole('button', { name: 'Delete it for good' }).click();
  t.regex((await page.getByRole('alert').textContent())!, /not the password/);
  await page.getByLabel('password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Delete it for good' }).click();
  t.is(await page.locator('.notice').textContent(), 'Deleted.');
});

test('an encrypted note goes round without the server ever getting its text', async (t) => {
  const page = await open(t, 'bo', '/my/notes/new-encrypted');
  const sent: string[] = [];
  page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`));
  const html = '<h1>Diary</h1><p>Größenwahn 🐋</p><script>document.title="broken"</script><img src="x" onerror="alert(1)">';
  await page.getByLabel('Text, as HTML').fill(html);
  await page.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE);
  await page.getByLabel('Passphrase again').fill('something else');
  await page.getByRole('button', { name: 'Encrypt and save' }).click();
  t.regex((await page.getByRole('alert').textContent())!, /differ/);
  await page.getByLabel('Passphrase again').fill(PASSPHRASE);
  await expectAccessible(t, page);
  await expectFitsPhone(t, page);
  await page.getByRole('button', { name: 'Encrypt and save' }).click();
  await page.getByText('Created.').waitFor();

  await page.getByLabel('Passphrase').fill('a wrong passphrase');
  await page.getByRole('button', { name: 'Open' }).click();
  t.regex((await page.getByRole('alert').textContent())!, /not the passphrase/);
  await page.getByLabel('Passphrase').fill(PASSPHRASE);
  await page.getByRole('button', { name: 'Open' }).click();
  await page.locator('.note h2').waitFor();
  t.is(await shown(page), 'Diary\n\nGrößenwahn 🐋');
  t.is(await page.locator('.note script, .note img').count(), 0);
  t.is(await page.title(), 'Encrypted note · Stint');
  await expectAccessible(t, page);
  await expectFitsPhone(t, page);

  await page.getByText('Edit', { exact: true }).click();
  t.is(await page.getByLabel('Text, as HTML').inputValue(), html);
  await page.getByLabel('Text, as HTML').fill('<p>second thoughts</p>');
  await page.getByRole('button', { name: 'Encrypt and save' }).click();
  await page.getByText('Saved.').waitFor();
  await page.getByLabel('Passphrase').fill(PASSPHRASE);
  await page.getByRole('button', { name: 'Open' }).click();
  await page.getByText('second thoughts').first().waitFor();

  const id = Number(/notes\/(\d+)/.exec(page.url())![1]);
  const row = await stored(id);
  t.like(row, { protection: 'encrypted', html: '', title: '', text: '' });
  const everything = JSON.stringify(row) + sent.join('\n');
  for (const secret of ['Diary', 'wahn', 'thoughts', 'bremen', encodeURIComponent('second thoughts')]) {
    t.false(everything.includes(secret), secret);
  }
  t.is(JSON.parse(row.cipher).iterations, 600_000);
});

test('a note is encrypted later, meets a conflict without loss, and is decrypted for good', async (t) => {
  const id = refs.id('plain');
  const page = await open(t, 'bo', `/my/notes/${id}`);
  await page.getByText('Encrypt', { exact: true }).first().click();
  await page.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE);
  await page.getByLabel('Passphrase again').fill(PASSPHRASE);
  await page.getByRole('button', { name: 'Encrypt' }).click();
  await page.getByRole('heading', { name: 'Encrypted note' }).waitFor();
  t.like(await stored(id), { protection: 'encrypted', html: '', title: '', text: '' });

  const openIt = async () => {
    await page.getByLabel('Passphrase').fill(PASSPHRASE);
    await page.getByRole('button', { name: 'Open' }).click();
    await page.locator('.note p').waitFor();
  };
  await openIt();
  await page.getByText('Edit', { exact: true }).click();
  await page.getByLabel('Text, as HTML').fill('<p>mine</p>');
  await pool.query('update personal_notes set revision = revision + 1 where id = $1', [id]);
  await page.getByRole('button', { name: 'Encrypt and save' }).click();
  await page.getByRole('heading', { name: 'The note has changed meanwhile' }).waitFor();
  await openIt();
  t.is(await shown(page), 'not yet secret');
  t.is(await page.getByLabel('Text, as HTML').inputValue(), '<p>mine</p>');
  await page.getByRole('button', { name: 'Encrypt and save' }).click();
  await page.getByText('Saved.').waitFor();

  await openIt();
  t.is(await shown(page), 'mine');
  await page.getByText('Edit', { exact: true }).click();
  await page.getByLabel('Text, as HTML').fill('<p>"mine",\n& readable</p>');
  await pool.query('update personal_notes set revision = revision + 1 where id = $1', [id]);
  await page.getByRole('button', { name: 'Remove the encryption' }).click();
  await page.getByRole('heading', { name: 'The note has changed meanwhile' }).waitFor();
  await openIt();
  t.is(await shown(page), 'mine');
  t.is(await page.getByLabel('Text, as HTML').inputValue(), '<p>"mine",\n& readable</p>');
  await page.getByLabel('Text, as HTML').fill('<p>mine</p>');
  await page.getByRole('button', { name: 'Remove the encryption' }).click();
  await page.getByText('Saved.').waitFor();
  t.like(await stored(id), { protection: 'none', html: '<p>mine</p>', title: 'mine', cipher: null });
});

const base64 = (bytes: Uint8Array | ArrayBuffer) => Buffer.from(bytes as Uint8Array).toString('base64');

/** As browsers made them before ciphertexts were bound to their notes. */
async function unbound(text: string): Promise<string> {
  const [salt, iv, iterations] = [randomBytes(16), randomBytes(12), 600_000];
  const material = await webcrypto.subtle.importKey('raw', Buffer.from(PASSPHRASE), 'PBKDF2', false, ['deriveKey']);
  const how = { name: 'PBKDF2', hash: 'SHA-256', salt, iterations };
  const key = await webcrypto.subtle.deriveKey(how, material, { name: 'AES-GCM', length: 256 }, false, ['encrypt']);
  const data = await webcrypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, Buffer.from(text));
  return JSON.stringify({ v: 1, kdf: 'PBKDF2-SHA256', iterations, salt: base64(salt), iv: base64(iv), data: base64(data) });
}

async function newNote(page: Page, text: string): Promise<number> {
  await page.goto(`${web.baseUrl}/my/notes/new-encrypted`);
  await page.getByLabel('Text, as HTML').fill(`<p>${text}</p>`);
  await page.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE);
  await page.getByLabel('Passphrase again').fill(PASSPHRASE);
  await page.getByRole('button', { name: 'Encrypt and save' }).click();
  await page.getByText('Created.').waitFor();
  return Number(/notes\/(\d+)/.exec(page.url())![1]);
}

/** What the note says, or why it doesn't open. */
async function told(page: Page, id: number): Promise<string> {
  await page.goto(`${web.baseUrl}/my/notes/${id}`);
  await page.getByLabel('Passphrase').fill(PASSPHRASE);
  await page.getByRole('button', { name: 'Open' }).click();
  await page.locator('.note p, [data-problem]:not([hidden])').first().waitFor();
  return page.locator('.note p, [data-problem]:not([hidden])').first().innerText();
}

async function saveOpened(page: Page, text: string): Promise<void> {
  await page.getByText('Edit', { exact: true }).click();
  await page.getByLabel('Text, as HTML').fill(`<p>${text}</p>`);
  await page.getByRole('button', { name: 'Encrypt and save' }).click();
  await page.getByText('Saved.').waitFor();
}

const put = (id: number, cipher: string) => pool.query('update personal_notes set cipher = $2 where id = $1', [id, cipher]);
const cipherOf = async (id: number): Promise<string> => (await stored(id)).cipher;

test('an encrypted note opens as itself alone; one from before that opens, and is bound to its place when it is saved', async (t) => {
  const page = await open(t, 'emil');
  const [one, other] = [await newNote(page, 'one'), await newNote(page, 'other')];
  t.is(await told(page, one), 'one');
  const ofOne = await cipherOf(one);
  t.is(JSON.parse(ofOne).v, 2);
  await put(other, ofOne);
  t.regex(await told(page, other), /not the passphrase.*another note/);
  await put(other, JSON.stringify({ ...JSON.parse(ofOne), v: 1 }));
  t.regex(await told(page, other), /not the passphrase/, 'calling it an old one does not help');

  await put(other, await unbound('<p>from long ago</p>'));
  t.is(await told(page, other), 'from long ago');
  await saveOpened(page, 'from today');
  t.is(JSON.parse(await cipherOf(other)).v, 2);
  t.is(await told(page, other), 'from today');
});

test('ids of new encrypted notes are the service’s to choose', async (t) => {
  const page = await open(t, 'emil', '/my/notes/new-encrypted');
  const sent: Record<string, string> = {};
  for (const field of await page.locator('form[data-encrypt] input[type=hidden]').all())
    sent[(await field.getAttribute('name'))!] = await field.inputValue();
  const cipher = JSON.stringify({ ...JSON.parse(await unbound('x')), v: 2 });
  const id = String(Number(sent.id) + 1000);
  const answer = await page.request.post(`${web.baseUrl}/my/notes/new-encrypted`, {
    form: { ...sent, cipher, id, folderId: '0' },
    headers: { Origin: new URL(web.baseUrl).origin },
  });
  t.is(answer.status(), 400);
  t.is(await stored(Number(id)), undefined);
});

test('an encrypted note opens after export and import, and is bound to its new place when it is saved', async (t) => {
  const page = await open(t, 'emil');
  const id = await newNote(page, 'on the move');
  const exported = await stintHere(database.url, ['export', '--account', '1']);
  t.is(exported.code, 0, exported.stderr);
  const file: ImportInput = JSON.parse(exported.stdout);
  const note = file.accounts[0]!.personalNotes!.find(({ ref }) => ref === `note-${id}`)!;
  t.deepEqual(JSON.parse(note.cipher!).origin, { user: refs.id('emil'), note: id });

  const { email } = file.accounts[0]!.users!.find(({ ref }) => ref === note.user)!;
  const existing = { id: 1, users: [{ ref: 'emil', email }] };
  const added = { accounts: [{ existing, personalNotes: [{ ...note, user: 'emil', ref: 'moved' }] }] };
  const imported = await stintHere(database.url, ['import', '-', '--json'], JSON.stringify(added));
  t.is(imported.code, 0, imported.stderr);
  const moved: number = JSON.parse(imported.stdout).refs.moved.id;
  t.not(moved, id);
  t.is(await told(page, moved), 'on the move');
  await saveOpened(page, 'at home');
  t.false('origin' in JSON.parse(await cipherOf(moved)));
  t.is(await told(page, moved), 'at home');
});

test('encryption that somebody else removed meanwhile costs no text either', async (t) => {
  const page = await open(t, 'dan', '/my/notes/new-encrypted');
  await page.getByLabel('Text, as HTML').fill('<p>first</p>');
  await page.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE);
  await page.getByLabel('Passphrase again').fill(PASSPHRASE);
  await page.getByRole('button', { name: 'Encrypt and save' }).click();
  await page.getByText('Created.').waitFor();
  const id = Number(/notes\/(\d+)/.exec(page.url())![1]);
  const openIt = async () => {
    await page.goto(`${web.baseUrl}/my/notes/${id}`);
    await page.getByLabel('Passphrase').fill(PASSPHRASE);
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByText('Edit', { exact: true }).click();
    await page.getByLabel('Text, as HTML').fill('<p>second</p>');
  };
  await openIt();
  await pool.query(
    `update personal_notes set revision = revision + 1, protection = 'none', cipher = null, html = '<p>theirs</p>' where id = $1`,
    [id],
  );
  await page.getByRole('button', { name: 'Remove the encryption' }).click();
  await page.getByRole('heading', { name: 'The note has changed meanwhile' }).waitFor();
  t.is(await page.getByRole('textbox', { name: 'Text, as HTML' }).inputValue(), '<p>second</p>');
  t.true(await page.getByText('<p>theirs</p>').isVisible());
  await expectAccessible(t, page);
});

test('without script an encrypted note says what it needs, and nothing typed can be sent', async (t) => {
  const page = await open(t, 'cleo', '/my/notes/new-encrypted', false);
  t.true(await page.getByText('This needs JavaScript').isVisible());
  t.true(await page.getByRole('button', { name: 'Encrypt and save' }).isDisabled());
  t.is(await page.locator('textarea[name], input[type=password][name]').count(), 0);
  await page.goto(`${web.baseUrl}/my/notes/${refs.id('foreign')}`);
  t.true(await page.getByText('needs JavaScript').isVisible());
});

test('what another program encrypted is left alone, and readable text is no ciphertext', async (t) => {
  const page = await open(t, 'cleo', `/my/notes/${refs.id('foreign')}`);
  await page.getByLabel('Passphrase').fill(PASSPHRASE);
  await page.getByRole('button', { name: 'Open' }).click();
  t.regex((await page.getByRole('alert').textContent())!, /another program/);
  const csrf = await page.locator('input[name=_csrf]').first().inputValue();
  const answer = await page.request.post(`${web.baseUrl}/my/notes/new-encrypted`, {
    form: { _csrf: csrf, cipher: '<p>readable</p>', folderId: '0' },
    headers: { Origin: new URL(web.baseUrl).origin },
  });
  t.is(answer.status(), 400);
  t.is((await pool.query(`select from personal_notes where user_id = $1`, [refs.id('cleo')])).rowCount, 1);
});
