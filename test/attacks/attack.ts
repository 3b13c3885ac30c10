/** An attack: requests of a hostile client, as many as one process can send, until it is stopped. */
import type { Costly } from './costly.ts';

export interface Target {
  port: number;
  /** The attacker's own REST key, agent key and Cookie header. */
  restKey: string;
  agentKey: string;
  cookie: string;
  /** A workspace of the attacker with items of maximum length. */
  workspaceId: number;
  costly: Costly;
}

export interface Attack {
  /** Title in the table. */
  title: string;
  seconds: number;
  run(target: Target, signal: AbortSignal, tally: Tally): Promise<void>;
  /** The victim's median must stay under three times that of a quiet run. */
  judgesMedian?: boolean;
  /** Most processor milliseconds that a turn of the event loop may take. */
  mostTurnMs?: number;
}

/** Counts by answer: a status, `closed`. */
export class Tally {
  counts: Record<string, number> = {};
  add(what: string | number): void {
    this.counts[what] = (this.counts[what] ?? 0) + 1;
  }
}

/** Runs `count` loops concurrently until the signal. */
export async function loops(count: number, signal: AbortSignal, work: (n: number) => Promise<unknown>): Promise<void> {
  const loop = async (n: number) => {
    while (!signal.aborted) await work(n);
  };
  await Promise.all(Array.from({ length: count }, (_, n) => loop(n)));
}
