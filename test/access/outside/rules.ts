/** Access rules written from behaviour §3, §4, §7, §9, §10, §11 alone. Shares no code with the service. */
import { type Kind, kinds, type Level, levelNames, memberLevel } from '../oracle.ts';
import type { Caller, Entry, Item, Owned, User, Workspace } from './town.ts';

const rank = (name: string | undefined): Level => Math.max(0, levelNames.indexOf((name ?? 'none') as 'none')) as Level;

/** True if the credential is valid. Otherwise every answer is 401. */
export function isAlive({ user, face }: Caller): boolean {
  if (!user.active) return false;
  if (face === 'session') return true;
  return (face === 'key' ? user.restKey : user.agent).state === 'good';
}

/** True if the caller can access the workspace: a member of an active one. An agent also needs a connection, and MCP enabled. */
export function reaches({ user, face }: Caller, workspace: Workspace): boolean {
  if (workspace.archived || !workspace.members.has(user)) return false;
  if (face !== 'agent') return true;
  return workspace.mcp.enabled && user.agent.places.get(workspace)?.disconnected === false;
}

/** The user's own level in the workspace. */
export function ownLevel(user: User, workspace: Workspace, kind: Kind): Level {
  const member = workspace.members.get(user);
  return member ? memberLevel(member, kind) : 0;
}

const agentKinds: readonly Kind[] = ['tasks', 'requirements', 'releases', 'milestones', 'time', 'plans'];

/** min(credential, member, and for agents the workspace's limit). */
export function level(caller: Caller, workspace: Workspace, kind: Kind): Level {
  if (!reaches(caller, workspace)) return 0;
  const own = ownLevel(caller.user, workspace, kind);
  if (caller.face === 'session') return own;
  if (caller.face === 'agent') {
    if (!agentKinds.includes(kind)) return 0;
    return Math.min(own, rank(caller.user.agent.permissions[kind]), rank(workspace.mcp.limits[kind])) as Level;
  }
  const { grants } = caller.user.restKey;
  return Math.min(own, grants.includes(`${kind}:write`) ? 2 : grants.includes(`${kind}:read`) ? 1 : 0) as Level;
}

/** Of an agent, without its user's own level. */
export const delegatedLevel = ({ user }: Caller, item: Item): Level =>
  Math.min(rank(user.agent.permissions[kindOf(item)]), rank(item.workspace.mcp.limits[kindOf(item)])) as Level;

/** A note needs the right of the connection and the workspace limit on the item's kind, whatever the member's own level. */
export function mayNote(caller: Caller, item: Item): boolean {
  return (
    agentKinds.includes(kindOf(item)) &&
    sees(caller, item) &&
    delegatedLevel(caller, item) >= 2 &&
    contextLevel(caller, item.workspace, 'comments') >= 2
  );
}

/** Agents read goals and comments by their user's own right, because these are no agent resources. */
export function contextLevel(caller: Caller, workspace: Workspace, kind: 'goals' | 'comments'): Level {
  if (caller.face !== 'agent') return level(caller, workspace, kind);
  return reaches(caller, workspace) ? ownLevel(caller.user, workspace, kind) : 0;
}

export const kindOf = (item: Item): Kind => `${item.type}s`;

const isGone = (item: Item): boolean => item.archived || item.above.some(isGone);

/** True if the item and everything above it are readable and not archived. */
export function sees(caller: Caller, item: Item): boolean {
  return !isGone(item) && couldRead(caller, item);
}

/** The same, archived or not. */
export const couldRead = (caller: Caller, item: Item): boolean =>
  level(caller, item.workspace, kindOf(item)) >= 1 && item.above.every((one) => couldRead(caller, one));

/** True if agents see the goal, as an objective and as a link. */
export const seesGoal = (caller: Caller, goal: Item): boolean => !goal.archived && contextLevel(caller, goal.workspace, 'goals') >= 1;

export const seesComments = (caller: Caller, item: Item): boolean =>
  sees(caller, item) && contextLevel(caller, item.workspace, 'comments') >= 1;

export function has(caller: Caller, grant: string): boolean {
  return caller.face === 'session' || caller.user.restKey.grants.includes(grant);
}

const capacityKinds: readonly Kind[] = ['tasks', 'requirements', 'releases', 'milestones'];

export function oversees(caller: Caller, workspace: Workspace): boolean {
  const member = workspace.members.get(caller.user);
  if (!member || !reaches(caller, workspace) || !has(caller, 'workspaces:read') || !has(caller, 'capacity:read')) return false;
  if (member.role === 'viewer') return false;
  const oversight = member.timeOversight ?? member.role !== 'member';
  return oversight && capacityKinds.every((kind) => level(caller, workspace, kind) >= 1);
}

