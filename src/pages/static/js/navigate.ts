// Follows links between lists, boards, items, My day and the inbox by replacing the page's main part; sidebar, scripts and styles stay. Pages
// are fetched ahead on hover and touch. Anything unusual is left to the browser: the link is followed as without script.
import { all, around, base, facts, fetchPage, improveAll, make, the } from './shared.ts';

declare global {
  /** Only in Chromium. */
  interface Navigator {
    connection?: { saveData?: boolean };
  }
}

/** A page that was fetched. */
interface Fetched {
  page: Document;
  href: string;
  ok: boolean;
}

const KEPT_MS = 5_000;
const HOVER_MS = 60;
const PAGES = /^\/(?:notifications|workspaces\/\d+(?:\/items\/\d+)?)?$/;
/** Bundles that also work when their page comes later. */
const BUNDLES = /\/(?:app|htmx|touch|agenda|board|item|picker)\.[0-9a-f]+\.js$/;

function isPage({ origin, pathname, search }: URL | Location | HTMLAnchorElement): boolean {
  const path = pathname.startsWith(`${base}/`) ? pathname.slice(base.length) : '';
  return origin === location.origin && PAGES.test(path) && !/[?&](?:view=timeline|opened=)/.test(search);
}
const linkIn = (target: EventTarget | null): HTMLAnchorElement | null => {
  const link = around<HTMLAnchorElement>(target, 'a[href]');
  // A link in a picture has no pathname.
  const isOurs = link?.pathname && isPage(link) && !link.matches('.chg, [target], [download], [data-menu], [hx-get], [hx-get] *');
  return isOurs && link.pathname + link.search !== location.pathname + location.search ? link : null;
};
const withoutHash = (href: string) => href.split('#', 1).join();

// Pages fetched ahead, by address. `Purpose: prefetch` tells the server that the user has not opened the page.
const ahead = new Map<string, { at: number; answer: Promise<Fetched> }>();
const isSaving = () => navigator.connection?.saveData === true;
async function read(href: string, headers: Record<string, string> = {}): Promise<Fetched> {
  const { answer, page } = await fetchPage(href, { headers });
  return { page, href: answer.url, ok: answer.status === 200 };
}
function prefetch(link: HTMLAnchorElement): void {
  const href = withoutHash(link.href);
  if (isSaving() || !isPage(location) || performance.now() - (ahead.get(href)?.at ?? -KEPT_MS) < KEPT_MS) return;
  for (const [old, { at }] of ahead) if (performance.now() - at > KEPT_MS) ahead.delete(old);
  const answer = read(href, { Purpose: 'prefetch' });
  answer.catch(() => ahead.delete(href));
  ahead.set(href, { at: performance.now(), answer });
}
function take(href: string): Promise<Fetched> | null {
  const found = ahead.get(href);
  ahead.clear();
  return found && performance.now() - found.at < KEPT_MS ? found.answer : null;
}

let soon = 0;
let hovered: HTMLAnchorElement | null = null;
document.addEventListener('pointerover', ({ target, pointerType }) => {
  const link = pointerType === 'mouse' ? linkIn(target) : null;
  if (link === hovered) return;
  hovered = link;
  clearTimeout(soon);
  if (link) soon = setTimeout(prefetch, HOVER_MS, link);
});
document.addEventListener(
  'touchstart',
  ({ target }) => {
    const link = linkIn(target);
    if (link) prefetch(link);
  },
  { passive: true },
);

const isTyping = () =>
  document.querySelector('form[data-editing], dialog[open]') !== null ||
  all<HTMLInputElement>('#main :is(input:not([type="hidden"], [type="checkbox"], [type="radio"]), textarea)').some(
    (one) => one.value !== one.defaultValue,
  );
const src = (page: Document, name: string) => page.querySelector(`script[src*="/${name}."]`)?.getAttribute('src');
const isUsable = ({ page, href, ok }: Fetched) =>
  ok &&
  isPage(new URL(href)) &&
  facts(page).user === facts().user &&
  facts(page).session === facts().session &&
  src(page, 'app') === src(document, 'app') &&
  [...page.querySelectorAll('script[src]')].every((one) => BUNDLES.test(one.getAttribute('src') ?? ''));

