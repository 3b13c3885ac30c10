/** An agent's writes: retried with the same requestId through any web process until the answer is definite. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Calls, Json } from './calls.ts';
import type { Ledger } from './ledger.ts';
import type { Crew, Life } from './processes.ts';
import type { Random } from './random.ts';

/** Shared by all writers. */
export interface Stage {
  crew: Crew;
  calls: Calls;
  ledger: Ledger;
  workspaceId: number;
  counts: { writes: number; retries: number; replays: number; unanswered: number };
  /** `performance.now()` after which no new work starts. */
  endsAt: number;
  /** `performance.now()` after which retries stop. */
  givesUpAt: number;
}

type Outcome = { value: Json; replayed: boolean } | 'refused' | null;

/** One call. Null if the answer is not definite. */
export async function callTool({ calls }: Stage, life: Life, key: string, name: string, given: Json): Promise<Outcome> {
  const answer = await calls.tool(life, key, name, given);
  if (!answer) return null;
  const { status, body } = answer;
  const result = body?.result;
  if (status === 200 && result && !result.isError) return { value: result.structuredContent, replayed: result._meta?.replayed === true };
  if (result?.structuredContent?.error?.code === 'unavailable') {
    calls.unavailable++;
    return null;
  }
  calls.wrong.push(`${name}: ${status} ${JSON.stringify(result?.structuredContent ?? body)}`);
  return 'refused';
}

/** The value of an acknowledged write. 'refused' is a fault of the service here. Null if no answer ever came. */
export async function writeOnce(stage: Stage, random: Random, key: string, name: string, args: Json): Promise<Json | 'refused' | null> {
  const given = { requestId: randomUUID(), ...args };
  const { counts, calls, crew } = stage;
  counts.writes++;
  for (let tries = 0; performance.now() < stage.givesUpAt; tries++) {
    if (tries > 0) {
      counts.retries++;
      await sleep(random.between(50, 300));
    }
    const open = crew.listening();
    if (open.length === 0) continue;
    // Some agents send the same request to two processes at once.
    const lives = random.chance(0.1) ? open : [random.pick(open)];
    const outcomes = await Promise.all(lives.map((life) => callTool(stage, life, key, name, given)));
    const definite = outcomes.filter((outcome) => outcome !== null);
    if (definite.length === 0) continue;
    const values = definite.map((outcome) => (outcome === 'refused' ? outcome : outcome.value));
    counts.replays += definite.filter((outcome) => outcome !== 'refused' && outcome.replayed).length;
    if (values.some((value) => !isDeepStrictEqual(value, values[0]))) calls.wrong.push(`${name}: two answers to one requestId`);
    return values[0];
  }
  counts.unanswered++;
  return null;
}
