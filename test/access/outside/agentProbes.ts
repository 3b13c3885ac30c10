/** The agent's tools for context, search, reading and changing items. */
import type { Kind } from '../oracle.ts';
import { once } from './faces.ts';
import { ABSENT, currentState, differ, judge, type Probe, pickItem, pickWorkspace, type Scene, sortedIds } from './probe.ts';
import { newItem, randomLink, settle } from './restProbes.ts';
import {
  assignable,
  type ChangeRow,
  contextLevel,
  delegatedLevel,
  faultOfRow,
  kindOf,
  level,
  mayNote,
  oversees,
  reaches,
  sees,
  seesComments,
  seesGoal,
} from './rules.ts';
import type { Caller, Item, Workspace } from './town.ts';

type Make = (scene: Scene) => Probe | Promise<Probe>;
const types = ['task', 'requirement', 'release', 'milestone'] as const;
const agentKinds = ['tasks', 'requirements', 'releases', 'milestones', 'time', 'plans'] as const;
const names = ['none', 'read', 'write', 'delete'];

type Ids = Parameters<typeof sortedIds>[0];
type ContextPlace = { id: number; access: Record<string, string>; members?: Ids; objectives?: Ids };

const context: Make = (scene) => {
  const { random, faces, caller, town } = scene;
  const asked = random.chance(0.5) ? pickWorkspace(scene) : null;
  const places = (asked ? [asked] : town.workspaces).filter((one) => reaches(caller, one)).sort((a, b) => a.id - b.id);
  // Above five workspaces, each has only id, name and access.
  const inFull = places.length <= 5;
  const wanted = places.map((one) => [
    one.id,
    agentKinds.map((kind) => names[level(caller, one, kind)]),
    inFull && sortedIds(assignable(one)),
    inFull && sortedIds(one.items.filter((goal) => goal.type === 'goal' && seesGoal(caller, goal))),
  ]);
  const seen = (one: ContextPlace) => [
    one.id,
    agentKinds.map((kind) => one.access[kind]),
    one.members !== undefined && sortedIds(one.members),
    one.objectives !== undefined && sortedIds(one.objectives),
  ];
  return {
    ...{ name: 'svc_context', target: asked?.ref ?? 'all', expected: judge(caller, !asked || places.length > 0) },
    send: () => faces.tool(caller, 'svc_context', asked ? { workspaceId: asked.id } : {}),
    check: ({ actor, workspaces, personalNotesEnabled }) =>
      differ([actor.id, personalNotesEnabled], [caller.user.id, caller.user.agent.notes.length > 0]) ??
      differ(workspaces.map(seen), wanted),
  };
};

/** Linked by requirementId or releaseId. A requirement below another one is linked by parentId. */
const isLinked = (item: Item, above: Item) => item.above.includes(above) && !(item.type === 'requirement' && above.type === 'requirement');

/** Everything below an item at any depth. */
function allBelow(root: Item): Set<Item> {
  const found = new Set([root]);
  for (let before = 0; before < found.size; ) {
    before = found.size;
    for (const one of root.workspace.items) if (one.above.some((up) => found.has(up)) || (one.goal && found.has(one.goal))) found.add(one);
  }
  found.delete(root);
  return found;
}

