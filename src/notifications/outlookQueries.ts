/** SQL of what the daily renewal found for releases and milestones, and of its notifications (behaviour §10.30). The row of a project changes
 *  in the statement that inserts its notifications. */
import { z } from 'zod';
import { isReadable, isVisible } from '../access/queries.ts';
import { fixedSql, type Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { displayedDate, forecastOfAccount, seesForecasts, snapshotOfAccount } from '../items/forecastQueries.ts';
import { heldHour, limitedChoice, mailsOfAdded } from './queries.ts';
import { usualChoices } from './schema.ts';

/** Notifications of outlooks in an account, in an hour of the clock. More than one item's owner and watchers, who are at most 501. */
const MOST_TOLD = 1_000;

/** Types whose owners and watchers get notifications. */
const types = fixedSql(`('release', 'milestone')`);
/** Outlooks with notifications. Others, such as missing data, leave it open whether the work is in time. */
const tellable = fixedSql(`('within_capacity', 'at_risk', 'overcommitted')`);
const worstFirst = fixedSql(`array['overcommitted', 'at_risk', 'needs_data', 'needs_target', 'within_capacity', 'no_scope']`);

const Renewed = z.object({ forecastId: z.number(), accountId: z.number() });

/** The forecast that is renewed first: the one of pages (behaviour §24.17). Null if the workspace was archived. */
export const readRenewed = (tx: Tx, workspaceId: number) =>
  tx.maybeOne(sql.type(Renewed)`
    insert into capacity_forecasts as f (account_id, scope_key, workspace_id, workspace_ids, week)
    select a.account_id, a.scope_key, a.workspace_id, a.workspace_ids, a.week
    from workspaces w cross join lateral (${forecastOfAccount(sql.fragment`w.account_id`)}) a where w.id = ${workspaceId} and w.archived_at is null
    on conflict (scope_key, week) do update set week = excluded.week
    returning f.id as "forecastId", f.account_id as "accountId"`);

const Room = z.object({ snapshotId: z.number().nullable(), left: z.number(), nextHour: z.string() });

/** How many notifications the account may still get in this hour. Locks the hour until the transaction ends. */
export const readOutlookRoom = (tx: Tx, workspaceId: number) =>
  tx.maybeOne(sql.type(Room)`
    with place as (select w.id, w.account_id from workspaces w where w.id = ${workspaceId} and w.archived_at is null),
    ${heldHour(sql.fragment`'outlooks:' || account_id`, 'place')}
    select ${snapshotOfAccount(sql.fragment`place.account_id`)} as "snapshotId", ${MOST_TOLD} - hour.count as left,
      date_trunc('hour', now()) + interval '1 hour' as "nextHour"
    from place, hour`);

const choice = limitedChoice(sql.fragment`coalesce(h.choice, ${usualChoices.outlook})`, sql.fragment`m.notices`);

/** Owner and watchers of item `i`. */
const followers = fixedSql(`select i.owner_id as user_id where i.owner_id is not null
  union select h.user_id from item_watches h where h.item_id = i.id and h.watching
  except select h.user_id from item_watches h where h.item_id = i.id and not h.watching`);

interface OutlookPage {
  workspaceId: number;
  snapshotId: number;
  /** Projects with higher ids. */
  after: number;
  limit: number;
  /** Notifications. */
  left: number;
}

const Stored = z.object({ last: z.number().nullable(), full: z.boolean() });

/** Stores the outlooks of a page of projects, and tells of those that changed, once a day. `full`: some wait, because too few notifications are
 *  left. `last`: the last project; null after the last page. */
export const tellOfOutlooks = (tx: Tx, { workspaceId, snapshotId, after, limit, left }: OutlookPage) =>
  tx.one(sql.type(Stored)`
    with page as materialized (
      select i.id, i.account_id, i.workspace_id, i.needs, i.owner_id, coalesce(i.target_date, i.due_date) as target_date,
        p.outlook, ${displayedDate('p')}::date as forecast_date
      from capacity_projects p
      join items i on i.id = p.project_id and i.workspace_id = ${workspaceId} and i.type in ${types} and not i.closed and i.shown
      where p.snapshot_id = ${snapshotId} and p.project_id > ${after} order by p.project_id limit ${limit}
    ),
    current as materialized (
      select page.*, coalesce(o.told, 'within_capacity') as told,
        page.outlook in ${tellable} and page.outlook <> coalesce(o.told, 'within_capacity') and coalesce(o.told_on < current_date, true) as news
      from page left join project_outlooks o on o.item_id = page.id
    ),
    concerned as materialized (
      select i.id, p.user_id, ${choice} as choice
      from current i cross join lateral (${followers}) p
      join users u on u.id = p.user_id and u.active and u.kind = 'person'
      join memberships m on m.user_id = p.user_id and m.workspace_id = i.workspace_id and ${isReadable('i', 'm.rights')}
        and ${seesForecasts(sql.fragment`m.rights`, sql.fragment`m.workspace_id`)}
      left join notification_choices h on h.user_id = p.user_id and h.kind = 'outlook'
      where i.news and ${choice} <> 'off'
    ),
    kept as materialized (
      select id, count from (
        select i.id, count(c.user_id) as count, sum(count(c.user_id)) over (order by i.id) as together
        from current i left join concerned c on c.id = i.id where i.news group by i.id) one
      where together <= ${left}
    ),
    stored as (
      insert into project_outlooks as o (account_id, workspace_id, item_id, outlook, forecast_date, told, told_on)
      select i.account_id, i.workspace_id, i.id, i.outlook, i.forecast_date, case when k.id is null then i.told else i.outlook end,
        case when k.id is not null then current_date end
      from current i left join kept k on k.id = i.id where k.id is not null or not i.news order by i.id
      on conflict (item_id) do update set outlook = excluded.outlook, forecast_date = excluded.forecast_date, told = excluded.told,
        told_on = coalesce(excluded.told_on, o.told_on)
      where (o.outlook, o.forecast_date, o.told) is distinct from (excluded.outlook, excluded.forecast_date, excluded.told)
    ),
    counted as (
      update rate_windows w set count = w.count + k.count
      from (select account_id, sum(count) as count from kept join current using (id) group by account_id) k where w.key = 'outlooks:' || k.account_id
    ),
    added as (
      insert into notifications (account_id, workspace_id, user_id, kind, item_id, due_on, due_at, digest, told)
      select i.account_id, i.workspace_id, c.user_id, 'outlook', i.id, current_date, now(), c.choice = 'digest',
        json_build_object('outlook', i.outlook, 'forecastDate', i.forecast_date, 'targetDate', i.target_date)
      from kept join current i using (id) join concerned c using (id) order by i.id, c.user_id
      on conflict do nothing returning id, account_id, workspace_id, user_id, kind, due_at, digest
    ),
    jobs as (
      select count(*) from graphile_worker.add_jobs(array(${mailsOfAdded}))
    )
    select (select max(id) from page) as last,
      exists (select from current i where i.news and i.id not in (select id from kept)) as full from jobs`);

/** For a user `b` with the day `b.day`: JSON of the open releases and milestones that they own and whose forecasts they see, the worst first, with
 *  what the summary of the Monday before said. Null without any. */
export const ownOutlooks = sql.fragment`(
  select json_agg(row_to_json(line)) from (
    select i.id as "itemId", o.outlook, o.forecast_date as "forecastDate", d.target as "targetDate", (
      select json_build_object('outlook', e.value ->> 'outlook', 'forecastDate', e.value ->> 'forecastDate')
      from notifications n cross join lateral json_array_elements(n.told) e
      where n.user_id = b.user_id and n.kind = 'outlook_week' and n.due_on = b.day - 7 and (e.value ->> 'itemId')::bigint = i.id) as before
    from memberships m
    join workspaces w on w.id = m.workspace_id and w.archived_at is null
    join items i on i.workspace_id = m.workspace_id and i.owner_id = b.user_id and i.type in ${types} and not i.closed
      and ${isVisible('i', 'm.rights')}
    join project_outlooks o on o.item_id = i.id
    cross join lateral (select coalesce(i.target_date, i.due_date) as target) d
    where m.user_id = b.user_id and m.notices is distinct from 'off' and ${seesForecasts(sql.fragment`m.rights`, sql.fragment`m.workspace_id`)}
    order by array_position(${worstFirst}, o.outlook), o.forecast_date - d.target desc nulls last, i.id limit 50
  ) line)`;
