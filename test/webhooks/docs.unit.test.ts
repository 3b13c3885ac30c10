/** Runs the receiver of docs/webhooks.md as it is printed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { apiKinds } from '../../src/changes/schema.ts';
import { bodyOf, headersOf } from '../../src/webhooks/deliver.ts';
import { newSigningSecret } from '../../src/webhooks/seal.ts';
import { send } from '../../src/webhooks/send.ts';
import { eventually } from '../support/eventually.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const root = fileURLToPath(new URL('../../', import.meta.url));
const page = readFileSync(`${root}docs/webhooks.md`, 'utf8');
const [, code] = /```js\n(.*?)```/s.exec(page)!;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

test('the documented receiver has ten lines, accepts signed messages, and refuses others', async (t) => {
  t.is(code!.trim().split('\n').length, 10);
  const secret = newSigningSecret();
  const port = await freePort();
  const receiver = spawn(process.execPath, ['--input-type=module', '-e', code!], {
    cwd: root,
    env: { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.teardown(() => receiver.kill('SIGKILL'));
  let printed = '';
  receiver.stdout.setEncoding('utf8').on('data', (piece) => {
    printed += piece;
  });
  const body = bodyOf('item.created', '2026-03-02T09:00:00.000Z', { title: 'Write the report' });
  const sent = (by: string) =>
    send(`http://localhost:${port}/hook`, headersOf({ id: '1', body }, [by], new Date()), body, { privateAddresses: true });
  const taken = await eventually(
    () => sent(secret),
    ({ status }) => status !== null,
  );
  t.like(taken, { ok: true, status: 200 });
  t.regex(printed, /Write the report/);
  t.like(await sent(newSigningSecret()), { ok: false, status: 401 });
});

test('the documentation names exactly the kinds that webhooks send', (t) => {
  const named = [...page.matchAll(/^\| `([a-z.]+)` \|/gm)].map(([, kind]) => kind!);
  t.deepEqual(named, [...apiKinds]);
  t.notRegex(page, /approval\./);
});
