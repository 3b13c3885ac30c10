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

export async function makeFaults(stage: Stage, postgres: Postgres, seeded: Random, probeKey: string) {
  const { crew, ledger } = stage;
  const found = {
    failovers: 0,
    /** Longest time from the end of a fault to an accepted write. */
    recoveryMs: 0,
    /** Web processes that accepted no write again. */
    unrecovered: [] as string[],
  };
  let allAreHit = false;

  /** The item on which each probe records a minute. */
  const title = ledger.fresh('items');
  const given = { workspaceId: stage.workspaceId, items: [{ type: 'task', title }] };
  const made = await writeOnce(stage, seeded.fork('probe'), probeKey, 'svc_create_items', given);
  ledger.mark('items', title, 'acknowledged');
  const probeItem: number = made.items[0].id;

  async function hitAll(): Promise<void> {
    const random = seeded.fork('all members');
    // A failover first: also a short run on a slow machine has one.
    for (const [name, fault] of deck(random, Object.entries(everywhere), ['failover to a standby', failOver] as const)) {
      if (!(await pause(random, 500, 1_500)) && found.failovers > 0) return;
      const members = crew.members.filter(({ held }) => !held);
      allAreHit = true;
      await fault(
        members.map(({ proxy }) => proxy),
        random,
        postgres,
      );
      if (fault === failOver) found.failovers++;
      for (const { proxy } of crew.members) proxy.retarget(postgres.url);
      // Until then no process is cut off, because its recovery from this fault is measured.
      await Promise.all(members.map((member) => recovered(name, member)));
      allAreHit = false;
    }
  }

  /** Longer than a request may take, and longer than a worker may be silent before others get its jobs. */
  async function cutOff(): Promise<void> {
    const random = seeded.fork('cut off');
    for (const kind of deck(random, ['web', 'worker'] as const)) {
      if (!(await pause(random, 1_000, 4_000))) return;
      while (allAreHit) await sleep(50);
      const member = random.pick(crew.of(kind));
      member.held = true;
      member.proxy.blackhole();
      await (kind === 'web' ? pause(random, 11_500, 14_000) : pause(random, 17_000, 25_000));
      member.proxy.heal();
      member.held = false;
      await recovered('cut off', member);
    }
  }

  async function kill(): Promise<void> {
    const random = seeded.fork('kill');
    for (const kind of deck(random, ['web', 'worker', 'worker', 'all web', 'all workers'] as const)) {
      if (!(await pause(random, 2_000, 7_000))) return;
      const victims = kind === 'all web' ? crew.of('web') : kind === 'all workers' ? crew.of('worker') : [random.pick(crew.of(kind))];
      await Promise.all(victims.map((member) => crew.kill(member, random.between(0, 2_000))));
    }
  }

  /** Returns false when the time is over. */
  async function pause(random: Random, least: number, most: number): Promise<boolean> {
    await sleep(Math.max(0, Math.min(random.between(least, most), stage.endsAt - performance.now())));
    return performance.now() < stage.endsAt;
  }

  /** Repeats a write until the web process accepts it, or was killed or cut off meanwhile. */
  async function recovered(fault: string, member: Member): Promise<void> {
    const { life } = member;
    const started = performance.now();
    while (life.baseUrl && !life.killed && !member.held) {
      const isWritable = await probe(member);
      const tookMs = performance.now() - started;
      if (isWritable) found.recoveryMs = Math.max(found.recoveryMs, tookMs);
      else if (tookMs > PATIENCE_MS) found.unrecovered.push(`${member.name} after ${fault}`);
      if (isWritable || tookMs > PATIENCE_MS) return;
      await sleep(50);
    }
  }

  async function probe({ life }: Member): Promise<boolean> {
    const note = ledger.fresh('time_entries');
    const date = new Date().toISOString().slice(0, 10);
    const minute = { requestId: randomUUID(), action: 'log', itemId: probeItem, date, minutes: 1, note };
    const value = await stage.calls.tool(life, probeKey, 'svc_time', minute);
    if (value && value !== 'refused') ledger.mark('time_entries', note, 'acknowledged');
    return value !== null;
  }

  return { found, run: () => Promise.all([hitAll(), cutOff(), kill()]) };
}

function* deck<T>(random: Random, cards: readonly T[], ...first: T[]): Generator<T> {
  for (;;) yield* [...first, ...random.shuffled(cards)];
}
