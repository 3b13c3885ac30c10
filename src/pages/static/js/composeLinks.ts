// Opens links to the form of a new item as a dialog. Its script and style are loaded with the first one.
import { each, fetchPage } from './shared.ts';

const isForm = ({ origin, pathname }) => origin === location.origin && /\/workspaces\/\d+\/new$/.test(pathname);

function load(tag, attributes) {
  const made = Object.assign(document.createElement(tag), attributes);
  document.head.append(made);
  return new Promise((resolve, reject) => Object.assign(made, { onload: resolve, onerror: reject }));
}

/** Opens the dialog for this address, with its page if that is fetched. */
type Composer = (href: string, page?: Document) => Promise<void>;
let composer: Composer | null = null;
/** Called by compose.ts when it has loaded. */
export function provideComposer(open: Composer) {
  composer = open;
}

async function open(href) {
  if (composer) return composer(href);
  const { page } = await fetchPage(href);
  const [script, picker, style] = ['script[src*="/compose."]', 'script[src*="/picker."]', 'link[href*="/compose."]'].map((one) =>
    page.querySelector(one),
  );
  await Promise.all([
    load('script', { src: script.getAttribute('src') }),
    picker && !document.querySelector('script[src*="/picker."]') && load('script', { src: picker.getAttribute('src') }),
    load('link', { rel: 'stylesheet', href: style.getAttribute('href') }),
  ]);
  return composer(href, page);
}

each('a[data-compose-now]', (link) => {
  if ('opened' in link.dataset) return;
  link.dataset.opened = '';
  open(link.href).catch(() => {});
});
document.addEventListener('click', (event) => {
  const link = event.target.closest?.('a[href]');
  if (!link || event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  if (link.target || !isForm(link)) return;
  event.preventDefault();
  open(link.href).catch(() => (location.href = link.href));
});
