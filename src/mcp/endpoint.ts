/** MCP over Streamable HTTP in both eras (behaviour §7.1). Only this file uses the library. */
import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import {
  CLIENT_INFO_META_KEY,
  classifyInboundRequest,
  createMcpHandler,
  isInitializeRequest,
  isSpecType,
  type JSONRPCMessage,
  type JSONRPCRequest,
  LATEST_PROTOCOL_VERSION,
  PROTOCOL_VERSION_META_KEY,
  ProtocolErrorCode,
  SERVER_INFO_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server';
import { isRecord } from '../values/records.ts';
import { firstCharacters } from '../values/text.ts';
import { version } from '../values/version.ts';
import { type Result, resultAnswer, rpcError } from './results.ts';
import { instructions } from './words.ts';

/** The revision without a handshake: each request carries its version in `_meta`. */
const MODERN_VERSION = '2026-07-28';
/** `modern` from 2026-07-28 on, `legacy` before. The library uses the same words. */
export type Era = 'legacy' | 'modern';

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
/** `version` is the version of the agent interface (behaviour §1.16). */
const serverInfo = { name: 'stint', title: 'Stint', version: '0.1.0', description: manifest.description };
const capabilities = { tools: {} };
const packageVersion = { 'stint/packageVersion': version };

const COMPLETE = '"resultType":"complete",';
/** The answer is the same for all callers. */
const CACHEABLE = `${COMPLETE}"ttlMs":3600000,"cacheScope":"public",`;

export interface Handlers {
  confirm(): Promise<void>;
  tools: Result;
  /** Returns null for an unknown tool. Checks the key itself. */
  callTool(name: string, given: Record<string, unknown>): Promise<Result> | null;
}

export interface Answer {
  status: number;
  body: string | Buffer;
}

export type Message = JSONRPCMessage;
export const isMessage: (value: unknown) => value is Message = isSpecType.JSONRPCMessage;

/** The era in which a message is answered, or the refusal (HTTP 400) of a message that breaks the rules of its era. */
export async function eraOf(
  message: Message,
  headers: IncomingHttpHeaders,
): Promise<{ era: Era; refusal?: never } | { era: null; refusal: string }> {
  const params = ('params' in message && message.params) || {};
  const asked = headers['mcp-protocol-version'];
  const claims = params._meta !== undefined && PROTOCOL_VERSION_META_KEY in params._meta;
  if (!claims && (asked === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(String(asked)))) return { era: 'legacy' };
  const header = (name: string) => (headers[name] === undefined ? undefined : String(headers[name]));
  const [method, name] = [header('mcp-method'), header('mcp-name')];
  const { kind } = classifyInboundRequest({
    httpMethod: 'POST',
    protocolVersionHeader: header('mcp-protocol-version'),
    mcpMethodHeader: method,
    mcpNameHeader: name,
    body: message,
  });
  if (kind === 'legacy') {
    if (isInitializeRequest(message)) return { era: 'legacy' };
    const versions = SUPPORTED_PROTOCOL_VERSIONS.join(', ');
    return {
      era: null,
      refusal: rpcError(null, ProtocolErrorCode.InvalidRequest, `MCP-Protocol-Version: send one of ${versions}, as initialize answered.`),
    };
  }
  const isPlain = asked === MODERN_VERSION && method !== undefined && (method !== 'tools/call' || name === params.name);
  const refusal = kind === 'modern' && isPlain ? null : await libraryRefusal(message, headers);
  return refusal === null ? { era: 'modern' } : { era: null, refusal };
}

/** The library's refusal of a message, or null if it accepts it. The library calls the factory only for messages that it accepts; the throw
 *  prevents it from serving them. */
async function libraryRefusal(message: Message, headers: IncomingHttpHeaders): Promise<string | null> {
  let accepted = false;
  const library = createMcpHandler(
    () => {
      accepted = true;
      throw new Error('answerRequest serves this message.');
    },
    { legacy: 'reject' },
  );
  const compared = Object.entries(headers).flatMap(([name, value]) => (name.startsWith('mcp-') ? [[name, String(value)]] : []));
  const given = { 'content-type': 'application/json', ...Object.fromEntries(compared) };
  const request = new Request('http://localhost', { method: 'POST', headers: given });
  const answer = await library.fetch(request, { parsedBody: message });
  return accepted ? null : answer.text();
}

const MOST_CHARACTERS = 100;
const shown = (text: string) => firstCharacters(text.toWellFormed().replace(/[\p{Cc}\p{Cf}]/gu, ' '), MOST_CHARACTERS);

/** The name and version of the client, else its User-Agent, and the protocol version. Legacy clients give a name only in `initialize`. */
export function clientOf(message: Message, era: Era, headers: IncomingHttpHeaders) {
  const begun = isInitializeRequest(message) ? message.params : null;
  const meta = 'params' in message ? message.params?._meta : undefined;
  const info = era === 'modern' ? meta?.[CLIENT_INFO_META_KEY] : begun?.clientInfo;
  const named = isSpecType.Implementation(info);
  const client = named ? `${info.title ?? info.name} ${info.version}` : headers['user-agent'];
  const asked = headers['mcp-protocol-version'];
  const protocolVersion =
    era === 'modern' ? MODERN_VERSION : begun ? agreed(begun.protocolVersion) : asked === undefined ? null : String(asked);
  return { client: client === undefined ? null : shown(client), named, protocolVersion };
}

const agreed = (asked: string) => (SUPPORTED_PROTOCOL_VERSIONS.includes(asked) ? asked : LATEST_PROTOCOL_VERSION);

export async function answerRequest(request: JSONRPCRequest, era: Era, { confirm, tools, callTool }: Handlers): Promise<Answer> {
  const { id, method, params = {} } = request;
  const isModern = era === 'modern';
  const ok = ({ members, meta }: Result, opening = COMPLETE): Answer => ({
    status: 200,
    body: isModern
      ? resultAnswer(id, { members, meta: { ...meta, [SERVER_INFO_META_KEY]: serverInfo } }, opening)
      : resultAnswer(id, { members, meta }),
  });
  const result = async (value: Result, opening?: string) => {
    await confirm();
    return ok(value, opening);
  };
  const fault = async (code: number, message: string, status = 200): Promise<Answer> => {
    await confirm();
    return { status, body: rpcError(id, code, message) };
  };
  if (method === 'tools/list') return result(tools, CACHEABLE);
  if (method === 'tools/call') {
    const { name } = params;
    // Some clients send null instead of omitting it.
    const given = params.arguments ?? {};
    if (typeof name !== 'string') return fault(ProtocolErrorCode.InvalidParams, 'params.name: give the name of a tool.');
    if (!isRecord(given)) return fault(ProtocolErrorCode.InvalidParams, 'params.arguments: give an object.');
    const called = callTool(name, given);
    if (called) return ok(await called);
    return fault(ProtocolErrorCode.InvalidParams, `Unknown tool ${name.slice(0, 100)}: call tools/list for the names.`);
  }
  if (isModern && method === 'server/discover') {
    return result(
      { members: membersOf({ supportedVersions: [MODERN_VERSION], capabilities, instructions }), meta: packageVersion },
      CACHEABLE,
    );
  }
  if (!isModern && method === 'ping') return result({ members: '' });
  if (!isModern && method === 'initialize') {
    if (!isInitializeRequest(request)) {
      return fault(ProtocolErrorCode.InvalidParams, 'params: give protocolVersion, capabilities and clientInfo.');
    }
    const protocolVersion = agreed(request.params.protocolVersion);
    return result({ members: membersOf({ protocolVersion, capabilities, serverInfo, instructions }), meta: packageVersion });
  }
  return fault(ProtocolErrorCode.MethodNotFound, 'Method not found: this server offers tools only.', isModern ? 404 : 200);
}

const membersOf = (value: object) => JSON.stringify(value).slice(1, -1);
