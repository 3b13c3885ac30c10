/** Schemas for tools/list, made once from those that validate. They use only what the strict dialects of model vendors share (behaviour
 *  §7.8): no references, bounds, formats or defaults. Descriptions or errors explain bounds instead. */
import { z } from 'zod';
import { type JsonSchema, orNull } from '../operations/input.ts';
import { isWrite, type Tool } from './tools.ts';
import { hiddenFields, REQUEST_ID } from './words.ts';

export function inputSchema(tool: Tool): JsonSchema {
  const made = plain(z.toJSONSchema(tool.operation.input, { io: 'input', reused: 'inline', unrepresentable: 'any' }), tool) as JsonSchema;
  const { properties = {}, required = [] } = made as { properties?: JsonSchema; required?: string[] };
  const given = isWrite(tool) ? { requestId: { type: 'string', description: REQUEST_ID }, ...properties } : properties;
  const needed = isWrite(tool) ? ['requestId', ...required] : required;
  return { type: 'object', properties: given, ...(needed.length ? { required: needed } : {}), additionalProperties: false };
}

/** A result as JSON Schema: shallow and without required properties, because errors must match it too (behaviour §7.9). */
export function outputSchema({ output }: Tool): JsonSchema {
  const properties = Object.entries(output).map(([name, type]) => [name, { type }]);
  return { type: 'object', properties: { ...Object.fromEntries(properties), error: { type: 'object' } } };
}

const KEPT = new Set(['type', 'enum', 'anyOf', 'items', 'properties', 'required', 'additionalProperties', 'description']);

/** Resolves references, keeps the keywords that every dialect knows, and uses the tool's own descriptions. */
function plain(schema: JsonSchema, tool: Tool): unknown {
  const { $defs = {} } = schema as { $defs?: Record<string, JsonSchema> };
  const unlisted = new Set([...hiddenFields, ...(tool.unlisted ?? [])]);
  const visit = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(visit);
    if (typeof node !== 'object' || node === null) return node;
    const { $ref, ...rest } = node as JsonSchema;
    if (typeof $ref === 'string') return visit({ ...$defs[$ref.replace('#/$defs/', '')], ...rest });
    const known = Object.entries(orNull(rest)).filter(([key]) => KEPT.has(key));
    return Object.fromEntries(known.map(([key, value]) => [key, key === 'properties' ? visitEach(value as JsonSchema) : visit(value)]));
  };
  const visitEach = (properties: JsonSchema) =>
    Object.fromEntries(
      Object.entries(properties)
        .filter(([name]) => !unlisted.has(name))
        .map(([name, property]) => [name, withWords(visit(property) as JsonSchema, tool.words?.[name])]),
    );
  return visit(schema);
}

const withWords = (property: JsonSchema, description: string | undefined) => (description ? { ...property, description } : property);
