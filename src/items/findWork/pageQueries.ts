/** The finder in the order of items' numbers, for REST and agents. */
import { type Fragment, fixedSql } from '../../database/db.ts';
import { sql } from '../../database/sql.ts';
import { candidatesOf, conditionsOf } from './filterQueries.ts';
import { closedOf, matches, type Sought, typesOf } from './scopeQueries.ts';

export interface PageWanted extends Sought {
  afterId: number;
  limit: number;
  /** The scope may be many workspaces. */
  spread?: boolean;
  /** Maximum number of candidates of one filter that are read and sorted. */
  few?: number;
  /** Number of items to search for a text in id order before the text index is used. Finds frequent words quickly. */
  near?: number;
}

const FEW = 300;
const FEW_TEXTS = 2_000;
const NEAR = 300;

/** Rows `s (…, type, closed)`: each is one range of the index items_by_id. */
const ranges = (wanted: Sought) => sql.fragment`
  (select s.*, t.type, c.closed from scope s cross join lateral ${typesOf(wanted.types)} t cross join unnest(${closedOf(wanted)}) c (closed)) s`;

/** The first `most` items of range `s` after the cursor. Only the index items_by_id has the negative workspace, and the column before the
 *  id is compared too, so that the planner has no other index to choose. `most` is a parameter: the planner then expects a tenth of the
 *  rows, which makes sorting them all look expensive. */
const rowsOf = (columns: Fragment, afterId: number, condition: Fragment, most: Fragment) => sql.fragment`
  select ${columns} from items i
  where -i.workspace_id = -s.workspace_id and i.type = s.type and i.shown and i.needs = any(s.needs)
    and (i.closed, i.id) > (s.closed, ${afterId}::bigint) and i.closed <= s.closed and ${condition}
  order by i.closed, i.id limit ${most}`;

/** Rows `i` of all ranges, unordered, at most about this many. */
export const rowsById = (wanted: Sought, most: number): Fragment => sql.fragment`
  (select i.* from ${ranges(wanted)} cross join lateral (${rowsOf(sql.fragment`i.*`, 0, conditionsOf(wanted.filters), sql.fragment`${most}`)}) i limit ${most}) i`;

/** The CTEs up to `page (id, place)`, from CTE `scope`: the first `limit` + 1 matching items.
 *
 *  Filters with few candidates are tried first, one after another. If all have more than a few, the items are read in their order, and the
 *  index checks the other filters. */
export function pageOf(wanted: PageWanted): Fragment {
  const { limit, few = FEW, filters, spread = false } = wanted;
  const steps = new Steps(wanted);
  if (filters.text && !filters.ids && !filters.underId) steps.addNear();
  for (const { name, ids } of candidatesOf(filters, wanted.closed)) {
    // In many workspaces the candidates cost as much as the ranges.
    if (spread && name === 'assignee') continue;
    steps.addCandidates(ids, name === 'text' ? (wanted.few ?? FEW_TEXTS) : few, matches(wanted, name));
  }
  steps.addOrdered();
  return sql.fragment`
    ${steps.ctes.length ? sql.join(steps.ctes, sql.fragment` `) : sql.fragment``}
    page as materialized (
      select id, row_number() over (order by id) as place
      from (${sql.join(steps.arms, sql.fragment` union all `)} order by id limit ${limit + 1}) first
    )`;
}

/** Plans for one page, tried in order: each runs only if those before it did not complete the page. */
class Steps {
  readonly ctes: Fragment[] = [];
  /** Queries of ids. */
  readonly arms: Fragment[] = [];
  /** True if the page is not complete yet. */
  #open = fixedSql('true');
  readonly #wanted: PageWanted;

  constructor(wanted: PageWanted) {
    this.#wanted = wanted;
  }

  /** Completes the page if there are at most this many candidates. */
  addCandidates(ids: Fragment, most: number, isMatch: Fragment) {
    const few = fixedSql(`few_${this.ctes.length}`);
    this.ctes.push(sql.fragment`
      ${few} as materialized (select c.id from scope s cross join lateral (${ids}) c where ${this.#open} limit ${most + 1}),`);
    this.arms.push(sql.fragment`
      select i.id from (select distinct id from ${few} where (select count(*) from ${few}) <= ${most}) c
      cross join lateral (select one.* from items one where one.id = c.id limit 1) i join scope s on s.workspace_id = i.workspace_id
      where i.id > ${this.#wanted.afterId} and ${isMatch}`);
    this.#open = sql.fragment`(select count(*) > ${most} from ${few})`;
  }

  /** Completes the page if the text is frequent among the first items of each range. Uses only ids up to the earliest end of a range,
   *  because after it other ranges may have unread matches. */
  addNear() {
    const { filters, afterId, limit, near = NEAR } = this.#wanted;
    const most = sql.fragment`greatest(2, ${near} / (select count(*) from scope))`;
    const rows = rowsOf(sql.fragment`i.id`, afterId, conditionsOf(filters, 'text'), most);
    this.ctes.push(sql.fragment`
      looked as materialized (select s.workspace_id, s.type, s.closed, i.id from ${ranges(this.#wanted)} cross join lateral (${rows}) i),
      near as materialized (
        select i.id from looked i join scope s on s.workspace_id = i.workspace_id
        where i.id <= coalesce((select min(l.last) from (
            select max(id) as last from looked group by workspace_id, type, closed having count(*) = ${most}) l), i.id)
          and ${conditionsOf({ text: filters.text })}
        order by i.id limit ${limit + 1}
      ),`);
    this.#open = sql.fragment`(select count(*) <= ${limit} from near)`;
    this.arms.push(sql.fragment`select id from near where not ${this.#open}`);
  }

  /** Reads all ranges in order. */
  addOrdered() {
    const { filters, afterId, limit, spread } = this.#wanted;
    const rows = (most: number) => rowsOf(sql.fragment`i.id`, afterId, conditionsOf(filters), sql.fragment`${most}`);
    const all = ranges(this.#wanted);
    // A page needs only the ranges whose first rows are among the first of all.
    const needed = spread
      ? sql.fragment`(select s.* from ${all} cross join lateral (${rows(1)}) first where ${this.#open} order by first.id limit ${limit + 1}) s`
      : all;
    this.arms.push(sql.fragment`select p.id from ${needed} cross join lateral (${rows(limit + 1)}) p where ${this.#open}`);
  }
}
