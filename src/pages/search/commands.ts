/** Commands in search, by rights. Each must also be reachable on a page (behaviour §22.7). Pure. */
import { bits, CAPACITY_RIGHTS, holds, type ItemType, itemTypes, resourceOf } from '../../access/rights.ts';
import type { FoundItem } from '../../overviews/searchEverywhere.ts';
import type { FrameData, SignedIn } from '../../overviews/signedIn.ts';
import type { IconName } from '../frame/components/icons.ts';
import { hasOtherWorkspace } from '../workspace/openWorkspace.ts';

export interface Command {
  icon: IconName;
  label: string;
  /** Also found by these words. */
  words?: string;
  key?: string;
  /** Each command has one of href, post and script. `href` is below the context path. */
  href?: string;
  post?: { action: string; hidden: Record<string, string | number> };
  /** Handled by the script (palette.js). */
  script?: 'keys';
}

type Me = Pick<SignedIn, 'accountRole' | 'frame' | 'theme'>;

interface CommandContext {
  q: string;
  /** Id of the current workspace. */
  at: number | null;
  back: string;
  items: readonly FoundItem[];
}

const MOST = 8;

export function commandsFor(me: Me, asked: CommandContext): Command[] {
  const typed = asked.q.toLowerCase().split(/\s+/u).filter(Boolean);
  const fits = ({ label, words = '' }: Command) => {
    const known = `${label} ${words}`.toLowerCase().split(/[^\p{L}\p{N}]+/u);
    return typed.every((part) => known.some((word) => word.startsWith(part)));
  };
  const all = [...making(me, asked), ...copying(me, asked), ...timing(me, asked), ...places(me, asked.at), ...settings(me, asked.back)];
  return [...all.filter(fits), ...withWords(me, asked)].slice(0, MOST);
}

const offered = (all: readonly (Command | false | '' | null | undefined)[]): Command[] => all.flatMap((one) => one || []);

/** Places and actions before anything is typed, with their keys. */
export function firstCommands(me: Me, asked: CommandContext): { places: Command[]; actions: Command[] } {
  const [first] = workspacesOf(me, asked.at);
  const [task] = making(me, asked);
  return {
    places: offered([
      { icon: 'sun', label: 'My day', href: '/', key: 'G D' },
      { icon: 'inbox', label: 'Inbox', href: '/notifications', key: 'G I' },
      first && { icon: 'list-checks', label: `Tasks of ${first.name}`, href: `/workspaces/${first.id}?type=task` },
      me.frame?.oversees && { icon: 'gauge', label: 'Capacity', href: '/capacity', key: 'G C' },
    ]),
    actions: offered([
      task && { ...task, key: 'N' },
      ...timing(me, asked),
      { icon: 'keyboard', label: 'Show keyboard shortcuts', key: '?', script: 'keys' },
    ]),
  };
}

type Workspace = FrameData['workspaces'][number];
const workspacesOf = ({ frame }: Pick<Me, 'frame'>, at: number | null) =>
  [...(frame?.workspaces ?? [])].sort((a, b) => Number(b.id === at) - Number(a.id === at));
const mayWrite = (rights: number, type: ItemType) => holds(rights, bits(resourceOf(type), 'write'));

function making(me: Me, { at }: CommandContext): Command[] {
  const workspaces = workspacesOf(me, at);
  const newItem = (type: ItemType, { id, name }: Workspace): Command => ({
    icon: 'plus',
    label: `New ${type} in ${name}`,
    words: 'create add',
    href: `/workspaces/${id}/new?type=${type}`,
  });
  return offered([
    ...workspaces.flatMap((one) => itemTypes.map((type) => mayWrite(one.rights, type) && newItem(type, one))),
    ...workspaces.map((one) => mayWrite(one.rights, 'task') && fromTemplate(one)),
  ]);
}

const fromTemplate = ({ id, name }: Workspace): Command => ({
  icon: 'layout-template',
  label: `New from template in ${name}…`,
  words: 'create add',
  href: `/workspaces/${id}/new/template`,
});

const itemPage = /^\/workspaces\/([1-9]\d{0,14})\/items\/([1-9]\d{0,14})(?:\?|$)/;

/** For the item of the current page, or the first found one. The pages check the rights on the item itself. */
function copying(me: Me, { items, back }: CommandContext): Command[] {
  const [, workspace, own] = itemPage.exec(back) ?? [];
  const [found] = items;
  const [workspaceId, id, name] = own ? [Number(workspace), own, 'this item'] : [found?.workspaceId, found?.id, `“${found?.title}”`];
  const place = me.frame?.workspaces.find((one) => one.id === workspaceId);
  if (!place || !itemTypes.some((type) => mayWrite(place.rights, type))) return [];
  const at = `/workspaces/${workspaceId}/items/${id}`;
  return offered([
    { icon: 'copy', label: `Duplicate ${name}…`, words: 'copy clone', href: `${at}/duplicate` },
    own && mayWrite(place.rights, 'task') && { icon: 'repeat', label: 'Repeat this task…', words: 'recurring every', href: `${at}/repeat` },
    own &&
      hasOtherWorkspace(me) && {
        icon: 'arrow-right',
        label: 'Move this item to another workspace…',
        href: `/workspaces/${workspaceId}/move?ids=${id}`,
      },
  ]);
}

