/** Global search: items of all types and people, in all of a user's workspaces (behaviour §22.1). */
import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import { accessToAll, isReadable, isVisible } from '../access/queries.ts';
import { WORKSPACES_READ } from '../access/rights.ts';
import type { Fragment, Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { isIndexed } from '../items/findWork/searchPhrases.ts';
import { sourceKey } from '../items/sourceKey.ts';
import type { Read } from '../operations/operation.ts';
import { CredentialRefused } from '../values/errors.ts';
import { containsPattern, Text } from '../values/text.ts';
import { statuses } from '../workspaces/statuses.ts';

/** SQL of the global search: one statement whose cost does not grow with the number of items. It first scans the titles of the newest
 *  items, which suffices for frequent words. If it finds too few, it uses the index of titles, then that of all texts. */
export interface Sought {
  /** Substrings that must all match, in any case and order. */
  words: readonly string[];
  /** One or two indexable words; null if there are none. */
  keys: readonly [string, string] | null;
  number: number | null;
  archived: boolean;
  limit: number;
}

const FoundItem = z.object({
  id: z.number(),
  workspaceId: z.number(),
  workspace: z.string(),
  type: z.enum(['task', 'requirement', 'goal', 'release', 'milestone']),
  title: z.string(),
  status: z.enum(statuses),
  statusLabel: z.string(),
  /** The item or an item above it is archived. */
  archived: z.boolean(),
});
export type FoundItem = z.infer<typeof FoundItem>;

const FoundPerson = z.object({
  id: z.number(),
  name: z.string(),
  kind: z.enum(['person', 'service']),
  workspaceId: z.number().nullable(),
});
export type FoundPerson = z.infer<typeof FoundPerson>;

const Row = z.object({ items: z.array(FoundItem), people: z.array(FoundPerson), more: z.boolean() });
export type Everywhere = z.infer<typeof Row>;

const NEWEST = 2_000;
const NEWEST_TEXTS = 300;
const CANDIDATES = 100;
const MOST_PEOPLE = 5;

const title = sql.fragment`split_part(t.words, E'\n', 1)`;

const readable = (archived: boolean) => (archived ? sql.fragment`${isReadable('i', 'a.rights')}` : isVisible('i', 'a.rights'));

/** CTE `newest (id, place, hit)`. Compares (closed, id): with the id alone the planner may scan the primary key. */
const newest = (patterns: Fragment) => sql.fragment`
  newest as materialized (
    select i.id, a.workspace_id, row_number() over (order by i.id desc) as place, lower(i.title) like all (${patterns}) as hit
    from access a cross join unnest('{false,true}'::boolean[]) c (closed) cross join lateral (
      select i.id, i.title, i.needs from items i
      where i.workspace_id = a.workspace_id and i.shown and (i.closed, i.id) < (c.closed, 9223372036854775807) and i.closed >= c.closed
      order by i.closed desc, i.id desc limit greatest(1, ${NEWEST} / (2 * (select count(*) from access)))
    ) i
    where ${isReadable('i', 'a.rights')}
  )`;

/** Ids of items whose text matches these keys, if `tooFew` were found so far. Materialized, so that the planner starts with the index. */
function byIndex({ keys, archived }: Sought, key: Fragment, text: Fragment, patterns: Fragment, tooFew: Fragment): Fragment {
  if (!keys) return sql.fragment`select null::bigint as id where false`;
  const [first, second] = keys;
  const has = (word: string) => sql.fragment`${key}(${text}) like ${key}(lower(${containsPattern(word)}::text))`;
  return sql.fragment`
    select t.id from access a cross join lateral (
      with hits as materialized (
        select t.item_id as id from item_texts t
        where t.workspace_id = a.workspace_id and ${has(first)} and ${has(second)} and ${text} like all (${patterns})
          and (select true from items i where i.id = t.item_id and ${readable(archived)})
        limit ${CANDIDATES}
      ) select id from hits
    ) t
    where ${tooFew}`;
}

/** Ranks the hits: first by number or by key in the source (behaviour §36.26), then by how well the title matches. */
const rank = (words: readonly string[], number: number | null, patterns: Fragment) => sql.fragment`case
  when i.id = ${number}::bigint then 0
  when exists (select from imported_items k where k.item_id = i.id and lower(${sourceKey}) = lower(${words.join(' ')}::text)) then 0
  when not lower(i.title) like all (${patterns}) then 4
  when lower(i.title) like lower(${containsPattern(words.join(' ')).slice(1)}::text) then 1
  when ' ' || lower(i.title) like all (select lower(w) from unnest(${sql.array(
    words.map((word) => `% ${containsPattern(word).slice(1)}`),
    'text',
  )}) w) then 2
  else 3 end`;

const people = (patterns: Fragment) => sql.fragment`(
  select coalesce(json_agg(json_build_object('id', p.id, 'name', p.name, 'kind', p.kind, 'workspaceId', p.workspace_id) order by p.name, p.id), '[]')
  from (
    select u.id, u.name, u.kind, shared.workspace_id
    from users u cross join lateral (
      select min(m.workspace_id) as workspace_id from memberships m join access a on a.workspace_id = m.workspace_id
      where m.user_id = u.id and a.rights & ${WORKSPACES_READ} <> 0
    ) shared
    where u.account_id = who.account_id and u.active and lower(u.name) like all (${patterns})
      and (shared.workspace_id is not null or exists (select from users me where me.id = who.user_id and me.account_role in ('owner', 'admin')))
    order by u.name, u.id limit ${MOST_PEOPLE}
  ) p)`;

/** Throws Unauthenticated. */
export async function readEverywhere(tx: Tx, caller: Caller, sought: Sought): Promise<Everywhere> {
  const { words, number, archived, limit } = sought;
  const patterns = sql.fragment`(select array_agg(lower(w)) from unnest(${sql.array(words.map(containsPattern), 'text')}) w)::text[]`;
  const few = (cte: Fragment) => sql.fragment`(select count(*) from ${cte}) <= ${limit}`;
  const row = await tx.maybeOne(sql.type(Row)`
    with ${accessToAll(caller)},
    ${newest(patterns)},
    titled as materialized (
      (select id from newest where hit order by place limit ${2 * CANDIDATES})
      union (${byIndex(sought, sql.fragment`search_key`, title, patterns, few(sql.fragment`newest where hit`))})
    ),
    texted as materialized (
      select id from titled
      union (
        select n.id from newest n
        where ${few(sql.fragment`titled`)} and n.place <= ${NEWEST_TEXTS}
          and (select t.words like all (${patterns}) from item_texts t where t.workspace_id = n.workspace_id and t.item_id = n.id)
      )
    ),
    found as (
      select id from texted
      union (${byIndex(sought, sql.fragment`phrase_key`, sql.fragment`t.words`, patterns, few(sql.fragment`texted`))})
      union select ${number}::bigint where ${number}::bigint is not null
    ),
    best as (
      select i.*, row_number() over (order by i.shown desc, i.rank, i.closed, i.id desc) as place
      from found f cross join lateral (
        select i.id, i.workspace_id, i.type, i.title, i.status, i.status_key, i.shown, i.closed, ${rank(words, number, patterns)} as rank
        from items i join access a on a.workspace_id = i.workspace_id where i.id = f.id and ${readable(archived)} limit 1
      ) i
      order by place limit ${limit + 1}
    )
    select ${people(patterns)} as people,
      coalesce((
        select json_agg(json_build_object('id', b.id, 'workspaceId', b.workspace_id, 'workspace', (select w.name from workspaces w where w.id = b.workspace_id),
          'type', b.type, 'title', b.title, 'status', b.status, 'archived', not b.shown,
          'statusLabel', (select s.label from statuses s where s.workspace_id = b.workspace_id and s.key = b.status_key)) order by b.place)
        from best b where b.place <= ${limit}), '[]') as items,
      (select count(*) from best) > ${limit} as more
    from who`);
  if (!row) throw new CredentialRefused();
  return row;
}

const MOST_WORDS = 8;
const most = z.int('give a whole number from 1 to 50').min(1).max(50);

const Input = z.strictObject({
  q: Text(1, 300),
  /** Includes archived items, after the others. */
  archived: z.boolean().default(false),
  limit: most.default(20),
});
type Input = z.infer<typeof Input>;

export const searchEverywhere: Read<Input, Everywhere> = {
  name: 'searchEverywhere',
  input: Input,
  searches: () => true,
  async run(tx, caller, input) {
    const sought = soughtBy(input);
    if (!sought) return { items: [], more: false, people: [] };
    return readEverywhere(tx, caller, sought);
  },
};

export function soughtBy({ q, archived, limit }: Pick<Input, 'q' | 'archived' | 'limit'>): Sought | null {
  const words = q.split(/\s+/u).filter(Boolean).slice(0, MOST_WORDS);
  if (words.length === 0) return null;
  // Longest first, because it is probably the rarest.
  const [first, second = first] = words.filter((word) => isIndexed(word)).sort((a, b) => b.length - a.length);
  const number = Number(/^#?(\d{1,15})$/.exec(q.trim())?.[1] ?? 0);
  return {
    words,
    keys: first === undefined || second === undefined ? null : [first, second],
    number: number > 0 ? number : null,
    archived,
    limit,
  };
}
