/** One case: somebody does something to something, and what the rules say about it. */
import type { Random } from '../../chaos/random.ts';
import type { Fixtures } from '../../support/restWorld.ts';
import type { Answer, Faces, Outcome } from './faces.ts';
import { isAlive } from './rules.ts';
import type { Caller, Item, Town, User, Workspace } from './town.ts';

export interface Probe {
  /** The operation: its refusals are all the same. */
  name: string;
  target: string;
  /** What must come back. */
  expected: Outcome;
  /** Grants that the request needs whatever it is about, one of each set: a key's refusal names the sets that it lacks. */
  needs?: readonly (readonly string[])[];
  send(): Promise<Answer>;
  /** What is wrong with an answer that is ok, or null. */
  // biome-ignore lint/suspicious/noExplicitAny: bodies are JSON, looked into freely
  check?(body: any): string | null;
  /** What the world is after it. */
  // biome-ignore lint/suspicious/noExplicitAny: bodies are JSON, looked into freely
  learn?(body: any): void | Promise<void>;
  /** An agent's write, to be sent again: what the rules say about its replay at any later time. */
  replay?(): Outcome;
}

export interface Scene {
  town: Town;
  random: Random;
  faces: Faces;
  fixtures: Fixtures;
  caller: Caller;
}

/** Credential first, then access, then whatever else is wrong. */
export function judge(caller: Caller, allowed: boolean, otherwise: Outcome = 'ok'): Outcome {
  if (!isAlive(caller)) return 'unauthenticated';
  return allowed ? otherwise : 'forbidden';
}

const DAY_MS = 86_400_000;
const begun = Date.now();
/** A UTC day, counted from the one that the run began on: no midnight changes it. */
export const day = (later: number): string => new Date(begun + later * DAY_MS).toISOString().slice(0, 10);

/** An id of nothing at all. */
export const ABSENT = 987_654_321;

export const pickWorkspace = ({ town, random, caller }: Scene): Workspace =>
  random.pick(random.chance(0.85) ? caller.user.account.workspaces : town.workspaces);

/** Any item: mostly of the caller's account, of every type, archived ones included. */
export const pickItem = (scene: Scene): Item => scene.random.pick(pickWorkspace(scene).items);

export function differ(found: unknown, wanted: unknown): string | null {
  const [a, b] = [JSON.stringify(found), JSON.stringify(wanted)];
  return a === b ? null : `${a} instead of ${b}`;
}

const byId = (a: number, b: number) => a - b;
export const sortedIds = (list: readonly { id: number }[]): number[] => list.map(({ id }) => id).sort(byId);

/** The item's version, status and description now. */
export async function standing({ fixtures }: Scene, item: Item): Promise<{ version: number; status: string; description: string }> {
  const [row] = await fixtures.sql('select version, status, description from items where id = $1', [item.id]);
  return row;
}

/** Of the caller's own mostly, or of somebody else's. */
export function someones<T>({ random, caller, town }: Scene, of: (user: User) => T[]): { one: T; own: boolean } | null {
  const user = random.chance(0.75) ? caller.user : random.pick(town.users);
  const all = of(user);
  return all.length ? { one: random.pick(all), own: user === caller.user } : null;
}

export const revisionOf = async (
  { fixtures }: Scene,
  table: 'time_entries' | 'plan_blocks' | 'personal_notes',
  id: number,
): Promise<number> => Number((await fixtures.sql(`select revision from ${table} where id = $1`, [id]))[0]?.revision ?? 1);
