/** Notifications that the assignee of an item is away on its due date (behaviour §38.8). */
import { z } from 'zod';
import { type Fragment, fixedSql, type Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { limitedChoice, storeTold } from './queries.ts';
import { usualChoices } from './schema.ts';

/** Users who created or own item `f`, or watch it. */
const requesters = fixedSql(`select f.owner_id as user_id
  union select c.actor_id from changes c where c.item_id = f.id and c.kind = 'item.created'
  union select h.user_id from item_watches h where h.item_id = f.id and h.watching
  except select h.user_id from item_watches h where h.item_id = f.id and not h.watching`);

const choice = limitedChoice(sql.fragment`coalesce(h.choice, ${usualChoices.away})`, sql.fragment`m.notices`);

/** Of an absence in all, and of a person's absences in an hour of the clock (behaviour §38.8). */
const MOST_TOLD = 200;

/** The CTE `told` counts as notifications of the person's absences in this hour, and has at most as many rows as are left. */
interface Limit {
  personId: number;
  left: number;
}

const hourKey = (personId: Fragment) => sql.fragment`'absences:' || ${personId}`;

/** `away`: which absences `o` and items `i`. Once per absence, item and person, so a second run adds nothing. */
async function notifyOfAway(tx: Tx, away: Fragment, limit?: Limit): Promise<void> {
  const spent = sql.fragment`spent as (
      update rate_windows w set count = w.count + t.count from (select count(*) from told) t where w.key = ${hourKey(sql.fragment`${limit?.personId ?? 0}::bigint`)}),`;
  await tx.query(sql.unsafe`
    with found as (
      select i.id, i.account_id, i.workspace_id, i.needs, i.owner_id, i.due, o.id as absence_id, o.user_id as person_id
      from absences o join items i on i.assignee_id = o.user_id and not i.closed and i.shown and i.due between o.first_day and o.last_day
      where not o.half and o.last_day >= current_date and ${away}
    ),
    told as (
      select f.account_id, f.workspace_id, p.user_id, 'away' as kind, f.id as item_id, null::bigint as change_id,
        null::bigint as approval_id, f.absence_id, null::date as due_on, now() as due_at, f.person_id as actor_id, ${choice} as choice
      from found f cross join lateral (${requesters}) p
      join workspaces w on w.id = f.workspace_id and w.archived_at is null
      join users u on u.id = p.user_id and u.active and u.kind = 'person'
      join memberships m on m.user_id = p.user_id and m.workspace_id = f.workspace_id and f.needs & m.rights = f.needs
      left join notification_choices h on h.user_id = p.user_id and h.kind = 'away'
      where p.user_id <> f.person_id and ${choice} <> 'off' and not exists (
        select from notifications n where n.absence_id = f.absence_id and n.item_id = f.id and n.user_id = p.user_id)
      order by f.due, f.id, p.user_id limit ${limit?.left ?? null}::bigint
    ),
    ${limit ? spent : sql.fragment``}
    ${storeTold}`);
}

export interface DueItem {
  id: number;
  due: string;
}
const DueItem = z.object({ id: z.number(), due: z.string() });

/** Open items of the absent person that are due in the absence, after one of them by due date and id. Reads them by workspace, as the
 *  index has them. */
export const readDueItems = (tx: Tx, absenceId: number, after: DueItem | null, limit: number): Promise<readonly DueItem[]> =>
  tx.any(sql.type(DueItem)`
    select i.id, i.due::text as due
    from absences o join workspaces w on w.account_id = o.account_id and w.archived_at is null
    cross join lateral (
      select i.id, i.due from items i
      where i.workspace_id = w.id and i.assignee_id = o.user_id and not i.closed and i.shown and i.due <= o.last_day
        and i.due >= o.first_day and (i.due, i.id) > (coalesce(${after?.due ?? null}::date, '-infinity'), ${after?.id ?? 0}::bigint)
      order by i.due, i.id limit ${limit}
    ) i
    where o.id = ${absenceId} order by i.due, i.id limit ${limit}`);

const Room = z.object({ personId: z.number(), accountId: z.number(), ofAbsence: z.number(), ofHour: z.number(), nextHour: z.string() });

/** How many notifications the absence, and the person's absences in this hour, may still cause. Locks the hour until the transaction ends.
 *  Null if the absence sends no notifications. */
export const readRoom = (tx: Tx, absenceId: number) =>
  tx.maybeOne(sql.type(Room)`
    with absence as (
      select o.id, o.user_id, o.account_id from absences o where o.id = ${absenceId} and not o.half and o.last_day >= current_date
    ),
    hour as (
      insert into rate_windows as w (key, window_start, count) select ${hourKey(sql.fragment`user_id`)}, date_trunc('hour', now()), 0 from absence
      on conflict (key) do update set window_start = excluded.window_start,
        count = case when w.window_start = excluded.window_start then w.count else 0 end
      returning count
    )
    select o.user_id as "personId", o.account_id as "accountId", ${MOST_TOLD} - hour.count as "ofHour",
      ${MOST_TOLD} - (select count(*) from (select from notifications n where n.absence_id = o.id limit ${MOST_TOLD}) n) as "ofAbsence",
      date_trunc('hour', now()) + interval '1 hour' as "nextHour"
    from absence o, hour`);

/** Notifications for some items that are due in an absence. */
export const notifyOfAbsence = (tx: Tx, absenceId: number, itemIds: readonly number[], limit: Limit): Promise<void> =>
  notifyOfAway(tx, sql.fragment`o.id = ${absenceId} and i.id = any(${sql.array([...itemIds], 'int8')})`, limit);

/** Notifications for items that these changes created, or gave another assignee or date. */
export const notifyOfAwayAssignees = (tx: Tx, changeIds: readonly number[]): Promise<void> =>
  notifyOfAway(
    tx,
    sql.fragment`i.id in (select c.item_id from changes c where c.id = any(${sql.array([...changeIds], 'int8')})
      and (c.kind in ('item.created', 'item.restored') or c.fields ?| array['assigneeId', 'dueDate', 'targetDate', 'status']))`,
  );
