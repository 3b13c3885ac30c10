import { z } from 'zod';
import type { Caller } from '../../access/caller.ts';
import { accessToAll, accessWithin } from '../../access/queries.ts';
import { CAPACITY_RIGHTS } from '../../access/rights.ts';
import type { Fragment, Tx } from '../../database/db.ts';
import { sql } from '../../database/sql.ts';
import { inTurn } from '../../queue/turnQueries.ts';
import { CredentialRefused, Forbidden, Unavailable } from '../../values/errors.ts';
import { elementAt } from '../../values/records.ts';
import { containsPattern } from '../../values/text.ts';
import { PIECES_AT_ONCE } from './computing/storeQueries.ts';

const Row = z.object({
  authenticated: z.boolean(),
  account_id: z.number().nullable(),
  ids: z.array(z.number()),
  can_manage: z.boolean(),
  week: z.string(),
  snapshot_id: z.number().nullable(),
  forecast_id: z.number().nullable(),
  tag: z.string().nullable(),
  text: z.string().nullable(),
});

export interface Question {
  workspaceId: number;
  from?: string | undefined;
  known: readonly string[];
}

export interface Snapshot {
  id: number;
  forecastId: number;
  canManage: boolean;
  week: string;
  tag: string;
  /** The first pieces of the body without canManage. Null if the caller has the answer already. */
  pieces: string[] | null;
}

export interface Missing {
  accountId: number;
  workspaceId: number;
  workspaceIds: number[];
  week: string;
}

/** Today's newest snapshot of the caller's scope. Throws Unauthenticated, and Forbidden for an empty scope. */
export async function readSnapshot(tx: Tx, caller: Caller, question: Question): Promise<Snapshot | Missing> {
  const newest = sql.fragment`s.day = current_date order by s.as_of desc limit 1`;
  const { first, pieces } = await rowsOf(tx, caller, question, newest, 0);
  const { account_id: accountId, ids: workspaceIds, week, snapshot_id: id, forecast_id: forecastId, tag, can_manage: canManage } = first;
  if (id === null || forecastId === null || tag === null) return { accountId, workspaceId: question.workspaceId, workspaceIds, week };
  return { id, forecastId, canManage, week, tag, pieces: first.text === null ? null : pieces };
}

/** Pieces from the n-th on. Throws Unavailable if the snapshot was replaced and deleted meanwhile (computing/storeQueries.ts). */
export async function readMorePieces(tx: Tx, caller: Caller, workspaceId: number, { id, week }: Snapshot, n: number): Promise<string[]> {
  const { first, pieces } = await rowsOf(tx, caller, { workspaceId, from: week, known: [] }, sql.fragment`s.id = ${id}`, n);
  if (first.snapshot_id === null) throw new Unavailable('The forecast was replaced while it was read. Read it again.');
  return pieces;
}

/** `which`: order and limit of the snapshot. Returns at most PIECES_AT_ONCE pieces from `n` on. */
async function rowsOf(tx: Tx, caller: Caller, { workspaceId, from, known }: Question, which: Fragment, n: number) {
  const rows = await tx.any(sql.type(Row)`
    with ${accessWithin(caller, workspaceId || null)},
    scope as (
      select min(account_id) as account_id, array_agg(workspace_id order by workspace_id) as ids,
             coalesce(bool_and(role in ('owner', 'manager')), false) and ${caller.kind === 'session'} as can_manage
      from access where rights & ${CAPACITY_RIGHTS} = ${CAPACITY_RIGHTS}
    ),
    asked as (select date_trunc('week', coalesce(${from ?? null}::date, current_date))::date as week)
    select exists (select from who) as authenticated, scope.account_id, coalesce(case when s.id is null then scope.ids end, '{}') as ids,
           scope.can_manage, asked.week, s.id as snapshot_id, s.forecast_id, s.tag, p.text
    from scope cross join asked
    left join lateral (
      select s.id, s.forecast_id, s.etag || case when scope.can_manage then '-m' else '' end as tag
      from capacity_forecasts f join capacity_snapshots s on s.forecast_id = f.id
      where f.scope_key = ${workspaceId === 0 ? sql.fragment`scope_key_of(scope.ids)` : String(workspaceId)} and f.week = asked.week
        and ${which}
    ) s on true
    left join capacity_pieces p on p.snapshot_id = s.id and p.n >= ${n} and p.n < ${n + PIECES_AT_ONCE}
      and not ${sql.array(known, 'text')} && array[s.tag, '*']
    order by p.n`);
  const first = elementAt(rows, 0);
  if (!first.authenticated) throw new CredentialRefused();
  if (first.account_id === null) throw new Forbidden();
  return { first: { ...first, account_id: first.account_id }, pieces: rows.flatMap(({ text }) => text ?? []) };
}

