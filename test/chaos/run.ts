/** One run of chaos: starts everything, writes and breaks things for a while, waits until it settles, and compares the data with the
 *  ledger. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Receiver } from '../support/receiver.ts';
import { mailServer } from '../support/smtp.ts';
import { TEST_SECRET } from '../support/world.ts';
import { Agent } from './agents.ts';
import { Calls } from './calls.ts';
import { Follower, judgeChanges } from './changes.ts';
import { Faults } from './faults.ts';
import { ISSUES, judgeImport, killImport, uploadIssues } from './imports.ts';
import { byKey, bySession, Integration } from './integrations.ts';
import { faultsOfLeavers, forecastHoursOfLeavers, leave } from './leavers.ts';
import { Ledger } from './ledger.ts';
import { readNotificationCounts, watchEverything } from './notifications.ts';
import { Postgres } from './postgres.ts';
import { makeProbe } from './probe.ts';
import { Crew } from './processes.ts';
import { Random } from './random.ts';
import { foundByApi, foundBySql } from './reconcile.ts';
import { closeLatest, passDays, readRecurring } from './recurring.ts';
import { orphanedLocks, overdueBlocks, readAutomatic, readReminders } from './reminders.ts';
import { figure, none, type Report, type Row, within } from './report.ts';
import { findInLogs, findInTables } from './secrets.ts';
import type { Stage } from './tool.ts';
import { makeTown, type Town } from './town.ts';
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

interface Scene {
  settings: ChaosSettings;
  random: Random;
  postgres: Postgres;
  crew: Crew;
  town: Town;
  ledger: Ledger;
  stage: Stage;
  receiver: Receiver;
  follower: Follower;
  importId: number;
  /** Accepted mails. */
  mails: string[];
  secrets: Set<string>;
}

export async function runChaos(settings: ChaosSettings): Promise<Report> {
  const endings: (() => unknown)[] = [];
  try {
    return await play(await setUp(settings, endings));
  } finally {
    for (const end of endings.reverse()) await end();
  }
}

async function setUp(settings: ChaosSettings, endings: (() => unknown)[]): Promise<Scene> {
  const postgres = await Postgres.start();
  endings.push(() => postgres.end());
  const mail = await mailServer({ teardown: (end) => endings.push(end) });
  const town = await makeTown(postgres.url, settings.agents);
  await watchEverything(postgres, town.browser.email, town.ownerId);
  const importId = await uploadIssues(postgres, town);
  const crew = await Crew.start(postgres, { ...LIMITS, SMTP_URL: mail.url, WEBHOOK_PRIVATE_ADDRESSES: 'on' });
  endings.push(() => crew.end());
  const random = new Random(settings.seed);
  const receiver = await failingReceiver(random.fork('receiver'));
  endings.push(() => receiver.close());
  const webhookSecret = await makeWebhook(postgres.url, town.workspaceId, town.ownerId, receiver.url);
  const calls = new Calls();
  const counts = { writes: 0, retries: 0, replays: 0, unanswered: 0 };
  const endsAt = performance.now() + settings.durationMs;
  const stage: Stage = { crew, calls, counts, endsAt, givesUpAt: endsAt + GIVE_UP_AFTER_MS };
  const secrets = new Set([
    ...town.agents,
    ...town.sleepers,
    ...town.leavers.map(({ key }) => key),
    town.probe,
    town.restKey,
    town.browser.password,
    webhookSecret,
    TEST_SECRET,
  ]);
  const [ledger, follower] = [new Ledger(), new Follower(stage, town)];
  return { settings, random, postgres, crew, town, ledger, stage, receiver, follower, importId, mails: mail.taken, secrets };
}

async function play(scene: Scene): Promise<Report> {
  const { settings, random, postgres, town, ledger, stage, crew } = scene;
  const probe = await makeProbe(stage, ledger, random.fork('probe'), town.probe, town.workspaceId);
  const faults = new Faults(stage, postgres, random, probe);
  settings.onProgress?.('all processes are up: writing, killing, breaking');
  await Promise.all([faults.run(), ...actors(scene)]);
  settings.onProgress?.('all is healed: settling');
  const settled = await settle(scene);
  settings.onProgress?.('reconciling');
  const rows = [...figures(scene, faults, settled), ...(await promises(scene, faults, settled))];
  const leaks = await findInTables(scene.secrets, postgres);
  await crew.stop();
  const log = [...crew.log, ...postgres.log];
  leaks.push(...findInLogs(scene.secrets, log));
  rows.push(none('processes that exited by themselves', [...crew.unasked, ...postgres.unasked]), none('secrets found', leaks));
  return { seed: settings.seed, rows, log };
}

function actors(scene: Scene): Promise<void>[] {
  const { random, town, ledger, stage, settings, secrets, follower, postgres, importId } = scene;
  const agents = town.agents.map((key, n) => new Agent(stage, ledger, random.fork(`agent ${n}`), key, town.workspaceId).live());
  const browser = bySession(stage, random.fork('browser'), town.browser, secrets);
  const integrations = [byKey(town.restKey), browser].map((enter, n) =>
    new Integration(stage, ledger, random.fork(`integration ${n}`), enter, town.workspaceId).live(),
  );
  const recurring = [passDays(postgres, random.fork('days'), stage), closeLatest(postgres, random.fork('closed'), stage, town)];
  const importing = killImport(postgres, stage, town, importId);
  return [
    ...agents,
    ...integrations,
    ...recurring,
    importing,
    follower.live(),
    ...sleepers(settings, stage, ledger, random, town),
    ...leavers(scene),
  ];
}

