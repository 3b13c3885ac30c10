/** Operations of the pages on protected notes, folders and attachments. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { Caller } from '../../src/access/caller.ts';
import { newSecret } from '../../src/access/secrets.ts';
import { insertSession } from '../../src/accounts/sessionQueries.ts';
import { connectDb, type Db } from '../../src/database/db.ts';
import { parseInput } from '../../src/operations/input.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { perform } from '../../src/operations/perform.ts';
import { addAttachment, getAttachment, PBKDF2_ITERATIONS } from '../../src/personal-notes/attachments.ts';
import { createFolder, deleteFolder, renameFolder } from '../../src/personal-notes/folders.ts';
import { openNotes } from '../../src/personal-notes/ownNotes.ts';
import {
  createEncryptedNote,
  decryptNote,
  deleteProtectedNote,
  encryptNote,
  lockNote,
  saveLockedNote,
  unlockNote,
} from '../../src/personal-notes/protection.ts';
import { moveNote } from '../../src/personal-notes/writeNote.ts';
import { AppError } from '../../src/values/errors.ts';
import { fileDatabase } from '../support/database.ts';
import { suite } from '../support/suite.ts';
import { oneWorkspace, type WorldRefs, world } from '../support/world.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
const quotaBytes = 2 ** 31;
let db: Db;
let pool: pg.Pool;
let refs: WorldRefs;
let ana: Caller;
let bo: Caller;

test.before(async () => {
  const note = (ref: string) => ({ ref, user: 'ana', html: `<p>${ref}</p>` });
  refs = await world(
    database.url,
    oneWorkspace(
      {},
      {
        users: [{ ref: 'bo', email: 'bo@notes.example', name: 'Bo' }],
        personalNotes: ['locked', 'encrypted', 'files', 'quota', 'foreign', 'moving'].map(note),
      },
    ),
  );
  db = await connectDb(database.url);
  pool = new pg.Pool({ connectionString: database.url, max: 2 });
  pool.on('error', () => {});
  ana = await session('ana');
  bo = await session('bo');
});
test.after(async () => {
  await db?.close();
  await pool?.end();
});

async function session(person: string): Promise<Caller> {
  const { hash } = newSecret('session');
  await insertSession(db.pool(), refs.id(person), hash, { replaces: [], device: 'test', address: '::1' });
  return { kind: 'session', hash };
}

// biome-ignore lint/suspicious/noExplicitAny: each operation has its own input and output
const run = (caller: Caller, operation: Operation<any, any>, input: unknown): Promise<any> =>
  perform(db, caller, operation, parseInput(operation.input, input));

/** The error code. */
// biome-ignore lint/suspicious/noExplicitAny: each operation has its own input and output
async function refusal(caller: Caller, operation: Operation<any, any>, input: unknown): Promise<string> {
  try {
    await run(caller, operation, input);
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
  return 'done';
}

const wanted = (asked: object) => ({ folderId: null, search: '', page: 1, noteId: null, opened: false, reserve: false, ...asked });
const open = (id: number, opened: boolean) => run(ana, openNotes, wanted({ noteId: id, opened }));

const base64 = (bytes: number) => randomBytes(bytes).toString('base64');
const envelope = (changes: object = {}) =>
  JSON.stringify({
    v: 1,
    kdf: 'PBKDF2-SHA256',
    iterations: PBKDF2_ITERATIONS,
    salt: base64(16),
    iv: base64(12),
    data: base64(40),
    ...changes,
  });

test('only the signed-in owner can use protected notes: no other person, key or agent', async (t) => {
  const id = refs.id('foreign');
  const at = { id, revision: 1 };
  const operations: [Operation<never, unknown>, object][] = [
    [openNotes as never, wanted({ noteId: id, opened: true })],
    [moveNote as never, { ...at, folderId: 0 }],
    [lockNote as never, at],
    [unlockNote as never, at],
    [saveLockedNote as never, { ...at, html: '<p>x</p>', folderId: 0 }],
    [encryptNote as never, { ...at, cipher: envelope(), folderId: 0 }],
    [decryptNote as never, { ...at, html: '<p>x</p>', folderId: 0 }],
    [deleteProtectedNote as never, at],
    [addAttachment as never, { noteId: id, opened: true, name: 'x', content: Buffer.from('x'), quotaBytes }],
  ];
  const agent: Caller = { kind: 'agent', hash: newSecret('agent').hash };
  for (const [operation, input] of operations) {
    t.is(await refusal(bo, operation, input), 'forbidden', operation.name);
    t.is(await refusal(agent, operation, input), 'forbidden', operation.name);
    t.is(await refusal({ kind: 'session', hash: Buffer.alloc(32) }, operation, input), 'unauthenticated', operation.name);
  }
  t.is((await open(id, false)).note.html, '<p>foreign</p>');
});

test('a locked note reveals nothing until it is opened, and changes only at the revision that was read', async (t) => {
  const id = refs.id('locked');
  t.deepEqual(await run(ana, lockNote, { id, revision: 1 }), { id, revision: 2 });
  t.like((await open(id, false)).note, { title: '', html: '', readable: false, protection: 'locked' });
  t.like((await open(id, true)).note, { title: 'locked', html: '<p>locked</p>' });
  const { notes } = await run(ana, openNotes, wanted({ search: 'locked' }));
  t.deepEqual(notes, [], 'a search would reveal its content');
  t.is(await refusal(ana, lockNote, { id, revision: 2 }), 'forbidden', 'it is locked already');
  t.is(await refusal(ana, saveLockedNote, { id, revision: 1, html: '<p>old</p>', folderId: 0 }), 'conflict');
  t.is(await refusal(ana, saveLockedNote, { id, revision: 2, html: '<script>', folderId: 0 }), 'invalid_request');
  t.is(await refusal(ana, saveLockedNote, { id, revision: 2, html: '<p>x</p>', folderId: 999_999 }), 'forbidden');
  await run(ana, saveLockedNote, { id, revision: 2, html: '<p>new</p>', folderId: 0 });
  await run(ana, unlockNote, { id, revision: 3 });
  t.like((await open(id, false)).note, { title: 'new', protection: 'none', revision: 4 });
});

test('encrypting stores only the ciphertext, and accepts only ciphertext', async (t) => {
  const id = refs.id('encrypted');
  for (const cipher of [
    '',
    '<p>readable</p>',
    '{}',
    envelope({ iterations: 1 }),
    envelope({ data: 'plain words' }),
    envelope({ text: 'x' }),
  ]) {
    t.is(await refusal(ana, encryptNote, { id, revision: 1, cipher, folderId: 0 }), 'invalid_request', cipher);
  }
  const cipher = envelope();
  await run(ana, encryptNote, { id, revision: 1, cipher, folderId: 0 });
  const { rows } = await pool.query('select html, title, text, cipher, protection from personal_notes where id = $1', [id]);
  t.deepEqual(rows, [{ html: '', title: '', text: '', cipher, protection: 'encrypted' }]);
  t.like((await open(id, true)).note, { html: '', cipher, readable: false });
  t.is(await refusal(ana, unlockNote, { id, revision: 2 }), 'forbidden');
  t.is(await refusal(ana, addAttachment, { noteId: id, opened: true, name: 'a', content: Buffer.from('a'), quotaBytes }), 'forbidden');
  await run(ana, decryptNote, { id, revision: 2, html: '<p>back</p>', folderId: 0 });
  t.like((await open(id, false)).note, { title: 'back', cipher: null, protection: 'none' });
  const made = await run(ana, createEncryptedNote, { cipher, folderId: 0 });
  t.is(await refusal(ana, deleteProtectedNote, { id: made.id, revision: 2 }), 'conflict');
  await run(ana, deleteProtectedNote, made);
  t.is(await refusal(ana, openNotes, wanted({ noteId: made.id })), 'forbidden');
});

test('a bound ciphertext becomes the note with its reserved id, and no note replaces another', async (t) => {
  const cipher = envelope({ v: 2 });
  const reserved = async (caller: Caller) => (await run(caller, openNotes, wanted({ reserve: true }))).reserved!;
  const [id, other] = [await reserved(ana), await reserved(bo)];
  t.not(id, other);
  t.is((await run(ana, openNotes, wanted({}))).reserved, null);
  t.is(await refusal(ana, createEncryptedNote, { cipher, folderId: 0 }), 'invalid_request', 'it is bound to an unknown note');
  t.deepEqual(await run(ana, createEncryptedNote, { id, cipher, folderId: 0 }), { id, revision: 1 });
  t.is(await refusal(bo, createEncryptedNote, { id, cipher, folderId: 0 }), 'invalid_request');
  const origin = { user: refs.id('ana'), note: id };
  t.is(await refusal(ana, encryptNote, { id, revision: 1, cipher: envelope({ v: 2, origin }), folderId: 0 }), 'invalid_request');
  t.like((await open(id, false)).note, { cipher, revision: 1 });
  t.is(await refusal({ kind: 'agent', hash: newSecret('agent').hash }, openNotes, wanted({ reserve: true })), 'forbidden');
});

test('attachments count toward the quota of the account, to the byte and also at the same time, and leave nothing when refused', async (t) => {
  const noteId = refs.id('quota');
  const one = { noteId, opened: false, name: 'x' };
  const usedNow = async () => Number((await pool.query('select coalesce(sum(bytes), 0) as used from blob_usage')).rows[0].used);
  const before = await usedNow();
  const limit = before + 3_000;
  const add = (bytes: number) => run(ana, addAttachment, { ...one, content: randomBytes(bytes), quotaBytes: limit });
  const error = await t.throwsAsync(() => add(3_001));
  t.regex(error!.message, /the files of this account use \d+ MiB of \d+ MiB; remove some files, then try again/);
  t.is(await usedNow(), before);
  const added = await Promise.allSettled(Array.from({ length: 6 }, () => add(1_000)));
  t.is(added.filter(({ status }) => status === 'fulfilled').length, 3);
  t.is(await usedNow(), limit);
});

test('attachments are stored byte for byte under a name without folders, up to twenty, and prevent encrypting', async (t) => {
  const noteId = refs.id('files');
  const content = randomBytes(70_000);
  const add = (name: string) => run(ana, addAttachment, { noteId, opened: false, name, content, quotaBytes });
  const { attachmentId } = await add('C:\\temp/../é\u0000\u202e.txt');
  const found = await run(ana, getAttachment, { noteId, opened: false, attachmentId });
  t.is(found.name, 'é.txt');
  t.true(found.content.equals(content));
  t.is(await refusal(ana, encryptNote, { id: noteId, revision: 1, cipher: envelope(), folderId: 0 }), 'invalid_request');
  t.is(await refusal(bo, getAttachment, { noteId, opened: true, attachmentId }), 'forbidden');
  await run(ana, lockNote, { id: noteId, revision: 1 });
  t.is(await refusal(ana, getAttachment, { noteId, opened: false, attachmentId }), 'forbidden');
  await run(ana, unlockNote, { id: noteId, revision: 2 });
  for (let n = 1; n < 20; n++) await add('');
  t.is(await refusal(ana, addAttachment, { noteId, opened: false, name: 'one more', content }), 'invalid_request');
});

test('folder names are unique, and deleting a folder keeps its notes', async (t) => {
  const id = refs.id('moving');
  const { folderId } = await run(ana, createFolder, { name: ' Ideas ' });
  t.is(await refusal(ana, createFolder, { name: 'Ideas' }), 'invalid_request');
  t.is(await refusal(ana, createFolder, { name: ' ' }), 'invalid_request');
  t.is(await refusal(bo, renameFolder, { folderId, name: 'Mine' }), 'forbidden');
  t.is(await refusal(bo, deleteFolder, { folderId }), 'forbidden');
  await run(bo, createFolder, { name: 'Ideas' });
  await run(ana, renameFolder, { folderId, name: 'Ideas' });
  await pool.query('update personal_notes set folder_id = $1 where id = $2', [folderId, id]);
  t.is((await run(ana, openNotes, wanted({ folderId }))).notes.length, 1);
  await run(ana, deleteFolder, { folderId });
  t.is((await open(id, false)).note.folderId, 0);
});
