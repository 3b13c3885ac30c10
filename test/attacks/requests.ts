/** Requests of an attacker with counted answers, and their targets. */
import { type ClientRequest, request } from 'node:http';
import type { Tally, Target } from './attack.ts';

export const BASE = '/stint';

interface Sent {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: Buffer | string;
  /** Writes the body in parts instead of at once. */
  feed?(sending: ClientRequest): void;
}

/** Sends one request, reads the answer and counts it. */
export function send(
  { port }: Pick<Target, 'port'>,
  { method = 'POST', path, headers = {}, body, feed }: Sent,
  tally: Tally,
): Promise<void> {
  return new Promise((resolve) => {
    const sending = request({ port, host: '127.0.0.1', method, path: BASE + path, headers, agent: false, timeout: 15_000 }, (answer) => {
      tally.add(answer.statusCode ?? 0);
      answer.resume();
      answer.on('close', resolve);
    });
    sending.on('timeout', () => sending.destroy());
    sending.on('error', () => {
      tally.add('closed');
      resolve();
    });
    sending.on('close', resolve);
    if (feed) feed(sending);
    else sending.end(body);
  });
}

const json = { 'Content-Type': 'application/json' };
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
export const restHeaders = ({ restKey }: Pick<Target, 'restKey'>) => ({ ...json, 'X-API-Key': restKey });
type Agent = Pick<Target, 'agentKey'>;
const agents = ({ agentKey }: Agent) => ({
  path: '/mcp',
  headers: { ...json, Accept: 'application/json, text/event-stream', Authorization: `Bearer ${agentKey}` },
});

/** `given`: the arguments, or their JSON text, which may be huge or broken. */
export function callTool(agent: Agent, name: string, given: object | string) {
  const text = typeof given === 'string' ? given : JSON.stringify(given);
  return { ...agents(agent), body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${text}}}` };
}

/** Valid requests with a valid credential. */
export const saveItem = (target: Target) => ({ path: '/api/v1/items/save', headers: restHeaders(target) });
export const signIn = { path: '/sign-in', headers: form };
export const faces = (target: Target) => [saveItem(target), agents(target), signIn];

export const sessionOf = ({ cookie }: Target) => ({ Cookie: cookie, Origin: 'http://localhost' });

/** Headers of the session's forms, and their CSRF value. */
export async function formsOf(target: Target) {
  const headers = { ...sessionOf(target), ...form };
  const answer = await fetch(`http://127.0.0.1:${target.port}${BASE}/my/notes/new`, { headers: sessionOf(target) });
  return { headers, csrf: /name="_csrf" value="([^"]+)"/.exec(await answer.text())?.[1] ?? '' };
}
