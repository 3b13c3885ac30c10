/** One attack and its effect: another user's answers, event loop lag, memory of the process. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Caller, load } from '../bench/load.ts';
import { forgetMostMegabytes, mostMegabytes, percentile, round } from '../bench/measure.ts';
import { get, post } from '../bench/places.ts';
import { scrape } from '../chaos/scrape.ts';
import { isAlive, type Spawned, spawnNode } from '../support/processes.ts';
import { Tally } from './attack.ts';
import { attacks } from './attacks.ts';
import { BASE, callTool, send, signIn } from './requests.ts';
import { type Stage, victimKeys } from './stage.ts';

const CALLS_PER_SECOND = 25;
const WARM_UP = { seconds: 4, perSecond: 100 };
const QUIET_SECONDS = 6;
const COMPILED_AFTER_MS = 6_000;
/** Each is free again before its next call is due, also at the highest allowed time. */
const CONNECTIONS = 60;
/** Most that the median may grow, as a multiple of a quiet run's. */
const SLOWER = 3;
const limits = { p99: 1_000, lag: 250, resident: 400, heap: 256 };

export type Row = Awaited<ReturnType<typeof measure>>;
type Web = Awaited<ReturnType<Stage['startWeb']>>;

const portOf = ({ baseUrl }: Web) => Number(new URL(baseUrl).port);

/** Another user's work: reads and comments with a key, and a page, in turn. Requests start on schedule, whatever the answers take. */
function work({ refs, cookie }: Stage, web: Web, pace: { seconds: number; perSecond: number }) {
  const [workspaceId, id] = [refs.id('apollo'), refs.id('task')];
  let turn = 0;
  const key = () => ({ 'X-API-Key': refs.key(victimKeys[turn % victimKeys.length]!) });
  const calls = [
    () => get(`${BASE}/api/v1/item?workspaceId=${workspaceId}&id=${id}`, key()),
    () => post(`${BASE}/api/v1/comments`, key(), { workspaceId, id, body: 'At work' }),
    () => get(`${BASE}/workspaces/${workspaceId}`, cookie),
  ];
  const next: Caller = () => calls[turn++ % calls.length]!();
  return load(portOf(web), next, { connections: CONNECTIONS, ...pace });
}

/** The longest lag since the last call, in milliseconds, as the process reports it. */
const lagOf = async ({ baseUrl }: Web) => (await scrape([baseUrl])).max('nodejs_eventloop_lag_max_seconds') * 1_000;

/** The largest value that a process has printed after so many lines (turns.js). */
export const largest = (what: 'turn' | 'heap', { lines }: Pick<Spawned, 'lines'>, from = 0): number =>
  lines.slice(from).reduce((most, line) => Math.max(most, line.startsWith(`${what} `) ? Number(line.slice(what.length + 1)) : 0), 0);

/** Exercises everything once before memory is counted: reads, writes, password checks, long notes. */
async function warmUp(stage: Stage, web: Web): Promise<void> {
  await work(stage, web, WARM_UP);
  const [own, tally] = [{ port: portOf(web) }, new Tally()];
  for (let n = 0; n < 24; n++) {
    const html = `<p>${'note '.repeat(20_000)}</p>`;
    const note = callTool({ agentKey: stage.refs.key('c1') }, 'svc_personal_notes_create', { requestId: randomUUID(), html });
    const entry = { ...signIn, body: `email=unknown${n}%40x.example&password=guess` };
    await Promise.all([send(own, note, tally), send(own, entry, tally)]);
  }
}

/** `name` null: no attack. `quiet`: the median of a run without an attack. Times are in ms, memory in MB. */
export async function measure(stage: Stage, name: string | null, quiet = 0) {
  const attack = name ? attacks[name]! : null;
  const own = { ...stage.target, ...(await attack?.make?.(stage.databaseUrl)) };
  const web = await stage.startWeb(attack?.env);
  const worker = attack?.worker && (await stage.startWorker(attack.worker));
  try {
    await warmUp(stage, web);
    forgetMostMegabytes(web.process.pid);
    const target = { ...own, port: portOf(web) };
    const attacker = name ? spawnNode(['test/attacks/attacker.ts', name, JSON.stringify(target)]) : null;
    await attacker?.line(/attacking/);
    // First runs include compilation, so wait for it.
    if (attack?.mostTurnMs) await sleep(COMPILED_AFTER_MS);
    await lagOf(web);
    const [printed, printedByWorker] = [web.process.lines.length, worker ? worker.lines.length : 0];
    const seconds = attack?.seconds ?? QUIET_SECONDS;
    const { times, requests, statuses } = await work(stage, web, { seconds, perSecond: CALLS_PER_SECOND });
    const [lag, turn, resident] = [await lagOf(web), largest('turn', web.process, printed), mostMegabytes(web.process.pid)];
    attacker?.kill('SIGTERM');
    const answers: Record<string, number> = JSON.parse((await attacker?.line(/^\{/, 10_000).catch(() => '{}')) ?? '{}');
    attacker?.kill('SIGKILL');
    const left = (await attack?.check?.((text, values) => stage.fixtures.sql(text, values), target, answers)) ?? [];
    const heaps = { heap: largest('heap', web.process, printed), worker: worker ? largest('heap', worker) : 0 };
    const workerTurn = worker ? largest('turn', worker, printedByWorker) : 0;
    const refused = requests - (statuses[200] ?? 0);
    const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)];
    const tooMuch = {
      [`${refused} refused`]: refused > 0,
      [`p50 over ${Math.round(quiet * SLOWER)}`]: attack?.judgesMedian && p50 >= quiet * SLOWER,
      p99: p99 >= limits.p99,
      lag: !(lag < limits.lag),
      [`turn over ${attack?.mostTurnMs}`]: attack?.mostTurnMs && turn > attack.mostTurnMs,
      [`worker’s turn over ${attack?.mostWorkerTurnMs}`]: attack?.mostWorkerTurnMs && workerTurn > attack.mostWorkerTurnMs,
      memory: resident >= limits.resident,
      [`heap over ${limits.heap}`]: Math.max(heaps.heap, heaps.worker) >= limits.heap,
      'the worker ended': worker && !isAlive(worker.pid),
    };
    const faults = [...left, ...Object.keys(tooMuch).filter((what) => tooMuch[what])];
    const figures = { p50: round(p50), p99: round(p99), lag: round(lag), turn, workerTurn, resident: round(resident), ...heaps };
    return {
      title: attack?.title ?? 'No attack',
      answers,
      ...figures,
      verdict: faults.length ? `BROKEN: ${faults.join(', ')}` : 'kept',
    };
  } finally {
    for (const one of [web.process, worker]) {
      one?.kill('SIGKILL');
      await one?.exit();
    }
  }
}

export function printTable(rows: Row[]): void {
  console.log(`\nPromised: p99 < ${limits.p99} ms, lag < ${limits.lag} ms, < ${limits.resident} MB resident, heaps < ${limits.heap} MB`);
  console.table(Object.fromEntries(rows.map(({ title, answers: _, ...figures }) => [title, figures])));
}
