/** Personal notes by tool: the connection's rights, protection, revisions, receipts (behaviour §11). */
import { createHash, randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Caller } from '../../src/access/caller.ts';
import { hashSecret } from '../../src/access/secrets.ts';
import { type PersonalNoteRight, personalNoteBits } from '../../src/connections/personalNoteRights.ts';
import { connectDb, type Db } from '../../src/database/db.ts';
import { parseInput } from '../../src/operations/input.ts';
import type { Operation, Write } from '../../src/operations/operation.ts';
import { perform, performOnce } from '../../src/operations/perform.ts';
import { getNote, listNotes } from '../../src/personal-notes/getNote.ts';
import type { NoteReceipt } from '../../src/personal-notes/schema.ts';
import { createNote, deleteNote, updateNote } from '../../src/personal-notes/writeNote.ts';
import { AppError } from '../../src/values/errors.ts';
import { fileDatabase } from '../support/database.ts';
import { suite } from '../support/suite.ts';
import { oneWorkspace, world } from '../support/world.ts';

const test = suite(import.meta.url);

// biome-ignore lint/suspicious/noExplicitAny: results are JSON, looked into freely
type Json = any;

const database = fileDatabase();
let db: Db;
let admin: pg.Pool;

test.before('connections', async () => {
  db = await connectDb(database.url);
  admin = new pg.Pool({ connectionString: database.url, max: 2 });
  // The server may stop before the last idle connection is closed.
  admin.on('error', () => {});
});
test.after('close', async () => {
  await db?.close();
  await admin?.end();
});

const value = async (text: string, values: unknown[] = []) => Number(Object.values((await admin.query(text, values)).rows[0] ?? {})[0]);

/** Ana with an agent, and Bo, in the same workspace. */
async function people() {
  const bo = { ref: 'bo', email: `${randomUUID()}@acme.example`, name: 'Bo' };
  const refs = await world(
    database.url,
    oneWorkspace(
      { members: [{ user: 'bo', role: 'owner' }] },
      {
        users: [bo],
        connections: [
          { ref: 'c2', user: 'ana', workspaces: [], permissions: {}, notes: ['read'] },
          { ref: 'c3', user: 'bo', workspaces: ['apollo'], permissions: {}, notes: ['read', 'add', 'edit', 'delete'] },
        ],
      },
    ),
  );
  const agent = (ref: string): Caller => ({ kind: 'agent', hash: hashSecret(refs.key(ref)) });
  const userId = refs.id('ana');
  const accountId = await value('select account_id from users where id = $1', [userId]);
  const identity = { accountId, userId, connectionId: refs.id('c1') };
  const allow = (...given: PersonalNoteRight[]) =>
    admin.query('update connections set note_rights = $2 where id = $1', [refs.id('c1'), personalNoteBits(given)]);
  const folder = (name: string, owner = userId) =>
    value('insert into note_folders (account_id, user_id, name) values ($1, $2, $3) returning id', [accountId, owner, name]);
  /** A write by the agent `c1`. */
  const write = (operation: Write<Json, Json>, given: Json, requestId: string = randomUUID()) =>
    performOnce(db, agent('c1'), operation, parseInput(operation.input, given), {
      call: { ...identity, requestId, tool: operation.name, startedAt: performance.now() },
      fingerprintOf: (said) => createHash('sha256').update(JSON.stringify(said)).digest(),
      isFingerprintOf: (known, said) => known.equals(createHash('sha256').update(JSON.stringify(said)).digest()),
    });
  const create = async (given: Json) => (await write(createNote, given)).result as NoteReceipt;
  return {
    refs,
    ana: agent('c1'),
    reader: agent('c2'),
    bo: agent('c3'),
    restKey: { kind: 'key', hash: hashSecret(refs.key('k1')) } as Caller,
    person: { kind: 'user', userId } as Caller,
    accountId,
    userId,
    allow,
    folder,
    write,
    create,
  };
}

const read = <Input>(caller: Caller, operation: Operation<Input, Json>, given: Json = {}): Promise<Json> =>
  perform(db, caller, operation, parseInput(operation.input, given));

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'ok';
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

const protect = (id: number, how: string) => admin.query('update personal_notes set protection = $2 where id = $1', [id, how]);

