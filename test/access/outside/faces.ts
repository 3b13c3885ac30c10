/** REST, MCP and pages as callers use them, with one type for all answers. */
import { randomUUID } from 'node:crypto';
import { modernRequest } from '../../support/modernRequest.ts';
import type { Caller } from './town.ts';

export type Outcome = 'ok' | 'unauthenticated' | 'forbidden' | 'conflict' | 'invalid_request' | 'unavailable';

export interface Answer {
  outcome: Outcome | string;
  // biome-ignore lint/suspicious/noExplicitAny: bodies are JSON, looked into freely; of a page its text
  body: any;
  /** The whole answer including headers, to search for hidden data. */
  whole: string;
  /** The part that all refusals of one operation share. */
  refusal: string;
}

const byStatus: Record<number, Outcome> = {
  200: 'ok',
  303: 'ok',
  400: 'invalid_request',
  401: 'unauthenticated',
  403: 'forbidden',
  409: 'conflict',
  503: 'unavailable',
};

/** Headers that may differ between answers. */
const fleeting = new Set(['x-request-id', 'date', 'ratelimit-remaining', 'ratelimit-reset', 'connection', 'keep-alive', 'content-length']);
const lasting = (headers: Headers) =>
  [...headers]
    .filter(([name]) => !fleeting.has(name))
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

async function wholeOf(answer: Response): Promise<{ text: string; whole: string; refusal: string }> {
  const text = await answer.text();
  return {
    text,
    whole: `${[...answer.headers].join('\n')}\n${text}`,
    refusal: `${answer.status}\n${lasting(answer.headers)}\n${withoutIndex(text)}`,
  };
}

/** Errors of a batch name the index of the faulty item. Errors of the workspace have none. */
const withoutIndex = (text: string) => text.replace(/,\\*"index\\*":\d+/g, '');

export const credential = ({ user, face }: Caller): Record<string, string> => {
  if (face === 'session') return { Cookie: `JSESSIONID=${user.cookie}` };
  return face === 'key' ? { 'X-API-Key': user.restKey.key } : { Authorization: `Bearer ${user.agent.key}` };
};

export class Faces {
  /** Includes the context path. */
  readonly base: string;
  constructor(base: string) {
    this.base = base;
  }

  async rest(caller: Caller, method: 'GET' | 'POST', path: string, given: object = {}): Promise<Answer> {
    const query =
      method === 'GET'
        ? `?${new URLSearchParams(Object.entries(given).map(([name, value]): [string, string] => [name, String(value)]))}`
        : '';
    const answer = await fetch(`${this.base}/api/v1${path}${query === '?' ? '' : query}`, {
      method,
      redirect: 'manual',
      headers: {
        ...credential(caller),
        ...(caller.face === 'session' && method === 'POST' && { 'X-CSRF-Token': caller.user.csrf }),
        ...(method === 'POST' && { 'Content-Type': 'application/json' }),
      },
      ...(method === 'POST' && { body: JSON.stringify(given) }),
    });
    const { text, ...rest } = await wholeOf(answer);
    return { outcome: byStatus[answer.status] ?? String(answer.status), body: text ? JSON.parse(text) : null, ...rest };
  }

  #toolCalls = 0;

  /** Calls alternate between the eras of MCP. */
  async tool(caller: Caller, name: string, given: object): Promise<Answer> {
    const params = { name, arguments: given };
    const isModern = ++this.#toolCalls % 2 === 0;
    const { body, headers } = isModern
      ? modernRequest('tools/call', params)
      : { body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, headers: {} };
    const answer = await fetch(`${this.base}/mcp`, {
      method: 'POST',
      redirect: 'manual',
      headers: { ...credential(caller), ...headers, 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
      body: JSON.stringify(body),
    });
    const { text, ...found } = await wholeOf(answer);
    const rest = { ...found, refusal: withoutEra(found.refusal) };
    if (answer.status !== 200) return { outcome: byStatus[answer.status] ?? String(answer.status), body: JSON.parse(text), ...rest };
    const { result, error } = JSON.parse(text);
    if (error) return { outcome: `rpc ${error.code}`, body: error, ...rest };
    const outcome = result.isError ? result.structuredContent.error.code : 'ok';
    return { outcome, body: { ...result.structuredContent, replayed: result._meta?.replayed === true }, ...rest };
  }

  /** Gets a page, or sends a form. Does not follow redirects. */
  async page(caller: Caller, path: string, form?: Record<string, string | string[]>): Promise<Answer> {
    const fields = new URLSearchParams({ _csrf: caller.user.csrf });
    for (const [name, value] of Object.entries(form ?? {})) for (const one of [value].flat()) fields.append(name, one);
    const answer = await fetch(this.base + path, {
      method: form ? 'POST' : 'GET',
      redirect: 'manual',
      headers: { ...credential(caller), ...(form && { Origin: new URL(this.base).origin }) },
      ...(form && { body: fields }),
    });
    const { text, whole } = await wholeOf(answer);
    const to = answer.headers.get('location') ?? '';
    const outcome = /\/sign-in\b/.test(to) ? 'unauthenticated' : (byStatus[answer.status] ?? String(answer.status));
    return {
      outcome,
      body: text,
      whole,
      refusal: `${answer.status}\n${lasting(answer.headers)}\n${withoutFrame(withoutAddress(text, path))}`,
    };
  }
}

/** Removes the frame, which has the reader's own data. */
const withoutFrame = (text: string): string => {
  // The frame shows the reader's running timer, so compare only the main part.
  const main = /<main[\s\S]*<\/main>/.exec(text)?.[0];
  return main === undefined ? text : main.slice(Math.max(0, main.indexOf('<header class="head"')));
};

/** A page may depend on its own address: link to it, name its item, and lead back to its workspace if that is the reader's. */
const withoutAddress = (text: string, path: string) => {
  const [, workspace, item] = /^\/workspaces\/(\d+)\/items\/(\d+)/.exec(path) ?? [];
  return text
    .replaceAll(path, '(here)')
    .replaceAll(`to item ${item}.`, 'to item N.')
    .replaceAll(`value="${item}"`, 'value="N"')
    .replace(new RegExp(`<a href="([^"]*)/workspaces/${workspace}">Back to [^<]*</a>`), '<a href="$1/">Go to My day</a>');
};

export const once = <T extends object>(given: T): T & { requestId: string } => ({ requestId: randomUUID(), ...given });

/** An answer of MCP 2026-07-28 without what only its era has, so that refusals of both eras are compared. */
const withoutEra = (text: string) =>
  text.replace('"resultType":"complete",', '').replace(/,"_meta":\{"io\.modelcontextprotocol\/serverInfo":\{[^{}]*\}\}/, '');
