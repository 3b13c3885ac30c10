import type { Path } from '../values/errors.ts';
import { elementAt } from '../values/records.ts';
import type { ReadFile } from './readFile.ts';
import type { Kind } from './refs.ts';
import type { AccountEntry, WorkspaceEntry } from './schema.ts';

export interface ImportTarget {
  file: ReadFile;
  account: AccountEntry;
  a: number;
  accountId: number;
  path: Path;
  /** Time zones by user id, for users of the file and of the account. */
  zones: ReadonlyMap<number, string>;
  /** Collects open items whose assignee or owner may not be assigned (behaviour §3.14). */
  unassigned: Unassigned[];
}

export interface Unassigned {
  /** `accounts[0].workspaces[1].items[2].fields.assigneeId` */
  at: string;
  person: string;
}

/** One workspace of the file and what its entries may refer to. `path` is the workspace's. */
export interface WorkspaceImport extends ImportTarget {
  workspace: WorkspaceEntry;
  w: number;
  workspaceId: number;
  /** Active users who may not be assigned work in it. Filled after its members are written. */
  unassignable: Set<number>;
}

/** Returns the id of a ref. Throws InvalidRequest with `path` if the ref has another kind or scope. */
export function idOf(at: ImportTarget & { w?: number }, path: Path, ref: string, kind: Kind): number {
  const { list, n } = at.file.refs.find(path, ref, kind, { account: at.a, workspace: at.w });
  return elementAt(list.ids, n);
}

export const idsOf = ({ file, path }: ImportTarget, list: string): Float64Array => file.refs.listAt([...path, list]).ids;

export const scopeOf = ({ accountId, workspaceId }: WorkspaceImport) => ({ account_id: accountId, workspace_id: workspaceId });
