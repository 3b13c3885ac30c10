/** Popular MCP clients behind one small interface: the official ones of both eras and two of other vendors. */
import { createMCPClient } from '@ai-sdk/mcp';
import { Client as ClientV2, LATEST_PROTOCOL_VERSION, StreamableHTTPClientTransport as TransportV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { MCPServerStreamableHttp } from '@openai/agents-core';
import type { Target } from './mcpWorld.ts';
import { MODERN_VERSION } from './modernRequest.ts';

// biome-ignore lint/suspicious/noExplicitAny: results are JSON, looked into freely
type Json = any;

export interface McpClient {
  toolNames(): Promise<string[]>;
  /** The value of a tool, or its error. */
  call(name: string, given: Json): Promise<Json>;
  close(): Promise<void>;
}

const INFO = { name: 'stint-test', version: '1.0.0' };

/** Compares the text with the structure: some clients show one, some the other. */
function asValue({ content, structuredContent }: Json): Json {
  const text = JSON.parse(content[0].text);
  if (structuredContent !== undefined && JSON.stringify(text) !== JSON.stringify(structuredContent)) throw new Error('text differs');
  return text;
}

async function v1({ url, key }: Target): Promise<McpClient> {
  const client = new ClientV1(INFO);
  await client.connect(new TransportV1(new URL(url), { requestInit: { headers: { Authorization: `Bearer ${key}` } } }) as never);
  return {
    // Listing the tools makes the client validate results.
    toolNames: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, given) => asValue(await client.callTool({ name, arguments: given })),
    close: () => client.close(),
  };
}

const v2 =
  (mode: 'legacy' | 'auto' | { pin: string }) =>
  async ({ url, key }: Target): Promise<McpClient> => {
    const client = new ClientV2(INFO, { versionNegotiation: { mode } });
    await client.connect(new TransportV2(new URL(url), { requestInit: { headers: { Authorization: `Bearer ${key}` } } }));
    const spoken = client.getNegotiatedProtocolVersion();
    if (spoken !== (mode === 'legacy' ? LATEST_PROTOCOL_VERSION : MODERN_VERSION)) throw new Error(`speaks ${spoken}`);
    return {
      toolNames: async () => (await client.listTools()).tools.map(({ name }) => name),
      call: async (name, given) => asValue(await client.callTool({ name, arguments: given })),
      close: () => client.close(),
    };
  };

async function aiSdk({ url, key }: Target): Promise<McpClient> {
  const client = await createMCPClient({ transport: { type: 'http', url, headers: { 'X-API-Key': key } } });
  const tools: Json = await client.tools();
  return {
    toolNames: async () => Object.keys(tools),
    call: async (name, given) => asValue(await tools[name].execute(given, { toolCallId: '1', messages: [] })),
    close: () => client.close(),
  };
}

async function openAiAgents({ url, key }: Target): Promise<McpClient> {
  const server = new MCPServerStreamableHttp({ url, name: 'stint', requestInit: { headers: { Authorization: `Bearer ${key}` } } });
  await server.connect();
  return {
    toolNames: async () => (await server.listTools()).map(({ name }) => name),
    call: async (name, given) => asValue({ content: await server.callTool(name, given) }),
    close: () => server.close(),
  };
}

export const clients = {
  '@modelcontextprotocol/sdk 1': v1,
  '@modelcontextprotocol/client 2, handshake': v2('legacy'),
  '@modelcontextprotocol/client 2, pinned to 2026-07-28': v2({ pin: MODERN_VERSION }),
  '@modelcontextprotocol/client 2, auto': v2('auto'),
  '@ai-sdk/mcp': aiSdk,
  '@openai/agents-core': openAiAgents,
} satisfies Record<string, (target: Target) => Promise<McpClient>>;
