/** The board page (behaviour §23): one statement reads each column's count, sums and first cards. */
import { z } from 'zod';
import type { Caller } from '../../access/caller.ts';
import { accessTo } from '../../access/queries.ts';
import { bits, resourceOf, TASKS_WRITE } from '../../access/rights.ts';
import { keepUpToDate } from '../../capacity/snapshots/pageForecast.ts';
import { type Fragment, fixedSql, type Tx } from '../../database/db.ts';
import { sql } from '../../database/sql.ts';
import { conditionsOf } from '../../items/findWork/filterQueries.ts';
import {
  countedInOrder,
  countedOfMatched,
  gathered,
  isInOrder,
  type ListSought,
  ordered,
  orderOf,
} from '../../items/findWork/listQueries.ts';
import { closedOf, scopeCte } from '../../items/findWork/scopeQueries.ts';
import type { Read } from '../../operations/operation.ts';
import { CredentialRefused, Forbidden } from '../../values/errors.ts';
import { isClosed, leftOf, readableTypes } from '../../workspaces/queries.ts';
import { WipLimits } from '../../workspaces/schema.ts';
import { BoardWork, hasSearch, soughtBy } from './input.ts';
import type { WorkList } from './listWork.ts';
import { aroundColumns, FoundWork, groupsJson, pageForecastOf } from './partQueries.ts';
import { ctesOf, rowJson } from './rowQueries.ts';
import { Person } from './schema.ts';

export { BoardWork, boardGroupings } from './input.ts';

const MOST_CARDS = 200;
export const MOST_IN_COLUMN = 100;
/** Browsers need a third of a millisecond for a card, slow phones four times that. */
export const MOST_AT_FIRST = 30;
export const MOST_IN_COUNT = 400;
const MOST_PEOPLE = 30;

const LimitedColumn = WipLimits.extend({ key: z.string(), count: z.number(), hours: z.number() });
export type LimitedColumn = z.infer<typeof LimitedColumn>;

const Found = FoundWork.extend({ people: z.array(Person), limits: z.array(LimitedColumn) });

const MOST_FOR_LIMIT = 1_000;

/** The columns with a limit, and all visible items in them, whatever the filters. */
const limitsJson = ({ type, group }: BoardWork): Fragment => sql.fragment`(
  select coalesce(json_agg(json_build_object('key', l.key, 'wipItems', l.wip_items, 'wipHours', l.wip_hours, 'count', n.count, 'hours', n.hours)), '[]')
  from statuses l cross join lateral (
    select count(*) as count, coalesce(sum(x.estimated_hours), 0) as hours from (
      select i.estimated_hours from scope s join items i on i.workspace_id - 0 = s.workspace_id
      where i.type = ${type} and i.status_key = l.key and i.shown and i.needs = any(s.needs) limit ${MOST_FOR_LIMIT}
    ) x
  ) n
  where ${group === 'status'} and l.workspace_id = access.workspace_id and ${type} = any(l.types) and coalesce(l.wip_items, l.wip_hours) is not null
    and not ${fixedSql(isClosed('l.status'))})`;

const soughtOf = (wanted: BoardWork): ListSought => ({ ...soughtBy(wanted), after: undefined, limit: MOST_IN_COLUMN });

/** CTEs `page (gkey, …)`, the first cards of each column, and `counted`. A board is a list grouped by its columns. */
function found(wanted: BoardWork): Fragment {
  const { group, unfolded, archived } = wanted;
  const sought = soughtOf(wanted);
  const isFolded = group === 'status' ? sql.fragment`(g.closed and g.key <> all(${sql.array(unfolded, 'text')}))` : sql.fragment`false`;
  if (isInOrder(sought))
    return sql.fragment`${ordered(sought, { most: MOST_IN_COLUMN, folded: isFolded })},
      ${countedInOrder(sought, { each: MOST_IN_COUNT, all: Number.MAX_SAFE_INTEGER })}`;
  const { status, statusKey, priority, ...others } = sought.filters;
  const isByPerson = group === 'assignee' && !archived && Object.values(others).every((value) => value === undefined);
  return sql.fragment`
    ${isByPerson ? sql.fragment`${peopleOf(wanted)}, ${gathered(sought, rowsOfPeople(wanted))}` : gathered(sought)},
    ${countedOfMatched(isByPerson ? MOST_IN_COUNT : undefined)},
    page as materialized (
      select * from (
        select g.*, row_number() over (partition by g.gkey order by ${orderOf(sought)}) as place from (select m.*, m.gkey as key from matched m) g
        where not ${isFolded}
      ) x where place <= ${MOST_IN_COLUMN}
    )`;
}

