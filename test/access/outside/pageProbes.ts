/** The pages: what people read there, and the forms they send. */
import { Visitor } from '../../support/visitor.ts';
import { isHeld } from './agentProbes.ts';
import type { Answer } from './faces.ts';
import { ABSENT, day, judge, type Probe, pickItem, pickWorkspace, type Scene, standing } from './probe.ts';
import { newItem, settle } from './restProbes.ts';
import { kindOf, level, reaches, readableKinds, runs, runsAccount, sees } from './rules.ts';
import type { Item } from './town.ts';

type Make = (scene: Scene) => Probe | Promise<Probe>;
const types = ['task', 'requirement', 'goal', 'release', 'milestone'] as const;

/** `otherwise`: what comes back when access is given. */
type Act = [path: string, form: Record<string, string> | undefined, otherwise: Probe['expected']];

const at = ({ workspace, id }: Item) => `/workspaces/${workspace.id}/items/${id}`;

/** A page that is there for everybody, or for those who run the account. */
const common: Make = ({ random, faces, caller }) => {
  const pages: Record<string, boolean> = {
    ...{ '/': true, '/mcp-access': true, '/mcp-access/activity': true, '/my': true, '/my/notes': true },
    ...{ '/settings/keys': caller.user.accountRole === 'owner', '/settings/people': runsAccount(caller.user) },
  };
  const [path, allowed] = random.pick(Object.entries(pages));
  return { name: `page ${path}`, target: '', expected: judge(caller, allowed), send: () => faces.page(caller, path) };
};

const workspace: Make = (scene) => {
  const { random, faces, caller } = scene;
  const place = pickWorkspace(scene);
  const allowed = reaches(caller, place) && readableKinds(caller, place).length > 0;
  const path = `/workspaces/${place.id}?type=${random.pick(types)}&status=all`;
  return { name: 'page workspace', target: place.ref, expected: judge(caller, allowed), send: () => faces.page(caller, path) };
};

const item: Make = (scene) => {
  const { random, faces, caller, town } = scene;
  const one = pickItem(scene);
  const elsewhere = random.chance(0.06) ? random.pick(town.workspaces.filter((other) => other !== one.workspace)) : null;
  const path = `/workspaces/${(elsewhere ?? one.workspace).id}/items/${random.chance(0.06) ? ABSENT : one.id}`;
  const allowed = path === at(one) && sees(caller, one);
  return { name: 'page item', target: path, expected: judge(caller, allowed), send: () => faces.page(caller, path) };
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

const may = ({ caller }: Scene, one: Item, least: 2 | 3) => sees(caller, one) && level(caller, one.workspace, kindOf(one)) >= least;

/** The form as it stands on the page, or as somebody would send it who can't see the page. */
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
  const { version } = await standing(scene, one);
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
  const { version } = await standing(scene, one);
  const held = isHeld(one) || town.users.some(({ entries }) => entries.some((entry) => entry.running && entry.item === one));
  return {
    ...{ name: 'page archive', target: one.ref, expected: judge(caller, may(scene, one, 3), held ? 'invalid_request' : 'ok') },
    send: () => faces.page(caller, `${at(one)}/archive`, { version: String(version) }),
    learn: () => {
      one.archived = true;
    },
  };
};

/** Nothing waits for approval here: whoever may decide is told so. */
const approval: Make = async (scene) => {
  const { faces, caller } = scene;
  const one = pickItem(scene);
  const role = one.workspace.members.get(caller.user)?.role;
  const allowed = may(scene, one, 2) && (role === 'owner' || role === 'manager');
  const { version } = await standing(scene, one);
  return {
    ...{ name: 'page approval', target: one.ref, expected: judge(caller, allowed, 'invalid_request') },
    send: () => faces.page(caller, `${at(one)}/approval`, { decision: 'approve', version: String(version), comment: '' }),
  };
};

