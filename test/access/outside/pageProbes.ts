/** Pages that people read, and the forms that they send. */
import { Visitor } from '../../support/visitor.ts';
import { isHeld } from './agentProbes.ts';
import type { Answer } from './faces.ts';
import { ABSENT, currentState, day, judge, type Probe, pickItem, pickWorkspace, type Scene } from './probe.ts';
import { newItem, settle } from './restProbes.ts';
import { couldRead, kindOf, level, oversees, reaches, readableKinds, sees, seesGoal } from './rules.ts';
import type { Caller, Item, Workspace } from './town.ts';

type Make = (scene: Scene) => Probe | Promise<Probe>;
const types = ['task', 'requirement', 'goal', 'release', 'milestone'] as const;

const at = ({ workspace, id }: Item) => `/workspaces/${workspace.id}/items/${id}`;

/** Forecast texts for overseers only: tasks without a date, their assignees, and busy periods. */
const explained =
  /\d+ tasks? (?:is |are )?(?:assigned to .*, who (?:is deactivated|left the workspace)|ha(?:s|ve) no estimate|unassigned)|has no free time until|Capacity counts each task/;
const showsForecast = (caller: Caller, place: Workspace, body: string): string | null =>
  explained.test(body) && !oversees(caller, place) ? `explains a forecast: ${explained.exec(body)}` : null;

const workspace: Make = (scene) => {
  const { random, faces, caller } = scene;
  const place = pickWorkspace(scene);
  const allowed = reaches(caller, place) && readableKinds(caller, place).length > 0;
  const shown = random.pick(['', '&view=board', '&view=board&group=assignee&open=done', '&view=board&group=priority', '&archived=1']);
  const path = `/workspaces/${place.id}?type=${random.pick(types)}&status=all${shown}`;
  const name = shown === '&archived=1' ? 'page workspace archived' : 'page workspace';
  return {
    ...{ name, target: place.ref, expected: judge(caller, allowed) },
    send: () => faces.page(caller, path),
    check: (body) => showsForecast(caller, place, body),
  };
};

/** The exported list contains exactly the visible items. */
const listFile: Make = (scene) => {
  const { random, faces, caller } = scene;
  const one = pickItem(scene);
  const { workspace: place } = one;
  const archived = random.chance(0.3);
  const seen = archived ? one.archived && couldRead(caller, one) : sees(caller, one);
  const isThere = (body: string) => body.includes(`\n"${one.id}",`);
  return {
    ...{
      name: `page list.csv${archived ? ' archived' : ''}`,
      target: one.ref,
      expected: judge(caller, reaches(caller, place) && readableKinds(caller, place).length > 0),
    },
    send: () => faces.page(caller, `/workspaces/${place.id}/list.csv?type=${one.type}&status=all${archived ? '&archived=1' : ''}`),
    check: (body) => (isThere(body) !== seen ? `${seen ? 'leaves out' : 'holds'} item ${one.id}` : null),
  };
};

/** The timeline shows exactly the visible items, wherever they are linked. */
const timeline: Make = (scene) => {
  const { random, faces, caller } = scene;
  const one = pickItem(scene);
  const { workspace: place, id } = one;
  const allowed = reaches(caller, place) && readableKinds(caller, place).length > 0;
  const more = random.pick(['', `&tasks=${id}`, `&within=${id}`, '&search=of', '&scale=quarters&status=all']);
  const isThere = (body: string) => body.includes(`data-item="${id}"`);
  return {
    ...{ name: 'page timeline', target: one.ref, expected: judge(caller, allowed) },
    send: () => faces.page(caller, `/workspaces/${place.id}?view=timeline${more}`),
    check: (body) =>
      isThere(body) && !(one.type === 'goal' ? seesGoal(caller, one) : sees(caller, one))
        ? `shows item ${id}`
        : showsForecast(caller, place, body),
  };
};

const item: Make = (scene) => {
  const { random, faces, caller, town } = scene;
  const one = pickItem(scene);
  const elsewhere = random.chance(0.06) ? random.pick(town.workspaces.filter((other) => other !== one.workspace)) : null;
  const path = `/workspaces/${(elsewhere ?? one.workspace).id}/items/${random.chance(0.06) ? ABSENT : one.id}`;
  const allowed = path === at(one) && (sees(caller, one) || (one.archived && couldRead(caller, one)));
  return {
    ...{ name: 'page item', target: path, expected: judge(caller, allowed) },
    send: () => faces.page(caller, path),
    check: (body) => showsForecast(caller, one.workspace, body),
  };
};

