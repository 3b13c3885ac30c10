/** Resolving webhook host names with name servers on this machine. */
import { createSocket, type Socket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { ExecutionContext } from 'ava';
import { resolveName } from '../../src/webhooks/send.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const A = 1;
const AAAA = 28;
const NO_SUCH_NAME = 3;
const BROKEN = 2;

/** Answers each question type from `answers`: addresses as bytes, or a failure. */
async function nameServer(t: ExecutionContext, answers?: (type: number) => Buffer[] | number): Promise<string> {
  const socket: Socket = createSocket('udp4');
  socket.on('message', (asked, from) => {
    if (answers) socket.send(answered(asked, answers), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  t.teardown(() => socket.close());
  return `127.0.0.1:${socket.address().port}`;
}

function answered(asked: Buffer, answers: (type: number) => Buffer[] | number): Buffer {
  const end = asked.indexOf(0, 12) + 5;
  const said = answers(asked.readUInt16BE(end - 4));
  const records = typeof said === 'number' ? [] : said;
  const head = Buffer.alloc(12);
  asked.copy(head, 0, 0, 2);
  head.writeUInt16BE(0x8180 | (typeof said === 'number' ? said : 0), 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(records.length, 6);
  const record = (data: Buffer) =>
    Buffer.concat([Buffer.from([0xc0, 12, 0, data.length === 4 ? A : AAAA, 0, 1, 0, 0, 0, 60, 0, data.length]), data]);
  return Buffer.concat([head, asked.subarray(12, end), ...records.map(record)]);
}

const v4 = Buffer.from([192, 0, 2, 1]);
const v6 = Buffer.from('20010db8000000000000000000000001', 'hex');

test('a name has the addresses of both kinds that its name server returns', async (t) => {
  const both = await nameServer(t, (type) => [type === A ? v4 : v6]);
  t.deepEqual(await resolveName('hook.example', [both]), [
    { address: '192.0.2.1', family: 4 },
    { address: '2001:db8::1', family: 6 },
  ]);
  const one = await nameServer(t, (type) => (type === A ? [v4] : BROKEN));
  t.deepEqual(await resolveName('hook.example', [one]), [{ address: '192.0.2.1', family: 4 }]);
});

test('a name without an address is distinguished from a failing name server', async (t) => {
  const none = await nameServer(t, (type) => (type === A ? [] : NO_SUCH_NAME));
  await t.throwsAsync(resolveName('hook.example', [none]), { code: 'ENOTFOUND' });
  const broken = await nameServer(t, () => BROKEN);
  await t.throwsAsync(resolveName('hook.example', [broken]), { code: 'EAI_AGAIN' });
});

test('localhost is this machine, without a name server', async (t) => {
  t.deepEqual(
    (await resolveName('localhost', ['127.0.0.1:1'])).map(({ address }) => address),
    ['127.0.0.1', '::1'],
  );
});

test('silent name servers time out, and block no thread that others need meanwhile', async (t) => {
  const silent = await nameServer(t);
  let ended = 0;
  const names = Array.from({ length: 64 }, (_, n) => resolveName(`hook${n}.example`, [silent]).finally(() => ended++));
  const settled = Promise.allSettled(names);
  await lookup('127.0.0.1');
  await lookup('localhost');
  await readFile(new URL(import.meta.url));
  t.is(ended, 0);
  t.deepEqual(new Set((await settled).map((one) => one.status === 'rejected' && one.reason.code)), new Set(['EAI_AGAIN']));
});
