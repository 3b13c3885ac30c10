/** Maps requests under {base}/api/v1 to operations and their results to responses: behaviour §5.4, §5.5, §5.8. */
import { hash } from 'node:crypto';
import type { Context } from 'koa';
import type { Caller } from '../access/caller.ts';
import type { Identities } from '../access/identities.ts';
import { identify, type LastUse, restCallers } from '../access/presented.ts';
import { isCsrfToken } from '../access/secrets.ts';
import { metered } from '../access/throttle/loopShare.ts';
import type { Limiter } from '../access/throttle/perMinute.ts';
import type { Db } from '../database/db.ts';
import { answerAppError, answerError, answerJson, answerTagged, setLimitHeaders } from '../http/answer.ts';
import { readJson } from '../http/body.ts';
import { subjectOf } from '../http/requestLog.ts';
import { parseInput } from '../operations/input.ts';
import { jsonTextOf, type Result, TaggedJson } from '../operations/json.ts';
import { isRead, type Write } from '../operations/operation.ts';
import { perform, performOnce } from '../operations/perform.ts';
import { asAppError } from '../operations/refusals.ts';
import { fingerprint } from '../operations/request.ts';
import { AppError, InvalidRequest, RateLimited, Unauthenticated } from '../values/errors.ts';
import { matchesValidKey, type SecretKeys } from '../values/secretKeys.ts';
import { idempotencyKeyOf, lacking, type QueryReader, queryReader } from './query.ts';
import type { Route } from './routes.ts';

const MAX_BODY_BYTES = 1024 * 1024;

export interface RestDeps extends SecretKeys {
  db: Db;
  limiter: Limiter;
  lastUse: LastUse;
  identities: Identities;
  /** True if a session cookie may have a companion cookie (access/presented.ts). */
  companions: boolean;
}

type RestCaller = Caller & { kind: 'key' | 'session' };

interface Bound extends Route {
  readQuery: QueryReader;
}

export function restHandler(routes: Route[], deps: RestDeps) {
  const table = new Map<string, Map<string, Bound>>();
  for (const route of routes) {
    const methods = table.get(route.path) ?? new Map<string, Bound>();
    methods.set(route.method, { ...route, readQuery: route.method === 'GET' ? queryReader(route.operation.input) : () => ({}) });
    table.set(route.path, methods);
  }
  return async (ctx: Context, path: string): Promise<void> => {
    const methods = table.get(path);
    const route = methods?.get(ctx.method);
    if (!methods) return answerError(ctx, 404, 'There is nothing at this address. See /api/v1/docs for the operations.');
    if (!route) {
      const allowed = [...methods.keys()].join(', ');
      ctx.set('Allow', allowed);
      return answerError(ctx, 405, `This address accepts only ${allowed}.`);
    }
    ctx.state.operation = route.operation.name;
    ctx.state.path = `/api/v1${path}`;
    try {
      await serve(ctx, route, deps);
    } catch (error) {
      answerAppError(ctx, asAppError(error));
    }
  };
}

async function serve(ctx: Context, route: Bound, deps: RestDeps): Promise<void> {
  const presented = await callerOf(ctx, deps);
  ctx.state.caller = presented;
  await limit(ctx, deps.limiter, presented);
  const owner = presented.owner ?? (await deps.identities.find(presented)).identity;
  await metered(owner, () => carryOut(ctx, route, deps, { ...presented, owner }));
}

async function carryOut(ctx: Context, route: Bound, deps: RestDeps, caller: RestCaller): Promise<void> {
  const { input, key } = await readInput(ctx, route, deps, caller);
  ctx.state.subject = subjectOf(input);
  if (route.method === 'POST' && caller.kind === 'session') await requireCsrf(ctx, deps, caller);
  const known = route.etag ? knownTags(ctx) : undefined;
  const wanted = () => !ctx.res.closed;
  const { operation } = route;
  const carriedOut =
    key === null || isRead(operation)
      ? perform(deps.db, caller, operation, input, { known, wanted })
      : carryOutOnce(ctx, deps, caller, { write: operation, key }, input, wanted);
  const result = await carriedOut.catch(async (error) => {
    throw await namingGrants(deps, caller, route, input, error);
  });
  deps.lastUse.note(caller);
  if (result instanceof TaggedJson) return answerUnlessKnown(ctx, result);
  const text = jsonTextOf(result);
  if (!known) return answerJson(ctx, 200, text);
  const tag = hash('sha1', text, 'base64url');
  answerUnlessKnown(ctx, new TaggedJson(tag, known.includes(tag) || known.includes('*') ? null : [text]));
}

