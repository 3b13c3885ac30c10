/** Pages for workspace and account administration, and for personal settings. */
import { ABSENT, judge, type Probe, pickWorkspace, type Scene } from './probe.ts';
import { level, reaches, runs, runsAccount, sees } from './rules.ts';
import type { User } from './town.ts';

type Make = (scene: Scene) => Probe | Promise<Probe>;

/** `otherwise`: the answer when access is granted. */
type Act = [path: string, form: Record<string, string> | undefined, otherwise: Probe['expected']];

/** A page for all users, or for account administrators. */
const common: Make = ({ random, faces, caller }) => {
  const pages: Record<string, boolean> = {
    ...{ '/': true, '/mcp-access': true, '/mcp-access/activity': true, '/my': true, '/my/notes': true },
    ...{
      '/settings/keys': caller.user.accountRole === 'owner',
      '/settings/account': caller.user.accountRole === 'owner',
      '/settings/people': runsAccount(caller.user),
      '/settings/hours': true,
      '/settings/holidays': runsAccount(caller.user),
    },
    '/settings/audit': runsAccount(caller.user),
    ...{ '/workspaces': true, '/profile': true, '/my/calendar': true, '/search?q=a': true },
    ...{ '/my/timesheet': true, '/my/timesheet?rows=last': true, '/my/month': true },
    ...{ '/notifications': true, '/notifications?show=all': true, '/settings/notifications': true },
  };
  const [path, allowed] = random.pick(Object.entries(pages));
  return { name: `page ${path}`, target: '', expected: judge(caller, allowed), send: () => faces.page(caller, path) };
};

const types = ['task', 'requirement', 'goal', 'release', 'milestone'] as const;

/** Each readable type shows the number of open visible items of this workspace. */
const counts: Make = ({ faces, caller, town }) => {
  const expected = town.workspaces
    .filter((place) => reaches(caller, place))
    .flatMap((place) =>
      types
        .filter((type) => level(caller, place, `${type}s`) >= 1)
        .map((type) => {
          const open = place.items.filter((item) => item.type === type && !item.closed && sees(caller, item)).length;
          return `${place.id}-${type}: ${open.toLocaleString('en')}`;
        }),
    );
  return {
    ...{ name: 'page counts', target: '', expected: judge(caller, true), send: () => faces.page(caller, '/workspaces') },
    check(body) {
      const shown = [...String(body).matchAll(/id="n-(\d+-\w+)"[^>]*>([\d,+]+)/g)].map(([, place, count]) => `${place}: ${count}`);
      return shown.sort().join() === expected.sort().join() ? null : `counts ${shown} where ${expected} can be seen`;
    },
  };
};

/** All actions of workspace managers, as changes that do nothing or that name something invalid. */
const settings: Make = async (scene) => {
  const { random, faces, caller, fixtures } = scene;
  const place = pickWorkspace(scene);
  const [{ name }] = await fixtures.sql('select name from workspaces where id = $1', [place.id]);
  const absent = String(ABSENT);
  const forms: Act[] = [
    ...(['/general', '/members', '/statuses', '/agents'] as const).map((part): Act => [part, undefined, 'ok']),
    ['/name', { name }, 'ok'],
    ['/archive', { archived: place.archived ? 'yes' : 'no' }, 'ok'],
    ['/members', { userId: absent, role: 'owner' }, 'invalid_request'],
    ['/members/remove', { userId: absent }, 'invalid_request'],
    ['/agents/disconnect', { connectionId: absent }, 'invalid_request'],
    ['/statuses/add', { key: 'x', label: 'x', status: 'none' }, 'invalid_request'],
    ['/statuses/rename', { key: 'nope', label: 'x' }, 'invalid_request'],
    ['/statuses/move', { key: 'planned', direction: 'nowhere' }, 'invalid_request'],
    ['/statuses/move', { key: 'planned', before: 'nope' }, 'invalid_request'],
    ['/statuses/delete', { key: 'planned' }, 'conflict'],
    ['/priorities/add', { key: 'x', label: 'x', rank: '' }, 'invalid_request'],
    ['/priorities/change', { key: 'nope', label: 'x', rank: '1' }, 'invalid_request'],
    ['/priorities/move', { key: 'nope', direction: 'up' }, 'invalid_request'],
    ['/priorities/default', { key: 'nope' }, 'invalid_request'],
    ['/priorities/delete', { key: 'nope' }, 'invalid_request'],
  ];
  const [path, form, otherwise] = random.pick(forms);
  return {
    ...{ name: `page settings${path}`, target: place.ref, expected: judge(caller, runs(caller.user, place), otherwise) },
    send: () => faces.page(caller, `/workspaces/${place.id}/settings${path}`, form),
  };
};

