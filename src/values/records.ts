/** Object.keys and Object.fromEntries with the type of the names, and access to elements that always exist. */

/** Only for objects that have no other names. */
export const keysOf = <T extends object>(record: T): Extract<keyof T, string>[] => Object.keys(record) as Extract<keyof T, string>[];

/** The value of an own property, for names from outside: those of `Object.prototype` have none. */
export const ownValue = <Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;

export function recordOf<Name extends string, Value>(names: readonly Name[], make: (name: Name) => Value): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<Name, Value>;
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The element of a list or typed array at an index that is always below its length. */
export function elementAt<T>(list: ArrayLike<T>, index: number): T {
  if (index < 0 || index >= list.length) throw new RangeError(`There is no element ${index} in a list of ${list.length}.`);
  return list[index] as T;
}

/** The value of a key that the map always has. */
export function valueAt<Key, Value>(map: ReadonlyMap<Key, Value>, key: Key): Value {
  if (!map.has(key)) throw new RangeError(`The map has no key ${key}.`);
  return map.get(key) as Value;
}

/** Its properties that are not null. */
export type WithoutNulls<T> = { [K in keyof T as null extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as null extends T[K] ? K : never]?: NonNullable<T[K]>;
};

/** A loop, because Object.entries costs several times as much for hundreds of rows. */
export function withoutNulls<T extends object>(record: T): WithoutNulls<T>;
export function withoutNulls(record: Record<string, unknown>): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const name in record) if (record[name] !== null) kept[name] = record[name];
  return kept;
}
