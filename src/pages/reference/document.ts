/** What the reference reads of the API's document (OpenAPI 3.1) and of the agents' tools (MCP). Both are made elsewhere, from the schemas
 *  that validate, and handed in: pages know no other face. */

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

/** As the other faces make them. */
export interface Reference {
  /** ApiDocument */
  api(): object;
  /** ToolDocument */
  tools(): object[];
  /** Of the agents' endpoint, what a client is told first. */
  instructions: string;
}

export interface Called {
  method: string;
  /** Below /api/v1. */
  path: string;
  operation: ApiOperation;
}

/** In the order of the document. */
export const operationsOf = ({ paths }: ApiDocument): Called[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );

/** What `$ref` names: the last part of it. */
export const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);
