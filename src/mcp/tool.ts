/** What a tool is: a row of the table in tools.ts. It knows no MCP library. */
import { isRead, type Operation } from '../operations/operation.ts';

type JsonType = 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';

export interface Tool {
  name: string;
  title: string;
  /** When to use it and what comes next, for a model that reads nothing else. */
  description: string;
  operation: Operation<object, object>;
  /** What an argument of this name says here, at whatever depth; else what its schema says. */
  words?: Readonly<Record<string, string>>;
  /** The properties of a result, shallow. */
  output: Record<string, JsonType>;
  /** It replaces or takes away what was there. */
  destructive?: boolean;
  /** The tool to call after a conflict. */
  reread?: string;
}

/** Writes take a requestId beside their operation's input (behaviour §7.13). */
export function isWrite(tool: Tool): boolean {
  return !isRead(tool.operation);
}