/** A file is read by those who can read its item now. */
const file: Make = async (scene) => {
  const { random, faces, caller, fixtures } = scene;
  const one = pickItem(scene);
  const [{ id }] = await fixtures.sql(
    `with there as (select id from item_files where item_id = $1),
     made as (
       insert into item_files (account_id, workspace_id, item_id, blob_id, name, size, type, state, added_by)
       select i.account_id, i.workspace_id, i.id, blob_of(i.account_id, 'bytes'), 'file.txt', 5, 'application/octet-stream', 'ready',
         (select min(u.id) from users u where u.account_id = i.account_id)
       from items i where i.id = $1 and not exists (select from there) returning id)
     select id from there union all select id from made`,
    [one.id],
  );
  const absent = random.chance(0.06);
  return {
    ...{ name: 'page file', target: one.ref, expected: judge(caller, !absent && sees(caller, one)) },
    send: () => faces.page(caller, `/files/${absent ? ABSENT : id}`),
    check: (body) => (body === 'bytes' ? null : `answers ${body}`),
  };
};

const newPage: Make = (scene) => {
  const { random, faces, caller } = scene;
  const place = pickWorkspace(scene);
  const type = random.pick(types);
  const allowed = level(caller, place, `${type}s`) >= 2;
  return {
    name: 'page new',
    target: `${type} ${place.ref}`,
    expected: judge(caller, allowed),
    send: () => faces.page(caller, `/workspaces/${place.id}/new?type=${type}`),
  };
};

/** What pickers load: items that can be linked, people with hints, and if work fits. */
const find: Make = (scene) => {
  const { random, faces, caller } = scene;
  const one = pickItem(scene);
  const { workspace: place, id } = one;
  const seen = one.type === 'goal' ? seesGoal(caller, one) : sees(caller, one);
  return {
    ...{ name: 'page find', target: one.ref, expected: judge(caller, reaches(caller, place)) },
    send: () => faces.page(caller, `/workspaces/${place.id}/find?types=${random.pick([one.type, types.join(',')])}&q=${id}`),
    check: (body) => (body.includes(`"#${id} `) && !seen ? `shows item ${id}` : null),
  };
};

const candidates: Make = (scene) => {
  const { random, faces, caller, town } = scene;
  const place = pickWorkspace(scene);
  const rest = random.pick(['candidates', `fit?assignee=${random.pick(town.users).id}&due=&hours=2`]);
  return {
    ...{ name: `page ${rest.split('?')[0]}`, target: place.ref, expected: judge(caller, reaches(caller, place)) },
    send: () => faces.page(caller, `/workspaces/${place.id}/${rest}`),
    check: (body) => (body.includes(' free ') && !oversees(caller, place) ? 'shows free hours' : null),
  };
};

const create: Make = (scene) => {
  const { random, faces, caller } = scene;
  const place = pickWorkspace(scene);
  const type = random.pick(types);
  const made = newItem(scene, place, type, { fields: {}, above: null, goal: null, readable: true, assigneeIsFine: true });
  return {
    ...{ name: 'page create', target: `${type} ${place.ref}`, expected: judge(caller, level(caller, place, `${type}s`) >= 2) },
    send: () => faces.page(caller, `/workspaces/${place.id}/items`, { type, title: made.title, description: '', statusKey: 'planned' }),
    learn: async () => {
      const [row] = await scene.fixtures.sql('select id from items where title = $1', [made.title]);
      settle(made, Number(row.id));
    },
  };
};

const may = ({ caller }: Pick<Scene, 'caller'>, one: Item, least: 2 | 3) =>
  sees(caller, one) && level(caller, one.workspace, kindOf(one)) >= least;

/** Sends the form as the page has it, or as a user who can't see the page could send it. */
async function sendEdit(scene: Scene, one: Item, version: number): Promise<Answer> {
  const { faces, caller } = scene;
  const visitor = new Visitor(faces.base);
  visitor.cookie = caller.user.cookie;
  const page = await visitor.go(`${at(one)}/edit`);
  const fields =
    page.path.endsWith('/edit') && page.status === 200
      ? Object.fromEntries(visitor.form('/edit').fields)
      : { title: 'Mine', description: '', version: String(version) };
  return faces.page(caller, `${at(one)}/edit`, fields);
}

