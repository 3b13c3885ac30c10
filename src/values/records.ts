/** Object.keys and Object.fromEntries with the type of the names. Only for objects that have no other names. */

export const keysOf = <T extends object>(record: T): Extract<keyof T, string>[] => Object.keys(record) as Extract<keyof T, string>[];

export function recordOf<Name extends string, Value>(names: readonly Name[], make: (name: Name) => Value): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<Name, Value>;
}