/** New items with the typed text as title, and a search for all results. */
function withWords(me: Me, { q, at }: CommandContext): Command[] {
  const first = workspacesOf(me, at).find(({ rights }) => mayWrite(rights, 'task'));
  const words = encodeURIComponent(q);
  return offered([
    first &&
      !/^#?\d+$/.test(q) && {
        icon: 'plus',
        label: `New task “${q}” in ${first.name}`,
        href: `/workspaces/${first.id}/new?type=task&title=${words}`,
      },
    { icon: 'search', label: `Search for “${q}”`, href: `/search?q=${words}` },
  ]);
}

function timing(me: Me, { items, back }: CommandContext): Command[] {
  const timer = me.frame?.timer;
  const on = items.find(({ workspaceId }) => {
    const rights = me.frame?.workspaces.find(({ id }) => id === workspaceId)?.rights ?? 0;
    return holds(rights, bits('time', 'write'));
  });
  return offered([
    timer && {
      icon: 'square',
      label: 'Stop the timer',
      words: 'time',
      post: { action: '/my/timer/stop', hidden: { entryId: timer.entryId, revision: timer.revision, back } },
    },
    on &&
      !timer && {
        icon: 'play',
        label: `Start a timer on “${on.title}”`,
        words: 'time track',
        post: { action: '/my/timer/start', hidden: { itemId: on.id, back } },
      },
    { icon: 'clock', label: 'Log or plan time', words: 'record hours book', href: '/my' },
  ]);
}

const to = (icon: IconName, label: string, href: string, words = ''): Command => ({ icon, label: `Go to ${label}`, href, words });

/** Only types the user may see. Settings only for those who manage the workspace; notification settings for members. */
function inWorkspace({ id, name, rights, role }: Workspace, administers: boolean): Command[] {
  const at = `/workspaces/${id}`;
  const reads = (type: ItemType) => holds(rights, bits(resourceOf(type), 'read'));
  const manages = role === 'owner' || role === 'manager';
  return offered([
    to('list-checks', name, at, 'workspace work list'),
    reads('task') && to('columns-3', `board of ${name}`, `${at}?type=task&view=board`),
    itemTypes.some(reads) && to('chart-gantt', `timeline of ${name}`, `${at}?view=timeline`, 'roadmap plan'),
    reads('goal') && to('target', `goals of ${name}`, `${at}?type=goal`),
    holds(rights, CAPACITY_RIGHTS) && to('split', `what if in ${name}`, `/capacity/what-if?workspaceId=${id}`, 'capacity forecast try'),
    (role === 'owner' || administers) &&
      to('settings', `settings of ${name}`, `${at}/settings`, 'members statuses priorities agents webhooks'),
    manages && to('tag', `labels of ${name}`, `${at}/settings/labels`, 'tags settings'),
    manages && to('layout-template', `templates of ${name}`, `${at}/settings/templates`, 'settings'),
    to('bell', `notification settings of ${name}`, `${at}/settings/notices`, 'notifications settings'),
  ]);
}

function places({ accountRole, frame }: Me, at: number | null): Command[] {
  const administers = accountRole !== 'member';
  return offered([
    to('sun', 'My day', '/', 'home start'),
    to('inbox', 'Inbox', '/notifications', 'notifications'),
    to('calendar', 'my week', '/my', 'time hours'),
    to('list', 'timesheet', '/my/timesheet', 'my week grid time hours type'),
    to('calendar', 'my month', '/my/month', 'time hours'),
    to('clock', 'recorded time', '/reports/time', 'report hours csv'),
    to('calendar', 'calendar subscription', '/my/calendar', 'my plan ics feed subscribe'),
    to('notebook-pen', 'Notes', '/my/notes'),
    { icon: 'plus', label: 'New note', words: 'create add write', href: '/my/notes/new' },
    { icon: 'lock', label: 'New encrypted note', words: 'create add write secret', href: '/my/notes/new-encrypted' },
    frame?.oversees && to('gauge', 'Capacity', '/capacity', 'forecast load people projects'),
    to('list-checks', 'all workspaces', '/workspaces'),
    ...workspacesOf({ frame }, at).flatMap((one) => inWorkspace(one, administers)),
    to('bot', 'Agents', '/mcp-access', 'connect mcp key'),
    to('history', 'agent activity', '/mcp-access/activity', 'activity calls'),
    to('code', 'API reference', '/api/v1/docs', 'rest developers webhooks tools'),
    administers && to('users', 'People', '/settings/people', 'invite add'),
    administers && to('history', 'audit', '/settings/audit'),
    accountRole === 'owner' && to('key-round', 'API keys', '/settings/keys', 'rest'),
  ]);
}

function settings({ theme }: Me, back: string): Command[] {
  const look = (name: Me['theme'], icon: IconName, label: string): Command[] =>
    theme === name ? [] : [{ icon, label, words: 'theme look colours', post: { action: '/theme', hidden: { theme: name, back } } }];
  return [
    { icon: 'user', label: 'Your profile', words: 'go to name zone address', href: '/profile' },
    { icon: 'lock', label: 'Change password', href: '/settings/password' },
    { icon: 'monitor-smartphone', label: 'Your sessions', href: '/settings/sessions', words: 'devices' },
    { icon: 'bell', label: 'Notification settings', words: 'notifications mail settings', href: '/settings/notifications' },
    ...look('dark', 'moon', 'Theme: dark'),
    ...look('light', 'sun', 'Theme: light'),
    ...look('system', 'monitor', 'Theme: match system'),
    { icon: 'keyboard', label: 'Show keyboard shortcuts', words: 'keyboard shortcuts help', key: '?', script: 'keys' },
    { icon: 'log-out', label: 'Sign out', words: 'log out leave', post: { action: '/sign-out', hidden: {} } },
  ];
}
