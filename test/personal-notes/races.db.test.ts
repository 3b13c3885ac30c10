/** Two web processes change one person's notes concurrently, after both have checked them: files, protection, quota. */
import type { ExecutionContext } from 'ava';
import pg from 'pg';
import { PBKDF2_ITERATIONS } from '../../src/personal-notes/attachments.ts';
import { fileDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { PASSWORD } from '../support/password.ts';
import { suite } from '../support/suite.ts';
import { signedIn, type Visitor } from '../support/visitor.ts';
import { oneWorkspace, spawnWeb, type Web, type WorldRefs, world } from '../support/world.ts';

const test = suite(import.meta.url);

const MIB = 1024 * 1024;
const notes = ['encrypted', 'locked', 'deleted', 'full', 'left', 'right', 'other', 'room'];
const database = fileDatabase();
let pool: pg.Pool;
let refs: WorldRefs;
let webs: Web[];
let people: [Visitor, Visitor];

test.before('two web processes', async () => {
  const user = { ref: 'eva', email: 'eva@notes.example', name: 'Eva', password: PASSWORD };
  const note = (ref: string) => ({ ref, user: 'eva', html: `<p>${ref}</p>` });
  refs = await world(database.url, oneWorkspace({}, { users: [user], personalNotes: notes.map(note) }));
  pool = new pg.Pool({ connectionString: database.url, max: 3 });
  pool.on('error', () => {});
  webs = await Promise.all([spawnWeb(database.url), spawnWeb(database.url)]);
  people = [await signedIn(webs[0]!.baseUrl, user.email), await signedIn(webs[1]!.baseUrl, user.email)];
});
test.after('close', () => Promise.all([...(webs ?? []).map((web) => web.stop()), pool?.end()]));

const bytes = (count: number) => Buffer.alloc(count, 7).toString('base64');
const cipher = JSON.stringify({
  v: 1,
  kdf: 'PBKDF2-SHA256',
  iterations: PBKDF2_ITERATIONS,
  salt: bytes(16),
  iv: bytes(12),
  data: bytes(40),
});

/** A prepared form of the note's page. */
async function ready(visitor: Visitor, ref: string, action: string, values: Record<string, string> = {}): Promise<() => Promise<number>> {
  const page = await visitor.go(`/my/notes/${refs.id(ref)}`);
  const { path, fields } = visitor.form(`/my/notes/${refs.id(ref)}${action}`);
  for (const [name, value] of Object.entries(values)) fields.set(name, value);
  const file = action === '/files';
  const body = file ? new FormData() : fields;
  if (body instanceof FormData) {
    for (const [name, value] of fields) if (name !== 'file') body.append(name, value);
    body.append('file', new Blob(['readable']), 'a.txt');
  }
  const headers = { Origin: new URL(visitor.baseUrl).origin, Referer: visitor.baseUrl + page.path };
  return async () => {
    const answer = await visitor.request(path, { method: 'POST', body, headers });
    await answer.arrayBuffer();
    return answer.status;
  };
}

/** Sends `first`, then `second` to the other process, while both wait for the lock `held`. Then releases it. */
async function collide(held: string, first: () => Promise<number>, second: () => Promise<number>): Promise<number[]> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query(held);
    const one = first();
    await waiting(1);
    const two = second();
    await waiting(2);
    await client.query('commit');
    return await Promise.all([one, two]);
  } finally {
    client.release(true);
  }
}

