/** MCP over stateless Streamable HTTP (behaviour §7.1). Only this file uses the library's message schemas. */
import { readFileSync } from 'node:fs';
import {
  ErrorCode,
  InitializeRequestSchema,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  type JSONRPCRequest,
  LATEST_PROTOCOL_VERSION,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/sdk/types.js';
import { version } from '../values/version.ts';
import { type ResultText, resultAnswer, rpcError } from './results.ts';
import { instructions } from './words.ts';

export const protocolVersions: readonly string[] = SUPPORTED_PROTOCOL_VERSIONS;

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
/** The answer to `initialize` without the protocol version. `version` is the version of the agent interface (behaviour §1.16). */
const SERVER = {
  capabilities: { tools: {} },
  serverInfo: { name: 'stint', title: 'Stint', version: '0.1.0', description: manifest.description },
  instructions,
  _meta: { 'stint/packageVersion': version },
};

export interface Handlers {
  confirm(): Promise<void>;
  tools: ResultText;
  /** Returns null for an unknown tool. Checks the key itself. */
  callTool(name: string, given: Record<string, unknown>): Promise<ResultText> | null;
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

export type Message = JSONRPCMessage;
export const isMessage = (value: unknown): value is Message => JSONRPCMessageSchema.safeParse(value).success;

export async function answerRequest(request: JSONRPCRequest, { confirm, tools, callTool }: Handlers): Promise<string | Buffer> {
  const { id, method, params = {} } = request;
  const result = async (written: ResultText) => {
    await confirm();
    return resultAnswer(id, written);
  };
  const fault = async (code: number, message: string) => {
    await confirm();
    return rpcError(id, code, message);
  };
  switch (method) {
    case 'ping':
      return result('{}');
    case 'initialize': {
      const { data } = InitializeRequestSchema.safeParse(request);
      if (!data) return fault(ErrorCode.InvalidParams, 'params: these are not the parameters of this method.');
      const asked = data.params.protocolVersion;
      return result(JSON.stringify({ protocolVersion: protocolVersions.includes(asked) ? asked : LATEST_PROTOCOL_VERSION, ...SERVER }));
    }
    case 'tools/list':
      return result(tools);
    case 'tools/call': {
      const { name } = params;
      // Some clients send null instead of omitting it.
      const given = params.arguments ?? {};
      if (typeof name !== 'string') return fault(ErrorCode.InvalidParams, 'params.name: give the name of a tool.');
      if (!isRecord(given)) return fault(ErrorCode.InvalidParams, 'params.arguments: give an object.');
      const called = callTool(name, given);
      if (called) return resultAnswer(id, await called);
      return fault(ErrorCode.InvalidParams, `Unknown tool ${name.slice(0, 100)}: tools/list shows the tools there are.`);
    }
    default:
      return fault(ErrorCode.MethodNotFound, 'Method not found: this server offers tools only.');
  }
}
