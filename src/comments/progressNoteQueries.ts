/** SQL about progress notes: comments that agents write and read, with author and the original of a rewritten text (behaviour §8.3). */
import { z } from 'zod';
import type { Caller, Permit } from '../access/caller.ts';
import { AccessRow, accessTo, permitOf, whoAsks } from '../access/queries.ts';
import { bits, type ItemType, itemTypes, resourceOf } from '../access/rights.ts';
import { historyJson } from '../changes/queries.ts';
import { recordComment } from '../changes/recordQueries.ts';
import { HistoryRow } from '../changes/schema.ts';
import { fixedSql, instantText, type Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { rootOf } from '../items/findWork/belowQueries.ts';
import { childrenJson, Progress, progressJson } from '../items/findWork/progressQueries.ts';
import { zoneOf } from '../items/findWork/queries.ts';
import { WorkRow, workRowJson } from '../items/findWork/workRowQueries.ts';
import { visibleById } from '../items/lookupQueries.ts';
import { visible, visibleWorkOf, workOf, workspaceOf } from '../items/queries.ts';
import { StoredWork } from '../items/schema.ts';
import { CredentialRefused, Forbidden } from '../values/errors.ts';
import { ProgressNote } from './schema.ts';

const COMMENTS_READ = bits('comments', 'read');
const COMMENTS_WRITE = bits('comments', 'write');
const noteJson = (withOriginal: boolean) =>
  fixedSql(`json_strip_nulls(json_build_object('id', c.id, 'body', c.body, 'createdAt', ${instantText('c.created_at')}, 'authorName', u.name,
    'rewritten', c.original_body is not null${withOriginal ? ", 'originalBody', c.original_body" : ''}))`);

/** JSON of an item's latest 100 notes, for a statement with `access` and the item `i`. Null without the right to read comments. */
export const notesJson = (includeOriginals: boolean) => sql.fragment`case when access.context_rights & ${COMMENTS_READ} <> 0 then (
  select coalesce(json_agg(${noteJson(includeOriginals)} order by c.created_at desc, c.id desc), '[]')
  from (select * from comments where item_id = i.id order by created_at desc, id desc limit 100) c join users u on u.id = c.author_id
) end`;

const Found = z.object({
  workspace_id: z.number().nullable(),
  item: StoredWork.nullable(),
  notes: z.array(ProgressNote).nullable(),
  leads: z.boolean().nullable(),
  history: z.array(HistoryRow).nullable(),
});

const Below = z.object({
  tasks: z.array(WorkRow).nullable(),
  below: z.array(WorkRow),
  progress: Progress.nullable(),
});
type Below = z.infer<typeof Below>;
const nothingBelow: Below = { tasks: null, below: [], progress: null };

interface Besides {
  includeOriginals: boolean;
  history: boolean;
}

/** Notes are null without the right to read comments. Skips the second query for a task without subtasks, the most common case, because
 *  it costs more than the first. Throws Unauthenticated, Forbidden. */
export async function readItemWithProgressNotes(tx: Tx, caller: Caller, id: number, { includeOriginals, history: withHistory }: Besides) {
  const row = await tx.maybeOne(sql.type(Found)`
    with ${accessTo(caller, workspaceOf(id))}
    select access.workspace_id, case when i.id is not null then ${visibleWorkOf} end as item, ${notesJson(includeOriginals)} as notes,
      i.type <> 'task' or exists (select from items part where part.parent_item_id = i.id) as leads,
      ${withHistory ? historyJson(caller) : sql.fragment`null::json`} as history
    from access left join items i on i.id = ${id} and ${visibleById} left join users a on a.id = i.assignee_id ${workOf}`);
  if (!row) throw new CredentialRefused();
  if (row.workspace_id === null || row.item === null) throw new Forbidden();
  const { workspace_id: workspaceId, item, notes, history } = row;
  return { workspaceId, item, notes, history, ...(row.leads ? await readBelow(tx, caller, id) : nothingBelow) };
}

/** Throws Forbidden if the item is no longer visible. */
async function readBelow(tx: Tx, caller: Caller, id: number): Promise<Below> {
  const row = await tx.maybeOne(sql.type(Below)`
    with ${whoAsks(caller)}, ${accessTo(caller, workspaceOf(id))}, ${rootOf(id)}
    select case when root.type = 'requirement' then (
        select coalesce(json_agg(t.row order by t.id), '[]') from access cross join lateral (
          select i.id, ${workRowJson()} as row from items i left join users a on a.id = i.assignee_id
          where i.requirement_id = ${id} and i.type = 'task' and ${visible}
        ) t
      ) end as tasks,
      ${childrenJson} as below, ${progressJson(sql.fragment`(now() at time zone ${zoneOf(caller)})::date`)} as progress
    from access, root`);
  if (!row) throw new Forbidden();
  return row;
}

const Target = AccessRow.extend({ delegated_rights: z.number(), item_type: z.enum(itemTypes).nullable(), plain_language: z.boolean() });

/** Rights for notes, type of the visible item, plain language of the connection. Throws Unauthenticated, Forbidden. */
export async function readProgressNoteTarget(tx: Tx, caller: Caller, itemId: number) {
  const row = await tx.maybeOne(sql.type(Target)`
    with ${accessTo(caller, workspaceOf(itemId))}
    select access.account_id, access.user_id, access.workspace_id, access.rights, access.context_rights, access.delegated_rights,
           (select i.type from items i where i.id = ${itemId} and ${visibleById}) as item_type,
           (select c.plain_language from connections c where c.id = access.credential_id) as plain_language
    from access`);
  if (!row) throw new CredentialRefused();
  if (row.workspace_id === null || row.item_type === null) throw new Forbidden();
  return {
    ...permitOf(caller, row, row.workspace_id),
    delegatedRights: row.delegated_rights,
    itemType: row.item_type,
    plainLanguage: row.plain_language,
  };
}

const WrittenProgressNote = z.object({
  id: z.number(),
  itemId: z.number(),
  body: z.string(),
  createdAt: z.string(),
  rewritten: z.boolean(),
});
export type WrittenProgressNote = z.infer<typeof WrittenProgressNote>;
const written = sql.fragment`c.id, c.item_id as "itemId", c.body, c.created_at as "createdAt", c.original_body is not null as rewritten`;

/** `originalBody`: the text before rewriting. Checks the rights again. Throws Forbidden. */
export async function insertProgressNote(
  tx: Tx,
  permit: Permit & { itemType: ItemType },
  itemId: number,
  { body, originalBody }: { body: string; originalBody: string | null },
): Promise<WrittenProgressNote> {
  const needed = bits(resourceOf(permit.itemType), 'write');
  const note = await tx.maybeOne(sql.type(WrittenProgressNote)`
    with ${accessTo(permit.caller, permit.workspaceId)},
    saved as (
      insert into comments (account_id, workspace_id, item_id, author_id, body, original_body)
      select access.account_id, access.workspace_id, i.id, access.user_id, ${body}, ${originalBody}
      from access join items i on i.id = ${itemId} and ${visibleById}
      where access.delegated_rights & ${needed} = ${needed} and access.context_rights & ${COMMENTS_WRITE} = ${COMMENTS_WRITE}
      returning *
    ),
    ${recordComment(permit.caller)}
    select ${written} from saved c`);
  if (!note) throw new Forbidden();
  return note;
}

export interface ProgressNoteIds {
  id: number;
  itemId: number;
}

export const readProgressNote = (tx: Tx, { workspaceId }: Permit, itemId: number, id: number): Promise<WrittenProgressNote> =>
  tx.one(sql.type(WrittenProgressNote)`
    select ${written} from comments c where c.id = ${id} and c.item_id = ${itemId} and c.workspace_id = ${workspaceId}`);
