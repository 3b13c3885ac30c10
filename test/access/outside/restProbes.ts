/** Every operation of the REST API, with keys and with sessions. */
import { linkName } from './build.ts';
import { ABSENT, currentState, differ, judge, type Probe, pickItem, pickWorkspace, type Scene, sortedIds } from './probe.ts';
import { assignable, faultOfRow, has, kindOf, level, oversees, reaches, readableKinds, sees, seesComments, seesGoal } from './rules.ts';
import type { Item, Workspace } from './town.ts';

type Make = (scene: Scene) => Probe | Promise<Probe>;
const types = ['task', 'requirement', 'goal', 'release', 'milestone'] as const;
const reads = types.map((type) => `${type}s:read`);

const capabilities: Make = ({ faces, caller }) => ({
  ...{ name: 'capabilities', target: '', expected: judge(caller, true) },
  send: () => faces.rest(caller, 'GET', '/capabilities'),
  check: ({ actor, authentication, grants }) =>
    differ([actor.id, authentication.mode], [caller.user.id, caller.face]) ??
    (caller.face === 'key' ? differ(withReads(caller.user.restKey.grants), [...grants].sort()) : null),
});

export const withReads = (grants: string[]) => [...new Set(grants.flatMap((grant) => [grant, grant.replace(':write', ':read')]))].sort();

const workspaces: Make = ({ town, faces, caller }) => ({
  ...{ name: 'workspaces', target: '', expected: judge(caller, has(caller, 'workspaces:read')) },
  needs: [['workspaces:read']],
  send: () => faces.rest(caller, 'GET', '/workspaces'),
  check: ({ workspaces: found }) => differ(sortedIds(found), sortedIds(town.workspaces.filter((one) => reaches(caller, one)))),
});

const list: Make = (scene) => {
  const { random, faces, caller } = scene;
  const workspace = pickWorkspace(scene);
  const type = random.pick(types);
  const [after, limit] = random.chance(0.5) ? [0, 100] : [random.pick(workspace.items).id, random.whole(1, 4)];
  const all = sortedIds(workspace.items.filter((item) => item.type === type && item.id > after && sees(caller, item)));
  return {
    ...{ name: 'items', target: `${type}s of ${workspace.ref}`, expected: judge(caller, level(caller, workspace, `${type}s`) >= 1) },
    needs: [[`${type}s:read`]],
    send: () => faces.rest(caller, 'GET', '/items', { workspaceId: workspace.id, type, after, limit }),
    check: ({ items, hasMore, nextAfter }) =>
      differ(
        [items.map((item: Item) => item.id), hasMore, nextAfter],
        [all.slice(0, limit), all.length > limit, all.slice(0, limit).at(-1) ?? after],
      ),
  };
};

/** An item with its own workspace, another workspace, or none. */
function aim(scene: Scene): { item: Item | null; ids: { workspaceId: number; id: number }; target: string } {
  const { random, town } = scene;
  if (random.chance(0.06)) return { item: null, ids: { workspaceId: pickWorkspace(scene).id, id: ABSENT }, target: 'nothing' };
  const item = pickItem(scene);
  const elsewhere = random.chance(0.06) ? random.pick(town.workspaces.filter((one) => one !== item.workspace)) : null;
  const ids = { workspaceId: (elsewhere ?? item.workspace).id, id: item.id };
  return { item: elsewhere ? null : item, ids, target: `${item.ref} in ${(elsewhere ?? item.workspace).ref}` };
}

const item: Make = (scene) => {
  const { faces, caller } = scene;
  const { item: one, ids, target } = aim(scene);
  return {
    ...{ name: 'item', target, expected: judge(caller, one !== null && sees(caller, one)) },
    send: () => faces.rest(caller, 'GET', '/item', ids),
    check: (body) => differ([body.id, 'goalId' in body.fields], [one!.id, level(caller, one!.workspace, 'goals') >= 1]),
  };
};

const comments: Make = (scene) => {
  const { faces, caller } = scene;
  const { item: one, ids, target } = aim(scene);
  return {
    ...{ name: 'comments', target, expected: judge(caller, one !== null && seesComments(caller, one)) },
    needs: [['comments:read']],
    send: () => faces.rest(caller, 'GET', '/comments', ids),
    check: (body) => differ(body.comments.map((comment: { body: string }) => comment.body).sort(), one!.comments.slice(-100).sort()),
  };
};

