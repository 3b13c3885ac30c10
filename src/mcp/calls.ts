/** Runs a tool call: checks the arguments, performs the operation (a write once per requestId), and records the outcome. */
import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import type { Identity } from '../access/identities.ts';
import type { Activity } from '../connections/activity.ts';
import { isObjective } from '../connections/getContext.ts';
import { assignable } from '../connections/manage.ts';
import type { Db } from '../database/db.ts';
import { parseInput } from '../operations/input.ts';
import { outputOf } from '../operations/json.ts';
import { isRead } from '../operations/operation.ts';
import { perform, performOnce, recall } from '../operations/perform.ts';
import { asAppError } from '../operations/refusals.ts';
import { fingerprint } from '../operations/request.ts';
import { type AppError, InvalidRequest, sentenceOf } from '../values/errors.ts';
import { isRecord } from '../values/records.ts';
import { matchesValidKey, type SecretKeys } from '../values/secretKeys.ts';
import { Id, Uuid } from '../values/text.ts';
import { failure, failureOf, type Result, success } from './results.ts';
import type { Tool } from './tools.ts';

export interface CallDeps extends SecretKeys {
  db: Db;
  activity: Activity;
  rewriteTimeoutMs: number;
}

export interface Call {
  tool: Tool;
  toolNamed(name: string): Tool | undefined;
  given: Record<string, unknown>;
  caller: Caller;
  identity: Identity;
  /** `performance.now()` when the request arrived. */
  startedAt: number;
  /** False once the agent has disconnected. */
  wanted(): boolean;
  /** Throws Unauthenticated unless the key is valid now. Checked first: callers without a valid key learn nothing about their arguments. */
  confirm(): Promise<void>;
  confirmed(): Promise<void>;
  /** Waits without using up the deadline. */
  apart<T>(work: Promise<T>): Promise<T>;
  onFailure(error: AppError): void;
}

/** Returns the result or a failure. Throws only Unauthenticated. */
export async function runCall(deps: CallDeps, call: Call): Promise<Result> {
  const { tool, identity, startedAt } = call;
  const note = (outcome: string, workspaceId: number | null) =>
    deps.activity.note({
      ...connectionOf(identity),
      workspaceId,
      tool: tool.name,
      outcome,
      elapsedMs: Math.round(performance.now() - startedAt),
    });
  try {
    const { result, replayed } = await runTool(deps, call);
    await call.confirmed();
    if (replayed || isRead(tool.operation)) note(replayed ? 'replayed' : 'ok', workspaceOf(call.given, result));
    return success(result, replayed);
  } catch (thrown) {
    const error = asAppError(thrown);
    if (error.code === 'unauthenticated') throw error;
    // Every error except `unavailable` comes after the access check.
    if (error.code !== 'unavailable') await call.confirmed();
    call.onFailure(error);
    note(error.code, null);
    return failure(error, tool, await betterMessage(deps, call, error));
  }
}

async function runTool(deps: CallDeps, call: Call): Promise<{ result: object; replayed: boolean }> {
  const { operation } = call.tool;
  if (isRead(operation)) {
    const input = await parsed(call, () => parseInput(operation.input, call.given, 'The arguments'));
    const result = outputOf(await perform(deps.db, call.caller, operation, input, { wanted: call.wanted }));
    const requestId = 'requestId' in input ? input.requestId : undefined;
    if (typeof requestId !== 'string') return { result, replayed: false };
    return { result: { ...result, request: await requestNamed(deps, call, requestId) }, replayed: false };
  }
  const { requestId, ...rest } = call.given;
  const [id, input] = await parsed(call, () => [
    parseInput(RequestId, { requestId }).requestId,
    parseInput(operation.input, rest, 'The arguments'),
  ]);
  const { tool, startedAt } = call;
  return performOnce(deps.db, call.caller, operation, input, {
    call: { ...connectionOf(call.identity), requestId: id, tool: tool.name, startedAt },
    fingerprintOf: (given) => fingerprint(deps.secretKey, tool.name, given),
    isFingerprintOf: (known, given) => matchesValidKey(deps, known, (key) => fingerprint(key, tool.name, given)),
    wanted: call.wanted,
    patienceMs: deps.rewriteTimeoutMs,
    apart: call.apart,
  });
}

async function betterMessage(deps: CallDeps, call: Call, error: AppError): Promise<string | undefined> {
  if (error.code === 'forbidden') {
    const objective = await objectiveIn(deps, call, error);
    if (objective === null) return undefined;
    return `Item ${objective} is a goal: goals are read in svc_context, as objectives, and changed by people.`;
  }
  if (!(error instanceof InvalidRequest)) return undefined;
  const [{ path, whatToDo }] = error.faults;
  if (typeof whatToDo !== 'object' || whatToDo.allowed !== 'members') return undefined;
  const asked = assignable.input.safeParse({ workspaceId: call.given.workspaceId, itemId: call.given.id });
  const found = asked.success && (await perform(deps.db, call.caller, assignable, asked.data).catch(() => null));
  if (!found) return undefined;
  const allowed = outputOf(found).members.map(({ id, name }) => `${id} (${name})`);
  return sentenceOf({ path, whatToDo: { ...whatToDo, allowed } });
}

/** The refused id that is a visible goal. Checked for every refusal, so that the response time reveals nothing (behaviour §3.12). */
async function objectiveIn(deps: CallDeps, { tool, given, caller }: Call, { details }: AppError): Promise<number | null> {
  if (tool.name.startsWith('svc_personal_notes_')) return null;
  const { id, underId, itemId, requirementId, releaseId, items, blocks } = given;
  const batch = items ?? blocks;
  const inBatch = Array.isArray(batch) && details.index !== undefined ? batch[details.index] : undefined;
  const ids = [id, underId, itemId, requirementId, releaseId, inBatch?.id, inBatch?.itemId].flatMap((one) => Id.safeParse(one).data ?? []);
  if (ids.length === 0) return null;
  // A failure here must not replace the refusal.
  const found = await perform(deps.db, caller, isObjective, { ids }).catch(() => null);
  return found && outputOf(found).objective;
}

async function requestNamed(
  deps: CallDeps,
  { caller, identity, toolNamed, tool: asking, startedAt }: Call,
  requestId: string,
): Promise<object> {
  const asked = { ...connectionOf(identity), requestId, tool: asking.name, startedAt };
  const writeOf = (name: string) => {
    const operation = toolNamed(name)?.operation;
    return operation && !isRead(operation) ? operation : undefined;
  };
  const found = await recall(deps.db, caller, asked, writeOf);
  if (!found) return { found: false };
  const { tool, result, refusal } = found;
  const called = toolNamed(tool);
  return { found: true, tool, ...(result && { result }), ...(refusal && called && { error: failureOf(refusal, called) }) };
}

const connectionOf = ({ accountId, userId, credentialId }: Identity) => ({ accountId, userId, connectionId: credentialId });

const RequestId = z.object({ requestId: Uuid });

async function parsed<T>(call: Call, parse: () => T): Promise<T> {
  try {
    return parse();
  } catch (error) {
    await call.confirm();
    throw error;
  }
}

function workspaceOf(given: Record<string, unknown>, result: object): number | null {
  const about = isRecord(result) ? [given, result.item, result.entry, result.block].filter(isRecord) : [];
  return about.map(({ workspaceId }) => workspaceId).find((id) => typeof id === 'number') ?? null;
}
