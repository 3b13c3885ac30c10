import { bits, holds, type ItemType, itemTypes, resourceOf } from '../../access/rights.ts';
import { type Theme, themes } from '../../accounts/schema.ts';
import {
  type FrameData,
  type FrameStar,
  type FrameTimer,
  type FrameWorkspace,
  MOST_IN_BADGE,
  type SignedIn,
} from '../../overviews/signedIn.ts';
import { mondayOf, todayIn } from '../../values/dates.ts';
import { release } from '../../values/version.ts';
import { asOtherType, listAddress, queryOf, viewHref } from '../workspace/listAddress.ts';
import type { Clock } from './clock.ts';
import { avatar } from './components/avatar.ts';
import { button, linkButton } from './components/button.ts';
import { icon } from './components/icon.ts';
import type { IconName } from './components/icons.ts';
import { kbd, mark } from './components/marks.ts';
import { menu } from './components/palette.ts';
import { hours, running } from './components/when.ts';
import { type Content, type Html, html } from './html.ts';
import { remainingSteps } from './live.ts';
import { type PostForm, postForm } from './postForm.ts';
import { counted, type Frame, hiddenWork } from './widgets.ts';

interface Place {
  to: string;
  icon: IconName;
  label: Content;
  more?: Content;
  /** Marks the link as current; default: the page is at or below `to`. */
  here?: boolean;
}

export const typeIcons: Readonly<Record<ItemType, IconName>> = {
  task: 'list-checks',
  requirement: 'scroll-text',
  goal: 'target',
  release: 'ship',
  milestone: 'flag',
};
export const typeNames: Readonly<Record<ItemType, string>> = {
  task: 'Tasks',
  requirement: 'Requirements',
  goal: 'Goals',
  release: 'Releases',
  milestone: 'Milestones',
};

/** The start page matches only itself; other links also match pages below them. */
const isAt = (path: string, to: string): boolean => path === to || (to !== '/' && path.startsWith(`${to}/`));

const currentMark = (here: boolean): Content => here && html` aria-current="page"`;

const link = ({ basePath, path }: Frame, { to, icon: name, label, more, here = isAt(path, to) }: Place): Html =>
  html`<li><a href="${basePath}${to}"${currentMark(here)}>${icon(name)}${label}${more}</a></li>`;

const nav = (frame: Frame, label: string, places: readonly (Place | false | undefined)[], className?: string): Html =>
  html`<nav${className && html` class="${className}"`} aria-label="${label}"><ul class="nav">${places.map((place) => place && link(frame, place))}</ul></nav>`;

const toDecide = (frame: FrameData | null): Content =>
  html`<span class="n wait" id="n-decisions"${!frame?.decisions && html` hidden`}>${counted(frame?.decisions ?? 0, MOST_IN_BADGE)}<span class="vh"> to decide</span></span>`;

const unreadOf = ({ unread }: SignedIn): string => counted(unread, MOST_IN_BADGE);

function toFirstSteps(frame: FrameData | null): Place[] {
  const open = remainingSteps(frame);
  if (!open) return [];
  const { done, of } = open;
  const more = html`<span class="n">${done}/${of}<span class="vh"> done</span></span>`;
  return [{ to: '/#first-steps', icon: 'flag', label: 'First steps', more }];
}

/** Paths of My day. Notes are also below /my but have their own link. */
const isMyTime = (path: string): boolean => /^\/(my(\/(timesheet|month|calendar|line|timer))?|reports\/time)?$/.test(path);

const placesOf = ({ path }: Frame, user: SignedIn, frame: FrameData | null): (Place | false | undefined)[] => [
  { to: '/', icon: 'sun', label: 'My day', here: isMyTime(path) },
  ...toFirstSteps(frame),
  {
    to: '/notifications',
    icon: 'inbox',
    label: 'Inbox',
    more: html`<span class="n" id="n-inbox"${user.unread === 0 && html` hidden`}>${unreadOf(user)}<span class="vh"> unread</span></span>${toDecide(frame)}`,
  },
  { to: '/my/notes', icon: 'notebook-pen', label: 'Notes' },
  frame?.oversees && { to: '/capacity', icon: 'gauge', label: 'Capacity' },
];

const accountPlaces = ({ path }: Frame, { accountRole }: SignedIn): (Place | false)[] => [
  { to: '/mcp-access', icon: 'bot', label: 'Agents' },
  accountRole !== 'member' && { to: '/settings/people', icon: 'users', label: 'People' },
  accountRole === 'owner' && { to: '/settings/keys', icon: 'key-round', label: 'API keys' },
  accountRole !== 'member' && { to: '/settings/audit', icon: 'history', label: 'Audit', here: path.startsWith('/settings/audit') },
];

