/** One attack and its effect: another user's answers, event loop lag, memory of the process. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { forgetMostMegabytes, mostMegabytes, percentile, residentMegabytes } from '../bench/measure.ts';
import { isAlive, type Spawned, spawnNode } from '../support/processes.ts';
import { attacks } from './attacks.ts';
import { callTool, restHeaders } from './requests.ts';
import type { Stage } from './stage.ts';

const CALLS_PER_SECOND = 25;
const WARM_UP_SECONDS = 4;
const WARM_UP_CALLS_PER_SECOND = 100;
const QUIET_SECONDS = 6;
const COMPILED_AFTER_MS = 6_000;
/** Most that the median may grow, as a multiple of a quiet run's. */
const SLOWER = 3;
const limits = { p99: 1_000, lag: 250, growth: 100, resident: 400, heap: 256 };

export type Row = Awaited<ReturnType<typeof measure>>;
type Web = Awaited<ReturnType<Stage['startWeb']>>;

/** Another user's work: reads and comments with a key, and a page, in turn. Requests start on schedule, whatever the answers take. */
async function work({ refs, cookie }: Stage, { baseUrl }: Web, seconds: number, perSecond = CALLS_PER_SECOND) {
  const [workspaceId, id] = [refs.id('victimPlace'), refs.id('task')];
  let turn = 0;
  const headers = () => restHeaders({ restKey: refs.key(`victimKey${1 + (turn++ % 4)}`) });
  const body = JSON.stringify({ workspaceId, id, body: 'At work' });
  const calls = [
    () => fetch(`${baseUrl}/api/v1/item?workspaceId=${workspaceId}&id=${id}`, { headers: headers() }),
    () => fetch(`${baseUrl}/api/v1/comments`, { method: 'POST', headers: headers(), body }),
    () => fetch(`${baseUrl}/workspaces/${workspaceId}`, { headers: { Cookie: `JSESSIONID=${cookie}` }, redirect: 'manual' }),
  ];
  const times: number[] = [];
  let refused = 0;
  const one = async (call: () => Promise<Response>) => {
    const started = performance.now();
    const answer = await call().catch(() => null);
    await answer?.arrayBuffer().catch(() => null);
    if (answer?.status !== 200) refused++;
    times.push(performance.now() - started);
  };
  const all: Promise<void>[] = [];
  const begun = performance.now();
  for (let n = 0; performance.now() - begun < seconds * 1_000; n++) {
    all.push(one(calls[n % calls.length]!));
    await sleep(Math.max(0, begun + ((n + 1) * 1_000) / perSecond - performance.now()));
  }
  await Promise.all(all);
  return { times, refused };
}

/** The longest lag since the last call, in milliseconds, as the process reports it. */
async function lagOf({ metricsToken }: Stage, { baseUrl }: Web): Promise<number> {
  const answer = await fetch(`${baseUrl}/metrics`, { headers: { Authorization: `Bearer ${metricsToken}` } });
  return Number(/^nodejs_eventloop_lag_max_seconds\S* (\S+)$/m.exec(await answer.text())?.[1]) * 1_000;
}

/** The largest value that a process has printed after so many lines. */
const largest = (what: 'turn' | 'heap', { lines }: Pick<Spawned, 'lines'>, from: number): number =>
  lines.slice(from).reduce((most, line) => Math.max(most, line.startsWith(`${what} `) ? Number(line.slice(what.length + 1)) : 0), 0);

/** Exercises everything once before memory is counted: reads, writes, password checks, long notes. */
async function warmUp(stage: Stage, web: Web): Promise<void> {
  await work(stage, web, WARM_UP_SECONDS, WARM_UP_CALLS_PER_SECOND);
  for (let n = 0; n < 24; n++) {
    const note = callTool(stage, 'svc_personal_notes_create', { requestId: randomUUID(), html: `<p>${'note '.repeat(20_000)}</p>` });
    const headers = { 'X-Forwarded-For': `192.0.2.${n}` };
    const body = new URLSearchParams({ email: `nobody${n}@x.example`, password: 'guess' });
    const answers = await Promise.all([
      fetch(`${web.baseUrl}/mcp`, { method: 'POST', ...note }),
      fetch(`${web.baseUrl}/sign-in`, { method: 'POST', headers, body }),
    ]);
    await Promise.all(answers.map((answer) => answer.text()));
  }
}

