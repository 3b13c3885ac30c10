/** A query string as the typed object that an operation's schema expects. */
import { z } from 'zod';
import { InvalidRequest } from '../values/errors.ts';

export type QueryReader = (querystring: string) => Record<string, unknown>;

/** Made once per operation: numbers become numbers where the schema wants them; a repeated parameter is refused, an unknown one stays for the schema to refuse. */
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

/** What most callers send: names and values in which nothing is encoded. */
const plain = /^[\w.-]+=[\w.-]*(?:&[\w.-]+=[\w.-]*)*$/;

function parametersOf(querystring: string): Iterable<[string, string]> {
  if (plain.test(querystring)) return querystring.split('&').map((pair) => pair.split('=') as [string, string]);
  // URLSearchParams drops one question mark: this one, never one of the caller's.
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

/** Plain decimal digits only: no signs beyond a minus, exponents or blanks. Anything else stays text and is refused as such. */
function asNumber(value: string): number | string {
  return /^-?\d{1,17}$/.test(value) ? Number(value) : value;
}
