/** Lists in any order, or with selective filters: gathers, counts and sorts all matches. Every page costs the same. */

import type { ItemType } from '../../access/rights.ts';
import { type Fragment, fixedSql } from '../../database/db.ts';
import { sql } from '../../database/sql.ts';
import { type Field, fields, fieldsWith, type Sort } from '../../items/fields.ts';
import { needsOf } from '../../items/findWork/filterQueries.ts';
import { textHits } from '../../items/findWork/textQueries.ts';
import { type Cursor, decodeCursor } from './cursor.ts';
import { hoursOf, isNarrowed, matches, statusPlace, statusWanted } from './partQueries.ts';
import { scoreOf, upOf } from './rowQueries.ts';
import { dueBuckets, type Grouping, type ListWork, type SortColumn } from './schema.ts';
import { daysOf } from './wanted.ts';

const nothing = sql.fragment``;
const dueDay = sql.fragment`coalesce(i.due, 'infinity'::date)`;

/** Maximum number of rows to gather and sort. If more match, the list is read in index order instead. */
export const MOST_GATHERED = 10_000;

/** CTE `needs`: the caller's access once for each value of `needs` that they may read. */
export const needsOfTypes = (types: readonly ItemType[], more = nothing): Fragment => sql.fragment`
    needs as materialized (
      select access.workspace_id, access.user_id, access.rights, access.context_rights, n.needs
      from access, unnest(${needsOf(types)}) n (needs) where n.needs & access.rights = n.needs ${more}
    )`;

/** Rows `i` of `needs`: by the text search if given, otherwise by the workspace's streams. */
export function found(wanted: ListWork): Fragment {
  const { search } = wanted;
  const inNeeds = sql.fragment`i.workspace_id = s.workspace_id and i.needs = s.needs and ${matches(wanted, 'text')}`;
  if (search === undefined) {
    // With a limit but no order, the planner would scan the table and hope for early matches. So unfiltered rows are read in index order.
    const inOrder = isNarrowed(wanted) ? sql.fragment`offset 0` : sql.fragment`order by i.closed, i.id limit ${MOST_GATHERED + 1}`;
    return sql.fragment`needs s cross join lateral (select i.* from items i where ${inNeeds} ${inOrder}) i`;
  }
  return sql.fragment`(select h.item_id from access s cross join lateral (${textHits({ search })}) h (item_id)) h
    cross join lateral (select i.* from items i join needs s on s.needs = i.needs where i.id = h.item_id and ${inNeeds} offset 0) i`;
}

function groupOf(group: Grouping, { today }: ListWork): { key: Fragment; number: Fragment; text: Fragment } {
  const zero = sql.fragment`0`;
  const empty = sql.fragment`''`;
  switch (group) {
    case 'none':
      return { key: empty, number: zero, text: empty };
    case 'status':
      return { key: sql.fragment`i.status_key`, number: statusPlace(sql.fragment`s`), text: sql.fragment`i.status_key` };
    case 'priority':
      return { key: sql.fragment`coalesce(i.priority_key, '')`, number: rank, text: sql.fragment`coalesce(i.priority_key, '')` };
    case 'assignee':
      return {
        key: sql.fragment`coalesce(i.assignee_id::text, '')`,
        number: sql.fragment`(i.assignee_id is null)::int`,
        text: sql.fragment`coalesce(lower(a.name) || ' ' || a.id, '')`,
      };
    case 'parent':
      return {
        key: sql.fragment`coalesce(up.id::text, '')`,
        number: sql.fragment`(up.id is null)::int`,
        text: sql.fragment`coalesce(lower(up.title) || ' ' || up.id, '')`,
      };
    case 'due': {
      const until = (n: number) => daysOf(dueBuckets[n]!, today).to;
      const place = sql.fragment`case when i.due is null then 5 when i.due <= ${until(0)}::date then 1 when i.due <= ${until(1)}::date then 2
        when i.due <= ${until(2)}::date then 3 else 4 end`;
      return { key: sql.fragment`(array[${everyBucket}])[${place}]`, number: place, text: empty };
    }
  }
}

const everyBucket = fixedSql(dueBuckets.map((bucket) => `'${bucket}'`).join(', '));
const rank = sql.fragment`coalesce(-p.rank::float8, 'Infinity')`;

interface Column {
  number?: Fragment;
  text?: Fragment;
  down?: true;
}

const days = (column: Fragment) => sql.fragment`(${column} - date '2000-01-01')`;

