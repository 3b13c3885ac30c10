/** Requirements, releases and milestones of a workspace on a timeline (behaviour §26), in one statement. Reads dated items in index order
 *  from the displayed period, so the cost does not depend on their number. Filters without an index gather the matches like a list. */
import { z } from 'zod';
import type { Caller } from '../../access/caller.ts';
import { accessTo, isVisible } from '../../access/queries.ts';
import { keepUpToDate } from '../../capacity/snapshots/pageForecast.ts';
import type { Fragment, Tx } from '../../database/db.ts';
import { sql } from '../../database/sql.ts';
import { childrenOf } from '../../items/findWork/belowQueries.ts';
import { conditionsOf, dueDay } from '../../items/findWork/filterQueries.ts';
import { inStream, isCovered, MOST_GATHERED, rowsOf, streams } from '../../items/findWork/listQueries.ts';
import { upOf } from '../../items/findWork/orderQueries.ts';
import { closedOf, scopeCte } from '../../items/findWork/scopeQueries.ts';
import { onPagesCte, PageForecast, pageForecastJson, shownForecastJson } from '../../items/forecastQueries.ts';
import type { Read } from '../../operations/operation.ts';
import { CredentialRefused, Forbidden } from '../../values/errors.ts';
import { readableTypes, WorkspaceMembership } from '../../workspaces/queries.ts';
import { Options } from '../../workspaces/schema.ts';
import { View } from '../../workspaces/viewSchema.ts';
import { filtersOf, hasSearch, soughtBy } from '../workList/input.ts';
import { aroundColumns } from '../workList/partQueries.ts';
import { person } from '../workList/rowQueries.ts';
import { ListLabel, NamedItem } from '../workList/schema.ts';
import { plannedTypes, ShowTimeline, TimelineHoliday, TimelineRow } from './schema.ts';

export { plannedTypes, ShowTimeline, type TimelineHoliday, type TimelineRow } from './schema.ts';

export const MOST_BARS = 500;
export const MOST_UNDATED = 100;
const MOST_TASKS = 100;
const MOST_TASKS_TOGETHER = 200;
/** Maximum number of tasks per row if this many rows are open. At least 10, because at most 20 rows can be open. */
export const mostTasks = (opened: number): number => Math.min(MOST_TASKS, Math.floor(MOST_TASKS_TOGETHER / opened));
const MOST_LOOKED = 400;

/** Items in the period by date, then the nearest ones outside it. */
const nearest = (row: Fragment, { from, to }: ShowTimeline) =>
  sql.fragment`greatest(${row}.due - ${to}::date, ${from}::date - ${row}.due, 0), ${row}.due, ${row}.id`;

/** CTEs `dated (id, due)` and `undated (id)`. Dates are read along the index from the displayed period, if it can check the filters. */
function found(wanted: ShowTimeline): Fragment {
  const sought = soughtOf(wanted);
  if (!isCovered(sought.filters)) {
    return sql.fragment`
    matched as materialized (select i.id, i.due from access cross join ${rowsOf(sought, MOST_GATHERED + 1)}),
    dated as materialized (
      select m.id, m.due from matched m where m.due is not null order by ${nearest(sql.fragment`m`, wanted)} limit ${MOST_BARS + 1}
    ),
    undated as materialized (select m.id from matched m where m.due is null order by m.id limit ${MOST_UNDATED + 1})`;
  }
  const rows = (days: Fragment, order: Fragment, most: number) => sql.fragment`
    (select i.id, i.due from items i where ${inStream(sought)} and ${days} order by ${order} limit ${most})`;
  const from = sql.fragment`${wanted.from}::date`;
  return sql.fragment`
    ${streams(sought)},
    dated as materialized (
      select x.id, x.due from streams s cross join lateral (
        ${rows(sql.fragment`${dueDay} >= ${from} and ${dueDay} < 'infinity'`, sql.fragment`${dueDay}, i.id`, MOST_BARS + 1)}
        union all
        ${rows(sql.fragment`${dueDay} < ${from}`, sql.fragment`${dueDay} desc, i.id desc`, MOST_BARS + 1)}
      ) x order by ${nearest(sql.fragment`x`, wanted)} limit ${MOST_BARS + 1}
    ),
    undated as materialized (
      select y.id from streams s cross join lateral (
        ${rows(sql.fragment`${dueDay} = 'infinity'`, sql.fragment`${dueDay}, i.id`, MOST_UNDATED + 1)}
      ) y order by y.id limit ${MOST_UNDATED + 1}
    )`;
}

const soughtOf = (wanted: ShowTimeline) => ({ ...soughtBy(wanted), types: plannedTypes });

const visible = sql.fragment`up.workspace_id = access.workspace_id and ${isVisible('up', 'access.rights')}`;

/** CTE `lines (id, matched)`: the displayed items and all visible items above them. */
const lines = sql.fragment`
  chosen as materialized (
    (select id from dated limit ${MOST_BARS}) union (select id from undated limit ${MOST_UNDATED})
  ),
  lines as materialized (
    with recursive line (id) as (
      select id from chosen
      union
      select above.id from line cross join access
      cross join lateral (select one.* from items one where one.id = line.id limit 1) i
      cross join lateral (select up.id from items up where up.id = ${upOf} and ${visible} limit 1) above
    )
    select line.id, line.id in (select id from chosen) as matched from line
  )`;

