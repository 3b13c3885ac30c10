/** /my/notes without script: folders, search, texts, conflicts, attachments, and the editor script's requests. */
import pg from 'pg';
import { fileDatabase } from '../support/database.ts';
import { workspaceOfPeople } from '../support/people.ts';
import { suite } from '../support/suite.ts';
import { signedIn, type Visitor } from '../support/visitor.ts';
import { startWeb, type Web, type WorldRefs, world } from '../support/world.ts';

const test = suite(import.meta.url);

const hostile = '<script>alert(1)</script>';
const escaped = '&lt;script&gt;alert(1)&lt;/script&gt;';
const database = fileDatabase();
let web: Web;
let refs: WorldRefs;
let pool: pg.Pool;
let ana: Visitor;
let dan: Visitor;

test.before('a user with notes, and another user', async () => {
  const rich =
    '<h1>Plan</h1><p>see <a href="https://example.org/a">there</a></p><table><tbody><tr><td colspan="2">x</td></tr></tbody></table><pre>if (a &lt; b)</pre>';
  const note = (ref: string, html: string, more = {}) => ({ ref, user: 'ana', html, ...more });
  const personalNotes = [
    note('rich', rich, { attachments: [{ name: 'a.txt', text: 'words' }] }),
    note('long', `<p>Shopping</p><p>${'milk and '.repeat(40)}Turnips, then ${'bread and '.repeat(40)}</p>`),
    note('hidden', '<p>secret turnips</p>', { protection: 'locked' }),
    note('moving', '<p>to be moved</p>'),
    note('meanwhile', '<p>as it was</p>'),
    note('saved', '<p>one</p>'),
    note('short', '<p>short-lived</p>'),
  ];
  refs = await world(database.url, workspaceOfPeople(['ana', 'dan'], {}, { personalNotes }));
  web = await startWeb(database.url);
  pool = new pg.Pool({ connectionString: database.url, max: 2 });
  pool.on('error', () => {});
  [ana, dan] = [await signedIn(web.baseUrl, 'ana@acme.example'), await signedIn(web.baseUrl, 'dan@acme.example')];
});
test.after('stop', async () => {
  await web?.stop();
  await pool?.end();
});

const at = (ref: string) => `/my/notes/${refs.id(ref)}`;
const rowsIn = (html: string) => [...html.matchAll(/<li data-note="(\d+)"/g)].map(([, id]) => Number(id));
const rowOf = (html: string, ref: string) => html.split('<li data-note="').find((row) => row.startsWith(`${refs.id(ref)}"`)) ?? '';
const h1 = (html: string) => /<h1>(.*?)<\/h1>/.exec(html)![1];
const field = (html: string) => /<textarea[^>]*id="note-html"[^>]*>\n?([^<]*)</.exec(html)![1];
const stored = async (id: number) => (await pool.query('select * from personal_notes where id = $1', [id])).rows[0];
const elsewhere = (id: number, html: string) =>
  pool.query('update personal_notes set html = $2, revision = revision + 1 where id = $1', [id, html]);

test('folders are made, renamed and deleted; a note is written into one, found, and survives its deletion', async (t) => {
  const name = `Ideas ${hostile}`;
  await dan.go('/my/notes');
  t.regex((await dan.send('/folders/create', { name })).text, /Created\./);
  t.regex((await dan.send('/folders/create', { name })).text, /already/);
  t.true(dan.at.html.includes(`Ideas ${escaped}`));
  const folder = /data-folder="([1-9]\d*)"/.exec(dan.at.html)![1];
  await dan.go(`/my/notes?folder=${folder}`);
  t.regex(dan.at.html, new RegExp(`/my/notes/new\\?folder=${folder}"`));
  await dan.go(`/my/notes/new?folder=${folder}`);
  await dan.send(`/my/notes/new?folder=${folder}`, { html: 'First line &amp; more\nhas &lt;b&gt; in it' });
  t.is(h1(dan.at.html), 'First line &amp; more');
  t.true(dan.at.html.includes('First line &amp; more<br>has &lt;b&gt; in it</article>'));
  t.regex(dan.at.path, new RegExp(`^/my/notes/\\d+\\?folder=${folder}`), 'the list stays as it was');

  t.is(rowsIn((await dan.go('/my/notes?q=HAS+%3Cb')).html).length, 1);
  t.is(rowsIn((await dan.go('/my/notes?q=%25')).html).length, 0);
  await dan.go(`/my/notes?folder=${folder}`);
  await dan.send('/folders/rename', { name: 'Plans' });
  t.regex(dan.at.text, /in Plans/);
  await dan.send('/folders/delete');
  t.regex(dan.at.text, /Its notes move to Unfiled\./);
  await dan.send('/folders/delete');
  t.regex(dan.at.text, /Deleted\./);
  t.is(rowsIn(dan.at.html).length, 1);
  t.notRegex(dan.at.text, /in Plans/);
});

