// Opens the menu page of .chg and [data-menu] links in a popover. On any error the link is followed as without script.
import { all, around, fetchPage, make } from './shared.ts';

/** A function that adds choices to each menu (menuExtras.ts). */
type Extras = (menu: HTMLElement, place: () => void) => void;
let extras: Extras | null = null;
export function extendMenus(add: Extras): void {
  extras = add;
}

// Takes the focus if it has no choices.
const box = make('div', { class: 'menu-box', popover: 'auto', tabindex: '-1', role: 'dialog' });
let from: HTMLElement | null = null;
let closed: { from: HTMLElement | null; at: number } = { from: null, at: 0 };
box.addEventListener('beforetoggle', ({ newState }) => {
  if (newState === 'closed') closed = { from, at: performance.now() };
});

function place() {
  if (!from || matchMedia('(max-width: 959px)').matches) return box.removeAttribute('style');
  const link = from.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = box;
  const below = innerHeight - link.bottom - 12;
  const top = height <= below || below > link.top ? link.bottom + 4 : Math.max(8, link.top - height - 4);
  box.style.top = `${Math.max(8, Math.min(top, innerHeight - height - 8))}px`;
  box.style.left = `${Math.max(8, Math.min(link.left, innerWidth - width - 8))}px`;
}

const choices = () =>
  all('.menu-seek, button.opt, a.opt, .opt input, .typed input, .typed button', box).filter((one) => one.checkVisibility());

async function show(href: string): Promise<void> {
  const to = new URL(href, location.href);
  to.searchParams.set('opened', location.pathname + location.search);
  const { page } = await fetchPage(to);
  const menu = page.getElementById('change');
  if (!menu) throw new Error('The response has no menu. Open the page instead.');
  const shown = document.importNode(menu, true);
  extras?.(shown, place);
  if (!box.isConnected) document.body.append(box);
  box.replaceChildren(shown);
  box.setAttribute('aria-label', menu.getAttribute('aria-label') ?? page.title);
  htmx.process(box);
  box.showPopover();
  place();
  const first = box.querySelector<HTMLElement>('[autofocus]') ?? box.querySelector<HTMLElement>('.opt[aria-pressed="true"]');
  (first ?? choices()[0] ?? box).focus();
}

export function openMenu(link: HTMLElement, href: string): Promise<void> {
  from = link;
  link.setAttribute('aria-busy', 'true');
  return show(href)
    .catch(() => location.assign(href))
    .finally(() => link.removeAttribute('aria-busy'));
}

document.addEventListener('click', (event) => {
  const link = around(event.target, 'a.chg, a[data-menu], a[data-menu-more]');
  if (!link || event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  const href = link.getAttribute('href') ?? '';
  if (box.contains(link)) {
    show(href).catch(() => location.assign(href));
    return;
  }
  // The click that closed the menu was on its own link.
  if (event.detail > 0 && closed.from === link && performance.now() - closed.at < 300) return;
  openMenu(link, href);
});

/** Chooses the option with this digit, or focuses the field for numbers, into which the browser then types the key. */
function takeDigit(event: KeyboardEvent): void {
  const option = box.querySelector<HTMLElement>(`[data-digit="${event.key}"]`);
  if (option) {
    event.preventDefault();
    option.click();
    return;
  }
  const number = box.querySelector<HTMLInputElement>('.typed input[inputmode="decimal"]');
  number?.focus();
  number?.select();
}

/** The place of the choice that a key moves to. */
function placeAfter(key: string, at: number, last: number): number | undefined {
  if (key === 'ArrowDown') return at + 1;
  if (key === 'ArrowUp') return at - 1;
  return key === 'Home' ? 0 : key === 'End' ? last : undefined;
}

document.addEventListener('keydown', (event) => {
  const { target, key } = event;
  if (!(target instanceof HTMLElement) || !box.contains(target) || !box.matches(':popover-open')) return;
  const typing = target.matches('input, textarea');
  // In a text area, arrow keys move the cursor.
  if (target.matches('textarea') && key !== 'Escape') return event.stopPropagation();
  const found = choices();
  const to = placeAfter(key, found.indexOf(target), found.length - 1);
  if (to !== undefined && !(typing && (key === 'Home' || key === 'End'))) {
    event.preventDefault();
    found[(to + found.length) % found.length]?.focus();
  } else if (!typing && /^[\d.,]$/.test(key) && !event.ctrlKey && !event.metaKey && !event.altKey) takeDigit(event);
  // While a menu is open, no other shortcut may react.
  event.stopPropagation();
});

// On phones row actions are a sheet; close it after a choice.
document.addEventListener('submit', ({ submitter }) => submitter?.closest<HTMLElement>('.acts[popover]')?.hidePopover(), true);

// Close first, so that the focus returns to its row before the swap (live.ts).
document.addEventListener(
  'submit',
  ({ target }) => {
    if (!(target instanceof Node && box.contains(target))) return;
    box.hidePopover();
    from?.focus({ preventScroll: true });
  },
  true,
);