/** One after another, evenly over the run. */
function leavers({ settings: { durationMs }, random, town, stage, postgres }: Scene): Promise<void>[] {
  return town.leavers.map(async (leaver, n) => {
    await sleep((durationMs * n) / town.leavers.length);
    const how = n % 2 ? 'deactivate' : 'remove';
    await leave(stage, random.fork(`leaver ${n}`), { postgres, town, leaver, how });
  });
}

/** Every minute of the run, a person's block starts by itself and lasts for three. */
function sleepers({ durationMs }: ChaosSettings, stage: Stage, ledger: Ledger, random: Random, { sleepers: keys, workspaceId }: Town) {
  const first = Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS;
  const starts = Array.from({ length: Math.ceil(durationMs / MINUTE_MS) }, (_, n) => first + n * MINUTE_MS);
  return keys.map(async (key, n) => {
    const agent = new Agent(stage, ledger, random.fork(`sleeper ${n}`), key, workspaceId);
    for (const startsAt of starts.filter((_, at) => at % keys.length === n)) await agent.planByItself(startsAt, startsAt + 3 * MINUTE_MS);
  });
}

interface Settled {
  afterMs: number;
  /** Job locks without an owner at the end of the faults and now. */
  orphans: string[];
}

/** Waits until nothing is due any more, however long it takes. */
async function settle({ postgres, receiver, importId }: Scene): Promise<Settled> {
  const started = performance.now();
  for (let orphans = await orphanedLocks(postgres); ; await sleep(500)) {
    const { missing } = await readReminders(postgres);
    await acceptEverything(receiver, postgres);
    const now = await orphanedLocks(postgres);
    orphans = orphans.filter((lock) => now.includes(lock));
    const afterMs = performance.now() - started;
    const owed = [
      ...missing,
      ...(await readRecurring(postgres)).lost,
      ...(await judgeImport(postgres, importId)).lost,
      ...(await readNotificationCounts(postgres)).missing,
      ...(await overdueBlocks(postgres)),
      ...orphans,
      ...(await undelivered(receiver, postgres)),
    ];
    if (owed.length === 0 || afterMs > SETTLE_MS) return { afterMs, orphans };
  }
}

function figures({ stage, crew, mails, receiver }: Scene, faults: Faults, { afterMs }: Settled): Row[] {
  const { writes, retries, replays } = stage.counts;
  return [
    figure('writes', writes),
    figure('requests', stage.calls.made),
    figure('answers 503 or unavailable', stage.calls.unavailable),
    figure('retries with the same requestId', retries),
    figure('replays', replays),
    figure('kills', crew.kills),
    figure(
      'faults',
      [...faults.counts.values()].reduce((sum, count) => sum + count, 0),
    ),
    ...[...faults.counts].map(([name, count]) => figure(`  ${name}`, count)),
    figure('mails', mails.length),
    figure('webhook messages taken', receiver.taken.length),
    figure('  of them again', repeatedMessages(receiver)),
    figure('settled after', `${(afterMs / 1_000).toFixed(1)} s`),
  ];
}

async function promises(
  { postgres, ledger, stage, crew, town, mails, receiver, follower, importId }: Scene,
  faults: Faults,
  { orphans }: Settled,
): Promise<Row[]> {
  const [life] = crew.listening();
  const views = [await foundBySql(postgres), await foundByApi(stage.calls, life!, town)];
  const problems = views.flatMap((found, n) =>
    ledger.check(found).map(({ kind, what }) => ({ kind, what: `${what} (${n ? 'API' : 'SQL'})` })),
  );
  const of = (wanted: string) => problems.filter(({ kind }) => kind === wanted).map(({ what }) => what);
  const reminders = await readReminders(postgres);
  const automatic = await readAutomatic(postgres);
  const told = await readNotificationCounts(postgres);
  await follower.finish();
  const changes = await judgeChanges(postgres, follower, town.recurring);
  const recurring = await readRecurring(postgres);
  const imported = await judgeImport(postgres, importId);
  return [
    figure('changes told', follower.told.length),
    figure('reminders due', reminders.expected),
    figure('notifications due', told.expected),
    figure('blocks that start by themselves', automatic.expected),
    figure('recurring tasks', recurring.tasks),
    figure('imported issues', ISSUES),
    none('acknowledged and lost', of('lost')),
    none('doubled', of('doubled')),
    none('changes lost', changes.lost),
    none('changes doubled', changes.doubled),
    none('writes that never got a definite answer', Array(stage.counts.unanswered).fill('a write')),
    none('reminders lost', [...reminders.missing, ...(await overdueBlocks(postgres))]),
    none('reminders doubled', reminders.doubled),
    none('recurring tasks lost', recurring.lost),
    none('recurring tasks doubled', recurring.doubled),
    none('imported issues lost', imported.lost),
    none('imported issues doubled', imported.doubled),
    none('notifications lost', told.missing),
    none('notifications doubled', told.doubled),
    none('webhook deliveries lost', await undelivered(receiver, postgres)),
    none('mails doubled', mails.filter((mail, at) => mails.indexOf(mail) !== at).map(subject)),
    none('blocks not started, or twice', automatic.wrong),
    none('timers and blocks of people who left', await faultsOfLeavers(postgres, town.leavers)),
    none('forecasts that count on people who left', await forecastHoursOfLeavers(stage, town)),
    within('latest reminder', reminders.latestSeconds * 1_000, 90),
    within('longest answer', stage.calls.longestMs, 12),
    none('answers other than success and 503', stage.calls.wrong),
    none('requests that got no answer', stage.calls.silent),
    within(`recovery after heal (slowest after ${faults.slowest})`, faults.recoveryMs, 5),
    none('processes that did not recover', faults.unrecovered),
    none('orphaned job locks after 90 s', orphans),
  ];
}

const subject = (mail: string) => mail.match(/^Subject: .*$/m)?.[0] ?? 'a mail';
