/** POST {base}/mcp: stateless Streamable HTTP around the official library's low-level Server (behaviour §7.1).
 *
 *  One Server serves every request of the process, because making one takes six times as long as all that it does for a request. What keeps
 *  callers apart is the transport: it gives each request an id of its own, by which its handlers and its answer are found, so that two
 *  callers' ids, which may well be equal, never meet. The Server itself keeps nothing but what the last `initialize` said of its client,
 *  which nobody asks for: nothing is ever sent to a client unasked, and notifications and responses do not come this far. */
import { readFileSync } from 'node:fs';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  ErrorCode,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type RequestId,
  type Result,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv-provider.js';
import { version } from '../values/version.ts';
import { instructions } from './instructions.ts';
import { Written } from './results.ts';
import { rpcError } from './rpc.ts';

export const protocolVersions: readonly string[] = SUPPORTED_PROTOCOL_VERSIONS;

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
/** `version` is that of the agent interface (behaviour §1.16). */
const INFO = { name: 'stint', title: 'Stint', version: '0.1.0', description: manifest.description };
const OPTIONS = { capabilities: { tools: {} }, instructions, jsonSchemaValidator: new AjvJsonSchemaValidator() };
const META = { 'stint/packageVersion': version };

/** What this service does itself: the library answers `initialize` and `ping`. */
export interface Handlers {
  listTools(): Promise<Written>;
  /** Null for an unknown tool. */
  callTool(name: string, given: Record<string, unknown>): Promise<Written | null>;
}

export interface Answer {
  body: string | Buffer;
  /** The message is no request at all. */
  invalid: boolean;
}

type Message = { id: RequestId; [name: string]: unknown };

/** Answers one JSON-RPC request. Throws what the handlers throw. */
export function answerMessage(message: Message, handlers: Handlers): Promise<Answer> {
  return exchanges.carry(message, handlers);
}

/** What JSON-RPC itself answers; the library reads `code`. */
class RpcFault extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

async function handle({ method, params = {} }: JSONRPCRequest, handlers: Handlers): Promise<Result> {
  if (method === 'tools/list') return asResult(await handlers.listTools());
  if (method !== 'tools/call') throw new RpcFault(ErrorCode.MethodNotFound, 'Method not found: this server offers tools only.');
  const { name } = params;
  // Some clients say null for none.
  const given = params.arguments ?? {};
  if (typeof name !== 'string') throw new RpcFault(ErrorCode.InvalidParams, 'params.name: give the name of a tool.');
  if (typeof given !== 'object' || Array.isArray(given)) {
    throw new RpcFault(ErrorCode.InvalidParams, 'params.arguments: give an object.');
  }
  const result = await handlers.callTool(name, given as Record<string, unknown>);
  if (!result) throw new RpcFault(ErrorCode.InvalidParams, `Unknown tool ${name.slice(0, 100)}: tools/list shows the tools there are.`);
  return asResult(result);
}

// Written results pass through the library untouched, and are spliced into the answer.
const asResult = (written: Written) => written as unknown as Result;

/** One request and its answer. */
interface Exchange {
  /** As the caller sent it. */
  id: RequestId;
  handlers: Handlers;
  settle(answer: Answer): void;
  fail(error: unknown): void;
}

/** The transport of the process: requests of any number of callers, each under an id that is never used again. */
class Exchanges implements Transport {
  onmessage?: NonNullable<Transport['onmessage']>;
  readonly #open = new Map<RequestId, Exchange>();
  #last = 0;
  /** The request that the library is being handed at this moment. */
  #handed: Exchange | undefined;

  constructor() {
    const server = new Server(INFO, OPTIONS);
    // Found synchronously, while the message is handed over: it is no request.
    server.onerror = () =>
      this.#handed?.settle({ body: rpcError(null, ErrorCode.InvalidRequest, 'This is no JSON-RPC 2.0 request.'), invalid: true });
    server.fallbackRequestHandler = (request, { requestId }) => this.#guard(request, this.#open.get(requestId)!);
    // It sets what it is handed messages by, and then calls start.
    void server.connect(this);
  }

  async start() {}

  async carry(message: Message, handlers: Handlers): Promise<Answer> {
    const id = ++this.#last;
    try {
      return await new Promise<Answer>((settle, fail) => {
        const exchange = { id: message.id, handlers, settle, fail };
        this.#open.set(id, exchange);
        this.#handed = exchange;
        this.onmessage?.({ ...message, id } as JSONRPCMessage);
      });
    } finally {
      this.#open.delete(id);
    }
  }

  /** What is no JSON-RPC error is an answer of HTTP: the library's own answer to it finds nobody any more. */
  async #guard(request: JSONRPCRequest, exchange: Exchange): Promise<Result> {
    return handle(request, exchange.handlers).catch((error) => {
      if (!(error instanceof RpcFault)) exchange.fail(error);
      throw error;
    });
  }

  async send(message: JSONRPCMessage) {
    const exchange = 'id' in message && message.id !== undefined ? this.#open.get(message.id) : undefined;
    exchange?.settle({ body: asBody(message, exchange.id), invalid: false });
  }

  async close() {}
}

function asBody(message: JSONRPCMessage, id: RequestId): string | Buffer {
  if ('result' in message) {
    const { result } = message;
    if (result instanceof Written) return result.answering(JSON.stringify(id));
    return JSON.stringify({ ...message, id, result: 'serverInfo' in result ? { ...result, _meta: META } : result });
  }
  // The library calls parameters that it can't parse an internal error, in its parser's words.
  if ('error' in message && message.error.code === ErrorCode.InternalError) {
    return rpcError(id, ErrorCode.InvalidParams, 'params: these are not the parameters of this method.');
  }
  return JSON.stringify({ ...message, id });
}

const exchanges = new Exchanges();
