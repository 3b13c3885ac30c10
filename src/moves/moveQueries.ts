/** SQL that moves items to another workspace. Foreign keys lead from rows to (workspace, item). PostgreSQL checks them at the end of a
 *  statement, so one statement moves an item and all its rows. */
import { z } from 'zod';
import type { Permit } from '../access/caller.ts';
import { accessAmong, accessTo, callerCte } from '../access/queries.ts';
import { bits, type ItemType, resourceOf } from '../access/rights.ts';
import { recordChanges, recordDepartures } from '../changes/recordQueries.ts';
import { type Fragment, fixedSql, type Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { fields, linkNames } from '../items/fields.ts';
import { sourceKey } from '../items/sourceKey.ts';
import { Forbidden } from '../values/errors.ts';
import type { MovePlan } from './plan.ts';

const idsOf = (rows: readonly { id: number }[]) =>
  sql.array(
    rows.map(({ id }) => id),
    'int8',
  );

const Id = z.object({ id: z.number() });

/** Locks the people with time or plans on these items, then the items, each by id. Later inserts of rows that refer to an item wait for
 *  the move, then find the item absent. */
export async function lockMove(tx: Tx, itemIds: readonly number[]): Promise<void> {
  const ids = sql.array([...itemIds], 'int8');
  await tx.query(sql.unsafe`
    select from users where id in (select user_id from time_entries where item_id = any(${ids}) union select user_id from plan_blocks where item_id = any(${ids}))
    order by id for no key update`);
  await tx.query(sql.unsafe`select from items where id = any(${ids}) order by id for update`);
}

/** SQL: the value of a link of row `i`: null where `r` says that it ends. */
const linkSets = fixedSql(
  linkNames
    .map((name) => `${fields[name].column} = case when r.links::jsonb ? '${name}' then null else i.${fields[name].column} end`)
    .join(', '),
);

const links = (rows: readonly { id: number; links: object }[]): Fragment => sql.fragment`
  json_to_recordset(${JSON.stringify(rows.map(({ id, links: cut }) => ({ id, links: cut })))}::json) as r (id bigint, links json)`;

/** Cuts the links of items that stay, and the dependencies, stars, labels and plan blocks that can't move with them. Returns the ended blocks. */
export async function cutTies(tx: Tx, permit: Permit, plan: MovePlan, targetId: number): Promise<readonly number[]> {
  const { arrivals, remainders, endedBlocks } = plan;
  const changing = remainders.toSorted((a, b) => a.id - b.id);
  if (changing.length)
    await tx.query(sql.unsafe`
      with ${accessTo(permit.caller, permit.workspaceId)},
      saved as (
        update items i set ${linkSets}, version = i.version + 1 from ${links(changing)} where i.id = r.id returning i.*
      ),
      ${recordChanges(
        permit.caller,
        'item.updated',
        changing.map(({ changed }) => changed),
      )}
      select count(*) from changed`);
  const ids = idsOf(arrivals);
  await tx.query(sql.unsafe`
    delete from item_dependencies d where (d.item_id = any(${ids})) <> (d.blocker_id = any(${ids}))
      and (d.item_id = any(${ids}) or d.blocker_id = any(${ids}))`);
  await tx.query(sql.unsafe`delete from item_labels where item_id = any(${ids})`);
  await tx.query(sql.unsafe`
    delete from stars s where s.item_id = any(${ids})
      and not exists (select from memberships m where m.user_id = s.user_id and m.workspace_id = ${targetId})`);
  return tx.anyFirst(sql.type(Id)`
    update plan_blocks b set state = 'cancelled', revision = b.revision + 1
    from json_to_recordset(${JSON.stringify(endedBlocks)}::json) as e ("userId" bigint, "itemId" bigint)
    where b.user_id = e."userId" and b.item_id = e."itemId" and b.state in ('scheduled', 'running') returning b.id`);
}

/** Tables whose rows belong to an item by `item_id`, and have its workspace. A cascade moves the rows of recurring tasks. */
export const followers = [
  'item_texts',
  'comments',
  'approvals',
  'item_files',
  'item_watches',
  'project_outlooks',
  'item_dependencies',
  'stars',
  'time_entries',
  'plan_blocks',
  'imported_comments',
] as const;

/** Moves the items with their rows. Triggers keep where texts and time were written (sql/0132). Throws Forbidden if the caller has lost the
 *  rights meanwhile. */
export async function moveRows(tx: Tx, permit: Permit, plan: MovePlan, targetId: number, types: readonly ItemType[]): Promise<void> {
  const { caller, workspaceId } = permit;
  const needed = (level: 'write' | 'delete') => types.reduce((all, type) => all | bits(resourceOf(type), level), 0);
  const ids = idsOf(plan.arrivals);
  const here = sql.fragment`workspace_id = ${workspaceId} and exists (select from ready)`;
  const along = followers.map((table) => {
    const [name, cte] = [sql.identifier([table]), sql.identifier([`along_${table}`])];
    return sql.fragment`${cte} as (update ${name} set workspace_id = ${targetId} where item_id = any(${ids}) and ${here})`;
  });
  const rows = plan.arrivals.map(({ id, status, statusKey, priorityKey, ownerId, assigneeId, links: cut }) => ({
    ...{ id, status, statusKey, priorityKey, ownerId, assigneeId, links: cut },
  }));
  const moved = await tx.any(sql.type(Id)`
    with ${callerCte(caller)}, ${accessAmong(caller, sql.fragment`array[${workspaceId}::bigint, ${targetId}::bigint]`)},
    ready as materialized (
      select 1 from access source join access target on target.workspace_id = ${targetId} and target.rights & ${needed('write')} = ${needed('write')}
      where source.workspace_id = ${workspaceId} and source.rights & ${needed('delete')} = ${needed('delete')}
    ),
    saved as (
      update items i set workspace_id = ${targetId}, status = r.status, status_key = r."statusKey", priority_key = r."priorityKey", owner_id = r."ownerId",
        assignee_id = r."assigneeId", ${linkSets}, version = i.version + 1
      from json_to_recordset(${JSON.stringify(rows)}::json) as r (id bigint, status text, "statusKey" text, "priorityKey" text, "ownerId" bigint,
        "assigneeId" bigint, links json), ready
      where i.id = r.id and i.workspace_id = ${workspaceId}
      returning i.id
    ),
    ${sql.join(along, fixedSql(', '))},
    along_changes as (update changes set workspace_id = ${targetId} where item_id = any(${ids}) and left_needs is null and ${here}),
    along_trend as (update trend_points set workspace_id = ${targetId} where project_id = any(${ids}) and ${here}),
    along_versions as (
      update time_entry_versions set workspace_id = ${targetId}
      where entry_id in (select id from time_entries where item_id = any(${ids})) and item_id = any(${ids}) and ${here}
    ),
    along_notifications as (
      update notifications set workspace_id = ${targetId}
      where (item_id = any(${ids}) or entry_id in (select id from time_entries where item_id = any(${ids}))
        or block_id in (select id from plan_blocks where item_id = any(${ids}))
        or approval_id in (select id from approvals where item_id = any(${ids}))) and ${here}
    ),
    along_imported as (
      update imported_items k set workspace_id = ${targetId}, import_id = null, key = case when not own.taken then own.key end,
        shadowed_key = case when own.taken then own.key end
      from (
        select k.item_id, ${sourceKey} as key, row_number() over (partition by k.source, ${sourceKey} order by k.shadowed_key is not null, k.item_id) > 1
          or exists (select from imported_items t where t.workspace_id = ${targetId} and t.source = k.source and t.key = ${sourceKey}) as taken
        from imported_items k where k.item_id = any(${ids})
      ) own
      where k.item_id = own.item_id and ${here}
    )
    select id from saved`);
  if (moved.length !== plan.arrivals.length) throw new Forbidden();
}

/** Gives the moved items their labels, and records the move in both workspaces: first in the new one, so that a reader who has got the
 *  other row does not get this one too if the item comes back. */
export async function recordMove(tx: Tx, { caller, workspaceId }: Permit, plan: MovePlan): Promise<void> {
  const labels = plan.arrivals.flatMap(({ id, labels: own }) => own.map((label) => ({ id, label })));
  await tx.query(sql.unsafe`
    insert into item_labels (account_id, workspace_id, item_id, label_id)
    select i.account_id, i.workspace_id, i.id, l.label
    from json_to_recordset(${JSON.stringify(labels)}::json) as l (id bigint, label bigint) join items i on i.id = l.id on conflict do nothing`);
  const arrivals = plan.arrivals.toSorted((a, b) => a.id - b.id);
  const departures = arrivals.map(({ id, needs, title, left }) => ({ id, needs, title, fields: left }));
  await tx.query(sql.unsafe`
    with ${accessTo(caller, workspaceId)},
    saved as (select i.* from items i where i.id = any(${idsOf(arrivals)})),
    ${recordDepartures(caller, workspaceId, departures)},
    ${recordChanges(
      caller,
      'item.moved',
      arrivals.map(({ changed }) => changed),
    )}
    select (select count(*) from changed) + (select count(*) from departed)`);
}