test('a search marks its matches and shows nothing of protected notes; a list shows the beginnings of notes', async (t) => {
  const { html } = await ana.go('/my/notes?q=turnips');
  t.deepEqual(rowsIn(html), [refs.id('long')]);
  t.regex(html, /milk and <mark>Turnips<\/mark>, then bread/);
  t.notRegex(html, /secret/);
  t.regex((await ana.go('/my/notes?q=SHOP')).html, /<mark>Shop<\/mark>ping/);
  const plain = (await ana.go('/my/notes')).html;
  t.regex(rowOf(plain, 'long'), /Shopping<\/a>\s*<p>milk and/);
  t.regex(rowOf(plain, 'hidden'), /Locked note/);
  t.notRegex(plain, /turnips/, 'not even in a note that is locked');
  await ana.go(`${at('long')}?q=turnips`);
  t.deepEqual(rowsIn(ana.at.html), [refs.id('long')], 'the list stays next to the note');
  t.regex(ana.at.html, /aria-current="page"/);
});

test('a note is moved into another folder by a form or by dragging, from the displayed revision', async (t) => {
  await ana.go('/my/notes');
  await ana.send('/folders/create', { name: 'Filed' });
  const folderId = /folder=(\d+)/.exec(ana.at.path)![1]!;
  await ana.go('/my/notes?q=moved');
  const csrf = ana.form('/folders/create').fields.get('_csrf')!;
  const move = (fields: Record<string, string>, ref = 'moving') =>
    ana.post(`${at(ref)}/move?q=moved`, new URLSearchParams({ _csrf: csrf, ...fields }));
  await move({ revision: '1', folderId, back: 'list' });
  t.regex(ana.at.path, /^\/my\/notes\?q=moved/);
  t.regex(rowOf(ana.at.html, 'moving'), /data-revision="2"[\s\S]*in Filed/);
  t.is((await move({ revision: '1', folderId: '0' })).status, 409);
  t.regex(ana.at.text, /note has changed/);
  t.is((await move({ revision: '2', folderId: '999999' })).status, 403);
  await move({ revision: '1', folderId }, 'hidden');
  t.like(await stored(refs.id('hidden')), { protection: 'locked', folder_id: folderId, revision: 2 });
  await ana.go(at('hidden'));
  await ana.send('/move', { folderId: '0' });
  t.is((await stored(refs.id('hidden'))).folder_id, null, 'without its password: a folder reveals nothing');
  t.is((await dan.post(`${at('moving')}/move`, new URLSearchParams({ _csrf: csrf, revision: '2', folderId: '0' }))).status, 403);
});

test('refused HTML shows the reason and keeps the text', async (t) => {
  await ana.go('/my/notes/new');
  await ana.send('/my/notes/new', { html: `<p>dear diary</p>${hostile}` });
  t.is(ana.at.status, 400);
  t.regex(ana.at.text, /Remove <script> from html/);
  t.is(field(ana.at.html), `&lt;p&gt;dear diary&lt;/p&gt;${escaped}`);
  await ana.send('/my/notes/new', { html: '<p>dear diary</p>&lt;script&gt;' });
  t.regex(ana.at.text, /Created\./);
  t.true(ana.at.html.includes('<p>dear diary</p>&lt;script&gt;</article>'));
  const address = ana.at.path.replace(/\?.*/, '');
  await ana.send(address, { html: '<p onclick="x()">changed</p>' });
  t.regex(ana.at.text, /onclick/);
  t.is(field(ana.at.html), '&lt;p onclick=&quot;x()&quot;&gt;changed&lt;/p&gt;');
});

