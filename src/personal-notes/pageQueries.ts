/** SQL of the owner's pages for personal notes: protected notes, folders and attachments. No agent can access these. */
import { z } from 'zod';
import { type Caller, type Permit, permitOutside } from '../access/caller.ts';
import { authenticate, callerRow } from '../access/queries.ts';
import { type Fragment, fixedSql, instantText, type Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { Conflict, CredentialRefused, Forbidden } from '../values/errors.ts';
import type { NoteReceipt } from './schema.ts';

/** Only for signed-in users, not keys, agents or jobs. Throws Unauthenticated, Forbidden. */
export async function ownerPermit(tx: Tx, caller: Caller): Promise<Permit> {
  if (caller.kind !== 'session') throw new Forbidden();
  const { account_id: accountId, user_id: userId } = await authenticate(tx, caller);
  return permitOutside(caller, accountId, userId);
}

const Protection = z.enum(['none', 'locked', 'encrypted']);
export type Protection = z.infer<typeof Protection>;

const OwnSummary = z.object({
  id: z.number(),
  revision: z.number(),
  /** Empty for a protected note, because the first line is protected content. */
  title: z.string(),
  /** Text around the search hit, or the beginning of the note; empty for a protected note. */
  excerpt: z.string(),
  protection: Protection,
  folderId: z.number(),
  folderName: z.string().nullable(),
  attachments: z.number(),
  updatedAt: z.string(),
});
export type OwnSummary = z.infer<typeof OwnSummary>;

const Folder = z.object({ id: z.number(), name: z.string(), notes: z.number() });
export type Folder = z.infer<typeof Folder>;

const OwnNote = z.object({
  id: z.number(),
  title: z.string(),
  html: z.string(),
  cipher: z.string().nullable(),
  protection: Protection,
  /** Unprotected, or locked and opened. */
  readable: z.boolean(),
  folderId: z.number(),
  revision: z.number(),
  updatedAt: z.string(),
  attachments: z.array(z.object({ id: z.number(), name: z.string(), bytes: z.number() })),
});
export type OwnNote = z.infer<typeof OwnNote>;

const OwnNotes = z.object({
  notes: z.array(OwnSummary),
  folders: z.array(Folder),
  note: OwnNote.nullable(),
  reserved: z.number().nullable(),
});

export interface OwnNotesWanted {
  folderId: number | null;
  /** A literal, case-insensitive substring. Does not search protected notes (behaviour §11.14). Empty: no search. */
  search: string;
  offset: number;
  limit: number;
  noteId: number;
  /** The user has just given their password. Otherwise a locked note shows no content. */
  opened: boolean;
  reserve: boolean;
}

const nextNoteId = fixedSql("nextval(pg_get_serial_sequence('personal_notes', 'id'))");

const BEFORE = 60;
const AROUND = 200;
const updatedAt = fixedSql(instantText('n.updated_at'));

const listed = ({ folderId, search, offset, limit }: OwnNotesWanted): Fragment => sql.fragment`
  select n.id, n.revision, n.protection, n.updated_at, coalesce(n.folder_id, 0) as folder_id, f.name as folder_name,
         case n.protection when 'none' then n.title else '' end as title,
         case n.protection when 'none' then substr(n.text, greatest(1, found.place - ${BEFORE}::integer), ${AROUND}::integer) else '' end as excerpt,
         (select count(*) from note_attachments a where a.account_id = n.account_id and a.note_id = n.id) as attachments
  from who join personal_notes n on n.user_id = who.user_id left join note_folders f on f.id = n.folder_id
  cross join lateral (select case when ${search} = '' or n.protection <> 'none' then 0 else strpos(lower(n.text), lower(${search})) end as place) found
  where (${folderId}::bigint is null or coalesce(n.folder_id, 0) = ${folderId}::bigint) and (${search} = '' or found.place > 0)
  order by n.updated_at desc, n.id desc offset ${offset} limit ${limit}`;

const ownNote = ({ noteId, opened }: OwnNotesWanted): Fragment => sql.fragment`
  select json_build_object('id', n.id, 'title', case when r.readable then n.title else '' end, 'html', case when r.readable then n.html else '' end,
      'cipher', case n.protection when 'encrypted' then coalesce(n.cipher, n.html) end, 'protection', n.protection, 'readable', r.readable,
      'folderId', coalesce(n.folder_id, 0), 'revision', n.revision, 'updatedAt', ${updatedAt},
      'attachments', (select coalesce(json_agg(json_build_object('id', a.id, 'name', a.name, 'bytes', a.size) order by a.id), '[]')
        from note_attachments a where a.account_id = n.account_id and a.note_id = n.id and (r.readable or n.protection = 'encrypted')))
  from personal_notes n
  cross join lateral (select n.protection = 'none' or (n.protection = 'locked' and ${opened}::boolean) as readable) r
  where n.id = ${noteId} and n.user_id = who.user_id`;

/** In one statement that also authenticates. Only for signed-in users. Throws Unauthenticated, Forbidden. */
export async function readOwnNotes(tx: Tx, caller: Caller, wanted: OwnNotesWanted): Promise<z.infer<typeof OwnNotes>> {
  if (caller.kind !== 'session') throw new Forbidden();
  const row = await tx.maybeOne(sql.type(OwnNotes)`
    with who as (${callerRow(caller)}), listed as (${listed(wanted)})
    select
      (select coalesce(json_agg(json_build_object('id', n.id, 'revision', n.revision, 'title', n.title, 'excerpt', n.excerpt,
          'protection', n.protection, 'folderId', n.folder_id, 'folderName', n.folder_name, 'attachments', n.attachments,
          'updatedAt', ${updatedAt}) order by n.updated_at desc, n.id desc), '[]') from listed n) as notes,
      (select coalesce(json_agg(json_build_object('id', f.id, 'name', f.name, 'notes',
          (select count(*) from personal_notes n where n.user_id = f.user_id and n.folder_id = f.id)) order by lower(f.name), f.id), '[]')
        from note_folders f where f.user_id = who.user_id) as folders,
      (${ownNote(wanted)}) as note,
      case when ${wanted.reserve}::boolean then ${nextNoteId} end as reserved
    from who`);
  if (!row) throw new CredentialRefused();
  return row;
}

const OwnFolder = z.object({ id: z.number(), name: z.string() });

export function readFolders(tx: Tx, userId: number): Promise<readonly z.infer<typeof OwnFolder>[]> {
  return tx.any(sql.type(OwnFolder)`select f.id, f.name from note_folders f where f.user_id = ${userId} order by lower(f.name), f.id`);
}

const About = z.object({ protection: Protection, attachments: z.number() });

export async function readProtection(tx: Tx, userId: number, id: number): Promise<z.infer<typeof About>> {
  const note = await tx.maybeOne(sql.type(About)`
    select n.protection, (select count(*) from note_attachments a where a.account_id = n.account_id and a.note_id = n.id) as attachments
    from personal_notes n where n.id = ${id} and n.user_id = ${userId}`);
  if (!note) throw new Forbidden();
  return note;
}

const Held = z.object({ id: z.number() });

/** Locks the note until the transaction ends. Every change that reads the note and then decides must lock first. */
export async function holdNote(tx: Tx, userId: number, id: number): Promise<void> {
  await tx.maybeOneFirst(sql.type(Held)`select id from personal_notes where id = ${id} and user_id = ${userId} for update`);
}

const Receipt = z.object({ id: z.number(), revision: z.number() });
const receipt = fixedSql('returning id, revision');

export interface NoteState {
  html: string;
  title: string;
  text: string;
  cipher: string | null;
  protection: Protection;
  folderId: number;
}

export const takeNoteId = (tx: Tx): Promise<number> => tx.oneFirst(sql.type(Held)`select ${nextNoteId} as id`);

/** `id`: from takeNoteId, or reserved before. Returns null if a note with that id exists. */
export function insertOwnNote(tx: Tx, { accountId, userId }: Permit, id: number, state: NoteState): Promise<NoteReceipt | null> {
  const { html, title, text, cipher, protection, folderId } = state;
  return tx.maybeOne(sql.type(Receipt)`
    insert into personal_notes (id, account_id, user_id, folder_id, html, title, text, cipher, protection) overriding system value
    values (${id}, ${accountId}, ${userId}, nullif(${folderId}::bigint, 0), ${html}, ${title}, ${text}, ${cipher}, ${protection})
    on conflict (id) do nothing ${receipt}`);
}

export interface NoteAt {
  id: number;
  revision: number;
  from: readonly Protection[];
}

const isAt = (userId: number, { id, revision, from }: NoteAt) => sql.fragment`
  id = ${id} and user_id = ${userId} and revision = ${revision} and protection = any(${sql.array([...from], 'text')})`;

export async function replaceNote(tx: Tx, { userId }: Permit, at: NoteAt, state: NoteState): Promise<NoteReceipt> {
  const { html, title, text, cipher, protection, folderId } = state;
  const saved = await tx.maybeOne(sql.type(Receipt)`
    update personal_notes
    set html = ${html}, title = ${title}, text = ${text}, cipher = ${cipher}, protection = ${protection},
        folder_id = nullif(${folderId}::bigint, 0), revision = revision + 1, updated_at = now()
    where ${isAt(userId, at)} ${receipt}`);
  return saved ?? refuseMoved(tx, userId, at);
}

/** Locks or unlocks a note. Throws Conflict, Forbidden. */
export async function setProtection(tx: Tx, { userId }: Permit, at: NoteAt, to: 'none' | 'locked'): Promise<NoteReceipt> {
  const saved = await tx.maybeOne(sql.type(Receipt)`
    update personal_notes set protection = ${to}, revision = revision + 1 where ${isAt(userId, at)} ${receipt}`);
  return saved ?? refuseMoved(tx, userId, at);
}

/** `folderId` 0: without a folder. Throws Conflict, Forbidden. */
export async function setFolder(tx: Tx, { userId }: Permit, at: NoteAt, folderId: number): Promise<NoteReceipt> {
  const saved = await tx.maybeOne(sql.type(Receipt)`
    update personal_notes set folder_id = nullif(${folderId}::bigint, 0), revision = revision + 1 where ${isAt(userId, at)} ${receipt}`);
  return saved ?? refuseMoved(tx, userId, at);
}

/** Deletes the note and its attachments permanently. Throws Conflict, Forbidden. */
export async function removeOwnNote(tx: Tx, { userId }: Permit, at: NoteAt): Promise<NoteReceipt> {
  const gone = await tx.maybeOne(sql.type(Receipt)`delete from personal_notes where ${isAt(userId, at)} ${receipt}`);
  return gone ?? refuseMoved(tx, userId, at);
}

const Current = z.object({ revision: z.number(), protection: Protection });

async function refuseMoved(tx: Tx, userId: number, { id, revision, from }: NoteAt): Promise<never> {
  const now = await tx.maybeOne(sql.type(Current)`
    select revision, protection from personal_notes where id = ${id} and user_id = ${userId}`);
  if (!now || (now.revision === revision && !from.includes(now.protection))) throw new Forbidden();
  throw new Conflict(`Note ${id} has changed since you opened it and is at revision ${now.revision}. Read it again.`, {
    currentRevision: now.revision,
  });
}

/** Folder 0 always exists. Throws Forbidden. */
export async function requireFolder(tx: Tx, userId: number, folderId: number): Promise<void> {
  if (folderId !== 0 && !(await readFolders(tx, userId)).some(({ id }) => id === folderId)) throw new Forbidden();
}
