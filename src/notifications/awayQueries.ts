/** Notifications that the assignee of an item is away on its due date (behaviour §38.8). */
import { z } from 'zod';
import { type Fragment, fixedSql, type Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { addToHour, heldHour, limitedChoice, storeTold } from './queries.ts';
import { usualChoices } from './schema.ts';

/** Users who created or own item `f`, or watch it. */
const requesters = fixedSql(`select f.owner_id as user_id
  union select c.actor_id from changes c where c.item_id = f.id and c.kind = 'item.created'
  union select h.user_id from item_watches h where h.item_id = f.id and h.watching
  except select h.user_id from item_watches h where h.item_id = f.id and not h.watching`);

const choice = limitedChoice(sql.fragment`coalesce(h.choice, ${usualChoices.away})`, sql.fragment`m.notices`);

/** Notifications of an absence in all, and of a person's absences in an hour of the clock (behaviour §38.8). */
const MOST_TOLD = 200;

const hourKey = (personId: Fragment) => sql.fragment`'absences:' || ${personId}`;

/** SQL: how many notifications absence `o` may still cause. */
const leftOfAbsence = sql.fragment`
  ${MOST_TOLD} - (select count(*) from (select from notifications n where n.absence_id = o.id limit ${MOST_TOLD}) n)`;

/** `away`: which absences `o` and items `i`. Once per absence, item and person, so a second run adds nothing. */
async function notifyOfAway(tx: Tx, away: Fragment): Promise<void> {
  await tx.query(sql.unsafe`
    with found as (
      select i.id, i.account_id, i.workspace_id, i.needs, i.owner_id, i.due, o.id as absence_id, o.user_id as person_id,
        ${leftOfAbsence} as left_of_absence, ${MOST_TOLD} - coalesce((
          select w.count from rate_windows w where w.key = ${hourKey(sql.fragment`o.user_id`)} and w.window_start = date_trunc('hour', now())), 0) as left_of_hour
      from absences o join items i on i.assignee_id = o.user_id and not i.closed and i.shown and i.due between o.first_day and o.last_day
      where not o.half and o.last_day >= current_date and ${away}
    ),
    possible as (
      select f.*, p.user_id, ${choice} as choice, row_number() over (partition by f.absence_id order by f.due, f.id, p.user_id) as place
      from found f cross join lateral (${requesters}) p
      join workspaces w on w.id = f.workspace_id and w.archived_at is null
      join users u on u.id = p.user_id and u.active and u.kind = 'person'
      join memberships m on m.user_id = p.user_id and m.workspace_id = f.workspace_id and f.needs & m.rights = f.needs
      left join notification_choices h on h.user_id = p.user_id and h.kind = 'away'
      where p.user_id <> f.person_id and ${choice} <> 'off' and not exists (
        select from notifications n where n.absence_id = f.absence_id and n.item_id = f.id and n.user_id = p.user_id)
    ),
    placed as (
      select *, row_number() over (partition by person_id order by due, id, user_id) as place_in_hour from possible where place <= left_of_absence
    ),
    told as (
      select account_id, workspace_id, user_id, 'away' as kind, id as item_id, null::bigint as change_id, null::bigint as approval_id, absence_id,
        null::date as due_on, now() as due_at, person_id as actor_id, choice
      from placed where place_in_hour <= left_of_hour
    ),
    spent as (
      insert into rate_windows as w (key, window_start, count)
      select ${hourKey(sql.fragment`actor_id`)} as key, date_trunc('hour', now()), count(*) from told group by key order by key
      ${addToHour}
    ),
    ${storeTold}`);
}

const DueItem = z.object({ id: z.number(), due: z.string() });
export type DueItem = z.infer<typeof DueItem>;

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
    ${heldHour(hourKey(sql.fragment`user_id`), 'absence')}
    select o.user_id as "personId", o.account_id as "accountId", ${MOST_TOLD} - hour.count as "ofHour",
      ${leftOfAbsence} as "ofAbsence",
      date_trunc('hour', now()) + interval '1 hour' as "nextHour"
    from absence o, hour`);

/** Notifications for some items that are due in an absence. */
export const notifyOfAbsence = (tx: Tx, absenceId: number, itemIds: readonly number[]): Promise<void> =>
  notifyOfAway(tx, sql.fragment`o.id = ${absenceId} and i.id = any(${sql.array([...itemIds], 'int8')})`);

/** Notifications for items that these changes created, or gave another assignee or date. */
export const notifyOfAwayAssignees = (tx: Tx, changeIds: readonly number[]): Promise<void> =>
  notifyOfAway(
    tx,
    sql.fragment`i.id in (select c.item_id from changes c where c.id = any(${sql.array([...changeIds], 'int8')})
      and (c.kind in ('item.created', 'item.restored') or c.fields ?| array['assigneeId', 'dueDate', 'targetDate', 'status']))`,
  );
