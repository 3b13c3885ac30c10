/** Every operation of REST, MCP and pages against rules that share no code with the service, in a world that changes. ACCESS_SEED and
 *  ACCESS_CASES choose another run. */
import type { ExecutionContext } from 'ava';
import { Random } from '../chaos/random.ts';
import { fileDatabase } from '../support/database.ts';
import { type Spawned, spawnNode } from '../support/processes.ts';
import { Fixtures } from '../support/restWorld.ts';
import { suite } from '../support/suite.ts';
import { isThorough } from '../support/thorough.ts';
import { startWeb, TEST_SECRET, type Web } from '../support/world.ts';
import { adminProbes } from './outside/adminProbes.ts';
import { agentProbes } from './outside/agentProbes.ts';
import { aheadProbes } from './outside/aheadProbes.ts';
import { buildTown } from './outside/build.ts';
import { type Answer, Faces } from './outside/faces.ts';
import { Live } from './outside/live.ts';
import { noteProbes } from './outside/noteProbes.ts';
import { pageProbes, takeApprovals } from './outside/pageProbes.ts';
import type { Probe, Scene } from './outside/probe.ts';
import { restProbes, withReads } from './outside/restProbes.ts';
import { contextLevel, couldRead, isAlive, maySee, oversees, reaches, seesGoal } from './outside/rules.ts';
import { shift } from './outside/shift.ts';
import { timeProbes } from './outside/timeProbes.ts';
import { type Caller, nameOf, type Owned, type Town } from './outside/town.ts';
import { Webhooks } from './outside/webhooks.ts';

const test = suite(import.meta.url);

const seed = Number(process.env.ACCESS_SEED ?? 20_261_121);
const cases = Number(process.env.ACCESS_CASES ?? (isThorough ? 2_000 : 20));
/** On a busy machine, fewer cases run in this time, unless ACCESS_CASES is set. */
const MOST_SECONDS = process.env.ACCESS_CASES ? 600 : 75;
const CASES_PER_SHIFT = 6;
const CASES_PER_DELIVERY = 60;
const CASES_PER_LIVE = 100;

const database = fileDatabase();
const random = new Random(seed);
let fixtures: Fixtures;
let web: Web;
let worker: Spawned;
let town: Town;
let faces: Faces;
let webhooks: Webhooks;
let live: Live;

test.before('a town, a web application and a worker', async () => {
  fixtures = new Fixtures(database.url);
  town = await buildTown(database.url, fixtures, random.fork('town'));
  web = await startWeb(database.url);
  faces = new Faces(web.baseUrl);
  const env = { SECRET_KEY: TEST_SECRET, BASE_URL: 'http://localhost', LOG_LEVEL: 'info', DATABASE_URL: database.url };
  worker = spawnNode(['workers/index.ts'], { env });
  // Forecasts are unavailable until a worker computes them.
  await worker.log({ msg: 'listening' });
  webhooks = await Webhooks.start(database.url, town, fixtures, random.fork('webhooks'));
  live = await Live.start(database.url, { baseUrl: web.baseUrl, town, fixtures, random: random.fork('live') });
  for (const user of town.users) user.csrf = (await faces.rest({ user, face: 'session' }, 'GET', '/capabilities')).body.csrfToken;
  counts.approvals = await takeApprovals({ town, random: random.fork('approvals'), faces, fixtures });
});
test.after('close', async () => {
  worker?.kill('SIGKILL');
  await Promise.all([web?.stop(), fixtures?.close(), webhooks?.close(), live?.close()]);
});

const tables = [
  ...['users', 'workspaces', 'memberships', 'statuses', 'priorities', 'items', 'comments', 'approvals', 'rest_keys', 'connections'],
  ...[
    'connection_workspaces',
    'time_entries',
    'plan_blocks',
    'personal_notes',
    'note_folders',
    'receipts',
    'item_watches',
    'notification_choices',
  ],
];
const used = ['rest_keys', 'connections'];
/** A digest of all tables that calls may change. Leaves out when a credential was last used. */
async function state(): Promise<string> {
  // Serialize as JSON only where a column is left out: it takes several times as long.
  const row = (table: string) =>
    used.includes(table) ? `(to_jsonb(t) - '{last_used_at,client,protocol_version}'::text[])::text` : 't::text';
  const parts = tables.map((table) => `(select coalesce(sum(hashtextextended(${row(table)}, 0)), 0) from ${table} t)`);
  return (await fixtures.sql(`select concat_ws('.', ${parts.join(', ')}) as found`))[0].found;
}

const makers = {
  key: [restProbes],
  session: [restProbes, pageProbes, aheadProbes, adminProbes],
  agent: [agentProbes, timeProbes, noteProbes],
};

function draw(scene: Scene): Probe | Promise<Probe> {
  const weighted = scene.random.pick(makers[scene.caller.face]).flatMap(([weight, make]) => Array(weight).fill(make));
  return (scene.random.pick(weighted) as (scene: Scene) => Probe)(scene);
}