const changes: Make = (scene) => {
  const { random, faces, caller } = scene;
  const one = random.chance(0.4) ? pickItem(scene) : null;
  const workspace = one?.workspace ?? pickWorkspace(scene);
  const allowed = has(caller, 'workspaces:read') && readableKinds(caller, workspace).length > 0 && (one === null || sees(caller, one));
  const limit = random.whole(1, 200);
  const mayHear = (row: { itemId: number; kind: string }): boolean => {
    const item = workspace.items.find(({ id }) => id === row.itemId);
    // The test world restores this item although no user did.
    if (row.kind === 'item.archived' && item?.archived) return true;
    return item !== undefined && (row.kind === 'comment.created' ? seesComments(caller, item) : sees(caller, item));
  };
  return {
    ...{ name: 'changes', target: `${workspace.ref} ${one?.ref ?? ''}`, expected: judge(caller, allowed) },
    needs: [['workspaces:read'], reads],
    send: () => faces.rest(caller, 'GET', '/changes', { workspaceId: workspace.id, limit, ...(one && { itemId: one.id }) }),
    check: (body) =>
      differ(
        body.changes.filter((row: { itemId: number; kind: string }) => !mayHear(row) || (one && row.itemId !== one.id)),
        [],
      ) ?? differ(body.changes.map(faultOfRow).filter(Boolean), []),
  };
};

const comment: Make = (scene) => {
  const { faces, caller, town } = scene;
  const { item: one, ids, target } = aim(scene);
  const allowed = one !== null && sees(caller, one) && level(caller, one.workspace, 'comments') >= 2;
  const body = allowed ? `Said ${town.marks.mark({ kind: 'comment', item: one })}` : 'Not to be';
  return {
    ...{ name: 'comment', target, expected: judge(caller, allowed) },
    needs: [['comments:write']],
    send: () => faces.rest(caller, 'POST', '/comments', { ...ids, body }),
    learn: () => void one!.comments.push(body),
  };
};

export interface Link {
  fields: Record<string, number>;
  above: Item | null;
  goal: Item | null;
  readable: boolean;
  assigneeIsFine: boolean;
}

/** No link, one valid link, or an assignee. */
export function randomLink(scene: Scene, workspace: Workspace, type: Item['type']): Link {
  const { random, caller, town } = scene;
  const none: Link = { fields: {}, above: null, goal: null, readable: true, assigneeIsFine: true };
  if (type === 'goal' || random.chance(0.3)) return none;
  if (random.chance(0.25)) {
    const who = random.pick(town.users);
    return { ...none, fields: { assigneeId: who.id }, assigneeIsFine: assignable(workspace).includes(who) };
  }
  const place = random.chance(0.1) ? random.pick(town.workspaces) : workspace;
  const fitting = {
    task: ['requirement', 'release', 'task', 'goal'],
    requirement: ['release', 'requirement', 'goal'],
    milestone: ['release', 'requirement', 'goal'],
    release: ['goal'],
  }[type];
  const to = random.pick(place.items.filter((one) => fitting.includes(one.type)));
  if (to.type === 'goal') return { ...none, fields: { goalId: to.id }, goal: to, readable: place === workspace && seesGoal(caller, to) };
  return { ...none, fields: { [linkName(type, to.type)]: to.id }, above: to, readable: place === workspace && sees(caller, to) };
}

/** Adds a new item to the model. Its mark exists before the item does. */
export function newItem({ town }: Scene, workspace: Workspace, type: Item['type'], { above, goal }: Link): Item {
  const made: Item = {
    ref: `${workspace.ref}new`,
    id: 0,
    workspace,
    type,
    archived: false,
    closed: false,
    above: above ? [above] : [],
    goal,
    title: '',
    comments: [],
  };
  made.title = `New ${town.marks.mark({ kind: 'item', item: made })}`;
  return made;
}

export function settle(made: Item, id: number): void {
  made.id = id;
  made.ref += id;
  made.workspace.items.push(made);
}

