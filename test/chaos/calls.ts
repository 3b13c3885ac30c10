/** Requests to the web processes. Records late, wrong, broken and missing answers. */
import type { Life } from './processes.ts';

// biome-ignore lint/suspicious/noExplicitAny: bodies are JSON, looked into freely
export type Json = any;

export interface Answer {
  status: number;
  body: Json;
  headers: Headers;
}

/** Longer than any answer may take. After that, the request counts as unanswered. */
const SILENCE_MS = 30_000;

export class Calls {
  made = 0;
  unavailable = 0;
  longestMs = 0;
  /** Answers that are neither a success nor 503. */
  readonly wrong: string[] = [];
  /** Missing answers from processes that were not killed. */
  readonly silent: string[] = [];

  /** Null without an answer, for 503, or if the process was killed meanwhile. */
  post(life: Life, path: string, headers: Record<string, string>, body: Json): Promise<Answer | null> {
    const all = { 'Content-Type': 'application/json', ...headers };
    return this.#send(life, path, { method: 'POST', headers: all, body: JSON.stringify(body) });
  }

  tool(life: Life, key: string, name: string, given: Json): Promise<Answer | null> {
    const headers = { Authorization: `Bearer ${key}`, Accept: 'application/json, text/event-stream' };
    return this.post(life, '/mcp', headers, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } });
  }

  postForm(life: Life, path: string, form: Record<string, string>): Promise<Answer | null> {
    return this.#send(life, path, { method: 'POST', body: new URLSearchParams(form) });
  }

  get(life: Life, path: string, headers: Record<string, string>): Promise<Answer | null> {
    return this.#send(life, path, { headers });
  }

  async #send(life: Life, path: string, init: RequestInit): Promise<Answer | null> {
    this.made++;
    const started = performance.now();
    const what = () => `${init.method ?? 'GET'} ${path.split('?', 1)[0]} after ${Math.round(performance.now() - started)} ms`;
    try {
      const response = await fetch(`${life.baseUrl}${path}`, { ...init, redirect: 'manual', signal: AbortSignal.timeout(SILENCE_MS) });
      const text = await response.text();
      this.longestMs = Math.max(this.longestMs, performance.now() - started);
      return this.#judge(what(), response, text);
    } catch (error) {
      // A killed process may leave a request unanswered: the harness sets `killed` before the signal.
      if (!life.killed) this.silent.push(`${what()}: ${(error as Error).cause ?? error}`);
      return null;
    }
  }

  #judge(what: string, { status, headers }: Response, text: string): Answer | null {
    if (status === 503) {
      this.unavailable++;
      const isPage = headers.get('content-type')?.startsWith('text/html');
      if (!headers.get('retry-after') || !(isPage || headers.get('x-error-code') === 'unavailable'))
        this.wrong.push(`${what}: 503 ${text}`);
      return null;
    }
    if (status === 200) return { status, headers, body: headers.get('content-type')?.includes('json') ? JSON.parse(text) : text };
    if (status === 303) return { status, headers, body: null };
    this.wrong.push(`${what}: ${status} ${text.slice(0, 300)}`);
    return { status, headers, body: text };
  }
}
