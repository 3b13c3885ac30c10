/** The agent endpoint over a database: workspaces open to agents, connections, and a plain JSON-RPC caller. */
import { randomUUID } from 'node:crypto';
import { Ajv2020 } from 'ajv/dist/2020.js';
import pg from 'pg';
import { type AgentLevels, agentResources, type Level, rightsOfLevels } from '../../src/access/rights.ts';
import { newSecret } from '../../src/access/secrets.ts';
import { outputSchema } from '../../src/mcp/schemas.ts';
import { tools } from '../../src/mcp/tools.ts';
import { modernRequest } from './modernRequest.ts';
import { type Fixtures, type RestWorld, restWorld } from './restWorld.ts';

// biome-ignore lint/suspicious/noExplicitAny: results are JSON, looked into freely
type Json = any;

export const everything = Object.fromEntries(agentResources.map((name) => [name, 'delete'])) as AgentLevels;

/** Opens a workspace to agents. */
export async function openToAgents(fixtures: Fixtures, workspaceId: number, limits: Partial<AgentLevels> = everything): Promise<void> {
  await fixtures.sql('update workspaces set mcp_enabled = true, mcp_rights = $2 where id = $1', [workspaceId, rightsOfLevels(limits)]);
}

export interface ConnectionSettings {
  workspaces: number[];
  permissions?: Partial<Record<keyof AgentLevels, Level>>;
  timezone?: string;
  plainLanguage?: boolean;
  personalNoteRights?: number;
  expiresAt?: string | null;
}

/** A connection of the user with full access by default. */
export async function connect(fixtures: Fixtures, userId: number, settings: ConnectionSettings): Promise<{ id: number; key: string }> {
  const {
    workspaces,
    permissions = everything,
    timezone = 'UTC',
    plainLanguage = false,
    personalNoteRights = 15,
    expiresAt = null,
  } = settings;
  const { secret, hash } = newSecret('agent');
  const [row] = await fixtures.sql(
    `with made as (
       insert into connections (account_id, user_id, name, key_hash, rights, note_rights, timezone, plain_language, expires_at)
       select account_id, id, 'Agent', $2, $3, $4, $5, $6, $7 from users where id = $1 returning id, account_id),
     places as (insert into connection_workspaces (account_id, connection_id, workspace_id)
       select made.account_id, made.id, w from made, unnest($8::bigint[]) w)
     select id from made`,
    [userId, hash, rightsOfLevels(permissions), personalNoteRights, timezone, plainLanguage, expiresAt, workspaces],
  );
  return { id: Number(row.id), key: secret };
}

/** An endpoint, a key, and the era in which `rpc` and `call` speak: legacy by default. */
export interface Target {
  url: string;
  key: string;
  era?: 'legacy' | 'modern';
}

/** A POST as MCP clients send it. Headers set to undefined are omitted. The signal disconnects. */
export function post(
  { url, key }: Target,
  body: unknown,
  headers: Record<string, string | undefined> = {},
  signal: AbortSignal | null = null,
): Promise<Response> {
  const all: Record<string, string | undefined> = {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    Authorization: `Bearer ${key}`,
    ...headers,
  };
  const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return fetch(url, { method: 'POST', headers: given, body: text, redirect: 'manual', signal });
}

/** A request's answer, whatever its HTTP status. */
export async function rpc(target: Target, method: string, params?: object): Promise<Json> {
  const { body, headers } = target.era === 'modern' ? modernRequest(method, params) : { body: { jsonrpc: '2.0', id: 1, method, params } };
  const answer = await post(target, body, headers);
  return answer.json();
}

export interface ToolResult {
  isError: boolean;
  value: Json;
  replayed: boolean;
  raw: Json;
}

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
const outputs = new Map<string, ReturnType<typeof ajv.compile>>();

/** Compiled on first use: all take a tenth of a second, and most files call a few. */
function checkOf(name: string) {
  const known = outputs.get(name);
  if (known) return known;
  const made = ajv.compile(outputSchema(tools.find((tool) => tool.name === name)!));
  outputs.set(name, made);
  return made;
}

/** A tool's result, checked against its outputSchema. Throws when the answer is no tool result. */
export async function call(target: Target, name: string, given: Json = {}): Promise<ToolResult> {
  const answer = await rpc(target, 'tools/call', { name, arguments: given });
  if (!answer.result) throw new Error(`${name}: ${JSON.stringify(answer)}`);
  const { structuredContent: value, isError = false, _meta, content } = answer.result;
  const fits = checkOf(name);
  if (!fits(value)) throw new Error(`${name} answers what its outputSchema does not allow: ${JSON.stringify([value, fits.errors])}`);
  if (content.length !== 1 || content[0].text !== JSON.stringify(value)) throw new Error(`${name} says one thing and shows another.`);
  return { value, isError, replayed: _meta?.replayed === true, raw: answer.result };
}

/** The value of a tool that must succeed. */
export async function ask(target: Target, name: string, given: Json = {}): Promise<Json> {
  const { value, isError } = await call(target, name, given);
  if (isError) throw new Error(`${name} ${JSON.stringify(given)}: ${JSON.stringify(value)}`);
  return value;
}

/** Arguments with a fresh requestId. */
export const once = (given: Json) => ({ requestId: randomUUID(), ...given });

/** Runs a statement in a transaction that stays open. Resolves to a function that ends it. */
export async function hold(databaseUrl: string, statement: string): Promise<() => Promise<void>> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  await client.query('begin');
  await client.query(statement);
  return () => client.end();
}

/** A workspace open to agents and its owner's connection with full access, with REST. */
export async function mcpWorld(databaseUrl: string, settings: Record<string, string> = {}) {
  const world: RestWorld = await restWorld(databaseUrl, { RATE_LIMIT_MCP: '1000000', ...settings });
  const { fixtures, workspaceId, ownerId, api } = world;
  await openToAgents(fixtures, workspaceId);
  const url = api.base.replace(/\/api\/v1$/, '/mcp');
  const agentOf = async (userId: number, more: Partial<ConnectionSettings> = {}) => {
    const made = await connect(fixtures, userId, { workspaces: [workspaceId], ...more });
    return { ...made, url };
  };
  /** New items in the workspace, created by the owner's agent. */
  const agent = await agentOf(ownerId);
  const make = async (...items: Json[]): Promise<Json[]> => (await ask(agent, 'svc_create_items', once({ workspaceId, items }))).items;
  return { ...world, url, agent, agentOf, make };
}
export type McpWorld = Awaited<ReturnType<typeof mcpWorld>>;
