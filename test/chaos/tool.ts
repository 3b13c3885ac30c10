/** An agent's writes: retried with the same requestId through any web process until the answer is definite. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Calls, Json } from './calls.ts';
import type { Ledger } from './ledger.ts';
import type { Crew } from './processes.ts';
import type { Random } from './random.ts';

/** Shared by all writers. */
export interface Stage {
  crew: Crew;
  calls: Calls;
  ledger: Ledger;
  workspaceId: number;
  /** Writes that never got a definite answer. */
  unanswered: string[];
  /** `performance.now()` after which no new work starts. */
  endsAt: number;
  /** `performance.now()` after which retries stop. */
  givesUpAt: number;
}

/** The value of an acknowledged write, or 'refused'. Null if no answer ever came. */
export async function writeOnce(stage: Stage, random: Random, key: string, name: string, args: Json): Promise<Json | 'refused' | null> {
  const given = { requestId: randomUUID(), ...args };
  for (; performance.now() < stage.givesUpAt; await sleep(random.between(50, 300))) {
    const open = stage.crew.listening();
    if (open.length === 0) continue;
    // Some agents send the same request to two processes at once.
    const lives = random.chance(0.1) ? open : [random.pick(open)];
    const values = await Promise.all(lives.map((life) => stage.calls.tool(life, key, name, given)));
    const [first, ...others] = values.filter((value) => value !== null);
    if (first === undefined) continue;
    if (others.some((value) => !isDeepStrictEqual(value, first))) stage.calls.wrong.push(`${name}: two answers to one requestId`);
    return first;
  }
  stage.unanswered.push(name);
  return null;
}
