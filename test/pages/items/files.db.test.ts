/** Files of items over HTTP: uploads, safe answers, access at each read, and hostile requests (behaviour §35). */
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { newSecret } from '../../../src/access/secrets.ts';
import { connectDb } from '../../../src/database/db.ts';
import { scanFile } from '../../../src/files/scan.ts';
import { fileDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { clientOf, Fixtures, startApi } from '../../support/restWorld.ts';
import { suite } from '../../support/suite.ts';
import { signedIn, type Visitor } from '../../support/visitor.ts';
import { emailOf, type WorkWorld, workWorld } from '../../support/workWorld.ts';
import { startWeb } from '../../support/world.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
const MIB = 1024 * 1024;
const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x10\0\0\0\x10', 'latin1'), randomBytes(284)]);
const webp = Buffer.concat([Buffer.from('RIFF\x20\0\0\0WEBPVP8 \0\0\0\0\0\0\0\0\0\0\x10\0\x10\0', 'latin1'), randomBytes(50)]);

let work: WorkWorld;
let fixtures: Fixtures;
let [ana, mia, vic, eve]: Visitor[] = [];
test.before('tasks and people', async () => {
  fixtures = new Fixtures(database.url);
  work = await workWorld(database.url, {
    items: [
      ...['task', 'full', 'gone', 'other', 'slow', 'scan', 'form'].map((ref) => ({ ref, type: 'task' as const, title: `Task ${ref}` })),
      { ref: 'goal', type: 'goal', title: 'Goal' },
    ],
  });
  [ana, mia, vic, eve] = await Promise.all(
    (['ana', 'mia', 'vic', 'eve'] as const).map((name) => signedIn(work.web.baseUrl, emailOf(name))),
  );
});
test.after('stop', async () => {
  await work?.stop();
  await fixtures?.close();
});

const at = (ref: string) => work.item(ref).slice(work.web.baseUrl.length);

async function tokenOf(who: Visitor, ref = 'task'): Promise<string> {
  await who.go(at(ref));
  return /name="_csrf" value="([^"]+)"/.exec(who.at.html)![1]!;
}

interface Sent {
  ref?: string;
  name?: string;
  bytes?: Buffer;
  thumbnail?: Buffer;
  token?: string;
}

/** As the page's script sends it. */
async function add(who: Visitor, { ref = 'task', name = 'plan.png', bytes = png, thumbnail, token }: Sent = {}) {
  const body = new FormData();
  body.append('_csrf', token ?? (await tokenOf(who, ref)));
  if (thumbnail) body.append('thumbnail', new Blob([new Uint8Array(thumbnail)]), 'thumbnail');
  body.append('file', new Blob([new Uint8Array(bytes)]), name);
  const headers = { Accept: 'application/json', Origin: new URL(work.web.baseUrl).origin };
  const answer = await who.request(`${at(ref)}/files`, { method: 'POST', body, headers });
  const text = await answer.text();
  return { status: answer.status, text, ...(answer.headers.get('content-type')?.includes('json') ? JSON.parse(text) : {}) };
}

const rows = (sql: string, values: unknown[] = []) => fixtures.sql(sql, values);
const blobs = async (): Promise<number> => Number((await rows('select count(*) as n from blobs'))[0].n);

test('an uploaded file is on the page with name, size and thumbnail, and comes back unchanged', async (t) => {
  const { status, fileId, type } = await add(mia!, { thumbnail: webp });
  t.deepEqual([status, type], [200, 'image/png']);
  await vic!.go(at('task'));
  t.regex(vic!.at.text, /plan\.png ?308 bytes · Mia/);
  t.regex(vic!.at.text, /Mia added the file plan\.png/);
  t.true(vic!.at.html.includes(`/files/${fileId}/thumbnail"`));
  const answer = await vic!.request(`/files/${fileId}`);
  t.true(Buffer.from(await answer.arrayBuffer()).equals(png));
  const headers = Object.fromEntries(answer.headers);
  t.like(headers, {
    'content-type': 'image/png',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'private, no-cache',
    'accept-ranges': 'bytes',
    'content-length': '308',
    'content-disposition': `inline; filename="plan.png"; filename*=UTF-8''plan.png`,
  });
  const small = await vic!.request(`/files/${fileId}/thumbnail`);
  t.is(small.headers.get('content-type'), 'image/webp');
  t.true(Buffer.from(await small.arrayBuffer()).equals(webp));
  t.is(
    (await vic!.request(`/files/${fileId}?download=1`)).headers.get('content-disposition'),
    `attachment; filename="plan.png"; filename*=UTF-8''plan.png`,
  );
});

