/** An attack: what a hostile client does, as hard as one process can, until it is told to stop. */
import type { Costly } from './costly.ts';

export interface Target {
  port: number;
  /** A REST key and an agent key of the attacker's own. */
  restKey: string;
  agentKey: string;
  /** Sessions of theirs; the first of them. */
  cookies: string[];
  cookie: string;
  /** The agent key that the victim has just rotated. */
  rotatedKey: string;
  workspaceId: number;
  /** A workspace of the attacker's with items as long as they can be. */
  longWorkspaceId: number;
  /** The attacker's notes without a file, and those with room for one more. */
  emptyNotes: number[];
  nearlyFullNotes: number[];
  costly: Costly;
}

/** Reads what the attack has left in the database. */
type Sql = (text: string, values?: unknown[]) => Promise<Record<string, number>[]>;

export interface Attack {
  /** What is done, for the table. */
  title: string;
  seconds: number;
  /** The victim's agent works meanwhile, too. */
  againstAgent?: true;
  run(target: Target, signal: AbortSignal, tally: Tally): Promise<void>;
  /** Everybody else's median is held to three times that of a quiet run. */
  judgesMedian?: boolean;
  /** The limit of the processor time that a turn of the event loop takes, in milliseconds. */
  mostTurnMs?: number;
  /** What takes long to make is made before the clock starts. */
  prepare?(): void;
  /** Settings of the web process that differ from the other rows'. */
  env?: Record<string, string>;
  /** What the victim does for so many seconds besides working, after a first time in quiet: what went wrong. */
  besides?(baseUrl: string): Promise<(seconds: number) => Promise<string[]>>;
  /** What is wrong afterwards. `answers`: how often the attack was answered what; counts may be added. */
  check?(sql: Sql, target: Target, answers: Record<string, number>): Promise<string[]>;
}

/** How often which answer came: a status, `closed`, `failed`. */
export class Tally {
  counts: Record<string, number> = {};
  add(what: string | number): void {
    this.counts[what] = (this.counts[what] ?? 0) + 1;
  }
}

/** `count` loops at once, each again and again until the end. */
export async function loops(count: number, signal: AbortSignal, work: (n: number) => Promise<unknown>): Promise<void> {
  const loop = async (n: number) => {
    while (!signal.aborted) await work(n);
  };
  await Promise.all(Array.from({ length: count }, (_, n) => loop(n)));
}
