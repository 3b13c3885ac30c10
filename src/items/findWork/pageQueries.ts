/** The finder: one page of the items that match some filters, in id order. One statement. */
import { isVisible } from '../../access/queries.ts';
import type { ItemType } from '../../access/rights.ts';
import { type Fragment, fixedSql } from '../../database/db.ts';
import { sql } from '../../database/sql.ts';
import {
  conditionsOf,
  type FilterName,
  type Filters,
  idsFor,
  needsOf,
  ofType,
  openOrClosed,
  type Stream,
  streamsFor,
} from './filterQueries.ts';
import { hitsInOrder, lastOf } from './textQueries.ts';

export interface PageWanted {
  types: readonly ItemType[];
  closed: readonly boolean[];
  filters: Filters;
  afterId: number;
  limit: number;
  /** The scope may be many workspaces. */
  spread?: boolean;
  /** Up to so many candidates of one filter are read and sorted. */
  few?: number;
  /** So many texts are searched in id order before the index of texts is used. */
  texts?: number;
  /** So many ids after the first row are read before the indexes of many workspaces. */
  near?: number;
}

const FEW = 300;
const FEW_TEXTS = 2_000;
const TEXTS = { text: 1_000, all: 200 };
const NEAR = 5_000;
/** From this many workspaces on, the items of an account lie closer together by their ids than in the indexes of workspaces. */
const MANY_WORKSPACES = 8;

/** The CTEs up to `page (id, place)`, from CTE `scope`, the caller's access to some workspaces: the first `limit` + 1 matching items.
 *
 *  One filter is one index scan in id order. If there are several, each that may match few rows is tried as a source of candidates. If all
 *  match more than a few, the first index is read in id order, and the others are checked row by row. */
export function pageOf(wanted: PageWanted): Fragment {
  const { types, filters, limit, few = FEW } = wanted;
  const closed = sql.fragment`${sql.array([...wanted.closed], 'bool')}`;
  const streams = streamsFor(filters, closed);
  const [lead] = streams;
  const ids = idsFor(filters, types, closed);
  const text = ids.find(({ name }) => name === 'text');
  const others = ids.filter(({ name }) => name !== 'text' && name !== lead?.name);
  const isOneStream = lead && streams.length === 1 && others.length === 0 && conditionsOf(filters, lead.name) === null;
  const sources = isOneStream ? [] : [...streams.map(({ name, stream }) => ({ name, ids: allOf(stream, wanted) })), ...others];
  const steps = new Steps(wanted, closed);
  if (wanted.spread && !filters.text && !filters.ids) steps.addNear(wanted.near ?? NEAR);
  for (const { name, ids } of sources) steps.addCandidates(name, ids, few);
  if (text) {
    steps.addTexts(sql.fragment`greatest(1, ${wanted.texts ?? TEXTS[filters.text!.searchIn ?? 'text']} / (select count(*) from scope))`);
    steps.addCandidates('text', text.ids, wanted.few ?? FEW_TEXTS);
  }
  if (filters.text && !(text && lead)) steps.addTexts(null);
  else steps.addStream(lead?.stream ?? baseOf(wanted, closed), lead?.name);
  return sql.fragment`
    ${steps.ctes.length ? sql.join(steps.ctes, sql.fragment` `) : nothing}
    page as materialized (
      select id, row_number() over (order by id) as place
      from (${sql.join(steps.arms, sql.fragment` union all `)} order by id limit ${limit + 1}) first
    )`;
}

/** Ways to the page, each of which runs only if those before it did not complete it. */
class Steps {
  readonly ctes: Fragment[] = [];
  /** Queries of ids. */
  readonly arms: Fragment[] = [];
  /** True if the page is not complete yet. */
  #open = fixedSql('true');
  readonly #wanted: PageWanted;
  readonly #closed: Fragment;

  constructor(wanted: PageWanted, closed: Fragment) {
    this.#wanted = wanted;
    this.#closed = closed;
  }

  /** Reads the items of all accounts in id order, from the first of these workspaces on. */
  addNear(ids: number) {
    const { afterId, limit } = this.#wanted;
    this.ctes.push(sql.fragment`
      start as materialized (
        select min(first.id) - 1 as id from scope s cross join unnest(${this.#closed}) c (closed) cross join lateral (
          select i.id from items i where i.workspace_id = s.workspace_id and i.shown
            and (i.closed, i.id) > (c.closed, ${afterId}::bigint) and i.closed <= c.closed order by i.closed, i.id limit 1
        ) first where (select count(*) >= ${this.#wanted.near ? 0 : MANY_WORKSPACES} from scope)
      ),
      near as materialized (
        select i.id from (
          select i.* from start cross join lateral (select i.* from items i where i.id > start.id and i.id <= start.id + ${ids} order by i.id offset 0) i
        ) i join scope s on s.workspace_id = i.workspace_id where ${this.#matches()} order by i.id limit ${limit + 1}
      ),`);
    this.#open = sql.fragment`(select count(*) <= ${limit} from near)`;
    this.arms.push(sql.fragment`select id from near where not ${this.#open}`);
  }

