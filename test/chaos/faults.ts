/** The faults: three loops at once, each with a seeded order. One affects PostgreSQL or all connections to it, one cuts off a single
 *  process, one kills. After each the service must recover by itself. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Postgres } from './postgres.ts';
import type { Life, Member } from './processes.ts';
import type { Random } from './random.ts';
import { callTool, type Stage, writeOnce } from './tool.ts';

const PATIENCE_MS = 20_000;

/** The first fault of each run, so that a short run includes it. */
export const FAILOVER = 'failover to a standby';

type Everywhere = (faults: Faults, members: Member[], random: Random) => Promise<void>;

const fault =
  (begin: (member: Member, random: Random) => void, [least, most]: [number, number], end: (member: Member) => void): Everywhere =>
  async (_faults, members, random) => {
    for (const member of members) begin(member, random);
    await sleep(random.between(least, most));
    for (const member of members) end(member);
  };
const heal = ({ proxy }: Member) => proxy.heal();

const everywhere: Record<string, Everywhere> = {
  'black hole': fault(({ proxy }) => proxy.blackhole(), [2_000, 5_000], heal),
  'connections reset': fault(({ proxy }) => proxy.reset(), [0, 0], heal),
  'connections refused': fault(({ proxy }) => proxy.refuse(), [1_000, 4_000], heal),
  delay: fault(({ proxy }, random) => proxy.delay(random.between(30, 400)), [2_000, 4_000], heal),
  'COMMIT acknowledgements dropped': fault(
    ({ proxy }, random) => proxy.dropCommits(random.whole(3, 8)),
    [1_500, 2_500],
    ({ proxy }) => proxy.dropCommits(0),
  ),
  'answers dropped': fault(
    ({ proxy }, random) => proxy.dropAnswers(random.whole(3, 8)),
    [1_500, 2_500],
    ({ proxy }) => proxy.dropAnswers(0),
  ),
  'backends ended': ({ postgres }) =>
    postgres
      .rows(`select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`)
      .then(() => {}),
  'PostgreSQL restarted': (faults) => faults.restart('stop'),
  'PostgreSQL killed': (faults) => faults.restart('crash'),
  [FAILOVER]: (faults, _members, random) => faults.failOver(random),
};

export class Faults {
  readonly counts = new Map<string, number>();
  /** Longest time from the end of a fault to an accepted write. */
  recoveryMs = 0;
  /** The fault with the longest recovery. */
  slowest = 'anything';
  /** Web processes that accepted no write again. */
  readonly unrecovered: string[] = [];
  readonly #stage: Stage;
  readonly postgres: Postgres;
  readonly #random: Random;
  /** Key of the agent that probes whether writing works, and the item that it was given. */
  readonly #probeKey: string;
  #probeItem = 0;
  #allAreHit = false;

  constructor(stage: Stage, postgres: Postgres, random: Random, probeKey: string) {
    this.#stage = stage;
    this.postgres = postgres;
    this.#random = random;
    this.#probeKey = probeKey;
  }