const find: Make = (scene) => {
  const { random, faces, caller, town } = scene;
  const asked = random.chance(0.7) ? pickWorkspace(scene) : null;
  const type = random.chance(0.5) ? random.pick([...types, 'goal'] as const) : null;
  const below = random.chance(0.25) ? pickItem(scene) : null;
  const filter = below?.type === 'release' ? { releaseId: below.id } : below?.type === 'requirement' ? { requirementId: below.id } : {};
  const filtered = Object.keys(filter).length > 0;
  const root = random.chance(0.3) ? pickItem(scene) : null;
  const under = root && allBelow(root);
  const named = random.chance(0.2) ? Array.from({ length: random.whole(1, 30) }, () => pickItem(scene)) : null;
  const [after, limit] = random.chance(0.5) ? [0, 100] : [random.pick(random.pick(town.workspaces).items).id, random.whole(1, 5)];
  const fits = (item: Item) =>
    item.type !== 'goal' &&
    item.id > after &&
    (!asked || item.workspace === asked) &&
    (!type || item.type === type) &&
    (!filtered || isLinked(item, below!)) &&
    (!under || under.has(item)) &&
    (!named || named.includes(item)) &&
    sees(caller, item);
  const all = sortedIds(town.items().filter(fits));
  return {
    ...{ name: 'svc_find_work', target: `${asked?.ref} ${type} ${JSON.stringify(filter)} ${root?.ref} ${named?.length}` },
    expected:
      type === 'goal'
        ? judge(caller, true, 'invalid_request')
        : judge(caller, (!asked || reaches(caller, asked)) && (!filtered || sees(caller, below!)) && (!root || sees(caller, root))),
    send: () =>
      faces.tool(caller, 'svc_find_work', {
        ...{ assignee: 'all', status: 'all', afterId: after, limit, ...filter },
        ...(asked && { workspaceId: asked.id }),
        ...(type && { type }),
        ...(root && { underId: root.id }),
        ...(named && { ids: named.map(({ id }) => id) }),
      }),
    check: ({ items, hasMore }) => differ([items.map((item: Item) => item.id), hasMore], [all.slice(0, limit), all.length > limit]),
  };
};

/** True if the caller may read the forecast: the person oversees the workspace and the connection may read everything that the forecast
 *  uses. */
const seesOutlook = ({ user, ...rest }: Caller, { workspace }: Item): boolean =>
  oversees({ user, face: 'session' }, workspace) &&
  (['tasks', 'requirements', 'releases', 'milestones'] as const).every((kind) => level({ user, ...rest }, workspace, kind) >= 1);

/** The fault of an item's history, if it reveals too much. */
const historyFault = (caller: Caller, item: Item, history: ChangeRow[] = []): string | null => {
  const goals = contextLevel(caller, item.workspace, 'goals') >= 1;
  const wrong = history.filter(
    ({ kind, fields = {} }) => (kind === 'comment.created' && !seesComments(caller, item)) || ('goalId' in fields && !goals),
  );
  return differ(wrong, []) ?? differ(history.map(faultOfRow).filter(Boolean), []);
};

const get: Make = (scene) => {
  const { random, faces, caller } = scene;
  const item = random.chance(0.06) ? null : pickItem(scene);
  const below = item?.workspace.items.filter((one) => one.type === 'task' && one.above.includes(item) && sees(caller, one));
  const seenBelow = item && [...allBelow(item)].filter((one) => sees(caller, one));
  // The tasks of a requirement are returned as tasks.
  const isChild = (one: Item) => one.above.includes(item!) && !(item!.type === 'requirement' && one.type === 'task');
  const children = item && sortedIds(seenBelow!.filter(isChild)).slice(0, 100);
  return {
    ...{ name: 'svc_get_item', target: item?.ref ?? 'nothing', expected: judge(caller, item !== null && sees(caller, item)) },
    send: () => faces.tool(caller, 'svc_get_item', { id: item?.id ?? ABSENT, history: true }),
    check: ({ item: seen, notes, tasks, below: first, progress, history }) =>
      historyFault(caller, item!, history) ??
      differ([seen.id, seen.workspaceId], [item!.id, item!.workspace.id]) ??
      differ('goalId' in seen.fields, item!.goal !== null && contextLevel(caller, item!.workspace, 'goals') >= 1) ??
      differ(
        notes?.map((note: { body: string }) => note.body).sort(),
        seesComments(caller, item!) ? item!.comments.slice(-100).sort() : undefined,
      ) ??
      differ(tasks && sortedIds(tasks), item!.type === 'requirement' ? sortedIds(below!) : undefined) ??
      differ(
        first.map((row: Item) => row.id),
        children,
      ) ??
      differ(progress?.open, item!.type !== 'task' || seenBelow!.length ? seenBelow!.filter((one) => !one.closed).length : undefined) ??
      (progress && 'outlook' in progress && !seesOutlook(caller, item!) ? 'has an outlook' : null),
  };
};

