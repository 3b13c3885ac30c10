import { z } from 'zod';
import { headerValues } from '../access/presented.ts';
import { type Grant, grantsOf, type ItemType, itemTypes } from '../access/rights.ts';
import type { WorkFields } from '../items/schema.ts';
import { AppError, InvalidRequest } from '../values/errors.ts';
import { isRecord } from '../values/records.ts';
import { isUuid } from '../values/text.ts';

export type QueryReader = (querystring: string) => Record<string, unknown>;

/** Call once per operation. Converts numbers by the schema and refuses repeated parameters. The schema refuses unknown ones. */
export function queryReader(schema: z.ZodType): QueryReader {
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input' });
  const isInteger = (property: unknown) => isRecord(property) && property.type === 'integer';
  const numeric = new Set(Object.keys(properties).filter((name) => isInteger(properties[name])));
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
  if (plain.test(querystring))
    return querystring.split('&').map((pair): [string, string] => {
      const [name = '', value = ''] = pair.split('=');
      return [name, value];
    });
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

/** The header Idempotency-Key (behaviour §5.20). Reads the raw headers, because Node merges repeated ones. */
export const IDEMPOTENCY_KEY = 'Idempotency-Key';

/** Returns a UUID in lower case, or null without the header. Throws InvalidRequest otherwise. */
export function idempotencyKeyOf(rawHeaders: readonly string[]): string | null {
  const [key, ...more] = headerValues(rawHeaders, 'idempotency-key');
  if (key === undefined) return null;
  if (more.length > 0 || !isUuid(key)) {
    throw new InvalidRequest([IDEMPOTENCY_KEY], 'give one UUID such as 7d9f0c9e-52c4-4f0e-9a39-3b1f6a2d8c11, or leave the header out.');
  }
  return key.toLowerCase();
}

/** The grants that a request always needs, so that its 403 can name them (behaviour §3.28). Reveals nothing hidden. */
export type Need = readonly Grant[];

const readOf = (type: ItemType): Grant => `${type}s:read`;

export const anyTypeRead: Need = itemTypes.map(readOf);

export const anyTypeWrite: Need = itemTypes.map((type): Grant => `${type}s:write`);

export const listNeeds = ({ type }: { type: ItemType }): Need[] => [[readOf(type)]];

export const saveNeeds = ({ record: { id, type, fields } }: { record: { id?: number; type: ItemType; fields: WorkFields } }): Need[] => {
  // For an update, naming the grant would reveal the type of a hidden item.
  if (id !== undefined) return [];
  return [
    [`${type}s:write`],
    ...(fields.parentItemId ? [[readOf('task'), readOf('milestone')]] : []),
    ...(fields.requirementId ? [[readOf('requirement')]] : []),
    ...(fields.releaseId ? [[readOf('release')]] : []),
    ...(fields.goalId ? [[readOf('goal')]] : []),
  ];
};

export const capacityNeeds: Need[] = [
  ['workspaces:read'],
  ['capacity:read'],
  ...(['task', 'requirement', 'release', 'milestone'] as const).map((type) => [readOf(type)]),
];

const all = new Intl.ListFormat('en', { type: 'conjunction' });
const oneOf = new Intl.ListFormat('en', { type: 'disjunction' });

export function lacking(needs: readonly Need[], rights: number): AppError | null {
  const held = grantsOf(rights);
  const missing = needs.filter((need) => !need.some((grant) => held.includes(grant))).map((need) => oneOf.format(need));
  if (missing.length === 0) return null;
  return new AppError('forbidden', `The key needs ${all.format(missing)}: ask an owner of the account for a key with that access.`);
}
