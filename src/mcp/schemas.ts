/** Schemas for tools/list, made once from those that validate. They use only what the strict dialects of model vendors share (behaviour
 *  §7.8): no references, bounds, formats or defaults. Descriptions or errors explain bounds instead. */
import { z } from 'zod';
import { type JsonSchema, orNull } from '../operations/input.ts';
import { isWrite, type Tool } from './tools.ts';
import { hiddenFields, nestedNames, REQUEST_ID } from './words.ts';

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
  const isListed = (name: string, nested: boolean) => (nested ? nestedNames.includes(name) : !unlisted.has(name));
  const visit = (node: unknown, nested = false): unknown => {
    if (Array.isArray(node)) return node.map((each) => visit(each, nested));
    if (typeof node !== 'object' || node === null) return node;
    const { $ref, ...rest } = node as JsonSchema;
    if (typeof $ref === 'string') return visit({ ...$defs[$ref.replace('#/$defs/', '')], ...rest }, nested);
    const known = Object.entries(tool.destructive ? orNull(rest) : withoutNull(orNull(rest))).filter(
      ([key]) => KEPT.has(key) && !(nested && key === 'description'),
    );
    return Object.fromEntries(
      known.map(([key, value]) => [key, key === 'properties' ? visitEach(value as JsonSchema, nested) : visit(value, nested)]),
    );
  };
  const visitEach = (properties: JsonSchema, nested: boolean) =>
    Object.fromEntries(
      Object.entries(properties)
        .filter(([name]) => isListed(name, nested))
        .map(([name, property]) => [
          name,
          withWords(visit(property, nested || name === 'below') as JsonSchema, nested ? undefined : tool.words?.[name]),
        ]),
    );
  return visit(schema);
}

/** Null clears a value, so only tools that change list it; the server accepts it everywhere. */
const withoutNull = (schema: JsonSchema): JsonSchema => (Array.isArray(schema.type) ? { ...schema, type: schema.type[0] } : schema);

const withWords = (property: JsonSchema, description: string | undefined) => (description ? { ...property, description } : property);
