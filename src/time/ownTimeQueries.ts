/** SQL of a person's own time on pages: all of it, whatever has become of the items (behaviour §9.11). For statements with `access` to all
 *  workspaces. Agents read theirs by plans/myTimeQueries.ts. */
import { isVisible } from '../access/queries.ts';
import { type Fragment, fixedSql } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import type { DayRange } from '../values/dates.ts';
import { entryColumnsIn } from './queries.ts';

/** Joins an entry `e` to its item `i`, if visible, and to the rows of access of its workspace (`home`) and of the one where it was written
 *  (`origin`). */
export const placesOfOwn = sql.fragment`
  left join access home on home.workspace_id = e.workspace_id
  left join access origin on origin.workspace_id = e.written_in
  left join items i on i.id = e.item_id and i.workspace_id + 0 = home.workspace_id and ${isVisible('i', 'home.rights')}`;

/** The workspace if the person can open it, otherwise 0. Pages name it only for visible items. */
export const placeOfOwn = fixedSql('coalesce(home.workspace_id, origin.workspace_id, 0)');

/** Conditions may follow. */
export const ownEntries = sql.fragment`
  select ${entryColumnsIn('coalesce(home.workspace_id, origin.workspace_id, 0)')} from who
  join time_entries e on e.user_id = who.user_id ${placesOfOwn}
  where true`;

/** JSON of the running timer. */
export const ownTimer = sql.fragment`(select to_json(row) from (${ownEntries} and e.minutes is null) row)`;

/** CTE `parts`: minutes on these UTC days. A running timer, counted up to now, is cut like a stopped one. */
export const ownParts = ({ from, to }: DayRange): Fragment => sql.fragment`
  parts as (
    select p.entry_id, p.day, p.minutes, false as runs from who
    join time_parts p on p.user_id = who.user_id and p.day between ${from}::date and ${to}::date
    union all
    select e.id, r.day, r.minutes, true from who join time_entries e on e.user_id = who.user_id and e.minutes is null
    cross join lateral split_by_utc_day(e.started_at, greatest(e.started_at, statement_timestamp())) r
    where r.day between ${from}::date and ${to}::date
  )`;

/** Of the same moment as `ownParts`. */
export const ownNow = fixedSql('statement_timestamp()');

export const ownDays = sql.fragment`select day as date, sum(minutes)::integer as minutes from parts group by day order by day`;
