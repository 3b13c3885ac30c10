/** HTTP handling of the agent endpoint before and after the protocol: behaviour §7.1, §7.2, §7.3. */
import type { Context } from 'koa';
import type { Caller, KeyHolder } from '../access/caller.ts';
import type { Identities, Identity } from '../access/identities.ts';
import { agentCaller, type LastUse } from '../access/presented.ts';
import { metered } from '../access/throttle/loopShare.ts';
import type { Allowance, Limiter } from '../access/throttle/perMinute.ts';
import { answerAppError, answerError, answerJson, setLimitHeaders } from '../http/answer.ts';
import { readJson } from '../http/body.ts';
import { apart, isOwnOrigin } from '../http/guard.ts';
import { subjectOf } from '../http/requestLog.ts';
import { asAppError } from '../operations/refusals.ts';
import { AppError, CredentialRefused, InvalidRequest, RateLimited, Unauthenticated } from '../values/errors.ts';
import { lazy } from '../values/lazy.ts';
import { type CallDeps, runCall } from './calls.ts';
import type { Answer, Era, Message } from './endpoint.ts';
import { type Result, rpcError } from './results.ts';
import { inputSchema, outputSchema } from './schemas.ts';
import { isWrite, type Tool } from './tools.ts';

const MAX_BODY_BYTES = 8 * 1024 * 1024;
/** In other tools, `id` is a note, entry or block. */
const aboutItems = /^svc_(context|find_work|get_item|create_items|update_items?|add_note|remove_item|time|plan_block)$/;
/** Slow to load, so web.ts loads it after it listens, or the first message does. Kept, because each `import()` resolves its path again. */
const loadProtocol = lazy(() => import('./endpoint.ts'));
const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;

export interface McpDeps extends CallDeps {
  limiter: Limiter;
  lastUse: LastUse;
  identities: Identities;
  origin: string;
}

export function mcpHandler(tools: readonly Tool[], deps: McpDeps) {
  const list: Result = { members: Buffer.from(`"tools":${JSON.stringify(tools.map(listedTool))}`) };
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return async (ctx: Context): Promise<void> => {
    ctx.state.operation = 'mcp';
    ctx.state.path = '/mcp';
    if (ctx.method !== 'POST') {
      ctx.set('Allow', 'POST');
      return answerError(ctx, 405, 'The agent endpoint accepts only POST. Send JSON-RPC 2.0 requests as an MCP client does.');
    }
    try {
      await serve(ctx, { ...deps, list, byName });
    } catch (error) {
      answerAppError(ctx, inAgentTerms(asAppError(error)), 'Bearer');
    }
  };
}

function inAgentTerms(error: AppError): AppError {
  if (!(error instanceof CredentialRefused)) return error;
  return new Unauthenticated(
    'This is not a valid agent key, or it was rotated, expired or revoked. Create or rotate a connection on the page /mcp-access and use its key.',
  );
}

export function listedTool(tool: Tool) {
  const { name, title, description, destructive = false } = tool;
  const annotations = { readOnlyHint: !isWrite(tool), destructiveHint: destructive, idempotentHint: true, openWorldHint: false };
  return { name, title, description, inputSchema: inputSchema(tool), annotations, outputSchema: outputSchema(tool) };
}

interface Served extends McpDeps {
  list: Result;
  byName: Map<string, Tool>;
}

async function serve(ctx: Context, deps: Served): Promise<void> {
  const startedAt = performance.now();
  refuseForeignOrigin(ctx, deps.origin);
  const caller = { ...agentCaller(ctx.req.rawHeaders, ctx.querystring), address: ctx.ip.slice(0, 100) };
  ctx.state.caller = caller;
  const ofKey = await admittedKey(ctx, deps.limiter, caller);
  const { identity, fresh } = await deps.identities.find(caller);
  ctx.state.identity = identity;
  const confirmed = await limit(ctx, deps.limiter, ofKey, identity.credentialId, fresh);
  const known = { caller: { ...caller, owner: identity }, identity, fresh, startedAt, confirmed };
  await metered(identity, () => answerMessage(ctx, deps, known));
}

interface Known {
  caller: Caller & { kind: 'agent' };
  identity: Identity;
  fresh: boolean;
  startedAt: number;
  confirmed(): Promise<void>;
}

