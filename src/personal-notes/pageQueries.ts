/** SQL about personal notes for their owner's own pages: protected notes, folders and attachments, which no agent ever reaches. */
import { z } from 'zod';
import { type Caller, type Permit, permitOutside } from '../access/caller.ts';
import { authenticate } from '../access/queries.ts';
import { fixedSql, type Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { Conflict, Forbidden } from '../values/errors.ts';
import type { NoteReceipt } from './schema.ts';

/** The person themself, signed in: keys, agents and jobs get no further. Throws Unauthenticated, Forbidden. */
export async function ownerPermit(tx: Tx, caller: Caller): Promise<Permit> {
  if (caller.kind !== 'session') throw new Forbidden();
  const { account_id: accountId, user_id: userId } = await authenticate(tx, caller);
  return permitOutside(caller, accountId, userId);
}

const Protection = z.enum(['none', 'locked', 'encrypted']);
export type Protection = z.infer<typeof Protection>;

const OwnSummary = z.object({
  id: z.number(),
  /** Empty for a protected note: its first line is part of what is protected. */
  title: z.string(),
  protection: Protection,
  folderId: z.number(),
  folderName: z.string().nullable(),
  attachments: z.number(),
  updatedAt: z.string(),
});
export type OwnSummary = z.infer<typeof OwnSummary>;

export interface OwnNotesWanted {
  /** 0: unfiled; null: all. */
  folderId: number | null;
  /** Literal text, whatever its case; finds nothing in protected notes (behaviour §11.14). Empty: no search. */
  search: string;
  offset: number;
  limit: number;
}

/** Newest change first; one more than `limit` when there are more. */
export function readOwnNotes(tx: Tx, userId: number, { folderId, search, offset, limit }: OwnNotesWanted): Promise<readonly OwnSummary[]> {
  return tx.any(sql.type(OwnSummary)`
    select n.id, case n.protection when 'none' then n.title else '' end as title, n.protection,
           coalesce(n.folder_id, 0) as "folderId", f.name as "folderName", n.updated_at as "updatedAt",
           (select count(*) from note_attachments a where a.account_id = n.account_id and a.note_id = n.id) as attachments
    from personal_notes n left join note_folders f on f.id = n.folder_id
    where n.user_id = ${userId}
      and (${folderId}::bigint is null or coalesce(n.folder_id, 0) = ${folderId}::bigint)
      and (${search} = '' or (n.protection = 'none' and strpos(lower(n.text), lower(${search})) > 0))
    order by n.updated_at desc, n.id desc offset ${offset} limit ${limit + 1}`);
}

const Folder = z.object({ id: z.number(), name: z.string(), notes: z.number() });
export type Folder = z.infer<typeof Folder>;

export function readFolders(tx: Tx, userId: number): Promise<readonly Folder[]> {
  return tx.any(sql.type(Folder)`
    select f.id, f.name, (select count(*) from personal_notes n where n.user_id = f.user_id and n.folder_id = f.id) as notes
    from note_folders f where f.user_id = ${userId} order by lower(f.name), f.id`);
}

const OwnNote = z.object({
  id: z.number(),
  title: z.string(),
  /** Empty unless `readable`. */
  html: z.string(),
  /** Of an encrypted note alone. */
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

/** `opened`: the person has just given their password. Without it a locked note tells nothing of what is in it. */
export async function readOwnNote(tx: Tx, userId: number, id: number, opened: boolean): Promise<OwnNote> {
  const note = await tx.maybeOne(sql.type(OwnNote)`
    select n.id, case when r.readable then n.title else '' end as title, case when r.readable then n.html else '' end as html,
           case n.protection when 'encrypted' then coalesce(n.cipher, n.html) end as cipher, n.protection, r.readable,
           coalesce(n.folder_id, 0) as "folderId", n.revision, n.updated_at as "updatedAt",
           (select coalesce(json_agg(json_build_object('id', a.id, 'name', a.name, 'bytes', length(a.content)) order by a.id), '[]')
              from note_attachments a
              where a.account_id = n.account_id and a.note_id = n.id and (r.readable or n.protection = 'encrypted')) as attachments
    from personal_notes n
    cross join lateral (select n.protection = 'none' or (n.protection = 'locked' and ${opened}::boolean) as readable) r
    where n.id = ${id} and n.user_id = ${userId}`);
  if (!note) throw new Forbidden();
  return note;
}

const Held = z.object({ id: z.number() });

/** Keeps the note as it is until the end of the transaction. Every change that looks at the note and then decides (how many files it has,
 *  how it is protected) holds it first: what two processes looked at before they wait for each other is old when their turn comes. */
export async function holdNote(tx: Tx, userId: number, id: number): Promise<void> {
  await tx.maybeOneFirst(sql.type(Held)`select id from personal_notes where id = ${id} and user_id = ${userId} for update`);
}

const Receipt = z.object({ id: z.number(), revision: z.number() });
const receipt = fixedSql('returning id, revision');

/** What a note is changed to; its folder 0: unfiled. */
export interface NoteState {
  html: string;
  title: string;
  text: string;
  cipher: string | null;
  protection: Protection;
  folderId: number;
}

/** An id that no other note gets. */
export const takeNoteId = (tx: Tx): Promise<number> =>
  tx.oneFirst(sql.type(Held)`select nextval(pg_get_serial_sequence('personal_notes', 'id')) as id`);

/** `id`: from takeNoteId. Null: there is a note with that id already. */
export function insertOwnNote(tx: Tx, { accountId, userId }: Permit, id: number, state: NoteState): Promise<NoteReceipt | null> {
  const { html, title, text, cipher, protection, folderId } = state;
  return tx.maybeOne(sql.type(Receipt)`
    insert into personal_notes (id, account_id, user_id, folder_id, html, title, text, cipher, protection) overriding system value
    values (${id}, ${accountId}, ${userId}, nullif(${folderId}::bigint, 0), ${html}, ${title}, ${text}, ${cipher}, ${protection})
    on conflict (id) do nothing ${receipt}`);
}

/** Which note a change is for: one of these protections, still at the revision that it is based on. */
export interface NoteAt {
  id: number;
  revision: number;
  from: readonly Protection[];
}

const isAt = (userId: number, { id, revision, from }: NoteAt) => sql.fragment`
  id = ${id} and user_id = ${userId} and revision = ${revision} and protection = any(${sql.array([...from], 'text')})`;

/** Throws Conflict, Forbidden. */
export async function replaceNote(tx: Tx, { userId }: Permit, at: NoteAt, state: NoteState): Promise<NoteReceipt> {
  const { html, title, text, cipher, protection, folderId } = state;
  const saved = await tx.maybeOne(sql.type(Receipt)`
    update personal_notes
    set html = ${html}, title = ${title}, text = ${text}, cipher = ${cipher}, protection = ${protection},
        folder_id = nullif(${folderId}::bigint, 0), revision = revision + 1, updated_at = now()
    where ${isAt(userId, at)} ${receipt}`);
  return saved ?? refuseMoved(tx, userId, at);
}

/** Locks or unlocks; nothing else about the note changes. Throws Conflict, Forbidden. */
export async function setProtection(tx: Tx, { userId }: Permit, at: NoteAt, to: 'none' | 'locked'): Promise<NoteReceipt> {
  const saved = await tx.maybeOne(sql.type(Receipt)`
    update personal_notes set protection = ${to}, revision = revision + 1 where ${isAt(userId, at)} ${receipt}`);
  return saved ?? refuseMoved(tx, userId, at);
}

/** The note and its attachments are gone for good. Throws Conflict, Forbidden. */
export async function removeOwnNote(tx: Tx, { userId }: Permit, at: NoteAt): Promise<NoteReceipt> {
  const gone = await tx.maybeOne(sql.type(Receipt)`delete from personal_notes where ${isAt(userId, at)} ${receipt}`);
  return gone ?? refuseMoved(tx, userId, at);
}

const Current = z.object({ revision: z.number(), protection: Protection });

async function refuseMoved(tx: Tx, userId: number, { id, revision, from }: NoteAt): Promise<never> {
  const now = await tx.maybeOne(sql.type(Current)`
    select revision, protection from personal_notes where id = ${id} and user_id = ${userId}`);
  if (!now || (now.revision === revision && !from.includes(now.protection))) throw new Forbidden();
  throw new Conflict(`Note ${id} has been changed since you opened it, and is at revision ${now.revision} now.`, {
    currentRevision: now.revision,
  });
}

/** 0 is no folder and always there. */
export async function requireFolder(tx: Tx, userId: number, folderId: number): Promise<void> {
  if (folderId !== 0 && !(await readFolders(tx, userId)).some(({ id }) => id === folderId)) throw new Forbidden();
}
