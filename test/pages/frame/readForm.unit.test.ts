/** Forms of any size and shape are read within limits, in pieces, and are charged to their sender (behaviour §13.9, §13.15). */
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import Koa, { type Context } from 'koa';
import type { SessionCaller } from '../../../src/access/caller.ts';
import { type Form, readForm } from '../../../src/pages/frame/forms.ts';
import { meteredBy } from '../../../src/values/meter.ts';
import { suite } from '../../support/suite.ts';

const test = suite(import.meta.url);

const MIB = 1024 * 1024;
const URLENCODED = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data; boundary=x';
const member: SessionCaller = { kind: 'session', hash: Buffer.alloc(32), owner: { accountId: 1, userId: 1 } };

interface Sent {
  type: string;
  body: string | Buffer;
  /** The last byte is sent when it resolves. */
  whole?: Promise<unknown>;
}

/** Sends a form to a server with this handler. Resolves to what the handler returns. */
function handled<T>({ type, body, whole = Promise.resolve() }: Sent, handle: (ctx: Context) => Promise<T>): Promise<T> {
  const app = new Koa();
  app.silent = true;
  const made = new Promise<T>((resolve, reject) => {
    app.use(async (ctx) => {
      await handle(ctx).then(resolve, reject);
      ctx.set('Connection', 'close');
      ctx.body = '';
    });
  });
  const server = createServer(app.callback()).listen(0);
  const bytes = Buffer.from(body);
  const { port } = server.address() as AddressInfo;
  const headers = { 'Content-Type': type, 'Content-Length': bytes.length };
  const sending = request({ port, method: 'POST', agent: false, headers }, (answer) => answer.resume());
  sending.on('error', () => {});
  sending.write(bytes.subarray(0, -1));
  void whole.then(() => sending.end(bytes.subarray(-1)));
  return made.finally(() => server.close());
}

/** The form that the server reads, or its refusal. */
const read = (type: string, body: string | Buffer, caller: SessionCaller | null = member): Promise<Form | string> =>
  handled({ type, body }, (ctx) => readForm(ctx, caller).catch((error: Error) => error.message));

const part = (disposition: string, value: string) => `--x\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${value}\r\n`;
const whole = (...parts: string[]) => `${parts.join('')}--x--\r\n`;
const named = (name: string, value: string) => part(`name="${name}"`, value);
const fieldsIn = (form: Form | string) => (typeof form === 'string' ? form : form.without());

test('both kinds of forms have the same fields, in their order', async (t) => {
  const fields: [string, string][] = [
    ['a', ' ü\n'],
    ['a', 'b&=%'],
    ['__proto__', 'x'],
    ['?', ''],
  ];
  const expected = { a: [' ü\n', 'b&=%'], ['__proto__']: ['x'], '?': [''] };
  t.deepEqual(fieldsIn(await read(URLENCODED, new URLSearchParams(fields).toString())), expected);
  t.deepEqual(fieldsIn(await read(MULTIPART, whole(...fields.map(([name, value]) => named(name, value))))), expected);
  t.deepEqual(fieldsIn(await read(URLENCODED, '?a=1')), { '?a': ['1'] });
});

test('a file has its name as chosen, and none without a choice', async (t) => {
  const form = await read(MULTIPART, whole(named('a', 'b'), part('name="file"; filename="a %22q%22 %25.txt"', 'text')));
  t.deepEqual((form as Form).upload, { name: 'a "q" %25.txt', content: Buffer.from('text') });
  t.is(((await read(MULTIPART, whole(part('name="file"; filename=""', '')))) as Form).upload, null);
});

test('a part has at most 4 KiB of headers: what follows is not read', async (t) => {
  const form = await read(MULTIPART, whole(part(`x="${'filename='.repeat(30_000)}"; name="_csrf"`, 'x'), named('a', 'b')));
  t.deepEqual(fieldsIn(form), { a: ['b'] });
});