test('a conflict shows both texts, and the text is kept if its note was deleted', async (t) => {
  const id = refs.id('meanwhile');
  await ana.go(at('meanwhile'));
  await elsewhere(id, `<p>an agent's</p>`);
  await ana.send(at('meanwhile'), { html: '<p>mine</p>' });
  t.is(ana.at.status, 409);
  t.is(field(ana.at.html), '&lt;p&gt;mine&lt;/p&gt;');
  t.regex(ana.at.html, /aria-label="Stored text, as HTML">&lt;p&gt;an agent&#39;s&lt;\/p&gt;</);
  await ana.send(at('meanwhile'));
  t.is((await stored(id)).html, '<p>mine</p>');
  await pool.query('delete from personal_notes where id = $1', [id]);
  await ana.send(at('meanwhile'), { html: '<p>not to be lost</p>' });
  t.regex(ana.at.text, /Save your text below as a new note/);
  t.is(field(ana.at.html), '&lt;p&gt;not to be lost&lt;/p&gt;');
});

test('autosave returns JSON: saved, refused, or the stored note instead', async (t) => {
  const id = refs.id('saved');
  await ana.go(at('saved'));
  const { fields } = ana.form(at('saved'));
  const autosave = async (values: Record<string, string>) => {
    const body = new URLSearchParams({ _csrf: fields.get('_csrf')!, folderId: '0', ...values });
    const answer = await ana.request(`${at('saved')}/autosave`, { method: 'POST', body, headers: { Origin: new URL(web.baseUrl).origin } });
    return { status: answer.status, ...((await answer.json()) as { problem?: string }) };
  };
  t.like(await autosave({ revision: '1', html: '<p>two</p>' }), { status: 200, revision: 2 });
  t.is((await stored(id)).html, '<p>two</p>');
  t.deepEqual(await autosave({ revision: '1', html: '<p>three</p>' }), {
    status: 409,
    stored: { html: '<p>two</p>', revision: 2, folderId: 0 },
  });
  t.like(await autosave({ revision: '2', html: '<img>' }), { status: 400 });
  t.regex((await autosave({ revision: '2', html: '<img>' })).problem!, /Remove <img> from html/);
  t.regex((await autosave({ revision: '2', html: '<p>x</p>', folderId: '999999' })).problem!, /Folder: this folder no longer exists/);
  await pool.query(`update personal_notes set protection = 'locked', revision = 3 where id = $1`, [id]);
  t.deepEqual(await autosave({ revision: '2', html: '<p>x</p>' }), { status: 409, gone: true }, 'a note locked meanwhile reveals nothing');
  t.is((await stored(id)).html, '<p>two</p>');
  const theirs = await dan.request(`${at('saved')}/autosave`, {
    method: 'POST',
    body: new URLSearchParams({ _csrf: dan.form('/sign-out').fields.get('_csrf')!, revision: '3', html: '<p>x</p>', folderId: '0' }),
    headers: { Origin: new URL(web.baseUrl).origin },
  });
  t.deepEqual(await theirs.json(), { gone: true });
});

test('attachments are uploaded, downloaded as downloads and deleted; more than 5 MiB is refused', async (t) => {
  await ana.go('/my/notes/new');
  await ana.send('/my/notes/new', { html: '<p>with files</p>' });
  const address = ana.at.path.replace(/\?.*/, '');
  const content = `<h1>${hostile}</h1>`;
  const upload = async (name: string, bytes: Buffer) => {
    const { path, fields } = ana.form('/files');
    const body = new FormData();
    for (const [key, value] of fields) if (key !== 'file') body.set(key, value);
    body.set('file', new Blob([new Uint8Array(bytes)], { type: 'text/html' }), name);
    return ana.go(path, { method: 'POST', body, headers: { Origin: new URL(web.baseUrl).origin } });
  };
  t.regex((await upload('é "q" xxxxx.html', Buffer.from(content))).text, /Saved\./);
  t.true(ana.at.html.includes('é &quot;q&quot; xxxxx.html</a>'));
  const file = /\/files\/\d+(?=")/.exec(ana.at.html)![0];
  const answer = await ana.request(`${address}${file}`);
  t.is(await answer.text(), content);
  t.is(answer.headers.get('content-disposition'), `attachment; filename*=UTF-8''%C3%A9%20%22q%22%20xxxxx.html`);
  t.is(answer.headers.get('content-type'), 'application/octet-stream');
  t.is(answer.headers.get('x-content-type-options'), 'nosniff');
  t.regex(answer.headers.get('content-security-policy')!, /default-src 'none'/);
  t.is((await dan.request(`${address}${file}`)).status, 403);

  await upload('exact.bin', Buffer.alloc(5 * 1024 * 1024, 1));
  t.is(ana.at.html.split('class="actions"').length, 3);
  t.regex((await upload('large.bin', Buffer.alloc(5 * 1024 * 1024 + 1))).text, /5 MiB/);
  t.is(ana.at.status, 400);
  await ana.go(address);
  const last = /\/files\/\d+\/delete(?="[^>]*data-confirm="Delete exact.bin)/.exec(ana.at.html)![0];
  await ana.send(last);
  await ana.send(last);
  t.regex(ana.at.text, /Saved\./);
  t.is(ana.at.html.split('class="actions"').length, 2);
});

test('a note is shown with headings one level down, and only to its owner', async (t) => {
  const { html } = await ana.go(at('rich'));
  t.true(
    html.includes(
      '<h2>Plan</h2><p>see <a href="https://example.org/a" rel="noopener noreferrer nofollow">there</a></p><table><tbody><tr><td colspan="2">x</td></tr></tbody></table><pre>if (a &lt; b)</pre></article>',
    ),
  );
  const file = /\/files\/\d+(?=")/.exec(html)![0];
  for (const path of ['', '/delete', file]) t.is((await dan.request(`${at('rich')}${path}`)).status, 403, path);
});

test('deleting asks first', async (t) => {
  await ana.go(`${at('short')}/delete`);
  t.is(h1(ana.at.html), 'Delete this note?');
  t.regex(ana.at.html, new RegExp(`href="[^"]*${at('short')}">Cancel`));
  t.truthy(await stored(refs.id('short')));
  await ana.send('/delete');
  t.regex(ana.at.text, /Deleted\./);
  t.is(await stored(refs.id('short')), undefined);
});
