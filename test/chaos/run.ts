/** One run of chaos: starts everything, writes and breaks things for a while, waits until it settles, and compares the data with the
 *  ledger. */
import { setTimeout as sleep } from 'node:timers/promises';
import { mailServer } from '../support/smtp.ts';
import { TEST_SECRET } from '../support/world.ts';
import { Agent } from './agents.ts';
import { Calls } from './calls.ts';
import { Follower, judgeChanges } from './changes.ts';
import { Faults } from './faults.ts';
import { byKey, bySession, Integration } from './integrations.ts';
import { Ledger } from './ledger.ts';
import { readNotificationCounts, watchEverything } from './notifications.ts';
import { Postgres } from './postgres.ts';
import { Crew } from './processes.ts';
import { Random } from './random.ts';
import { foundByApi, foundBySql } from './reconcile.ts';
import { closeLatest, passDays, readRecurring } from './recurring.ts';
import { orphanedLocks, overdueBlocks, readAutomatic, readReminders } from './reminders.ts';
import { figure, none, type Report, type Row, within } from './report.ts';
import { findInLogs, findInTables } from './secrets.ts';
import type { Stage } from './tool.ts';
import { makeTown } from './town.ts';
import { acceptEverything, failingReceiver, makeWebhook, repeatedMessages, undelivered } from './webhooks.ts';

export interface ChaosSettings {
  seed: number;
  durationMs: number;
  agents: number;
  /** Gets progress messages. */
  onProgress?(line: string): void;
}

const MINUTE_MS = 60_000;
const GIVE_UP_AFTER_MS = 45_000;
/** Everything due happens within 90 s after a kill (behaviour §10.13), so a lock may be without an owner that long. */
const SETTLE_MS = 90_000;
const LIMITS = { RATE_LIMIT_REST: '1000000', RATE_LIMIT_MCP: '1000000', RATE_LIMIT_PAGES: '1000000', RATE_LIMIT_SIGN_IN: '1000000' };

type Scene = Awaited<ReturnType<typeof setUp>>;

export async function runChaos(settings: ChaosSettings): Promise<Report> {
  const endings: (() => unknown)[] = [];
  try {
    return await play(await setUp(settings, endings), settings.onProgress ?? (() => {}));
  } finally {
    for (const end of endings.reverse()) await end();
  }
}

async function setUp({ seed, durationMs, agents }: ChaosSettings, endings: (() => unknown)[]) {
  const postgres = await Postgres.start();
  endings.push(() => postgres.end());
  const mail = await mailServer({ teardown: (end) => endings.push(end) });
  const town = await makeTown(postgres.url, agents);
  const { workspaceId, browser, restKey } = town;
  await watchEverything(postgres, browser.email, town.ownerId);
  const random = new Random(seed);
  const receiver = await failingReceiver(random.fork('receiver'));
  endings.push(() => receiver.close());
  const webhookSecret = await makeWebhook(postgres.url, workspaceId, town.ownerId, receiver.url);
  // Last: workers make changes by themselves, and the webhook sends only those after it.
  const crew = await Crew.start(postgres, { ...LIMITS, SMTP_URL: mail.url, WEBHOOK_PRIVATE_ADDRESSES: 'on' });
  endings.push(() => crew.end());
  const counts = { writes: 0, retries: 0, replays: 0, unanswered: 0 };
  const stage: Stage = { crew, calls: new Calls(), ledger: new Ledger(), workspaceId, counts, endsAt: Infinity, givesUpAt: Infinity };
  const keys = [...town.agents, ...town.sleepers, town.probe, restKey];
  const secrets = new Set([...keys, browser.password, webhookSecret, TEST_SECRET]);
  const [faults, follower] = [new Faults(stage, postgres, random, town.probe), new Follower(stage, restKey)];
  await faults.prepare();
  stage.endsAt = performance.now() + durationMs;
  stage.givesUpAt = stage.endsAt + GIVE_UP_AFTER_MS;
  /** `mails`: accepted ones. */
  return { seed, durationMs, random, postgres, crew, town, stage, receiver, faults, follower, mails: mail.taken, secrets };
}

async function play(scene: Scene, progress: (line: string) => void): Promise<Report> {
  const { seed, postgres, crew, faults, secrets } = scene;
  progress('all processes are up: writing, killing, breaking');
  await Promise.all([faults.run(), ...actors(scene)]);
  progress('all is healed: settling');
  const settled = await settle(scene);
  progress('reconciling');
  const rows = [...figures(scene, settled.afterMs), ...(await promises(scene, settled.orphans))];
  const leaks = await findInTables(secrets, postgres);
  await crew.stop();
  const log = [...crew.log, ...postgres.log];
  leaks.push(...findInLogs(secrets, log));
  rows.push(none('processes that exited by themselves', [...crew.unasked, ...postgres.unasked]), none('secrets found', leaks));
  return { seed, rows, log };
}

