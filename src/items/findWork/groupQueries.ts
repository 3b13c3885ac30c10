/** SQL of counts and sums per group of the items found, for svc_find_work (behaviour §7.49). */
import { type Fragment, fixedSql } from '../../database/db.ts';
import { sql } from '../../database/sql.ts';
import { leftHours } from '../leftQueries.ts';

export const groupings = ['assignee', 'status', 'requirementId', 'releaseId'] as const;
export const sums = ['estimatedHours', 'remainingHours'] as const;

export interface GroupsWanted {
  by: (typeof groupings)[number];
  sum?: (typeof sums)[number] | undefined;
}

const MOST_GROUPS = 100;

/** The key and label of a group, for an aggregate over rows `i`. `none`: key of the group of items without a value. */
const keys: Record<GroupsWanted['by'], { column: Fragment; none: string; label: [string, Fragment] | null }> = {
  assignee: {
    column: sql.fragment`i.assignee_id`,
    none: 'unassigned',
    label: ['assigneeName', sql.fragment`(select u.name from users u where u.id = g.key)`],
  },
  status: { column: sql.fragment`i.status`, none: '', label: null },
  requirementId: {
    column: sql.fragment`i.requirement_id`,
    none: 'none',
    label: ['title', sql.fragment`(select up.title from items up where up.id = g.key)`],
  },
  releaseId: {
    column: sql.fragment`i.release_id`,
    none: 'none',
    label: ['title', sql.fragment`(select up.title from items up where up.id = g.key)`],
  },
};

/** Hours of an item; closed items have nothing remaining. */
const hours: Record<NonNullable<GroupsWanted['sum']>, Fragment> = {
  estimatedHours: sql.fragment`i.estimated_hours`,
  remainingHours: fixedSql(leftHours('i')),
};

/** One row (groups, total, groups_more, has_more) from CTE `page`: the first `most` items, largest groups first. */
export function groupsOf({ by, sum }: GroupsWanted, most: number): Fragment {
  const { column, none, label } = keys[by];
  const value = sum ? hours[sum] : sql.fragment`null::float8`;
  const sumsJson = (count: Fragment, total: Fragment, without: Fragment) =>
    sum
      ? sql.fragment`'count', ${count}, ${sum}::text, ${total}, 'withoutEstimate', nullif(${without}, 0)`
      : sql.fragment`'count', ${count}`;
  const named = label ? sql.fragment`, ${label[0]}::text, ${label[1]}` : sql.fragment``;
  const grouped = sql.fragment`json_strip_nulls(json_build_object(
    ${by}::text, coalesce(to_json(g.key), to_json(${none}::text)) ${named}, ${sumsJson(sql.fragment`g.items`, sql.fragment`g.hours`, sql.fragment`g.without`)}))`;
  return sql.fragment`
    select coalesce(json_agg(${grouped} order by g.place) filter (where g.place <= ${MOST_GROUPS}), '[]')::text as groups,
      json_strip_nulls(json_build_object(${sumsJson(
        sql.fragment`coalesce(sum(g.items), 0)`,
        sql.fragment`coalesce(sum(g.hours), 0)`,
        sql.fragment`sum(g.without)`,
      )}))::text as total,
      count(*) > ${MOST_GROUPS} as groups_more, (select count(*) > ${most} from page) as has_more
    from (
      select f.key, count(*) as items, coalesce(round(sum(f.hours)::numeric, 2), 0) as hours, count(*) filter (where f.hours is null) as without,
        row_number() over (order by sum(f.hours) desc nulls last, count(*) desc, f.key) as place
      from page cross join lateral (select ${column} as key, ${value} as hours from items i where i.id = page.id) f
      where page.place <= ${most} group by f.key
    ) g`;
}
