/** The largest value that a JSON Schema allows. `named` decides by the property's name: ids, dates and versions must exist. */

// biome-ignore lint/suspicious/noExplicitAny: a JSON document, looked into freely
type Schema = any;

/** Undefined if the name says nothing about its value. */
export type Named = (name: string) => unknown;

/** For a schema without a limit of its own. */
const UNLIMITED = 2_000;
/** Characters that fit into a request. After them texts are short. */
const MOST_CHARACTERS = 400_000;
const SHORT = 20;
const MOST_ITEMS = 100;
/** Entries of all lists. */
const MOST_TOGETHER = 2_000;

export function largest(schema: Schema, named: Named): unknown {
  let left = MOST_CHARACTERS;
  const within = (length: number) => {
    const taken = length <= left ? length : SHORT;
    left -= taken;
    return Math.min(taken, length);
  };
  let items = MOST_TOGETHER;
  const room = (count: number) => {
    const taken = Math.min(count, items);
    items -= taken;
    return taken;
  };
  return valueFor(schema, { named, root: schema, within, room }, '');
}

interface Context {
  named: Named;
  root: Schema;
  within(length: number): number;
  room(count: number): number;
}

function valueFor(schema: Schema, context: Context, name: string): unknown {
  const { named, root, within } = context;
  if (schema.$ref)
    return valueFor(
      schema.$ref
        .split('/')
        .slice(1)
        .reduce((at: Schema, step: string) => at[step], root),
      context,
      name,
    );
  const given = name ? named(name) : undefined;
  if (typeof given === 'string') return given.slice(0, within(given.length));
  if (given !== undefined) return schema.type === 'array' && given !== null ? [given].flat() : given;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices)
    return valueFor(
      choices.find(({ type }: Schema) => type !== 'null'),
      context,
      name,
    );
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((one: Schema) => valueFor(one, context, name)));
  switch ([schema.type].flat()[0]) {
    case 'object': {
      const of = Object.entries(schema.properties ?? {}).map(([key, value]) => [key, valueFor(value, context, key)]);
      return Object.fromEntries(of.filter(([, value]) => value !== undefined));
    }
    case 'array':
      return Array.from({ length: context.room(schema.maxItems ?? MOST_ITEMS) }, () => valueFor(schema.items, context, ''));
    case 'string':
      return longText(within(schema.maxLength ?? UNLIMITED));
    case 'integer':
    case 'number':
      return Math.min(schema.maximum ?? 1_000, 1_000);
    case 'boolean':
      return true;
    default:
      return undefined;
  }
}

/** Words, marks of Markdown and letters of several bytes. */
export const longText = (length: number): string =>
  'Wörter *fett* & `code` [a](http://b.c) 予算 '
    .repeat(Math.ceil(length / 39))
    .slice(0, length - 1)
    .trim() || 'x';
