/** JSON Schema as zod makes it says much that tells a reader nothing, and some of it at length. What the REST document and the tool list
 *  have in common in tidying it. */

export type JsonSchema = Record<string, unknown>;

/** The bounds of the number type itself. */
const isTypeBound = (bound: unknown): boolean => typeof bound === 'number' && Math.abs(bound) === Number.MAX_SAFE_INTEGER;

export function withoutTypeBounds({ minimum, maximum, ...rest }: JsonSchema): JsonSchema {
  return {
    ...rest,
    ...(minimum === undefined || isTypeBound(minimum) ? {} : { minimum }),
    ...(maximum === undefined || isTypeBound(maximum) ? {} : { maximum }),
  };
}

/** `anyOf: [{type: T, …}, {type: null}]` is `type: [T, null]`, with null among the values of an enumeration. */
export function orNull(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema;
  const [first, second, ...more] = Array.isArray(anyOf) ? (anyOf as JsonSchema[]) : [];
  if (second?.type !== 'null' || typeof first?.type !== 'string' || more.length > 0) return schema;
  const { enum: values, ...single } = first;
  return { ...single, ...rest, type: [first.type, 'null'], ...(values ? { enum: [...(values as unknown[]), null] } : {}) };
}
