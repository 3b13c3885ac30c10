/** A stream: the rows of one workspace, one value of `needs` and one value of a filter. Its index has them in id order
 *  (sql/0009_find_work.sql). Streams contain only rows that the caller may see. */
import { type Fragment, fixedSql } from '../../database/db.ts';
import { sql } from '../../database/sql.ts';
import { isClosed } from '../../workspaces/statusQueries.ts';
import { assigneeId, closed, conditions, needs, type WorkWanted } from './filterQueries.ts';
import type { StreamScan } from './searchPlans.ts';

/** The index of a scan: equal columns first, then `column` with the value `last`, then the id. */
interface IndexUse {
  equal: Fragment;
  column: Fragment;
  last: Fragment;
  values?: { column: Fragment; join: Fragment } | undefined;
}

export const inWorkspace = sql.fragment`i.workspace_id = s.workspace_id`;
const inStream = sql.fragment`${inWorkspace} and i.needs = s.needs`;
export const inState = sql.fragment`${inStream} and i.closed = s.closed`;
const byState = { column: sql.fragment`i.closed`, last: sql.fragment`s.closed` };
const isClosedKey = fixedSql(isClosed('k.status'));

function indexUseOf(wanted: WorkWanted, scan: StreamScan): IndexUse {
  const { status = null, statusKey = null, priorityKey = '', requirementId = 0, releaseId = 0, due } = wanted;
  switch (scan) {
    case 'walk':
      return { equal: inWorkspace, ...byState };
    case 'all':
    case 'range':
      return { equal: inStream, ...byState };
    case 'requirement':
      return { equal: sql.fragment`i.requirement_id = ${requirementId} and ${inStream}`, ...byState };
    case 'release':
      return { equal: sql.fragment`i.release_id = ${releaseId} and ${inStream}`, ...byState };
    case 'assignee':
      return { equal: inState, column: sql.fragment`i.assignee_id`, last: assigneeId(wanted) };
    case 'priority':
      return { equal: inState, column: sql.fragment`i.priority_key`, last: sql.fragment`${priorityKey}` };
    case 'status':
      return {
        equal: inState,
        column: sql.fragment`i.status_key`,
        last: sql.fragment`s.key`,
        values: {
          column: sql.fragment`, k.key`,
          join: sql.fragment`join statuses k on k.workspace_id = a.workspace_id and (${isClosedKey}) = c.closed
            and (${statusKey}::text is null or k.key = ${statusKey}) and (${status}::text is null or k.status = ${status})`,
        },
      };
    case 'due':
      return {
        equal: inState,
        column: sql.fragment`i.due`,
        last: sql.fragment`s.day`,
        ...(due?.days && {
          values: {
            column: sql.fragment`, ${due.from}::date + d.n as day`,
            join: sql.fragment`cross join generate_series(0, ${due.days - 1}) d (n)`,
          },
        }),
      };
  }
}

export interface Rows {
  where: Fragment;
  order: Fragment;
  byId: boolean;
}

/** Compares and orders by the column before the id too. Otherwise the planner may prefer the primary key. */
export function rowsAfter(wanted: WorkWanted, scan: StreamScan): Rows {
  const { equal, column, last } = indexUseOf(wanted, scan);
  const shown = sql.fragment`${equal} and i.shown`;
  const order = sql.fragment`order by ${column}, i.id`;
  if (scan === 'assignee' && wanted.assignee === 'unassigned') {
    return { where: sql.fragment`${shown} and ${column} is null and i.id > ${wanted.afterId}`, order, byId: true };
  }
  if (scan === 'due' && !wanted.due?.days) {
    return { where: sql.fragment`${shown} and ${conditions(wanted).due!} and i.id > ${wanted.afterId}`, order, byId: false };
  }
  return {
    where: sql.fragment`${shown} and (${column}, i.id) > (${last}, ${wanted.afterId}::bigint) and ${column} <= ${last}`,
    order,
    byId: true,
  };
}

export function streamsOf(wanted: WorkWanted, scan: StreamScan, some: Fragment = sql.fragment`true`): Fragment {
  const { values } = indexUseOf(wanted, scan);
  const [eachNeed, need] =
    scan === 'walk'
      ? [sql.fragment``, sql.fragment``]
      : [sql.fragment`join unnest(${needs(wanted)}) n (needs) on n.needs & a.rights = n.needs`, sql.fragment`, n.needs`];
  return sql.fragment`
    streams as (
      select s.* from (
        select a.workspace_id, a.user_id, a.rights, a.context_rights, c.closed ${need} ${values?.column ?? sql.fragment``}
        from scope a ${eachNeed} cross join unnest(${closed(wanted)}) c (closed) ${values?.join ?? sql.fragment``}
      ) s where ${some}
    )`;
}
