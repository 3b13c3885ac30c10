/** Tool results as text: the value once as structure and once as compact JSON text, for clients that show text only (behaviour §7.10). */
import type { AppError } from '../values/errors.ts';
import { isWrite, type Tool } from './tool.ts';

/** A JSON-RPC result that is written already. As text, not bytes: joining two texts copies nothing, joining buffers does. */
export class Written {
  readonly json: string;
  constructor(json: string) {
    this.json = json;
  }
}

export function success(value: object, replayed: boolean): Written {
  return written(shaped(value), replayed ? ',"_meta":{"replayed":true}' : '');
}

/** A failure that the model is to see and mend: HTTP 200 with isError (behaviour §7.11). `objective`: what was refused is a goal that the
 *  caller can read elsewhere. */
export function failure(error: AppError, tool: Tool, objective: number | null = null): Written {
  return written({ error: failureOf(error, tool, objective) }, ',"isError":true');
}

export function failureOf(error: AppError, tool: Tool, objective: number | null = null): object {
  const { code, details } = error;
  const retryable = code === 'unavailable' || code === 'rewrite_unavailable';
  const { currentVersion, currentRevision, index, conflicts } = details;
  const message = `${inAgentTerms(error, objective)} ${nextStep(error, tool)}`.trimEnd();
  return { code, message, retryable, currentVersion, currentRevision, index, conflicts };
}

/** An agent knows its connection, and no key or grant. */
function inAgentTerms({ code, message }: AppError, objective: number | null): string {
  if (code !== 'forbidden') return message;
  if (objective !== null) return `Item ${objective} is a goal: goals are read in svc_context, as objectives, and changed by people.`;
  return 'You have no access to this, or it does not exist: check the id, and what this connection and its person may do there.';
}

/** What is not set is not said (behaviour §7.10): every null and empty text is left out, and where to go on when nothing follows. What was
 *  approved keeps its nulls: there they say that nothing was set. */
export function shaped(value: object): object {
  const { nextAfterId, ...rest } = withoutUnset(value) as { nextAfterId?: number; hasMore?: boolean };
  return nextAfterId !== undefined && rest.hasMore !== false ? { ...rest, nextAfterId } : rest;
}

function withoutUnset(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUnset);
  if (typeof value !== 'object' || value === null) return value;
  const kept: Record<string, unknown> = {};
  for (const [name, each] of Object.entries(value)) {
    if (each !== null && each !== '' && each !== undefined) kept[name] = name === 'approved' ? each : withoutUnset(each);
  }
  return kept;
}

function written(value: object, more: string): Written {
  const text = JSON.stringify(value);
  return new Written(`{"content":[{"type":"text","text":${JSON.stringify(text)}}],"structuredContent":${text}${more}}`);
}

/** What to call next. */
function nextStep({ code, details }: AppError, tool: Tool): string {
  switch (code) {
    case 'forbidden':
      return 'Call svc_context to see the workspaces and levels of this connection.';
    case 'conflict':
      if (details.currentVersion === undefined && details.currentRevision === undefined && !tool.reread) return '';
      return `Call ${tool.reread ?? 'svc_context'}, then ${tool.name} with what you read there and a fresh requestId.`;
    case 'invalid_request':
      return `Mend it and call ${tool.name} again; svc_context lists workspaces, statuses, priorities and members.`;
    default:
      return isWrite(tool) ? `Call ${tool.name} again with the same requestId and arguments.` : `Call ${tool.name} again.`;
  }
}