test('a reader who has the bytes gets 304, and ranges are answered by 206 and 416', async (t) => {
  const bytes = randomBytes(600_000);
  const { fileId } = await add(mia!, { bytes, name: 'data.bin' });
  const get = (headers: Record<string, string>) => ana!.request(`/files/${fileId}`, { headers });
  const tag = (await get({})).headers.get('etag')!;
  t.is((await get({ 'If-None-Match': tag })).status, 304);
  t.is((await get({ 'If-None-Match': '"other"' })).status, 200);
  const part = await get({ Range: 'bytes=262143-524288' });
  t.deepEqual([part.status, part.headers.get('content-range')], [206, 'bytes 262143-524288/600000']);
  t.true(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(262_143, 524_289)));
  t.is((await get({ Range: 'bytes=0-9', 'If-Range': '"other"' })).status, 200);
  t.is((await get({ Range: 'bytes=0-9', 'If-Range': tag })).status, 206);
  const outside = await get({ Range: 'bytes=600000-' });
  t.deepEqual([outside.status, outside.headers.get('content-range'), await outside.text()], [416, 'bytes */600000', '']);
  for (const odd of ['bytes=5-2', 'bytes=0-1,3-4', 'lines=1-2', 'bytes=']) t.is((await get({ Range: odd })).status, 200, odd);
});

test('pages and pictures with script are downloads, whatever their names say', async (t) => {
  const script = '<script>alert(1)</script>';
  for (const [name, content] of [
    ['page.png', `<!doctype html>${script}`],
    ['picture.svg', `<svg xmlns="http://www.w3.org/2000/svg">${script}</svg>`],
    ['page.html', `<!doctype html>${script}`],
  ] as const) {
    const { fileId } = await add(mia!, { name, bytes: Buffer.from(content) });
    const answer = await vic!.request(`/files/${fileId}`);
    t.is(answer.headers.get('content-type'), 'application/octet-stream', name);
    t.true(answer.headers.get('content-disposition')!.startsWith('attachment; '), name);
    t.is(answer.headers.get('content-security-policy'), "default-src 'none'; style-src 'unsafe-inline'; sandbox");
  }
  const { fileId } = await add(mia!, { name: 'thumb.png', thumbnail: Buffer.from(`<svg>${script}</svg>`) });
  t.is((await vic!.request(`/files/${fileId}/thumbnail`)).status, 403, 'a thumbnail that is not an image is dropped');
  const pdf = await add(mia!, { name: 'a.pdf', bytes: Buffer.from('%PDF-1.7 …') });
  const shown = await vic!.request(`/files/${pdf.fileId}`);
  t.is(shown.headers.get('content-type'), 'application/pdf');
  t.regex(shown.headers.get('content-security-policy')!, /sandbox/);
});

test('hostile names are shown and sent harmlessly', async (t) => {
  const { fileId, name } = await add(mia!, { name: '../../<b>ü\u202egpj.exe' });
  t.is(name, '<b>ügpj.exe');
  await vic!.go(at('task'));
  t.regex(vic!.at.text, /<b>ügpj\.exe/);
  t.false(vic!.at.html.includes('<b>ügpj'));
  const answer = await vic!.request(`/files/${fileId}`);
  t.is(answer.headers.get('content-disposition'), `inline; filename="_b__gpj.exe"; filename*=UTF-8''%3Cb%3E%C3%BCgpj.exe`);
  const long = await add(mia!, { name: `${'x'.repeat(300)}.png` });
  t.is(long.name.length, 200);
});

test('25 MiB are accepted; one byte more, nothing and no file are refused and leave nothing', async (t) => {
  const exact = await add(mia!, { ref: 'other', bytes: Buffer.alloc(25 * MIB), name: 'exact.bin' });
  t.is(exact.status, 200);
  const before = await blobs();
  t.like(await add(mia!, { ref: 'other', bytes: Buffer.alloc(25 * MIB + 1) }), { status: 400, error: 'Choose a file of at most 25 MiB.' });
  t.like(await add(mia!, { ref: 'other', bytes: Buffer.alloc(0) }), { status: 400, error: 'Choose a file that is not empty.' });
  const unchosen = new FormData();
  unchosen.append('_csrf', await tokenOf(mia!));
  unchosen.append('file', new Blob([]), '');
  const headers = { Accept: 'application/json' };
  const answer = await mia!.request(`${at('other')}/files`, { method: 'POST', body: unchosen, headers });
  t.deepEqual([answer.status, await answer.json()], [400, { error: 'Choose a file.' }]);
  await rows(`delete from blobs where not kept`);
  t.is(await blobs(), before);
});

