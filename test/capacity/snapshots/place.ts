/** A team whose owner runs everything, for tests of changes that affect a forecast. */
import type { Caller } from '../../../src/access/caller.ts';
import { newSecret } from '../../../src/access/secrets.ts';
import { type Missing, readSnapshot, requestSnapshot } from '../../../src/capacity/snapshots/queries.ts';
import type { Outcome } from '../../../src/capacity/snapshots/snapshotWorkspace.ts';
import { parseInput } from '../../../src/operations/input.ts';
import type { Operation } from '../../../src/operations/operation.ts';
import { perform } from '../../../src/operations/perform.ts';
import { currentSuite } from '../../support/suite.ts';
import { contextOf } from '../../support/tasks.ts';
import { type Team, timeWorld, type World } from '../../support/timeWorld.ts';

/** The world of the suite that runs. */
export let world: World;

/** Call it at the top level of the file. */
export function ownWorld(): void {
  const own = timeWorld();
  currentSuite().before('its world', () => {
    world = own;
  });
}

/** A team with a signed-in owner and a second workspace. */
export interface Place extends Team {
  owner: Caller;
  otherId: number;
}

export async function place(): Promise<Place> {
  const team = await world.team();
  const otherId = await team.workspace();
  await world.rows(`update users set account_role = 'owner' where id = $1`, [team.userId]);
  await world.rows(`update memberships set role = 'owner' where user_id = $1`, [team.userId]);
  return { ...team, otherId, owner: await signedIn(team.accountId, team.userId) };
}

/** A new session of the user. */
export async function signedIn(accountId: number, userId: number): Promise<Caller> {
  const { hash } = newSecret('session');
  await world.rows(`insert into sessions (account_id, user_id, token_hash, expires_at) values ($1, $2, $3, now() + interval '1 hour')`, [
    ...[accountId, userId, hash],
  ]);
  return { kind: 'session', hash };
}

// biome-ignore lint/suspicious/noExplicitAny: each operation has its own input and answer
export type Any = any;

export const act = async (caller: Caller, operation: Operation<Any, Any>, given: object): Promise<Any> => {
  const answer = await perform(world.db, caller, operation, parseInput(operation.input, given));
  return answer && typeof answer === 'object' && 'text' in answer ? JSON.parse(String(answer.text)) : answer;
};

/** Computes the first snapshot of a scope, from this week. Returns the forecast's id. */
export async function compute({ owner }: Place, workspaceId: number): Promise<number> {
  const missing = (await readSnapshot(world.db.pool(), owner, { workspaceId, known: [] })) as Missing;
  const forecastId = await requestSnapshot(world.db.pool(), missing);
  await again(forecastId);
  return forecastId;
}

/** Computes a snapshot unless one is newer than `since`. */
export async function again(forecastId: number, since: string | null = null): Promise<Outcome> {
  const { computations, signal } = contextOf(world);
  return computations.snapshot({ forecastId, since }, signal);
}