export function sidebar(frame: Frame, user: SignedIn): Html {
  const { basePath } = frame;
  const data = user.frame;
  return html`<aside class="side" id="side" popover aria-label="Main">
<a class="brand" href="${basePath}/">${mark}Stint${data && html`<small>${data.account}</small>`}</a>
<form class="find" role="search" aria-label="All work" method="get" action="${basePath}/search">${icon('search')}<label class="vh" for="find">Search</label><input id="find" type="search" name="q" maxlength="300" placeholder="Search" autocomplete="off" aria-keyshortcuts="Control+K">${kbd('Ctrl K')}</form>
${nav(frame, 'Personal', placesOf(frame, user, data))}
${data && favorites(frame, data)}${data && workspaces(frame, data)}
${nav(frame, 'Account', accountPlaces(frame, user), 'end')}
${accountMenu(frame, user)}
</aside>`;
}

const themeIcons: Readonly<Record<Theme, IconName>> = { system: 'monitor', light: 'sun', dark: 'moon' };
const themeNames: Readonly<Record<Theme, string>> = { system: 'System', light: 'Light', dark: 'Dark' };

function accountMenu(frame: Frame, user: SignedIn): Html {
  const { basePath, path, search } = frame;
  const choices = themes.map(
    (theme) =>
      html`<button class="theme" name="theme" value="${theme}" aria-pressed="${String(user.theme === theme)}">${icon(themeIcons[theme], 's')}${themeNames[theme]}</button>`,
  );
  return html`<details class="me"><summary>${avatar({ id: user.id, name: user.name, kind: 'person' }, { size: 'l', beside: true })}<span class="who"><b>${user.name}</b>${
    user.frame && worked(user.frame, frame.clock)
  }</span>${icon('chevrons-up-down')}<span class="vh">Your account</span></summary>
<div class="account">
<a class="opt" href="${basePath}/profile">${icon('user')}Profile</a>
<a class="opt" href="${basePath}/settings/sessions">${icon('monitor-smartphone')}Sessions</a>
<a class="opt" href="${basePath}/settings/notifications">${icon('bell')}Notifications</a>
<button class="opt" type="button" data-show-keys hidden>${icon('keyboard')}Keyboard shortcuts</button>
${postForm(frame, { action: '/theme', hidden: { back: path + search } }, html`<fieldset class="themes"><legend class="vh">Theme</legend>${choices}</fieldset>`)}
${postForm(frame, { action: '/sign-out' }, html`<button class="opt">${icon('log-out')}Sign out</button>`)}
<p class="hint">Stint ${release}</p>
</div></details>`;
}

function worked({ weekMinutes, weeklyMinutes, timer }: FrameData, { now }: Clock): Content {
  const minutes = weekMinutes + minutesSince(Date.parse(mondayOf(todayIn('UTC', now))), timer, now);
  if (minutes === 0) return null;
  return html`<span>${hours(minutes)}${weeklyMinutes !== null && ` of ${hours(weeklyMinutes)}`}<span class="vh"> this week</span></span>`;
}

const MOST_SHOWN = 20;

const starPlace = ({ path, search }: Frame, { workspaceId, kind, id, name, type, query }: FrameStar): Place => {
  const at = `/workspaces/${workspaceId}`;
  if (kind === 'item') return { to: `${at}/items/${id}`, icon: type ? typeIcons[type] : 'star', label: name };
  if (kind === 'workspace') return { to: at, icon: 'layers', label: name, here: path === at && search === '' };
  const here = path === at && new URLSearchParams(search).get('saved') === String(id);
  return { to: viewHref({ at }, { id, query: query ?? '' }), icon: 'bookmark', label: name, here };
};

/** Both fold without a script; favorites are open at first. */
function favorites(frame: Frame, { stars, recent }: FrameData): Content {
  const folded = (label: string, name: IconName, open: boolean, places: readonly Place[]) =>
    places.length > 0 &&
    html`<li><details${open && html` open`}><summary>${icon(name)}<span class="name">${label}</span>${icon('chevron-right', 's')}</summary>
<ul class="nav">${places.map((place) => link(frame, { ...place, label: html`<span class="name">${place.label}</span>` }))}</ul></details></li>`;
  if (stars.length + recent.length === 0) return null;
  return html`<nav class="own" aria-label="Favorites and recent items"><ul class="nav">${folded(
    'Favorites',
    'star',
    true,
    stars.slice(0, MOST_SHOWN).map((one) => starPlace(frame, one)),
  )}${folded(
    'Recent',
    'history',
    false,
    recent.map(({ id, workspaceId, type, title }) => ({
      to: `/workspaces/${workspaceId}/items/${id}`,
      icon: typeIcons[type],
      label: title,
      here: false,
    })),
  )}</ul></nav>`;
}

