/** A real HTTP server with the chat completions API, good and bad answers, for the tests of note rewriting. */
import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

/** The model's answer. `sent` is the user message. */
export type Rewrite = (sent: string) => string;

export interface ModelRequest {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: { model?: string; messages?: { role: string; content: string }[]; response_format?: { type: string } };
}

type Reply = (response: ServerResponse, sent: string, server: ModelServer) => void;

function send(response: ServerResponse, status: number, body: string, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
}

/** A completion as the API returns it, with `choice` merged into its only choice. */
function completion(message: object, choice: object = {}): string {
  return JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'test',
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', refusal: null, ...message }, ...choice }],
  });
}

function saying(rewrite: Rewrite, choice: object = {}): Reply {
  return (response, sent) => send(response, 200, completion({ content: JSON.stringify({ text: rewrite(sent) }) }, choice));
}

/** Removes only filler: a rewrite that passes every check. */
export const concise: Rewrite = (sent) => sent.replace(/\b(?:basically|honestly|just|really|actually|quite) /gi, '');

const overload = JSON.stringify({ error: { message: 'Overloaded', type: 'server_error' } });

/** Some answers' bodies contain the note, so that tests can check that errors never do. */
export const replies = {
  good: saying(concise),
  echo: saying((sent) => sent),
  plainText: (response, sent) => send(response, 200, completion({ content: concise(sent) })),
  dropsNumbers: saying((sent) => concise(sent).replace(/\d+ /g, '')),
  addsName: saying((sent) =>
    concise(sent)
      .replace(/\.$/, ' (Zoltan).')
      .replace(/really|basically/g, ''),
  ),
  dropsTokens: saying((sent) => sent.replace(/⟦[^⟧]*⟧/g, '')),
  doublesTokens: saying((sent) => sent.replace(/⟦[^⟧]*⟧/g, '$&$&')),
  swapsTokens: saying((sent) => sent.replace(/:1⟧/g, ':x⟧').replace(/:2⟧/g, ':1⟧').replace(/:x⟧/g, ':2⟧')),
  longer: saying((sent) => `${sent} And more of the same.`),
  obeysInjection: saying(() => 'PWNED'),
  failed: (response, sent) => send(response, 500, JSON.stringify({ error: { message: sent } })),
  limited: (response) => send(response, 429, overload, { 'retry-after': '1' }),
  unauthorized: (response) => send(response, 401, overload),
  unknownModel: (response) => send(response, 404, overload),
  hang: () => {},
  trickle: (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const drip = setInterval(() => response.write(' '), 20);
    response.on('close', () => clearInterval(drip));
  },
  malformed: (response) => send(response, 200, '{"choices": [{"mess'),
  malformedContent: (response) => send(response, 200, completion({ content: '{"text": "half' })),
  html: (response) => send(response, 200, '<html>Bad gateway</html>', { 'content-type': 'text/html' }),
  emptyBody: (response) => send(response, 200, ''),
  noChoices: (response) => send(response, 200, '{"choices": []}'),
  twoFields: (response, sent) => send(response, 200, completion({ content: JSON.stringify({ text: sent, more: sent }) })),
  notText: (response) => send(response, 200, completion({ content: '{"text": 7}' })),
  noContent: (response) => send(response, 200, completion({ content: null })),
  parts: (response, sent) => send(response, 200, completion({ content: [{ type: 'text', text: sent }] })),
  empty: saying(() => ''),
  blank: saying(() => ' \n '),
  refusal: (response) => send(response, 200, completion({ content: null, refusal: 'No.' })),
  truncated: saying((sent) => sent.slice(0, 10), { finish_reason: 'length' }),
  filtered: saying((sent) => sent, { finish_reason: 'content_filter' }),
  toolCall: (response, sent) =>
    send(
      response,
      200,
      completion({ content: sent, tool_calls: [{ id: 'x', type: 'function', function: { name: 'f', arguments: '{}' } }] }),
    ),
  redirect: (response, _sent, server) => send(response, 307, '', { location: `${server.baseUrl}/elsewhere` }),
  redirectAway: (response, _sent, server) => send(response, 302, '', { location: server.baseUrl.replace('127.0.0.1', 'localhost') }),
  huge: (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const block = ' '.repeat(256 * 1024);
    // Endless until the reader disconnects.
    const more = () => {
      while (!response.destroyed && response.write(block));
    };
    response.on('drain', more);
    more();
  },
  bomb: (response, sent) => {
    // A good answer, except for its length after decompression.
    const bytes = gzipSync(gzipSync(completion({ content: concise(sent) }) + ' '.repeat(64 * 1024 * 1024)));
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip, gzip' }).end(bytes);
  },
  closesSocket: (response) => response.destroy(),
  closesMidway: (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
    response.write('{"choices":', () => response.destroy());
  },
} satisfies Record<string, Reply>;

export type Mode = keyof typeof replies;

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

export interface ModelServer {
  /** For OPENAI_BASE_URL. Has a path, as some servers do. */
  baseUrl: string;
  /** All requests, in order. */
  requests: ModelRequest[];
  /** Resolves at the next request. */
  requested(): Promise<void>;
  /** May be changed between requests. A function returns the model's answer. */
  mode: Mode | Rewrite;
  close(): Promise<void>;
}

async function answer(server: ModelServer, arrivals: EventEmitter, request: IncomingMessage, response: ServerResponse): Promise<void> {
  // A followed redirect may come without a body, and must be recorded all the same.
  const body = JSON.parse((await bodyOf(request)) || '{}') as ModelRequest['body'];
  server.requests.push({ method: request.method!, path: request.url!, headers: request.headers, body });
  arrivals.emit('request');
  const sent = body.messages?.find((message) => message.role === 'user')?.content ?? '';
  const reply: Reply = typeof server.mode === 'string' ? replies[server.mode] : saying(server.mode);
  reply(response, sent, server);
}

/** Listens on a free port of 127.0.0.1. Close it when the test ends. */
export async function startModelServer(mode: Mode | Rewrite = 'good'): Promise<ModelServer> {
  const arrivals = new EventEmitter();
  const http = createServer((request, response) => {
    answer(server, arrivals, request, response).catch(() => response.destroy());
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const server: ModelServer = {
    baseUrl: `http://127.0.0.1:${(http.address() as AddressInfo).port}/any/v1`,
    requests: [],
    requested: async () => void (await once(arrivals, 'request')),
    mode,
    close: async () => {
      http.closeAllConnections();
      http.close();
      await once(http, 'close');
    },
  };
  return server;
}
