/** What the bodies of all requests may hold in memory (behaviour §13.4, §13.9). */
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { readBody } from '../../src/http/readBody.ts';
import { AppError } from '../../src/values/errors.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const KIB = 1024;
const MIB = 1024 * KIB;
let server: Server;
/** Bytes that the server has received of a body. */
const received = new Map<string, number>();

/** Reads a body and answers its length, or the refusal. The path is the name of the request, after its person's id. */
async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const [, person, name = ''] = req.url!.split('/');
  req.on('data', (chunk: Buffer) => received.set(name, (received.get(name) ?? 0) + chunk.length));
  const limits = { maxBytes: 8 * MIB, tooLong: () => new Error('too long'), personId: Number(person) || undefined };
  const text = await readBody({ req, res }, limits).then(
    ({ length }) => String(length),
    (error: Error) => error.message,
  );
  res.writeHead(200, { Connection: 'close' }).end(text);
}

test.before(async () => {
  server = createServer((req, res) => void answer(req, res)).listen(0);
});
test.after(() => {
  server.closeAllConnections();
  server.close();
});

interface Open {
  answered: Promise<string>;
  /** Sends the last byte. */
  end(): Promise<string>;
}

let count = 0;

/** Sends all bytes but the last, and waits until the server has them or refuses the request. */
async function open(bytes: number, person: number | '' = ''): Promise<Open> {
  const name = String(count++);
  const { port } = server.address() as AddressInfo;
  const sending = request({ port, method: 'POST', path: `/${person}/${name}`, agent: false, headers: { 'Content-Length': bytes } });
  let isAnswered = false;
  const answered = new Promise<string>((resolve, reject) => {
    sending.on('response', async (response) => {
      const text = (await response.toArray()).join('');
      isAnswered = true;
      resolve(text);
    });
    sending.on('error', reject);
  });
  answered.catch(() => {});
  sending.write(Buffer.alloc(bytes - 1));
  while (!isAnswered && (received.get(name) ?? 0) < bytes - 1) await nextTurn();
  return {
    answered,
    end: () => {
      sending.end(Buffer.alloc(1));
      return answered;
    },
  };
}

const endAll = (all: Open[]) => Promise.all(all.map((one) => one.end()));

test('a person sends at most 4 bodies over 64 KiB at once; others and short ones are read', async (t) => {
  const held = await Promise.all(Array.from({ length: 4 }, () => open(100 * KIB, 1)));
  t.regex(await (await open(100 * KIB, 1)).answered, /You are sending too many large forms at once/);
  t.is(await (await open(64 * KIB, 1)).end(), String(64 * KIB));
  t.is(await (await open(100 * KIB, 2)).end(), String(100 * KIB));
  t.deepEqual(await endAll(held), Array(4).fill(String(100 * KIB)));
  t.is(await (await open(100 * KIB, 1)).end(), String(100 * KIB));
});

test('above 40 MiB held by all, only short bodies are read, and above 60 MiB only tiny ones', async (t) => {
  const long = [];
  for (let n = 0; n < 5; n++) long.push(await open(8 * MIB));
  // The last bytes are missing.
  long.push(await open(1 * KIB));
  const busy = /The server is busy with large requests/;
  t.regex(await (await open(65 * KIB)).answered, busy);
  t.is(await (await open(64 * KIB)).end(), String(64 * KIB));
  const short = await Promise.all(Array.from({ length: 319 }, () => open(64 * KIB)));
  for (let n = 0; n < 17; n++) short.push(await open(4 * KIB));
  t.regex(await (await open(5 * KIB)).answered, busy);
  t.is(await (await open(4 * KIB)).end(), String(4 * KIB));
  await Promise.all([endAll(long), endAll(short)]);
  t.is(await (await open(8 * MIB)).end(), String(8 * MIB));
});

test('a refused, broken or answered request holds nothing', async (t) => {
  const all = await Promise.all(Array.from({ length: 5 }, () => open(8 * MIB)));
  await endAll(all);
  t.is(await (await open(9 * MIB)).answered, 'too long');
  const errors: unknown[] = [];
  const early = createServer((req, res) => {
    readBody({ req, res }, { maxBytes: 50 * MIB, tooLong: () => new Error('too long') }).catch((error) => errors.push(error));
    // As if the time for an answer had ended.
    req.on('data', () => res.writableEnded || res.end('late'));
  }).listen(0);
  const { port } = early.address() as AddressInfo;
  const sending = request({ port, method: 'POST', agent: false, headers: { 'Content-Length': 100 } });
  sending.write('x');
  await new Promise((resolve) => sending.on('response', (response) => response.resume().on('end', resolve)));
  while (errors.length === 0) await nextTurn();
  t.true(errors[0] instanceof AppError);
  sending.destroy();
  early.closeAllConnections();
  early.close();
  const again = await Promise.all(Array.from({ length: 5 }, () => open(8 * MIB - 1)));
  t.deepEqual(await endAll(again), Array(5).fill(String(8 * MIB - 1)));
});