/** The workspace id in the path; 0 outside workspaces. */
export const workspaceAt = (path: string): number => Number(/^\/workspaces\/([1-9]\d{0,14})(?=\/|$)/.exec(path)?.[1] ?? 0);

function workspaces(frame: Frame, { workspaces: all, moreWorkspaces }: FrameData): Html {
  const { basePath, path } = frame;
  const at = workspaceAt(path);
  const open = all.some(({ id }) => id === at) ? at : all[0]?.id;
  return html`<h2>Workspaces<a href="${basePath}/workspaces"${currentMark(path === '/workspaces')}>${moreWorkspaces ? 'All' : 'Manage'}</a></h2>
<nav aria-label="Workspaces"><ul class="nav">${all.map((one, place) => workspace(frame, one, { open: one.id === open, tint: (place % 4) + 1 }))}</ul></nav>`;
}

const workspaceSign = (name: string, tint: number): Html =>
  html`<span class="ws w${tint}" aria-hidden="true">${[...name.trim()][0]?.toLocaleUpperCase('en') ?? '?'}</span>`;

function workspace(frame: Frame, one: FrameWorkspace, { open, tint }: { open: boolean; tint: number }): Html {
  const at = `/workspaces/${one.id}`;
  const types = itemTypes.filter((type) => holds(one.rights, bits(resourceOf(type), 'read')));
  const views = viewsOf(frame, one);
  const shown = shownType(frame, one, types);
  // In the current list, keep the filters when switching the type.
  const address = shown && listAddress(new URLSearchParams(frame.search));
  const places = types.map((type): Place => {
    const found = one.open[type] ?? 0;
    return {
      to: address ? at + queryOf(asOtherType(address, type)) : `${at}?type=${type}`,
      icon: typeIcons[type],
      label: typeNames[type],
      here: shown === type && views.every(({ here }) => !here) && !frame.search.includes('view=timeline'),
      more: html`<span class="n" id="n-${one.id}-${type}">${counted(found, MOST_IN_BADGE)}<span class="vh"> open</span></span>`,
    };
  });
  return html`<li><details${open && html` open`}><summary>${workspaceSign(one.name, tint)}<span class="name">${one.name}</span>${icon('chevron-right', 's')}</summary>
<ul class="nav">${[...places, ...views, ...managing(frame, one)].map((place) => link(frame, place))}</ul></details></li>`;
}

function viewsOf({ path, search }: Frame, { id, views }: FrameWorkspace): Place[] {
  const at = `/workspaces/${id}`;
  const saved = path === at ? new URLSearchParams(search).get('saved') : null;
  return views.map((view) => ({ to: viewHref({ at }, view), icon: 'bookmark', label: view.name, here: saved === String(view.id) }));
}

/** Links for owners and administrators; managers only get webhooks. */
function managing({ user }: Frame, { id, role }: FrameWorkspace): Place[] {
  const at = `/workspaces/${id}`;
  if (role === 'owner' || user?.accountRole !== 'member') return [{ to: `${at}/settings`, icon: 'settings', label: 'Settings' }];
  return role === 'manager' ? [{ to: `${at}/settings/webhooks`, icon: 'webhook', label: 'Webhooks' }] : [];
}

/** The item type of the current list: the one in the URL, or the first one. On an item's page, the item's type. */
function shownType({ path, search, itemType }: Frame, { id }: FrameWorkspace, types: readonly ItemType[]): ItemType | undefined {
  if (itemType && path.startsWith(`/workspaces/${id}/`)) return itemType;
  if (path !== `/workspaces/${id}`) return undefined;
  const asked = new URLSearchParams(search).get('type');
  return types.find((type) => type === asked) ?? types[0];
}

