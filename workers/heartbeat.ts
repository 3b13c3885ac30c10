/** Sends heartbeats of this process's lanes, and unlocks jobs of dead lanes and jobs that our own lanes don't know. */
import { hostname } from 'node:os';
import type { Tx } from '../src/database/db.ts';
import type { Logger } from '../src/log.ts';
import { valueAt } from '../src/values/records.ts';
import { beat, removeLanes, type Sign, unlockForgottenJobs, unlockJobsOfDeadLanes } from './workerQueries.ts';

export interface Pace {
  beatMs: number;
  /** A lane without a heartbeat for this long is dead. */
  deadAfterMs: number;
}

/** A killed worker's jobs run again within 30 s (behaviour §13.11). A lane is dead after four missed beats (16 s). Unknown locks expire
 *  within 40 s. */
export const usualPace: Pace = { beatMs: 4_000, deadAfterMs: 15_000 };

export interface LivingLane {
  lane: string;
  /** Ids of the jobs that the lane knows it holds. */
  held: ReadonlySet<string>;
}

export class Heartbeat {
  readonly #tx: Tx;
  readonly #log: Logger;
  readonly #pace: Pace;
  readonly #onBeat: () => Promise<void>;
  readonly #lanes = new Map<string, LivingLane>();
  readonly #beats = new Set<Promise<unknown>>();
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;
  /** The last heartbeat of each other lane, and how many of our beats found the same one. */
  #heard = new Map<string, { seenAt: string; silentBeats: number; hasBeaten: boolean }>();
  #sweptAt = 0;

  constructor(tx: Tx, log: Logger, pace: Pace, onBeat: () => Promise<void>) {
    this.#tx = tx;
    this.#log = log;
    this.#pace = pace;
    this.#onBeat = onBeat;
  }

  start(): void {
    void this.#turn();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  async join(id: string, lane: LivingLane): Promise<void> {
    this.#lanes.set(id, lane);
    await this.#beat().catch(() => {});
  }

  /** Removes an ended lane and unlocks its jobs. Throws if the database is down; another worker's sweep then unlocks them. */
  async leave(id: string): Promise<void> {
    this.#lanes.delete(id);
    // A beat in progress would insert the lane's row again.
    await Promise.allSettled(this.#beats);
    await removeLanes(this.#tx, [id]);
  }

  async #turn(): Promise<void> {
    try {
      const dead = this.#deadAmong(await this.#beat());
      const due = performance.now() - this.#sweptAt > this.#pace.deadAfterMs;
      if (due) await this.#unlockForgotten();
      if (dead.length > 0 || due) await this.#sweep(dead);
      await this.#onBeat();
    } catch (error) {
      this.#log.warn({ err: error }, 'heartbeat failed');
    }
    if (!this.#stopped) this.#timer = setTimeout(() => void this.#turn(), this.#pace.beatMs);
  }

  async #beat(): Promise<readonly Sign[]> {
    const lanes = [...this.#lanes].map(([id, { lane }]) => ({ id, lane, pid: process.pid, host: hostname() }));
    const beating = beat(this.#tx, lanes).finally(() => this.#beats.delete(beating));
    this.#beats.add(beating);
    return beating;
  }

  /** Lanes that were silent during several of our beats. Two suffice for a lane that was silent long before this process started, because
   *  this process may be short-lived. Counting our own beats gives living lanes time after an outage or a clock jump. */
  #deadAmong(others: readonly Sign[]): Sign[] {
    const before = this.#heard;
    this.#heard = new Map(
      others.map(({ id, seenAt }) => {
        const last = before.get(id);
        const silent = last?.seenAt === seenAt;
        return [
          id,
          { seenAt, silentBeats: silent ? last.silentBeats + 1 : 0, hasBeaten: last !== undefined && (last.hasBeaten || !silent) },
        ];
      }),
    );
    const { beatMs, deadAfterMs } = this.#pace;
    return others.filter(({ id, ageMs }) => {
      const { silentBeats, hasBeaten } = valueAt(this.#heard, id);
      return silentBeats * beatMs >= deadAfterMs || (!hasBeaten && silentBeats >= 2 && ageMs >= 2 * deadAfterMs);
    });
  }

  /** Unlocks jobs after a lost fetch answer or acknowledgement. After twice `deadAfterMs` every statement has succeeded or failed. */
  async #unlockForgotten(): Promise<void> {
    this.#sweptAt = performance.now();
    const held = [...this.#lanes.values()].flatMap((lane) => [...lane.held]);
    const jobs = await unlockForgottenJobs(this.#tx, [...this.#lanes.keys()], held, 2 * this.#pace.deadAfterMs);
    if (jobs > 0) this.#log.warn({ jobs }, 'unlocked jobs that no lane knows');
  }

  async #sweep(dead: Sign[]): Promise<void> {
    const jobs = await unlockJobsOfDeadLanes(this.#tx, dead, this.#pace.deadAfterMs);
    if (jobs > 0) this.#log.warn({ jobs }, 'unlocked jobs of a dead worker');
  }
}
