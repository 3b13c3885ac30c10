/** A random town as a model for the rules, without ids. */
import type { Random } from '../../chaos/random.ts';
import { type Kind, kinds, levelNames, items as shape } from '../oracle.ts';
import type { Account, Agent, Item, LevelName, Levels, Marks, Member, User, Workspace } from './town.ts';

const roles = ['owner', 'manager', 'member', 'viewer'] as const;
const agentResources = ['tasks', 'requirements', 'releases', 'milestones', 'time', 'plans'] as const;
export const everyGrant = [
  'workspaces:read',
  'capacity:read',
  ...['tasks', 'requirements', 'goals', 'releases', 'milestones', 'comments'].flatMap((kind) => [`${kind}:read`, `${kind}:write`]),
];

export const randomLevels = (random: Random, mostly: LevelName): Levels =>
  Object.fromEntries(agentResources.map((name) => [name, random.chance(0.7) ? mostly : random.pick(levelNames)]));

export const randomGrants = (random: Random): string[] =>
  random.chance(0.4) ? [...everyGrant] : everyGrant.filter(() => random.chance(0.6));

export function randomMember(random: Random): Member {
  const overrides: Partial<Record<Kind, LevelName>> = {};
  for (const kind of kinds) if (random.chance(0.12)) overrides[kind] = random.pick(levelNames);
  return { role: random.pick(roles), overrides, timeOversight: random.pick([null, null, true, false]) };
}

const personalNoteRights = ['read', 'add', 'edit', 'delete'];
export const randomNoteRights = (random: Random): string[] => personalNoteRights.filter(() => random.chance(0.7));

/** The model alone. All ids are 0. */
export function draw(random: Random, marks: Marks): Account[] {
  return [6, 4].map((people, a) => {
    const account: Account = { users: [], workspaces: [] };
    for (let n = 0; n < people; n++) account.users.push(drawUser(random, marks, account, `u${a}${n}`, n));
    for (let n = 0; n < 3; n++) account.workspaces.push(drawWorkspace(random, marks, account, `w${a}${n}`));
    for (const user of account.users) {
      for (const workspace of account.workspaces) if (random.chance(0.75)) user.agent.places.set(workspace, { disconnected: false });
    }
    return account;
  });
}

function drawUser(random: Random, marks: Marks, account: Account, ref: string, n: number): User {
  const agent: Agent = {
    ref: `${ref}agent`,
    id: 0,
    key: '',
    permissions: randomLevels(random, random.pick(['read', 'write', 'delete'])),
    places: new Map(),
    notes: randomNoteRights(random),
    state: 'good',
  };
  const user: User = {
    ref,
    id: 0,
    account,
    name: '',
    accountRole: n === 0 ? 'owner' : n === 1 ? 'admin' : 'member',
    active: true,
    cookie: '',
    csrf: '',
    restKey: { ref: `${ref}key`, id: 0, key: '', grants: randomGrants(random), state: 'good' },
    agent,
    notes: [],
    folders: [],
    entries: [],
    blocks: [],
  };
  user.name = `Person ${marks.mark({ kind: 'user', user })}`;
  return user;
}

function drawWorkspace(random: Random, marks: Marks, account: Account, ref: string): Workspace {
  const limits = randomLevels(random, random.pick(['write', 'delete']));
  const workspace: Workspace = {
    ...{ ref, id: 0, account, archived: false, mcp: { enabled: true, limits } },
    ...{ members: new Map(), ever: new Set(), items: [] },
  };
  for (const user of account.users) if (random.chance(0.7)) workspace.members.set(user, randomMember(random));
  // The pages never leave a workspace without an owner.
  if (![...workspace.members.values()].some(({ role }) => role === 'owner')) {
    workspace.members.set(account.users[0]!, { role: 'owner', overrides: {}, timeOversight: null });
  }
  for (const user of workspace.members.keys()) workspace.ever.add(user);
  const byName = new Map<string, Item>();
  for (const known of shape) {
    const above = known.above.map((name) => byName.get(name)!);
    const item: Item = {
      ref: `${ref}${known.name}`,
      id: 0,
      workspace,
      type: known.type,
      archived: known.archived ?? false,
      closed: false,
      above,
      goal: null,
      title: '',
      comments: [],
    };
    item.title = `${known.name} ${marks.mark({ kind: 'item', item })}`;
    byName.set(known.name, item);
    workspace.items.push(item);
  }
  const goal = byName.get('goal')!;
  for (const item of workspace.items) if (item.type !== 'goal' && random.chance(0.3)) item.goal = goal;
  return workspace;
}
