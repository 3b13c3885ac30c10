/** SQL of a board: one statement with each column's count, sums and first cards. Columns are read along an index (sql/0009_find_work.sql,
 *  sql/0062_work_lists.sql) up to a limit. The cost does not depend on the number of items. */
import { z } from 'zod';
import type { Caller } from '../../access/caller.ts';
import { accessTo } from '../../access/queries.ts';
import { bits, resourceOf } from '../../access/rights.ts';
import type { Fragment, Tx } from '../../database/db.ts';
import { sql } from '../../database/sql.ts';
import { CredentialRefused } from '../../values/errors.ts';
import { leftOf, readableTypes } from '../../workspaces/queries.ts';
import { leftStates } from '../../workspaces/statuses.ts';
import { FoundWork } from './foundWork.ts';
import { gather } from './gatherQueries.ts';
import { aroundColumns, hoursOf, isNarrowed } from './partQueries.ts';
import { ranked, rowJson } from './rowQueries.ts';
import type { BoardWork } from './schema.ts';
import { streams } from './walkQueries.ts';
import { closedWanted } from './wanted.ts';

export const MOST_CARDS = 200;
const MOST_IN_COLUMN = 100;
export const MOST_IN_COUNT = 400;
const MOST_PEOPLE = 30;

const Person = z.object({ id: z.number(), name: z.string(), kind: z.enum(['person', 'service']), left: z.enum(leftStates).nullable() });

const Found = FoundWork.extend({ people: z.array(Person) });

const dueDay = sql.fragment`coalesce(i.due, 'infinity'::date)`;
const priority = sql.fragment`coalesce(i.priority_key, '')`;
const sums = sql.fragment`count(*) as count, ${hoursOf(sql.fragment`z`)}, count(*) > ${MOST_IN_COUNT} as more`;

/** CTEs up to `counted` and `cards (gkey, id, place)` for status or priority columns, from streams in due date order. */
function byWord(wanted: BoardWork): Fragment {
  const { group, unfolded, priority: only } = wanted;
  const columns =
    group === 'status'
      ? sql.fragment`select key as gkey, array[key] as skeys, (select coalesce(array_agg(key), '{}') from pr) as pkeys,
          closed and key <> all(${sql.array(unfolded, 'text')}) as folded from st`
      : sql.fragment`select key as gkey, (select coalesce(array_agg(key), '{}') from st) as skeys, array[key] as pkeys, false as folded from pr`;
  return sql.fragment`
    ${streams(wanted)},
    cols as materialized (${columns}),
    ${group === 'priority' || only.length > 0 ? countedByRow : countedByIndex},
    -- so many of each column fill the board: more of one that is longer would be read for nothing
    quota as materialized (
      select coalesce(min(q), ${MOST_IN_COLUMN}) as most from generate_series(10, ${MOST_IN_COLUMN}, 10) q
      where (select sum(least(c.count, q)) from counted c join cols on cols.gkey = c.gkey and not cols.folded) >= ${MOST_CARDS}
    ),
    cards as materialized (
      select c.gkey, x.id, x.place from (select * from cols where not folded) c cross join lateral (
        select y.id, row_number() over (order by y.d, pr.r, y.id) as place
        from ns n cross join pr cross join lateral (
          select ${dueDay} as d, i.id from items i where ${inStream} and ${priority} = pr.key
          order by ${dueDay}, i.id limit (select most from quota)
        ) y
        where n.key = any(c.skeys) and pr.key = any(c.pkeys) order by place limit (select most from quota)
      ) x
    )`;
}

const inStream = sql.fragment`i.workspace_id = n.workspace_id and i.needs = n.needs and i.status_key = n.key and i.shown`;

/** Counts with an index-only scan. Sums need table rows, so only completely counted columns are summed. */
const countedByIndex = sql.fragment`
    reached as materialized (
      select c.gkey, c.skeys, z.count from cols c cross join lateral (
        select count(*) as count from (
          select from ns n cross join lateral (
            select from items i where ${inStream} order by i.status_key, i.id limit ${MOST_IN_COUNT + 1}
          ) i where n.key = any(c.skeys) limit ${MOST_IN_COUNT + 1}
        ) one
      ) z where z.count > 0
    ),
    counted as materialized (
      select r.gkey, r.count, h.estimated, h.remaining, r.count > ${MOST_IN_COUNT} as more from reached r cross join lateral (
        select ${hoursOf(sql.fragment`i`)} from ns n cross join lateral (
          select i.estimated_hours, i.progress_percent, i.closed from items i where ${inStream} order by i.status_key, i.id limit ${MOST_IN_COUNT}
        ) i where n.key = any(r.skeys) and r.count <= ${MOST_IN_COUNT}
      ) h
    )`;

const countedByRow = sql.fragment`
    counted as materialized (
      select c.gkey, ${sums} from cols c cross join lateral (
        select i.* from ns n cross join lateral (
          select i.estimated_hours, i.progress_percent, i.closed from items i where ${inStream} and ${priority} = any(c.pkeys)
          order by ${priority}, ${dueDay}, i.id limit ${MOST_IN_COUNT + 1}
        ) i where n.key = any(c.skeys) limit ${MOST_IN_COUNT + 1}
      ) z group by c.gkey
    )`;

