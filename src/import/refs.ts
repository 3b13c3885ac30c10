/** The names of a file: who carries which ref, and what a ref may stand for where it is used (behaviour §2.7). */
import { dotted, InvalidRequest, type Path } from '../values/errors.ts';
import type { Table } from './queries.ts';
import type { AccountEntry, ImportFile, WorkspaceEntry } from './schema.ts';

export const kinds = ['account', 'user', 'workspace', 'item', 'planBlock', 'personalNote', 'restKey', 'connection'] as const;
export type Kind = (typeof kinds)[number];

/** An entry of the file that becomes a row with an id. */
export interface NumberedEntry {
  path: Path;
  kind: Kind;
  entry: { ref?: string | undefined };
  account: AccountEntry;
  workspace?: WorkspaceEntry;
  /** It is in the database and keeps the id it has. */
  existing?: true;
}

const lists = {
  user: 'users',
  workspace: 'workspaces',
  personalNote: 'personalNotes',
  restKey: 'restKeys',
  connection: 'connections',
} as const;
const inner = { item: 'items', planBlock: 'planBlocks' } as const;

/** Every entry with an id, in the order of the file within its kind. */
export function* entriesOf(file: ImportFile): Generator<NumberedEntry> {
  for (const [a, account] of file.accounts.entries()) {
    const path = ['accounts', a];
    yield { path, kind: 'account', entry: {}, account, ...(account.existing && { existing: true }) };
    for (const [n, entry] of (account.existing?.users ?? []).entries())
      yield { path: [...path, 'existing', 'users', n], kind: 'user', entry, account, existing: true };
    for (const [kind, list] of Object.entries(lists) as [keyof typeof lists, (typeof lists)[keyof typeof lists]][]) {
      for (const [n, entry] of account[list].entries()) yield { path: [...path, list, n], kind, entry, account };
    }
    for (const [w, workspace] of account.workspaces.entries()) yield* entriesIn([...path, 'workspaces', w], account, workspace);
  }
}

function* entriesIn(path: Path, account: AccountEntry, workspace: WorkspaceEntry): Generator<NumberedEntry> {
  for (const [kind, list] of Object.entries(inner) as [keyof typeof inner, (typeof inner)[keyof typeof inner]][]) {
    for (const [n, entry] of workspace[list].entries()) yield { path: [...path, list, n], kind, entry, account, workspace };
  }
}

/** Where the ids of a kind come from. */
export const tableOf = {
  account: 'accounts',
  user: 'users',
  workspace: 'workspaces',
  item: 'items',
  planBlock: 'plan_blocks',
  personalNote: 'personal_notes',
  restKey: 'rest_keys',
  connection: 'connections',
} as const satisfies Record<Kind, Table>;

const words: Record<Kind, string> = {
  account: 'an account',
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
  account: AccountEntry;
  workspace?: WorkspaceEntry;
}

export class Refs {
  readonly #named = new Map<string, NumberedEntry>();

  /** Throws InvalidRequest when a ref is used twice. */
  constructor(entries: Iterable<NumberedEntry>) {
    for (const named of entries) {
      const { ref } = named.entry;
      if (ref === undefined) continue;
      const other = this.#named.get(ref);
      if (other)
        throw new InvalidRequest([...named.path, 'ref'], `'${ref}' is taken by ${dotted(other.path)}; refs are unique across the file.`);
      this.#named.set(ref, named);
    }
  }

  /** The entry that `ref` stands for. Throws InvalidRequest naming `path` when it is none of that kind or out of reach from there. */
  find<T extends object>(path: Path, ref: string, kind: Kind, from: Scope): T {
    const found = this.#named.get(ref);
    if (!found) throw new InvalidRequest(path, `no entry of the file has the ref '${ref}'; give the ref of ${words[kind]}.`);
    if (found.kind !== kind) throw new InvalidRequest(path, `'${ref}' is ${words[found.kind]}; give the ref of ${words[kind]}.`);
    if (found.account !== from.account) throw new InvalidRequest(path, `'${ref}' is of another account; stay inside one.`);
    if (found.workspace && found.workspace !== from.workspace) {
      throw new InvalidRequest(path, `'${ref}' is of another workspace; stay inside one.`);
    }
    return found.entry as T;
  }

  all(): IterableIterator<[string, NumberedEntry]> {
    return this.#named.entries();
  }
}