test('10,000 fields are read, more are refused before they are decoded', async (t) => {
  const many = /too many fields/;
  for (const unit of ['a&', '%&', '&']) t.regex(String(await read(URLENCODED, unit.repeat(MIB / 2))), many, unit);
  t.is(Object.keys(fieldsIn(await read(URLENCODED, Array.from({ length: 10_000 }, (_, n) => n).join('&')))).length, 10_000);
  t.regex(String(await read(URLENCODED, '&'.repeat(10_000))), many);
  const parts = Array.from({ length: 10_001 }, (_, n) => named(String(n), ''));
  t.is(Object.keys(fieldsIn(await read(MULTIPART, whole(...parts.slice(1))))).length, 10_000);
  t.regex(String(await read(MULTIPART, whole(...parts))), many);
  const files = [1, 2].map((n) => part(`name="${n}"; filename="a"`, ''));
  t.regex(String(await read(MULTIPART, whole(...files))), many);
});

test('texts of 1 MiB and a file of 5 MiB are read, more is refused', async (t) => {
  const large = /too large.*5 MiB.*1 MiB/;
  const file = (bytes: number) => part('name="file"; filename="f"', 'x'.repeat(bytes));
  const form = await read(MULTIPART, whole(named('a', 'x'.repeat(MIB)), file(5 * MIB)));
  t.is((form as Form).upload?.content.length, 5 * MIB);
  t.regex(String(await read(MULTIPART, whole(file(5 * MIB + 1)))), large);
  t.regex(String(await read(MULTIPART, whole(named('a', 'x'.repeat(MIB)), named('b', 'x')))), large);
  t.regex(String(await read(MULTIPART, 'x'.repeat(8 * MIB))), large);
  t.is(((await read(URLENCODED, `a=${'x'.repeat(MIB - 2)}`)) as Form).raw('a').length, MIB - 2);
  t.regex(String(await read(URLENCODED, `a=${'x'.repeat(MIB - 1)}`)), large);
});

test('without sign-in a form has 64 KiB and no file', async (t) => {
  t.is(((await read(URLENCODED, `a=${'x'.repeat(65_534)}`, null)) as Form).raw('a').length, 65_534);
  t.regex(String(await read(URLENCODED, `a=${'x'.repeat(65_535)}`, null)), /too large/);
  t.deepEqual(fieldsIn(await read(MULTIPART, whole(named('a', 'b')), null)), {});
});

test('malformed multipart forms are refused', async (t) => {
  const form = named('a', 'b');
  for (const [type, body] of [
    [MULTIPART, form],
    [MULTIPART, 'x'],
    ['multipart/form-data', whole(form)],
    [`multipart/form-data; boundary=${'x'.repeat(300)}`, whole(form)],
  ] as const)
    t.regex(String(await read(type, body)), /could not be read/);
  t.deepEqual(fieldsIn(await read(MULTIPART, `${whole(form)}${'x'.repeat(MIB)}`)), { a: ['b'] }, 'what follows the end is ignored');
});

for (const [type, body] of [
  [URLENCODED, Array.from({ length: 10_000 }, (_, n) => `field${n}=${'%41'.repeat(30)}`).join('&')],
  [MULTIPART, whole(...Array.from({ length: 10_000 }, (_, n) => named(`field${n}`, 'x'.repeat(30))))],
] as const)
  test(`${type.split(';')[0]}: others run while a form is parsed, and its sender pays for it, but not for the wait`, async (t) => {
    const [arrived, last] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let [charges, turns, isDone] = [0, 0, false];
    const payer = { charge: () => void charges++, chargeThread: () => {}, turn: async () => {} };
    const done = handled({ type, body, whole: last.promise }, async (ctx) => {
      let bytes = 0;
      ctx.req.on('data', ({ length }: Buffer) => {
        bytes += length;
        if (bytes === Buffer.byteLength(body) - 1) arrived.resolve();
      });
      await meteredBy(payer, () => readForm(ctx, member));
      isDone = true;
    });
    await arrived.promise;
    for (let n = 0; n < 3; n++) await nextTurn();
    const charged = charges;
    for (let n = 0; n < 50; n++) await nextTurn();
    t.is(charges, charged);
    last.resolve();
    for (; !isDone; turns++) await nextTurn();
    await done;
    t.true(turns > 10, `${turns} turns`);
    t.true(charges > charged + 10, `${charges - charged} charges`);
  });