test('without script an ordinary form uploads a file once, and a refused one shows the item with the fault', async (t) => {
  await mia!.go(at('form'));
  const { path, fields } = mia!.form('/files');
  const body = (name: string) => {
    const form = new FormData();
    for (const [key, value] of fields) if (key !== 'file') form.append(key, value);
    form.append('file', new Blob([name ? 'text' : '']), name);
    return form;
  };
  const origin = { Origin: new URL(work.web.baseUrl).origin };
  t.regex((await mia!.go(path, { method: 'POST', body: body(''), headers: origin })).text, /Choose a file\./);
  t.is(mia!.at.status, 400);
  t.regex((await mia!.go(path, { method: 'POST', body: body('once.txt'), headers: origin })).text, /File added\..*once\.txt/);
  await mia!.go(path, { method: 'POST', body: body('once.txt'), headers: origin });
  t.is((await rows('select from item_files where item_id = $1', [work.refs.id('form')])).length, 1, 'sent twice, added once');
});

test('a file is read only by those who can read its item now: hidden, foreign and absent files get one answer', async (t) => {
  const { fileId } = await add(ana!, { ref: 'goal' });
  t.is((await vic!.request(`/files/${fileId}`)).status, 200);
  await rows(`update memberships set overrides = '{"goals": "none"}' where user_id = $1`, [work.refs.id('vic')]);
  const stranger = await eve!.request(`/files/${fileId}`);
  const absent = await eve!.request('/files/999999');
  const hidden = await vic!.request(`/files/${fileId}`);
  for (const answer of [stranger, absent, hidden]) t.is(answer.status, 403);
  const plain = (html: string) => html.replace(/files\/\d+/g, '').replace(/value="[^"]*"|nonce="[^"]*"|data-place="[^"]*"/g, '');
  t.is(plain(await stranger.text()), plain(await absent.text()));
  t.is((await eve!.request(`/files/${fileId}/thumbnail`)).status, 403);
  const anonymous = await fetch(`${work.web.baseUrl}/files/${fileId}`, { redirect: 'manual' });
  t.is(anonymous.status, 303);
});