/** True if the caller sees all recorded time of the workspace. */
export function overseesTime(caller: Caller, workspace: Workspace): boolean {
  const member = workspace.members.get(caller.user);
  if (!member || !reaches(caller, workspace) || member.role === 'viewer') return false;
  return member.timeOversight ?? member.role !== 'member';
}

export const assignable = (workspace: Workspace): User[] =>
  [...workspace.members.keys()].filter((user) => user.active && ownLevel(user, workspace, 'tasks') >= 2);

/** The workspace's owner, or an owner or administrator of the account. Archived workspaces count. */
export function runs(user: User, workspace: Workspace): boolean {
  if (user.account !== workspace.account) return false;
  return user.accountRole !== 'member' || workspace.members.get(user)?.role === 'owner';
}

export const runsAccount = (user: User): boolean => user.accountRole !== 'member';

/** True if the caller may change the entry: an agent needs access to its item, a user only the right to record there. */
export function mayChangeTime(caller: Caller, { item }: Entry): boolean {
  return level(caller, item.workspace, 'time') >= 2 && (caller.face !== 'agent' || sees(caller, item));
}

export const readableKinds = (caller: Caller, workspace: Workspace): Kind[] =>
  kinds.slice(0, 5).filter((kind) => level(caller, workspace, kind) >= 1);

/** True if an answer to the caller may contain the text. `isPage` excludes REST answers to a session. */
export function maySee(caller: Caller, owned: Owned, isPage = caller.face === 'session'): boolean {
  const { user, face } = caller;
  switch (owned.kind) {
    case 'item':
      return owned.item.type === 'goal' ? seesGoal(caller, owned.item) : sees(caller, owned.item);
    case 'comment':
      return seesComments(caller, owned.item);
    // No key reaches approvals (behaviour §3.29).
    case 'approval':
      return isPage && sees(caller, owned.item);
    case 'user':
      return owned.user === user || mayKnowName(caller, owned.user);
    case 'email':
      return isPage && (owned.user === user || (owned.user.account === user.account && runsSomething(user)));
    case 'workspace':
      return reaches(caller, owned.workspace) || (isPage && runs(user, owned.workspace));
    case 'word':
      return reaches(caller, owned.workspace) || (isPage && runs(user, owned.workspace));
    case 'note':
      return (
        owned.note.user === user && (isPage || (face === 'agent' && owned.note.protection === 'none' && user.agent.notes.includes('read')))
      );
    case 'folder':
      return owned.user === user && (isPage || (face === 'agent' && user.agent.notes.includes('read')));
    case 'key':
      if (!isPage) return face === 'key' && owned.user === user;
      return namesCredential(caller, owned.user) || (owned.user.account === user.account && user.accountRole === 'owner');
    case 'connection':
      if (!isPage) return face === 'agent' && owned.user === user;
      return (
        namesCredential(caller, owned.user) ||
        owned.user === user ||
        [...owned.user.agent.places.keys()].some((workspace) => runs(user, workspace))
      );
    case 'time':
    case 'plan':
      return owned.user === user && level(caller, owned.workspace, owned.kind === 'time' ? 'time' : 'plans') >= 1;
  }
}

/** Pages name the key or connection that changed an item to users who see the item (behaviour §15.11), in workspaces that its user was ever
 *  in. */
const namesCredential = (caller: Caller, owner: User): boolean =>
  owner.account.workspaces.some((workspace) => reaches(caller, workspace) && workspace.ever.has(owner));

export interface ChangeRow {
  kind: string;
  actor?: object | null;
  fields?: Record<string, unknown>;
}

/** The fault of a row of changes: approvals are updates without an actor, and nothing else is (behaviour §3.29). */
export function faultOfRow({ kind, actor, fields = {} }: ChangeRow): string | null {
  if (!/^(item|comment)\./.test(kind)) return `kind ${kind}`;
  const [before, after] = (fields.status as string[] | undefined) ?? [];
  const isApproval = kind === 'item.updated' && (before === 'pending_approval' || after === 'pending_approval' || after === 'approved');
  return isApproval === (actor == null) ? null : `${isApproval ? 'names who decided' : 'names no one'}: ${kind} ${before} ${after}`;
}

const runsSomething = (user: User): boolean => runsAccount(user) || user.account.workspaces.some((workspace) => runs(user, workspace));

/** True if the caller may know the name: of current and former members of their workspaces. Managers of an account or workspace know
 *  all. */
function mayKnowName(caller: Caller, other: User): boolean {
  if (caller.user.account !== other.account) return false;
  if (caller.face === 'session' && runsSomething(caller.user)) return true;
  return other.account.workspaces.some((workspace) => reaches(caller, workspace) && workspace.ever.has(other));
}