async function waiting(count: number): Promise<void> {
  const look = `select count(*) >= $1 as "all" from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  if (!(await eventually(async () => (await pool.query(look, [count])).rows[0].all, Boolean))) throw new Error(`Fewer than ${count} wait.`);
}

const holding = (ref: string) => `select from personal_notes where id = ${refs.id(ref)} for update`;

async function stateOf(ref: string): Promise<{ protection: string; files: number } | undefined> {
  const { rows } = await pool.query(
    `select protection, (select count(*)::integer from note_attachments a where a.note_id = n.id) as files from personal_notes n where id = $1`,
    [refs.id(ref)],
  );
  return rows[0];
}

/** Adds files that count, without their bytes. */
const addFiles = (ref: string, count: number, size: number) =>
  pool.query(
    `with made as (
       insert into blobs (account_id, size, kept) select account_id, $3, true from personal_notes, generate_series(1, $2) where id = $1 returning account_id, id)
     insert into note_attachments (account_id, note_id, name, blob_id, size) select account_id, $1, 'x', id, $3 from made`,
    [refs.id(ref), count, size],
  );

test('attachment races: an encrypted note never has a readable file, in either order', async (t) => {
  const [attach, encrypt] = [await ready(people[0], 'encrypted', '/files'), await ready(people[1], 'encrypted', '/encrypt', { cipher })];
  t.deepEqual(await collide(holding('encrypted'), attach, encrypt), [303, 400]);
  t.deepEqual(await stateOf('encrypted'), { protection: 'none', files: 1 });
  await pool.query('delete from note_attachments where note_id = $1', [refs.id('encrypted')]);
  const [late, early] = [await ready(people[0], 'encrypted', '/files'), await ready(people[1], 'encrypted', '/encrypt', { cipher })];
  const [encrypted, attached] = await collide(holding('encrypted'), early, late);
  t.is(encrypted, 303);
  t.true(attached! >= 400);
  t.deepEqual(await stateOf('encrypted'), { protection: 'encrypted', files: 0 });
});

test('attachment races: of two concurrent files for the last place of a note one is refused', async (t) => {
  await addFiles('full', 19, 1);
  const [one, two] = [await ready(people[0], 'full', '/files'), await ready(people[1], 'full', '/files')];
  t.deepEqual(await collide(holding('full'), one, two), [303, 400]);
  t.deepEqual(await stateOf('full'), { protection: 'none', files: 20 });
});

test('attachment races: a note that was locked first refuses a file from a page that had it open', async (t) => {
  const [lock, attach] = [await ready(people[0], 'locked', '/lock'), await ready(people[1], 'locked', '/files')];
  const [locked, attached] = await collide(holding('locked'), lock, attach);
  t.is(locked, 303);
  t.true(attached! >= 400);
  t.deepEqual(await stateOf('locked'), { protection: 'locked', files: 0 });
});

test('attachment races: a note deleted first refuses a file and leaves none', async (t) => {
  const attach = await ready(people[1], 'deleted', '/files');
  await people[0].go(`/my/notes/${refs.id('deleted')}/delete`);
  const { path, fields } = people[0].form('/delete');
  const headers = { Origin: new URL(people[0].baseUrl).origin };
  const remove = async () => (await people[0].request(path, { method: 'POST', body: fields, headers })).status;
  const [removed, attached] = await collide(holding('deleted'), remove, attach);
  t.is(removed, 303);
  t.true(attached! >= 400);
  t.is(await stateOf('deleted'), undefined);
  t.is((await pool.query('select from note_attachments where note_id = $1', [refs.id('deleted')])).rowCount, 0);
});

/** Leaves room for one small file: 21 notes of up to 20 files are 500 MiB less 1 KiB. Recounts the quota. */
async function fill(t: ExecutionContext): Promise<void> {
  await pool.query('delete from note_attachments');
  for (const ref of ['left', 'right', 'other']) await addFiles(ref, 19, 5 * MIB);
  await addFiles('room', 20, 5 * MIB);
  await addFiles('full', 20, 5 * MIB);
  await addFiles('locked', 2, 5 * MIB);
  await addFiles('locked', 1, 5 * MIB - 1024);
  t.is(
    (await pool.query(`select file_bytes from note_usage where user_id = $1`, [refs.id('eva')])).rows[0].file_bytes,
    String(500 * MIB - 1024),
  );
}

test('quota: 500 MiB of files a person, counted across processes, with what to do; deleting a file or a note frees space', async (t) => {
  await fill(t);
  const [one, two] = [await ready(people[0], 'left', '/files'), await ready(people[1], 'right', '/files')];
  const held = `select from note_usage where user_id = ${refs.id('eva')} for update`;
  t.deepEqual((await collide(held, one, two)).sort(), [303, 400]);
  const refused = await ready(people[0], 'other', '/files');
  t.is(await refused(), 400);
  await pool.query('delete from personal_notes where id = $1', [refs.id('room')]);
  t.is((await pool.query(`select file_bytes from note_usage where user_id = $1`, [refs.id('eva')])).rows[0].file_bytes, String(400 * MIB));
  t.is(await (await ready(people[0], 'other', '/files'))(), 303);
});

test('quota: 100 MiB of notes a person, including older notes; shortening and deleting stay allowed', async (t) => {
  const eva = refs.id('eva');
  await pool.query(`alter table personal_notes disable trigger count_note`);
  await pool.query(
    `insert into personal_notes (account_id, user_id, html, title, text) select account_id, id, repeat('x', 131072), '', '' from users, generate_series(1, 801) where id = $1`,
    [eva],
  );
  await pool.query(`alter table personal_notes enable trigger count_note`);
  await pool.query('delete from note_usage');
  await people[0].go('/my/notes/new');
  const refused = await people[0].send('/my/notes/new', { html: '<p>One more</p>' });
  t.is(refused.status, 400);
  t.regex(refused.text, /notes take 100\.\d MiB of the allowed 100 MiB\. Shorten or delete some/);
  t.true(refused.html.includes('One more'), 'the typed text is kept');
  await people[0].go(`/my/notes/${refs.id('left')}`);
  t.is((await people[0].send(`/my/notes/${refs.id('left')}`, { html: '<p>x</p>' })).status, 200, 'it grows no note');
  await pool.query(
    `delete from personal_notes where user_id = $1 and html like 'xxx%' and id > (select min(id) + 40 from personal_notes)`,
    [eva],
  );
  await people[0].go('/my/notes/new');
  t.is((await people[0].send('/my/notes/new', { html: '<p>One more</p>' })).status, 200);
});