const edit: Make = async (scene) => {
  const { caller, random, faces } = scene;
  const one = pickItem(scene);
  const { version } = await currentState(scene, one);
  const reads = random.chance(0.4);
  return {
    ...{ name: reads ? 'page edit' : 'page save', target: one.ref, expected: judge(caller, may(scene, one, 2)) },
    send: () => (reads ? faces.page(caller, `${at(one)}/edit`) : sendEdit(scene, one, version)),
  };
};

const comment: Make = (scene) => {
  const { faces, caller, town } = scene;
  const one = pickItem(scene);
  const allowed = sees(caller, one) && level(caller, one.workspace, 'comments') >= 2;
  const body = `Said ${town.marks.mark({ kind: 'comment', item: one })}`;
  return {
    ...{ name: 'page comment', target: one.ref, expected: judge(caller, allowed) },
    send: () => faces.page(caller, `${at(one)}/comments`, { body }),
    learn: () => void one.comments.push(body),
  };
};

const archive: Make = async (scene) => {
  const { faces, caller, town } = scene;
  const one = pickItem(scene);
  const { version } = await currentState(scene, one);
  const held = isHeld(one) || town.users.some(({ entries }) => entries.some((entry) => entry.running && entry.item === one));
  return {
    ...{ name: 'page archive', target: one.ref, expected: judge(caller, may(scene, one, 3), held ? 'invalid_request' : 'ok') },
    send: () => faces.page(caller, `${at(one)}/archive`, { version: String(version) }),
    learn: () => {
      one.archived = true;
    },
  };
};

const isBelowArchived = ({ above }: Item): boolean => above.some((one) => one.archived || isBelowArchived(one));

const restore: Make = async (scene) => {
  const { faces, caller } = scene;
  const one = pickItem(scene);
  const { version } = await currentState(scene, one);
  const allowed = (sees(caller, one) || (one.archived && couldRead(caller, one))) && level(caller, one.workspace, kindOf(one)) >= 3;
  // Without an archived item the address redirects to the item.
  const outcome = !one.archived ? 'ok' : isBelowArchived(one) ? 'invalid_request' : 'ok';
  return {
    ...{ name: 'page restore', target: one.ref, expected: judge(caller, allowed, outcome) },
    send: () => faces.page(caller, `${at(one)}/restore`, { version: String(version) }),
    learn: () => {
      one.archived = false;
    },
  };
};

/** Changes one value in place: gets the menu, or sends its form. */
const inPlace: Make = async (scene) => {
  const { faces, caller, random } = scene;
  const one = pickItem(scene);
  const { version } = await currentState(scene, one);
  const path = `${at(one)}/change/estimate`;
  const reads = random.chance(0.4);
  const form = { version: String(version), value: String(random.pick([1, 2, 3, 5, 8])), back: '/' };
  return {
    ...{ name: reads ? 'page change' : 'page change sent', target: one.ref, expected: judge(caller, may(scene, one, 2)) },
    send: () => (reads ? faces.page(caller, `${path}?back=/`) : faces.page(caller, path, form)),
  };
};

/** Changes several items at once. If one may not be changed, none is. */
const bulk: Make = async (scene) => {
  const { faces, caller, random } = scene;
  const place = pickWorkspace(scene);
  const chosen = [...new Set([random.pick(place.items), random.pick(place.items)])];
  const ids = await Promise.all(chosen.map(async (one) => `${one.id}.${(await currentState(scene, one)).version}`));
  const allowed = chosen.every((one) => may(scene, one, 2));
  const form = { change: 'progress', value: String(random.pick([10, 20, 30])), ids, back: '/' };
  return {
    ...{ name: 'page bulk', target: place.ref, expected: judge(caller, allowed) },
    send: () => faces.page(caller, `/workspaces/${place.id}/bulk`, form),
  };
};

/** What would move after an item. Hidden items are not named. */
const dependents: Make = (scene) => {
  const { faces, caller } = scene;
  const one = pickItem(scene);
  return {
    ...{ name: 'page dependents', target: one.ref, expected: judge(caller, sees(caller, one)) },
    send: () => faces.page(caller, `/workspaces/${one.workspace.id}/dependents?ids=${one.id}&back=/`),
  };
};

