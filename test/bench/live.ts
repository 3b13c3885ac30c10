/** `npm run bench -- live`: 2,000 open pages of 2,000 members of one workspace on one web process. Measures memory, delay of events after
 *  saves, and processor time. Each stream is a bare socket. */
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { makeBulk } from '../support/bulk.ts';
import { spawnNode } from '../support/processes.ts';
import { draftOf } from '../support/restWorld.ts';
import { cpuOfChildren, cpuSeconds, type Goal, median, percentile, printGoals, residentMegabytes } from './measure.ts';
import { benchDatabase, settingsOf, startWebProcess } from './servers.ts';

const STREAMS = 2_000;
/** Connections opened at once. */
const AT_ONCE = 50;
const SAVES = 60;
const BETWEEN_MS = 500;
/** Time for at least one heartbeat each. */
const QUIET_MS = 25_000;

interface Ear {
  socket: Socket;
  /** For each change event: the item and the arrival time. */
  heard: [item: number, at: number][];
}

export async function live(adminUrl: string, postmaster: number): Promise<void> {
  const url = await benchDatabase(adminUrl, 'bench_live');
  const bulk = await makeBulk(url, 1_000);
  const cookies = await people(url, bulk.accountId, bulk.workspaceId);
  const web = await startWebProcess(url);
  const worker = spawnNode(['workers/index.ts'], { env: { ...settingsOf(url), LOG_LEVEL: 'info' } });
  await worker.log({ msg: 'listening' });
  try {
    const save = () => saveOne(web.port, bulk.key, bulk.workspaceId);
    for (let n = 0; n < 200; n++) await save();
    const empty = residentMegabytes(web.pid);
    const ears: Ear[] = [];
    for (let n = 0; n < STREAMS; n += AT_ONCE)
      ears.push(...(await Promise.all(cookies.slice(n, n + AT_ONCE).map((cookie) => open(web.port, cookie)))));
    await sleep(QUIET_MS);
    const open2000 = residentMegabytes(web.pid);
    const used = () => [web.pid, worker.pid].map(cpuSeconds).concat(cpuOfChildren(postmaster));
    const before = used();
    const since = performance.now();
    const saved = new Map<number, number>();
    for (let n = 0; n < SAVES; n++) {
      saved.set(await save(), performance.now());
      await sleep(BETWEEN_MS);
    }
    await sleep(2_000);
    const seconds = (performance.now() - since) / 1_000;
    const after = residentMegabytes(web.pid);
    const cpu = used().map((now, n) => ((now - before[n]!) / seconds) * 100);
    const delays = ears.flatMap(({ heard }) => heard.flatMap(([item, at]) => (saved.has(item) ? at - saved.get(item)! : [])));
    for (const { socket } of ears) socket.destroy();
    console.log(`\n${STREAMS} streams, ${SAVES} saves in ${seconds.toFixed(0)} s`);
    console.table({
      'memory without streams, MB': Math.round(empty),
      'memory with all of them, MB': Math.round(open2000),
      'memory after the saves, MB': Math.round(after),
      'kB for each': Math.round(((open2000 - empty) * 1024) / STREAMS),
      'CPU of web, %': Math.round(cpu[0]!),
      'CPU of the worker, %': Math.round(cpu[1]!),
      'CPU of PostgreSQL, %': Math.round(cpu[2]!),
      'median, ms': Math.round(median(delays)),
    });
    printGoals(goals(delays, Math.max(open2000, after)));
  } finally {
    worker.kill('SIGKILL');
    await web.stop();
  }
}

const goals = (delays: number[], memory: number): Goal[] => [
  { text: 'memory of the web process, MB', value: memory, want: 'at most', bound: 200 },
  { text: 'events that arrived, of those that should', value: delays.length / (STREAMS * SAVES), want: 'at least', bound: 1 },
  { text: 'from the answer to a save to the event, 99th percentile, ms', value: percentile(delays, 0.99), want: 'at most', bound: 1_500 },
];

/** Members of the workspace with a session cookie each. */
async function people(url: string, accountId: number, workspaceId: number): Promise<string[]> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query(
    `with people as (
       insert into users (account_id, email, name) select $1, 'live' || n || '@bench.example', 'Person ' || n from generate_series(1, $3) n returning id
     ), members as (
       insert into memberships (account_id, workspace_id, user_id, role) select $1, $2, id, case when id % 3 = 0 then 'viewer' else 'member' end from people
     )
     insert into sessions (account_id, user_id, token_hash, expires_at)
     select $1, id, sha256(('live' || id)::bytea), now() + interval '1 hour' from people returning 'live' || user_id as cookie`,
    [accountId, workspaceId, STREAMS],
  );
  await client.query('vacuum analyze');
  await client.end();
  return rows.map(({ cookie }) => cookie);
}

function open(port: number, cookie: string): Promise<Ear> {
  return new Promise((resolve, reject) => {
    const ear: Ear = { socket: connect(port, '127.0.0.1'), heard: [] };
    const { socket, heard } = ear;
    socket.setEncoding('latin1').on('error', reject);
    socket.write(
      `GET /live HTTP/1.1\r\nHost: localhost:${port}\r\nCookie: JSESSIONID=${cookie}\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64)\r\nAccept: text/event-stream\r\n\r\n`,
    );
    socket.on('data', (text: unknown) => {
      const at = performance.now();
      for (const [, items] of String(text).matchAll(/event: changes\ndata: \{"workspace":\d+,"items":\[([\d,]*)\]/g))
        for (const item of items!.split(',')) heard.push([Number(item), at]);
      if (/event: hello/.test(String(text))) resolve(ear);
      else if (!/^HTTP\/1.1 200|event: /.test(String(text))) reject(new Error(String(text).slice(0, 300)));
    });
  });
}

async function saveOne(port: number, key: string, workspaceId: number): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/items/save`, {
    method: 'POST',
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ workspaceId, record: draftOf('task') }),
  });
  if (answer.status !== 200) throw new Error(`A save answered ${answer.status}: ${await answer.text()}`);
  return ((await answer.json()) as { id: number }).id;
}
