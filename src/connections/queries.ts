import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import { accessTo, accessToAll, callerRow, live, readsGoals } from '../access/queries.ts';
import { GOALS_READ } from '../access/rights.ts';
import type { Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { CredentialRefused } from '../values/errors.ts';
import { assigneesJson, prioritiesJson, readableTypes, readsWork, statusesJson } from '../workspaces/queries.ts';
import { Options } from '../workspaces/schema.ts';

export interface ToolCall {
  accountId: number;
  userId: number;
  connectionId: number;
  /** Null without a workspace, or without access to it. */
  workspaceId: number | null;
  tool: string;
  /** 'ok' or the error code. */
  outcome: string;
  elapsedMs: number;
}

/** `ageMs`: age of the act in ms. The time is computed with the database's clock. */
export async function insertActivity(tx: Tx, acts: (ToolCall & { ageMs: number })[]): Promise<void> {
  await tx.query(sql.unsafe`
    insert into activity (account_id, user_id, connection_id, workspace_id, tool, outcome, elapsed_ms, at)
    select r."accountId", r."userId", r."connectionId", r."workspaceId", r.tool, r.outcome, r."elapsedMs", now() - r."ageMs" * interval '1 ms'
    from rows from (json_to_recordset(${JSON.stringify(acts)}::json) as ("accountId" bigint, "userId" bigint, "connectionId" bigint,
      "workspaceId" bigint, tool text, outcome text, "elapsedMs" integer, "ageMs" integer)) with ordinality as r
    where exists (select from connections c where c.id = r."connectionId")
    order by r.ordinality`);
}

const Details = z.object({
  uuid: z.string(),
  sample: z.boolean(),
  limits: z.number(),
  /** Rights of the connection and its user without the workspace limits. */
  unlimited: z.number(),
  statuses: Options.shape.statuses,
  priorities: Options.shape.priorities,
  labels: z.array(z.string()),
  members: z.array(z.unknown()),
  objectives: z.array(z.unknown()),
});
const ReachableWorkspace = z.object({ id: z.number(), name: z.string(), access: z.number(), details: Details.nullable() });
export type ReachableWorkspace = z.infer<typeof ReachableWorkspace>;
const Context = z.object({
  user_id: z.number(),
  user_name: z.string(),
  kind: z.string(),
  connection_id: z.number(),
  name: z.string(),
  timezone: z.string(),
  plain_language: z.boolean(),
  rights: z.number(),
  note_rights: z.number(),
  expires_at: z.string().nullable(),
  today: z.string(),
  workspaces: z.array(ReachableWorkspace),
});

/** Up to 100 names of labels in use, by name. */
const labelNamesOf = sql.fragment`(
  select coalesce(json_agg(l.name order by lower(l.name)), '[]') from (
    select name from labels where workspace_id = w.id and archived_at is null and merged_into is null and ${readsWork}
    order by lower(name) limit 100) l)`;

const openGoal = sql.fragment`g.type = 'goal' and g.needs = ${GOALS_READ} and g.shown and not g.closed and ${readsGoals}`;

/** The agent's user and workspaces, or only `workspaceId`. Details for at most `most` workspaces. Throws Unauthenticated. */
export async function readContext(tx: Tx, caller: Caller, workspaceId: number | undefined, most: number): Promise<z.infer<typeof Context>> {
  const row = await tx.maybeOne(sql.type(Context)`
    with ${accessToAll(caller)},
    wanted as (select * from access where ${workspaceId ?? null}::bigint is null or workspace_id = ${workspaceId ?? null})
    select u.id as user_id, u.name as user_name, u.kind, c.id as connection_id, c.name, c.timezone, c.plain_language, who.rights, c.note_rights,
      c.expires_at, (now() at time zone c.timezone)::date as today,
      (select coalesce(json_agg(json_build_object('id', w.id, 'name', w.name, 'access', access.rights,
        'details', case when (select count(*) from wanted) <= ${most} then json_build_object('uuid', w.uuid, 'sample', w.sample,
          'limits', w.mcp_rights, 'unlimited', (select who.rights & m.rights from who, memberships m
            where m.user_id = access.user_id and m.workspace_id = w.id),
          'statuses', ${statusesJson}, 'priorities', ${prioritiesJson}, 'labels', ${labelNamesOf}, 'members', ${assigneesJson},
          'objectives', (select coalesce(json_agg(json_strip_nulls(json_build_object('id', g.id, 'title', g.title, 'status', g.status,
              'targetDate', g.target_date, 'target', g.target, 'current', g.current, 'unit', g.unit)) order by g.id), '[]')
            from items g where g.workspace_id = w.id and ${openGoal})) end) order by w.id), '[]')
        from wanted access join workspaces w on w.id = access.workspace_id, lateral (select ${readableTypes} as types) readable) as workspaces
    from who join connections c on c.id = who.credential_id join users u on u.id = who.user_id`);
  if (!row) throw new CredentialRefused();
  return row;
}

const Objective = z.object({ id: z.number() });

/** The first id that is an open goal visible to the caller. Null if none is. */
export async function findObjective(tx: Tx, caller: Caller, ids: number[]): Promise<number | null> {
  return tx.maybeOneFirst(sql.type(Objective)`
    with ${accessToAll(caller)}
    select g.id from access join items g on g.workspace_id = access.workspace_id and g.id = any(${sql.array(ids, 'int8')})
    where ${openGoal} order by g.id limit 1`);
}

const Hash = z.object({ key_hash: z.instanceof(Buffer) });

/** Null unless the connection is the caller's own and its key works. */
export async function ownKeyHash(tx: Tx, caller: Caller, connectionId: number): Promise<Buffer | null> {
  return tx.maybeOneFirst(sql.type(Hash)`
    select c.key_hash from (${callerRow(caller)}) who join connections c on c.user_id = who.user_id
    where c.id = ${connectionId} and ${live(sql.fragment`c`)}`);
}

const Members = z.object({ members: z.array(z.object({ id: z.number(), name: z.string() })) });
export type Member = z.infer<typeof Members>['members'][number];

/** Members who can be assigned work in a reachable workspace. Empty for others. */
export async function readAssignable(tx: Tx, caller: Caller, place: { workspaceId?: number | undefined; itemId?: number | undefined }) {
  const workspaceId = place.workspaceId ?? sql.fragment`(select workspace_id from items where id = ${place.itemId ?? 0})`;
  const members = await tx.maybeOneFirst(sql.type(Members)`
    with ${accessTo(caller, workspaceId)} select ${assigneesJson} as members from access where access.workspace_id is not null`);
  return members ?? [];
}
