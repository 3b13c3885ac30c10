/** Notifications that the assignee of an item is away on its due date (behaviour §38.8). */
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

/** `away`: which absences `o` and items `i`. Once per absence, item and person, so a second run adds nothing. */
async function notifyOfAway(tx: Tx, away: Fragment): Promise<void> {
  await tx.query(sql.unsafe`
    with found as (
      select i.id, i.account_id, i.workspace_id, i.needs, i.owner_id, o.id as absence_id, o.user_id as person_id
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
      where p.user_id <> f.person_id and ${choice} <> 'off'
    ),
    ${storeTold}`);
}

export const notifyOfAbsence = (tx: Tx, absenceId: number): Promise<void> => notifyOfAway(tx, sql.fragment`o.id = ${absenceId}`);

/** Notifications for items that these changes created, or gave another assignee or date. */
export const notifyOfAwayAssignees = (tx: Tx, changeIds: readonly number[]): Promise<void> =>
  notifyOfAway(
    tx,
    sql.fragment`i.id in (select c.item_id from changes c where c.id = any(${sql.array([...changeIds], 'int8')})
      and (c.kind in ('item.created', 'item.restored') or c.fields ?| array['assigneeId', 'dueDate', 'targetDate', 'status']))`,
  );
