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
  /** Ids, paths and secrets of what `make` has made. */
  made: Record<string, string>;
}

/** Reads the database after the attack. */
type Sql = (text: string, values?: unknown[]) => Promise<Record<string, number>[]>;

export interface Attack {
  /** Title in the table. */
  title: string;
  seconds: number;
  run(target: Target, signal: AbortSignal, tally: Tally): Promise<void>;
  /** The victim's median must stay under three times that of a quiet run. */
  judgesMedian?: boolean;
  /** Most processor milliseconds that a turn of the event loop may take. */
  mostTurnMs?: number;
  /** The same for the worker. */
  mostWorkerTurnMs?: number;
  /** Makes rows that only this attack needs, often with an account of its own. Resolves to a changed target. */
  make?(databaseUrl: string): Promise<Partial<Target>>;
  /** Runs in the attacker before the clock starts. */
  prepare?(): void;
  /** Settings of a worker that runs meanwhile. */
  worker?: Record<string, string>;
  /** Settings of the web process. */
  env?: Record<string, string>;
  /** Faults after the attack. `answers`: counts by answer; the check may add counts. */
  check?(sql: Sql, target: Target, answers: Record<string, number>): Promise<string[]>;
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