/** Undoes a change of another person, or of an agent. */
const undo: Make = async (scene) => {
  const { faces, caller, fixtures } = scene;
  const one = pickItem(scene);
  const { version } = await currentState(scene, one);
  const [mine] = await fixtures.sql(
    `select from changes where item_id = $1 and version = $2 and actor_id = $3 and via = 'page' and kind <> 'comment.created'`,
    [one.id, version, caller.user.id],
  );
  if (mine) return inPlace(scene);
  return {
    ...{ name: 'page undo', target: one.ref, expected: judge(caller, false) },
    send: () => faces.page(caller, `/workspaces/${one.workspace.id}/undo`, { itemId: String(one.id), version: String(version), back: '/' }),
  };
};

/** Time typed into a row of the week grid. */
const grid: Make = (scene) => {
  const { faces, caller } = scene;
  const one = pickItem(scene);
  const form = { week: day(0), 'item-0': String(one.id), [`n-0-${day(0)}`]: '1m' };
  return {
    ...{ name: 'page grid', target: one.ref, expected: judge(caller, sees(caller, one) && level(caller, one.workspace, 'time') >= 2) },
    send: () => faces.page(caller, '/my/timesheet', form),
    learn: async () => {
      const [row] = await scene.fixtures.sql('select max(id) as id from time_entries where user_id = $1', [caller.user.id]);
      caller.user.entries.push({ id: Number(row.id), item: one, running: false });
    },
  };
};

const isApprovable = ({ type }: Item): boolean => type === 'requirement' || type === 'release';

function mayDecide(scene: Pick<Scene, 'caller'>, one: Item): boolean {
  const role = one.workspace.members.get(scene.caller.user)?.role;
  return may(scene, one, 2) && (role === 'owner' || role === 'manager');
}

/** Takes a workflow step on an item, valid for its status or not. */
async function drawStep(scene: Scene, decisions: readonly string[]) {
  const { caller, random, town } = scene;
  const { items } = pickWorkspace(scene);
  const one = random.pick(random.chance(0.8) ? items.filter(isApprovable) : items);
  const { version, status } = await currentState(scene, one);
  const decision = random.pick(decisions);
  const fits = decision === 'request' ? isApprovable(one) && !/^(pending_approval|approved)$/.test(status) : status === 'pending_approval';
  const comment = `Decided ${town.marks.mark({ kind: 'approval', item: one })}`;
  return {
    one,
    probe: { target: one.ref, expected: judge(caller, mayDecide(scene, one), fits ? 'ok' : 'invalid_request') },
    form: { decision, version: String(version), comment },
  };
}

/** Requests and decides approvals wherever a user may, so that some exist from the beginning. Returns the number of steps. */
export async function takeApprovals(scene: Omit<Scene, 'caller'>): Promise<number> {
  let steps = 0;
  for (const one of scene.town.items().filter(isApprovable)) {
    const caller = [...one.workspace.members.keys()]
      .map((user) => ({ user, face: 'session' }) as const)
      .find((each) => mayDecide({ caller: each }, one));
    for (const decision of caller ? ['request', scene.random.pick(['approve', 'reject'])] : []) {
      const { version } = await currentState({ ...scene, caller: caller! }, one);
      const comment = `Decided ${scene.town.marks.mark({ kind: 'approval', item: one })}`;
      const { outcome } = await scene.faces.page(caller!, `${at(one)}/approval`, { decision, version: String(version), comment });
      if (outcome !== 'ok') throw new Error(`${decision} of ${one.ref}: ${outcome}`);
      steps++;
    }
  }
  return steps;
}

const approval: Make = async (scene) => {
  const { faces, caller } = scene;
  const { one, probe, form } = await drawStep(scene, ['request', 'request', 'approve', 'reject']);
  return { ...probe, name: 'page approval', send: () => faces.page(caller, `${at(one)}/approval`, form) };
};

const log: Make = (scene) => {
  const { faces, caller, town } = scene;
  const one = pickItem(scene);
  const note = town.marks.mark({ kind: 'time', user: caller.user, workspace: one.workspace });
  return {
    ...{ name: 'page log', target: one.ref, expected: judge(caller, sees(caller, one) && level(caller, one.workspace, 'time') >= 2) },
    send: () => faces.page(caller, '/my/entries/log', { itemId: String(one.id), date: day(0), minutes: '1', note }),
    learn: async () => {
      const [row] = await scene.fixtures.sql('select id from time_entries where note = $1', [note]);
      caller.user.entries.push({ id: Number(row.id), item: one, running: false });
    },
  };
};