test('viewers and strangers can neither add nor remove; uploaders remove their own, writers all', async (t) => {
  const { fileId } = await add(mia!, { name: 'mine.png' });
  t.is((await add(vic!)).status, 403);
  t.is((await add(eve!, { token: await eve!.go('/my').then(({ html }) => /name="_csrf" value="([^"]+)"/.exec(html)![1]!) })).status, 403);
  const token = await tokenOf(vic!);
  const refused = await vic!.post(`/files/${fileId}/remove`, new URLSearchParams({ _csrf: token }));
  t.is(refused.status, 403);
  await mia!.go(at('task'));
  t.regex((await mia!.send(`/files/${fileId}/remove`)).text, /mine\.png removed/);
  t.is((await mia!.request(`/files/${fileId}`)).status, 403);
  t.regex(mia!.at.text, /Mia removed the file mine\.png/);
  await mia!.send('/restore');
  t.regex(mia!.at.text, /Undone\./);
  t.is((await mia!.request(`/files/${fileId}`)).status, 200);
  t.notRegex(mia!.at.text, /removed the file/);
});

test('a removed file can be restored for an hour; then its bytes are gone and the line of history stays', async (t) => {
  const { fileId } = await add(mia!, { ref: 'gone', name: 'old.png' });
  await mia!.go(at('gone'));
  await mia!.send(`/files/${fileId}/remove`);
  const [{ blob_id }] = await rows('select blob_id from item_files where id = $1', [fileId]);
  t.deepEqual(await rows('select kept from blobs where id = $1', [blob_id]), [{ kept: false }]);
  // As the prune job does.
  await rows('delete from blobs where id = $1 and not kept', [blob_id]);
  t.regex((await mia!.post(`/files/${fileId}/restore`, new URLSearchParams({ _csrf: await tokenOf(mia!) }))).text, /more than an hour ago/);
  t.regex((await mia!.go(at('gone'))).text, /Mia removed the file old\.png/);
});

test('files follow their item into the archive and back', async (t) => {
  const { fileId } = await add(mia!, { ref: 'gone', name: 'kept.png' });
  await rows('update items set archived_at = now() where id = $1', [work.refs.id('gone')]);
  t.is((await mia!.request(`/files/${fileId}`)).status, 403);
  await rows('update items set archived_at = null where id = $1', [work.refs.id('gone')]);
  t.is((await mia!.request(`/files/${fileId}`)).status, 200);
});

test('simultaneous uploads never exceed 50 files of an item', async (t) => {
  const item = work.refs.id('full');
  await rows(
    `insert into item_files (account_id, workspace_id, item_id, name, size, type, state, added_by)
     select account_id, workspace_id, id, 'n' || n, 1, 'image/png', 'ready', $2 from items, generate_series(1, 48) n where id = $1`,
    [item, work.refs.id('mia')],
  );
  const token = await tokenOf(ana!, 'full');
  const sent = await Promise.all(Array.from({ length: 4 }, () => add(ana!, { ref: 'full', token })));
  t.deepEqual(sent.map(({ status }) => status).sort(), [200, 200, 409, 409]);
  t.is((await rows(`select from item_files where item_id = $1`, [item])).length, 50);
  for (const { status, error } of sent) if (status === 409) t.regex(error, /at most 50 files. Remove one first/);
});

test('a token that is missing, wrong or behind the file is refused before the file is stored', async (t) => {
  const before = await blobs();
  const file = new Blob([png]);
  const token = await tokenOf(mia!);
  for (const entries of [
    [['file', file]],
    [
      ['_csrf', 'wrong'],
      ['file', file],
    ],
    [
      ['file', file],
      ['_csrf', token],
    ],
  ] as [string, string | Blob][][]) {
    const body = new FormData();
    for (const [name, value] of entries) body.append(name, value);
    t.is((await mia!.request(`${at('task')}/files`, { method: 'POST', body })).status, 403);
  }
  const foreign = new FormData();
  foreign.append('_csrf', token);
  foreign.append('file', file, 'a.png');
  t.is(
    (await mia!.request(`${at('task')}/files`, { method: 'POST', body: foreign, headers: { Origin: 'https://evil.example' } })).status,
    403,
  );
  t.is(await blobs(), before);
});

/** A multipart body as bytes, for what fetch does not send. */
const multipart = (token: string, content: Buffer | string, end = '\r\n--b--\r\n') =>
  Buffer.concat([
    Buffer.from(`--b\r\nContent-Disposition: form-data; name="_csrf"\r\n\r\n${token}\r\n`),
    Buffer.from('--b\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n'),
    Buffer.from(content),
    Buffer.from(end),
  ]);
const send = async (who: Visitor, body: Buffer, headers: Record<string, string> = {}) => {
  const answer = await who.request(`${at('task')}/files`, {
    method: 'POST',
    body: new Uint8Array(body),
    headers: { Accept: 'application/json', 'Content-Type': 'multipart/form-data; boundary=b', ...headers },
  });
  return { status: answer.status, text: await answer.text() };
};

test('malformed forms are refused and leave nothing', async (t) => {
  await rows(`delete from blobs where not kept`);
  const before = await blobs();
  const token = await tokenOf(mia!);
  const field = (n: number) => `--b\r\nContent-Disposition: form-data; name="f${n}"\r\n\r\nx\r\n`;
  const whole = multipart(token, 'x');
  for (const [label, body, headers] of [
    ['no end', multipart(token, 'x'.repeat(1_000), ''), {}],
    ['no boundary', whole, { 'Content-Type': 'multipart/form-data' }],
    ['another type', whole, { 'Content-Type': 'application/json' }],
    ['compressed', whole, { 'Content-Encoding': 'gzip' }],
    ['too many fields', Buffer.from(`${Array.from({ length: 50 }, (_, n) => field(n)).join('')}--b--\r\n`), {}],
    ['a long field', Buffer.from(`--b\r\nContent-Disposition: form-data; name="_csrf"\r\n\r\n${'x'.repeat(70_000)}\r\n--b--\r\n`), {}],
    ['empty', Buffer.alloc(0), {}],
  ] as [string, Buffer, Record<string, string>][]) {
    const { status } = await send(mia!, body, headers);
    t.true(status === 400 || status === 403, `${label}: ${status}`);
  }
  t.is((await send(mia!, whole)).status, 200);
  await rows(`delete from blobs where not kept`);
  t.is(await blobs(), before + 1);
});

/** Sends the head of an upload of `length` bytes over a socket. Returns the socket. */
function openUpload(who: Visitor, path: string, head: Buffer, length: number) {
  const { port, pathname } = new URL(work.web.baseUrl);
  const socket = connect(Number(port), '127.0.0.1');
  socket.on('error', () => {});
  socket.write(
    `POST ${pathname}${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nCookie: JSESSIONID=${who.cookie}\r\nAccept: application/json\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: ${length}\r\n\r\n`,
  );
  socket.write(head);
  return socket;
}

const slow = () => `${at('slow')}/files`;

async function until(what: () => Promise<boolean>): Promise<void> {
  if (!(await eventually(what, Boolean))) throw new Error('It did not happen.');
}

test('an upload that is cut off halfway leaves nothing, and is never visible', async (t) => {
  const before = await blobs();
  const socket = openUpload(mia!, slow(), multipart(await tokenOf(mia!), randomBytes(MIB), ''), 10 * MIB);
  await until(async () => (await rows('select from blobs where size > 0 and not kept')).length === 1);
  t.notRegex((await mia!.go(at('slow'))).text, /a\.bin/);
  socket.destroy();
  await until(async () => (await blobs()) === before);
  t.is((await rows('select from item_files where item_id = $1', [work.refs.id('slow')])).length, 0);
});

test('an import whose upload is cut off halfway leaves nothing, and no job starts', async (t) => {
  const before = await blobs();
  await ana!.go(`/workspaces/${work.refs.id('apollo')}/settings/import`);
  const { path, fields } = ana!.form('/upload');
  fields.delete('file');
  const head = Buffer.concat([
    ...[...fields].map(([name, value]) => Buffer.from(`--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)),
    Buffer.from('--b\r\nContent-Disposition: form-data; name="file"; filename="shop.csv"\r\n\r\nSummary\n'),
    Buffer.from('Pay by card\n'.repeat(80_000)),
  ]);
  const socket = openUpload(ana!, path, head, 10 * MIB);
  await until(async () => (await rows('select from blobs where size > 0 and not kept')).length === 1);
  socket.destroy();
  await until(async () => (await blobs()) === before);
  t.is((await rows('select from imports')).length, 0);
  t.is((await rows(`select from graphile_worker.jobs where task_identifier in ('prepare_import', 'run_import')`)).length, 0);
});

test('an upload whose sender loses access meanwhile adds nothing', async (t) => {
  const whole = multipart(await tokenOf(mia!), randomBytes(2 * MIB));
  const half = whole.subarray(0, MIB);
  const socket = openUpload(mia!, slow(), half, whole.length);
  await until(async () => (await rows('select from blobs where size > 0 and not kept')).length === 1);
  await rows('delete from memberships where user_id = $1', [work.refs.id('mia')]);
  const answer = new Promise<string>((resolve) => socket.once('data', (bytes) => resolve(bytes.toString())));
  socket.write(whole.subarray(MIB));
  t.regex(await answer, /^HTTP\/1\.1 403/);
  socket.destroy();
  t.is((await rows('select from item_files where item_id = $1', [work.refs.id('slow')])).length, 0);
  await rows(
    `insert into memberships (account_id, workspace_id, user_id, role)
     select account_id, workspace_id, $1, 'member' from memberships where user_id = $2 and role = 'owner'`,
    [work.refs.id('mia'), work.refs.id('ana')],
  );
  await rows(`delete from blobs where not kept`);
});

test('while the database stalls, an upload is not read on: memory stays bounded', async (t) => {
  const bytes = 24 * MIB;
  const whole = multipart(await tokenOf(mia!), Buffer.alloc(bytes));
  await rows(`insert into blob_usage (account_id, bytes) select account_id, 0 from items limit 1 on conflict do nothing`);
  const holder = new Fixtures(database.url);
  await holder.sql('begin; select from blob_usage for update');
  const socket = openUpload(mia!, slow(), whole, whole.length);
  const taken = () => socket.bytesWritten - socket.writableLength;
  await until(
    async () => (await rows(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)).length > 0,
  );
  // The server runs in this process: it reads no more if turns of the event loop pass without a byte.
  let last = -1;
  for (let quiet = 0; quiet < 1_000; await setImmediate()) {
    quiet = last === taken() ? quiet + 1 : 0;
    last = taken();
  }
  // The rest is in the buffers of the two sockets.
  t.true(last < 16 * MIB, `${last} bytes were taken`);
  const answer = new Promise<string>((resolve) => socket.once('data', (sent) => resolve(sent.toString())));
  await holder.close();
  t.regex(await answer, /^HTTP\/1\.1 200/);
  socket.destroy();
});

test('the quota of the account is refused with what is used', async (t) => {
  const web = await startWeb(database.url, { FILES_QUOTA_MB: '1' });
  t.teardown(web.stop);
  const who = await signedIn(web.baseUrl, emailOf('ana'));
  await who.go(at('other'));
  const { path, fields } = who.form('/files');
  const body = new FormData();
  for (const [key, value] of fields) if (key !== 'file') body.append(key, value);
  body.append('file', new Blob(['text']), 'a.txt');
  const refused = await who.go(path, { method: 'POST', body });
  t.is(refused.status, 400);
  t.regex(refused.text, /The files of this account use \d+ MiB of 1 MiB; remove some files, then try again\./);
});

test('REST answers and the change feed do not contain files of items', async (t) => {
  await add(mia!, { ref: 'other', name: 'Secret plan.png' });
  const api = await startApi(database.url);
  t.teardown(api.close);
  const { account_id, id } = (await rows('select account_id, id from users where id = $1', [work.refs.id('ana')]))[0];
  const key = await keyOf(Number(account_id), Number(id));
  const client = clientOf(api, key, work.refs.id('apollo'));
  const itemId = work.refs.id('other');
  for (const path of ['/item', '/relations', '/comments', '/changes']) {
    const answer = await client.get(path, path === '/changes' ? {} : { id: itemId });
    t.is(answer.status, 200, path);
    t.notRegex(JSON.stringify(answer.body), /Secret plan|"files?"/, path);
  }
  t.is((await rows(`select from changes where fields::text ilike '%Secret plan%'`)).length, 0);
  const withKey = await fetch(`${work.web.baseUrl}/files/1`, { headers: { 'X-API-Key': key }, redirect: 'manual' });
  t.is(withKey.status, 303, 'a key does not sign in');
});

async function keyOf(accountId: number, userId: number): Promise<string> {
  const { secret, hash } = newSecret('rest');
  await rows(`insert into rest_keys (account_id, user_id, name, key_hash, rights) values ($1, $2, 'k', $3, 134217727)`, [
    accountId,
    userId,
    hash,
  ]);
  return secret;
}

test('with a scanner a file waits for its scan; a refused one is shown to its uploader alone, who dismisses it', async (t) => {
  const web = await startWeb(database.url, { FILES_SCAN_COMMAND: 'true' });
  t.teardown(web.stop);
  const who = await signedIn(web.baseUrl, emailOf('mia'));
  await who.go(at('scan'));
  const { path, fields } = who.form('/files');
  const body = new FormData();
  for (const [key, value] of fields) if (key !== 'file') body.append(key, value);
  body.append('file', new Blob([png]), 'scanned.png');
  t.regex((await who.go(path, { method: 'POST', body })).text, /scanned\.png Being scanned\./);
  const [{ id }] = await rows(`select id from item_files where name = 'scanned.png'`);
  t.is((await who.request(`/files/${id}`)).status, 403);
  const jobs = await rows(`select payload from graphile_worker._private_jobs where payload ->> 'fileId' = $1`, [String(id)]);
  t.is(jobs.length, 1);
  const db = await connectDb(database.url, 2);
  t.teardown(() => db.close());
  await scanFile(db, { command: 'exit 1' }, Number(id), new AbortController().signal);
  t.is((await who.request(`/files/${id}`)).status, 403);
  t.notRegex((await ana!.go(at('scan'))).text, /scanned\.png/);
  t.regex((await mia!.go(at('scan'))).text, /scanned\.png The virus scan refused this file, so it was deleted\./);
  await mia!.send(`/files/${id}/remove`);
  t.notRegex(mia!.at.text, /scanned\.png/);
  t.deepEqual(await rows('select from item_files where id = $1', [id]), []);
});
