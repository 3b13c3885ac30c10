/** POST {base}/mcp: stateless Streamable HTTP around the official library's low-level Server (behaviour §7.1). */
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  ErrorCode,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type Result,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv-provider.js';
import { instructions } from './instructions.ts';
import { Written } from './results.ts';

export const protocolVersions: readonly string[] = SUPPORTED_PROTOCOL_VERSIONS;

const INFO = { name: 'stint', version: '0.1.0' };
const OPTIONS = { capabilities: { tools: {} }, instructions, jsonSchemaValidator: new AjvJsonSchemaValidator() };

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

/** Answers one JSON-RPC request. A server and a transport of its own: nothing of one caller can reach another. Throws what the handlers throw. */
export async function answerMessage(message: object, handlers: Handlers): Promise<Answer> {
  const server = new Server(INFO, OPTIONS);
  const exchange = new Exchange();
  server.onerror = () =>
    exchange.settle({ body: rpcError(null, ErrorCode.InvalidRequest, 'This is no JSON-RPC 2.0 request.'), invalid: true });
  server.fallbackRequestHandler = (request) => exchange.guard(handle(request, handlers));
  try {
    await server.connect(exchange);
    exchange.onmessage?.(message as JSONRPCMessage);
    return await exchange.answer;
  } finally {
    // After the library has put its own things in order: closing earlier would make it abort what is done already.
    setImmediate(() => void server.close());
  }
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

// Written results pass through the library untouched, and are spliced into the answer by Exchange.
const asResult = (written: Written) => written as unknown as Result;

/** A transport for one request and its answer. */
class Exchange implements Transport {
  onmessage?: NonNullable<Transport['onmessage']>;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly answer: Promise<Answer>;
  settle!: (answer: Answer) => void;
  #fail!: (error: unknown) => void;

  constructor() {
    this.answer = new Promise((resolve, reject) => {
      this.settle = resolve;
      this.#fail = reject;
    });
  }

  async start() {}

  /** What is no JSON-RPC error is an answer of HTTP: the library is not asked. */
  async guard(work: Promise<Result>): Promise<Result> {
    return work.catch((error) => {
      if (!(error instanceof RpcFault)) this.#fail(error);
      throw error;
    });
  }

  async send(message: JSONRPCMessage) {
    this.settle({ body: asBody(message), invalid: false });
  }

  async close() {
    this.onclose?.();
  }
}

function asBody(message: JSONRPCMessage): string | Buffer {
  if ('result' in message && message.result instanceof Written) {
    const head = `{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":`;
    const { json } = message.result;
    return typeof json === 'string' ? `${head}${json}}` : Buffer.concat([Buffer.from(head), json, END]);
  }
  // The library calls parameters that it can't parse an internal error, in its parser's words.
  if ('error' in message && message.error.code === ErrorCode.InternalError) {
    return rpcError(message.id ?? null, ErrorCode.InvalidParams, 'params: these are not the parameters of this method.');
  }
  return JSON.stringify(message);
}

const END = Buffer.from('}');

export function rpcError(id: string | number | null, code: number, message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } });
}