test('a note is returned as sent, with its first line as title, its folder and the names of its attachments', async (t) => {
  const { ana, create, folder, accountId } = await people();
  const ideas = await folder('Ideas');
  const html = '<h1>Ideas &amp; plans</h1><p>One<br/>two</p>';
  const made = await create({ html, folderId: ideas });
  t.deepEqual(made, { id: made.id, revision: 1 });
  await admin.query(
    `insert into note_attachments (account_id, note_id, name, blob_id, size) values ($1, $2, 'b.txt', blob_of($1, 'x'), 1), ($1, $2, 'a.txt', blob_of($1, 'y'), 1)`,
    [accountId, made.id],
  );
  t.deepEqual(await read(ana, getNote, { id: made.id }), {
    id: made.id,
    title: 'Ideas & plans',
    html,
    folderId: ideas,
    revision: 1,
    attachments: ['b.txt', 'a.txt'],
  });
  const { notes, ...rest } = await read(ana, listNotes);
  t.deepEqual(notes, [{ id: made.id, title: 'Ideas & plans', folderId: ideas, revision: 1, updatedAt: notes[0].updatedAt }]);
  t.regex(notes[0].updatedAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  t.deepEqual(rest, { folders: [{ id: ideas, name: 'Ideas' }], hasMore: false, nextAfterId: made.id });
});

test('lists are filtered by folder and by literal text in any case, and paged by id', async (t) => {
  const { ana, create, folder } = await people();
  const ideas = await folder('Ideas');
  const ids: number[] = [];
  for (const [html, folderId] of [
    ['<p>Größe 100%</p>', 0],
    ['<p>first</p><p>GRÖSSE a_b</p>', ideas],
    ['<p>größe 1000</p>', ideas],
  ] as const) {
    ids.push((await create({ html, folderId })).id);
  }
  const found = async (given: Json) => (await read(ana, listNotes, given)).notes.map(({ id }: Json) => id);
  t.deepEqual(await found({}), ids);
  t.deepEqual(await found({ folderId: 0 }), [ids[0]]);
  t.deepEqual(await found({ folderId: ideas }), [ids[1], ids[2]]);
  t.deepEqual(await found({ search: 'GRÖßE' }), [ids[0], ids[2]]);
  t.deepEqual(await found({ search: '100%' }), [ids[0]]);
  t.deepEqual(await found({ search: 'A_B' }), [ids[1]]);
  t.deepEqual(await found({ search: 'größe', folderId: ideas }), [ids[2]]);
  const page = await read(ana, listNotes, { limit: 2 });
  t.like(page, { hasMore: true, nextAfterId: ids[1]! });
  const last = await read(ana, listNotes, { limit: 2, afterId: page.nextAfterId });
  t.deepEqual([last.notes.length, last.hasMore, last.nextAfterId], [1, false, ids[2]]);
  t.like(await read(ana, listNotes, { afterId: ids[2] }), { hasMore: false, nextAfterId: ids[2]! });
});

test("other users can't see them, whatever their role, and REST keys have no notes", async (t) => {
  const { bo, reader, restKey, person, create, folder, write } = await people();
  const { id } = await create({ html: '<p>Mine</p>' });
  const theirs = await folder('Secret');
  t.deepEqual((await read(bo, listNotes)).notes, []);
  t.deepEqual((await read(bo, listNotes)).folders, []);
  t.is(await codeOf(read(bo, getNote, { id })), 'forbidden');
  t.is(await codeOf(read(bo, listNotes, { folderId: theirs })), 'forbidden');
  t.is(await codeOf(perform(db, bo, updateNote, { id, revision: 1, html: '', folderId: 0 })), 'forbidden');
  t.is(await codeOf(perform(db, bo, deleteNote, { id, revision: 1 })), 'forbidden');
  t.is(await codeOf(perform(db, bo, createNote, { html: '', folderId: theirs })), 'forbidden');
  t.is(await codeOf(read(restKey, listNotes)), 'forbidden');
  t.is(await codeOf(perform(db, restKey, createNote, { html: '', folderId: 0 })), 'forbidden');
  // A read-only connection of hers without workspaces, and she herself.
  t.is((await read(reader, getNote, { id })).title, 'Mine');
  t.is(await codeOf(perform(db, reader, deleteNote, { id, revision: 1 })), 'forbidden');
  t.is((await read(person, getNote, { id })).title, 'Mine');
  t.is((await write(updateNote, { id, revision: 1, html: '', folderId: theirs })).replayed, false);
});

test('each right allows only its own operation, from the next call on', async (t) => {
  const { ana, allow, create, write } = await people();
  const { id } = await create({ html: '<p>x</p>' });
  const attempts = {
    read: () => read(ana, getNote, { id }),
    add: () => write(createNote, { html: '<p>y</p>' }),
    edit: () => write(updateNote, { id, revision: 1, html: '<p>z</p>', folderId: 0 }),
    delete: () => write(deleteNote, { id, revision: 2 }),
  };
  const names = Object.keys(attempts) as PersonalNoteRight[];
  for (const right of names) {
    await allow(...names.filter((other) => other !== right));
    t.is(await codeOf(attempts[right]()), 'forbidden', right);
    await allow(right);
    t.is(await codeOf(attempts[right]()), 'ok', right);
  }
  await allow('add', 'edit', 'delete');
  t.is(await codeOf(read(ana, listNotes)), 'forbidden');
});

for (const protection of ['locked', 'encrypted']) {
  test(`a note that is ${protection} is in no list and looks like one that does not exist`, async (t) => {
    const { ana, person, create, write } = await people();
    const { id } = await create({ html: '<p>Secret plan</p>' });
    await protect(id, protection);
    for (const caller of [ana, person]) {
      t.deepEqual((await read(caller, listNotes)).notes, []);
      t.deepEqual((await read(caller, listNotes, { search: 'secret' })).notes, []);
    }
    const answers = async (target: number) =>
      Promise.all(
        [
          read(ana, getNote, { id: target }),
          write(updateNote, { id: target, revision: 1, html: '', folderId: 0 }),
          write(updateNote, { id: target, revision: 9, html: '', folderId: 0 }),
          write(deleteNote, { id: target, revision: 1 }),
        ].map((work) =>
          work.then(
            () => 'ok',
            ({ code, message, details }) => ({ code, message, details }),
          ),
        ),
      );
    t.deepEqual(await answers(id), await answers(2 ** 40));
    t.is(((await answers(id))[0] as Json).code, 'forbidden');
    t.is(await value('select revision from personal_notes where id = $1', [id]), 1);
  });
}

test('a stale revision is refused with the current one and changes nothing', async (t) => {
  const { ana, create, write } = await people();
  const { id } = await create({ html: '<p>One</p>' });
  t.deepEqual((await write(updateNote, { id, revision: 1, html: '<p>Two</p>', folderId: 0 })).result, { id, revision: 2 });
  for (const stale of [write(updateNote, { id, revision: 1, html: '<p>Lost</p>', folderId: 0 }), write(deleteNote, { id, revision: 1 })]) {
    const error = await t.throwsAsync(stale, { instanceOf: AppError });
    t.is(error.code, 'conflict');
    t.deepEqual(error.details, { currentRevision: 2 });
  }
  t.like(await read(ana, getNote, { id }), { html: '<p>Two</p>', title: 'Two', revision: 2 });
});

test('of many concurrent writes on one revision exactly one succeeds', async (t) => {
  const { create, write } = await people();
  const { id } = await create({ html: '<p>0</p>' });
  const codes = await Promise.all(
    Array.from({ length: 8 }, (_, n) => codeOf(write(updateNote, { id, revision: 1, html: `<p>${n}</p>`, folderId: 0 }))),
  );
  t.deepEqual(codes.sort(), [...Array(7).fill('conflict'), 'ok']);
});

test('HTML that would need changes is refused, and nothing is saved', async (t) => {
  const { ana, create, write } = await people();
  const { id } = await create({ html: '<p>Good</p>' });
  const bad = '<p onclick="x()">Bad</p>';
  t.is(await codeOf(write(createNote, { html: bad })), 'invalid_request');
  t.is(await codeOf(write(updateNote, { id, revision: 1, html: bad, folderId: 0 })), 'invalid_request');
  t.is(await codeOf(write(createNote, { html: `<p>${'x'.repeat(128 * 1024)}</p>` })), 'invalid_request');
  t.deepEqual(
    (await read(ana, listNotes)).notes.map(({ title }: Json) => title),
    ['Good'],
  );
});

test('appending keeps the rest of the note, needs the revision, and is validated with it', async (t) => {
  const { ana, create, write } = await people();
  const { id } = await create({ html: '<p>One</p>' });
  const add = (html: string, revision: number, requestId?: string) =>
    write(updateNote, { id, revision, html, folderId: 0, append: true }, requestId);
  const requestId = randomUUID();
  t.deepEqual((await add('<p>Two</p>', 1, requestId)).result, { id, revision: 2 });
  t.true((await add('<p>Two</p>', 1, requestId)).replayed, 'once, however often it is sent');
  t.is(await codeOf(add('<p>Late</p>', 1)), 'conflict');
  t.is(await codeOf(add('<p>', 2).then(() => add('</p></p>', 3))), 'invalid_request');
  t.is(await codeOf(add(`<p>${'x'.repeat(128 * 1024 - 20)}</p>`, 3)), 'invalid_request', 'too long together');
  t.like(await read(ana, getNote, { id }), { html: '<p>One</p><p>Two</p><p>' });
});

test('appended list items join a list of the same kind at the end of the note', async (t) => {
  const { ana, create, write } = await people();
  const cases: [note: string, added: string, whole: string][] = [
    ['<ul><li>a</li></ul>', '<ul><li>b</li></ul>', '<ul><li>a</li><li>b</li></ul>'],
    ['<ol><li>a</ol>\n', ' <OL><li>b</OL><p>c</p>', '<ol><li>a<li>b</OL><p>c</p>'],
    ['<p>x</p><ol><li>a</li></ol>', '<li>b</li>', '<p>x</p><ol><li>a</li><li>b</li></ol>'],
    ['<ul><li>a</li></ul>', '<ol><li>b</li></ol>', '<ul><li>a</li></ul><ol><li>b</li></ol>'],
    ['<ul><li>a</li></ul><p>x</p>', '<ul><li>b</li></ul>', '<ul><li>a</li></ul><p>x</p><ul><li>b</li></ul>'],
    [
      '<blockquote><ul><li>a</li></ul></blockquote>',
      '<ul><li>b</li></ul>',
      '<blockquote><ul><li>a</li></ul></blockquote><ul><li>b</li></ul>',
    ],
  ];
  for (const [note, html, whole] of cases) {
    const { id } = await create({ html: note });
    await write(updateNote, { id, revision: 1, html, append: true });
    t.is((await read(ana, getNote, { id })).html, whole);
  }
});

test('an update without folderId keeps the folder', async (t) => {
  const { ana, create, folder, write } = await people();
  const folderId = await folder('Kept');
  const { id } = await create({ html: '<p>One</p>', folderId });
  await write(updateNote, { id, revision: 1, html: '<p>Two</p>' });
  t.like(await read(ana, getNote, { id }), { html: '<p>Two</p>', folderId, revision: 2 });
  await write(updateNote, { id, revision: 2, html: '<p>Three</p>', append: true });
  t.like(await read(ana, getNote, { id }), { folderId, revision: 3 });
  await write(updateNote, { id, revision: 3, html: '<p>Four</p>', folderId: 0 });
  t.like(await read(ana, getNote, { id }), { folderId: 0 });
});

test('append false is the same request as without append', async (t) => {
  const { create, write } = await people();
  const { id } = await create({ html: '<p>One</p>' });
  const requestId = randomUUID();
  await write(updateNote, { id, revision: 1, html: '<p>Two</p>', folderId: 0 }, requestId);
  t.true((await write(updateNote, { id, revision: 1, html: '<p>Two</p>', folderId: 0, append: false }, requestId)).replayed);
});

test('deleting removes the note and its attachments from the database', async (t) => {
  const { create, write, accountId } = await people();
  const { id } = await create({ html: '<p>Gone</p>' });
  await admin.query(
    `insert into note_attachments (account_id, note_id, name, blob_id, size) values ($1, $2, 'a.txt', blob_of($1, 'x'), 1)`,
    [accountId, id],
  );
  t.deepEqual((await write(deleteNote, { id, revision: 1 })).result, { id, revision: 1 });
  t.is(await value('select count(*) from personal_notes where id = $1', [id]), 0);
  t.is(await value('select count(*) from note_attachments where note_id = $1', [id]), 0);
  t.is(await value('select count(*) from blobs where account_id = $1', [accountId]), 0);
  t.is(await value('select count(*) from blob_chunks where account_id = $1', [accountId]), 0);
});

test('a retry of each write replays its receipt without effect, and the receipt contains no text', async (t) => {
  const { create, write, refs } = await people();
  const { id } = await create({ html: '<p>One</p>' });
  const steps: [Write<Json, Json>, Json, Json?][] = [
    [createNote, { html: '<p>Needle</p>' }],
    [updateNote, { id, revision: 1, html: '<p>Needle</p>', folderId: 0 }, { id, revision: 2 }],
    [deleteNote, { id, revision: 2 }, { id, revision: 2 }],
  ];
  for (const [operation, given, expected] of steps) {
    const requestId = randomUUID();
    const first = await write(operation, given, requestId);
    const again = await write(operation, given, requestId);
    if (expected) t.deepEqual(first.result, expected);
    t.deepEqual(again, { result: first.result, replayed: true });
    t.is(await codeOf(write(operation, { ...given, ...(given.html ? { html: '<p>Other</p>' } : { revision: 7 }) }, requestId)), 'conflict');
  }
  t.is(await value(`select count(*) from receipts where connection_id = $1 and result::text ilike '%needle%'`, [refs.id('c1')]), 0);
  t.is(await value(`select count(*) from activity where connection_id = $1 and workspace_id is null`, [refs.id('c1')]), 4);
});

test('a replay does not restore access lost since the first call', async (t) => {
  const { create, write, allow } = await people();
  const { id } = await create({ html: '<p>One</p>' });
  const [made, changed, removed] = [randomUUID(), randomUUID(), randomUUID()];
  const again = {
    create: () => write(createNote, { html: '<p>New</p>' }, made),
    update: () => write(updateNote, { id, revision: 1, html: '<p>Two</p>', folderId: 0 }, changed),
    delete: () => write(deleteNote, { id: created, revision: 1 }, removed),
  };
  const { id: created } = (await again.create()).result as NoteReceipt;
  await again.update();
  for (const protection of ['locked', 'encrypted']) {
    await protect(created, protection);
    await protect(id, protection);
    t.is(await codeOf(again.create()), 'forbidden');
    t.is(await codeOf(again.update()), 'forbidden');
  }
  await protect(created, 'none');
  await protect(id, 'none');
  t.true((await again.create()).replayed);
  t.true((await again.update()).replayed);
  await again.delete();
  t.is(await codeOf(again.create()), 'forbidden');
  t.true((await again.delete()).replayed);
  await allow('read', 'add', 'edit');
  t.is(await codeOf(again.delete()), 'forbidden');
  await allow('read', 'delete');
  t.is(await codeOf(again.update()), 'forbidden');
});

test('a revoked connection gets no information', async (t) => {
  const { ana, refs, create } = await people();
  const { id } = await create({ html: '<p>One</p>' });
  await admin.query('update connections set revoked_at = now() where id = $1', [refs.id('c1')]);
  for (const work of [read(ana, listNotes), read(ana, getNote, { id }), perform(db, ana, deleteNote, { id, revision: 1 })]) {
    t.is(await codeOf(work), 'unauthenticated');
  }
});

test('invalid arguments are refused by name', (t) => {
  const refused = (operation: Operation<Json, Json>, given: Json, says: RegExp) =>
    t.throws(() => parseInput(operation.input, given), { message: says });
  refused(createNote, {}, /^html: is required/);
  refused(createNote, { html: 1 }, /^html: give the HTML/);
  refused(createNote, { html: '', folderId: -1 }, /^folderId: /);
  refused(updateNote, { id: 1, revision: 1, html: '', folderId: null }, /^folderId: give the id of a folder/);
  refused(updateNote, { id: 1, revision: 0, html: '', folderId: 0 }, /^revision: /);
  refused(deleteNote, { id: 1 }, /^revision: is required/);
  refused(getNote, { id: '1' }, /^id: /);
  refused(listNotes, { limit: 101 }, /^limit: /);
  refused(listNotes, { search: '' }, /^search: /);
  refused(listNotes, { title: 'x' }, /^title: is not known/);
});
