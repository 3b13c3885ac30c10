/** The log line of a request: operation, caller, subject, outcome. Only ids, never texts (behaviour §1.9). */
import { randomUUID } from 'node:crypto';
import type { Context } from 'koa';
import type { Caller } from '../access/caller.ts';
import type { Identities, Identity } from '../access/identities.ts';
import type { Logger } from '../log.ts';
import { isRecord } from '../values/records.ts';
import { isId } from '../values/text.ts';
import type { Deadline } from './guard.ts';

declare module 'koa' {
  /** Set by the handlers of a request, for its log, metrics and time limit. */
  interface DefaultState {
    requestId?: string;
    operation?: string;
    path?: string;
    caller?: Caller | undefined;
    identity?: Identity;
    subject?: Subject;
    cause?: unknown;
    /** A tool call answered `unavailable` with status 200. */
    unavailable?: boolean;
    deadline?: Deadline | undefined;
  }
}

export interface Subject {
  workspace: number | null;
  item: number | null;
}

export const requestIdShape = /^[\w.:-]{8,128}$/;

export function requestIdOf(given: string | undefined): string {
  return given !== undefined && requestIdShape.test(given) ? given : randomUUID();
}

const idIn = (value: unknown): number | null => (typeof value === 'number' && isId(value) ? value : null);

export function subjectOf(input: unknown): Subject {
  const { workspaceId, itemId, id, record }: Record<string, unknown> = isRecord(input) ? input : {};
  return { workspace: idIn(workspaceId), item: idIn(itemId ?? id ?? (isRecord(record) ? record.id : null)) };
}

/** Logs after the caller is known. A 401 is logged without a user, unless the credential is known to have worked. */
export function logRequest(log: Logger, identities: Identities, ctx: Context, ms: number): void {
  if (!log.isLevelEnabled(ctx.state.cause ? 'error' : 'info')) return;
  const { caller } = ctx.state;
  const holder = caller && 'hash' in caller ? caller : undefined;
  const known = ctx.state.identity ?? (holder && identities.remembered(holder));
  const leave = (who?: Identity) => write(log, ctx, ms, who);
  if (known || !holder || ctx.status === 401) leave(known);
  else
    void identities.find(holder).then(
      ({ identity }) => leave(identity),
      () => leave(),
    );
}

function write(log: Logger, ctx: Context, ms: number, who?: Identity): void {
  const { operation = 'other', path, requestId, cause, subject } = ctx.state;
  const line = {
    requestId,
    operation,
    method: ctx.method,
    path,
    status: ctx.status,
    ms: Math.round(ms * 10) / 10,
    address: ctx.ip,
    ...(who && { account: who.accountId, user: who.userId, credential: who.credential }),
    ...subject,
  };
  if (cause) log.error({ ...line, err: cause }, 'request failed');
  else log.info(line, 'request');
}
