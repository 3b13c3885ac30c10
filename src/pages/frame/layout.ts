/** The frame around every page: sidebar, running timer, head, notice, bottom bar. No inline script or style: the CSP forbids both
 *  (behaviour §12.7). */
import type { ItemType } from '../../access/rights.ts';
import type { SignedIn } from '../../accounts/sessions.ts';
import { ownText } from '../../live/own.ts';
import { assetPath, type Bundle, type Sheet } from './assets.ts';
import { mark } from './components/mark.ts';
import { notice as noticeBox } from './components/notice.ts';
import type { Frame } from './frame.ts';
import { type Content, Html, html } from './html.ts';
import { liveAttributes } from './live.ts';
import { notices } from './notices.ts';
import { sidebar, tabbar } from './sidebar.ts';
import { timerBar } from './timerBar.ts';
import { undoForm } from './undo.ts';

export interface Page {
  /** The page's h1. */
  title: string;
  /** The page's name in the browser, where it is another one than the h1. */
  tab?: string;
  /** What the page lies in: links before the h1. */
  crumbs?: Content;
  /** Numbers and facts behind the h1. */
  meta?: Content;
  /** At the right end of the head. */
  actions?: Content;
  /** The head's second line. */
  filters?: Content;
  /** Of the work that it is about: its list is marked as the place one is at. */
  itemType?: ItemType;
  body: Content;
  /** A column at the right; below the body on narrow screens. */
  aside?: Content;
  /** Scripts besides those of every page. */
  scripts?: readonly Bundle[];
  /** Style besides that of every page. */
  sheets?: readonly Sheet[];
  /** What is said above the body instead of what ?notice= asks for: where there is more to it than words, like an undo. */
  notice?: Content;
  /** One card without the frame: signing in and what comes before it. Pages for who is not signed in are that anyway. */
  plain?: true;
  /** What of it is done again by itself once others change it (behaviour §31): a workspace's work, one item's, or what concerns the reader. */
  follow?: Follow;
  /** The page that its forms lead back to, where that is another one. */
  at?: string;
  /** It asks before the form is done that it holds. */
  question?: true;
  /** Also for who is not signed in: then with the way to do that above it, and as wide as it is for the others. */
  open?: true;
  /** The body takes the whole width and brings its own padding. So does that of each page with `meta`, `filters` or `aside`; all others
   *  stand in a readable column. */
  wide?: true;
}

export type Follow = 'mine' | { workspaceId: number; itemId?: number };

export function layout(page: Page, frame: Frame): Html {
  const { basePath, user } = frame;
  const asset = (name: string) => `${basePath}${assetPath(name)}`;
  const scripts = ['app.js', ...(user ? ['htmx.js'] : []), ...(page.scripts ?? []).map((name) => `${name}.js`)];
  const whole = html`<!doctype html>
<html lang="en"${settings(user)}${frame.posted && html` data-posted`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="htmx-config" content='${new Html(htmxConfig)}'>
<title>${page.tab ?? page.title} · Stint</title>
<link rel="icon" href="${asset('icon.svg')}" type="image/svg+xml">
<link rel="preload" href="${asset('inter-latin.woff2')}" as="font" type="font/woff2" crossorigin>
${['app.css', ...(page.sheets ?? []).map((name) => `${name}.css`)].map((name) => html`<link rel="stylesheet" href="${asset(name)}">\n`)}${scripts.map((name) => html`<script src="${asset(name)}" defer></script>\n`)}</head>
<body${user && liveAttributes}>
<a class="skip" href="#main">Skip to the content</a>
${user && !page.plain ? framed(page, frame, user) : page.open ? opened(page, frame) : gate(page, frame)}
</body>
</html>`;
  // Icons name their file below the root (components/icon.ts), since a context path handed to each of the hundred that stand in constants and
  // kept pieces would cost every installation what this costs those with one; what people typed has no bare quotes.
  if (!basePath) return whole;
  const named = (piece: string) => piece.replaceAll('"/static/icons.', `"${basePath}/static/icons.`);
  return new Html(named(whole.first), whole.rest?.map(named));
}

/** What the person chose about the pages, for style and scripts. */
const settings = (user: SignedIn | null): Content =>
  user && [
    user.theme !== 'system' && html` data-theme="${user.theme}"`,
    !user.singleKeys && html` data-keys="off"`,
    !user.zoneChosen && html` data-zone="${user.timezone}"`,
  ];

/** No style of its own, which the policy forbids; what people have folded or opened stays so when its surroundings are swapped. */
const htmxConfig = JSON.stringify({ includeIndicatorCSS: false, history: 'reload', morphIgnore: ['data-htmx-powered', 'open'] });

const message = ({ notice }: Page, frame: Frame): Content => {
  const told = frame.notice !== undefined && Object.hasOwn(notices, frame.notice) ? notices[frame.notice] : undefined;
  return html`<div id="notice" aria-live="polite">${notice ?? (told && noticeBox('done', told, undoForm(frame, frame.undo ?? null, frame.path + frame.search)))}</div>`;
};

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

const held = html`<div class="banner">${noticeBox('warning', 'Outgoing messages are held. Mails, webhook messages and reminders are sent later.')}</div>
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

/** For follow.js, on what each swap brings anew: where the page is, what stands around it, and what it follows. */
function following({ follow }: Page, { place }: Frame, user: SignedIn): Content {
  if (!place || !user.frame) return null;
  const own = ownText({ ...user, timer: user.frame.timer });
  const named = typeof follow === 'object' ? [follow.workspaceId, follow.itemId].join(' ').trim() : follow;
  return html` data-place="${place}" data-own="${own}" data-user="${user.id}"${named && html` data-follow="${named}"`}`;
}

const head = (
  { title, crumbs, meta, actions, filters }: Page,
  following: Content,
): Content => html`<header class="head" id="head"${following}>
<div class="bar"><div class="crumbs">${crumbs && html`${crumbs}<span aria-hidden="true">/</span>`}<h1>${title}</h1>${meta && html`<span class="meta">${meta}</span>`}</div>${actions && html`<div class="acts">${actions}</div>`}</div>
${filters && html`<div class="filters">${filters}</div>`}</header>`;