export function tabbar(frame: Frame, user: SignedIn): Html {
  const { basePath, path } = frame;
  const work = user.frame?.workspaces.find(({ id }) => id === workspaceAt(path)) ?? user.frame?.workspaces[0];
  const toWork = work ? `/workspaces/${work.id}` : '/workspaces';
  const tab = (to: string, name: IconName, label: string, here: boolean, more?: Content) =>
    html`<a href="${basePath}${to}"${currentMark(here)}>${icon(name, 'l')}${label}${more}</a>`;
  const unread = html`<span class="n" id="t-inbox"${user.unread === 0 && html` hidden`}>${unreadOf(user)}<span class="vh"> unread</span></span>`;
  return html`<nav class="tabbar" aria-label="Main, phone">
${tab('/', 'sun', 'My day', isMyTime(path))}
${tab(toWork, 'list-checks', 'Work', path.startsWith('/workspaces'))}
${newTask(basePath, user, work)}
${tab('/notifications', 'inbox', 'Inbox', isAt(path, '/notifications'), unread)}
<button class="tab" type="button" popovertarget="side">${icon('menu', 'l')}Menu</button>
</nav>`;
}

/** New task in the current workspace, or in the first one where the user may add tasks. */
function newTask(basePath: string, { frame }: SignedIn, work: FrameWorkspace | undefined): Html {
  const may = (one: FrameWorkspace) => holds(one.rights, bits('tasks', 'write'));
  const there = work && may(work) ? work : frame?.workspaces.find(may);
  const to = there ? `/workspaces/${there.id}/new?type=task` : '/workspaces';
  return html`<a href="${basePath}${to}" aria-label="${there ? 'New task' : 'Workspaces'}"><span class="add">${icon('plus', 'l')}</span></a>`;
}

// The forms of the timer return to the current page.

/** Empty and hidden without a timer, so that htmx can swap the bar in. */
export function timerBar(frame: Frame, user: SignedIn): Html {
  const timer = user.frame?.timer;
  if (!user.frame || !timer) return html`<div class="timer" id="timer" hidden></div>`;
  const { now } = frame.clock;
  const seconds = (now - Date.parse(timer.startedAt)) / 1000;
  return html`<div class="timer" id="timer" role="region" aria-label="Running timer"><span class="dot" aria-hidden="true"></span>
<time data-since="${timer.startedAt}" data-seconds>${running(seconds)}</time>
<p class="what">${work(frame, timer)}</p>
<span class="sum">Today ${hours(user.frame.todayMinutes + minutesSince(now - (now % 86_400_000), timer, now))}</span>
${noteMenu(frame, timer)}
${linkButton(`${frame.basePath}/my/timer?back=${encodeURIComponent(frame.path + frame.search)}`, html`<span class="t-label">Switch</span>`, { small: true, icon: 'repeat', wideOnly: true, title: 'Switch to another item' })}
${timerForm(frame, timer, '/timer/stop', button('Stop', { kind: 'primary', small: true, icon: 'square', said: 'Stop the timer' }))}
</div>`;
}

/** The running timer's minutes since 00:00 UTC of a day, as the day will have them once it is stopped. */
function minutesSince(midnight: number, timer: FrameTimer | null, now: number): number {
  if (!timer) return 0;
  const startedAt = Date.parse(timer.startedAt);
  const whole = (at: number) => Math.max(0, Math.floor((at - startedAt) / 60_000));
  return whole(now) - whole(midnight);
}

function work({ basePath }: Frame, { workspaceId, workspace, itemId, title }: FrameTimer): Content {
  if (title === null) return html`<span>${hiddenWork}</span>`;
  return html`<a href="${basePath}/workspaces/${workspaceId}/items/${itemId}">${title}</a><span>#${itemId} · ${workspace}</span>`;
}

function timerForm({ path, search, ...context }: Frame, { entryId, revision }: FrameTimer, action: string, content: Content): Content {
  const form: PostForm = { action: `/my${action}`, once: true, hidden: { back: path + search, entryId, revision }, live: '#timer' };
  return postForm(context, form, content);
}

function noteMenu(frame: Frame, timer: FrameTimer): Content {
  const area = html`<label class="flabel" for="timer-note">Note</label><textarea class="area" id="timer-note" name="note" maxlength="2000" rows="3">
${timer.note}</textarea>`;
  const save = html`<div class="do">${button('Save note', { kind: 'primary', small: true })}</div>`;
  const label = timer.note ? 'Edit note' : 'Add note';
  return menu(
    html`<span class="btn small">${icon('pencil', 's')}<span class="t-label">Note</span></span>`,
    timerForm(frame, timer, '/entries/annotate', html`${area}${save}`),
    { label, class: 'timer-note', end: true },
  );
}
