/** Locked and encrypted notes: opening them, and what the database and agents get. myNotes.browser.test.ts covers the browser,
 *  notes/cipher.unit.test.ts the encryption. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { ImportInput } from '../../src/import/schema.ts';
import { decrypt, encrypt } from '../../src/pages/static/js/notesCipher.ts';
import { stintHere } from '../support/cli.ts';
import { fileDatabase } from '../support/database.ts';
import { PASSWORD } from '../support/password.ts';
import { workspaceOfPeople } from '../support/people.ts';
import { suite } from '../support/suite.ts';
import { signedIn, type Visitor } from '../support/visitor.ts';
import { startWeb, type Web, type WorldRefs, world } from '../support/world.ts';

const test = suite(import.meta.url);

const PASSPHRASE = 'blue whale over bremen';
const database = fileDatabase();
let web: Web;
let refs: WorldRefs;
let pool: pg.Pool;
let ana: Visitor;

test.before('a user with notes', async () => {
  const note = (ref: string, html: string, more = {}) => ({ ref, user: 'ana', html, ...more });
  const personalNotes = [
    note('secret', '<p>the cake recipe</p>', { attachments: [{ name: 'cake.txt', text: 'flour' }] }),
    note('lock', '<p>under lock</p>'),
    note('plain', '<p>not yet secret</p>'),
    note('foreign', '<p>whatever another program stored</p>', { protection: 'encrypted' }),
  ];
  refs = await world(database.url, workspaceOfPeople(['ana'], {}, { personalNotes }));
  web = await startWeb(database.url);
  pool = new pg.Pool({ connectionString: database.url, max: 2 });
  pool.on('error', () => {});
  ana = await signedIn(web.baseUrl, 'ana@acme.example');
});
test.after('stop', async () => {
  await web?.stop();
  await pool?.end();
});

const at = (ref: string) => `/my/notes/${refs.id(ref)}`;
const h1 = () => /<h1>(.*?)<\/h1>/.exec(ana.at.html)![1];
const shown = () => /<article class="note prose"[^>]*>(.*?)<\/article>/.exec(ana.at.html)?.[1];
const stored = async (id: number) => (await pool.query('select * from personal_notes where id = $1', [id])).rows[0];
const origin = () => ({ Origin: new URL(web.baseUrl).origin });

async function agentsNotes(): Promise<string> {
  const answer = await fetch(`${web.baseUrl}/mcp`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      Authorization: `Bearer ${refs.key('c1')}`,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'svc_personal_notes_list', arguments: {} } }),
  });
  return answer.text();
}

/** Autosaves as the editor's script does, on the current page. */
async function autosave(ref: string, values: Record<string, string>): Promise<Record<string, string>> {
  const { fields } = ana.form(at(ref));
  const body = new URLSearchParams([...fields].filter(([name]) => name !== '_once'));
  for (const [name, value] of Object.entries(values)) body.set(name, value);
  const answer = await ana.request(`${at(ref)}/autosave`, { method: 'POST', body, headers: origin() });
  return (await answer.json()) as Record<string, string>;
}