/** Draws a case. Every other one is a case that the rules allow, if one is found soon: most random cases are refused. */
async function drawCase(): Promise<{ caller: Caller; probe: Probe }> {
  const wantsOk = random.chance(0.5);
  for (let tries = 1; ; tries++) {
    const caller: Caller = { user: random.pick(town.users), face: random.pick(['key', 'session', 'agent', 'agent']) };
    const probe = await draw({ town, random, faces, fixtures, caller });
    if (!wantsOk || probe.expected === 'ok' || tries === 5) return { caller, probe };
  }
}

/** True if the answer is a page, not REST or MCP. */
const isPage = ({ name }: Probe): boolean => name.startsWith('page ');

const isReplay = ({ name }: Probe): boolean => name.endsWith(' replayed');

/** The body of each operation's refusals, by page and by the person that the page names. */
const refusals = new Map<string, string>();
const later: { caller: Caller; probe: Probe }[] = [];
const counts = { cases: 0, ok: 0, refused: 0, replays: 0, shifts: 0, approvals: 0 };

function judgeAnswer(t: ExecutionContext, caller: Caller, probe: Probe, answer: Answer, expected: string): void {
  const where = `ACCESS_SEED=${seed}, case ${counts.cases}: ${nameOf(caller)}, ${probe.name}, ${probe.target}`;
  if (answer.outcome !== expected) t.fail(`${where}: ${answer.outcome} instead of ${expected}: ${personalPart(answer)}`);
  if (answer.outcome === 'ok') {
    const fault = probe.check?.(answer.body);
    if (fault) t.fail(`${where}: ${fault}`);
  }
  const shown = town.marks
    .in(answer.whole)
    .filter((owned) => !maySee(caller, owned, isPage(probe)) && !isForecast(caller, probe, owned) && !isOwnWord(probe, owned))
    .filter((owned) => !isLastRow(caller, probe, owned) && !isInAudit(caller, probe, owned) && !isArchivedPage(caller, probe, owned))
    .filter((owned) => !isArchivedHit(caller, probe, owned) && !isArchivedList(caller, probe, owned));
  if (shown.length) t.fail(`${where}: shows hidden data: ${shown.map(describe)} in ${personalPart(answer)}`);
  // No key reaches approvals (behaviour §3.29).
  const approval = isPage(probe) ? null : /changedSinceApproval|"approved":|approval\.(?:requested|approved|rejected)/.exec(answer.whole);
  if (approval) t.fail(`${where}: reveals an approval, ${approval[0]}, in ${personalPart(answer)}`);
  if (answer.outcome !== 'forbidden' || !isAlive(caller)) return;
  if (saysWhereGoalsAre(t, where, caller, answer)) return;
  const lacked = caller.face === 'key' ? grantsLacked(caller, probe) : [];
  const named = caller.face === 'key' ? (answer.body.error.match(/\w+:(?:read|write)/g) ?? []) : [];
  if (String(named) !== String(lacked)) t.fail(`${where}: names ${named}, the key lacks ${lacked}`);
  const low = probe.tooLow?.(isReplay(probe)) ?? null;
  const said = /Your level for (\w+) in this workspace is (\w+), too low for this\. Ask a workspace owner/.exec(answer.refusal);
  const namedLevel = said && `${said[1]} ${said[2]}`;
  if (namedLevel !== low) t.fail(`${where}: names the level ${namedLevel} instead of ${low}`);
  const operation = `${probe.name.split(' autoStart')[0]} ${lacked} ${low} ${caller.face}${caller.face === 'session' ? `${caller.user.ref}${caller.user.accountRole}` : ''}`;
  const before = refusals.get(operation);
  if (before !== undefined && before !== answer.refusal) t.fail(`${where}: refused in other words:\n${answer.refusal}\nnot\n${before}`);
  refusals.set(operation, answer.refusal);
}

/** The grants that the request needs in any case and the key lacks (behaviour §3.28). */
function grantsLacked({ user }: Caller, { needs = [] }: Probe): string[] {
  const held = withReads(user.restKey.grants);
  return needs.filter((need) => !need.some((grant) => held.includes(grant))).flat();
}

/** The one refusal with its own text: an agent asks for an open goal that its owner can read (behaviour §7.35). */
function saysWhereGoalsAre(t: ExecutionContext, where: string, caller: Caller, { refusal }: Answer): boolean {
  const id = /Item (\d+) is a goal: goals are read in svc_context/.exec(refusal)?.[1];
  if (id === undefined) return false;
  const goal = town.workspaces.flatMap(({ items }) => items).find((item) => item.id === Number(id));
  const may = caller.face === 'agent' && goal?.type === 'goal' && !goal.closed && seesGoal(caller, goal);
  if (!may) t.fail(`${where}: reveals too much about a goal: ${refusal}`);
  return true;
}

/** A replayed creation gives its first answer again (behaviour §7.15), with the titles in its arguments, even if they have been
 *  archived. */
const isOwnWord = ({ name }: Probe, owned: Owned) => name === 'svc_create_items replayed' && owned.kind === 'item' && owned.item.archived;