/** CTE `cols (who)`: the columns of a board by assignee, who have work or can get it; null for unassigned work. */
function peopleOf(wanted: BoardWork): Fragment {
  const closed = closedOf(soughtBy(wanted));
  const least = (more: Fragment) => sql.fragment`(select min(i.assignee_id) from items i
    where i.workspace_id = n.workspace_id and i.needs = n.needs and i.closed = n.closed and i.shown ${more})`;
  return sql.fragment`
    ranges as materialized (
      select s.workspace_id, n.needs, c.closed from scope s cross join unnest(s.needs) n (needs) cross join unnest(${closed}) c (closed)
    ),
    having_some as materialized (
      select distinct id from (
        with recursive seen as (
          select n.workspace_id, n.needs, n.closed, ${least(sql.fragment`and i.assignee_id is not null`)} as id from ranges n
          union all
          select n.workspace_id, n.needs, n.closed, ${least(sql.fragment`and i.assignee_id > n.id`)} from seen n where n.id is not null
        )
        select id from seen where id is not null
      ) x
    ),
    cols as materialized (
      select u.id as who from (
        select u.id, u.name from users u where u.id in (select id from having_some)
          or u.active and exists (select from memberships m, access where m.user_id = u.id and m.workspace_id = access.workspace_id
            and m.rights & ${TASKS_WRITE} = ${TASKS_WRITE})
            and u.account_id = (select account_id from access)
        order by lower(u.name), u.id limit ${MOST_PEOPLE}) u
      union all select null
    )`;
}

/** The first items of each person by their number. */
function rowsOfPeople(wanted: BoardWork): Fragment {
  const rows = (whose: Fragment) => sql.fragment`
    select i.* from ranges n join scope s on s.workspace_id = n.workspace_id cross join lateral (
      select i.* from items i
      where i.workspace_id = n.workspace_id and i.needs = n.needs and i.closed = n.closed and ${whose} and i.shown
        and (${conditionsOf(soughtBy(wanted).filters)}) is true
      order by i.id limit ${MOST_IN_COUNT + 1}
    ) i limit ${MOST_IN_COUNT + 1}`;
  return sql.fragment`(
    select i.* from cols c cross join lateral (${rows(sql.fragment`i.assignee_id = c.who`)}) i where c.who is not null
    union all select i.* from (${rows(sql.fragment`i.assignee_id is null`)}) i) i`;
}

/** If the caller is not a member, `membership` is null. Without the right to read the type there are no cards. Throws Unauthenticated. */
async function readBoard(tx: Tx, caller: Caller, wanted: BoardWork): Promise<z.infer<typeof Found>> {
  const { type } = wanted;
  const readsType = bits(resourceOf(type), 'read');
  const row = await tx.maybeOne(sql.type(Found)`
    with ${accessTo(caller, wanted.workspaceId)},
    readable as (select ${readableTypes} as types from access),
    ${scopeCte([type])}, ${found(wanted)},
    ${ctesOf(type)}
    shown as materialized (
      select * from (select gkey, id, row_number() over (partition by gkey order by ${orderOf(soughtOf(wanted))}) as place from page) p
      where place <= ${MOST_AT_FIRST} or gkey = any(${sql.array(wanted.full, 'text')}) order by place, gkey limit ${MOST_CARDS}
    )
    select ${aroundColumns(wanted)}, readable.types, ${groupsJson} as groups, ${limitsJson(wanted)} as limits, ${pageForecastOf(type)} as forecast,
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

/** Like a list without pages. Its groups are the columns' contents. */
export interface WorkBoard extends WorkList {
  people: Person[];
  /** Only of a board by status. */
  limits: LimitedColumn[];
}

export const showBoard: Read<BoardWork, WorkBoard> = {
  name: 'showBoard',
  input: BoardWork,
  searches: hasSearch,
  run: shown,
};

async function shown(tx: Tx, caller: Caller, wanted: BoardWork): Promise<WorkBoard> {
  const { membership, types, forecast, ...rest } = await readBoard(tx, caller, wanted);
  if (!membership) throw new Forbidden();
  keepUpToDate(tx, forecast);
  const [first] = types;
  if (first && !types.includes(wanted.type)) return shown(tx, caller, { ...wanted, type: first });
  const { type, group, sort, reverse } = wanted;
  // Too many items to sort them.
  if ((sort !== 'due' || reverse) && rest.groups.some(({ more }) => more))
    return shown(tx, caller, { ...wanted, sort: 'due', reverse: false });
  return { ...rest, membership, type, next: null, order: { group, sort, reverse } };
}
