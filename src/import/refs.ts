/** The names of a file: which entry carries which ref, what a ref may stand for where it is used (behaviour §2.7), and the ids that entries
 *  get. Entries are known by their list and their place in it, so that a million of them take tens of megabytes. */
import { dotted, InvalidRequest, type Path } from '../values/errors.ts';
import { Names } from './names.ts';
import { integers } from './numbers.ts';
import type { Table } from './queries.ts';

/** In the order in which entries of an account name a ref: the later one is at fault where two have the same. */
export const kinds = ['user', 'workspace', 'personalNote', 'restKey', 'connection', 'item', 'planBlock'] as const;
export type Kind = (typeof kinds)[number];

/** A list of entries that become rows with ids. */
export interface List {
  /** Among all lists, from 1 on. */
  number: number;
  kind: Kind;
  path: Path;
  /** Positions in the file; no workspace: the account's own. */
  account: number;
  workspace?: number;
  /** Its entries are in the database and keep the ids they have. */
  existing?: true;
  count: number;
  /** By place, once they are known. */
  ids: Float64Array;
}

/** Where the ids of a kind come from. */
export const tableOf = {
  user: 'users',
  workspace: 'workspaces',
  item: 'items',
  planBlock: 'plan_blocks',
  personalNote: 'personal_notes',
  restKey: 'rest_keys',
  connection: 'connections',
} as const satisfies Record<Kind, Table>;

const words: Record<Kind, string> = {
  user: 'a user',
  workspace: 'a workspace',
  item: 'an item',
  planBlock: 'a plan block',
  personalNote: 'a personal note',
  restKey: 'a REST key',
  connection: 'a connection',
};

/** Where a ref is used: what it names must be of the same account, and of the same workspace for items. */
export interface Scope {
  account: number;
  workspace?: number | undefined;
}

/** An entry by its list and its place in it. */
export interface Found {
  list: List;
  n: number;
}

export class Refs {
  readonly #names = new Names();
  readonly #lists: List[] = [];
  readonly #byPath = new Map<string, List>();
  /** By number of the name: the number of the list whose entry carries it, and its place there. */
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

  /** Throws for a list that the file has not. */
  listAt(path: Path): List {
    return this.#byPath.get(dotted(path))!;
  }

  /** The next entry of a list. Throws InvalidRequest when its ref is used twice. */
  add(list: List, ref: string | undefined): void {
    const n = list.count++;
    if (ref === undefined) return;
    const name = this.#names.numberOf(ref);
    const other = this.#carrierOf(name);
    if (other) throw takenTwice(ref, other, { list, n });
    this.#listOf.set(name, list.number);
    this.#placeOf.set(name, n);
  }

  /** What `find` takes later, when all entries are known. */
  numberOf(ref: string): number {
    return this.#names.numberOf(ref);
  }

  /** The entry that a ref stands for; undefined when it is none of that kind, or out of reach from there. */
  within(name: number, kind: Kind, from: Scope): Found | undefined {
    const found = this.#carrierOf(name);
    return found && faultOf(found.list, kind, from) === null ? found : undefined;
  }

  /** As `within`. Throws InvalidRequest naming `path` instead. */
  find(path: Path, ref: string, kind: Kind, from: Scope): Found {
    const found = this.#carrierOf(this.#names.numberOf(ref));
    if (!found) throw new InvalidRequest(path, `no entry of the file has the ref '${ref}'; give the ref of ${words[kind]}.`);
    const fault = faultOf(found.list, kind, from);
    if (fault) throw new InvalidRequest(path, `'${ref}' is ${fault}`);
    return found;
  }

  /** Each ref with what carries it. */
  *all(): Generator<Found & { ref: string }> {
    for (let name = 0; name < this.#names.size; name++) {
      const found = this.#carrierOf(name);
      if (found) yield { ref: this.#names.textOf(name), ...found };
    }
  }

  #carrierOf(name: number): Found | undefined {
    const list = name < this.#listOf.length ? this.#listOf.at(name) : 0;
    return list === 0 ? undefined : { list: this.#lists[list - 1]!, n: this.#placeOf.at(name) };
  }
}

/** The rest of a sentence that says what is wrong with this entry here. */
function faultOf({ kind, account, workspace }: List, wanted: Kind, from: Scope): string | null {
  if (kind !== wanted) return `${words[kind]}; give the ref of ${words[wanted]}.`;
  if (account !== from.account) return 'of another account; stay inside one.';
  if (workspace !== undefined && workspace !== from.workspace) return 'of another workspace; stay inside one.';
  return null;
}

/** Long lists are read before the short ones. The entry at fault is the later one all the same, accounts first, then in the order of kinds. */
function takenTwice(ref: string, one: Found, another: Found): InvalidRequest {
  const rank = ({ list, n }: Found) => [list.account, list.workspace ?? -1, list.existing ? -1 : kinds.indexOf(list.kind), n];
  const [a, b] = [rank(one), rank(another)];
  const differs = a.findIndex((step, at) => step !== b[at]);
  const [first, second] = a[differs]! < b[differs]! ? [one, another] : [another, one];
  const place = ({ list, n }: Found) => [...list.path, n];
  return new InvalidRequest([...place(second), 'ref'], `'${ref}' is taken by ${dotted(place(first))}; refs are unique across the file.`);
}