function actors({ durationMs, random, town, stage, secrets, follower, postgres }: Scene): Promise<void>[] {
  const agents = town.agents.map((key, n) => new Agent(stage, random.fork(`agent ${n}`), key));
  const entries = [byKey(town.restKey), bySession(stage, random.fork('browser'), town.browser, secrets)];
  const integrations = entries.map((enter, n) => new Integration(stage, random.fork(`integration ${n}`), enter));
  return [
    ...[...agents, ...integrations, follower].map((actor) => actor.live()),
    passDays(postgres, random.fork('days'), stage),
    closeLatest(postgres, random.fork('closed'), stage, town.restKey),
    ...sleepers(durationMs, random, stage, town.sleepers),
  ];
}

/** Every minute of the run, a person's block starts by itself and lasts for three. */
function sleepers(durationMs: number, random: Random, stage: Stage, keys: string[]): Promise<void>[] {
  const first = Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS;
  const starts = Array.from({ length: Math.ceil(durationMs / MINUTE_MS) }, (_, n) => first + n * MINUTE_MS);
  return keys.map(async (key, n) => {
    const agent = new Agent(stage, random.fork(`sleeper ${n}`), key);
    for (const startsAt of starts.filter((_, at) => at % keys.length === n)) await agent.planByItself(startsAt, startsAt + 3 * MINUTE_MS);
  });
}

/** Waits until nothing is due any more, however long it takes. `orphans`: job locks without an owner since the end of the faults. */
async function settle({ postgres, receiver }: Scene): Promise<{ afterMs: number; orphans: string[] }> {
  const started = performance.now();
  for (let orphans = await orphanedLocks(postgres); ; await sleep(500)) {
    await acceptEverything(receiver, postgres);
    const now = await orphanedLocks(postgres);
    orphans = orphans.filter((lock) => now.includes(lock));
    const afterMs = performance.now() - started;
    const owed = [
      ...(await readReminders(postgres)).lost,
      ...(await readRecurring(postgres)).lost,
      ...(await readNotificationCounts(postgres)).lost,
      ...(await overdueBlocks(postgres)),
      ...orphans,
      ...(await undelivered(receiver, postgres)),
    ];
    if (owed.length === 0 || afterMs > SETTLE_MS) return { afterMs, orphans };
  }
}

function figures({ stage: { counts, calls }, crew, mails, receiver, faults }: Scene, settledMs: number): Row[] {
  return [
    figure('writes', counts.writes),
    figure('requests', calls.made),
    figure('answers 503 or unavailable', calls.unavailable),
    figure('retries with the same requestId', counts.retries),
    figure('replays', counts.replays),
    figure('kills', crew.kills),
    ...[...faults.counts].map(([name, count]) => figure(`  ${name}`, count)),
    figure('mails', mails.length),
    figure('webhook messages taken', receiver.taken.length),
    figure('  of them again', repeatedMessages(receiver)),
    figure('settled after', `${(settledMs / 1_000).toFixed(1)} s`),
  ];
}

async function promises({ postgres, stage, crew, town, mails, receiver, follower, faults }: Scene, orphans: string[]): Promise<Row[]> {
  const { calls, counts, ledger } = stage;
  const [life] = crew.listening();
  const views = { SQL: await foundBySql(postgres), API: await foundByApi(calls, life!, town) };
  const problems = Object.entries(views).flatMap(([view, found]) =>
    ledger.check(found).map((one) => ({ ...one, what: `${one.what} (${view})` })),
  );
  const written = (wanted: string) => problems.filter(({ kind }) => kind === wanted).map(({ what }) => what);
  const reminders = await readReminders(postgres);
  const automatic = await readAutomatic(postgres);
  await follower.finish();
  const once = {
    writes: { expected: counts.writes, lost: written('lost'), doubled: written('doubled') },
    changes: await judgeChanges(postgres, follower, town.recurring),
    reminders: { ...reminders, lost: [...reminders.lost, ...(await overdueBlocks(postgres))] },
    'recurring tasks': await readRecurring(postgres),
    notifications: await readNotificationCounts(postgres),
  };
  return [
    ...Object.entries(once).flatMap(([name, { expected, lost, doubled }]) => [
      figure(`${name} due`, expected),
      none(`${name} lost`, lost),
      none(`${name} doubled`, doubled),
    ]),
    none('writes that never got a definite answer', Array(counts.unanswered).fill('a write')),
    none('webhook deliveries lost', await undelivered(receiver, postgres)),
    none('mails doubled', mails.filter((mail, at) => mails.indexOf(mail) !== at).map(subject)),
    figure('blocks that start by themselves', automatic.expected),
    none('blocks not started, or twice', automatic.wrong),
    within('latest reminder', reminders.latestSeconds * 1_000, 90),
    within('longest answer', calls.longestMs, 12),
    none('answers other than success and 503', calls.wrong),
    none('requests that got no answer', calls.silent),
    within(`recovery after heal (slowest after ${faults.slowest})`, faults.recoveryMs, 5),
    none('processes that did not recover', faults.unrecovered),
    none('orphaned job locks after 90 s', orphans),
  ];
}

const subject = (mail: string) => mail.match(/^Subject: .*$/m)?.[0] ?? 'a mail';
