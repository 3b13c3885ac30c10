/** The installed application: web app manifest, service worker, offline page, and share target (behaviour §39.4–§39.6). */
import { hash } from 'node:crypto';
import type { Context } from 'koa';
import { bits, holds } from '../../access/rights.ts';
import { longest } from '../../values/text.ts';
import { assetPath, themeColors, workerText } from './assets.ts';
import { linkButton } from './components/button.ts';
import { html } from './html.ts';
import type { Answer, PageRequest, PageRoute, PublicRequest } from './page.ts';

/** Static files that the offline page needs. */
const kept = ['app.css', 'app.js', 'icons.svg', 'icon.svg', 'inter-latin.woff2'] as const;

function manifest(basePath: string): string {
  const at = (path: string) => `${basePath}${path}`;
  const icon = (name: string, sizes: string, purpose: string) => ({ src: at(assetPath(name)), sizes, type: 'image/png', purpose });
  return JSON.stringify({
    id: at('/'),
    name: 'Stint',
    short_name: 'Stint',
    start_url: at('/'),
    scope: at('/'),
    display: 'standalone',
    background_color: themeColors.light,
    theme_color: themeColors.light,
    icons: [
      icon('icon-192.png', '192x192', 'any'),
      icon('icon-512.png', '512x512', 'any'),
      icon('maskable-512.png', '512x512', 'maskable'),
    ],
    shortcuts: [
      { name: 'New task', url: at('/new') },
      { name: 'Inbox', url: at('/notifications') },
    ],
    share_target: { action: at('/share'), method: 'GET', params: { title: 'title', text: 'text', url: 'url' } },
  });
}

function worker(basePath: string): string {
  const files = kept.map((name) => basePath + assetPath(name));
  const text = workerText;
  const cacheName = `stint ${hash('sha256', files.join() + text, 'hex').slice(0, 12)}`;
  const given = { files, offline: `${basePath}/offline`, cacheName };
  return `${Object.entries(given)
    .map(([key, value]) => `const ${key} = ${JSON.stringify(value)};`)
    .join('\n')}\n${text}`;
}

/** Made once: browsers ask for the worker at each navigation. Both are at the root of the pages, because a worker controls only addresses
 *  below its own. Returns false for other addresses. */
export function installedFiles(basePath: string): (ctx: Context) => boolean {
  const files = new Map([
    [`${basePath}/manifest.webmanifest`, { type: 'application/manifest+json', text: manifest(basePath) }],
    [`${basePath}/sw.js`, { type: 'text/javascript; charset=utf-8', text: worker(basePath) }],
  ]);
  return (ctx) => {
    const file = files.get(ctx.path);
    if (!file || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return false;
    ctx.set('Cache-Control', 'no-cache');
    ctx.type = file.type;
    ctx.body = file.text;
    return true;
  };
}

const offline = async ({ basePath }: PublicRequest): Promise<Answer> => ({
  title: 'You are offline',
  plain: true,
  body: html`<p>Stint can’t reach its server. What you typed is kept in this browser.</p>
<form data-offline hidden method="get" action="${basePath}/my/line"><input type="hidden" name="back" value="/"><label class="flabel" for="offline-line">Add a task or log time</label><input class="input" id="offline-line" name="text" required maxlength="300" autocomplete="off" placeholder="Order paper friday 4h"><button class="btn primary">Keep</button><p class="hint" role="status"></p></form>
<p class="actions">${linkButton(`${basePath}/`, 'Try again', { icon: 'refresh-cw' })}</p>`,
});

const cut = (text: string | null, most: number): string =>
  [...(text ?? '').replace(/[\p{Cc}\p{Cs}]+/gu, ' ').trim()].slice(0, most).join('');

/** Opens the filled form of a new task. Nothing is created. Accepts only web addresses. */
async function share({ query, basePath, user }: PageRequest): Promise<Answer> {
  const text = cut(query.get('text'), 4_000);
  const url = /^https?:\/\//i.test(query.get('url') ?? '') ? cut(query.get('url'), 2_000) : '';
  const title = cut(query.get('title') || text || url, longest.title);
  const description = [text, url].filter((part) => part !== '' && part !== title).join('\n\n');
  const there = user.frame?.workspaces.find(({ rights }) => holds(rights, bits('tasks', 'write')));
  const filled = new URLSearchParams({ type: 'task', title, description });
  return {
    title: 'Shared with Stint',
    body: there
      ? html`<p>${title}</p><p class="actions"><a class="btn primary" href="${basePath}/workspaces/${there.id}/new?${String(filled)}" data-compose-now>Add as a task</a></p>`
      : html`<p>You can’t add tasks in any workspace. Ask an owner of a workspace for write access.</p>`,
  };
}

export const installedRoutes: PageRoute[] = [
  { method: 'GET', path: '/offline', public: true, handle: offline },
  { method: 'GET', path: '/share', handle: share },
];
