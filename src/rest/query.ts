import { z } from 'zod';
import { InvalidRequest } from '../values/errors.ts';

export type QueryReader = (querystring: string) => Record<string, unknown>;

/** Made once per operation. Converts numbers by the schema and refuses repeated parameters. The schema refuses unknown ones. */
export function queryReader(schema: z.ZodType): QueryReader {
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input' }) as { properties?: Record<string, { type?: string }> };
  const numeric = new Set(Object.keys(properties).filter((name) => properties[name]!.type === 'integer'));
  return (querystring) => {
    const found: Record<string, unknown> = Object.create(null);
    if (!querystring) return {};
    for (const [name, value] of parametersOf(querystring)) {
      if (name in found) throw new InvalidRequest([name.slice(0, 100)], 'give it once.');
      found[name] = numeric.has(name) ? asNumber(value) : value;
    }
    return { ...found };
  };
}

const plain = /^[\w.-]+=[\w.-]*(?:&[\w.-]+=[\w.-]*)*$/;

function parametersOf(querystring: string): Iterable<[string, string]> {
  if (plain.test(querystring)) return querystring.split('&').map((pair) => pair.split('=') as [string, string]);
  // URLSearchParams removes one leading question mark: this one, not the caller's.
  return new URLSearchParams(`?${checked(querystring)}`);
}

function checked(querystring: string): string {
  try {
    decodeURIComponent(querystring.replaceAll('+', ' '));
    return querystring;
  } catch {
    throw new InvalidRequest([], 'The query is not valid percent-encoded UTF-8: encode it again.');
  }
}

/** Converts plain decimal digits only. Other text stays text, and the schema refuses it. */
function asNumber(value: string): number | string {
  return /^-?\d{1,17}$/.test(value) ? Number(value) : value;
}