/** `name` null: no attack. `quiet`: the median of a run without an attack. Times are in ms, memory in MB: its peak above the start and in
 *  all. */
export async function measure(stage: Stage, name: string | null, quiet = 0) {
  const attack = name ? attacks[name]! : null;
  const own = { ...stage.target, ...(await attack?.make?.(stage.databaseUrl)) };
  const web = await stage.startWeb(attack?.env);
  const worker = attack?.worker && (await stage.startWorker(attack.worker));
  try {
    await warmUp(stage, web);
    const besides = await attack?.besides?.(web.baseUrl);
    const before = residentMegabytes(web.process.pid);
    forgetMostMegabytes(web.process.pid);
    const target = JSON.stringify({ ...own, port: web.port });
    const attacker = name ? spawnNode(['test/attacks/attacker.ts', name, target]) : null;
    await attacker?.line(/attacking/);
    // First runs include compilation, so wait for it.
    if (attack?.mostTurnMs) await sleep(COMPILED_AFTER_MS);
    await lagOf(stage, web);
    const printed = web.process.lines.length;
    const seconds = attack?.seconds ?? QUIET_SECONDS;
    const [{ times, refused }, found = []] = await Promise.all([work(stage, web, seconds), besides?.(seconds)]);
    const [lag, turn, resident] = [await lagOf(stage, web), largest('turn', web.process, printed), mostMegabytes(web.process.pid)];
    attacker?.kill('SIGTERM');
    const answers: Record<string, number> = JSON.parse((await attacker?.line(/^\{/, 10_000).catch(() => '{}')) ?? '{}');
    attacker?.kill('SIGKILL');
    const left = (await attack?.check?.((text, values) => stage.fixtures.sql(text, values), own, answers)) ?? [];
    const heaps = { heap: largest('heap', web.process, printed), worker: worker ? largest('heap', worker, 0) : 0 };
    const row = { p50: percentile(times, 0.5), p99: percentile(times, 0.99), lag, turn, resident, growth: resident - before, ...heaps };
    const tooMuch = {
      [`${refused} refused`]: refused > 0,
      [`p50 over ${Math.round(quiet * SLOWER)}`]: attack?.judgesMedian && row.p50 >= quiet * SLOWER,
      p99: row.p99 >= limits.p99,
      lag: lag >= limits.lag,
      [`turn over ${attack?.mostTurnMs}`]: attack?.mostTurnMs && turn > attack.mostTurnMs,
      memory: row.growth >= limits.growth || resident >= limits.resident,
      [`heap over ${limits.heap}`]: Math.max(heaps.heap, heaps.worker) >= limits.heap,
      'the worker ended': worker && !isAlive(worker.pid),
    };
    const faults = [...found, ...left, ...Object.keys(tooMuch).filter((what) => tooMuch[what])];
    return { ...row, title: attack?.title ?? 'Nobody attacks', answers, faults };
  } finally {
    for (const one of [web.process, worker]) {
      one?.kill('SIGKILL');
      await one?.exit();
    }
  }
}

export function printTable(rows: Row[]): void {
  console.log(
    `\nPromised: p99 < ${limits.p99} ms, lag < ${limits.lag} ms, < ${limits.growth} MB more, < ${limits.resident} MB in all, heaps < ${limits.heap} MB`,
  );
  const lines = rows.map(({ title, answers: _, faults, ...figures }) => {
    const rounded = Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, Math.round(value)]));
    return [title, { ...rounded, verdict: faults.length ? `BROKEN: ${faults.join(', ')}` : 'kept' }];
  });
  console.table(Object.fromEntries(lines));
}
