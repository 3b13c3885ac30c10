/** 1,900 open pages of 1,900 members of one workspace on one web process: memory, and delay of events after saves. Each stream is a bare
 *  socket. */
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { draftOf } from '../support/restWorld.ts';
import type { Bench } from './bench.ts';
import { atLeast, atMost, type Goal, median, percentile, residentMegabytes, round } from './measure.ts';
import { ask, keyOf, makePlace, type Place, post } from './places.ts';

/** Connections opened at once. */
const AT_ONCE = 50;
const BETWEEN_MS = 500;

interface Ear {
  socket: Socket;
  /** For each change event: the item and the arrival time. */
  heard: [item: number, at: number][];
}

export async function live(bench: Bench): Promise<Goal[]> {
  const [streams, saves] = bench.quick ? [100, 5] : [1_900, 60];
  let cookies: string[] = [];
  const place = await makePlace(bench, 1_000, async (client, { accountId, workspaceId }) => {
    const { rows } = await client.query(
      `with people as (
         insert into users (account_id, email, name) select $1, 'live' || n || '@bench.example', 'Person ' || n from generate_series(1, $3) n returning id),
       members as (
         insert into memberships (account_id, workspace_id, user_id, role) select $1, $2, id, case when id % 3 = 0 then 'viewer' else 'member' end from people)
       insert into sessions (account_id, user_id, token_hash, expires_at)
       select $1, id, sha256(('live' || id)::bytea), now() + interval '1 hour' from people returning 'live' || user_id as cookie`,
      [accountId, workspaceId, streams],
    );
    cookies = rows.map(({ cookie }) => cookie);
  });
  await bench.worker(place.url);
  for (let n = 0; n < 200; n++) await save(place);
  const ears: Ear[] = [];
  bench.later(() => ears.map(({ socket }) => socket.destroy()));
  for (let n = 0; n < streams; n += AT_ONCE)
    ears.push(...(await Promise.all(cookies.slice(n, n + AT_ONCE).map((cookie) => listen(place.web.port, cookie)))));
  // At least one heartbeat each.
  await sleep(bench.quick ? 1_000 : 25_000);
  const saved = new Map<number, number>();
  for (let n = 0; n < saves; n++) {
    saved.set(await save(place), performance.now());
    await sleep(BETWEEN_MS);
  }
  await sleep(2_000);
  const delays = ears.flatMap(({ heard }) => heard.flatMap(([item, at]) => (saved.has(item) ? at - saved.get(item)! : [])));
  console.log(`${streams} streams, ${saves} saves: events after ${round(median(delays))} ms (median)`);
  return [
    atMost('memory of the web process, MB', residentMegabytes(place.web.pid), 200),
    atLeast('events that arrived, of those that should', delays.length / (streams * saves), 1),
    atMost('from the answer to a save to the event, 99th percentile, ms', percentile(delays, 0.99), 1_500),
  ];
}

function listen(port: number, cookie: string): Promise<Ear> {
  return new Promise((resolve, reject) => {
    const ear: Ear = { socket: connect(port, '127.0.0.1'), heard: [] };
    const { socket, heard } = ear;
    socket.setEncoding('latin1').on('error', reject);
    const headers = [`Host: localhost:${port}`, `Cookie: JSESSIONID=${cookie}`, 'User-Agent: Mozilla/5.0', 'Accept: text/event-stream'];
    socket.write(`GET /live HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`);
    socket.on('data', (text: unknown) => {
      const at = performance.now();
      for (const [, items] of String(text).matchAll(/event: changes\ndata: \{"workspace":\d+,"items":\[([\d,]*)\]/g))
        for (const item of items!.split(',')) heard.push([Number(item), at]);
      if (/event: hello/.test(String(text))) resolve(ear);
      else if (!/^HTTP\/1.1 200|event: /.test(String(text))) reject(new Error(String(text).slice(0, 300)));
    });
  });
}

/** Resolves to the id of a new item. */
async function save({ web, bulk }: Place): Promise<number> {
  const given = { workspaceId: bulk.workspaceId, record: draftOf('task') };
  const answer = await ask(web, post('/api/v1/items/save', keyOf(bulk), given));
  if (answer.status !== 200) throw new Error(`A save answered ${answer.status}: ${await answer.text()}`);
  return ((await answer.json()) as { id: number }).id;
}
