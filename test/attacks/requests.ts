/** Requests of an attacker with counted answers, and their targets. */
import { type ClientRequest, request } from 'node:http';
import { modernRequest } from '../support/modernRequest.ts';
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
export const restHeaders = ({ restKey }: Pick<Target, 'restKey'>) => ({ ...json, 'X-API-Key': restKey });
type Agent = Pick<Target, 'agentKey'>;
const mcpHeaders = ({ agentKey }: Agent) => ({
  ...json,
  Accept: 'application/json, text/event-stream',
  Authorization: `Bearer ${agentKey}`,
});

/** With `MCP_ERA=modern` as revision 2026-07-28, else as earlier ones. `given`: JSON text of the arguments. */
function toolCallOf(name: string, given: string): { headers: Record<string, string>; body: string } {
  if (process.env.MCP_ERA !== 'modern') {
    return { headers: {}, body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${given}}}` };
  }
  const { body, headers } = modernRequest('tools/call', { name });
  // Arguments may be huge or not JSON, so they are never parsed here.
  return { headers, body: JSON.stringify(body).replace('"params":{', () => `"params":{"arguments":${given},`) };
}

export function callTool(target: Agent, name: string, given: object | string) {
  const { headers, body } = toolCallOf(name, typeof given === 'string' ? given : JSON.stringify(given));
  return { path: '/mcp', headers: { ...mcpHeaders(target), ...headers }, body };
}

/** Valid requests with a valid credential. */
export const saveItem = (target: Target) => ({ path: '/api/v1/items/save', headers: restHeaders(target) });
const agents = (target: Target) => ({ path: '/mcp', headers: mcpHeaders(target) });
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
