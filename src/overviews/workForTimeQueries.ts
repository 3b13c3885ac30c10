import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import { accessToAll } from '../access/queries.ts';
import type { Fragment, Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { visible } from '../items/queries.ts';
import { CredentialRefused } from '../values/errors.ts';
import { containsPattern } from '../values/pattern.ts';
import { mine } from './myDayQueries.ts';

export const Choice = z.object({ id: z.number(), workspaceId: z.number(), workspace: z.string(), title: z.string() });
export type Choice = z.infer<typeof Choice>;

const Row = z.object({
  named: Choice.nullable(),
  known: z.array(Choice),
  workspaces: z.array(z.number()),
});
export type KnownWork = z.infer<typeof Row>;

export interface WorkAsked {
  right: number;
  id: number | null;
  words: readonly string[];
  limit: number;
}

const RECENT_DAYS = 21;
const MOST_RECENT = 50;

const columns = sql.fragment`i.id, i.workspace_id as "workspaceId", w.name as workspace, i.title`;
const choiceOf = (id: Fragment) => sql.fragment`
  (select i.id, i.workspace_id, i.title from items i join scope access on ${visible} where i.id = ${id} limit 1) i
  join workspaces w on w.id = i.workspace_id`;

/** CTEs for a statement with `access` to all workspaces: those with the right, and the caller's recent, planned and assigned work. */
export const knownWork = (may: Fragment): Fragment => sql.fragment`
  scope as (select * from access where ${may}),
  ${mine},
  recent as (
    select e.item_id as id, max(e.id) as latest from scope
    join time_parts p on p.user_id = scope.user_id and p.workspace_id = scope.workspace_id and p.day > current_date - ${RECENT_DAYS}::integer
    join time_entries e on e.id = p.entry_id
    group by e.item_id order by 2 desc limit ${MOST_RECENT}
  ),
  planned as (
    select b.item_id as id from scope
    join plan_blocks b on b.user_id = scope.user_id and b.workspace_id = scope.workspace_id
    where b.state <> 'cancelled' and b.starts_at between now() - interval '2 days' and now() + interval '8 days'
  ),
  known as (
    select id, max(latest) as latest from (
      select id, latest from recent union all select id, null from planned union all select id, null from mine
    ) one group by id
  )`;

export const namedChoice = (id: number | null): Fragment =>
  sql.fragment`(select to_json(named) from (select ${columns} from ${choiceOf(sql.fragment`${id}::bigint`)}) named)`;

/** With these CTEs: items whose titles contain these words, as JSON. Recent work first, then the caller's open work. */
export function knownChoices(words: readonly string[], limit: number): Fragment {
  const patterns = words.map((word) => containsPattern(word.toLowerCase()));
  return sql.fragment`(select coalesce(json_agg(one), '[]') from (
    select ${columns} from known k cross join lateral ${choiceOf(sql.fragment`k.id`)}
    where lower(i.title) like all (${sql.array(patterns, 'text')})
    order by k.latest desc nulls last, i.id desc limit ${limit}
  ) one)`;
}

/** Throws Unauthenticated. */
export async function readKnownWork(tx: Tx, caller: Caller, { right, id, words, limit }: WorkAsked): Promise<KnownWork> {
  const row = await tx.maybeOne(sql.type(Row)`
    with ${accessToAll(caller)},
    ${knownWork(sql.fragment`rights & ${right} = ${right}`)}
    select ${namedChoice(id)} as named, ${knownChoices(words, limit)} as known,
      (select coalesce(json_agg(workspace_id), '[]') from scope) as workspaces
    from who`);
  if (!row) throw new CredentialRefused();
  return row;
}