/** Rights to read the items that a link may point at. `parentId` points at the item's own type. */
const readsFor: Record<string, string[]> = {
  parentItemId: ['tasks:read', 'milestones:read'],
  requirementId: ['requirements:read'],
  releaseId: ['releases:read'],
  goalId: ['goals:read'],
};

const create: Make = (scene) => {
  const { random, faces, caller } = scene;
  const workspace = pickWorkspace(scene);
  const type = random.pick(types);
  const link = randomLink(scene, workspace, type);
  const allowed = level(caller, workspace, `${type}s`) >= 2 && link.readable;
  const made = newItem(scene, workspace, type, link);
  const record = { type, title: made.title, description: '', status: 'planned', fields: link.fields };
  const linked = Object.keys(link.fields).flatMap((name) => (readsFor[name] ? [readsFor[name]] : []));
  return {
    ...{ name: 'save new', target: `${type} in ${workspace.ref} ${JSON.stringify(link.fields)}` },
    expected: judge(caller, allowed, link.assigneeIsFine ? 'ok' : 'invalid_request'),
    needs: [[`${type}s:write`], ...linked],
    send: () => faces.rest(caller, 'POST', '/items/save', { workspaceId: workspace.id, record }),
    learn: ({ id }) => settle(made, id),
  };
};

const update: Make = async (scene) => {
  const { random, faces, caller } = scene;
  const { item: one, ids, target } = aim(scene);
  const { version, status, description } = one ? await currentState(scene, one) : { version: 1, status: 'planned', description: '' };
  const stale = random.chance(0.1);
  const title = `${one?.title ?? 'None'} ${random.whole(1, 999)}`;
  const record = { id: ids.id, version: stale ? version + 1 : version, type: one?.type ?? 'task', title, description, status, fields: {} };
  const allowed = one !== null && sees(caller, one) && level(caller, one.workspace, kindOf(one)) >= 2;
  return {
    ...{ name: 'save', target, expected: judge(caller, allowed, stale ? 'conflict' : 'ok') },
    send: () => faces.rest(caller, 'POST', '/items/save', { workspaceId: ids.workspaceId, record }),
    check: (body) => differ(body.version, version + 1),
  };
};

const options: Make = (scene) => {
  const { faces, caller } = scene;
  const workspace = pickWorkspace(scene);
  const readable = readableKinds(caller, workspace).map((kind) => kind.slice(0, -1));
  return {
    ...{ name: 'options', target: workspace.ref, expected: judge(caller, has(caller, 'workspaces:read') && readable.length > 0) },
    needs: [['workspaces:read'], reads],
    send: () => faces.rest(caller, 'GET', '/options', { workspaceId: workspace.id }),
    check: ({ statuses, assignees }) =>
      differ(sortedIds(assignees), sortedIds(assignable(workspace))) ??
      differ([...new Set(statuses.flatMap((status: { types: string[] }) => status.types))].sort(), [...readable].sort()),
  };
};

const capacity: Make = (scene) => {
  const { random, faces, caller, town } = scene;
  const workspace = random.chance(0.75) ? pickWorkspace(scene) : null;
  const scope = (workspace ? [workspace] : town.workspaces).filter((one) => oversees(caller, one));
  const manages = scope.every((one) => ['owner', 'manager'].includes(one.members.get(caller.user)!.role));
  return {
    ...{ name: 'capacity', target: workspace?.ref ?? 'all', expected: judge(caller, scope.length > 0) },
    needs: ['workspaces', 'capacity', 'tasks', 'requirements', 'releases', 'milestones'].map((name) => [`${name}:read`]),
    send: () => faces.rest(caller, 'GET', '/capacity', { workspaceId: workspace?.id ?? 0 }),
    check: (body) => differ([body.workspaceId, body.canManage], [workspace?.id ?? 0, caller.face === 'session' && manages]),
  };
};

export const restProbes: [weight: number, make: Make][] = [
  ...([
    [1, capabilities],
    [2, workspaces],
    [4, list],
    [4, item],
    [3, comments],
    [3, changes],
    [3, comment],
  ] as [number, Make][]),
  ...([
    [4, create],
    [4, update],
    [2, options],
    [1, capacity],
  ] as [number, Make][]),
];