/** For its owners and managers, and the account's administrators. */
const webhooks: Make = (scene) => {
  const { random, faces, caller } = scene;
  const place = pickWorkspace(scene);
  const role = place.members.get(caller.user)?.role;
  const administers = caller.user.account === place.account && runsAccount(caller.user);
  const allowed = !place.archived && (administers || role === 'owner' || role === 'manager');
  const one = random.chance(0.3);
  return {
    ...{ name: 'page webhooks', target: place.ref, expected: judge(caller, allowed && !one) },
    send: () => faces.page(caller, `/workspaces/${place.id}/settings/webhooks${one ? `/${ABSENT}` : ''}`),
  };
};

/** For owners and managers of the workspace, and members who administer the account, who may write tasks and comments. */
const imports: Make = (scene) => {
  const { random, faces, caller } = scene;
  const place = pickWorkspace(scene);
  const member = place.members.get(caller.user);
  const manages = member !== undefined && (runsAccount(caller.user) || member.role === 'owner' || member.role === 'manager');
  const writes = level(caller, place, 'tasks') >= 2 && level(caller, place, 'comments') >= 2;
  const allowed = !place.archived && manages && writes;
  const [path, form] = random.pick<[string, Record<string, string> | undefined]>([
    ['', undefined],
    [`/${ABSENT}`, undefined],
    [`/${ABSENT}/start`, {}],
    [`/${ABSENT}/cancel`, {}],
    [`/${ABSENT}/undo`, {}],
  ]);
  return {
    ...{ name: `page import${path.replace(String(ABSENT), 'absent')}`, target: place.ref },
    expected: judge(caller, allowed && path === ''),
    send: () => faces.page(caller, `/workspaces/${place.id}/settings/import${path}`, form),
  };
};

