/** JSON Schema 2020-12 of the zod schemas that validate, in the words that readers of an API document expect. */
import { z } from 'zod';

export type Schema = Record<string, unknown>;

const REF = '#/components/schemas/';

/** Turns schemas into JSON Schema and gathers those with `.meta({id})` as components. */
export class Schemas {
  readonly components: Record<string, Schema> = {};

  /** Throws when two different schemas carry the same id. */
  describe(schema: z.ZodType, io: 'input' | 'output'): Schema {
    const id = schema.meta()?.id;
    const { $schema: _dialect, $defs = {}, ...own } = z.toJSONSchema(schema, { io, target: 'draft-2020-12' }) as Schema;
    for (const [name, found] of Object.entries($defs as Record<string, Schema>)) this.#keep(name, tidy(found) as Schema);
    if (!id || own.$ref) return tidy(own) as Schema;
    this.#keep(id, tidy(own) as Schema);
    return { $ref: REF + id };
  }

  #keep(name: string, schema: Schema) {
    const { id: _id, ...kept } = schema;
    const known = this.components[name];
    if (known && JSON.stringify(known) !== JSON.stringify(kept)) {
      throw new Error(`Two different schemas are called ${name}: give one of them another id.`);
    }
    this.components[name] = kept;
  }
}

/** Takes out what says nothing (bounds of the number type itself, the pattern behind a format) and shortens `X or null`. */
function tidy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(tidy);
  if (typeof value !== 'object' || value === null) return value;
  const schema = Object.fromEntries(Object.entries(value).map(([name, part]) => [name, tidy(part)])) as Schema;
  if (typeof schema.$ref === 'string') schema.$ref = schema.$ref.replace('#/$defs/', REF);
  return orNull(withoutNoise(schema));
}

function withoutNoise(schema: Schema): Schema {
  const { type, minimum, maximum, pattern, ...rest } = schema;
  return {
    ...(type === undefined ? {} : { type }),
    ...(type === 'integer' && maximum === Number.MAX_SAFE_INTEGER ? { format: 'int64' } : {}),
    ...rest,
    ...(minimum === undefined || minimum === -Number.MAX_VALUE || minimum === -Number.MAX_SAFE_INTEGER ? {} : { minimum }),
    ...(maximum === undefined || maximum === Number.MAX_VALUE ? {} : { maximum }),
    ...(pattern === undefined || rest.format !== undefined ? {} : { pattern }),
  };
}

function orNull(schema: Schema): Schema {
  const [first, second, ...more] = Array.isArray(schema.anyOf) ? (schema.anyOf as Schema[]) : [];
  if (second?.type !== 'null' || typeof first?.type !== 'string' || more.length > 0) return schema;
  const { anyOf: _both, ...rest } = schema;
  const { enum: values, ...single } = first;
  return { ...single, ...rest, type: [first.type, 'null'], ...(values ? { enum: [...(values as unknown[]), null] } : {}) };
}
