import type { LookupAddress } from 'node:dns';
import { type SendSettings, send } from '../../src/webhooks/send.ts';
import { type Receiver, type ReceiverMood, startReceiver } from '../support/receiver.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

let receiver: Receiver;
test.before(async () => {
  receiver = await startReceiver();
});
test.after(() => receiver.close());

const settings = { privateAddresses: true, timeoutMs: 15_000 };
const sendTo = (url: string, more: Partial<SendSettings> = {}) => send(url, { 'webhook-id': '1' }, '{"a":1}', { ...settings, ...more });
const inMood = (mood: ReceiverMood, more: Partial<SendSettings> = {}) => {
  receiver.mood = ({ path }) => (path.endsWith(mood.replaceAll(' ', '-')) ? mood : 'takes');
  return sendTo(`${receiver.url}/${mood.replaceAll(' ', '-')}`, more);
};
const answering =
  (...addresses: string[]): NonNullable<SendSettings['resolve']> =>
  async () =>
    addresses.map((address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 }));

test('an accepted message has its status and the beginning of the answer', async (t) => {
  receiver.says = `all\u0000 \u202Ewell ${'x'.repeat(5_000)}`;
  const attempt = await inMood('takes');
  t.like(attempt, { ok: true, status: 200 });
  t.true(attempt.answer.startsWith('all well xxx') && attempt.answer.length <= 1_024);
  t.like(receiver.taken.at(-1), { body: '{"a":1}' });
});

test('a receiver that fails, redirects, resets or hangs counts as failed, and no redirect is followed', async (t) => {
  t.like(await inMood('fails'), { ok: false, status: 500, answer: 'out of order' });
  t.like(await inMood('redirects'), { ok: false, status: 302, answer: 'The receiver redirected. Redirects are not followed.' });
  t.like(await inMood('resets'), { ok: false, status: null, answer: 'The receiver closed the connection.' });
  t.like(await inMood('hangs', { timeoutMs: 200 }), { ok: false, status: null, answer: 'The receiver did not answer within 0.2 s.' });
  t.false(receiver.received.some(({ path }) => path.includes('elsewhere')));
});

test('an endless answer is not read to its end, and counts as accepted', async (t) => {
  const attempt = await inMood('goes on talking');
  t.like(attempt, { ok: true, status: 200 });
  t.is(attempt.answer.length, 1_024);
});

test('a stopping process reports the result as unknown, not as failed', async (t) => {
  const stop = new AbortController();
  const sending = inMood('hangs', { signal: stop.signal });
  stop.abort(new Error('stop'));
  await t.throwsAsync(sending, { message: 'stop' });
});

test('a name is resolved once, and the connection uses the checked address, whatever a later answer says', async (t) => {
  const asked: string[] = [];
  const rebinding =
    (first: string, later: string): SendSettings['resolve'] =>
    (name) => {
      asked.push(name);
      return answering(asked.length === 1 ? first : later)(name);
    };
  const { port } = new URL(receiver.url);
  t.like(await sendTo(`http://localhost:${port}/hook`, { resolve: rebinding('127.0.0.1', '10.0.0.1') }), { ok: true });
  t.deepEqual(asked.splice(0), ['localhost']);
  const before = receiver.received.length;
  const refused = await sendTo(`https://rebinding.example:${port}/`, {
    privateAddresses: false,
    resolve: rebinding('169.254.169.254', '1.1.1.1'),
  });
  t.like(refused, { ok: false, status: null, answer: 'The address is not public.' });
  t.deepEqual(asked, ['rebinding.example']);
  t.is(receiver.received.length, before);
});

test('a name with one non-public address is refused', async (t) => {
  for (const address of ['127.0.0.1', '::ffff:127.0.0.1', '169.254.169.254', '64:ff9b::7f00:1', '0.0.0.0', 'fd00::1', '2002:7f00:1::']) {
    const attempt = await sendTo('https://mixed.example/', { privateAddresses: false, resolve: answering('192.0.2.1', address) });
    t.is(attempt.answer, 'The address is not public.', address);
  }
  const none = await sendTo('https://none.example/', { privateAddresses: false, resolve: answering() });
  t.is(none.answer, 'The host name has no address.');
});

test('an address in the URL is checked although no name is resolved', async (t) => {
  for (const host of ['127.0.0.1', '[::1]', '2130706433', '169.254.169.254', '[::ffff:7f00:1]'])
    t.is((await sendTo(`https://${host}/`, { privateAddresses: false })).answer, 'The URL must lead to a public address.', host);
  t.is(
    (await sendTo(receiver.url, { privateAddresses: false })).answer,
    'The URL must be https, so that no one else can read the messages.',
  );
});

test('http goes only to this machine, whatever the name localhost resolves to', async (t) => {
  const { port } = new URL(receiver.url);
  t.like(await sendTo(`http://localhost:${port}/hook`, { resolve: answering('127.0.0.1') }), { ok: true });
  t.is(
    (await sendTo(`http://localhost:${port}/hook`, { resolve: answering('10.0.0.1') })).answer,
    'http is allowed only to this machine. Use https.',
  );
});

test('a server without TLS, and an unreachable one, get their own errors', async (t) => {
  t.regex(
    (await sendTo(receiver.url.replace('http:', 'https:'))).answer,
    /^(The certificate is not valid|The connection failed|The receiver closed)/,
  );
  const other = await startReceiver();
  other.close();
  t.is((await sendTo(other.url)).answer, 'The receiver refused the connection.');
});