function add(page: Document, selector: string, attribute: string): Promise<unknown>[] {
  const missing = [...page.head.querySelectorAll(selector)].filter(
    (one) => !document.head.querySelector(`[${attribute}="${CSS.escape(one.getAttribute(attribute) ?? '')}"]`),
  );
  return missing.map((one) => {
    const made = document.createElement(one.localName);
    for (const { name, value } of one.attributes) made.setAttribute(name, value);
    if (made instanceof HTMLScriptElement) made.async = false;
    const loaded = new Promise((resolve) => Object.assign(made, { onload: resolve, onerror: resolve }));
    document.head.append(made);
    return loaded;
  });
}

/** The same links and forms keep their elements; only addresses, the current link and counts change. */
function renew(page: Document, selector: string): void {
  const [now, next] = [the(selector), the(selector, page)];
  const pairs = ['a[href]', 'input[type="hidden"]'].map((one) => ({ before: all(one, now), after: all(one, next) }));
  const nameOf = (one: Element | undefined) => (one instanceof HTMLAnchorElement ? one.pathname : one?.getAttribute('name'));
  if (!pairs.every(({ before, after }) => before.length === after.length && before.every((one, at) => nameOf(one) === nameOf(after[at])))) {
    const top = now.scrollTop;
    now.replaceChildren(...document.importNode(next, true).childNodes);
    htmx.process(now);
    now.scrollTop = top;
    return;
  }
  for (const { before, after } of pairs)
    for (const [at, one] of before.entries())
      for (const name of ['href', 'value', 'aria-current']) {
        const value = after[at]?.getAttribute(name) ?? null;
        if (value === null) one.removeAttribute(name);
        else if (one.getAttribute(name) !== value) one.setAttribute(name, value);
      }
  for (const count of next.querySelectorAll('.n[id]')) document.getElementById(count.id)?.replaceWith(document.importNode(count, true));
}

let said: HTMLElement | null = null;
function tell(title: string): void {
  if (!said) {
    said = make('p', { class: 'vh', role: 'status' });
    document.body.append(said);
  }
  said.textContent = title;
}

/** Fetched ahead, so the visit is stored now. */
function noteVisit(page: Document, href: string): void {
  const csrf = page.querySelector<HTMLInputElement>('input[name="_csrf"]')?.value;
  if (!csrf || !/\/items\/\d+$/.test(new URL(href).pathname)) return;
  const body = new URLSearchParams({ _csrf: csrf });
  fetch(`${new URL(href).pathname}/opened`, { method: 'POST', body, keepalive: true }).catch(() => {});
}

function show(page: Document, hash: string, y: number): void {
  document.querySelector<HTMLElement>('.side:popover-open')?.hidePopover();
  const main = document.adoptNode(the('#main', page));
  the('#main').replaceWith(main);
  for (const one of ['.side', '.tabbar']) renew(page, one);
  document.title = page.title;
  htmx.process(main);
  const place = hash && document.getElementById(decodeURIComponent(hash.slice(1)));
  if (place) place.scrollIntoView();
  else scrollTo(0, y);
  main.tabIndex = -1;
  main.focus({ preventScroll: true });
  tell(page.title);
  add(page, 'script[src]', 'src');
  improveAll();
}

let asked = 0;
async function go(href: string, { hash = '', push = true, y = 0 } = {}) {
  const mine = ++asked;
  const early = take(href);
  const found = await (early ?? read(href)).catch(() => null);
  if (mine !== asked) return;
  if (!found || !isUsable(found)) return location.assign(href + hash);
  await Promise.all(add(found.page, 'link[rel="stylesheet"]', 'href'));
  if (mine !== asked) return;
  if (push) {
    history.replaceState({ ...history.state, swapped: true, y: scrollY }, '');
    history.pushState({ swapped: true, y: 0 }, '', found.href + hash);
  }
  show(found.page, hash, y);
  if (early) noteVisit(found.page, found.href);
}

// On the window: scripts that handle a link in place listen on the document, and come first.
addEventListener('click', (event) => {
  const { target, button, ctrlKey, metaKey, shiftKey, altKey } = event;
  const link = linkIn(target);
  if (!link || event.defaultPrevented || button !== 0 || ctrlKey || metaKey || shiftKey || altKey) return;
  if (!isPage(location) || isTyping() || !facts().session) return;
  event.preventDefault();
  go(withoutHash(link.href), { hash: link.hash });
});
// htmx reloads entries of its own (history.state.htmx).
addEventListener('popstate', ({ state }) => {
  if (state?.swapped && !state.htmx) go(withoutHash(location.href), { hash: location.hash, push: false, y: state.y });
});
addEventListener('scrollend', () => {
  if (history.state?.swapped) history.replaceState({ ...history.state, y: scrollY }, '');
});
