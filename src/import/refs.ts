/** Refs of a file, where they may be used (behaviour §2.7), and ids. Lists and indexes keep a million entries in tens of megabytes. */
import { dotted, InvalidRequest, type Path } from '../values/errors.ts';
import { elementAt, valueAt } from '../values/records.ts';
import { Names } from './names.ts';
import { integers } from './numbers.ts';
import type { Table } from './queries.ts';

/** In precedence order: if two entries have the same ref, the error names the later one. */
export const kinds = ['user', 'workspace', 'personalNote', 'restKey', 'connection', 'item', 'comment', 'planBlock'] as const;
export type Kind = (typeof kinds)[number];

export interface List {
  /** Number of the list, from 1. */
  number: number;
  kind: Kind;
  path: Path;
  /** Indexes in the file. Without a workspace, the list belongs to the account. */
  account: number;
  workspace?: number;
  /** Its entries exist in the database and keep their ids. */
  existing?: true;
  count: number;
  /** Ids by index. Filled when ids are assigned. */
  ids: Float64Array;
}

export const tableOf = {
  user: 'users',
  workspace: 'workspaces',
  item: 'items',
  comment: 'comments',
  planBlock: 'plan_blocks',
  personalNote: 'personal_notes',
  restKey: 'rest_keys',
  connection: 'connections',
} as const satisfies Record<Kind, Table>;

const words: Record<Kind, string> = {
  user: 'a user',
  workspace: 'a workspace',
  item: 'an item',
  comment: 'a comment',
  planBlock: 'a plan block',
  personalNote: 'a personal note',
  restKey: 'a REST key',
  connection: 'a connection',
};

/** The position where a ref is used. It must name an entry of the same account, and for items of the same workspace. */
export interface Scope {
  account: number;
  workspace?: number | undefined;
}

export interface Found {
  list: List;
  n: number;
}

export class Refs {
  readonly #names = new Names();
  readonly #lists: List[] = [];
  readonly #byPath = new Map<string, List>();
  /** Indexed by the number of a name: the number of its list; `#placeOf`: its index there. */
  readonly #listOf = integers();
  readonly #placeOf = integers();

  addList(list: Omit<List, 'number' | 'ids' | 'count'>): List {
    const added = { ...list, number: this.#lists.length + 1, count: 0, ids: new Float64Array() };
    this.#lists.push(added);
    this.#byPath.set(dotted(list.path), added);
    return added;
  }

  get lists(): readonly List[] {
    return this.#lists;
  }

  listAt(path: Path): List {
    return valueAt(this.#byPath, dotted(path));
  }

  /** Adds the next entry of a list. Throws InvalidRequest if its ref is used twice. */
  add(list: List, ref: string | undefined): void {
    const n = list.count++;
    if (ref === undefined) return;
    const name = this.#names.numberOf(ref);
    const other = this.#carrierOf(name);
    if (other) throw takenTwice(ref, other, { list, n });
    this.#listOf.set(name, list.number);
    this.#placeOf.set(name, n);
  }

  /** A number for `within`, which needs all entries. */
  numberOf(ref: string): number {
    return this.#names.numberOf(ref);
  }

  /** Returns the entry of a ref, or undefined if it has another kind or scope. */
  within(name: number, kind: Kind, from: Scope): Found | undefined {
    const found = this.#carrierOf(name);
    return found && faultOf(found.list, kind, from) === null ? found : undefined;
  }

  find(path: Path, ref: string, kind: Kind, from: Scope): Found {
    const found = this.#carrierOf(this.#names.numberOf(ref));
    if (!found) throw new InvalidRequest(path, `no entry of the file has the ref '${ref}'; give the ref of ${words[kind]}.`);
    const fault = faultOf(found.list, kind, from);
    if (fault) throw new InvalidRequest(path, `'${ref}' is ${fault}`);
    return found;
  }

  *all(): Generator<Found & { ref: string }> {
    for (let name = 0; name < this.#names.size; name++) {
      const found = this.#carrierOf(name);
      if (found) yield { ref: this.#names.textOf(name), ...found };
    }
  }

  #carrierOf(name: number): Found | undefined {
    const list = name < this.#listOf.length ? this.#listOf.at(name) : 0;
    return list === 0 ? undefined : { list: elementAt(this.#lists, list - 1), n: this.#placeOf.at(name) };
  }
}

/** Returns the second half of an error sentence, or null if the entry is allowed here. */
function faultOf({ kind, account, workspace }: List, wanted: Kind, from: Scope): string | null {
  if (kind !== wanted) return `${words[kind]}; give the ref of ${words[wanted]}.`;
  if (account !== from.account) return 'of another account; give one of the same account.';
  if (workspace !== undefined && workspace !== from.workspace) return 'of another workspace; give one of the same workspace.';
  return null;
}

/** The error names the later entry: by account, then by kind. Long lists are read first, so the read order does not count. */
function takenTwice(ref: string, one: Found, another: Found): InvalidRequest {
  const rank = ({ list, n }: Found) => [list.account, list.workspace ?? -1, list.existing ? -1 : kinds.indexOf(list.kind), n];
  const [a, b] = [rank(one), rank(another)];
  const differs = a.findIndex((step, at) => step !== b[at]);
  const [first, second] = elementAt(a, differs) < elementAt(b, differs) ? [one, another] : [another, one];
  const place = ({ list, n }: Found) => [...list.path, n];
  return new InvalidRequest([...place(second), 'ref'], `'${ref}' is taken by ${dotted(place(first))}; give each entry its own ref.`);
}
