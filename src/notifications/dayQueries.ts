/** SQL of the daily notifications: due work, once per user, item and date, and one digest a day. */

import { z } from 'zod';
import { isReadable } from '../access/queries.ts';
import { itemTypes, possibleNeeds } from '../access/rights.ts';
import type { Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { ownOutlooks } from './outlookQueries.ts';
import { currentChoice, digestJob, limitedChoice, MAIL_LINES, mailable, mailJob, notificationMailRows, oneMail } from './queries.ts';
import { usualChoices } from './schema.ts';

const HOUR = 8;
/** Users were notified of older overdue work before, or got it late. The limit avoids a flood of notifications. */
const LATE_DAYS = 7;
const PEOPLE = 200;

const needs = [...new Set(itemTypes.flatMap(possibleNeeds))];

const choice = limitedChoice(sql.fragment`coalesce(h.choice, usual.choice)`, sql.fragment`m.notices`);

const Count = z.object({ count: z.number() });

/** Begins the day of up to 200 users, in one statement. Returns their number. A time zone unknown to PostgreSQL counts as UTC. */
export function beginDaysBatch(tx: Tx): Promise<number> {
  return tx.oneFirst(sql.type(Count)`
    with zones as materialized (select name, now() at time zone name as local from pg_timezone_names),
    ready as (
      select u.account_id, u.id as user_id, coalesce(z.local, now() at time zone 'UTC')::date as day
      from users u left join zones z on z.name = u.timezone left join notification_days d on d.user_id = u.id
      where u.active and u.kind = 'person' and extract(hour from coalesce(z.local, now() at time zone 'UTC')) >= ${HOUR}
        and (d.day is null or d.day < coalesce(z.local, now() at time zone 'UTC')::date)
      order by u.id limit ${PEOPLE}
    ),
    begun as (
      insert into notification_days as d (account_id, user_id, day) select account_id, user_id, day from ready order by user_id
      on conflict (user_id) do update set day = excluded.day, mail_claimed_at = null where d.day < excluded.day
      returning d.account_id, d.user_id, d.day
    ),
    usual as (select * from json_each_text(${JSON.stringify(usualChoices)}::json) as u (kind, choice)),
    due as (
      select i.account_id, i.workspace_id, b.user_id, i.id as item_id, i.due, k.kind, ${choice} as choice
      from begun b join memberships m on m.user_id = b.user_id
      join workspaces w on w.id = m.workspace_id and w.archived_at is null
      join items i on i.workspace_id = m.workspace_id and i.needs = any(${sql.array(needs, 'int4')}) and not i.closed and i.shown
        and i.due between b.day - ${LATE_DAYS}::integer and b.day + 1 and i.due <> b.day
        and coalesce(i.assignee_id, i.owner_id) = b.user_id and ${isReadable('i', 'm.rights')}
      cross join lateral (select case when i.due > b.day then 'due_tomorrow' else 'overdue' end as kind) k
      join usual on usual.kind = k.kind
      left join notification_choices h on h.user_id = b.user_id and h.kind = k.kind
      where ${choice} <> 'off'
    ),
    added as (
      insert into notifications (account_id, workspace_id, user_id, kind, item_id, due_on, due_at, digest)
      select account_id, workspace_id, user_id, kind, item_id, due, now(), choice = 'digest' from due order by user_id, due, item_id
      on conflict do nothing returning id, account_id, workspace_id, user_id, kind, item_id, due_at, digest
    ),
    summaries as materialized (
      select b.account_id, b.user_id, b.day, coalesce(h.choice, ${usualChoices.outlook_week}) as choice, ${ownOutlooks} as lines
      from begun b left join notification_choices h on h.user_id = b.user_id and h.kind = 'outlook_week'
      where extract(isodow from b.day) = 1 and coalesce(h.choice, '') <> 'off'
    ),
    summed as (
      insert into notifications (account_id, user_id, kind, due_on, due_at, digest, told)
      select account_id, user_id, 'outlook_week', day, now(), choice = 'digest', lines from summaries where lines is not null order by user_id
      on conflict do nothing returning id, account_id, workspace_id, user_id, kind, due_at, digest
    ),
    jobs as (
      select ${mailJob} as job
      from added a join due d on d.user_id = a.user_id and d.item_id = a.item_id and d.kind = a.kind where d.choice = 'mail'
      group by ${oneMail}
      union all
      select ${mailJob} from summed a join summaries s on s.user_id = a.user_id where s.choice = 'mail' group by ${oneMail}
      union all
      select ${digestJob}
      from begun b where not is_away(b.user_id, b.day) and (exists (select from added a where a.user_id = b.user_id and a.digest)
        or exists (select from summed a where a.user_id = b.user_id and a.digest)
        or exists (select from notifications n where n.user_id = b.user_id and n.read_at is null and n.digest and n.mail_claimed_at is null))
    )
    select (select count(*) from begun) + 0 * count(*) as count from graphile_worker.add_jobs(array(select job from jobs))`);
}

const Recipient = z.object({ email: z.string() });
const Claimed = z.object({ id: z.number() });

/** Claims a user's digest of that day; the caller sends it. Returns null if it was claimed before or nothing unread is visible. */
export async function claimDigest(tx: Tx, userId: number, day: string) {
  const recipient = await tx.maybeOne(sql.type(Recipient)`
    update notification_days d set mail_claimed_at = now() from users u
    where d.user_id = ${userId} and d.day = ${day}::date and d.mail_claimed_at is null and u.id = d.user_id and ${mailable} returning u.email`);
  if (!recipient) return null;
  const ids = await tx.anyFirst(sql.type(Claimed)`
    update notifications n set mail_claimed_at = now()
    where n.user_id = ${userId} and n.read_at is null and n.digest and n.mail_claimed_at is null and ${currentChoice} in ('digest', 'mail') returning n.id`);
  if (ids.length === 0) return null;
  const caller = { kind: 'user', userId } as const;
  const lines = await tx.any(notificationMailRows(caller, sql.fragment`n.id = any(${sql.array([...ids], 'int8')})`, MAIL_LINES + 1));
  return lines.length === 0 ? null : { to: recipient.email, ids, lines };
}

/** After a mail that was certainly not accepted: allows another attempt. */
export async function releaseDigest(tx: Tx, userId: number, day: string, ids: readonly number[]): Promise<void> {
  await tx.query(sql.unsafe`
    with day as (update notification_days set mail_claimed_at = null where user_id = ${userId} and day = ${day}::date)
    update notifications set mail_claimed_at = null where id = any(${sql.array([...ids], 'int8')})`);
}
