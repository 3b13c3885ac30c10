/** Object.keys and Object.fromEntries with the type of the names. Only for objects that have no other names. */

export const keysOf = <T extends object>(record: T): Extract<keyof T, string>[] => Object.keys(record) as Extract<keyof T, string>[];

/** The value of an own property, for names from outside: those of `Object.prototype` have none. */
export const ownValue = <Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;

export function recordOf<Name extends string, Value>(names: readonly Name[], make: (name: Name) => Value): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<Name, Value>;
}
