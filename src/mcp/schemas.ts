/** The schemas that tools/list shows, made once from those that validate. Written for the strict dialects of model vendors: a plain
 *  object at the root, nothing by reference, every object closed; and short, because every agent pays for them in tokens. */
import { z } from 'zod';
import { type JsonSchema, orNull, withoutTypeBounds } from '../operations/jsonSchema.ts';
import { isWrite, type Tool } from './tool.ts';

const UUID = { type: 'string', format: 'uuid', description: 'Fresh for each intended change; the same one on its retries' };

/** Arguments as JSON Schema; a write's begin with its requestId. */
export function inputSchema(tool: Tool): JsonSchema {
  const made = plain(z.toJSONSchema(tool.operation.input, { io: 'input', reused: 'inline', unrepresentable: 'any' })) as JsonSchema;
  const { properties = {}, required = [] } = made as { properties?: JsonSchema; required?: string[] };
  const given = isWrite(tool) ? { requestId: UUID, ...properties } : properties;
  const needed = isWrite(tool) ? ['requestId', ...required] : required;
  return { type: 'object', properties: given, ...(needed.length ? { required: needed } : {}), additionalProperties: false };
}

/** A result as JSON Schema: shallow, and nothing required, because an error is one too and clients check it against the same schema
 *  (behaviour §7.9). */
export function outputSchema({ output }: Tool): JsonSchema {
  const properties = Object.entries(output).map(([name, type]) => [name, { type }]);
  return { type: 'object', properties: { ...Object.fromEntries(properties), error: { type: 'object' } } };
}

/** Resolves references and drops what says nothing to a caller. */
function plain(schema: JsonSchema): unknown {
  const { $defs = {} } = schema as { $defs?: Record<string, JsonSchema> };
  const visit = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(visit);
    if (typeof node !== 'object' || node === null) return node;
    const { $ref, $schema: _schema, $defs: _defs, id: _id, examples: _examples, ...rest } = node as JsonSchema;
    if (typeof $ref === 'string') return visit({ ...$defs[$ref.replace('#/$defs/', '')], ...rest });
    return shorten(
      Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, key === 'properties' ? visitEach(value) : visit(value)])),
    );
  };
  const visitEach = (properties: unknown) =>
    Object.fromEntries(Object.entries(properties as JsonSchema).map(([name, property]) => [name, visit(property)]));
  return visit(schema);
}

function shorten(node: JsonSchema): JsonSchema {
  const { maxLength: _most, minLength: _least, ...short } = withoutTypeBounds(orNull(node));
  // Lengths of texts are told by the error that names them.
  if (short.pattern === '\\S') delete short.pattern;
  return short;
}
