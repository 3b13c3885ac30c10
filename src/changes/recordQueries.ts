/** CTEs that write a change's row in the same statement as the change (behaviour §15.1). */
import type { Caller } from '../access/caller.ts';
import { viaOf } from '../access/via.ts';
import { type Fragment, fixedSql } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { type ChangedFields, type ChangeKind, type commentKinds, longTexts } from './schema.ts';

const columns = fixedSql(
  'account_id, workspace_id, item_id, actor_id, via, credential_id, credential_name, kind, version, comment_id, fields',
);

const actor = (caller: Caller): Fragment =>
  caller.kind === 'key' || caller.kind === 'agent'
    ? sql.fragment`access.user_id, ${viaOf(caller)}, access.credential_id, access.credential_name`
    : sql.fragment`access.user_id, ${viaOf(caller)}, null::bigint, null::text`;

/** CTE `changed`: a change for each item in `saved`. `fields` is in the order of their ids. */
export const recordChanges = (caller: Caller, kind: ChangeKind, fields: readonly ChangedFields[]): Fragment => sql.fragment`
  changed as (
    insert into changes (${columns})
    select placed.account_id, placed.workspace_id, placed.id, ${actor(caller)}, ${kind}, placed.version, null::bigint, f.fields
    from (select saved.*, row_number() over (order by saved.id) as place from saved) placed
    join jsonb_array_elements(${JSON.stringify(fields)}::jsonb) with ordinality as f (fields, place) on f.place = placed.place, access
    order by placed.id
    returning id, account_id, item_id, fields
  )`;

/** An item before its move: the rights needed to read it, and its title. */
interface Departure {
  id: number;
  needs: number;
  title: string;
  fields: ChangedFields;
}

/** CTE `departed`: records the move of the items in `saved` in `workspaceId`, which they have left (behaviour §42.5). */
export const recordDepartures = (caller: Caller, workspaceId: number, rows: readonly Departure[]): Fragment => sql.fragment`
  departed as (
    insert into changes (${columns}, left_needs, left_title)
    select saved.account_id, ${workspaceId}::bigint, saved.id, ${actor(caller)}, 'item.moved', saved.version, null::bigint, d.fields, d.needs, d.title
    from saved join jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as d (id bigint, needs integer, title text, fields jsonb) on d.id = saved.id,
      access
    order by saved.id
    returning id
  )`;

/** `limit 1` forces a lookup for each row: a plan made on a small table would read all items. */
const itsItem = sql.fragment`cross join lateral (select description, acceptance from items where id = changed.item_id limit 1) i`;

/** CTE `kept`: stores the previous value of each long text that this statement changes. Needs the CTE `changed`. */
export const storeChangedTexts = sql.fragment`
  kept as (
    insert into change_texts (account_id, change_id, name, before)
    select changed.account_id, changed.id, t.name, case t.name when 'description' then i.description else i.acceptance end
    from changed ${itsItem}, unnest(${sql.array([...longTexts], 'text')}) as t (name)
    where jsonb_exists(changed.fields, t.name)
  )`;

/** CTE `changed`: a change for each comment in `saved`. */
export const recordComment = (caller: Caller, kind: (typeof commentKinds)[number] = 'comment.created'): Fragment => sql.fragment`
  changed as (
    insert into changes (${columns})
    select saved.account_id, saved.workspace_id, saved.item_id, ${actor(caller)}, ${kind}, i.version, saved.id, '{}'::jsonb
    from saved cross join lateral (select version from items where id = saved.item_id limit 1) i, access
    order by saved.id
    returning id, account_id
  )`;
