/** Where one can go: the sidebar, which is a popover on phones, and the bar at the bottom there. The place one is at is marked. */
import type { SignedIn } from '../../accounts/sessions.ts';
import { icon } from './components/icon.ts';
import type { IconName } from './components/icons.ts';
import { mark } from './components/mark.ts';
import type { Frame } from './frame.ts';
import { type Content, type Html, html } from './html.ts';
import { postForm } from './postForm.ts';

interface Place {
  to: string;
  icon: IconName;
  label: string;
  /** Behind the label. */
  more?: Content;
}

/** The place is marked on the pages below it as well; the first page only on itself. */
const isAt = (path: string, to: string): boolean => path === to || (to !== '/' && path.startsWith(`${to}/`));

const link = ({ basePath, path }: Frame, place: Place): Html =>
  html`<li><a href="${basePath}${place.to}"${isAt(path, place.to) && html` aria-current="page"`}>${icon(place.icon)}${place.label}${place.more}</a></li>`;

const nav = (frame: Frame, label: string, places: readonly (Place | false)[], className?: string): Html =>
  html`<nav${className && html` class="${className}"`} aria-label="${label}"><ul class="nav">${places.map((place) => place && link(frame, place))}</ul></nav>`;

const unreadOf = ({ unread }: SignedIn): string => (unread < 100 ? String(unread) : '99+');

export function sidebar(frame: Frame, user: SignedIn): Html {
  const { basePath } = frame;
  const unread = html`<span class="n new" id="n-inbox"${user.unread === 0 && html` hidden`}>${unreadOf(user)}<span class="vh"> unread</span></span>`;
  return html`<aside class="side" id="side" popover aria-label="Main">
<a class="brand" href="${basePath}/">${mark}Stint</a>
<form class="find" role="search" method="get" action="${basePath}/search">${icon('search')}<label class="vh" for="find">Search all work</label><input id="find" type="search" name="q" maxlength="300" placeholder="Search" autocomplete="off"><kbd class="kbd" aria-hidden="true">Ctrl K</kbd></form>
${nav(frame, 'Personal', [
  { to: '/', icon: 'sun', label: 'My day' },
  { to: '/notifications', icon: 'inbox', label: 'Inbox', more: unread },
  { to: '/my/notes', icon: 'notebook-pen', label: 'Notes' },
  { to: '/capacity', icon: 'gauge', label: 'Capacity' },
])}
${nav(
  frame,
  'Account',
  [
    { to: '/mcp-access', icon: 'bot', label: 'Agents' },
    user.accountRole !== 'member' && { to: '/settings/people', icon: 'users', label: 'People' },
    user.accountRole === 'owner' && { to: '/settings/keys', icon: 'key-round', label: 'API keys' },
  ],
  'end',
)}
${account(frame, user)}
</aside>`;
}

function account(frame: Frame, user: SignedIn): Html {
  const { basePath } = frame;
  return html`<details class="me"><summary aria-label="Your account: ${user.name}"><span class="who"><b>${user.name}</b></span>${icon('chevrons-up-down')}</summary>
<div class="account">
<a href="${basePath}/settings/password">${icon('user')}Password</a>
<a href="${basePath}/settings/sessions">${icon('monitor-smartphone')}Sessions</a>
${postForm(frame, { action: '/sign-out' }, html`<button>${icon('log-out')}Sign out</button>`)}
</div></details>`;
}

export function tabbar(frame: Frame, user: SignedIn): Html {
  const { basePath, path } = frame;
  const tab = (to: string, name: IconName, label: string, more?: Content) =>
    html`<a href="${basePath}${to}"${isAt(path, to) && html` aria-current="page"`}>${icon(name, 'l')}${label}${more}</a>`;
  const unread = user.unread > 0 && html`<span class="n">${unreadOf(user)}<span class="vh"> unread</span></span>`;
  return html`<nav class="tabbar" aria-label="Main, phone">
${tab('/', 'sun', 'My day')}
${tab('/workspaces', 'list-checks', 'Work')}
<a href="${basePath}/workspaces" aria-label="New task"><span class="add">${icon('plus', 'l')}</span></a>
${tab('/notifications', 'inbox', 'Inbox', unread)}
<button type="button" popovertarget="side">${icon('menu', 'l')}Menu</button>
</nav>`;
}
