/** Heartbeats of this process's lanes, and the sweeps that put back the jobs of lanes that have stopped beating, and those that our own
 *  lanes hold without knowing it. */
import { hostname } from 'node:os';
import type { Tx } from '../src/database/db.ts';
import type { Logger } from '../src/log.ts';
import { beat, freeForgottenJobs, freeJobsOfTheDead, leave, type Sign } from './workerQueries.ts';

export interface Pace {
  beatMs: number;
  /** A lane that was silent through so many beats' time is dead. */
  deadAfterMs: number;
}

/** A killed worker's jobs run again within half a minute (behaviour §13.11): dead after four silent beats, 16 s; locks of unknown lanes
 *  within 40 s. */
export const usualPace: Pace = { beatMs: 4_000, deadAfterMs: 15_000 };

/** A lane that takes jobs. */
export interface LivingLane {
  lane: string;
  /** The jobs that it knows to be its own. */
  held: ReadonlySet<string>;
}

export class Heartbeat {
  readonly #tx: Tx;
  readonly #log: Logger;
  readonly #pace: Pace;
  readonly #onBeat: () => Promise<void>;
  readonly #lanes = new Map<string, LivingLane>();
  /** Under way. */
  readonly #beats = new Set<Promise<unknown>>();
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;
  /** The others' last signs of life, and how many beats of ours have found the same one since. */
  #heard = new Map<string, { seenAt: string; silentBeats: number }>();
  #sweptAt = 0;

  /** `onBeat`: done with each beat. */
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

  /** A lane that takes jobs from now on; `id` is what it locks them with. */
  async join(id: string, lane: LivingLane): Promise<void> {
    this.#lanes.set(id, lane);
    await this.#beat().catch(() => {});
  }

  /** A lane that has ended: its jobs go back at once. Throws when the database is away; then the others' sweep does it. */
  async leave(id: string): Promise<void> {
    this.#lanes.delete(id);
    // A beat under way would bring its row back.
    await Promise.allSettled(this.#beats);
    await leave(this.#tx, [id]);
  }

  async #turn(): Promise<void> {
    try {
      const dead = this.#deadAmong(await this.#beat());
      const due = performance.now() - this.#sweptAt > this.#pace.deadAfterMs;
      if (due) await this.#putBackForgotten();
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

  /** Those that were silent through so many beats of ours that they must be dead; two will do for those that were silent for long before,
   *  for we may not live long ourselves. After an outage, when nobody could beat, and after a jump of the database's clock the living have
   *  these beats to be heard. */
  #deadAmong(others: readonly Sign[]): Sign[] {
    const before = this.#heard;
    this.#heard = new Map(
      others.map(({ id, seenAt }) => {
        const last = before.get(id);
        return [id, { seenAt, silentBeats: last?.seenAt === seenAt ? last.silentBeats + 1 : 0 }];
      }),
    );
    const { beatMs, deadAfterMs } = this.#pace;
    return others.filter(({ id, ageMs }) => {
      const { silentBeats } = this.#heard.get(id)!;
      return silentBeats * beatMs >= deadAfterMs || (silentBeats >= 2 && ageMs >= 2 * deadAfterMs);
    });
  }

  /** A fetch whose answer got lost has locked jobs that nobody knows of, and a lost acknowledgement leaves a finished one locked. By twice
   *  `deadAfterMs` every statement has been answered or given up. */
  async #putBackForgotten(): Promise<void> {
    this.#sweptAt = performance.now();
    const held = [...this.#lanes.values()].flatMap((lane) => [...lane.held]);
    const jobs = await freeForgottenJobs(this.#tx, [...this.#lanes.keys()], held, 2 * this.#pace.deadAfterMs);
    if (jobs > 0) this.#log.warn({ jobs }, 'jobs that were locked and not known put back');
  }

  async #sweep(dead: Sign[]): Promise<void> {
    const jobs = await freeJobsOfTheDead(this.#tx, dead, this.#pace.deadAfterMs);
    if (jobs > 0) this.#log.warn({ jobs }, 'jobs of a dead worker put back');
  }
}
