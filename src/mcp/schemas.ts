/** Schemas for tools/list, made once from those that validate. They use only what the strict dialects of model vendors share (behaviour
 *  §7.8): no references, bounds, formats or defaults. Descriptions or errors explain bounds instead. */
import { z } from 'zod';
import { type JsonSchema, orNull } from '../operations/input.ts';
import { isRecord } from '../values/records.ts';
import { isWrite, type Tool } from './tools.ts';
import { hiddenFields, nestedNames, REQUEST_ID } from './words.ts';

export function inputSchema(tool: Tool): JsonSchema {
  const made = z.toJSONSchema(tool.operation.input, { io: 'input', reused: 'inline', unrepresentable: 'any' });
  const { properties = {}, required = [] } = plain(made, tool);
  const requestId: JsonSchema = { type: 'string', description: REQUEST_ID };
  const given = isWrite(tool) ? { requestId, ...properties } : properties;
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
function plain(schema: JsonSchema, tool: Tool): JsonSchema {
  const { $defs = {} } = schema;
  const unlisted = new Set([...hiddenFields, ...(tool.unlisted ?? [])]);
  const isListed = (name: string, nested: boolean) => (nested ? nestedNames.includes(name) : !unlisted.has(name));
  const visit = ({ $ref, ...rest }: JsonSchema, nested: boolean): JsonSchema => {
    if ($ref) return visit({ ...$defs[$ref.replace('#/$defs/', '')], ...rest }, nested);
    const known = Object.entries(tool.destructive ? orNull(rest) : withoutNull(orNull(rest))).filter(
      ([key]) => KEPT.has(key) && !(nested && key === 'description'),
    );
    return Object.fromEntries(
      known.map(([key, value]) => [key, key === 'properties' && isRecord(value) ? visitEach(value, nested) : visitPart(value, nested)]),
    );
  };
  const visitPart = (part: unknown, nested: boolean): unknown => {
    if (Array.isArray(part)) return part.map((each) => visitPart(each, nested));
    return isRecord(part) ? visit(part, nested) : part;
  };
  const visitEach = (properties: Record<string, unknown>, nested: boolean) =>
    Object.fromEntries(
      Object.entries(properties)
        .filter(([name]) => isListed(name, nested))
        .map(([name, property]) => {
          const words = nested ? undefined : tool.words?.[name];
          const visited = visitPart(property, nested || name === 'below');
          return [name, words && isRecord(visited) ? { ...visited, description: words } : visited];
        }),
    );
  return visit(schema, false);
}

/** Null clears a value, so only tools that change list it; the server accepts it everywhere. */
const withoutNull = (schema: JsonSchema): JsonSchema => (Array.isArray(schema.type) ? { ...schema, type: schema.type[0] } : schema);
