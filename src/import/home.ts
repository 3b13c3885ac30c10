/** Where entries of a file stand while they become rows, and the ids that their refs stand for there. */
import type { Path } from '../values/errors.ts';
import type { ReadFile } from './readFile.ts';
import type { Kind } from './refs.ts';
import type { AccountEntry, WorkspaceEntry } from './schema.ts';

export interface Home {
  file: ReadFile;
  account: AccountEntry;
  /** Position in the file. */
  a: number;
  accountId: number;
  /** Of the account in the file: `accounts[0]`. */
  path: Path;
  /** Of a user of the file or of the account, by id. */
  zones: ReadonlyMap<number, string>;
  /** Gathers the places of open items whose assignee or owner may not have them (behaviour §3.14). */
  unassigned: Unassigned[];
}

export interface Unassigned {
  /** `accounts[0].workspaces[1].items[2].fields.assigneeId` */
  at: string;
  /** The person's ref. */
  person: string;
}

/** One workspace of the file, with what its entries may refer to; `path` is the workspace's. */
export interface WorkspaceImport extends Home {
  workspace: WorkspaceEntry;
  w: number;
  workspaceId: number;
  /** Active people who may not be assigned work in it; filled once its members are written. */
  unassignable: Set<number>;
}

/** Throws InvalidRequest naming `path` where the ref is none of that kind, or out of reach. */
export function idOf(at: Home & { w?: number }, path: Path, ref: string, kind: Kind): number {
  const { list, n } = at.file.refs.find(path, ref, kind, { account: at.a, workspace: at.w });
  return list.ids[n]!;
}

/** Of the entries of a list of the account or of the workspace, by their places. */
export const idsOf = ({ file, path }: Home, list: string): Float64Array => file.refs.listAt([...path, list]).ids;

export const scopeOf = ({ accountId, workspaceId }: WorkspaceImport) => ({ account_id: accountId, workspace_id: workspaceId });