async function answerMessage(ctx: Context, deps: Served, { caller, identity, fresh, startedAt, confirmed }: Known): Promise<void> {
  const confirm = async () => {
    if (!fresh) await deps.identities.check(caller);
    await confirmed();
  };
  const read = await readMessage(ctx, confirm);
  if (read === null) return;
  const { message, era } = read;
  deps.lastUse.note(caller);
  const { answerRequest, clientOf } = await loadProtocol();
  const names = era === 'modern' || ('method' in message && message.method === 'initialize');
  deps.lastUse.noteClient(caller, names, () => clientOf(message, era, ctx.req.headers));
  if (!('id' in message) || !('method' in message)) {
    await confirm();
    ctx.body = null;
    ctx.status = 202;
    return;
  }
  const callTool = (name: string, given: Record<string, unknown>) => {
    const tool = deps.byName.get(name);
    if (!tool) return null;
    ctx.state.operation = name;
    if (aboutItems.test(name)) ctx.state.subject = subjectOf(given);
    return runCall(deps, {
      tool,
      toolNamed: (other) => deps.byName.get(other),
      given,
      caller,
      identity,
      startedAt,
      wanted: () => !ctx.res.closed,
      confirm,
      confirmed,
      apart: (work) => apart(ctx, work),
      onFailure: (error) => {
        ctx.state.cause ??= error.cause;
        if (error.code === 'unavailable') ctx.state.unavailable = true;
      },
    });
  };
  answer(ctx, await answerRequest(message, era, { confirm, tools: deps.list, callTool }));
}

function refuseForeignOrigin(ctx: Context, own: string) {
  const { origin } = ctx.req.headers;
  if (origin !== undefined && !isOwnOrigin(own, ctx, origin)) {
    throw new AppError('forbidden', 'Pages of another origin cannot call this endpoint. Call it from a backend that has the key.');
  }
}

/** Charges any given key before we know if it is valid. */
async function admittedKey(ctx: Context, limiter: Limiter, { hash }: KeyHolder): Promise<Allowance> {
  const found = limiter.admit(`mcp-key:${hash.toString('base64url')}`);
  return heeded(ctx, found instanceof Promise ? await found : found);
}

/** Charges the connection only for calls with a valid key, immediately or by the returned function, so a rotated key does not use up its
 *  limit. */
async function limit(ctx: Context, limiter: Limiter, ofKey: Allowance, connectionId: number, fresh: boolean): Promise<() => Promise<void>> {
  const key = `mcp:${connectionId}`;
  const ofConnection = fresh ? await limiter.admit(key) : limiter.peek(key);
  heeded(ctx, ofConnection.remaining < ofKey.remaining || !ofConnection.admitted ? ofConnection : ofKey);
  let charged = fresh;
  return async () => {
    if (charged) return;
    charged = true;
    await limiter.admit(key);
  };
}

function heeded(ctx: Context, allowance: Allowance): Allowance {
  setLimitHeaders(ctx, allowance);
  if (!allowance.admitted) throw new RateLimited(allowance.reset);
  return allowance;
}

async function readMessage(ctx: Context, confirm: () => Promise<void>): Promise<{ message: Message; era: Era } | null> {
  const refuse = async (body: string) => {
    await confirm();
    answerJson(ctx, 400, body);
    ctx.set('X-Error-Code', 'invalid_request');
    if (!ctx.req.complete) ctx.set('Connection', 'close');
    return null;
  };
  let message: unknown;
  try {
    message = await readJson(ctx, MAX_BODY_BYTES);
  } catch (error) {
    if (error instanceof InvalidRequest) return refuse(rpcError(null, PARSE_ERROR, error.message));
    throw error;
  }
  if (Array.isArray(message)) return refuse(rpcError(null, INVALID_REQUEST, 'Batches are not supported. Send one message at a time.'));
  const { isMessage, eraOf } = await loadProtocol();
  if (!isMessage(message)) {
    return refuse(rpcError(null, INVALID_REQUEST, 'Send a JSON-RPC 2.0 message: an object with jsonrpc "2.0" and a method.'));
  }
  const { era, refusal } = await eraOf(message, ctx.req.headers);
  return era ? { message, era } : refuse(refusal);
}

function answer(ctx: Context, { status, body }: Answer) {
  const accept = ctx.req.headers.accept ?? '*/*';
  const acceptsJson = !accept.includes('text/event-stream') || /application\/json|application\/\*|\*\/\*/.test(accept);
  if (acceptsJson || status !== 200) return answerJson(ctx, status, body);
  ctx.status = status;
  ctx.type = 'text/event-stream; charset=utf-8';
  ctx.body = `event: message\ndata: ${body}\n\n`;
}
