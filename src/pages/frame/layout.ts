/** The frame around every page: head, navigation, notice. No inline script or style: the CSP forbids both (behaviour §12.7). */
import type { SignedIn } from '../../accounts/sessions.ts';
import { type Content, Html, html } from './html.ts';
import { type FormContext, postForm } from './postForm.ts';

export interface Page {
  title: string;
  body: Content;
  /** Widgets of this page need htmx (lists that filter in place). */
  htmx?: boolean;
}

export interface Frame extends FormContext {
  user: SignedIn | null;
  /** A code of `notices`, from ?notice=. */
  notice: string | undefined;
  path: string;
}

/** What ?notice= may say after a redirect; anything else is not shown. */
const notices: Record<string, string> = {
  ended: 'You had been signed out: nothing was saved. Sign in and send it again.',
  welcomed: 'That link has been used, or has ended: sign in.',
  saved: 'Saved.',
  created: 'Created.',
  revoked: 'Revoked. The key no longer works.',
  sent: 'It is being sent: the list below shows what is answered.',
  goesOn: 'It goes on: what waited is sent now.',
  webhookRevoked: 'Revoked. Nothing is sent any more.',
  disconnected: 'The agent is disconnected from this workspace.',
  deactivated: 'Deactivated. Their keys and sessions no longer work.',
  activated: 'Activated. Keys and connections they had do not come back; make new ones.',
  removed: 'Removed.',
  archived: 'Archived.',
  unarchived: 'Back from the archive.',
  commented: 'Comment added.',
  approved: 'Approved.',
  rejected: 'Rejected.',
  requested: 'Approval requested.',
  read: 'Marked as read.',
  watched: 'You watch this: you hear of its comments and statuses.',
  unwatched: 'You no longer hear of its comments and statuses; of what is meant for you, you do.',
  sessionEnded: 'That session has ended.',
  signedOut: 'You are signed out everywhere.',
  password: 'Password changed. Other sessions have been signed out.',
  deleted: 'Deleted.',
  started: 'The timer runs.',
  stopped: 'The timer is stopped.',
};

export function layout(page: Page, frame: Frame): Html {
  const { basePath, user, notice } = frame;
  const message = notice === undefined ? undefined : notices[notice];
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="htmx-config" content='{"includeIndicatorCSS":false}'>
<title>${page.title} · Stint</title>
<link rel="icon" href="${basePath}/static/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${basePath}/static/pico.css">
<link rel="stylesheet" href="${basePath}/static/app.css">
<script src="${basePath}/static/app.js" defer></script>
${page.htmx && html`<script src="${basePath}/static/htmx.js" defer></script>`}
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
${user ? navigation(frame, user) : html`<header class="container top"><nav aria-label="Main"><ul><li><strong>Stint</strong></li></ul></nav></header>`}
<main id="main" class="container">
<h1>${page.title}</h1>
${message && html`<p role="status" class="notice">${message}</p>`}
${page.body}
</main>
</body>
</html>`;
}

function navigation(frame: Frame, user: SignedIn): Html {
  const { basePath, path } = frame;
  const link = (to: string, label: string) =>
    html`<li><a href="${basePath}${to}"${path === to ? new Html(' aria-current="page"') : ''}>${label}</a></li>`;
  return html`<header class="container top"><nav aria-label="Main">
<ul><li><a href="${basePath}/"${path === '/' ? new Html(' aria-current="page"') : ''}><strong>Stint</strong></a></li></ul>
<ul class="places">
${link('/my', 'My work')}
${link('/notifications', user.unread === 0 ? 'Inbox' : `Inbox (${user.unread < 100 ? user.unread : '99+'})`)}
${link('/capacity', 'Capacity')}
${link('/mcp-access', 'Agents')}
${user.accountRole === 'owner' && link('/settings/keys', 'API keys')}
${user.accountRole !== 'member' && link('/settings/people', 'People')}
${link('/settings/password', user.name)}
</ul>
<ul><li>${postForm(frame, { action: '/sign-out', class: 'plain' }, html`<button class="secondary outline">Sign out</button>`)}</li></ul>
</nav></header>`;
}
