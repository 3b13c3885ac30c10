/** SQL of plan blocks. Like time, they change only under their owner's lock (src/time/queries.ts). */
import { z } from 'zod';
import { visibleById } from '../access/accountAccessQueries.ts';
import type { Caller, Permit } from '../access/caller.ts';
import { accessTo, accessToAll, callerCte } from '../access/queries.ts';
import { PLANS_READ } from '../access/rights.ts';
import { type Fragment, fixedSql, type Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { zoneOf } from '../items/findWork/queries.ts';
import { permitOf, type TimeFacts, TimeFactsRow, timeFacts } from '../time/queries.ts';
import { CredentialRefused, Forbidden } from '../values/errors.ts';
import { elementAt } from '../values/records.ts';
import { BlockRow, type PlanBlock } from './schema.ts';

const stored = [
  ...['id', 'revision', 'account_id', 'workspace_id', 'user_id', 'item_id', 'state', 'start_local', 'end_local', 'timezone', 'starts_at'],
  ...['ends_at', 'note', 'auto_start', 'auto_stop', 'remind_start', 'remind_minutes', 'remind_end', 'reason', 'entry_id'],
];
export const blockColumns = fixedSql([...stored.map((name) => `b.${name}`), 'i.title as item_title'].join(', '));

const ItemReachRow = TimeFactsRow.extend({ zone: z.string(), title: z.string().nullable() });
export type PlanReach = Permit & TimeFacts & { zone: string; itemTitle: string | null };

/** The caller's rights in an item's workspace. Throws Unauthenticated; Forbidden unless the item is visible. */
export async function readPlanReach(tx: Tx, caller: Caller, itemId: number): Promise<PlanReach> {
  const row = await tx.maybeOne(sql.type(ItemReachRow)`
    with ${callerCte(caller)}, ${accessTo(caller, sql.fragment`(select workspace_id from items where id = ${itemId})`)}
    select ${timeFacts}, ${zoneOf(caller)} as zone, (select i.title from items i where i.id = ${itemId} and ${visibleById}) as title from access`);
  if (!row) throw new CredentialRefused();
  if (row.title === null) throw new Forbidden();
  return { ...permitOf(caller, row), zone: row.zone, itemTitle: row.title };
}

const BlockReachRow = TimeFactsRow.extend({ block: BlockRow.nullable() });
export type BlockReach = Permit & TimeFacts & { block: BlockRow };

/** One of the caller's blocks and the rights in its workspace, 0 without access. Throws Unauthenticated, Forbidden. */
export async function readBlockReach(tx: Tx, caller: Caller, blockId: number): Promise<BlockReach> {
  const row = await tx.maybeOne(sql.type(BlockReachRow)`
    with ${accessTo(caller, sql.fragment`(select workspace_id from plan_blocks where id = ${blockId})`)}
    select ${timeFacts}, (
      select to_json(found) from (
        select ${blockColumns} from plan_blocks b left join items i on i.id = b.item_id and ${visibleById}
        where b.id = ${blockId} and b.user_id = access.user_id
      ) found) as block
    from access`);
  if (!row) throw new CredentialRefused();
  if (!row.block) throw new Forbidden();
  return { ...permitOf(caller, row), workspaceId: row.block.workspace_id, block: row.block };
}

export interface BlockValues
  extends Pick<
    PlanBlock,
    'startLocal' | 'endLocal' | 'timezone' | 'startsAt' | 'endsAt' | 'note' | 'autoStart' | 'autoStop' | 'remindStart' | 'remindEnd'
  > {
  itemId: number;
  remindMinutes: number;
}

/** Inserts a block of the permit's user, whom the caller has locked. Locks the item against archiving meanwhile. Throws Forbidden if it is
 *  archived already. */
export async function insertBlock(tx: Tx, permit: Permit, v: BlockValues): Promise<BlockRow> {
  const saved = await tx.maybeOne(sql.type(BlockRow)`
    with target as (select * from items where id = ${v.itemId} and workspace_id = ${permit.workspaceId} and shown for share),
    saved as (
      insert into plan_blocks (account_id, workspace_id, user_id, item_id, start_local, end_local, timezone, starts_at, ends_at, note,
                               auto_start, auto_stop, remind_start, remind_minutes, remind_end)
      select t.account_id, t.workspace_id, ${permit.userId}, t.id, ${v.startLocal}, ${v.endLocal}, ${v.timezone}, ${v.startsAt}::timestamptz,
             ${v.endsAt}::timestamptz, ${v.note}, ${v.autoStart}, ${v.autoStop}, ${v.remindStart}, ${v.remindMinutes}, ${v.remindEnd}
      from target t
      returning *
    )
    select ${blockColumns} from saved b join target i on true`);
  if (!saved) throw new Forbidden();
  return saved;
}

export type BlockChange = Pick<BlockRow, 'state'> &
  Partial<Pick<BlockRow, 'reason' | 'entry_id' | 'start_local' | 'end_local' | 'starts_at' | 'ends_at'>>;

/** Writes the block's next revision. The caller must hold the owner's lock. */
export async function updateBlock(tx: Tx, block: BlockRow, change: BlockChange): Promise<BlockRow> {
  const next = { ...block, ...change, revision: block.revision + 1 };
  await tx.query(sql.unsafe`
    update plan_blocks
    set state = ${next.state}, reason = ${next.reason}, entry_id = ${next.entry_id}, revision = ${next.revision}, start_local = ${next.start_local},
        end_local = ${next.end_local}, starts_at = ${next.starts_at}::timestamptz, ends_at = ${next.ends_at}::timestamptz
    where id = ${block.id}`);
  return next;
}

const Found = z.object({ id: z.number() });

/** Cancels a user's blocks in one workspace or (null) in all. Returns their ids. The caller must hold the owner's lock and mark the
 *  forecasts. */
export async function cancelBlocksOf(tx: Tx, userId: number, workspaceId: number | null): Promise<readonly number[]> {
  return tx.anyFirst(sql.type(Found)`
    update plan_blocks set state = 'cancelled', revision = revision + 1
    where user_id = ${userId} and state in ('scheduled', 'running') and workspace_id = coalesce(${workspaceId}, workspace_id)
    returning id`);
}

const Overlap = z.object({
  id: z.number(),
  title: z.string().nullable(),
  startLocal: z.string(),
  endLocal: z.string(),
  timezone: z.string().nullable(),
});
/** `title`: null if the caller can't see the item. `timezone`: null if it is that of the overlapped block. */
export type Overlap = z.infer<typeof Overlap>;

const ownBlocks = (tx: Tx, caller: Caller, timezone: string, condition: Fragment): Promise<readonly Overlap[]> =>
  tx.any(sql.type(Overlap)`
    with ${accessToAll(caller)}
    select b.id, i.title, b.start_local as "startLocal", b.end_local as "endLocal", nullif(b.timezone, ${timezone}) as timezone
    from access join plan_blocks b on b.user_id = access.user_id and b.workspace_id = access.workspace_id
    left join items i on i.id = b.item_id and ${visibleById}
    where access.rights & ${PLANS_READ} <> 0 and ${condition} order by b.id`);

/** The caller's scheduled or running blocks that overlap another one of these, where the caller may read plans. The given blocks have one
 *  time zone. */
export function readOverlaps(tx: Tx, caller: Caller, rows: readonly BlockRow[]): Promise<readonly Overlap[]> {
  const spans = sql.fragment`json_to_recordset(${JSON.stringify(rows)}::json) as n (id bigint, starts_at timestamptz, ends_at timestamptz)`;
  const first = elementAt(rows.map((row) => row.starts_at).sort(), 0);
  const last = elementAt(rows.map((row) => row.ends_at).sort(), rows.length - 1);
  return ownBlocks(
    tx,
    caller,
    elementAt(rows, 0).timezone,
    sql.fragment`b.state in ('scheduled', 'running') and b.starts_at > ${first}::timestamptz - interval '24 hours'
      and b.starts_at < ${last}::timestamptz and b.ends_at > ${first}::timestamptz
      and exists (select from ${spans} where b.id <> n.id and b.starts_at < n.ends_at and b.ends_at > n.starts_at)`,
  );
}

/** Overlaps by their ids, as the caller may read them now. */
export const readOverlapsAgain = (tx: Tx, caller: Caller, timezone: string, ids: readonly number[]): Promise<readonly Overlap[]> =>
  ownBlocks(tx, caller, timezone, sql.fragment`b.id = any(${sql.array([...ids], 'int8')})`);

const Start = z.object({ id: z.number(), start_date: z.string() });

/** Start dates of the blocks' items, by item. */
const Away = z.object({ id: z.number() });

/** Those of these blocks that begin on a day on which their owner is away. */
export function readAwayBlocks(tx: Tx, rows: readonly BlockRow[]): Promise<readonly number[]> {
  const ids = sql.array(
    rows.map(({ id }) => id),
    'int8',
  );
  return tx.anyFirst(sql.type(Away)`
    select id from plan_blocks where id = any(${ids}) and is_away(user_id, left(start_local, 10)::date) order by id`);
}

export async function readStartDates(tx: Tx, rows: readonly BlockRow[]): Promise<Map<number, string>> {
  const ids = sql.array(
    rows.map(({ item_id }) => item_id),
    'int8',
  );
  const found = await tx.any(sql.type(Start)`select id, start_date::text from items where id = any(${ids}) and start_date is not null`);
  return new Map(found.map(({ id, start_date }) => [id, start_date]));
}

const Owner = z.object({ user_id: z.number() });

export async function ownerOf(tx: Tx, blockId: number): Promise<number | null> {
  return tx.maybeOneFirst(sql.type(Owner)`select user_id from plan_blocks where id = ${blockId}`);
}

const Held = BlockRow.extend({ now: z.string() });

/** Locks the block until the transaction ends. `now`: the database's clock. */
export async function lockBlock(tx: Tx, blockId: number): Promise<{ block: BlockRow; now: string } | null> {
  const row = await tx.maybeOne(sql.type(Held)`
    select ${blockColumns}, date_trunc('milliseconds', clock_timestamp()) as now
    from plan_blocks b join items i on i.id = b.item_id where b.id = ${blockId} for no key update of b`);
  return row && { block: row, now: row.now };
}

export async function mayReadPlans(tx: Tx, caller: Caller, { workspace_id }: BlockRow): Promise<boolean> {
  const found = await tx.maybeOne(sql.type(Owner)`
    with ${accessTo(caller, workspace_id)} select user_id from access where rights & ${PLANS_READ} <> 0`);
  return found !== null;
}

/** Marks imported blocks that have ended as missed. Returns the others, which need jobs. */
export async function settleImported(tx: Tx, ids: number[], reason: string): Promise<readonly BlockRow[]> {
  await tx.query(sql.unsafe`
    update plan_blocks set state = 'missed', reason = ${reason}
    where id = any(${sql.array(ids, 'int8')}) and state = 'scheduled' and ends_at <= now()`);
  return tx.any(sql.type(BlockRow)`
    select ${blockColumns} from plan_blocks b join items i on i.id = b.item_id
    where b.id = any(${sql.array(ids, 'int8')}) and b.state = 'scheduled' order by b.id`);
}

/** SQL of the reader's planned time on an item and on the work below it (behaviour §21.10). */
export const ItemPlan = z.object({
  minutes: z.number(),
  next: z.string(),
});
export type ItemPlan = z.infer<typeof ItemPlan>;

export const itemPlanJson = sql.fragment`(
  select json_build_object('minutes', sum(extract(epoch from b.ends_at - greatest(b.starts_at, now())) / 60)::integer, 'next', min(b.starts_at))
  from plan_blocks b
  where access.rights & ${PLANS_READ} <> 0 and b.user_id = access.user_id and b.workspace_id = access.workspace_id
    and b.state in ('scheduled', 'running') and b.starts_at > now() - interval '24 hours' and b.ends_at > now()
    and (b.item_id = self.id or b.item_id in (select id from below_ids))
  having count(*) > 0)`;
