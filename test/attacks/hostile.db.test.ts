/** What hostile clients send is refused early, and what they hold open is given up. How it feels to others meanwhile: `npm run attacks`. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import test, { type ExecutionContext } from 'ava';
import { fileDatabase } from '../support/database.ts';
import { parseAnswer, rawBytes } from '../support/rawHttp.ts';
import { oneWorkspace, spawnWeb, type WorldRefs, world } from '../support/world.ts';

const database = fileDatabase();
let web: Awaited<ReturnType<typeof spawnWeb>>;
let port: number;
let refs: WorldRefs;
test.before('a web process of its own, and items as long as they can be', async () => {
  const items = Array.from({ length: 100 }, (_, n) => ({ type: 'task' as const, title: `Long ${n}`, description: 'x'.repeat(50_000) }));
  refs = await world(database.url, oneWorkspace({ items }));
  web = await spawnWeb(database.url);
  port = Number(new URL(web.baseUrl).port);
});
test.after.always('stop it', () => web?.stop());

const key = () => ({ 'X-API-Key': refs.key('k1'), 'Content-Type': 'application/json' });
const agent = () => ({ Authorization: `Bearer ${refs.key('c1')}`, 'Content-Type': 'application/json' });
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const faces = () => [['/api/v1/items/save', key()] as const, ['/mcp', agent()] as const, ['/sign-in', form] as const];
const post = (path: string, headers: Record<string, string>, body: string | Buffer) =>
  fetch(web.baseUrl + path, { method: 'POST', headers, body: body as string, redirect: 'manual' });

test('a compressed body is refused, or unpacked no further than a plain one may be long', async (t) => {
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, 0x61));
  for (const [path, headers] of faces()) {
    const answer = await post(path, { ...headers, 'Content-Encoding': 'gzip' }, bomb);
    t.is(answer.status, 400, path);
  }
});

test('a body of very many values is refused before anything is built of it', async (t) => {
  const many = `{"record":[${'0,'.repeat(25_000)}0]}`;
  for (const [path, headers] of faces().slice(0, 2)) {
    const answer = await post(path, headers, many);
    t.is(answer.status, 400, path);
    t.regex(await answer.text(), /more than 20000 values/);
  }
});

/** A socket that is destroyed after the test. */
async function socketFor(t: ExecutionContext): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.on('error', () => {});
  t.teardown(() => socket.destroy());
  await once(socket, 'connect');
  return socket;
}

test('a body without a length is read as far as it may go, and no further', async (t) => {
  const piece = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(0x10000, 0x20), Buffer.from('\r\n')]);
  for (const [path, headers] of faces()) {
    const socket = await socketFor(t);
    let heard = '';
    const answered = new Promise<void>((resolve) => {
      socket.on('data', (data) => {
        heard += data;
        resolve();
      });
      socket.on('close', () => resolve());
    });
    socket.write(
      rawBytes({ method: 'POST', target: `/stint${path}`, headers: Object.entries({ ...headers, 'Transfer-Encoding': 'chunked' }) }),
    );
    let sent = 0;
    while (!heard && !socket.destroyed && sent < 1_600) {
      sent++;
      if (!socket.write(piece)) await Promise.race([once(socket, 'drain').catch(() => {}), answered]);
    }
    await answered;
    t.true(sent < 1_600, `${path} took all of it`);
    if (heard) t.is(parseAnswer(heard).status, 400, path);
  }
});

test('whoever asks for more and more in one breath is hung up on; a few requests are answered in order', async (t) => {
  const get = (path: string) => `GET /stint${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
  const few = await socketFor(t);
  let heard = '';
  few.on('data', (data) => {
    heard += data;
  });
  few.write(get('/healthz') + get('/readyz') + get('/healthz').replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
  await once(few, 'close');
  t.deepEqual(heard.match(/(?<=HTTP\/1\.1 )\d+/g), ['200', '200', '200']);
  const many = await socketFor(t);
  const closed = once(many, 'close');
  many.write(get('/readyz').repeat(50));
  many.resume();
  await closed;
  t.is((await fetch(`${web.baseUrl}/healthz`)).status, 200);
});

test('answers that nobody reads are given up, the rest of the world is answered', async (t) => {
  const request = `GET /stint/api/v1/items?workspaceId=${refs.id('apollo')}&limit=100 HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${refs.key('k1')}\r\n\r\n`;
  const sockets = await Promise.all(Array.from({ length: 16 }, () => socketFor(t)));
  const closed = sockets.map((socket) => once(socket, 'close'));
  for (const socket of sockets) socket.pause().write(request);
  // A paused socket learns of its end when it is read again: whoever is given up finds the answer cut short.
  const whole = async (socket: Socket) => {
    let bytes = 0;
    socket.on('data', (data) => {
      bytes += data.length;
      if (bytes > 5_000_000) socket.destroy();
    });
    socket.resume();
    await once(socket, 'close').catch(() => {});
    return bytes > 5_000_000;
  };
  const answered = () => web.process.lines.filter((line) => line.includes('"operation":"listItems"')).length;
  for (const end = Date.now() + 60_000; answered() < sockets.length && Date.now() < end; )
    await new Promise((resolve) => setTimeout(resolve, 100));
  // Long enough for a second look at them.
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  t.is((await fetch(`${web.baseUrl}/readyz`)).status, 200);
  const taken = await Promise.all(sockets.map(whole));
  await Promise.all(closed);
  t.true(taken.includes(false), 'all answers were kept');
  t.true(taken.includes(true), 'no answer was kept');
});