const Asked = z.object({ id: z.number() });

/** Requests a forecast and returns its id. Enqueues the job once, and again if nothing came within 10 seconds. It waits for the first ones
 *  of other accounts if its account waits for others. */
export async function requestSnapshot(tx: Tx, { accountId, workspaceId, workspaceIds, week }: Missing): Promise<number> {
  const ids = sql.array(workspaceIds, 'int8');
  const key = workspaceId === 0 ? sql.fragment`scope_key_of(${ids})` : sql.fragment`${String(workspaceId)}`;
  return tx.oneFirst(sql.type(Asked)`
    with asked as (
      insert into capacity_forecasts as f (account_id, scope_key, workspace_id, workspace_ids, week, read_at, asked_at)
      values (${accountId}, ${key}, ${workspaceId}, ${ids}, ${week}, now(), now())
      on conflict (scope_key, week) do update set read_at = now(),
        asked_at = case when f.asked_at > now() - interval '10 seconds' then f.asked_at else now() end
      returning id, account_id, workspace_id, asked_at = now() as first
    ),
    job as (
      select graphile_worker.add_job('snapshot_forecast', json_build_object('forecastId', id, 'about', json_build_object('account', account_id, 'workspace', nullif(workspace_id, 0))), job_key => 'snapshot_forecast:' || id,
        priority => ${inTurn(sql.fragment`(
          select count(*) from capacity_forecasts f
          where f.account_id = asked.account_id and f.id <> asked.id and f.asked_at > now() - interval '1 minute')`)})
      from asked where first
    )
    -- a left join would be removed as useless, and the job with it
    select id from asked cross join (select count(job) from job) enqueued`);
}

export async function recordReads(tx: Tx, forecastIds: number[]): Promise<void> {
  await tx.query(sql.unsafe`update capacity_forecasts set read_at = now() where id = any(${sql.array(forecastIds, 'int8')})`);
}

const MOST = 50;

const Overseen = z.object({ id: z.number(), name: z.string() });
export type Overseen = z.infer<typeof Overseen>;

const Page = z.object({ workspaces: z.array(Overseen), more: z.boolean() });
export type OverseenPage = z.infer<typeof Page>;

/** Workspaces with `q` in their name, sorted by name. Throws Unauthenticated. */
export async function readOverseen(tx: Tx, caller: Caller, q: string): Promise<OverseenPage> {
  const page = await tx.maybeOne(sql.type(Page)`
    with ${accessToAll(caller)}
    select coalesce(json_agg(json_build_object('id', w.id, 'name', w.name) order by lower(w.name), w.id) filter (where w.place <= ${MOST}), '[]') as workspaces,
           count(w.id) > ${MOST} as more
    from who left join (
      select w.id, w.name, row_number() over (order by lower(w.name), w.id) as place
      from access join workspaces w on w.id = access.workspace_id
      where access.rights & ${CAPACITY_RIGHTS} = ${CAPACITY_RIGHTS} and lower(w.name) like lower(${containsPattern(q)}::text)
      order by lower(w.name), w.id limit ${MOST + 1}
    ) w on true
    group by who.user_id`);
  if (!page) throw new CredentialRefused();
  return page;
}
