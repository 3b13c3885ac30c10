/** Rights as a bit set, so that "key and owner and workspace" is `&` (behaviour §3.7). The same table as sql/0002_rights.sql. */

export const resources = ['tasks', 'requirements', 'goals', 'releases', 'milestones', 'comments', 'time', 'plans'] as const;
export type Resource = (typeof resources)[number];

export const levels = ['none', 'read', 'write', 'delete'] as const;
export type Level = (typeof levels)[number];

const levelBits: Record<Level, number> = { none: 0, read: 1, write: 3, delete: 7 };

/** The bits of `level` on `resource`; to hold it means to hold all of them. */
export function bits(resource: Resource, level: Level): number {
  return levelBits[level] << (3 * resources.indexOf(resource));
}

export const WORKSPACES_READ = 1 << 24;
export const CAPACITY_READ = 1 << 25;
export const TIME_OVERSIGHT = 1 << 26;
/** What a signed-in person's own session, or a job acting for them, may do: all that their membership allows. */
export const ALL_RIGHTS = 2 ** 27 - 1;

export const GOALS_READ = bits('goals', 'read');

/** All of these in a workspace make it part of a forecast's scope (behaviour §6.3). */
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

/** The level that `rights` hold on `resource`. */
export function levelOf(rights: number, resource: Resource): Level {
  return levels.findLast((level) => holds(rights, bits(resource, level))) ?? 'none';
}

export function rightsOfLevels(given: Partial<Record<Resource, Level>>): number {
  return Object.entries(given).reduce((all, [resource, level]) => all | bits(resource as Resource, level), 0);
}

/** A change of some levels, for `rights & ~mask | bits`: the other resources keep theirs. */
export function changeLevels(given: Partial<Record<Resource, Level>>): { mask: number; bits: number } {
  const mask = (Object.keys(given) as Resource[]).reduce((all, resource) => all | bits(resource, 'delete'), 0);
  return { mask, bits: rightsOfLevels(given) };
}

/** The levels of an agent connection or of a workspace's limits, in the order of behaviour §3.6. */
export const agentResources = ['tasks', 'requirements', 'releases', 'milestones', 'time', 'plans'] as const satisfies readonly Resource[];
export type AgentResource = (typeof agentResources)[number];
export type AgentLevels = Record<AgentResource, Level>;

export function agentLevels(rights: number): AgentLevels {
  return Object.fromEntries(agentResources.map((resource) => [resource, levelOf(rights, resource)])) as AgentLevels;
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

function grantBits(grant: Grant): number {
  if (grant === 'workspaces:read') return WORKSPACES_READ;
  if (grant === 'capacity:read') return CAPACITY_READ;
  const [resource, level] = grant.split(':') as [Resource, 'read' | 'write'];
  return bits(resource, level);
}

/** A key's rights; time oversight is the acting user's own and rides along, the capacity grant decides over its use. */
export function rightsOfGrants(given: readonly Grant[]): number {
  return given.reduce((all, grant) => all | grantBits(grant), TIME_OVERSIGHT);
}

/** The grants that rights amount to; write includes read. */
export function grantsOf(rights: number): Grant[] {
  return grants.filter((grant) => holds(rights, grantBits(grant)));
}

// Which types can stand above an item of a type, themselves or through another: behaviour §3.9.
const above: Record<ItemType, ItemType[]> = {
  task: ['requirement', 'release', 'milestone'],
  requirement: ['release'],
  milestone: ['requirement', 'release'],
  release: [],
  goal: [],
};

/** Every value that `items.needs` can have for a type: its own read bit with each set of ancestor types. At most eight. */
export function possibleNeeds(type: ItemType): number[] {
  return above[type].reduce<number[]>(
    (all, ancestor) => all.flatMap((needs) => [needs, needs | bits(resourceOf(ancestor), 'read')]),
    [bits(resourceOf(type), 'read')],
  );
}
