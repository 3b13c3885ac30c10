/** SQL of svc_get_item: an item, its notes, its history and the items below it. */
import { z } from 'zod';
import { visibleById, workspaceOf } from '../access/accountAccessQueries.ts';
import type { Caller } from '../access/caller.ts';
import { accessTo, callerCte } from '../access/queries.ts';
import { historyJson } from '../changes/queries.ts';
import { HistoryRow } from '../changes/schema.ts';
import { notesJson } from '../comments/progressNoteQueries.ts';
import { ProgressNote } from '../comments/schema.ts';
import type { Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { CredentialRefused, Forbidden } from '../values/errors.ts';
import { rootOf } from './findWork/belowQueries.ts';
import { childrenJson, Progress, progressJson } from './findWork/progressQueries.ts';
import { zoneOf } from './findWork/queries.ts';
import { RowBlocker, WorkRow, workRowJson } from './findWork/workRowQueries.ts';
import { visible, visibleWorkOf, workOf } from './queries.ts';
import { blockedIdsJson, labelNamesJson, rowBlockersJson } from './relationQueries.ts';
import { StoredWork } from './schema.ts';

const Found = z.object({
  workspace_id: z.number().nullable(),
  item: StoredWork.nullable(),
  notes: z.array(ProgressNote).nullable(),
  leads: z.boolean().nullable(),
  history: z.array(HistoryRow).nullable(),
  labels: z.array(z.string()).nullable(),
  blockedBy: z.array(RowBlocker).nullable(),
  blocks: z.array(z.number()).nullable(),
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
      ${withHistory ? historyJson(caller) : sql.fragment`null::json`} as history,
      ${labelNamesJson(sql.fragment`i.id`)} as labels, ${rowBlockersJson(sql.fragment`i.id`)} as "blockedBy", ${blockedIdsJson(id)} as blocks
    from access left join items i on i.id = ${id} and ${visibleById} left join users a on a.id = i.assignee_id ${workOf}`);
  if (!row) throw new CredentialRefused();
  if (row.workspace_id === null || row.item === null) throw new Forbidden();
  const { workspace_id: workspaceId, item, notes, history, labels, blockedBy, blocks } = row;
  return { workspaceId, item, notes, history, labels, blockedBy, blocks, ...(row.leads ? await readBelow(tx, caller, id) : nothingBelow) };
}

/** Throws Forbidden if the item is no longer visible. */
async function readBelow(tx: Tx, caller: Caller, id: number): Promise<Below> {
  const row = await tx.maybeOne(sql.type(Below)`
    with ${callerCte(caller)}, ${accessTo(caller, workspaceOf(id))}, ${rootOf(id)}
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