async function callerOf(ctx: Context, { identities, companions }: RestDeps): Promise<RestCaller> {
  const presented = restCallers(ctx.req.rawHeaders, ctx.querystring, companions);
  const caller = Array.isArray(presented) ? await identities.session(presented) : presented;
  if (!caller) throw new Unauthenticated('The session has ended. Sign in again.');
  return caller;
}

async function limit(ctx: Context, limiter: Limiter, caller: RestCaller) {
  const found = limiter.admit(caller.kind === 'key' ? `rest:${caller.hash.toString('base64url')}` : `rest-of:${caller.owner?.userId}`);
  const allowance = found instanceof Promise ? await found : found;
  setLimitHeaders(ctx, allowance);
  if (!allowance.admitted) throw new RateLimited(allowance.reset);
}

interface Once {
  write: Write<object, object>;
  key: string;
}

/** Parses the operation's input, and the Idempotency-Key of a POST. Callers without a valid credential get 401 before any 400. */
async function readInput(ctx: Context, route: Bound, deps: RestDeps, caller: Caller): Promise<{ input: object; key: string | null }> {
  try {
    if (route.method === 'GET') return { input: parseInput(route.operation.input, route.readQuery(ctx.querystring)), key: null };
    const key = idempotencyKeyOf(ctx.req.rawHeaders);
    const body = await readJson(ctx, MAX_BODY_BYTES);
    if (ctx.querystring) throw new InvalidRequest([], 'This address accepts no query. Send the values in the body.');
    return { input: parseInput(route.operation.input, body), key };
  } catch (error) {
    if (error instanceof InvalidRequest) await identify(deps.db, caller);
    throw error;
  }
}

async function carryOutOnce(
  ctx: Context,
  deps: RestDeps,
  caller: RestCaller,
  { write, key }: Once,
  input: object,
  wanted: () => boolean,
): Promise<Result<object>> {
  const { result, replayed } = await performOnce(deps.db, caller, write, input, {
    call: { kind: caller.kind, hash: caller.hash, idempotencyKey: key, operation: write.name },
    fingerprintOf: (given) => fingerprint(deps.secretKey, write.name, given),
    isFingerprintOf: (known, given) => matchesValidKey(deps, known, (secret) => fingerprint(secret, write.name, given)),
    wanted,
  });
  if (replayed) ctx.set('Idempotent-Replayed', 'true');
  return result;
}

/** A key's 403 names the grants that the request needs and the key lacks (behaviour §3.28). */
async function namingGrants({ db }: RestDeps, caller: RestCaller, route: Route, input: object, error: unknown): Promise<unknown> {
  const refusal = asAppError(error);
  if (refusal.code !== 'forbidden' || caller.kind !== 'key' || !route.needs) return refusal;
  return lacking(route.needs(input), (await identify(db, caller)).rights) ?? refusal;
}

/** An invalid session gets 401, before its token is refused. */
async function requireCsrf(ctx: Context, deps: RestDeps, caller: Caller & { kind: 'session' }) {
  const token = ctx.req.headers['x-csrf-token'];
  if (isCsrfToken(deps, caller.hash, typeof token === 'string' ? token : undefined)) return;
  await identify(deps.db, caller);
  throw new AppError('forbidden', 'X-CSRF-Token: send the csrfToken that GET /capabilities answers to this session.');
}

function knownTags(ctx: Context): string[] {
  const given = ctx.req.headers['if-none-match'];
  return given ? given.split(',').map((entry) => entry.trim().replace(/^(?:W\/)?"(.*)"$/, '$1')) : [];
}

/** Responds 200, or 304 if the caller has this version. Access is already checked. */
function answerUnlessKnown(ctx: Context, tagged: TaggedJson<object>): void {
  ctx.set('ETag', `"${tagged.tag}"`);
  ctx.set('Cache-Control', 'private, no-cache');
  if (tagged.pieces) answerTagged(ctx, tagged);
  else ctx.status = 304;
}
