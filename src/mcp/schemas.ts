/** The schemas that tools/list shows, made once from those that validate. Written for the strict dialects of model vendors: a plain
 *  object at the root, nothing by reference, every object closed; and short, because every agent pays for them in tokens. */
import { z } from 'zod';
import { isWrite, type Tool } from './tool.ts';

type Schema = { [key: string]: unknown };

const UUID = { type: 'string', format: 'uuid', description: 'Fresh for each intended change; the same one on its retries' };

/** Arguments as JSON Schema; a write's begin with its requestId. */
export function inputSchema(tool: Tool): Schema {
  const made = plain(z.toJSONSchema(tool.operation.input, { io: 'input', reused: 'inline', unrepresentable: 'any' })) as Schema;
  const { properties = {}, required = [] } = made as { properties?: Schema; required?: string[] };
  const given = isWrite(tool) ? { requestId: UUID, ...properties } : properties;
  const needed = isWrite(tool) ? ['requestId', ...required] : required;
  return { type: 'object', properties: given, ...(needed.length ? { required: needed } : {}), additionalProperties: false };
}

/** A result as JSON Schema: shallow, and nothing required, because an error is one too and clients check it against the same schema
 *  (behaviour §7.9). */
export function outputSchema({ output }: Tool): Schema {
  const properties = Object.entries(output).map(([name, type]) => [name, { type }]);
  return { type: 'object', properties: { ...Object.fromEntries(properties), error: { type: 'object' } } };
}

/** Resolves references and drops what says nothing to a caller. */
function plain(schema: Schema): unknown {
  const { $defs = {} } = schema as { $defs?: Record<string, Schema> };
  const visit = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(visit);
    if (typeof node !== 'object' || node === null) return node;
    const { $ref, $schema: _schema, $defs: _defs, id: _id, examples: _examples, ...rest } = node as Schema;
    if (typeof $ref === 'string') return visit({ ...$defs[$ref.replace('#/$defs/', '')], ...rest });
    return shorten(
      Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, key === 'properties' ? visitEach(value) : visit(value)])),
    );
  };
  const visitEach = (properties: unknown) =>
    Object.fromEntries(Object.entries(properties as Schema).map(([name, property]) => [name, visit(property)]));
  return visit(schema);
}

function shorten(node: Schema): Schema {
  const short = nullable(node);
  if (short.maximum === Number.MAX_SAFE_INTEGER || short.maximum === Number.MAX_VALUE) delete short.maximum;
  if (short.minimum === -Number.MAX_VALUE || short.minimum === Number.MIN_SAFE_INTEGER) delete short.minimum;
  // Lengths of texts are told by the error that names them.
  for (const key of ['maxLength', 'minLength'] as const) delete short[key];
  if (short.pattern === '\\S') delete short.pattern;
  return short;
}

/** `anyOf: [{type: T, …}, {type: null}]` is `type: [T, null]`. */
function nullable(node: Schema): Schema {
  const { anyOf, ...rest } = node as { anyOf?: Schema[] };
  if (anyOf?.length !== 2 || anyOf[1]!.type !== 'null' || typeof anyOf[0]!.type !== 'string') return { ...node };
  return { ...rest, ...anyOf[0], type: [anyOf[0]!.type, 'null'] };
}