test('a locked note opens only with the password, asked each time, and never for agents', async (t) => {
  t.regex(await agentsNotes(), /cake recipe/);
  await ana.go(at('secret'));
  const file = /\/files\/\d+(?=")/.exec(ana.at.html)![0];
  await ana.send('/lock');
  t.is(h1(), 'Locked note');
  t.notRegex(ana.at.html, /cake/);
  t.notRegex(await agentsNotes(), /cake/);
  t.is((await ana.request(at('secret') + file)).status, 403);
  await ana.go('/my/notes');
  t.regex(ana.at.html, /Locked note<\/a>/);
  t.notRegex(ana.at.html, /cake/, 'its first line is locked, too');

  await ana.go(at('secret'));
  await ana.send('/open', { password: 'not my password' });
  t.regex(ana.at.text, /password is not correct/);
  t.notRegex(ana.at.html, /cake/);
  await ana.send('/open', { password: PASSWORD });
  t.is(shown(), '<p>the cake recipe</p>');
  t.notRegex(ana.at.html, /data-drafts/, 'nothing of it may be kept in a browser');

  await ana.send(at('secret'), { html: '<p>the bread recipe</p>' });
  t.is(shown(), '<p>the bread recipe</p>');
  t.is((await stored(refs.id('secret'))).protection, 'locked');
  const saved = await autosave('secret', { html: '<p>bread and cake</p>' });
  t.is((await stored(refs.id('secret'))).html, '<p>bread and cake</p>');
  t.deepEqual(await autosave('secret', { revision: '1', html: '<p>x</p>' }), { gone: true }, 'not from a page that was not opened');
  const again = await autosave('secret', { revision: String(saved.revision), opened: saved.opened!, html: '<p>bread</p>' });
  t.truthy(again.opened, 'it stays open in the editor');
  const stale = await autosave('secret', { html: '<p>stale</p>' });
  t.like(stale.stored, { html: '<p>bread</p>', folderId: 0, opened: again.opened });

  await ana.go(at('secret'));
  await ana.send('/open', { password: PASSWORD });
  const download = ana.form(file);
  const body = await ana.request(download.path, { method: 'POST', body: download.fields, headers: origin() });
  t.is(await body.text(), 'flour');
  t.regex(body.headers.get('content-disposition')!, /cake\.txt/);
  const revise = (by: number) => pool.query('update personal_notes set revision = revision + $2 where id = $1', [refs.id('secret'), by]);
  await revise(1);
  const late = await ana.request(download.path, { method: 'POST', body: download.fields, headers: origin() });
  t.is(late.status, 403, 'the note was opened at an earlier revision');
  await revise(-1);
  const { path, fields } = ana.form('/files');
  const upload = new FormData();
  for (const [key, value] of fields) if (key !== 'file') upload.set(key, value);
  upload.set('file', new Blob(['b']), 'b.txt');
  await ana.go(path, { method: 'POST', body: upload, headers: origin() });
  t.regex(ana.at.html, /b\.txt<\/button>/);
  t.is(shown(), '<p>bread</p>', 'it is still open');
  await ana.go(at('secret'));
  t.is(h1(), 'Locked note', 'it is closed again by leaving the page');
});

test('unlocking asks for the password and restores access to the note; deleting asks for it, too', async (t) => {
  await ana.go(at('lock'));
  await ana.send('/lock');
  await ana.send('/open', { password: PASSWORD });
  await ana.send('/unlock', { password: 'wrong' });
  t.regex(ana.at.text, /password is not correct/);
  t.is(shown(), '<p>under lock</p>', 'it is still open, and still locked');
  await pool.query(`update personal_notes set html = '<p>written since</p>', revision = revision + 1 where id = $1`, [refs.id('lock')]);
  await ana.send('/unlock', { password: 'wrong' });
  t.regex(ana.at.text, /password is not correct/);
  t.is(h1(), 'Locked note');
  t.notRegex(ana.at.html, /written since|name="opened"/, 'an older form does not open it');
  await pool.query(`update personal_notes set html = '<p>under lock</p>' where id = $1`, [refs.id('lock')]);
  await ana.send('/open', { password: PASSWORD });
  await ana.send('/unlock', { password: PASSWORD });
  t.regex(ana.at.text, /Saved\./);
  await ana.go(at('lock'));
  t.is(shown(), '<p>under lock</p>');
  t.regex(await agentsNotes(), /under lock/);

  await ana.send('/lock');
  await ana.go(`${at('lock')}/delete`);
  await ana.send('/delete', { password: 'wrong' });
  t.regex(ana.at.text, /password is not correct/);
  await ana.send('/delete', { password: PASSWORD });
  t.regex(ana.at.text, /Deleted\./);
});

const bound = (ref: string) => ({ user: String(refs.id('ana')), note: String(refs.id(ref)) });

test('encryption stores only ciphertext, a conflict shows the stored note, and decryption keeps the text', async (t) => {
  const id = refs.id('plain');
  const cipher = await encrypt!('<p>not yet secret</p>', PASSPHRASE, bound('plain'));
  await ana.go(at('plain'));
  await ana.send('/encrypt', { cipher });
  t.is(h1(), 'Encrypted note');
  t.like(await stored(id), { protection: 'encrypted', html: '', title: '', text: '', cipher });
  t.deepEqual(Object.keys(Object.fromEntries(ana.form('/encrypt').fields)), ['_csrf', 'revision', 'cipher', 'folderId']);

  const { fields } = ana.form('/encrypt');
  const save = async (values: Record<string, string>) => {
    const body = new URLSearchParams(
      [...fields, ...Object.entries(values)].filter(([name], at, all) => all.findLastIndex(([other]) => other === name) === at),
    );
    const answer = await ana.request(`${at('plain')}/autosave`, { method: 'POST', body, headers: origin() });
    return { status: answer.status, ...((await answer.json()) as object) };
  };
  t.like(await save({ cipher }), { status: 200, revision: 3 });
  t.deepEqual(await save({ cipher }), { status: 409, stored: { cipher, revision: 3, folderId: 0 } });
  t.like(await save({ revision: '3', cipher: '<p>readable</p>' }), { status: 400 });

  await ana.go(at('plain'));
  await pool.query('update personal_notes set revision = revision + 1 where id = $1', [id]);
  await ana.send('/decrypt', { html: '<p>"mine",\n& readable</p>' });
  t.is(h1(), 'The note has changed');
  t.true(ana.at.html.includes('data-mine-html="&lt;p&gt;&quot;mine&quot;,\n&amp; readable&lt;/p&gt;"'));
  await ana.send('/decrypt', { html: '<p>a <img></p>' });
  t.regex(ana.at.text, /Remove <img> from html/);
  t.like(await stored(id), { protection: 'encrypted', html: '' });

  // Another session decrypts it meanwhile.
  await pool.query(
    `update personal_notes set revision = revision + 1, protection = 'none', cipher = null, html = '<p>theirs</p>' where id = $1`,
    [id],
  );
  await ana.send('/decrypt', { html: '<p>second</p>' });
  t.is(h1(), 'The note has changed');
  t.regex(ana.at.html, /id="note-html"[^>]*>\n&lt;p&gt;second&lt;\/p&gt;</);
  t.regex(ana.at.html, /&lt;p&gt;theirs&lt;\/p&gt;<\/pre>/);
  await ana.send(at('plain'));
  t.like(await stored(id), { protection: 'none', html: '<p>second</p>', cipher: null });
});

test('the server chooses ids of new encrypted notes, and refuses readable text as ciphertext', async (t) => {
  await ana.go('/my/notes/new-encrypted');
  const { fields } = ana.form('/new-encrypted');
  const id = Number(fields.get('id'));
  const other = String(id + 1000);
  const v2 = (data = randomBytes(20)) =>
    JSON.stringify({
      ...{ v: 2, kdf: 'PBKDF2-SHA256', iterations: 600_000, salt: randomBytes(16).toString('base64') },
      ...{ iv: randomBytes(12).toString('base64'), data: data.toString('base64') },
    });
  t.is((await ana.send('/new-encrypted', { cipher: v2(), id: other })).status, 400);
  t.is(await stored(Number(other)), undefined);
  await ana.go('/my/notes/new-encrypted');
  t.is((await ana.send('/new-encrypted', { cipher: '<p>readable</p>', id: null, reserved: null })).status, 400);
  t.is((await pool.query(`select from personal_notes where html = '<p>readable</p>'`)).rowCount, 0);
});

test('without script an encrypted note says what it needs, and offers no form', async (t) => {
  await ana.go('/my/notes/new-encrypted');
  t.regex(ana.at.text, /turn on JavaScript/);
  t.regex(ana.at.html, /<button[^>]* disabled>Encrypt and save/);
  const named = /<textarea[^>]* name=|<input type="password"[^>]* name=/;
  t.notRegex(ana.at.html, named);
  await ana.go(at('foreign'));
  t.regex(ana.at.text, /turn on JavaScript/);
  t.notRegex(ana.at.html, named);
});

test('an encrypted note opens after export and import', async (t) => {
  await ana.go('/my/notes/new-encrypted');
  const id = ana.form('/new-encrypted').fields.get('id')!;
  const user = String(refs.id('ana'));
  await ana.send('/new-encrypted', { cipher: await encrypt!('<p>on the move</p>', PASSPHRASE, { user, note: id }) });
  t.regex(ana.at.text, /Created\./);
  const exported = await stintHere(database.url, ['export', '--account', '1']);
  t.is(exported.code, 0, exported.stderr);
  const file: ImportInput = JSON.parse(exported.stdout);
  const note = file.accounts[0]!.personalNotes!.find(({ ref }) => ref === `note-${id}`)!;
  t.deepEqual(JSON.parse(note.cipher!).origin, { user: Number(user), note: Number(id) });

  const { email } = file.accounts[0]!.users!.find(({ ref }) => ref === note.user)!;
  const existing = { id: 1, users: [{ ref: 'ana', email }] };
  const added = { accounts: [{ existing, personalNotes: [{ ...note, user: 'ana', ref: 'moved' }] }] };
  const imported = await stintHere(database.url, ['import', '-', '--json'], { input: JSON.stringify(added) });
  t.is(imported.code, 0, imported.stderr);
  const moved: number = JSON.parse(imported.stdout).refs.moved.id;
  t.not(moved, Number(id));
  await ana.go(`/my/notes/${moved}`);
  const cipher = /data-cipher="([^"]*)"/.exec(ana.at.html)![1]!.replaceAll('&quot;', '"');
  const place = { user, note: String(moved) };
  t.is(await decrypt!(cipher, PASSPHRASE, place), '<p>on the move</p>');
  await ana.send('/encrypt', { cipher: await encrypt!('<p>at home</p>', PASSPHRASE, place) });
  t.false('origin' in JSON.parse((await stored(moved)).cipher));
});
