/** Types of audit entries (behaviour §17.1). */
import type { Caller } from '../access/caller.ts';
import type { AuditKind } from './kinds.ts';

export type Changes = Record<string, [unknown, unknown]>;
export type State = Record<string, unknown>;

/** A caller who is this user (0: the user that the entry concerns), or the operator of the installation. */
export type By = { caller: Caller; userId: number } | { operator: string; via: 'cli' | 'import' };

/** For a member, `id` is the user's id. */
export type Subject =
  | { type: 'account' | 'user' | 'key' | 'connection' | 'workspace' | 'words' | 'webhook'; id: number; workspaceId?: number }
  | { type: 'member'; id: number; workspaceId: number };

export const aboutSelf = ({ userId }: { userId: number }): Subject => ({ type: 'user', id: userId });
export const aboutUser = (_permit: unknown, { userId }: { userId: number }): Subject => ({ type: 'user', id: userId });

export interface Line {
  kind: AuditKind;
  accountId: number;
  workspaceId: number | null;
  userId: number | null;
  name: string;
  subject: { type: string; id: number };
  changes: Changes;
}
