/** Rights as a bit set, combined with `&` (behaviour §3.7). Keep the same values as in sql/0002_rights.sql. */
import { Forbidden } from '../values/errors.ts';
import { keysOf, recordOf, valueAt } from '../values/records.ts';

export const resources = ['tasks', 'requirements', 'goals', 'releases', 'milestones', 'comments', 'time', 'plans'] as const;
export type Resource = (typeof resources)[number];

export const levels = ['none', 'read', 'write', 'delete'] as const;
export type Level = (typeof levels)[number];

const levelBits: Record<Level, number> = { none: 0, read: 1, write: 3, delete: 7 };

export function bits(resource: Resource, level: Level): number {
  return levelBits[level] << (3 * resources.indexOf(resource));
}

export const WORKSPACES_READ = 1 << 24;
export const CAPACITY_READ = 1 << 25;
export const TIME_OVERSIGHT = 1 << 26;
/** Sessions and jobs have all rights: only the membership limits them. */
export const ALL_RIGHTS = 2 ** 27 - 1;

export const GOALS_READ = bits('goals', 'read');
export const COMMENTS_READ = bits('comments', 'read');
export const COMMENTS_WRITE = bits('comments', 'write');
export const TASKS_WRITE = bits('tasks', 'write');
export const TIME_READ = bits('time', 'read');
export const TIME_WRITE = bits('time', 'write');
export const PLANS_READ = bits('plans', 'read');
export const PLANS_WRITE = bits('plans', 'write');

/** A workspace with all of these rights is in the scope of a forecast (behaviour §6.3). */
export const CAPACITY_RIGHTS =
  WORKSPACES_READ |
  CAPACITY_READ |
  TIME_OVERSIGHT |
  bits('tasks', 'read') |
  bits('requirements', 'read') |
  bits('releases', 'read') |
  bits('milestones', 'read');

export function holds(rights: number, needed: number): boolean {
  return (rights & needed) === needed;
}

export function levelOf(rights: number, resource: Resource): Level {
  return levels.findLast((level) => holds(rights, bits(resource, level))) ?? 'none';
}

/** Throws Forbidden below this level. The error names the caller's level for readers, who can see it anyway (behaviour §7.41). */
export function requireLevel(rights: number, resource: Resource, needed: Level): void {
  if (holds(rights, bits(resource, needed))) return;
  const level = levelOf(rights, resource);
  throw new Forbidden(level === 'none' ? {} : { level: { resource, level } });
}

export function rightsOfLevels(given: Partial<Record<Resource, Level>>): number {
  return keysOf(given).reduce((all, resource) => all | bits(resource, given[resource] ?? 'none'), 0);
}

/** A change of some levels, used as `rights & ~mask | bits`. Other resources keep their levels. */
export function changeLevels(given: Partial<Record<Resource, Level>>): { mask: number; bits: number } {
  const mask = keysOf(given).reduce((all, resource) => all | bits(resource, 'delete'), 0);
  return { mask, bits: rightsOfLevels(given) };
}

/** Resources of an agent connection or of a workspace's limits, in the order of behaviour §3.6. */
export const agentResources = ['tasks', 'requirements', 'releases', 'milestones', 'time', 'plans'] as const satisfies readonly Resource[];
export type AgentResource = (typeof agentResources)[number];
export type AgentLevels = Record<AgentResource, Level>;

export function agentLevels(rights: number): AgentLevels {
  return recordOf(agentResources, (resource) => levelOf(rights, resource));
}

export const itemTypes = ['task', 'requirement', 'goal', 'release', 'milestone'] as const;
export type ItemType = (typeof itemTypes)[number];

export function resourceOf(type: ItemType): Resource {
  return `${type}s`;
}

const grantable = ['tasks', 'requirements', 'goals', 'releases', 'milestones', 'comments'] as const;

/** The grants of a REST key, behaviour §3.5. There is no delete over REST. */
export const grants = [
  'workspaces:read',
  'capacity:read',
  ...grantable.flatMap((resource) => [`${resource}:read`, `${resource}:write`] as const),
] as const;
export type Grant = (typeof grants)[number];

const grantBits = new Map<Grant, number>([
  ['workspaces:read', WORKSPACES_READ],
  ['capacity:read', CAPACITY_READ],
  ...grantable.flatMap((resource): [Grant, number][] => [
    [`${resource}:read`, bits(resource, 'read')],
    [`${resource}:write`, bits(resource, 'write')],
  ]),
]);

/** A key's rights. TIME_OVERSIGHT is always included: the member's own right decides, and the capacity grant limits its use. */
export function rightsOfGrants(given: readonly Grant[]): number {
  return given.reduce((all, grant) => all | valueAt(grantBits, grant), TIME_OVERSIGHT);
}

export function grantsOf(rights: number): Grant[] {
  return grants.filter((grant) => holds(rights, valueAt(grantBits, grant)));
}

// Types of the ancestors that an item of a type can have, direct or indirect: behaviour §3.9.
const above: Record<ItemType, ItemType[]> = {
  task: ['requirement', 'release', 'milestone'],
  requirement: ['release'],
  milestone: ['requirement', 'release'],
  release: [],
  goal: [],
};

/** Every value that `items.needs` can have for a type: the type's read bit with each subset of ancestor types. At most eight. */
export function possibleNeeds(type: ItemType): number[] {
  return above[type].reduce<number[]>(
    (all, ancestor) => all.flatMap((needs) => [needs, needs | bits(resourceOf(ancestor), 'read')]),
    [bits(resourceOf(type), 'read')],
  );
}