/** CTE `tasks (id)`: tasks directly below the open rows, without a nearer parent. The filters `within` and `due` do not apply. */
const tasks = (wanted: ShowTimeline): Fragment => sql.fragment`
  tasks as materialized (
    select distinct t.id from unnest(${sql.array([...wanted.opened], 'int8')}) o (id) cross join access
    cross join lateral (select up.id, up.type from items up where up.id = o.id and ${visible} limit 1) up
    cross join lateral (
      select i.id from access s cross join lateral (${childrenOf(sql.fragment`i.id, i.type, ${upOf} as above`, sql.fragment`access.rights`)} limit ${MOST_LOOKED}) x
      cross join lateral (select one.* from items one where one.id = x.id limit 1) i
      where x.type = 'task' and x.above = up.id and i.shown and i.closed = any(${closedOf(soughtOf(wanted))})
        and ${conditionsOf({ ...filtersOf(wanted), within: undefined, due: undefined })}
      order by i.due nulls last, i.id limit ${mostTasks(wanted.opened.length) + 1}
    ) t
  )`;

function opens(wanted: ShowTimeline): Fragment {
  const below = (link: Fragment, nearer: Fragment) => sql.fragment`exists (
    select from (select c.* from items c where ${link} = i.id and c.closed = any(${closedOf(soughtOf(wanted))})
      and ${isVisible('c', 'access.rights')} limit ${MOST_LOOKED}) c where c.type = 'task' and ${nearer} is null)`;
  return sql.fragment`case i.type
    when 'requirement' then ${below(sql.fragment`c.requirement_id`, sql.fragment`c.parent_item_id`)}
    when 'release' then ${below(sql.fragment`c.release_id`, sql.fragment`coalesce(c.parent_item_id, c.requirement_id)`)}
    when 'goal' then ${below(sql.fragment`c.goal_id`, sql.fragment`coalesce(c.parent_item_id, c.requirement_id, c.release_id)`)}
    else ${below(sql.fragment`c.parent_item_id`, sql.fragment`null::bigint`)} end`;
}

/** The columns of an item `i` and its line `l`. JSON of a row costs half of json_build_object. */
const columns = (wanted: ShowTimeline): Fragment => sql.fragment`
  i.id, i.version, i.type, i.title, i.status, i.status_key as "statusKey",
  i.start_date as "startDate", i.due_date as "dueDate", i.target_date as "targetDate", ${upOf} as up, l.matched, ${opens(wanted)} as opens,
  ${person(sql.fragment`i.assignee_id`)} as assignee,
  ${shownForecastJson(sql.fragment`i.id`)} as forecast,
  (select json_agg(json_build_object('from', greatest(o.first_day, ${wanted.from}::date), 'to', least(o.last_day, ${wanted.to}::date)) order by o.first_day)
    from absences o where o.user_id = coalesce(i.assignee_id, i.owner_id) and not o.half
      and o.last_day >= ${wanted.from}::date and o.first_day <= ${wanted.to}::date) as away,
  (select case when u.id is null then a.holiday_region else coalesce(u.holiday_region, case when u.kind = 'person' then a.holiday_region end) end
    from accounts a left join users u on u.id = coalesce(i.assignee_id, i.owner_id) where a.id = i.account_id) as region,
  (select json_agg(json_build_object('id', d.blocker_id, 'lagDays', d.lag_days) order by d.blocker_id) from item_dependencies d
    where d.item_id = i.id and (d.blocker_id in (select id from lines) or d.blocker_id in (select id from tasks))) as "blockedBy"`;

const Found = z.object({
  membership: WorkspaceMembership.nullable(),
  options: Options,
  views: z.array(View),
  named: z.array(NamedItem),
  labels: z.array(ListLabel),
  /** Matching items, all items above them, and tasks of open rows, unordered. */
  rows: z.array(TimelineRow),
  /** Whole days in the period, of the regions of `rows`, by region and day. */
  holidays: z.array(TimelineHoliday),
  /** True if more dated or undated items exist than are included. */
  more: z.object({ dated: z.boolean(), undated: z.boolean() }),
  forecast: PageForecast.nullable(),
});

/** If the caller is not a member, `membership` is null and there are no rows. Throws Unauthenticated. */
async function readTimeline(tx: Tx, caller: Caller, wanted: ShowTimeline): Promise<z.infer<typeof Found>> {
  const row = await tx.maybeOne(sql.type(Found)`
    with ${accessTo(caller, wanted.workspaceId)},
    readable as (select ${readableTypes} as types from access),
    ${onPagesCte()},
    ${scopeCte(plannedTypes)}, ${found(wanted)}, ${lines}, ${tasks(wanted)},
    listed as materialized (
      select listed.* from access cross join (select id, matched from lines union all select id, true from tasks) l
      cross join lateral (select one.* from items one where one.id = l.id limit 1) i
      cross join lateral (select ${columns(wanted)}) listed
    )
    select ${aroundColumns(wanted)},
      (select coalesce(json_agg(row_to_json(listed)), '[]') from listed) as rows,
      (select coalesce(json_agg(json_build_object('region', h.region, 'day', h.day, 'name', h.name) order by h.region, h.day), '[]')
        from holidays h where h.region in (select region from listed) and not h.half and h.day between ${wanted.from}::date and ${wanted.to}::date) as holidays,
      json_build_object('dated', (select count(*) from dated) > ${MOST_BARS}, 'undated', (select count(*) from undated) > ${MOST_UNDATED}) as more,
      ${pageForecastJson} as forecast
    from access cross join readable`);
  if (!row) throw new CredentialRefused();
  return row;
}

export type Timeline = Omit<z.infer<typeof Found>, 'forecast'> & { membership: WorkspaceMembership };

export const showTimeline: Read<ShowTimeline, Timeline> = {
  name: 'showTimeline',
  input: ShowTimeline,
  searches: hasSearch,
  async run(tx, caller, wanted) {
    const { membership, forecast, ...found } = await readTimeline(tx, caller, wanted);
    if (!membership) throw new Forbidden();
    keepUpToDate(tx, forecast);
    return { ...found, membership };
  },
};