const create: Make = (scene) => {
  const { random, faces, caller } = scene;
  const workspace = pickWorkspace(scene);
  const batch = Array.from({ length: random.whole(1, 3) }, () => {
    const type = random.pick(types);
    const link = randomLink(scene, workspace, type);
    return { type, link, made: newItem(scene, workspace, type, link) };
  });
  const args = once({
    workspaceId: workspace.id,
    items: batch.map(({ type, link, made }) => ({ type, title: made.title, fields: link.fields })),
  });
  const mayWrite = () => batch.every(({ type }) => level(caller, workspace, `${type}s`) >= 2);
  // The first faulty item decides. Forbidden fields are refused before any lookup.
  const fault = batch.find(({ link }) => !link.readable || !link.assigneeIsFine);
  return {
    ...{ name: 'svc_create_items', target: `${workspace.ref} ${JSON.stringify(batch.map(({ type, link }) => [type, link.fields]))}` },
    expected: judge(caller, mayWrite() && (!fault || fault.link.readable), fault ? 'invalid_request' : 'ok'),
    // The first item that is refused decides.
    tooLow(replayed) {
      const hidden = (link: (typeof batch)[number]['link']) => replayed && link.above && !sees(caller, link.above);
      const refused = batch.find(({ type, link }) => level(caller, workspace, `${type}s`) < 2 || hidden(link));
      return refused ? lowLevel(scene, workspace, `${refused.type}s`, 2) : null;
    },
    send: () => faces.tool(caller, 'svc_create_items', args),
    learn: ({ items }) => batch.forEach(({ made }, n) => void settle(made, items[n].id)),
    replay: () => judge(caller, mayWrite() && batch.every(({ link }) => !link.above || sees(caller, link.above))),
  };
};

/** The level below `least` that a refusal names (behaviour §7.41), or null if it is none. */
function lowLevel({ caller }: Scene, workspace: Workspace, kind: Kind, least: 2 | 3): string | null {
  const has = level(caller, workspace, kind);
  return has > 0 && has < least ? `${kind} ${names[has]}` : null;
}

/** The same of an item. Hidden and absent items have none, so that they get the same answer. */
const lowLevelOn = (scene: Scene, item: Item | null, least: 2 | 3): string | null =>
  item !== null && sees(scene.caller, item) ? lowLevel(scene, item.workspace, kindOf(item), least) : null;

/** Access to an item for a change, evaluated when called. */
const may = (scene: Scene, item: Item | null, least: 2 | 3) => () =>
  item !== null && sees(scene.caller, item) && level(scene.caller, item.workspace, kindOf(item)) >= least;

const update: Make = async (scene) => {
  const { random, faces, caller } = scene;
  const item = random.chance(0.06) ? null : pickItem(scene);
  const version = item ? (await currentState(scene, item)).version : 1;
  const stale = random.chance(0.1);
  const args = once({ id: item?.id ?? ABSENT, version: stale ? version + 1 : version, title: `${item?.title} ${random.whole(1, 999)}` });
  const allowed = may(scene, item, 2);
  return {
    ...{ name: 'svc_update_item', target: item?.ref ?? 'nothing', expected: judge(caller, allowed(), stale ? 'conflict' : 'ok') },
    tooLow: () => lowLevelOn(scene, item, 2),
    send: () => faces.tool(caller, 'svc_update_item', args),
    check: (body) => differ([body.item.id, body.item.version], [item!.id, version + 1]),
    replay: () => judge(caller, allowed()),
  };
};

