/** SQL of the pages about a person's own agents: one statement for each page. */
import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import { callerRow, isReadable } from '../access/queries.ts';
import { listOf, type Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { StoredInstant } from '../values/dates.ts';
import { CredentialRefused } from '../values/errors.ts';
import type { ActivityFilter } from './activityFilter.ts';
import { ConnectableRow, type ConnectableWorkspace, connectableOf, visibleWorkspaceName } from './pageQueries.ts';
import { type InWords, inWords } from './personalNoteRights.ts';

/** Maximum of counted calls of one connection. The page says if there are more. */
export const MOST_CALLS = 5_000;
const MOST_CONNECTIONS = 200;
const PAGE = 50;
const LATEST = 5;
const MOST_TOUCHED = 3;

const Instant = StoredInstant.nullable();
const CardRow = z.object({
  id: z.number(),
  name: z.string(),
  rights: z.number(),
  noteRights: z.number(),
  createdAt: StoredInstant,
  expiresAt: Instant,
  lastUsedAt: Instant,
  client: z.string().nullable(),
  protocolVersion: z.string().nullable(),
  revokedAt: Instant,
  expired: z.boolean(),
  workspaces: z.array(z.object({ id: z.number(), name: z.string(), disconnected: z.boolean() })),
  calls: z.array(z.object({ date: z.string(), calls: z.number(), failed: z.number() })),
  counted: z.number(),
});

export type AgentCard = InWords<z.infer<typeof CardRow>>;

const Touched = z.object({ id: z.number(), workspaceId: z.number(), title: z.string() });
const ActivityRow = z.object({
  id: z.number(),
  at: StoredInstant,
  connection: z.string(),
  tool: z.string(),
  outcome: z.string(),
  elapsedMs: z.number(),
  workspace: z.string().nullable(),
  /** The first changed items that the person may see now. Null if unknown. */
  touched: z.array(Touched).nullable(),
  items: z.number().nullable(),
});
export type ActivityRow = z.infer<typeof ActivityRow>;

const cards = listOf(sql.fragment`
  select c.id, c.name, c.rights, c.note_rights as "noteRights", c.created_at as "createdAt", c.expires_at as "expiresAt",
    c.last_used_at as "lastUsedAt", c.client, c.protocol_version as "protocolVersion", c.revoked_at as "revokedAt", coalesce(c.expires_at <= now(), false) as expired,
    coalesce((select json_agg(json_build_object('id', w.id, 'name', ${visibleWorkspaceName}, 'disconnected', cw.disconnected_at is not null)
        order by ${visibleWorkspaceName}, w.id)
      from connection_workspaces cw join workspaces w on w.id = cw.workspace_id where cw.connection_id = c.id), '[]') as workspaces,
    days.calls, days.counted
  from connections c
  cross join lateral (
    select coalesce(json_agg(json_build_object('date', date, 'calls', calls, 'failed', failed)), '[]') as calls,
      coalesce(sum(calls), 0)::integer as counted
    from (
      select (a.at at time zone who.timezone)::date::text as date, count(*) as calls,
        count(*) filter (where a.outcome not in ('ok', 'replayed')) as failed
      from (select at, outcome from activity where connection_id = c.id order by id desc limit ${MOST_CALLS}) a
      where a.at > now() - interval '7 days' group by 1) day) days
  where c.user_id = who.user_id order by c.revoked_at is not null, c.id desc limit ${MOST_CONNECTIONS}`);

const connectable = listOf(sql.fragment`
  select w.id, w.name, w.mcp_enabled, w.mcp_rights, m.rights
  from memberships m join workspaces w on w.id = m.workspace_id and w.archived_at is null
  where m.user_id = who.user_id order by w.name, w.id`);

const listIn = (name: 'items' | 'blocks') =>
  sql.fragment`json_array_elements(case when json_typeof(r.result -> ${name}::text) = 'array' then r.result -> ${name}::text else '[]' end)`;

/** Ids in the receipt of a write, which has the same timestamp as the call. */
const touchedIds = sql.fragment`
  select one.id::bigint from receipts r
  cross join lateral (
    select coalesce(r.result -> 'work' ->> 'id', r.result ->> 'id') as id where r.tool in ('svc_update_item', 'svc_remove_item')
    union all select r.result ->> 'itemId' where r.tool = 'svc_add_note'
    union all select r.result -> 'entry' ->> 'itemId'
    union all select r.result -> 'block' ->> 'itemId'
    union all select each ->> 'id' from ${listIn('items')} each
    union all select each ->> 'itemId' from ${listIn('blocks')} each
  ) one
  where r.connection_id = a.connection_id and r.created_at = a.at and r.tool = a.tool and one.id ~ '^[0-9]{1,15}$'`;

const activity = (filter: ActivityFilter, limit: number) => sql.fragment`
  select a.id, a.at, c.name as connection, a.tool, a.outcome, a.elapsed_ms as "elapsedMs",
    case when w.id is not null then ${visibleWorkspaceName} end as workspace, said.touched, said.items
  from connections c
  cross join lateral (
    select * from activity a
    where a.connection_id = c.id and a.id < coalesce(${filter.before}::bigint, 9223372036854775807)
      and (${filter.tool} = '' or a.tool = ${filter.tool})
      and (${filter.outcome} = 'all' or (a.outcome = 'ok') = (${filter.outcome} = 'ok'))
    order by a.id desc limit ${limit}
  ) a
  left join workspaces w on w.id = a.workspace_id
  left join lateral (
    select count(*)::integer as items, (
      select json_agg(json_build_object('id', i.id, 'workspaceId', i.workspace_id, 'title', i.title) order by i.id)
      from (select id from (select distinct id from (${touchedIds}) named) each order by id limit ${MOST_TOUCHED}) first
      join items i on i.id = first.id and i.shown
      join memberships m on m.user_id = c.user_id and m.workspace_id = i.workspace_id and ${isReadable('i', 'm.rights')}
      join workspaces of on of.id = i.workspace_id and of.archived_at is null) as touched
    from (select distinct id from (${touchedIds}) named) all_of_them
    having count(*) > 0
  ) said on true
  where c.user_id = who.user_id and (${filter.connectionId}::bigint is null or c.id = ${filter.connectionId}::bigint)
  order by a.id desc limit ${limit}`;

const everything: ActivityFilter = { connectionId: null, tool: '', outcome: 'all', before: null };

const whose = (caller: Caller) =>
  sql.fragment`who as (select found.user_id, u.timezone from (${callerRow(caller)}) found join users u on u.id = found.user_id)`;

const Agents = z.object({ cards: z.array(CardRow), connectable: z.array(ConnectableRow), latest: z.array(ActivityRow) });

export interface Agents {
  cards: AgentCard[];
  connectable: ConnectableWorkspace[];
  latest: ActivityRow[];
}

export async function readAgents(tx: Tx, caller: Caller): Promise<Agents> {
  const row = await tx.maybeOne(sql.type(Agents)`
    with ${whose(caller)} select ${cards} as cards, ${connectable} as connectable, ${listOf(activity(everything, LATEST))} as latest from who`);
  if (!row) throw new CredentialRefused();
  return { cards: row.cards.map(inWords), connectable: row.connectable.map(connectableOf), latest: row.latest };
}

const LATELY = 500;

const Listed = z.object({
  connections: z.array(z.object({ id: z.number(), name: z.string() })),
  tools: z.array(z.object({ tool: z.string() })),
  rows: z.array(ActivityRow),
});

export interface ListedActivity {
  connections: { id: number; name: string }[];
  tools: string[];
  rows: ActivityRow[];
  more: boolean;
}

export async function readActivity(tx: Tx, caller: Caller, filter: ActivityFilter): Promise<ListedActivity> {
  const connections = sql.fragment`
    select c.id, c.name from connections c where c.user_id = who.user_id order by c.revoked_at is not null, c.id desc limit ${MOST_CONNECTIONS}`;
  const tools = sql.fragment`
    select distinct a.tool from connections c
    cross join lateral (select tool from activity where connection_id = c.id order by id desc limit ${LATELY}) a
    where c.user_id = who.user_id order by 1`;
  const row = await tx.maybeOne(sql.type(Listed)`
    with ${whose(caller)}
    select ${listOf(connections)} as connections, ${listOf(tools)} as tools, ${listOf(activity(filter, PAGE + 1))} as rows from who`);
  if (!row) throw new CredentialRefused();
  const { rows } = row;
  return { ...row, tools: row.tools.map(({ tool }) => tool), rows: rows.slice(0, PAGE), more: rows.length > PAGE };
}
