/** The longest turns of the event loop that the largest requests and jobs cause in a web process and a worker (behaviour §13.15). */
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../support/eventually.ts';
import type { Spawned } from '../../support/processes.ts';
import { largest } from '../measure.ts';
import { formsOf } from '../requests.ts';
import type { Stage } from '../stage.ts';
import { fillPlace, type Place } from './place.ts';
import { type Asked, jobs, turns } from './rows.ts';

const MOST_TURN_MS = 50;
/** What `loopMs` takes on the machine on which the limit was set. */
const USUAL_LOOP_MS = 90;
/** The first run includes compilation. Garbage is not collected in each. */
const REPEATED = 4;
/** Until a printed line has arrived. */
const HEARD_MS = 8;
const LONGEST_JOB_MS = 60_000;

/** Processor time of a fixed loop. */
function loopMs(): number {
  const once = () => {
    const before = process.threadCpuUsage();
    let text = '';
    for (let n = 0; n < 300_000; n++) text = JSON.stringify({ n, text: text.slice(0, 50) });
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1_000;
  };
  return Math.min(once(), once(), once());
}

interface Measured {
  title: string;
  /** Of each repetition, in ms. */
  turns: number[];
  answers: string[];
}

/** Runs it and returns the longest turn of the process meanwhile; turns up to 20 ms count as 0. */
async function longestTurn(process: Spawned, work: () => Promise<unknown>): Promise<number> {
  await sleep(HEARD_MS);
  const from = process.lines.length;
  await work();
  await sleep(HEARD_MS);
  return largest('turn', process, from);
}

/** What the service says, shortly. */
async function answerOf(answer: Response): Promise<string> {
  const text = await answer.text();
  const refused = /"isError":true/.test(text) || answer.status >= 400;
  const why =
    /class="error"[^>]*>(?:<svg.*?<\/svg>)?(.{0,160})/s.exec(text)?.[1] ?? /"(?:message|error)\W+(.{0,160})/.exec(text)?.[1] ?? '';
  return refused ? `${answer.status} ${why.replace(/<[^>]*>/g, ' ')}` : `${answer.status}`;
}

/** Sends it with its key, or in a new session of the attacker: some requests end sessions. */
async function send(stage: Stage, { baseUrl }: { baseUrl: string }, userId: number, asked: Asked): Promise<() => Promise<string>> {
  const url = baseUrl + asked.path;
  const { method } = asked;
  const fetched = (headers: Record<string, string>, body?: string | FormData) => async () =>
    answerOf(await fetch(url, { method, headers, redirect: 'manual', ...(body !== undefined && { body }) }));
  if (asked.headers) return fetched(asked.headers, asked.body);
  const { headers, csrf } = await formsOf({
    ...stage.target,
    port: Number(new URL(baseUrl).port),
    cookie: `JSESSIONID=${await stage.fixtures.session(userId)}`,
  });
  const { 'Content-Type': _, ...signedIn } = headers;
  if (method === 'GET') return fetched(signedIn);
  if (asked.form) return fetched(headers, new URLSearchParams([...asked.form, ['_csrf', csrf]]).toString());
  const form = new FormData();
  form.append('_csrf', csrf);
  form.append('file', new File([new Uint8Array(asked.file!.bytes())], asked.file!.name));
  return fetched(signedIn, form);
}

export async function measureTurns(stage: Stage, only = ''): Promise<boolean> {
  const scale = Math.max(1, loopMs() / USUAL_LOOP_MS);
  const place = await fillPlace(stage);
  const measured: Measured[] = [];
  const wanted = (title: string) => title.includes(only);
  const web = await stage.startWeb({ RATE_LIMIT_REST: '1000000', RATE_LIMIT_MCP: '1000000', RATE_LIMIT_PAGES: '1000000' });
  const worker = await stage.startWorker();
  try {
    for (const { title, request } of turns.filter((one) => wanted(one.title))) {
      const row: Measured = { title, turns: [], answers: [] };
      for (let n = 0; n < REPEATED; n++) {
        const sending = await send(stage, web, place.userId, request(await place.ids(), n, stage.target));
        row.turns.push(
          await longestTurn(web.process, async () => {
            row.answers.push(await sending().catch((error) => String(error.cause ?? error)));
          }),
        );
      }
      measured.push(row);
    }
    for (const job of jobs.filter(({ name }) => wanted(`job ${name}`))) measured.push(await measureJob(stage, worker, place, job));
  } finally {
    for (const one of [web.process, worker]) {
      one.kill('SIGKILL');
      await one.exit();
    }
  }
  return tell(measured, MOST_TURN_MS * scale, scale);
}

async function measureJob({ fixtures }: Stage, worker: Spawned, place: Place, { name, payload }: (typeof jobs)[number]): Promise<Measured> {
  const row: Measured = { title: `job ${name}`, turns: [], answers: [] };
  for (let n = 0; n < REPEATED; n++) {
    const given = payload(await place.ids(), n);
    row.turns.push(
      await longestTurn(worker, async () => {
        const [{ id }] = await fixtures.sql('select (graphile_worker.add_job($1, $2::json, max_attempts => 1)).id', [
          name,
          JSON.stringify(given),
        ]);
        const left = async () => (await fixtures.sql('select last_error, attempts from graphile_worker.jobs where id = $1', [id]))[0];
        const ended = await eventually(left, (job) => !job || job.last_error, LONGEST_JOB_MS);
        row.answers.push(ended ? `failed: ${String(ended.last_error).slice(0, 100)}` : 'ended');
      }),
    );
  }
  return row;
}

function tell(measured: Measured[], most: number, scale: number): boolean {
  const rows = measured.map(({ title, turns: all, answers }) => ({
    title,
    turn: Math.min(...all.slice(1)),
    all: all.join(' '),
    answer: answers[1]!,
  }));
  rows.sort((a, b) => b.turn - a.turn);
  if (process.env.ANSWERS) for (const { title, all, answer } of rows) console.log(`${title} | ${all} | ${answer}`);
  const broken = rows.filter(({ turn }) => turn > most);
  console.log(
    `\nLongest turns of ${rows.length} largest requests and jobs, at most ${Math.round(most)} ms promised (this machine: ${scale.toFixed(2)})`,
  );
  console.table(rows.slice(0, Math.max(20, broken.length)));
  if (broken.length) console.log(`BROKEN: ${broken.map(({ title }) => title).join(', ')}`);
  return broken.length === 0;
}
