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
export function send({ port }: Target, { method = 'POST', path, headers = {}, body, feed }: Sent, tally: Tally): Promise<void> {
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
export const restHeaders = ({ restKey }: Target) => ({ ...json, 'X-API-Key': restKey });
const mcpHeaders = ({ agentKey }: Target) => ({
  ...json,
  Accept: 'application/json, text/event-stream',
  Authorization: `Bearer ${agentKey}`,
});
export const toolCall = (name: string, given: object) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } });

/** Valid requests with a valid credential. */
export const saveItem = (target: Target) => ({ path: '/api/v1/items/save', headers: restHeaders(target) });
export const agents = (target: Target) => ({ path: '/mcp', headers: mcpHeaders(target) });
export const signIn = { path: '/sign-in', headers: form };
export const faces = (target: Target) => [saveItem(target), agents(target), signIn];

export const sessionOf = ({ cookie }: Target) => ({ Cookie: `JSESSIONID=${cookie}`, Origin: 'http://localhost' });

function textOf({ port, cookie }: Target, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const sending = request({ port, host: '127.0.0.1', path: BASE + path, headers: { Cookie: `JSESSIONID=${cookie}` } }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (piece) => {
        text += piece;
      });
      answer.on('end', () => resolve(text));
    });
    sending.on('error', reject);
    sending.end();
  });
}

/** The CSRF value for the session's forms. */
export const csrfOf = async (target: Target) => /name="_csrf" value="([^"]+)"/.exec(await textOf(target, '/my/notes/new'))?.[1] ?? '';
