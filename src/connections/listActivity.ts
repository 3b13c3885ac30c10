/** A person's own agents: their connections and calls, without arguments and texts (behaviour §7.19). */
import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import type { Read } from '../operations/operation.ts';
import { Forbidden } from '../values/errors.ts';
import { ActivityFilter } from './activityFilter.ts';
import { type Agents, type ListedActivity, readActivity, readAgents } from './activityQueries.ts';

export { type ActivityRow, type AgentCard, type Agents, type ListedActivity, MOST_CALLS } from './activityQueries.ts';

/** Throws Forbidden for keys and agents. */
function ofPeople(caller: Caller): Caller {
  if (caller.kind === 'key' || caller.kind === 'agent') throw new Forbidden();
  return caller;
}

const Nothing = z.strictObject({});

export const openAgents: Read<z.infer<typeof Nothing>, Agents> = {
  name: 'openAgents',
  input: Nothing,
  run: (tx, caller) => readAgents(tx, ofPeople(caller)),
};

export const listActivity: Read<ActivityFilter, ListedActivity> = {
  name: 'listActivity',
  input: ActivityFilter,
  run: (tx, caller, filter) => readActivity(tx, ofPeople(caller), filter),
};
