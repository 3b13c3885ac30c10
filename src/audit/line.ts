/** What a line of the audit is made of (behaviour §17.1). */
import type { Caller } from '../access/caller.ts';
import type { AuditKind } from './kinds.ts';

/** Before and after, by name; null for what was not there. */
export type Changes = Record<string, [unknown, unknown]>;
export type State = Record<string, unknown>;

/** Who did it: a caller who is this user (0: whom it is about), or the operator of the installation. */
export type By = { caller: Caller; userId: number } | { operator: string; via: 'cli' | 'import' };

/** What a line is about. The id of a member is its user's. */
export type Subject =
  | { type: 'account' | 'user' | 'key' | 'connection' | 'workspace' | 'words' | 'webhook'; id: number; workspaceId?: number }
  | { type: 'member'; id: number; workspaceId: number };

export interface Line {
  kind: AuditKind;
  accountId: number;
  workspaceId: number | null;
  /** Whom it concerns. */
  userId: number | null;
  /** Of what it is about, at this time. */
  name: string;
  subject: { type: string; id: number };
  changes: Changes;
}
