/** Limits of signing in: they slow down guessing, and never lock a user out because of others' guesses (behaviour §13.3, §13.13). */
import { fileDatabase } from '../support/database.ts';
import { PASSWORD } from '../support/password.ts';
import { suite } from '../support/suite.ts';
import { oneWorkspace, startWeb, world } from '../support/world.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
test.before('an account', async () => {
  const person = (ref: string) => ({ ref, email: `${ref}@acme.example`, name: ref, password: PASSWORD });
  await world(database.url, oneWorkspace({}, { users: ['farid', 'victim', 'known', 'other'].map(person) }));
});

const LIMIT = 3;
async function limited(t: { teardown(end: () => unknown): void }) {
  const web = await startWeb(database.url, { RATE_LIMIT_SIGN_IN: String(LIMIT), TRUST_PROXY: '1' });
  t.teardown(web.stop);
  return async (address: string, email: string, password = 'wrong', cookie = '') => {
    const answer = await fetch(`${web.baseUrl}/sign-in`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ email, password }),
      headers: { 'X-Forwarded-For': address, Origin: new URL(web.baseUrl).origin, Cookie: cookie },
    });
    await answer.arrayBuffer();
    return { status: answer.status, retryAfter: answer.headers.get('retry-after'), cookies: answer.headers.getSetCookie() };
  };
}
type Attempt = Awaited<ReturnType<typeof limited>>;
const several = async (attempts: (() => ReturnType<Attempt>)[]) => {
  const statuses: number[] = [];
  for (const attempt of attempts) statuses.push((await attempt()).status);
  return statuses;
};
const times = <T>(count: number, one: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => one(n));
const refused = (statuses: number[]) => statuses.filter((status) => status === 429).length;
// The minute may change in between: then twice the limit is allowed, never three times.
const SURELY = 2 * LIMIT + 2;

test('sign-in limits: attempts at many users from one address, and from one IPv6 /64, share a count', async (t) => {
  const attempt = await limited(t);
  t.true(refused(await several(times(SURELY, (n) => () => attempt('192.0.2.1', `nobody${n}@acme.example`)))) >= 2);
  t.true(refused(await several(times(SURELY, (n) => () => attempt(`2001:db8:1:2:${n}::${n}`, `nobody${n}@acme.example`)))) >= 2);
  t.is((await attempt('2001:db8:1:3::1', 'other@acme.example', PASSWORD)).status, 303, 'the adjacent /64');
});

test('sign-in limits: wrong guesses from other addresses never lock a user out, however the email is written', async (t) => {
  const attempt = await limited(t);
  const spelt = ['farid@acme.example', 'FARID@acme.example', 'ｆａｒｉｄ@acme.example'];
  const statuses = await several(times(LIMIT + 3, (n) => () => attempt(`198.51.100.${n}`, spelt[n % spelt.length]!)));
  t.deepEqual(new Set(statuses), new Set([401]), 'slowed down, not refused');
  t.is((await attempt('203.0.113.7', 'farid@acme.example', PASSWORD)).status, 303);
});

test('sign-in limits: one address guessing at one user is refused, however the email is spelt', async (t) => {
  const attempt = await limited(t);
  const spelt = ['farid@acme.example', 'FARID@acme.example', 'ｆａｒｉｄ@acme.example', 'farİd@acme.example'];
  t.true(refused(await several(times(SURELY, (n) => () => attempt('198.51.100.77', spelt[n % spelt.length]!)))) >= 2);
});

// Serial: together they fill the queue of password checks, and sign-ins get 503 (behaviour §13.7).
test("sign-in limits: concurrent guesses at one user from many addresses get 429, and other users don't", async (t) => {
  const attempt = await limited(t);
  await several(times(2 * LIMIT, (n) => () => attempt(`198.51.101.${n}`, 'victim@acme.example')));
  const answers = await Promise.all(times(30, (n) => attempt(`198.51.102.${n}`, 'victim@acme.example')));
  const told = answers.filter(({ status }) => status === 429);
  t.true(told.length > 0 && told.every(({ retryAfter }) => Number(retryAfter) >= 1), String(told.length));
  t.is((await attempt('203.0.113.8', 'other@acme.example', PASSWORD)).status, 303);
});

test("sign-in limits: a browser in which the user signed in before is never refused for others' attempts, also from the same address", async (t) => {
  const attempt = await limited(t);
  const first = await attempt('203.0.113.9', 'known@acme.example', PASSWORD);
  const mark = first.cookies.find((cookie) => cookie.startsWith('stint_browser='))!;
  t.regex(mark, /^stint_browser=[\w.~-]+; Path=\/stint; HttpOnly; SameSite=Lax; Max-Age=\d+$/);
  const cookie = mark.split(';')[0]!;
  const storm = await Promise.all(times(30, (n) => attempt('203.0.113.9', n % 2 ? 'known@acme.example' : `nobody${n}@acme.example`)));
  t.true(storm.some(({ status }) => status === 429));
  t.is((await attempt('203.0.113.9', 'known@acme.example', PASSWORD, cookie)).status, 303);
  // It is no session, and can't be used for guessing either.
  t.is((await attempt('203.0.113.10', 'known@acme.example', 'wrong', cookie)).status, 401);
  t.true(refused(await several(times(SURELY, (n) => () => attempt(`203.0.114.${n}`, 'known@acme.example', 'wrong', cookie)))) >= 2);
});
