/** The credential as the request presented it, unchecked. Every statement that acts for a caller checks it again. */

/** Whose limits a request counts towards. Access checks ignore it. */
export interface Owner {
  accountId: number;
  userId: number;
}

export type Caller = (
  | { kind: 'key'; hash: Buffer; owner?: Owner }
  /** `over`: absent for pages. */
  | { kind: 'session'; hash: Buffer; over?: 'rest'; owner?: Owner }
  | { kind: 'agent'; hash: Buffer; owner?: Owner }
  /** `over`: absent for other jobs. */
  | { kind: 'user'; userId: number; over?: 'import' }
  /** A request without a credential: signing in, accepting an invitation, creating the first account. */
  | { kind: 'visitor' }
) & {
  address?: string;
};

export type SessionCaller = Caller & { kind: 'session' };
export type KeyHolder = Caller & { hash: Buffer; owner?: Owner };

export const visitor = { kind: 'visitor' } as const satisfies Caller;

/** The caller's current rights in one workspace, found by the access statement. Queries take a permit, never a bare workspace id. */
export interface Permit {
  caller: Caller;
  accountId: number;
  userId: number;
  workspaceId: number;
  /** credential & membership & (for agents) the workspace's limits. */
  rights: number;
  /** Like `rights`, but an agent has its user's own rights to goals and comments, which are not agent resources (behaviour §3.8). */
  contextRights: number;
}

/** A permit without a workspace: for the user's own data, or for a visitor. */
export const permitOutside = (caller: Caller, accountId = 0, userId = 0): Permit => ({
  caller,
  accountId,
  userId,
  workspaceId: 0,
  rights: 0,
  contextRights: 0,
});
