/** The faults: three loops at once, each with a seeded order. One affects PostgreSQL or all connections to it, one cuts off a single
 *  process, one kills. After each the service must recover by itself. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Proxy as DatabaseProxy } from '../support/proxy.ts';
import type { Postgres } from './postgres.ts';
import type { Member } from './processes.ts';
import type { Random } from './random.ts';
import { type Stage, writeOnce } from './tool.ts';

const PATIENCE_MS = 20_000;

type Fault = (proxies: DatabaseProxy[], random: Random, postgres: Postgres) => Promise<unknown>;

const during =
  (
    least: number,
    most: number,
    begin: (proxy: DatabaseProxy, random: Random) => unknown,
    end = (proxy: DatabaseProxy): unknown => proxy.heal(),
  ): Fault =>
  async (proxies, random) => {
    for (const proxy of proxies) begin(proxy, random);
    await sleep(random.between(least, most));
    for (const proxy of proxies) end(proxy);
  };
const dropCommits = (proxy: DatabaseProxy, random: Random) => proxy.dropCommits(random.whole(3, 8));
const dropAnswers = (proxy: DatabaseProxy, random: Random) => void proxy.dropAnswers(random.whole(3, 8));
const failOver: Fault = (_, random, postgres) => postgres.failOver(() => sleep(random.between(500, 2_000)));

const everywhere: Record<string, Fault> = {
  'black hole': during(2_000, 5_000, (proxy) => proxy.blackhole()),
  'connections reset': during(0, 0, (proxy) => proxy.reset()),
  'connections refused': during(1_000, 4_000, (proxy) => proxy.refuse()),
  delay: during(2_000, 4_000, (proxy, random) => proxy.delay(random.between(30, 400))),
  'COMMIT acknowledgements dropped': during(1_500, 2_500, dropCommits, (proxy) => proxy.dropCommits(0)),
  'answers dropped': during(1_500, 2_500, dropAnswers, (proxy) => void proxy.dropAnswers(0)),
  'backends ended': (_proxies, _random, postgres) =>
    postgres.rows(
      `select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
    ),
  'PostgreSQL restarted': (_proxies, _random, postgres) => postgres.restart('stop'),
  'PostgreSQL killed': (_proxies, _random, postgres) => postgres.restart('crash'),
};

export class Faults {
  failovers = 0;
  /** Longest time from the end of a fault to an accepted write. */
  recoveryMs = 0;
  /** Web processes that accepted no write again. */
  readonly unrecovered: string[] = [];
  readonly #stage: Stage;
  readonly #postgres: Postgres;
  readonly #random: Random;
  /** Key of the agent that probes whether writing works, and the item on which each probe records a minute. */
  readonly #probeKey: string;
  #probeItem = 0;
  #allAreHit = false;

  constructor(stage: Stage, postgres: Postgres, random: Random, probeKey: string) {
    this.#stage = stage;
    this.#postgres = postgres;
    this.#random = random;
    this.#probeKey = probeKey;
  }

  /** Makes the item of the probes. */
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

  async #hitAll(): Promise<void> {
    const random = this.#random.fork('everybody');
    const { crew } = this.#stage;
    // A failover first: also a short run on a slow machine has one.
    for (const [name, fault] of deck(random, Object.entries(everywhere), ['failover to a standby', failOver] as const)) {
      if (!(await this.#pause(random, 500, 1_500)) && this.failovers > 0) return;
      const members = crew.members.filter(({ held }) => !held);
      this.#allAreHit = true;
      await fault(
        members.map(({ proxy }) => proxy),
        random,
        this.#postgres,
      );
      if (fault === failOver) this.failovers++;
      for (const { proxy } of crew.members) proxy.retarget(this.#postgres.url);
      // Until then no process is cut off, because its recovery from this fault is measured.
      await Promise.all(members.map((member) => this.#recovered(name, member)));
      this.#allAreHit = false;
    }
  }

  /** Longer than a request may take, and longer than a worker may be silent before others get its jobs. */
  async #cutOff(): Promise<void> {
    const random = this.#random.fork('cut off');
    for (const kind of deck(random, ['web', 'worker'] as const)) {
      if (!(await this.#pause(random, 1_000, 4_000))) return;
      while (this.#allAreHit) await sleep(50);
      const member = random.pick(this.#stage.crew.of(kind));
      member.held = true;
      member.proxy.blackhole();
      await (kind === 'web' ? this.#pause(random, 11_500, 14_000) : this.#pause(random, 17_000, 25_000));
      member.proxy.heal();
      member.held = false;
      await this.#recovered('cut off', member);
    }
  }

  async #kill(): Promise<void> {
    const random = this.#random.fork('kill');
    const { crew } = this.#stage;
    for (const kind of deck(random, ['web', 'worker', 'worker', 'all web', 'all workers'] as const)) {
      if (!(await this.#pause(random, 2_000, 7_000))) return;
      const victims = kind === 'all web' ? crew.of('web') : kind === 'all workers' ? crew.of('worker') : [random.pick(crew.of(kind))];
      await Promise.all(victims.map((member) => crew.kill(member, random.between(0, 2_000))));
    }
  }

  /** Returns false when the time is over. */
  async #pause(random: Random, least: number, most: number): Promise<boolean> {
    await sleep(Math.max(0, Math.min(random.between(least, most), this.#stage.endsAt - performance.now())));
    return performance.now() < this.#stage.endsAt;
  }

  /** Repeats a write until the web process accepts it, or was killed or cut off meanwhile. */
  async #recovered(fault: string, member: Member): Promise<void> {
    const { life } = member;
    const started = performance.now();
    while (life.baseUrl && !life.killed && !member.held) {
      const isWritable = await this.#probe(member);
      const tookMs = performance.now() - started;
      if (isWritable) this.recoveryMs = Math.max(this.recoveryMs, tookMs);
      else if (tookMs > PATIENCE_MS) this.unrecovered.push(`${member.name} after ${fault}`);
      if (isWritable || tookMs > PATIENCE_MS) return;
      await sleep(50);
    }
  }

  async #probe({ life }: Member): Promise<boolean> {
    const { ledger, calls } = this.#stage;
    const note = ledger.fresh('time_entries');
    const date = new Date().toISOString().slice(0, 10);
    const given = { requestId: randomUUID(), action: 'log', itemId: this.#probeItem, date, minutes: 1, note };
    const value = await calls.tool(life, this.#probeKey, 'svc_time', given);
    if (value && value !== 'refused') ledger.mark('time_entries', note, 'acknowledged');
    return value !== null;
  }
}

function* deck<T>(random: Random, cards: readonly T[], ...first: T[]): Generator<T> {
  for (;;) yield* [...first, ...random.shuffled(cards)];
}
