/** Rotating SECRET_KEY: a process with key A, then one with key B that knows A, then one that doesn't. */
import { randomUUID } from 'node:crypto';
import type { ExecutionContext } from 'ava';
import { validKeys } from '../src/values/secretKeys.ts';
import { fileDatabase } from './support/database.ts';
import { PASSWORD } from './support/password.ts';
import { suite } from './support/suite.ts';
import { signedIn, Visitor } from './support/visitor.ts';
import { oneWorkspace, spawnWeb, world } from './support/world.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
const [a, b] = ['key a '.repeat(8), 'key b '.repeat(8)];

test('issue 12.25, rotation of SECRET_KEY: forms, links and receipts made with the previous key still count, and without it none does', async (t) => {
  const file = oneWorkspace({ items: [{ ref: 'task', type: 'task', title: 'Work' }] });
  Object.assign(file.accounts[0]!.users![0]!, { email: 'ana@acme.example', password: PASSWORD });
  const refs = await world(database.url, file);
  const start = async (env: Record<string, string>) => {
    const web = await spawnWeb(database.url, env);
    t.teardown(() => web.stop().catch(() => {}));
    return web;
  };
  const call = async (baseUrl: string, requestId: string) => {
    const params = {
      name: 'svc_add_note',
      arguments: { requestId, id: refs.id('task'), body: 'Done' },
    };
    const headers = { Authorization: `Bearer ${refs.key('c1')}`, 'Content-Type': 'application/json', Accept: 'application/json' };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    const { result } = (await (await fetch(`${baseUrl}/mcp`, { method: 'POST', headers, body })).json()) as { result: object };
    return JSON.stringify(result);
  };
  const first = await start({ SECRET_KEY: a });
  const [requestId, ana] = [randomUUID(), await signedIn(first.baseUrl, 'ana@acme.example')];
  t.notRegex(await call(first.baseUrl, requestId), /isError":true/);
  await ana.go('/settings/people');
  await ana.send('/add', { name: 'New', email: 'new@acme.example' });
  const link = /\/invitation\?\S+?(?=\s|$)/.exec(ana.at.text)![0];
  await ana.go('/settings/password');
  const csrf = ana.form('/settings/password').fields.get('_csrf')!;
  await first.stop();

  const second = await start({ SECRET_KEY: b, SECRET_KEY_PREVIOUS: a });
  const third = await start({ SECRET_KEY: b });
  const seen = async ({ baseUrl }: { baseUrl: string }) => ({
    form: await posted(baseUrl, ana.cookie, csrf),
    link: (await new Visitor(baseUrl).go(link)).status,
    replayed: !/isError":true/.test(await call(baseUrl, requestId)),
  });
  t.deepEqual(await seen(third), { form: 403, link: 403, replayed: false });
  t.deepEqual(await seen(second), { form: 400, link: 200, replayed: true });
  await madeNew(t, second.baseUrl, third.baseUrl, ana.cookie);
});

/** The status of an incomplete form: 400 once its CSRF value was accepted. */
async function posted(baseUrl: string, cookie: string, _csrf: string): Promise<number> {
  const body = new URLSearchParams({ _csrf, current: 'not it', password: 'x' });
  const headers = { Cookie: `JSESSIONID=${cookie}` };
  return (await fetch(`${baseUrl}/settings/password`, { method: 'POST', body, headers, redirect: 'manual' })).status;
}

/** While both keys count, new values use the new one: a process that knows only that accepts them. */
async function madeNew(t: ExecutionContext, both: string, alone: string, cookie: string): Promise<void> {
  const visitor = new Visitor(both);
  visitor.cookie = cookie;
  await visitor.go('/settings/password');
  t.is(await posted(alone, cookie, visitor.form('/settings/password').fields.get('_csrf')!), 400);
}

test("issue 12.25, rotation of SECRET_KEY: the previous key counts for the process' first day only", (t) => {
  const keys = { secretKey: b, previousSecretKey: a };
  const day = 24 * 60 * 60 * 1000;
  t.deepEqual(validKeys(keys, day - 1), [b, a]);
  t.deepEqual(validKeys(keys, day), [b]);
  t.deepEqual(validKeys({ secretKey: b }, 0), [b]);
});