  /** Completes the page if there are at most this many candidates. */
  addCandidates(name: FilterName, ids: Fragment, most: number) {
    const few = this.#name('few');
    this.ctes.push(sql.fragment`
      ${few} as materialized (select c.id from scope s cross join lateral (${ids}) c where ${this.#open} limit ${most + 1}),`);
    this.arms.push(sql.fragment`
      select i.id from (select distinct id from ${few} where (select count(*) from ${few}) <= ${most}) c
      cross join lateral (select one.* from items one where one.id = c.id limit 1) i join scope s on s.workspace_id = i.workspace_id
      where i.id > ${this.#wanted.afterId} and ${this.#matches(name)}`);
    this.#open = sql.fragment`(select count(*) > ${most} from ${few})`;
  }

  /** Searches the texts in id order, which finds a frequent word soon: `most` in each workspace, or all. */
  addTexts(most: Fragment | null) {
    const { filters, limit, afterId } = this.#wanted;
    const [near, nearest] = [this.#name('near'), this.#name('nearest')];
    const isMatch = sql.fragment`(select true from items i where i.id = h.item_id and ${this.#matches('text')})`;
    const hits = sql.fragment`select h.item_id from (${hitsInOrder(filters.text!, afterId, most)}) h where ${isMatch} limit ${limit + 1}`;
    // `until`: the last searched id; null at the end.
    this.ctes.push(sql.fragment`
      ${near} as materialized (
        select p.ids, case when cardinality(p.ids) > ${limit} then p.ids[${limit + 1}] else ${most ? lastOf(afterId, most) : fixedSql('null')} end as until
        from scope s cross join lateral (select array(${hits}) as ids offset 0) p where ${this.#open}
      ),
      ${nearest} as materialized (
        select h.id from ${near} cross join unnest(ids) h (id) where h.id <= coalesce((select min(until) from ${near}), h.id) order by h.id limit ${limit + 1}
      ),`);
    this.#open = sql.fragment`((select count(until) > 0 from ${near}) and (select count(*) <= ${limit} from ${nearest}))`;
    this.arms.push(sql.fragment`select id from ${nearest} where not ${this.#open}`);
  }

  /** Reads streams in id order. */
  addStream(stream: Stream, name?: FilterName) {
    const { types, filters, afterId, limit, spread = false } = this.#wanted;
    const others = conditionsOf(filters, name);
    // `is true` keeps the planner from an index of a condition that is checked row by row.
    const rest = others ? sql.fragment`and (${others}) is true` : nothing;
    const rows = (most: number) =>
      sql.fragment`select i.id from items i where ${after(stream, afterId)} ${rest} order by ${stream.column}, i.id limit ${most}`;
    const all = streamsOf(stream, types);
    // A page needs only the streams whose first rows are among the first of all.
    const needed = spread
      ? sql.fragment`select s.* from (${all}) s cross join lateral (${rows(1)}) first where ${this.#open} order by first.id limit ${limit + 1}`
      : all;
    this.arms.push(sql.fragment`select p.id from (${needed}) s cross join lateral (${rows(limit + 1)}) p where ${this.#open}`);
  }

  #name = (text: string) => fixedSql(`${text}_${this.ctes.length}`);

  #matches(except?: FilterName): Fragment {
    const { types, filters } = this.#wanted;
    const others = conditionsOf(filters, except);
    return sql.fragment`${isVisible('i', 's.rights')} and i.closed = any(${this.#closed}) and i.needs = any(${needsOf(types)})
      ${others ? sql.fragment`and ${others}` : nothing}`;
  }
}

const nothing = sql.fragment``;

function baseOf({ types, closed, filters }: PageWanted, states: Fragment): Stream {
  const [type, ...others] = types;
  return type && others.length === 0 && closed.length === 2 && conditionsOf(filters) === null ? ofType(type) : openOrClosed(states);
}

const streamsOf = ({ values }: Stream, types: readonly ItemType[]) => sql.fragment`
  select s.*, n.needs, v.closed, v.value from scope s join unnest(${needsOf(types)}) n (needs) on n.needs & s.rights = n.needs
  cross join lateral (${values}) v (closed, value)`;

/** Compares and orders by the column before the id too. Otherwise the planner may prefer the primary key. */
const after = ({ equal, column, isNull }: Stream, id: number) =>
  sql.fragment`${equal} and i.shown and ${
    isNull
      ? sql.fragment`${column} is null and i.id > ${id}`
      : sql.fragment`(${column}, i.id) > (s.value, ${id}::bigint) and ${column} <= s.value`
  }`;

/** Ids of all rows of one filter's streams after the cursor, for a row of CTE `scope`. */
function allOf(stream: Stream, { types, afterId }: PageWanted): Fragment {
  const { column, values } = stream;
  return sql.fragment`
    select r.id from (
      select s.workspace_id, n.needs, v.closed, v.value from unnest(${needsOf(types)}) n (needs) cross join lateral (${values}) v (closed, value)
      where n.needs & s.rights = n.needs
    ) s cross join lateral (select i.id from items i where ${after(stream, afterId)} order by ${column}, i.id) r`;
}
