/** The layout of every page. No inline script or style: the CSP forbids both (behaviour §12.7). */
import type { ItemType } from '../../access/rights.ts';
import { ownText } from '../../live/messages.ts';
import type { SignedIn } from '../../overviews/signedIn.ts';
import { assetPath, type PageScript, type Sheet, themeColors } from './assets.ts';
import { notice as noticeBox } from './components/boxes.ts';
import { icon } from './components/icon.ts';
import { mark } from './components/marks.ts';
import { menu } from './components/palette.ts';
import { type Content, Html, html } from './html.ts';
import { liveAttributes } from './live.ts';
import { sidebar, tabbar, timerBar } from './sidebar.ts';
import type { Frame } from './widgets.ts';

export interface Page {
  title: string;
  /** The document title, if it differs from the h1. */
  tab?: string;
  /** The h1, if it has elements: a name inside a sentence is a `bdi`. */
  heading?: Content;
  crumbs?: Content;
  /** Numbers and facts after the h1. */
  meta?: Content;
  actions?: Content;
  /** On phones, title and view are one button that opens this menu. */
  view?: { label: string; panel: Content };
  filters?: Content;
  /** Item type whose list the sidebar marks as current. */
  itemType?: ItemType;
  body: Content;
  /** Right column; below the body on narrow screens. */
  aside?: Content;
  scripts?: readonly PageScript[];
  sheets?: readonly Sheet[];
  /** Replaces the toast. */
  notice?: Content;
  /** One card without sidebar, e.g. sign-in. Pages without a signed-in user always look like this. */
  plain?: true;
  /** Changes that update the page live (behaviour §31): one workspace, one item, or the reader's own data. */
  follow?: Follow;
  /** Page that the forms return to, if it is not this one. */
  at?: string;
  /** A confirmation question before the form that it contains is carried out. */
  question?: true;
  /** Full layout also for visitors, with a sign-in link. */
  open?: true;
  /** The body has the h1; the header shows `title` as the last crumb. */
  ownHeading?: true;
  /** Full width, own padding. Implied by `meta`, `filters` or `aside`; other pages use a readable column. */
  wide?: true;
}

type Follow = 'mine' | { workspaceId: number; itemId?: number };

export function layout(page: Page, frame: Frame): Html {
  const { basePath, user } = frame;
  const asset = (name: string) => `${basePath}${assetPath(name)}`;
  const inside = html`${user && !page.plain ? framed(page, frame, user) : page.open ? opened(page, frame) : gate(page, frame)}`;
  const picker = / data-(?:pick|find)| class="chg/.test(inside.text) ? ['picker.js'] : [];
  const scripts = ['app.js', ...(user ? ['htmx.js'] : []), ...(page.scripts ?? []).map((name) => `${name}.js`), ...picker];
  return html`<!doctype html>
<html lang="en"${settings(user)}${frame.posted && html` data-posted`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="htmx-config" content='${new Html(htmxConfig)}'>
<title>${page.tab ?? page.title} · Stint</title>
${themeColor(user)}
<link rel="manifest" href="${basePath}/manifest.webmanifest">
<link rel="apple-touch-icon" href="${asset('touch-180.png')}">
<link rel="icon" href="${asset('icon.svg')}" type="image/svg+xml">
<link rel="preload" href="${asset('inter-latin.woff2')}" as="font" type="font/woff2" crossorigin>
${['app.css', ...(page.sheets ?? []).map((name) => `${name}.css`)].map((name) => html`<link rel="stylesheet" href="${asset(name)}">\n`)}${scripts.map((name) => html`<script src="${asset(name)}" defer></script>\n`)}</head>
<body data-icons="${asset('icons.svg')}"${user && liveAttributes}>
<a class="skip" href="#main">Skip to content</a>
${inside}
</body>
</html>`;
}

const themeColor = (user: SignedIn | null): Content =>
  user && user.theme !== 'system'
    ? html`<meta name="theme-color" content="${themeColors[user.theme]}">`
    : (['light', 'dark'] as const).map(
        (theme) => html`<meta name="theme-color" content="${themeColors[theme]}" media="(prefers-color-scheme: ${theme})">`,
      );

const settings = (user: SignedIn | null): Content =>
  user && [
    user.theme !== 'system' && html` data-theme="${user.theme}"`,
    !user.singleKeys && html` data-keys="off"`,
    !user.zoneChosen && html` data-zone="${user.timezone}"`,
  ];

/** htmx adds no style, because the CSP forbids it. Open and closed <details> keep their state when their surroundings are swapped. */
const htmxConfig = JSON.stringify({ includeIndicatorCSS: false, history: 'reload', morphIgnore: ['data-htmx-powered', 'open'] });

const message = ({ notice }: Page, { toast }: Frame): Content => html`<div id="notice" aria-live="polite">${notice ?? toast}</div>`;

function gate(page: Page, frame: Frame): Content {
  return html`<div class="gate">
<p class="brand">${mark}Stint</p>
<main id="main">
<h1>${page.title}</h1>
${message(page, frame)}
<div id="body">${page.body}</div>
</main>
</div>`;
}

function opened(page: Page, frame: Frame): Content {
  return html`<div class="open">
<header class="bar"><a class="brand" href="${frame.basePath}/">${mark}Stint</a><a href="${frame.basePath}/sign-in">Sign in</a></header>
<main id="main">
${head(page, null)}
<div id="body">${page.body}</div>
</main>
</div>`;
}

const held = html`<div class="banner">${noticeBox('warning', 'Outgoing messages are on hold. Emails, webhook messages and reminders are sent later.')}</div>
`;

function framed(page: Page, frame: Frame, user: SignedIn): Content {
  const wide = page.wide || page.meta || page.filters || page.aside;
  const body = html`<div id="body" class="page${!wide && ' column'}">
${page.body}
</div>`;
  return html`<div class="app">
${sidebar({ ...frame, itemType: page.itemType }, user)}
<main class="main" id="main">
${frame.outboundHeld && held}${timerBar(frame, user)}
${head(page, following(page, frame, user))}
${message(page, frame)}
${page.aside ? html`<div class="sides-2">${body}<div class="aside" id="aside">${page.aside}</div></div>` : body}
</main>
</div>
${tabbar(frame, user)}`;
}

/** Data for follow.js: position in the change feed, a digest of the layout's data, and the changes to follow. */
function following({ follow }: Page, { place, sessionTag }: Frame, user: SignedIn): Content {
  if (!place || !user.frame) return null;
  const own = ownText({ ...user, timer: user.frame.timer });
  const named = typeof follow === 'object' ? [follow.workspaceId, follow.itemId].join(' ').trim() : follow;
  return html` data-place="${place}" data-own="${own}" data-user="${user.id}" data-session="${sessionTag}"${named && html` data-follow="${named}"`}`;
}

const head = (
  { title, heading = title, crumbs, meta, view, actions, filters, ownHeading }: Page,
  following: Content,
): Content => html`<header class="head" id="head"${following}>
<div class="bar"><div class="crumbs">${crumbs && html`${crumbs}<span aria-hidden="true">/</span>`}${ownHeading ? html`<span class="here">${title}</span>` : html`<h1>${heading}</h1>`}${meta && html`<span class="meta">${meta}</span>`}${view && menu(icon('chevron-down', 's'), view.panel, { label: view.label, class: 'view-menu at-narrow' })}</div>${actions && html`<div class="acts">${actions}</div>`}</div>
${filters && html`<div class="filters">${filters}</div>`}</header>`;
