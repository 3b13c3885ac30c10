/** Who is calling, as presented: nothing here has been checked. Every statement that acts for a caller checks it afresh. */

export type Caller =
  | { kind: 'key'; hash: Buffer }
  /** `once`: the form being sent, which counts once: its first change claims it, in the same commit. */
  | { kind: 'session'; hash: Buffer; once?: string }
  | { kind: 'agent'; hash: Buffer }
  /** A job acting for a user with the rights of that moment. */
  | { kind: 'user'; userId: number };

/** What the access statement found: the caller's rights in one workspace, now. Queries take it, never a bare workspace id. */
export interface Permit {
  caller: Caller;
  accountId: number;
  userId: number;
  workspaceId: number;
  /** credential & membership & (for agents) the workspace's limits. */
  rights: number;
  /** As `rights`, but goals and comments by the user's own right for an agent: they are no agent resources (behaviour §3.8). */
  contextRights: number;
}
