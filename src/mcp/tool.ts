/** The type of a tool: a row of the table in tools.ts. Independent of the MCP library. */
import { isRead, type Operation } from '../operations/operation.ts';

type JsonType = 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';

export interface Tool {
  name: string;
  title: string;
  /** When to use it and what comes next, for a model that reads nothing else. */
  description: string;
  operation: Operation<object, object>;
  words?: Readonly<Record<string, string>>;
  output: Record<string, JsonType>;
  destructive?: boolean;
  reread?: string;
}

/** Writes take a requestId in addition to their operation's input (behaviour §7.13). */
export function isWrite(tool: Tool): boolean {
  return !isRead(tool.operation);
}
