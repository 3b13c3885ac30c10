/** Tool results as text: the value once as structure and once as compact JSON text, for clients that show text only (behaviour §7.10). */
import type { AppError } from '../values/errors.ts';
import { isWrite, type Tool } from './tool.ts';

/** A JSON-RPC result that is written already; as bytes when it is sent again and again. */
export class Written {
  readonly json: string | Buffer;
  constructor(json: string | Buffer) {
    this.json = json;
  }
}

export function success(value: object, replayed: boolean): Written {
  return written(value, replayed ? ',"_meta":{"replayed":true}' : '');
}

/** A failure that the model is to see and mend: HTTP 200 with isError (behaviour §7.11). */
export function failure(error: AppError, tool: Tool): Written {
  const { code, details } = error;
  const retryable = code === 'unavailable' || code === 'rewrite_unavailable';
  const { currentVersion, currentRevision, index } = details;
  const told = { code, message: `${error.message} ${nextStep(error, tool)}`.trimEnd(), retryable, currentVersion, currentRevision, index };
  return written({ error: told }, ',"isError":true');
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
