/** Guessing passwords and keys. Guesses from many addresses must not lock a person out (behaviour §13.13). */
import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Attack, loops } from './attack.ts';
import { callTool, send, signIn } from './requests.ts';

export const VICTIM = { email: 'victim@x.example', password: 'no other horse, this battery' };
const EVERY_MS = 2_500;
/** Two windows of a minute under both limits, plus two a second of the delayed ones. More means that guesses are not limited. */
const MOST_CHECKED = 150;

const group = () => randomInt(65_536).toString(16);
const anyIpv4 = () => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;
const sameNetwork = () => `2001:db8:1:2:${group()}:${group()}:${group()}:${group()}`;

/** The victim's sign-in: its status and cookies. */
async function enter(baseUrl: string, cookie = ''): Promise<{ status: number; cookies: string[] }> {
  const answer = await fetch(`${baseUrl}/sign-in`, {
    ...{ method: 'POST', redirect: 'manual' as const, body: new URLSearchParams(VICTIM) },
    headers: { 'X-Forwarded-For': '203.0.113.9', Origin: 'http://localhost', Cookie: cookie },
  });
  await answer.arrayBuffer();
  return { status: answer.status, cookies: answer.headers.getSetCookie().map((text) => text.split(';')[0]!) };
}

export const byGuesses: Record<string, Attack> = {
  signIns: {
    ...{ title: '200 concurrent sign-ins, repeatedly', seconds: 10 },
    run: (target, signal, tally) =>
      loops(200, signal, (n) => send(target, { ...signIn, body: `email=nobody${n}%40x.example&password=${randomUUID()}` }, tally)),
  },
  wrongKeys: {
    ...{ title: '16 connections that guess keys', seconds: 8 },
    run: (target, signal, tally) =>
      loops(16, signal, (n) =>
        n % 2
          ? send(target, { method: 'GET', path: '/api/v1/workspaces', headers: { 'X-API-Key': `stint_rest_${randomUUID()}` } }, tally)
          : send(target, callTool({ ...target, agentKey: `stint_agent_${randomUUID()}` }, 'svc_context', {}), tally),
      ),
  },
  guesses: {
    ...{ title: 'One password guessed from any address and one IPv6 /64, its owner signs in', seconds: 20 },
    env: { RATE_LIMIT_SIGN_IN: '10', TRUST_PROXY: '1' },
    async besides(baseUrl) {
      const { cookies } = await enter(baseUrl);
      const known = cookies.find((cookie) => cookie.startsWith('stint_browser=')) ?? '';
      return async (seconds) => {
        const kept: string[] = [];
        for (let left = seconds * 1_000; left > EVERY_MS; left -= EVERY_MS) {
          await sleep(EVERY_MS);
          const { status } = await enter(baseUrl, known);
          if (status !== 303) kept.push(`owner ${status}`);
        }
        return kept;
      };
    },
    run: (target, signal, tally) =>
      loops(64, signal, (n) => {
        const headers = { ...signIn.headers, 'X-Forwarded-For': n % 4 ? anyIpv4() : sameNetwork() };
        const body = new URLSearchParams({ email: VICTIM.email, password: randomUUID() }).toString();
        return send(target, { ...signIn, headers, body }, tally);
      }),
    check: async (_sql, _target, { 401: checked = 0, 429: refused = 0 }) => [
      ...(checked > MOST_CHECKED ? [`${checked} guesses checked`] : []),
      ...(refused === 0 ? ['no guess refused'] : []),
    ],
  },
};