/** Texts and dates ascend, numbers descend. */
function columnOf({ sql: type, column }: Field): Column {
  const value = fixedSql(`i.${column}`);
  if (type === 'text') return { text: sql.fragment`lower(${value})` };
  return type === 'date' ? { number: days(value) } : { number: value, down: true };
}

/** The sort value of each column. Rows without a value come last in both directions. */
const columns: Record<SortColumn, Column> = {
  ...(Object.fromEntries(fieldsWith('sort').map((name) => [fields[name].sort, columnOf(fields[name])])) as Record<Sort, Column>),
  due: { number: days(sql.fragment`i.due`) },
  priority: { number: sql.fragment`p.rank`, down: true },
  id: { number: sql.fragment`i.id` },
  title: { text: sql.fragment`lower(i.title)` },
  status: { number: statusPlace(sql.fragment`s`) },
  assignee: { text: sql.fragment`lower(a.name)` },
  owner: { text: sql.fragment`lower(o.name)` },
  score: { number: scoreOf, down: true },
  current: { number: sql.fragment`i.current / nullif(i.target, 0)`, down: true },
};

/** The same CTEs as walk() (walkQueries.ts). */
export function gather(wanted: ListWork): Fragment {
  const { type, sort, reverse, limit } = wanted;
  const group = groupOf(wanted.group, wanted);
  const { number, text, down = false } = columns[sort];
  const sign = fixedSql(down === reverse ? '1' : '-1');
  const by = number ? sql.fragment`coalesce(${sign} * (${number})::float8, 'Infinity')` : sql.fragment`(${text!} is null)::int::float8`;
  const textDown = text !== undefined && reverse;
  return sql.fragment`
    ${needsOfTypes([type])},
    matched as materialized (
      select i.id, i.estimated_hours, i.progress_percent, i.closed, ${group.key} as gkey, (${group.number})::float8 as gn, ${group.text} as gt,
        ${by} as sn, ${text ? sql.fragment`coalesce(${text}, '')` : sql.fragment`''`} as st, ${dueDay} as d, ${rank} as r
      from access cross join lateral (
        select i.* from ${found(wanted)}
        where exists (select from statuses s where s.workspace_id = i.workspace_id and s.key = i.status_key and ${statusWanted(wanted)})
        limit ${MOST_GATHERED + 1}
      ) i
      join statuses s on s.workspace_id = i.workspace_id and s.key = i.status_key
      left join priorities p on p.workspace_id = i.workspace_id and p.key = i.priority_key
      ${joins(wanted)}
    ),
    page as materialized (
      select gkey, gn, gt, sn, st, d, r, id from matched ${after(decodeCursor(wanted.after), textDown)} order by ${orderOf(textDown)} limit ${limit + 1}
    ),
    counted as (
      select gkey, gn, gt, count(*) as count, ${hoursOf(sql.fragment`matched`)}, (select count(*) from matched) > ${MOST_GATHERED} as more
      from matched group by gkey, gn, gt
    )`;
}

function joins({ group, sort }: ListWork): Fragment {
  return sql.fragment`
    ${group === 'assignee' || sort === 'assignee' ? sql.fragment`left join users a on a.id = i.assignee_id` : nothing}
    ${sort === 'owner' ? sql.fragment`left join users o on o.id = i.owner_id` : nothing}
    ${
      group === 'parent'
        ? sql.fragment`left join lateral (select up.id, up.title from items up
      where up.id = ${upOf} and (up.shown or not i.shown) and up.needs & access.context_rights = up.needs) up on true`
        : nothing
    }`;
}

export const orderOf = (textDown: boolean): Fragment =>
  textDown ? sql.fragment`gn, gt, sn, st desc, d, r, id` : sql.fragment`gn, gt, sn, st, d, r, id`;

function after(cursor: Cursor | null, textDown: boolean): Fragment {
  if (!cursor) return nothing;
  const { groupNumber, groupText, columnNumber, columnText, due, priority, id } = cursor;
  const number = (text: string) => sql.fragment`${text}::text::float8`;
  const before = sql.fragment`${number(groupNumber)}, ${groupText}::text, ${number(columnNumber)}`;
  const tail = sql.fragment`${due}::date, ${number(priority)}, ${id}::bigint`;
  if (!textDown) return sql.fragment`where (gn, gt, sn, st, d, r, id) > (${before}, ${columnText}::text, ${tail})`;
  return sql.fragment`where (gn, gt, sn) > (${before})
    or (gn, gt, sn) = (${before}) and (st < ${columnText}::text or st = ${columnText}::text and (d, r, id) > (${tail}))`;
}
