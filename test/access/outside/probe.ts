/** One case: a caller, an operation, and the result that the rules expect. */
import type { Random } from '../../chaos/random.ts';
import type { Fixtures } from '../../support/restWorld.ts';
import type { Answer, Faces, Outcome } from './faces.ts';
import { isAlive } from './rules.ts';
import type { Caller, Item, Town, User, Workspace } from './town.ts';

export interface Probe {
  /** The operation. All of its refusals are the same. */
  name: string;
  target: string;
  expected: Outcome;
  /** Resource and level that the refusal of a write names (behaviour §7.41), or null. Evaluated when the answer is judged. */
  tooLow?(replayed: boolean): string | null;
  /** Grants that the request needs whatever it is about, one of each set. A key's refusal names the sets that it lacks. */
  needs?: readonly (readonly string[])[];
  send(): Promise<Answer>;
  /** The fault of a successful answer, or null. */
  // biome-ignore lint/suspicious/noExplicitAny: bodies are JSON, looked into freely
  check?(body: any): string | null;
  /** Applies the expected effect to the model. */
  // biome-ignore lint/suspicious/noExplicitAny: bodies are JSON, looked into freely
  learn?(body: any): void | Promise<void>;
  /** An agent's write that can be repeated. Returns what the rules expect of its replay at any later time. */
  replay?(): Outcome;
}

export interface Scene {
  town: Town;
  random: Random;
  faces: Faces;
  fixtures: Fixtures;
  caller: Caller;
}

/** Checks the credential, then access, then everything else. */
export function judge(caller: Caller, allowed: boolean, otherwise: Outcome = 'ok'): Outcome {
  if (!isAlive(caller)) return 'unauthenticated';
  return allowed ? otherwise : 'forbidden';
}

const DAY_MS = 86_400_000;
const begun = Date.now();
/** A UTC day, counted from the day the run began, so midnight changes nothing. */
export const day = (later: number): string => new Date(begun + later * DAY_MS).toISOString().slice(0, 10);

/** An id that nothing has. */
export const ABSENT = 987_654_321;

export const pickWorkspace = ({ town, random, caller }: Scene): Workspace =>
  random.pick(random.chance(0.85) ? caller.user.account.workspaces : town.workspaces);

/** Any item, archived or not, mostly of the caller's account. */
export const pickItem = (scene: Scene): Item => scene.random.pick(pickWorkspace(scene).items);

export function differ(found: unknown, wanted: unknown): string | null {
  const [a, b] = [JSON.stringify(found), JSON.stringify(wanted)];
  return a === b ? null : `${a} instead of ${b}`;
}

const byId = (a: number, b: number) => a - b;
export const sortedIds = (list: readonly { id: number }[]): number[] => list.map(({ id }) => id).sort(byId);

/** The item's current version, status and description. */
export async function currentState({ fixtures }: Scene, item: Item): Promise<{ version: number; status: string; description: string }> {
  const [row] = await fixtures.sql('select version, status, description from items where id = $1', [item.id]);
  return row;
}

/** Mostly one of the caller's own, or another user's. */
export function ownOrOthers<T>({ random, caller, town }: Scene, of: (user: User) => T[]): { one: T; own: boolean } | null {
  const user = random.chance(0.75) ? caller.user : random.pick(town.users);
  const all = of(user);
  return all.length ? { one: random.pick(all), own: user === caller.user } : null;
}

export const revisionOf = async (
  { fixtures }: Scene,
  table: 'time_entries' | 'plan_blocks' | 'personal_notes',
  id: number,
): Promise<number> => Number((await fixtures.sql(`select revision from ${table} where id = $1`, [id]))[0]?.revision ?? 1);
