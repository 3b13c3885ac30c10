/** Requests to the web processes. Records late, wrong and missing answers. */
import type { Life } from './processes.ts';

// biome-ignore lint/suspicious/noExplicitAny: bodies are JSON, looked into freely
export type Json = any;

interface Answer {
  status: number;
  body: Json;
  headers: Headers;
}

/** Longer than any answer may take. After that, the request counts as unanswered. */
const SILENCE_MS = 30_000;

export class Calls {
  longestMs = 0;
  /** Answers that are neither a success nor 503. */
  readonly wrong: string[] = [];
  /** Missing answers from processes that were not killed. */
  readonly silent: string[] = [];

  post(life: Life, path: string, headers: Record<string, string>, body: Json): Promise<Answer | null> {
    const all = { 'Content-Type': 'application/json', ...headers };
    return this.send(life, path, { method: 'POST', headers: all, body: JSON.stringify(body) });
  }

  /** The result of an agent's call. 'refused' is a fault of the service here. Null if the answer is not definite. */
  async tool(life: Life, key: string, name: string, given: Json): Promise<Json | 'refused' | null> {
    const headers = { Authorization: `Bearer ${key}`, Accept: 'application/json, text/event-stream' };
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } };
    const answer = await this.post(life, '/mcp', headers, call);
    if (!answer) return null;
    const result = answer.body?.result;
    if (answer.status === 200 && result && !result.isError) return result.structuredContent;
    if (result?.structuredContent?.error?.code === 'unavailable') return null;
    this.wrong.push(`${name}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return 'refused';
  }

  /** Null without an answer, for 503, or if the process was killed meanwhile. */
  async send(life: Life, path: string, init: RequestInit): Promise<Answer | null> {
    const started = performance.now();
    const what = `${init.method ?? 'GET'} ${path.split('?', 1)[0]}`;
    try {
      const response = await fetch(`${life.baseUrl}${path}`, { ...init, redirect: 'manual', signal: AbortSignal.timeout(SILENCE_MS) });
      const text = await response.text();
      this.longestMs = Math.max(this.longestMs, performance.now() - started);
      return this.#judge(what, response, text);
    } catch (error) {
      // A killed process may leave a request unanswered: the harness sets `killed` before the signal.
      if (!life.killed) this.silent.push(`${what} after ${Math.round(performance.now() - started)} ms: ${(error as Error).cause ?? error}`);
      return null;
    }
  }

  #judge(what: string, { status, headers }: Response, text: string): Answer | null {
    const type = headers.get('content-type') ?? '';
    const isUnavailable = headers.has('retry-after') && (type.startsWith('text/html') || headers.get('x-error-code') === 'unavailable');
    if (status === 503 && isUnavailable) return null;
    if (status !== 200 && status !== 303) this.wrong.push(`${what}: ${status} ${text.slice(0, 300)}`);
    return status === 503 ? null : { status, headers, body: status === 200 && type.includes('json') ? JSON.parse(text) : text };
  }
}
