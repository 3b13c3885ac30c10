/** What a tool is: a row of the table in tools.ts. It knows no MCP library. */
import { isRead, type Operation } from '../operations/operation.ts';

type JsonType = 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';

export interface Tool {
  name: string;
  title: string;
  /** When to use it and what comes next, for a model that reads nothing else. */
  description: string;
  operation: Operation<object, object>;
  /** The properties of a result, shallow; a list of two types when it may be null. */
  output: Record<string, JsonType | readonly [JsonType, 'null']>;
  /** It replaces or takes away what was there. */
  destructive?: boolean;
  /** It may wait for a rewriting, beyond the deadline of other calls. */
  rewrites?: boolean;
  /** The tool to call after a conflict. */
  reread?: string;
}

/** Writes take a requestId beside their operation's input (behaviour §7.13). */
export function isWrite(tool: Tool): boolean {
  return !isRead(tool.operation);
}
