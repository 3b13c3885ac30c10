/** One run of chaos: starts everything, writes and breaks things for a while, waits until it settles, and compares the data with the
 *  ledger. */
import { setTimeout as sleep } from 'node:timers/promises';
import { TEST_SECRET } from '../support/world.ts';
import { makeAgent } from './agents.ts';
import { Calls } from './calls.ts';
import { follow, judgeChanges } from './changes.ts';
import { makeFaults } from './faults.ts';
import { bySession, integrate } from './integrations.ts';
import { Ledger } from './ledger.ts';
import { readNotifications } from './notifications.ts';
import { Random } from './random.ts';
import { passDays, readRecurring } from './recurring.ts';
import { orphanedLocks, overdueBlocks, readReminders, wronglyStarted } from './reminders.ts';
import { type Check, within } from './report.ts';
import { findSecrets } from './secrets.ts';
import type { Stage } from './tool.ts';
import { startTown } from './town.ts';
import { acceptEverything, failOften, undelivered } from './webhooks.ts';

interface Settings {
  seed: number;
  durationMs: number;
  agents: number;
}

const MINUTE_MS = 60_000;
const GIVE_UP_AFTER_MS = 45_000;
/** Everything due happens within 90 s after a kill (behaviour §10.13), so a lock may be without an owner that long. */
const SETTLE_MS = 90_000;
const LIMITS = { RATE_LIMIT_REST: '1000000', RATE_LIMIT_MCP: '1000000', RATE_LIMIT_PAGES: '1000000', RATE_LIMIT_SIGN_IN: '1000000' };

type Scene = Awaited<ReturnType<typeof setUp>>;

/** `log`: all output of the processes and PostgreSQL. */
export async function runChaos(settings: Settings): Promise<{ checks: Check[]; log: string[] }> {
  const endings: (() => unknown)[] = [];
  try {
    const scene = await setUp(settings, endings);
    const { postgres, crew, faults, secrets } = scene;
    await Promise.all([faults.run(), ...actors(scene)]);
    const checks = await promises(scene, await settle(scene));
    await crew.stop();
    const log = [...crew.log(), ...postgres.log];
    const secretsFound = await findSecrets(secrets, postgres, log);
    checks.push({ name: 'no process exited by itself', found: [...crew.unasked, ...postgres.unasked] });
    checks.push({ name: 'no secret is stored or logged', found: secretsFound });
    return { checks, log };
  } finally {
    for (const end of endings.reverse()) await end();
  }
}

async function setUp({ seed, durationMs, agents }: Settings, endings: (() => unknown)[]) {
  const town = await startTown({ agents, processes: ['web', 'web', 'worker', 'worker'] }, LIMITS, endings);
  const { postgres, people, receiver, crew } = town;
  const random = new Random(seed);
  failOften(receiver, random.fork('receiver'));
  const stage: Stage = {
    crew,
    calls: new Calls(),
    ledger: new Ledger(),
    workspaceId: people.workspaceId,
    unanswered: [],
    endsAt: Infinity,
    givesUpAt: Infinity,
  };
  const { agents: keys, sleepers, probe, restKey, browser } = people;
  const secrets = new Set([...keys, ...sleepers, probe, restKey, browser.password, town.webhookSecret, TEST_SECRET]);
  const faults = await makeFaults(stage, postgres, random, probe);
  stage.endsAt = performance.now() + durationMs;
  stage.givesUpAt = stage.endsAt + GIVE_UP_AFTER_MS;
  const follower = follow(stage, restKey);
  return { ...town, durationMs, random, stage, faults, follower, secrets };
}

function actors({ durationMs, random, people, stage, secrets, follower, postgres }: Scene): Promise<void>[] {
  const agents = people.agents.map((key, n) => makeAgent(stage, random.fork(`agent ${n}`), key));
  // Every minute of the run, a person's block starts by itself and lasts for three.
  const first = Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS;
  const starts = Array.from({ length: Math.ceil(durationMs / MINUTE_MS) }, (_, n) => first + n * MINUTE_MS);
  const sleepers = people.sleepers.map(async (key, n) => {
    const agent = makeAgent(stage, random.fork(`sleeper ${n}`), key);
    const own = starts.filter((_, at) => at % people.sleepers.length === n);
    for (const startsAt of own) await agent.planByItself(startsAt, startsAt + 3 * MINUTE_MS);
  });
  return [
    ...[...agents, follower].map((actor) => actor.live()),
    integrate(stage, random.fork('integration 0'), async () => ({ 'X-API-Key': people.restKey })),
    integrate(stage, random.fork('integration 1'), bySession(stage, random.fork('browser'), people.browser, secrets)),
    passDays(postgres, random.fork('days'), stage),
    ...sleepers,
  ];
}

/** Waits until nothing is due any more. Returns job locks without an owner since the end of the faults. */
async function settle({ postgres, receiver }: Scene): Promise<string[]> {
  const end = performance.now() + SETTLE_MS;
  for (let orphans = await orphanedLocks(postgres); ; await sleep(500)) {
    await acceptEverything(receiver, postgres);
    const now = await orphanedLocks(postgres);
    orphans = orphans.filter((lock) => now.includes(lock));
    const owed = [
      ...(await readReminders(postgres)).lost,
      ...(await readRecurring(postgres)).lost,
      ...(await readNotifications(postgres)).lost,
      ...(await overdueBlocks(postgres)),
      ...orphans,
      ...(await undelivered(receiver, postgres)),
    ];
    if (owed.length === 0 || performance.now() > end) return orphans;
  }
}

async function promises({ postgres, stage, people, mail, receiver, follower, faults }: Scene, orphans: string[]): Promise<Check[]> {
  const { calls, ledger } = stage;
  await follower.finish();
  const reminders = await readReminders(postgres);
  const once = {
    writes: await ledger.check(postgres),
    changes: await judgeChanges(postgres, follower, people.recurring),
    reminders,
    'series of tasks': await readRecurring(postgres),
    notifications: await readNotifications(postgres),
  };
  return [
    ...Object.entries(once).flatMap(([name, { expected, lost, doubled }]) => [
      { name: `of ${expected} ${name} none is lost`, found: lost },
      { name: `of ${expected} ${name} none is doubled`, found: doubled },
    ]),
    { name: 'every write got a definite answer', found: stage.unanswered },
    { name: 'no webhook delivery is lost', found: await undelivered(receiver, postgres) },
    { name: 'no mail is doubled', found: mail.taken.filter((text, at) => mail.taken.indexOf(text) !== at) },
    { name: 'each block starts and ends at its minute', found: await overdueBlocks(postgres) },
    { name: 'each block that starts by itself started one timer', found: await wronglyStarted(postgres) },
    { name: 'no answer is other than success and 503', found: calls.wrong },
    { name: 'every request got an answer', found: calls.silent },
    { name: 'every process recovered', found: faults.found.unrecovered },
    { name: 'a failover took place', found: faults.found.failovers ? [] : ['none'] },
    { name: 'no job lock is orphaned after 90 s', found: orphans },
    within('latest reminder', reminders.latestSeconds * 1_000, 90),
    within('longest answer', calls.longestMs, 12),
    within('recovery after a fault', faults.found.recoveryMs, 5),
  ];
}
