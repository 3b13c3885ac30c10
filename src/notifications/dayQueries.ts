/** SQL of the daily notifications: due work, once per user, item and date, and one digest a day. */

import { z } from 'zod';
import { isReadable } from '../access/queries.ts';
import { type Fragment, fixedSql, type Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { ownOutlooks } from './outlookQueries.ts';
import {
  currentChoice,
  digestJob,
  limitedChoice,
  MAIL_LINES,
  mailable,
  mailJob,
  mailsOfAdded,
  notificationMailRows,
  oneMail,
} from './queries.ts';
import { usualChoices } from './schema.ts';

const HOUR = 8;
/** Users were notified of older overdue work before, or got it late. The limit avoids a flood of notifications. */
const LATE_DAYS = 7;
const PEOPLE = 50;
/** Of a user and day, those due last. */
const MOST_TOLD = 200;

const Beginning = z.object({ userId: z.number(), day: z.string() });
/** A user whose day has begun in their zone. */
export type Beginning = z.infer<typeof Beginning>;

/** Up to 50 users whose day has begun, with ids after `after`. A time zone unknown to PostgreSQL counts as UTC. */
export const readBeginning = (tx: Tx, after: number): Promise<readonly Beginning[]> =>
  tx.any(sql.type(Beginning)`
    with zones as materialized (select name, now() at time zone name as local from pg_timezone_names)
    select u.id as "userId", local.now::date::text as day
    from users u left join zones z on z.name = u.timezone left join notification_days d on d.user_id = u.id
    cross join lateral (select coalesce(z.local, now() at time zone 'UTC') as now) local
    where u.id > ${after} and u.active and u.kind = 'person' and extract(hour from local.now) >= ${HOUR}
      and (d.day is null or d.day < local.now::date)
    order by u.id limit ${PEOPLE}`);

const choice = limitedChoice(sql.fragment`coalesce(h.choice, k.usual)`, sql.fragment`m.notices`);

/** Items of user `b` in the workspace of `m` that are due in the days of kind `k`, those due last. Each has an index of its own. */
const dueItems = (ofUser: string): Fragment => sql.fragment`(
  select i.id, i.due from items i
  where i.workspace_id = m.workspace_id and ${fixedSql(ofUser)} and not i.closed and i.shown and i.due between b.day + k.first and b.day + k.last
    and ${isReadable('i', 'm.rights')}
    and not exists (select from notifications n where n.item_id = i.id and n.user_id = b.user_id and n.kind = k.kind and n.due_on = i.due)
  order by i.due desc, i.id desc limit ${MOST_TOLD})`;

/** Begins the day of these users, in one statement. */
export async function beginDaysOf(tx: Tx, users: readonly Beginning[]): Promise<void> {
  const [ids, days] = [users.map(({ userId }) => userId), users.map(({ day }) => day)];
  await tx.query(sql.unsafe`
    with begun as (
      insert into notification_days as d (account_id, user_id, day)
      select u.account_id, u.id, w.day from unnest(${sql.array(ids, 'int8')}, ${sql.array(days, 'date')}) as w (id, day) join users u on u.id = w.id
      order by u.id
      on conflict (user_id) do update set day = excluded.day, mail_claimed_at = null where d.day < excluded.day
      returning d.account_id, d.user_id, d.day
    ),
    kinds (kind, usual, first, last) as (
      values ('due_tomorrow', ${usualChoices.due_tomorrow}, 1, 1), ('overdue', ${usualChoices.overdue}, ${-LATE_DAYS}::integer, -1)
    ),
    due as (
      select b.account_id, b.user_id, i.* from begun b cross join lateral (
        select m.workspace_id, i.id as item_id, i.due, k.kind, ${choice} as choice
        from memberships m join workspaces w on w.id = m.workspace_id and w.archived_at is null cross join kinds k
        left join notification_choices h on h.user_id = b.user_id and h.kind = k.kind
        cross join lateral (${dueItems('i.assignee_id = b.user_id')}
          union all ${dueItems('i.owner_id = b.user_id and i.owner_id is distinct from i.assignee_id and i.assignee_id is null')}) i
        where m.user_id = b.user_id and ${choice} <> 'off'
        order by i.due desc, i.id desc limit ${MOST_TOLD}
      ) i
    ),
    added as (
      insert into notifications (account_id, workspace_id, user_id, kind, item_id, due_on, due_at, digest)
      select account_id, workspace_id, user_id, kind, item_id, due, now(), choice = 'digest' from due order by user_id, due, item_id
      on conflict do nothing returning id, account_id, workspace_id, user_id, kind, due_at, digest
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
      ${mailsOfAdded}
      union all
      select ${mailJob} from summed a join summaries s on s.user_id = a.user_id where s.choice = 'mail' group by ${oneMail}
      union all
      select ${digestJob}
      from begun b where not is_away(b.user_id, b.day) and (b.user_id in (select a.user_id from added a where a.digest)
        or b.user_id in (select a.user_id from summed a where a.digest)
        or exists (select from notifications n where n.user_id = b.user_id and n.read_at is null and n.digest and n.mail_claimed_at is null))
    )
    select count(*) from graphile_worker.add_jobs(array(select job from jobs))`);
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