/** Workspace owners who see the item can stop another person's timer. Other users can't. */
const stopTimer: Make = (scene) => {
  const { faces, caller, random, town } = scene;
  const running = town.users.flatMap((user) => user.entries.filter((entry) => entry.running).map((entry) => ({ user, entry })));
  const found = running.length > 0 && random.chance(0.8) ? random.pick(running) : null;
  const one = found?.entry.item ?? pickItem(scene);
  const userId = String(found?.user.id ?? random.pick(town.users).id);
  const allowed = sees(caller, one) && one.workspace.members.get(caller.user)?.role === 'owner';
  const runs = town.users.some((user) => String(user.id) === userId && user.entries.some((entry) => entry.running && entry.item === one));
  return {
    ...{ name: 'page stop timer', target: one.ref, expected: judge(caller, allowed, runs ? 'ok' : 'conflict') },
    send: () => faces.page(caller, `${at(one)}/timer/stop`, { userId }),
    learn: () => {
      if (found) found.entry.running = false;
    },
  };
};

const watch: Make = (scene) => {
  const { random, faces, caller } = scene;
  const one = pickItem(scene);
  const form = { watching: random.pick(['yes', 'no']) };
  return {
    ...{ name: 'page watch', target: one.workspace.ref, expected: judge(caller, sees(caller, one)) },
    send: () => faces.page(caller, `${at(one)}/watch`, form),
  };
};

/** Search by number or by common words: results are visible items only, and a visible item is found by its number. */
const search: Make = (scene) => {
  const { faces, caller, random } = scene;
  const one = pickItem(scene);
  const [byNumber, archived] = [random.chance(0.7), random.chance(0.3)];
  const seen = reaches(caller, one.workspace) && (archived ? couldRead(caller, one) : sees(caller, one));
  const q = byNumber ? `%23${one.id}` : random.pick(['of', 'task', 'Of r']);
  const isThere = (body: string) => body.slice(body.indexOf('id="found"')).includes(`/items/${one.id}"`);
  return {
    ...{ name: archived ? 'page search archived' : 'page search', target: one.ref, expected: judge(caller, true) },
    send: () => faces.page(caller, `/search?q=${q}${archived ? '&archived=on' : ''}`),
    check: (body) => (byNumber && isThere(body) !== seen ? `${seen ? 'does not find' : 'finds'} item ${one.id}` : null),
  };
};

/** My day shows visible items only. Rows have a timer button only where the user may record time. */
const myDay: Make = (scene) => {
  const { faces, caller } = scene;
  const one = pickItem(scene);
  const seen = sees(caller, one);
  const isThere = (body: string) => body.includes(`data-item="${one.id}"`);
  return {
    ...{ name: 'page my day', target: one.ref, expected: judge(caller, true) },
    send: () => faces.page(caller, '/'),
    check: (body) => (!seen && isThere(body) ? `shows item ${one.id}` : null),
  };
};

/** Quick lines may name the items that the user may record time on. */
const lineOnWork: Make = (scene) => {
  const { faces, caller } = scene;
  const one = pickItem(scene);
  const allowed = sees(caller, one) && level(caller, one.workspace, 'time') >= 2;
  const isMeant = (body: string) => body.includes('Logs</span>');
  return {
    ...{ name: 'page line', target: one.ref, expected: judge(caller, true) },
    send: () => faces.page(caller, `/my/line?text=${encodeURIComponent(`45m on #${one.id} yesterday`)}`),
    check: (body) => (isMeant(body) !== allowed ? `${allowed ? 'does not mean' : 'means'} item ${one.id}` : null),
  };
};

/** Decides an approval from the inbox. */
const decision: Make = async (scene) => {
  const { faces, caller } = scene;
  const { one, probe, form } = await drawStep(scene, ['approve', 'reject']);
  const ids = { workspaceId: String(one.workspace.id), itemId: String(one.id) };
  return { ...probe, name: 'page decision', send: () => faces.page(caller, '/notifications/decide', { ...form, ...ids }) };
};

export const pageProbes: [weight: number, make: Make][] = [
  [3, workspace],
  [2, listFile],
  [2, timeline],
  [4, item],
  [3, file],
  [4, search],
  [2, newPage],
  [2, find],
  [2, candidates],
  [2, create],
  [4, edit],
  [2, comment],
  [2, watch],
  [2, stopTimer],
  [1, archive],
  [2, restore],
  [2, inPlace],
  [2, bulk],
  [2, dependents],
  [1, undo],
  [5, approval],
  [2, log],
  [2, grid],
  [2, myDay],
  [2, lineOnWork],
  [2, decision],
];