  /** Makes the item on which each probe records a minute. */
  async prepare(): Promise<void> {
    const { ledger, workspaceId } = this.#stage;
    const title = ledger.fresh('items');
    const given = { workspaceId, items: [{ type: 'task', title }] };
    const made = await writeOnce(this.#stage, this.#random.fork('probe'), this.#probeKey, 'svc_create_items', given);
    ledger.mark('items', title, 'acknowledged');
    this.#probeItem = made.items[0].id;
  }

  async run(): Promise<void> {
    await Promise.all([this.#hitAll(), this.#cutOff(), this.#kill()]);
  }

  async restart(how: 'stop' | 'crash'): Promise<void> {
    await this.postgres.restart(how);
    this.#retarget();
  }

  async failOver(random: Random): Promise<void> {
    await this.postgres.failOver(() => sleep(random.between(500, 2_000)));
    this.#retarget();
  }

  #retarget(): void {
    for (const { proxy } of this.#stage.crew.members) proxy.retarget(this.postgres.url);
  }

  async #hitAll(): Promise<void> {
    const random = this.#random.fork('everybody');
    const names = Object.keys(everywhere).filter((name) => name !== FAILOVER);
    for (const name of this.#deck(random, names, FAILOVER)) {
      // A run on a slow machine has this one at least.
      if (!(await this.#pause(random, 500, 1_500)) && this.counts.has(FAILOVER)) return;
      const members = this.#stage.crew.members.filter(({ held }) => !held);
      this.#count(name);
      this.#allAreHit = true;
      await everywhere[name]!(this, members, random);
      // Until then no process is cut off, because its recovery from this fault is measured.
      await Promise.all(members.map((member) => this.#recovered(name, member)));
      this.#allAreHit = false;
    }
  }

  /** Longer than a request may take, and longer than a worker may be silent before others get its jobs. */
  async #cutOff(): Promise<void> {
    const random = this.#random.fork('cut off');
    for (const kind of this.#deck(random, ['web', 'worker'] as const)) {
      if (!(await this.#pause(random, 1_000, 4_000))) return;
      while (this.#allAreHit) await sleep(50);
      const member = random.pick(this.#stage.crew.of(kind));
      this.#count(`one ${kind} process cut off`);
      member.held = true;
      member.proxy.blackhole();
      await this.#atMost(kind === 'web' ? random.between(11_500, 14_000) : random.between(17_000, 25_000));
      member.proxy.heal();
      member.held = false;
      await this.#recovered('cut off', member);
    }
  }

  async #kill(): Promise<void> {
    const random = this.#random.fork('kill');
    for (const kind of this.#deck(random, ['web', 'worker', 'worker', 'all web', 'all workers'] as const)) {
      if (!(await this.#pause(random, 2_000, 7_000))) return;
      const { crew } = this.#stage;
      const victims = kind === 'all web' ? crew.of('web') : kind === 'all workers' ? crew.of('worker') : [random.pick(crew.of(kind))];
      await Promise.all(victims.map((member) => crew.kill(member, random.between(0, 2_000))));
    }
  }

  *#deck<T>(random: Random, cards: readonly T[], ...first: T[]): Generator<T> {
    for (;;) yield* [...first, ...random.shuffled(cards)];
  }

  /** Returns false when the time is over. */
  async #pause(random: Random, least: number, most: number): Promise<boolean> {
    await this.#atMost(random.between(least, most));
    return performance.now() < this.#stage.endsAt;
  }

  async #atMost(ms: number): Promise<void> {
    await sleep(Math.max(0, Math.min(ms, this.#stage.endsAt - performance.now())));
  }

  #count(name: string): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }

  async #recovered(fault: string, member: Member): Promise<void> {
    if (member.kind !== 'web') return;
    const tookMs = await this.#writable(member);
    if (tookMs === null) return;
    if (tookMs === Number.POSITIVE_INFINITY) this.unrecovered.push(`${member.name} after ${fault}`);
    else if (tookMs > this.recoveryMs) [this.recoveryMs, this.slowest] = [tookMs, fault];
  }
  /** Repeats a write until the web process accepts it. Resolves to the time, or null if it was killed or cut off meanwhile. */
  async #writable(member: Member): Promise<number | null> {
    const { life } = member;
    const started = performance.now();
    while (life.baseUrl && !life.killed && !member.held) {
      if (await this.#probe(life)) return performance.now() - started;
      if (performance.now() - started > PATIENCE_MS) return Number.POSITIVE_INFINITY;
      await sleep(50);
    }
    return null;
  }

  async #probe(life: Life): Promise<boolean> {
    const { ledger, counts } = this.#stage;
    const note = ledger.fresh('time_entries');
    const date = new Date().toISOString().slice(0, 10);
    const given = { requestId: randomUUID(), action: 'log', itemId: this.#probeItem, date, minutes: 1, note };
    counts.writes++;
    const outcome = await callTool(this.#stage, life, this.#probeKey, 'svc_time', given);
    if (outcome && outcome !== 'refused') ledger.mark('time_entries', note, 'acknowledged');
    return outcome !== null;
  }
}
