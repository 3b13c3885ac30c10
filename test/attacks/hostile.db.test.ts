/** The server refuses hostile requests early and drops connections that hold resources. For the effect on other users: `npm run
 *  attacks`. */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { ExecutionContext } from 'ava';
import { fileDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { openSocket, parseAnswer, rawBytes, readToEnd } from '../support/rawHttp.ts';
import { suite } from '../support/suite.ts';
import { oneWorkspace, spawnWeb, type WorldRefs, world } from '../support/world.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let web: Awaited<ReturnType<typeof spawnWeb>>;
let port: number;
let refs: WorldRefs;
const longReaders = ['reader1', 'reader2', 'reader3', 'reader4'];
test.before('a web process, and items of maximum length', async () => {
  const items = Array.from({ length: 100 }, (_, n) => ({ type: 'task' as const, title: `Long ${n}`, description: 'x'.repeat(50_000) }));
  const restKeys = longReaders.map((ref) => ({ ref, user: 'ana', name: 'Reader', grants: ['workspaces:read', 'tasks:read'] as never }));
  refs = await world(database.url, oneWorkspace({ items }, { restKeys }));
  web = await spawnWeb(database.url);
  port = Number(new URL(web.baseUrl).port);
});
test.after('stop', () => web?.stop());

const key = () => ({ 'X-API-Key': refs.key('k1'), 'Content-Type': 'application/json' });
const agent = () => ({ Authorization: `Bearer ${refs.key('c1')}`, 'Content-Type': 'application/json' });
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const faces = () => [['/api/v1/items/save', key()] as const, ['/mcp', agent()] as const, ['/sign-in', form] as const];
const post = (path: string, headers: Record<string, string>, body: string | Buffer) =>
  fetch(web.baseUrl + path, { method: 'POST', headers, body: body as string, redirect: 'manual' });

test('a compressed body is refused, or unpacked up to the limit of a plain one', async (t) => {
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, 0x61));
  for (const [path, headers] of faces()) {
    const answer = await post(path, { ...headers, 'Content-Encoding': 'gzip' }, bomb);
    t.is(answer.status, 400, path);
  }
});

test('a body with too many values is refused before it is parsed', async (t) => {
  const many = `{"record":[${'0,'.repeat(25_000)}0]}`;
  for (const [path, headers] of faces().slice(0, 2)) {
    const answer = await post(path, headers, many);
    t.is(answer.status, 400, path);
    t.regex(await answer.text(), /more than 20000 values/);
  }
});

/** A socket that is destroyed after the test. */
async function socketFor(t: ExecutionContext): Promise<Socket> {
  const socket = openSocket(port);
  socket.on('error', () => {});
  t.teardown(() => socket.destroy());
  await once(socket, 'connect');
  return socket;
}

test('a body without a length is read up to the limit', async (t) => {
  const piece = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(0x10000, 0x20), Buffer.from('\r\n')]);
  for (const [path, headers] of faces()) {
    const socket = await socketFor(t);
    // A reset may lose the answer.
    const answer = readToEnd(socket).catch(() => '');
    socket.write(
      rawBytes({
        method: 'POST',
        host: `localhost:${port}`,
        target: `/stint${path}`,
        headers: Object.entries({ ...headers, 'Transfer-Encoding': 'chunked' }),
      }),
    );
    let sent = 0;
    while (!socket.destroyed && sent < 1_600) {
      sent++;
      if (!socket.write(piece)) await Promise.race([once(socket, 'drain').catch(() => {}), answer]);
    }
    t.true(sent < 1_600, `${path} took all of it`);
    const text = await answer;
    if (text) t.is(parseAnswer(text).status, 400, path);
  }
});

test('a connection that pipelines too many requests is closed; a few are answered in order', async (t) => {
  const get = (path: string) => `GET /stint${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
  const few = await socketFor(t);
  few.write(get('/healthz') + get('/readyz') + get('/healthz').replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
  t.deepEqual((await readToEnd(few)).match(/(?<=HTTP\/1\.1 )\d+/g), ['200', '200', '200']);
  const many = await socketFor(t);
  const closed = once(many, 'close');
  many.write(get('/readyz').repeat(50));
  many.resume();
  await closed;
  t.is((await fetch(`${web.baseUrl}/healthz`)).status, 200);
});

/** Requests 5 MB with that key and reads nothing. */
async function stalled(t: ExecutionContext, ref: string): Promise<Socket> {
  const socket = await socketFor(t);
  const path = `/stint/api/v1/items?workspaceId=${refs.id('apollo')}&limit=100`;
  socket.pause().write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-API-Key: ${refs.key(ref)}\r\n\r\n`);
  return socket;
}
const small = (ref: string) => fetch(`${web.baseUrl}/api/v1/workspaces`, { headers: { 'X-API-Key': refs.key(ref) } });

test("a key that reads no answers waits for its next one; other keys don't", async (t) => {
  const sockets = await Promise.all(Array.from({ length: 8 }, () => stalled(t, 'reader1')));
  await answersBegun(5);
  const waiting = small('reader1').then(({ status }) => status);
  t.is((await small('reader2')).status, 200);
  t.is(await waiting, 503);
  for (const socket of sockets) socket.destroy();
  await sleep(200);
  t.is((await small('reader1')).status, 200);
});

test('a client that disconnects before a long answer is ready frees its slot', async (t) => {
  for (let round = 0; round < 3; round++) {
    const before = await longAnswers();
    const sockets = await Promise.all(Array.from({ length: 8 }, () => stalled(t, 'reader3')));
    await sleep(20 * round);
    for (const socket of sockets) socket.destroy();
    await answersBegun(before + sockets.length);
  }
  t.is((await small('reader3')).status, 200);
});

test('unread answers are dropped, and other clients are served', async (t) => {
  const before = await longAnswers();
  const sockets = await Promise.all(longReaders.flatMap((ref) => Array.from({ length: 4 }, () => stalled(t, ref))));
  await answersBegun(before + sockets.length);
  // Long enough for a second check of the unread answers.
  await sleep(2_000);
  t.is((await fetch(`${web.baseUrl}/readyz`)).status, 200);
  // A paused socket sees its end when it is read again: a dropped client gets a truncated answer.
  const taken = await Promise.all(
    sockets.map(async (socket) => {
      let bytes = 0;
      socket.on('data', (data) => {
        bytes += data.length;
      });
      await once(socket.resume(), 'close').catch(() => {});
      return bytes > 5_000_000;
    }),
  );
  t.true(taken.includes(false), 'all answers were kept');
  t.true(taken.includes(true), 'no answer was kept');
});

const isLongAnswer = (line: string) => line.includes('"operation":"listItems"');
const longAnswers = async () => web.process.lines.filter(isLongAnswer).length;

/** Resolves when so many answers have started. */
const answersBegun = (count: number) => eventually(longAnswers, (begun) => begun >= count, 20_000);
