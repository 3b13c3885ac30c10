/** Requests that must be refused: sent as raw bytes, checked against the document, and proved to change nothing. */
import type { ExecutionContext } from 'ava';
import { exchange, type RawRequest, rawBytes } from './rawHttp.ts';
import type { RestWorld } from './restWorld.ts';

export interface Refusal {
  status: number;
  /** X-Error-Code. Null if there is none (404, 405). */
  code: string | null;
  /** The expected message. */
  says?: RegExp;
}

export const badRequest = (says?: RegExp): Refusal => ({ status: 400, code: 'invalid_request', ...(says ? { says } : {}) });
export const unauthenticated = (says?: RegExp): Refusal => ({ status: 401, code: 'unauthenticated', ...(says ? { says } : {}) });
export const forbidden: Refusal = { status: 403, code: 'forbidden' };

/** Sends below /api/v1 with the owner's key, unless all `headers` are given. */
export async function send({ api, key }: RestWorld, { headers = [['X-API-Key', key]], ...request }: RawRequest) {
  const target = new URL(api.base).pathname + request.target;
  const answer = await exchange(api.port, rawBytes({ host: `127.0.0.1:${api.port}`, ...request, headers, target }));
  const body = request.body === undefined ? undefined : String(request.body);
  api.check({ method: request.method ?? 'GET', target: request.target, body }, answer);
  return answer;
}

export async function refused(t: ExecutionContext, world: RestWorld, request: RawRequest, { status, code, says }: Refusal) {
  const what = `${request.method ?? 'GET'} ${request.target} ${String(request.body ?? '').slice(0, 120)}`;
  const before = await world.fixtures.fingerprint();
  const answer = await send(world, request);
  t.is(answer.status, status, `${what}: ${answer.text}`);
  t.is(answer.headers.get('x-error-code'), code, what);
  const { error, ...more } = JSON.parse(answer.text);
  t.deepEqual(more, {}, what);
  t.regex(error, /^\S.*\.$/s, what);
  if (says) t.regex(error, says, what);
  t.is(await world.fixtures.fingerprint(), before, what);
}

/** The headers of a JSON body. */
export const asJson = (key: string) =>
  [
    ['X-API-Key', key],
    ['Content-Type', 'application/json'],
  ] as const;
