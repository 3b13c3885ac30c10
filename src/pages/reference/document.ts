/** The parts of OpenAPI 3.1 and MCP documents that the reference pages read. Other modules make them from the schemas. */

export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  enum?: unknown[];
  const?: unknown;
  format?: string;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  maxItems?: number;
  anyOf?: Schema[];
  oneOf?: Schema[];
  additionalProperties?: boolean | Schema;
}

export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: Schema;
  example?: unknown;
}

interface Body {
  content: { 'application/json': { schema: Schema; example?: unknown; examples?: Record<string, { value: unknown }> } };
}

export interface Answered extends Partial<Body> {
  $ref?: string;
  description?: string;
}

export interface ApiOperation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  parameters?: Parameter[];
  requestBody?: Body;
  responses: Record<string, Answered>;
}

export interface ApiDocument {
  info: { version: string; description: string };
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, ApiOperation>>;
  webhooks: { change: { post: ApiOperation } };
  components: { schemas: Record<string, Schema>; responses: Record<string, Answered> };
}

export interface ToolDocument {
  name: string;
  title: string;
  description: string;
  inputSchema: Schema;
  outputSchema: Schema;
  annotations: { readOnlyHint: boolean; destructiveHint: boolean };
}

export interface Reference {
  api(): object;
  tools(): object[];
  /** The MCP server's instructions for clients. */
  instructions: string;
}

export interface Called {
  method: string;
  /** Below /api/v1. */
  path: string;
  operation: ApiOperation;
}

/** In document order. */
export const operationsOf = ({ paths }: ApiDocument): Called[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );

/** The last part of a `$ref`. */
export const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);
