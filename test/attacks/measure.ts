/** One attack and its effect: another user's answers, event loop lag, memory of the process. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Caller, load } from '../bench/load.ts';
import { forgetMostMegabytes, mostMegabytes, percentile, residentMegabytes, round } from '../bench/measure.ts';
import { get, post } from '../bench/places.ts';
import { scrape } from '../chaos/scrape.ts';
import { spawnNode } from '../support/processes.ts';
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
const limits = { p99: 1_000, lag: 250, growth: 100 };

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

/** The longest turn that the process has printed after so many lines. */
const longestTurn = ({ process: { lines } }: Web, from: number): number =>
  Math.max(0, ...lines.slice(from).map((line) => Number(/^turn (\d+)$/.exec(line)?.[1] ?? 0)));

/** Exercises everything once before memory is counted: reads, writes, password checks, long notes. */
async function warmUp(stage: Stage, web: Web): Promise<void> {
  await work(stage, web, WARM_UP);
  const [own, tally] = [{ port: portOf(web) }, new Tally()];
  for (let n = 0; n < 24; n++) {
    const html = `<p>${'note '.repeat(20_000)}</p>`;
    const note = callTool({ agentKey: stage.refs.key('c1') }, 'svc_personal_notes_create', { requestId: randomUUID(), html });
    const entry = { ...signIn, body: `email=nobody${n}%40x.example&password=guess` };
    await Promise.all([send(own, note, tally), send(own, entry, tally)]);
  }
}

/** `name` null: no attack. `quiet`: the median of a run without an attack. Times are in ms; `growth` is the peak of memory above the start,
 *  in MB. */
export async function measure(stage: Stage, name: string | null, quiet = 0) {
  const attack = name ? attacks[name]! : null;
  const web = await stage.startWeb();
  try {
    await warmUp(stage, web);
    const before = residentMegabytes(web.process.pid);
    forgetMostMegabytes(web.process.pid);
    const target = JSON.stringify({ ...stage.target, port: portOf(web) });
    const attacker = name ? spawnNode(['test/attacks/attacker.ts', name, target]) : null;
    await attacker?.line(/attacking/);
    // First runs include compilation, so wait for it.
    if (attack?.mostTurnMs) await sleep(COMPILED_AFTER_MS);
    await lagOf(web);
    const printed = web.process.lines.length;
    const seconds = attack?.seconds ?? QUIET_SECONDS;
    const { times, requests, statuses } = await work(stage, web, { seconds, perSecond: CALLS_PER_SECOND });
    const [lag, turn, growth] = [await lagOf(web), longestTurn(web, printed), mostMegabytes(web.process.pid) - before];
    attacker?.kill('SIGTERM');
    const answers: Record<string, number> = JSON.parse((await attacker?.line(/^\{/, 10_000).catch(() => '{}')) ?? '{}');
    attacker?.kill('SIGKILL');
    const refused = requests - (statuses[200] ?? 0);
    const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)];
    const tooMuch = {
      [`${refused} refused`]: refused > 0,
      [`p50 over ${Math.round(quiet * SLOWER)}`]: attack?.judgesMedian && p50 >= quiet * SLOWER,
      p99: p99 >= limits.p99,
      lag: !(lag < limits.lag),
      [`turn over ${attack?.mostTurnMs}`]: attack?.mostTurnMs && turn > attack.mostTurnMs,
      memory: growth >= limits.growth,
    };
    const faults = Object.keys(tooMuch).filter((what) => tooMuch[what]);
    const figures = { p50: round(p50), p99: round(p99), lag: round(lag), turn, growth: round(growth) };
    return {
      title: attack?.title ?? 'No attack',
      answers,
      ...figures,
      verdict: faults.length ? `BROKEN: ${faults.join(', ')}` : 'kept',
    };
  } finally {
    web.process.kill('SIGKILL');
    await web.process.exit();
  }
}

export function printTable(rows: Row[]): void {
  console.log(`\nPromised: p99 < ${limits.p99} ms, lag < ${limits.lag} ms, < ${limits.growth} MB more`);
  console.table(Object.fromEntries(rows.map(({ title, answers: _, ...figures }) => [title, figures])));
}
