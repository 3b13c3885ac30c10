/** Tool results: the value once as structure, and once as compact JSON text for clients that show only text (behaviour §7.10). */
import type { AppError } from '../values/errors.ts';
import { isRecord } from '../values/records.ts';
import { isWrite, type Tool } from './tools.ts';

/** A result as JSON text without its braces, and its `_meta`. */
export interface Result {
  members: string | Buffer;
  meta?: Record<string, unknown>;
}
type RpcId = string | number | null;

/** `opening` is text before the members: `"name":value,`. */
export function resultAnswer(id: RpcId, { members, meta }: Result, opening = ''): string | Buffer {
  const start = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{${opening}`;
  const end = `${meta ? `,"_meta":${JSON.stringify(meta)}` : ''}}}`;
  return typeof members === 'string' ? start + members + end : Buffer.concat([Buffer.from(start), members, Buffer.from(end)]);
}

export const rpcError = (id: RpcId, code: number, message: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } });

export function success(value: object, replayed: boolean): Result {
  return { members: written(compactResult(value)), ...(replayed && { meta: { replayed } }) };
}

/** A failure that the model should see and fix: HTTP 200 with isError (behaviour §7.11). */
export function failure(error: AppError, tool: Tool, message?: string): Result {
  return { members: `${written({ error: failureOf(error, tool, message) })},"isError":true` };
}

export function failureOf(error: AppError, tool: Tool, message = inAgentTerms(error)): object {
  const { code, details } = error;
  const retryable = code === 'unavailable' || code === 'rewrite_unavailable';
  const { currentVersion, currentRevision, index, below, conflicts } = details;
  return {
    code,
    message: `${message} ${nextStep(error, tool)}`.trimEnd(),
    retryable,
    currentVersion,
    currentRevision,
    index,
    below,
    conflicts,
  };
}

/** Rewrites REST terms: agents have connections, not keys and grants. */
function inAgentTerms({ code, message, details: { level: has } }: AppError): string {
  if (code !== 'forbidden') return message;
  if (has)
    return `Your level for ${has.resource} in this workspace is ${has.level}, too low for this. Ask a workspace owner or manager to do it.`;
  return 'You have no access to this, or it does not exist. Check the id and the rights of this connection and its user.';
}

/** Omits unset values (behaviour §7.10): nulls, empty texts, false flags, a statusKey equal to the status, a nextAfterId without more
 *  rows. */
export function compactResult(value: object): object {
  const { nextAfterId, ...rest } = withPlaceOnce(setFields(value));
  return nextAfterId !== undefined && rest.hasMore !== false ? { ...rest, nextAfterId } : rest;
}

type Row = Record<string, unknown>;

const offUnlessSaid = new Set(['autoStart', 'autoStop', 'remindStart', 'remindEnd', 'corrected']);

function withoutUnset(value: unknown, above?: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => withoutUnset(each));
  return typeof value === 'object' && value !== null ? setFields(value, above) : value;
}

/** `above`: the status of the item whose `fields` this value is. */
function setFields(value: object, above?: unknown): Row {
  const status = 'status' in value && value.status !== undefined ? value.status : above;
  const kept: Row = {};
  for (const [name, each] of Object.entries(value)) {
    if (!isUnset(name, each, status)) kept[name] = withoutUnset(each, name === 'fields' ? status : undefined);
  }
  return kept;
}

function isUnset(name: string, value: unknown, status: unknown): boolean {
  if (value === null || value === undefined || value === '') return true;
  return (name === 'statusKey' && value === status) || (value === false && offUnlessSaid.has(name));
}

const lists = ['items', 'tasks', 'below'];

/** If all items are in one workspace, returns its id once instead of in each row. Time and plans always cover all workspaces. */
function withPlaceOnce(root: Row): Row {
  const { item } = root;
  const rows = lists.flatMap((name) => rowsIn(root[name]));
  const places = new Set([...rows, ...rowsIn([item])].map(({ workspaceId }) => workspaceId));
  const [place] = places;
  if (rows.length === 0 || places.size > 1 || place === undefined) return root;
  const bare = (list: unknown) => rowsIn(list).map(({ workspaceId: _said, ...row }) => row);
  const shorter = Object.fromEntries(Object.entries(root).map(([name, each]) => [name, lists.includes(name) ? bare(each) : each]));
  return { ...(item ? {} : { workspaceId: place }), ...shorter };
}

const rowsIn = (list: unknown): Row[] => (Array.isArray(list) ? list.filter(isRecord) : []);

function written(value: object): string {
  const text = JSON.stringify(value);
  return `"content":[{"type":"text","text":${JSON.stringify(text)}}],"structuredContent":${text}`;
}

function nextStep({ code, details }: AppError, tool: Tool): string {
  switch (code) {
    case 'forbidden':
      return tool.name.startsWith('svc_personal_notes_')
        ? 'In svc_context, personalNotes lists what this connection can do with personal notes.'
        : 'Call svc_context to see the workspaces and levels of this connection.';
    case 'conflict':
      if (details.currentVersion === undefined && details.currentRevision === undefined && !tool.reread) return '';
      return `Call ${tool.reread ?? 'svc_context'}, then ${tool.name} with what you read there and a fresh requestId.`;
    case 'invalid_request':
      return `Correct it and call ${tool.name} again; svc_context lists workspaces, statuses, priorities and members.`;
    default:
      return isWrite(tool) ? `Call ${tool.name} again with the same requestId and arguments.` : `Call ${tool.name} again.`;
  }
}
