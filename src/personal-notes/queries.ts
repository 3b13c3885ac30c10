/** SQL of personal notes. Only the owner can access them; locked and encrypted notes do not exist here (behaviour §11.4). */
import { z } from 'zod';
import { type Caller, type Permit, permitOutside } from '../access/caller.ts';
import { callerCte } from '../access/queries.ts';
import { personalNoteBits, personalNoteRights } from '../connections/personalNoteRights.ts';
import { type Fragment, fixedSql, instantText, type Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { CredentialRefused, Forbidden } from '../values/errors.ts';
import type { NoteReceipt } from './schema.ts';

/** Agents have the rights that the note's owner gave this connection, the owner has all, REST keys have none. */
function rightsOf(caller: Caller): Fragment {
  if (caller.kind === 'agent') return sql.fragment`(select c.note_rights from connections c where c.id = who.credential_id)`;
  return sql.fragment`${caller.kind === 'key' ? 0 : personalNoteBits(personalNoteRights)}::integer`;
}

function owner(caller: Caller): Fragment {
  return sql.fragment`
    ${callerCte(caller)},
    own as (select who.account_id, who.user_id, ${rightsOf(caller)} as note_rights from who)`;
}

const within = sql.fragment`n.account_id = own.account_id and n.user_id = own.user_id and n.protection = 'none'`;

const folderFound = (folderId: number) => sql.fragment`
  (${folderId}::bigint = 0 or exists (select from note_folders f
    where f.id = ${folderId} and f.account_id = own.account_id and f.user_id = own.user_id))`;

const Summary = z.object({ id: z.number(), title: z.string(), folderId: z.number(), revision: z.number(), updatedAt: z.string() });
export type NoteSummary = z.infer<typeof Summary>;
const List = z.object({
  note_rights: z.number(),
  folder_found: z.boolean(),
  notes: z.array(Summary),
  folders: z.array(z.object({ id: z.number(), name: z.string() })),
});

export interface NotesWanted {
  folderId?: number | undefined;
  search?: string | undefined;
  afterId: number;
  limit: number;
}

const summaryJson = fixedSql(`json_build_object('id', n.id, 'title', n.title, 'folderId', coalesce(n.folder_id, 0), 'revision', n.revision,
  'updatedAt', ${instantText('n.updated_at')})`);

/** Notes by id, one more than `limit` if there are more, and all folders. Throws Unauthenticated, Forbidden. */
export async function readNotes(tx: Tx, caller: Caller, wanted: NotesWanted): Promise<z.infer<typeof List>> {
  const { folderId, search, afterId, limit } = wanted;
  const conditions = [within, sql.fragment`n.id > ${afterId}`];
  if (folderId !== undefined) conditions.push(sql.fragment`n.folder_id is not distinct from nullif(${folderId}::bigint, 0)`);
  if (search !== undefined) conditions.push(sql.fragment`strpos(lower(n.text), lower(${search})) > 0`);
  const row = await tx.maybeOne(sql.type(List)`
    with ${owner(caller)}
    select own.note_rights, ${folderFound(folderId ?? 0)} as folder_found,
      (select coalesce(json_agg(${summaryJson} order by n.id), '[]')
        from (select * from personal_notes n where ${sql.join(conditions, sql.fragment` and `)} order by n.id limit ${limit + 1}) n) as notes,
      (select coalesce(json_agg(json_build_object('id', f.id, 'name', f.name) order by f.id), '[]')
        from note_folders f where f.account_id = own.account_id and f.user_id = own.user_id) as folders
    from own`);
  if (!row) throw new CredentialRefused();
  if (!(row.note_rights & personalNoteBits(['read'])) || !row.folder_found) throw new Forbidden();
  return row;
}

const NoteWithHtml = z.object({
  id: z.number(),
  title: z.string(),
  html: z.string(),
  folderId: z.number(),
  revision: z.number(),
  attachments: z.array(z.string()),
});
export type NoteWithHtml = z.infer<typeof NoteWithHtml>;
const FoundNote = z.object({ note_rights: z.number(), note: NoteWithHtml.nullable() });

/** One note with the names of its attachments. Throws Unauthenticated, Forbidden. */
export async function readNote(tx: Tx, caller: Caller, id: number): Promise<NoteWithHtml> {
  const row = await tx.maybeOne(sql.type(FoundNote)`
    with ${owner(caller)}
    select own.note_rights, (
      select json_build_object('id', n.id, 'title', n.title, 'html', n.html, 'folderId', coalesce(n.folder_id, 0), 'revision', n.revision,
        'attachments', (select coalesce(json_agg(a.name order by a.id), '[]')
          from note_attachments a where a.account_id = n.account_id and a.note_id = n.id))
      from personal_notes n where n.id = ${id} and ${within}
    ) as note
    from own`);
  if (!row) throw new CredentialRefused();
  if (!(row.note_rights & personalNoteBits(['read'])) || !row.note) throw new Forbidden();
  return row.note;
}

const Facts = z.object({
  account_id: z.number(),
  user_id: z.number(),
  note_rights: z.number(),
  revision: z.number().nullable(),
  html: z.string().nullable(),
  folder_found: z.boolean(),
});

export interface NoteFacts {
  personalNoteRights: number;
  revision: number | null;
  html: string | null;
  folderFound: boolean;
}

/** The facts that a write needs; `id` 0 for a new note. Notes belong to no workspace, so `workspaceId` is 0. Throws Unauthenticated. */
export async function readNoteFacts(
  tx: Tx,
  caller: Caller,
  { id, folderId, withHtml = false }: { id: number; folderId: number; withHtml?: boolean },
): Promise<Permit & NoteFacts> {
  const row = await tx.maybeOne(sql.type(Facts)`
    with ${owner(caller)}
    select own.*, n.revision, ${withHtml ? sql.fragment`n.html` : sql.fragment`null`} as html, ${folderFound(folderId)} as folder_found
    from own left join personal_notes n on n.id = ${id} and ${within}`);
  if (!row) throw new CredentialRefused();
  return {
    ...permitOutside(caller, row.account_id, row.user_id),
    personalNoteRights: row.note_rights,
    revision: row.revision,
    html: row.html,
    folderFound: row.folder_found,
  };
}

const Receipt = z.object({ id: z.number(), revision: z.number() });

export interface NoteContent {
  html: string;
  title: string;
  text: string;
  folderId: number;
}

/** Without `folderId` the note stays in its folder. */
type NoteChange = Omit<NoteContent, 'folderId'> & { folderId?: number | undefined };

/** The writes check the rights again. Null if the caller has lost them, or the note has changed or is not available any more. */
export function insertNote(tx: Tx, { caller }: Permit, { html, title, text, folderId }: NoteContent): Promise<NoteReceipt | null> {
  return tx.maybeOne(sql.type(Receipt)`
    with ${owner(caller)}
    insert into personal_notes (account_id, user_id, folder_id, html, title, text)
    select own.account_id, own.user_id, nullif(${folderId}::bigint, 0), ${html}, ${title}, ${text}
    from own where own.note_rights & ${personalNoteBits(['add'])} <> 0 and ${folderFound(folderId)}
    returning id, revision`);
}

export function updateNote(
  tx: Tx,
  { caller }: Permit,
  { id, revision }: NoteReceipt,
  { html, title, text, folderId }: NoteChange,
): Promise<NoteReceipt | null> {
  const folder = folderId === undefined ? sql.fragment`n.folder_id` : sql.fragment`nullif(${folderId}::bigint, 0)`;
  return tx.maybeOne(sql.type(Receipt)`
    with ${owner(caller)}
    update personal_notes n
    set html = ${html}, title = ${title}, text = ${text}, folder_id = ${folder}, revision = n.revision + 1, updated_at = now()
    from own
    where n.id = ${id} and n.revision = ${revision} and ${within} and own.note_rights & ${personalNoteBits(['edit'])} <> 0 and ${folderFound(folderId ?? 0)}
    returning n.id, n.revision`);
}

/** Deletes the note permanently. The foreign key deletes its attachments. */
export function removeNote(tx: Tx, { caller }: Permit, { id, revision }: NoteReceipt): Promise<NoteReceipt | null> {
  return tx.maybeOne(sql.type(Receipt)`
    with ${owner(caller)}
    delete from personal_notes n using own
    where n.id = ${id} and n.revision = ${revision} and ${within} and own.note_rights & ${personalNoteBits(['delete'])} <> 0
    returning n.id, n.revision`);
}

/** SQL of a user's folders. Callers lock the users row, so that names stay unique and the number limited. */
const Found = z.object({ id: z.number() });

export async function lockOwner(tx: Tx, userId: number): Promise<void> {
  await tx.query(sql.unsafe`select id from users where id = ${userId} for no key update`);
}

/** Returns null if the name is in use. */
export function insertFolder(tx: Tx, { accountId, userId }: Permit, name: string): Promise<number | null> {
  return tx.maybeOneFirst(sql.type(Found)`
    insert into note_folders (account_id, user_id, name) values (${accountId}, ${userId}, ${name}) on conflict do nothing returning id`);
}

export function updateFolder(tx: Tx, { userId }: Permit, id: number, name: string): Promise<number | null> {
  return tx.maybeOneFirst(sql.type(Found)`
    update note_folders set name = ${name} where id = ${id} and user_id = ${userId} returning id`);
}

/** Its notes get no folder. Returns null if there is no such folder. */
export async function removeFolder(tx: Tx, { userId }: Permit, id: number): Promise<number | null> {
  await tx.query(sql.unsafe`update personal_notes set folder_id = null where user_id = ${userId} and folder_id = ${id}`);
  return tx.maybeOneFirst(sql.type(Found)`delete from note_folders where id = ${id} and user_id = ${userId} returning id`);
}