const updateMany: Make = async (scene) => {
  const { random, faces, caller, town } = scene;
  const workspace = pickWorkspace(scene);
  const drawn = Array.from({ length: random.whole(1, 3) }, () => (random.chance(0.9) ? random.pick(workspace.items) : pickItem(scene)));
  const batch = await Promise.all(
    [...new Set(drawn)].map(async (item) => ({
      ...{ item, allowed: may(scene, item, 2), version: (await currentState(scene, item)).version, stale: random.chance(0.05) },
      note: random.chance(0.2) ? `Noted ${town.marks.mark({ kind: 'comment', item })}` : undefined,
    })),
  );
  const args = once({
    workspaceId: workspace.id,
    items: batch.map(({ item, version, stale, note }) => ({
      ...{ id: item.id, version: stale ? version + 1 : version, title: `${item.title} ${random.whole(1, 999)}` },
      ...(note && { note }),
    })),
  });
  const mayChange = (one: (typeof batch)[number]) =>
    one.item.workspace === workspace && one.allowed() && (!one.note || mayNote(caller, one.item));
  const allowed = () => batch.every(mayChange);
  const isStale = batch.some(({ stale }) => stale);
  return {
    ...{
      name: 'svc_update_items',
      target: batch.map(({ item }) => item.ref).join(),
      expected: judge(caller, allowed(), isStale ? 'conflict' : 'ok'),
    },
    // The first item that is refused decides.
    tooLow() {
      const refused = batch.find((one) => !mayChange(one))?.item;
      return refused?.workspace === workspace ? lowLevelOn(scene, refused, 2) : null;
    },
    send: () => faces.tool(caller, 'svc_update_items', args),
    check: ({ items }) =>
      differ(
        items.map(({ id, version }: { id: number; version: number }) => [id, version]),
        batch.map(({ item, version }) => [item.id, version + 1]),
      ),
    learn: ({ replayed }) => {
      for (const { item, note } of batch) if (note && !replayed) item.comments.push(note);
    },
    replay: () => judge(caller, allowed()),
  };
};

const addNote: Make = (scene) => {
  const { random, faces, caller, town } = scene;
  const item = random.chance(0.06) ? null : pickItem(scene);
  const allowed = () => item !== null && mayNote(caller, item);
  const body = item ? `Noted ${town.marks.mark({ kind: 'comment', item })}` : 'Noted';
  const args = once({ id: item?.id ?? ABSENT, body });
  return {
    ...{ name: 'svc_add_note', target: item?.ref ?? 'nothing', expected: judge(caller, allowed()) },
    tooLow: () => (item !== null && delegatedLevel(caller, item) < 2 ? lowLevelOn(scene, item, 2) : null),
    send: () => faces.tool(caller, 'svc_add_note', args),
    learn: ({ replayed }) => void (replayed || item!.comments.push(body)),
    replay: () => judge(caller, allowed()),
  };
};

/** True if something open and not archived is linked below at any depth. A goal's links count for the goal alone. */
export function isHeld(item: Item): boolean {
  const below = (one: Item): Item[] => one.workspace.items.filter((other) => other.above.includes(one));
  const holds = (one: Item): boolean => (!one.archived && !one.closed) || below(one).some(holds);
  const first = [...below(item), ...item.workspace.items.filter((other) => other.goal === item)];
  return first.some((one) => !one.above.some((up) => up !== item && up.archived) && holds(one));
}

const remove: Make = async (scene) => {
  const { faces, caller, town } = scene;
  const item = pickItem(scene);
  const { version } = await currentState(scene, item);
  const args = once({ id: item.id, version });
  const allowed = may(scene, item, 3);
  const inTheWay = isHeld(item) || town.users.some(({ entries }) => entries.some((entry) => entry.running && entry.item === item));
  return {
    ...{ name: 'svc_remove_item', target: item.ref, expected: judge(caller, allowed(), inTheWay ? 'invalid_request' : 'ok') },
    tooLow: (replayed) => (replayed ? asIfThere(item, () => lowLevelOn(scene, item, 3)) : lowLevelOn(scene, item, 3)),
    send: () => faces.tool(caller, 'svc_remove_item', args),
    learn: () => {
      item.archived = true;
    },
    replay: () => judge(caller, asIfThere(item, allowed)),
  };
};

/** Judges a replayed removal as if the item still existed (behaviour §7.15). */
function asIfThere<T>(item: Item, work: () => T): T {
  const before = item.archived;
  item.archived = false;
  try {
    return work();
  } finally {
    item.archived = before;
  }
}

export const agentProbes: [weight: number, make: Make][] = [
  ...([
    [2, context],
    [4, find],
    [4, get],
    [4, create],
    [4, update],
    [3, updateMany],
    [4, addNote],
    [2, remove],
  ] as [number, Make][]),
];