/** Everything that those who run a workspace do: as things that change nothing, or that are refused for what they name. */
const settings: Make = async (scene) => {
  const { random, faces, caller, fixtures } = scene;
  const place = pickWorkspace(scene);
  const [{ name }] = await fixtures.sql('select name from workspaces where id = $1', [place.id]);
  const absent = String(ABSENT);
  const forms: Act[] = [
    ['', undefined, 'ok'],
    ['/name', { name }, 'ok'],
    ['/archive', { archived: place.archived ? 'yes' : 'no' }, 'ok'],
    ['/members', { userId: absent, role: 'owner' }, 'invalid_request'],
    ['/members/remove', { userId: absent }, 'invalid_request'],
    ['/agents/disconnect', { connectionId: absent }, 'invalid_request'],
    ['/statuses/add', { key: 'x', label: 'x', status: 'none' }, 'invalid_request'],
    ['/statuses/rename', { key: 'nope', label: 'x' }, 'invalid_request'],
    ['/statuses/move', { key: 'planned', direction: 'nowhere' }, 'invalid_request'],
    ['/statuses/delete', { key: 'planned' }, 'conflict'],
    ['/priorities/add', { key: 'x', label: 'x', rank: '' }, 'invalid_request'],
    ['/priorities/change', { key: 'nope', label: 'x', rank: '1' }, 'invalid_request'],
    ['/priorities/default', { key: 'nope' }, 'invalid_request'],
    ['/priorities/delete', { key: 'nope' }, 'invalid_request'],
  ];
  const [path, form, otherwise] = random.pick(forms);
  return {
    ...{ name: `page settings${path}`, target: place.ref, expected: judge(caller, runs(caller.user, place), otherwise) },
    send: () => faces.page(caller, `/workspaces/${place.id}/settings${path}`, form),
  };
};

const member: Make = (scene) => {
  const { random, faces, caller, town } = scene;
  const place = pickWorkspace(scene);
  const who = random.pick(town.users);
  const allowed = runs(caller.user, place) && place.members.has(who);
  return {
    name: 'page member',
    target: `${who.ref} in ${place.ref}`,
    expected: judge(caller, allowed),
    send: () => faces.page(caller, `/workspaces/${place.id}/settings/members/${who.id}`),
  };
};

/** The account's people and keys. Somebody or something of another account is absent. */
const account: Make = (scene) => {
  const { random, faces, caller, town } = scene;
  const who = random.pick(random.chance(0.7) ? caller.user.account.users : town.users);
  const ours = who.account === caller.user.account;
  const owner = caller.user.accountRole === 'owner';
  const userId = String(who.id);
  const acts: [path: string, form: Record<string, string>, allowed: boolean][] = [
    ['/settings/people/hours', { userId, weeklyHours: '40' }, runsAccount(caller.user)],
    ['/settings/people/role', { userId, accountRole: who.accountRole }, owner],
    ['/settings/people/active', { userId, active: 'yes' }, owner],
    ['/settings/keys/revoke', { keyId: String(who.restKey.id) }, owner],
  ];
  const [path, form, allowed] = random.pick(acts);
  return {
    ...{ name: `page ${path}`, target: who.ref, expected: judge(caller, allowed, ours ? 'ok' : 'invalid_request') },
    send: () => faces.page(caller, path, form),
    learn: () => {
      if (path.endsWith('/revoke')) who.restKey.state = 'revoked';
      if (path.endsWith('/active')) who.active = true;
    },
  };
};

/** Connections and notes are a person's own: nobody else gets at them, whatever they run. */
const own: Make = (scene) => {
  const { random, faces, caller, town } = scene;
  const who = random.chance(0.4) ? caller.user : random.pick(town.users);
  const note = random.pick(who.notes);
  const mine = who === caller.user;
  const noteIsThere = mine && !note.deleted;
  const acts: Act[] = [
    [`/mcp-access/${who.agent.id}`, undefined, judge(caller, mine && who.agent.state !== 'revoked')],
    [`/my/notes/${note.id}`, undefined, judge(caller, noteIsThere)],
    [`/my/notes/${note.id}/delete`, undefined, judge(caller, noteIsThere)],
  ];
  if (!mine) {
    acts.push(['/mcp-access/revoke', { connectionId: String(who.agent.id) }, judge(caller, true, 'invalid_request')]);
    acts.push(['/mcp-access/rotate', { connectionId: String(who.agent.id) }, judge(caller, true, 'invalid_request')]);
    acts.push([`/my/notes/${note.id}/delete`, { revision: '1' }, judge(caller, false)]);
    // What was typed is not lost: it is offered as a new note, as for a note that was deleted meanwhile.
    acts.push([`/my/notes/${note.id}`, { revision: '1', html: '<p>x</p>', folderId: '0' }, judge(caller, true, 'conflict')]);
  }
  const [path, form, expected] = random.pick(acts);
  return {
    name: `page ${path.replace(/\d+/, ':id')}${form ? ' send' : ''}`,
    target: who.ref,
    expected,
    send: () => faces.page(caller, path, form),
  };
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

export const pageProbes: [weight: number, make: Make][] = [
  ...([
    [3, common],
    [3, workspace],
    [4, item],
    [2, newPage],
    [2, create],
    [4, edit],
    [2, comment],
  ] as [number, Make][]),
  ...([
    [1, archive],
    [2, approval],
    [4, settings],
    [1, member],
    [3, account],
    [4, own],
    [2, log],
  ] as [number, Make][]),
];
