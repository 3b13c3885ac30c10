/** An independent table of behaviour §3.3, written from its text. Shares no code with the service. */

export type Level = 0 | 1 | 2 | 3;
export const levelNames = ['none', 'read', 'write', 'delete'] as const;
export const kinds = ['tasks', 'requirements', 'goals', 'releases', 'milestones', 'comments', 'time', 'plans'] as const;
export type Kind = (typeof kinds)[number];

// The table of behaviour §3.3. Columns: tasks requirements goals releases milestones comments time plans.
const roleTable: Record<string, Level[]> = {
  owner: [3, 3, 3, 3, 3, 2, 2, 2],
  manager: [3, 3, 3, 3, 3, 2, 2, 2],
  member: [3, 2, 1, 1, 1, 2, 2, 2],
  viewer: [1, 1, 1, 1, 1, 1, 0, 0],
};

export interface Situation {
  role: 'owner' | 'manager' | 'member' | 'viewer';
  overrides: Partial<Record<Kind, (typeof levelNames)[number]>>;
  grants: string[];
  isMember: boolean;
  userActive: boolean;
  key: 'good' | 'expired' | 'revoked';
  workspaceArchived: boolean;
}

export function memberLevel({ role, overrides }: Pick<Situation, 'role' | 'overrides'>, kind: Kind): Level {
  const own = roleTable[role]![kinds.indexOf(kind)]!;
  const override = overrides[kind];
  return override === undefined ? own : (Math.min(own, levelNames.indexOf(override)) as Level);
}

function grantLevel({ grants }: Situation, kind: Kind): Level {
  if (grants.includes(`${kind}:write`)) return 2;
  return grants.includes(`${kind}:read`) ? 1 : 0;
}

/** True if the credential is valid. Otherwise the answer is 401. */
export function signedIn({ userActive, key }: Situation): boolean {
  return userActive && key === 'good';
}

export function effective(situation: Situation, kind: Kind): Level {
  if (!situation.isMember || situation.workspaceArchived) return 0;
  return Math.min(memberLevel(situation, kind), grantLevel(situation, kind)) as Level;
}

/** A right that has no level. */
export const hasGrant = (situation: Situation, grant: string): boolean =>
  situation.isMember && !situation.workspaceArchived && situation.grants.includes(grant);

export interface KnownItem {
  name: string;
  type: 'task' | 'requirement' | 'goal' | 'release' | 'milestone';
  /** Names of the items directly above. */
  above: string[];
  archived?: boolean;
}

/** Two releases (one archived), requirements below them, milestones, tasks below everything, a goal tree. */
export const items: KnownItem[] = [
  { name: 'release', type: 'release', above: [] },
  { name: 'oldRelease', type: 'release', above: [], archived: true },
  { name: 'requirement', type: 'requirement', above: [] },
  { name: 'releasedRequirement', type: 'requirement', above: ['release'] },
  { name: 'childRequirement', type: 'requirement', above: ['releasedRequirement'] },
  { name: 'lostRequirement', type: 'requirement', above: ['oldRelease'] },
  { name: 'milestone', type: 'milestone', above: [] },
  { name: 'deepMilestone', type: 'milestone', above: ['childRequirement'] },
  { name: 'task', type: 'task', above: [] },
  { name: 'subtask', type: 'task', above: ['task'] },
  { name: 'releaseTask', type: 'task', above: ['release'] },
  { name: 'requirementTask', type: 'task', above: ['requirement'] },
  { name: 'deepTask', type: 'task', above: ['childRequirement'] },
  { name: 'milestoneTask', type: 'task', above: ['deepMilestone'] },
  { name: 'lostTask', type: 'task', above: ['lostRequirement'] },
  { name: 'archivedTask', type: 'task', above: [], archived: true },
  { name: 'orphanOfArchived', type: 'task', above: ['archivedTask'] },
  { name: 'goal', type: 'goal', above: [] },
];

export const byName = new Map(items.map((item) => [item.name, item]));

/** An item is visible only if it and everything above it are readable and not archived. */
export function canRead(situation: Situation, item: KnownItem): boolean {
  if (item.archived || effective(situation, `${item.type}s`) < 1) return false;
  return item.above.every((name) => canRead(situation, byName.get(name)!));
}

/** True if the caller could read the item before it was archived. */
export function couldRead(situation: Situation, item: KnownItem): boolean {
  return effective(situation, `${item.type}s`) >= 1 && item.above.every((name) => couldRead(situation, byName.get(name)!));
}

export function canWrite(situation: Situation, item: KnownItem): boolean {
  return canRead(situation, item) && effective(situation, `${item.type}s`) >= 2;
}