/** A member's own notification settings, saved unchanged. */
const notices: Make = (scene) => {
  const { random, faces, caller } = scene;
  const place = pickWorkspace(scene);
  const form = random.chance(0.5) ? { choice: '' } : undefined;
  return {
    ...{ name: `page notices ${form ? 'chosen' : 'shown'}`, target: place.ref },
    expected: judge(caller, !place.archived && place.members.has(caller.user)),
    send: () => faces.page(caller, `/workspaces/${place.id}/settings/notices`, form),
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

/** The account's people and keys. Those of another account are absent. */
const account: Make = (scene) => {
  const { random, faces, caller, town } = scene;
  const who = random.pick(random.chance(0.7) ? caller.user.account.users : town.users);
  const ours = who.account === caller.user.account;
  const owner = caller.user.accountRole === 'owner';
  const userId = String(who.id);
  const acts: [path: string, form: Record<string, string>, allowed: boolean][] = [
    ['/settings/people/hours', { userId, weeklyHours: '40' }, runsAccount(caller.user)],
    ['/settings/people/role', { userId, accountRole: who.accountRole, _sure: 'yes' }, owner],
    ['/settings/people/active', { userId, active: 'yes' }, owner],
    ['/settings/keys/revoke', { keyId: String(who.restKey.id) }, owner],
  ];
  const [path, form, allowed] = random.pick(acts);
  return {
    ...{ name: `page ${path}`, target: who.ref, expected: judge(caller, allowed, ours ? 'ok' : 'invalid_request') },
    send: () => faces.page(caller, path, form),
    learn: async () => {
      if (path.endsWith('/revoke')) who.restKey.state = 'revoked';
      if (path.endsWith('/active') && !who.active) await reactivate(scene, who);
    },
  };
};

/** The page before a deactivation: only account owners see what the person has. */
const leaving: Make = ({ random, faces, caller, town }) => {
  const who = random.pick(random.chance(0.7) ? caller.user.account.users : town.users);
  const asked = who.account === caller.user.account && who.active;
  return {
    ...{ name: 'page deactivation asked', target: who.ref },
    expected: judge(caller, caller.user.accountRole === 'owner', asked ? 'ok' : 'invalid_request'),
    // Deactivating an inactive user changes nothing, so only open the confirmation page.
    send: () => faces.page(caller, '/settings/people/active', { userId: String(asked ? who.id : ABSENT), active: 'no' }),
    check: (body) => (String(body).includes('Are you sure?') ? null : 'does not ask'),
  };
};

/** The page before a member is removed, for workspace managers. */
const removal: Make = (scene) => {
  const { random, faces, caller, town } = scene;
  const place = pickWorkspace(scene);
  const who = random.pick(town.users);
  const asked = place.members.has(who);
  return {
    ...{ name: 'page removal asked', target: `${who.ref} in ${place.ref}` },
    expected: judge(caller, runs(caller.user, place), asked ? 'ok' : 'invalid_request'),
    send: () => faces.page(caller, `/workspaces/${place.id}/settings/members/remove`, { userId: String(who.id) }),
    check: (body) => (String(body).includes('Are you sure?') ? null : 'does not ask'),
  };
};

/** A person's page and invitations, for account administrators. */
const people: Make = ({ random, faces, caller, town }) => {
  const who = random.pick(random.chance(0.7) ? caller.user.account.users : town.users);
  const administers = runsAccount(caller.user);
  if (random.chance(0.4))
    return {
      ...{ name: 'page /settings/people/invitations', target: '', expected: judge(caller, administers, 'invalid_request') },
      send: () => faces.page(caller, '/settings/people/invitations', { addresses: 'nobody', accountRole: 'member' }),
    };
  if (random.chance(0.5))
    return {
      ...{ name: 'page /settings/people/:id/hours', target: who.ref },
      expected: judge(caller, who === caller.user || (administers && who.account === caller.user.account)),
      send: () => faces.page(caller, `/settings/people/${who.id}/hours`),
    };
  return {
    ...{ name: 'page /settings/people/:id', target: who.ref },
    expected: judge(caller, administers && who.account === caller.user.account),
    send: () => faces.page(caller, `/settings/people/${who.id}`),
  };
};

/** A reactivated user has no sessions, keys or connections (behaviour §3.15). */
async function reactivate({ faces, fixtures }: Scene, who: User): Promise<void> {
  who.active = true;
  who.restKey.state = 'revoked';
  who.agent.state = 'revoked';
  who.cookie = await fixtures.session(who.id);
  who.csrf = (await faces.rest({ user: who, face: 'session' }, 'GET', '/capabilities')).body.csrfToken;
}

/** Connections and notes are personal: administrators can't reach them either. */
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
    acts.push([`/my/notes/${note.id}/move`, { revision: '1', folderId: '0' }, judge(caller, false)]);
    // As for the form: the answer offers the text as a new note and reveals nothing about this one.
    acts.push([`/my/notes/${note.id}/autosave`, { revision: '1', html: '<p>x</p>', folderId: '0' }, judge(caller, true, 'conflict')]);
    // The answer offers the text as a new note, as for a note that was deleted meanwhile.
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

export const adminProbes: [weight: number, make: Make][] = [
  [1, counts],
  [3, common],
  [4, settings],
  [1, member],
  [3, account],
  [4, own],
  [1, webhooks],
  [1, imports],
  [1, notices],
  [2, people],
  [1, leaving],
  [1, removal],
];
