/** Helpers for tests of plan blocks. */
import type { Caller } from '../../src/access/caller.ts';
import { parseInput } from '../../src/operations/input.ts';
import { perform } from '../../src/operations/perform.ts';
import { type OneBlock, planBlock } from '../../src/plans/planBlock.ts';
import type { Team, World } from '../support/timeWorld.ts';

export const plan = (world: World, caller: Caller, given: object) =>
  perform(world.db, caller, planBlock, parseInput(planBlock.input, given)) as Promise<OneBlock>;

export interface BlockPlan {
  /** Intervals from now, such as `-10 minutes`. */
  starts: string;
  ends: string;
  autoStart?: boolean;
  autoStop?: boolean;
  itemId?: number;
}

/** A scheduled block around now, without jobs: tests run the jobs' functions themselves. */
export function insertBlock(
  world: World,
  team: Team,
  { starts, ends, autoStart = false, autoStop = false, itemId }: BlockPlan,
): Promise<number> {
  return world.value(
    `insert into plan_blocks (account_id, workspace_id, user_id, item_id, start_local, end_local, timezone, starts_at, ends_at, auto_start, auto_stop)
     select $1, $2, $3, $4, to_char(s, 'YYYY-MM-DD"T"HH24:MI'), to_char(e, 'YYYY-MM-DD"T"HH24:MI'), 'UTC', s, e, $7, $8
     from (select now() + $5::interval as s, now() + $6::interval as e) t returning id`,
    [team.accountId, team.workspaceId, team.userId, itemId ?? team.itemId, starts, ends, autoStart, autoStop],
  );
}

export const blockRow = async (world: World, id: number) => (await world.rows('select * from plan_blocks where id = $1', [id]))[0];
export const timers = (world: World, team: Team) =>
  world.rows('select id, item_id, started_at, ended_at from time_entries where user_id = $1 order by id', [team.userId]);
export const notifications = (world: World, team: Team) =>
  world.rows('select kind, block_id, entry_id, due_at from notifications where user_id = $1 order by id', [team.userId]);

/** The block's queued jobs, by the part of their key after the id. */
export const jobs = async (world: World, id: number): Promise<Record<string, { run_at: Date; payload: unknown }>> => {
  const rows = await world.rows(
    `select key, run_at, payload from graphile_worker._private_jobs where key like $1 and attempts < max_attempts order by key`,
    [`plan_block:${id}:%`],
  );
  return Object.fromEntries(rows.map(({ key, run_at, payload }) => [key.split(':')[2], { run_at, payload }]));
};
