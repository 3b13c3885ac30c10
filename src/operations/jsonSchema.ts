/** Simplifies zod's JSON Schema, for the REST document and the tool list. */

export type JsonSchema = Record<string, unknown>;

const isTypeBound = (bound: unknown): boolean => typeof bound === 'number' && Math.abs(bound) === Number.MAX_SAFE_INTEGER;

export function withoutTypeBounds({ minimum, maximum, ...rest }: JsonSchema): JsonSchema {
  return {
    ...rest,
    ...(minimum === undefined || isTypeBound(minimum) ? {} : { minimum }),
    ...(maximum === undefined || isTypeBound(maximum) ? {} : { maximum }),
  };
}

/** Converts `anyOf: [{type: T, …}, {type: null}]` to `type: [T, null]`, and adds null to an enumeration. */
export function orNull(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema;
  const [first, second, ...more] = Array.isArray(anyOf) ? (anyOf as JsonSchema[]) : [];
  if (second?.type !== 'null' || typeof first?.type !== 'string' || more.length > 0) return schema;
  const { enum: values, ...single } = first;
  return { ...single, ...rest, type: [first.type, 'null'], ...(values ? { enum: [...(values as unknown[]), null] } : {}) };
}