/** The same for assignee columns. Their cards are the first by due date among the counted rows. */
function byPerson(wanted: BoardWork): Fragment {
  const closed = sql.array(closedWanted(wanted), 'bool');
  const least = (more: Fragment) => sql.fragment`(select min(i.assignee_id) from items i
    where i.workspace_id = n.workspace_id and i.needs = n.needs and i.closed = n.closed and i.shown ${more})`;
  return sql.fragment`
    ${streams(wanted)},
    having_some as materialized (
      select distinct id from (
        with recursive n as (
          select needs.workspace_id, needs.needs, cl.closed from needs cross join unnest(${closed}) cl (closed)
        ), seen as (
          select n.workspace_id, n.needs, n.closed, ${least(sql.fragment`and i.assignee_id is not null`)} as id from n
          union all
          select n.workspace_id, n.needs, n.closed, ${least(sql.fragment`and i.assignee_id > n.id`)} from seen n where n.id is not null
        )
        select id from seen where id is not null
      ) x
    ),
    cols as materialized (
      select u.id::text as gkey, u.id as who from (
        select u.id, u.name from users u where u.id in (select id from having_some)
          or u.active and exists (select from memberships m, access where m.user_id = u.id and m.workspace_id = access.workspace_id
            and m.rights & ${bits('tasks', 'write')} = ${bits('tasks', 'write')})
            and u.account_id = (select account_id from access)
        order by lower(u.name), u.id limit ${MOST_PEOPLE}) u
      union all select '', null
    ),
    looked as materialized (
      select c.gkey, z.* from cols c cross join lateral (
        select i.* from needs n cross join unnest(${closed}) cl (closed) cross join lateral (
          select i.id, i.due, i.priority_key, i.estimated_hours, i.progress_percent, i.closed from items i
          where i.workspace_id = n.workspace_id and i.needs = n.needs and i.closed = cl.closed and i.assignee_id = c.who and i.shown
            and i.status_key in (select key from st) and ${priority} in (select key from pr)
          order by i.id limit ${MOST_IN_COUNT + 1}
        ) i where c.who is not null limit ${MOST_IN_COUNT + 1}
      ) z
      union all
      select '', z.* from (
        select i.* from needs n cross join unnest(${closed}) cl (closed) cross join lateral (
          select i.id, i.due, i.priority_key, i.estimated_hours, i.progress_percent, i.closed from items i
          where i.workspace_id = n.workspace_id and i.needs = n.needs and i.closed = cl.closed and i.assignee_id is null and i.shown
            and i.status_key in (select key from st) and ${priority} in (select key from pr)
          order by i.id limit ${MOST_IN_COUNT + 1}
        ) i limit ${MOST_IN_COUNT + 1}
      ) z
    ),
    counted as (select z.gkey, ${sums} from looked z group by z.gkey),
    cards as materialized (
      select gkey, id, place from (
        select i.gkey, i.id, row_number() over (partition by i.gkey order by ${dueDay}, pr.r, i.id) as place
        from looked i join pr on pr.key = ${priority}
      ) x where place <= ${MOST_IN_COLUMN}
    )`;
}

/** The same for any columns with filters: gathers the matches (gatherQueries.ts). */
function gathered(wanted: BoardWork): Fragment {
  const folded =
    wanted.group === 'status' ? sql.fragment`and not (m.closed and m.gkey <> all(${sql.array(wanted.unfolded, 'text')}))` : sql.fragment``;
  return sql.fragment`
    ${gather({ ...wanted, sort: 'due', reverse: false, after: undefined, limit: 1 })},
    cards as materialized (
      select gkey, id, place from (
        select m.gkey, m.id, row_number() over (partition by m.gkey order by m.d, m.r, m.id) as place from matched m where true ${folded}
      ) x where place <= ${MOST_IN_COLUMN}
    )`;
}

function found(wanted: BoardWork): Fragment {
  if (isNarrowed(wanted)) return gathered(wanted);
  return wanted.group === 'assignee' ? byPerson(wanted) : byWord(wanted);
}

/** If the caller is not a member, `membership` is null. Without the right to read the type there are no cards. Throws Unauthenticated. */
export async function readBoard(tx: Tx, caller: Caller, wanted: BoardWork): Promise<z.infer<typeof Found>> {
  const { type } = wanted;
  const readsType = bits(resourceOf(type), 'read');
  const row = await tx.maybeOne(sql.type(Found)`
    with ${accessTo(caller, wanted.workspaceId)},
    readable as (select ${readableTypes} as types from access),
    ${found(wanted)},
    ${type === 'requirement' ? ranked : sql.fragment``}
    shown as materialized (select gkey, id, place from cards order by place, gkey limit ${MOST_CARDS})
    select ${aroundColumns(wanted)}, readable.types,
      (select coalesce(json_agg(json_build_object('key', c.gkey, 'count', c.count, 'more', c.more, 'estimated', coalesce(c.estimated, 0),
        'remaining', coalesce(c.remaining, 0))), '[]') from counted c where access.rights & ${readsType} <> 0) as groups,
      (select coalesce(json_agg(${rowJson(type, sql.fragment`p.id`, sql.fragment`p.gkey`)} order by p.place), '[]')
        from shown p where access.rights & ${readsType} <> 0) as rows,
      (select coalesce(json_agg(json_build_object('id', u.id, 'name', u.name, 'kind', u.kind,
        'left', ${leftOf(sql.fragment`access.workspace_id`)})), '[]') from users u
        where ${wanted.group === 'assignee'} and access.rights & ${readsType} <> 0
          and u.id in (select nullif(c.gkey, '')::bigint from counted c where c.gkey ~ '^[0-9]*$')) as people
    from access cross join readable`);
  if (!row) throw new CredentialRefused();
  return row;
}
