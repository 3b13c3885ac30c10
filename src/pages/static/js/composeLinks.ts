// Opens links to the form of a new item as a dialog. Its script and style are loaded with the first one.
import { around, each, fetchPage } from './shared.ts';

/** Opens the dialog for this address, with its page if that is fetched. */
type Composer = (href: string, page?: Document) => Promise<void>;
let composer: Composer | null = null;
/** Called by compose.ts when it has loaded. */
export function provideComposer(open: Composer): void {
  composer = open;
}

const isForm = ({ origin, pathname }: HTMLAnchorElement) => origin === location.origin && /\/workspaces\/\d+\/new$/.test(pathname);

/** Adds a script or style of another page to this one. */
function load(page: Document, selector: string, name: 'src' | 'href'): Promise<void> | null {
  const from = page.querySelector(selector);
  if (!from) return null;
  const made = document.createElement(from.localName);
  made.setAttribute(name, from.getAttribute(name) ?? '');
  if (name === 'href') made.setAttribute('rel', 'stylesheet');
  return new Promise((resolve, reject) => {
    made.addEventListener('load', () => resolve());
    made.addEventListener('error', reject);
    document.head.append(made);
  });
}

const PICKER = 'script[src*="/picker."]';

function openLoaded(href: string, page: Document): Promise<void> {
  if (!composer) throw new Error('The script of the dialog did not load. Open the page instead.');
  return composer(href, page);
}

async function open(href: string): Promise<void> {
  if (composer) return composer(href);
  const { page } = await fetchPage(href);
  await Promise.all([
    load(page, 'script[src*="/compose."]', 'src'),
    document.querySelector(PICKER) ? null : load(page, PICKER, 'src'),
    load(page, 'link[href*="/compose."]', 'href'),
  ]);
  await openLoaded(href, page);
}

each<HTMLAnchorElement>('a[data-compose-now]', (link) => {
  if ('opened' in link.dataset) return;
  link.dataset.opened = '';
  open(link.href).catch(() => {});
});
document.addEventListener('click', (event) => {
  const link = around<HTMLAnchorElement>(event.target, 'a[href]');
  if (!link || event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  if (link.target || !isForm(link)) return;
  event.preventDefault();
  open(link.href).catch(() => location.assign(link.href));
});