/** A snapshot may be older than the archiving of an item in it, but not older than the caller's right to see the forecast. */
const isForecast = (caller: Caller, { name }: Probe, owned: Owned) =>
  (name === 'capacity' || name === 'page capacity') && owned.kind === 'item' && oversees(caller, owned.item.workspace);

/** The feed tells callers who could read an item that it was archived (behaviour §15.6). */
const isLastRow = (caller: Caller, { name }: Probe, owned: Owned) =>
  name === 'changes' && owned.kind === 'item' && owned.item.archived && couldRead(caller, owned.item);

/** An archived item has a page for users who could read it, with its archived ancestors (behaviour §23.6). */
const isArchivedPage = (caller: Caller, { name }: Probe, owned: Owned) =>
  (name === 'page item' || name === 'page restore' || name === 'page workspace archived' || name === 'page list.csv') &&
  ((owned.kind === 'item' && owned.item.archived && couldRead(caller, owned.item)) ||
    (owned.kind === 'comment' &&
      owned.item.archived &&
      couldRead(caller, owned.item) &&
      contextLevel(caller, owned.item.workspace, 'comments') >= 1));

/** The list of archived items names their ancestors to users who could read them (behaviour §19.4). */
const isArchivedList = (caller: Caller, { name }: Probe, owned: Owned) =>
  (name === 'page list.csv archived' || name === 'page workspace archived') &&
  owned.kind === 'item' &&
  reaches(caller, owned.item.workspace) &&
  couldRead(caller, owned.item);

/** Searching archived work finds items that the user could read (behaviour §22.1). */
const isArchivedHit = (caller: Caller, { name }: Probe, owned: Owned) =>
  name === 'page search archived' && owned.kind === 'item' && reaches(caller, owned.item.workspace) && couldRead(caller, owned.item);

/** Owners and administrators read what each key did in their account (behaviour §17), and what acts for a person on that person's page
 *  (behaviour §30.6). */
const isInAudit = ({ user }: Caller, { name, target }: Probe, owned: Owned) =>
  (owned.kind === 'key' || owned.kind === 'connection') &&
  owned.user.account === user.account &&
  (name === 'page /settings/audit' || (name === 'page /settings/people/:id' && target === owned.user.ref));

/** The part of an answer that depends on the caller. */
const personalPart = ({ whole }: Answer) => whole.slice(Math.max(0, whole.indexOf('<main'))).slice(0, 3_000);

const describe = (owned: object) =>
  JSON.stringify(owned, (name, value) => (['workspace', 'account', 'above', 'user'].includes(name) ? value?.ref : value)).slice(0, 200);

async function step(t: ExecutionContext): Promise<void> {
  const { caller, probe } = await drawCase();
  const refuses = probe.expected !== 'ok';
  const before = refuses && random.chance(0.25) ? await state() : null;
  const answer = await probe.send();
  counts.cases++;
  judgeAnswer(t, caller, probe, answer, probe.expected);
  if (refuses) {
    counts.refused++;
    if (before !== null) t.is(await state(), before, `${probe.name} of ${nameOf(caller)} was refused and changed something`);
    return;
  }
  counts.ok++;
  await probe.learn?.(answer.body);
  if (probe.replay) later.push({ caller, probe });
}

/** Repeats an earlier write of an agent. It must change nothing and never restore lost access. */
async function replay(t: ExecutionContext): Promise<void> {
  const { caller, probe } = random.pick(later);
  const before = await state();
  const expected = probe.replay!();
  const answer = await probe.send();
  counts.cases++;
  counts.replays++;
  judgeAnswer(
    t,
    caller,
    { ...probe, name: `${probe.name} replayed`, check: ({ replayed }) => (replayed ? null : 'not a replay') },
    answer,
    expected,
  );
  t.is(await state(), before, `the replay of ${probe.name} changed something`);
}

test(`up to ${cases} random cases follow the rules and reveal nothing else`, async (t) => {
  t.timeout(600_000);
  t.log(`ACCESS_SEED=${seed}`);
  const started = performance.now();
  const seconds = () => (performance.now() - started) / 1_000;
  while (counts.cases < cases && t.passed && seconds() < MOST_SECONDS) {
    if (counts.cases % CASES_PER_SHIFT === 0) {
      await shift(town, random, fixtures);
      counts.shifts++;
    }
    if (counts.cases % CASES_PER_DELIVERY === 0) await webhooks.check(t, faces);
    if (counts.cases % CASES_PER_LIVE === 0) await live.check(t, () => shift(town, random, fixtures));
    if (later.length > 20 && random.chance(0.12)) await replay(t);
    else await step(t);
  }
  t.true(webhooks.counts.sent > 0 || counts.cases < 200, JSON.stringify(webhooks.counts));
  t.true((live.counts.told > 0 && live.counts.hidden > 0) || counts.cases < 200, JSON.stringify(live.counts));
  t.log(
    `${JSON.stringify({ ...counts, ...webhooks.counts, ...live.counts })} in ${Math.round(seconds())} s, ${refusals.size} kinds of refusal`,
  );
  t.true(counts.ok > counts.cases / 10 && counts.refused > counts.cases / 10, JSON.stringify(counts));
});
