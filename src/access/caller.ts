/** Who is calling, as presented: nothing here has been checked. Every statement that acts for a caller checks it afresh. */

export type Caller = (
  | { kind: 'key'; hash: Buffer }
  /** `over`: not at a page. `personId`: whose limits it counts towards; access never looks at it. */
  | { kind: 'session'; hash: Buffer; over?: 'rest'; personId?: number }
  | { kind: 'agent'; hash: Buffer }
  /** A job acting for a user with the rights of that moment. */
  | { kind: 'user'; userId: number }
  /** Somebody at the door, with no credential: to sign in, to use an invitation, to make the first account. */
  | { kind: 'visitor' }
) & {
  /** Where from, as trusted. */
  address?: string;
};

export type SessionCaller = Caller & { kind: 'session' };
export type KeyHolder = Caller & { hash: Buffer };

export const visitor = { kind: 'visitor' } as const satisfies Caller;

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

/** The permit of who acts outside any workspace: on what is their own, or at the door. */
export const permitOutside = (caller: Caller, accountId = 0, userId = 0): Permit => ({
  caller,
  accountId,
  userId,
  workspaceId: 0,
  rights: 0,
  contextRights: 0,
});
