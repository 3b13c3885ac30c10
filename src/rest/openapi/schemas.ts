/** Converts the validating zod schemas to JSON Schema 2020-12. */
import { z } from 'zod';
import { type JsonSchema, orNull, withoutTypeBounds } from '../../operations/jsonSchema.ts';

const REF = '#/components/schemas/';

export class Schemas {
  readonly components: Record<string, JsonSchema> = {};

  /** Throws if two different schemas have the same id. */
  describe(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const id = schema.meta()?.id;
    const { $schema: _dialect, $defs = {}, ...own } = z.toJSONSchema(schema, { io, target: 'draft-2020-12' }) as JsonSchema;
    for (const [name, found] of Object.entries($defs as Record<string, JsonSchema>)) this.#keep(name, tidy(found) as JsonSchema);
    if (!id || own.$ref) return tidy(own) as JsonSchema;
    this.#keep(id, tidy(own) as JsonSchema);
    return { $ref: REF + id };
  }

  #keep(name: string, schema: JsonSchema) {
    const { id: _id, ...kept } = schema;
    const known = this.components[name];
    if (known && JSON.stringify(known) !== JSON.stringify(kept)) {
      throw new Error(`Two different schemas are called ${name}: give one of them another id.`);
    }
    this.components[name] = kept;
  }
}

function tidy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(tidy);
  if (typeof value !== 'object' || value === null) return value;
  const schema = Object.fromEntries(Object.entries(value).map(([name, part]) => [name, tidy(part)])) as JsonSchema;
  if (typeof schema.$ref === 'string') schema.$ref = schema.$ref.replace('#/$defs/', REF);
  return orNull(withoutNoise(schema));
}

function withoutNoise(schema: JsonSchema): JsonSchema {
  const { type, pattern, ...rest } = schema;
  return {
    ...(type === undefined ? {} : { type }),
    ...withoutTypeBounds(rest),
    ...(type === 'integer' && rest.maximum === Number.MAX_SAFE_INTEGER ? { format: 'int64', maximum: rest.maximum } : {}),
    ...(pattern === undefined || rest.format !== undefined ? {} : { pattern }),
  };
}
