// Opens the menu page of .chg and [data-menu] links in a popover. On any error the link is followed as without script.
import { fetchPage } from './shared.ts';

/** What a bundle adds to each menu (picker.ts). */
type Extras = (menu: HTMLElement, place: () => void) => void;
let extras: Extras | null = null;
export function extendMenus(add: Extras) {
  extras = add;
}

let box = null;
let from = null;
let closed = { from: null, at: 0 };

function boxOfMenu() {
  if (box?.isConnected) return box;
  box = document.createElement('div');
  box.className = 'menu-box';
  box.popover = 'auto';
  // Takes the focus if it has no choices.
  box.tabIndex = -1;
  box.setAttribute('role', 'dialog');
  box.addEventListener('beforetoggle', ({ newState }) => {
    if (newState === 'closed') closed = { from, at: performance.now() };
  });
  document.body.append(box);
  return box;
}

function place() {
  if (matchMedia('(max-width: 959px)').matches) return box.removeAttribute('style');
  const link = from.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = box;
  const below = innerHeight - link.bottom - 12;
  const top = height <= below || below > link.top ? link.bottom + 4 : Math.max(8, link.top - height - 4);
  box.style.top = `${Math.max(8, Math.min(top, innerHeight - height - 8))}px`;
  box.style.left = `${Math.max(8, Math.min(link.left, innerWidth - width - 8))}px`;
}

const choices = () =>
  [...box.querySelectorAll('.menu-seek, button.opt, a.opt, .opt input, .typed input, .typed button')].filter((one) =>
    one.checkVisibility(),
  );

async function show(href) {
  const to = new URL(href, location.href);
  to.searchParams.set('opened', location.pathname + location.search);
  const { page } = await fetchPage(to);
  const menu = page.getElementById('change');
  if (!menu) throw new Error('The response has no menu. Open the page instead.');
  const shown = document.importNode(menu, true);
  extras?.(shown, place);
  boxOfMenu().replaceChildren(shown);
  box.setAttribute('aria-label', menu.getAttribute('aria-label') ?? page.title);
  window.htmx?.process(box);
  box.showPopover();
  place();
  (box.querySelector('[autofocus]') ?? box.querySelector('.opt[aria-pressed="true"]') ?? choices()[0] ?? box).focus();
}

export function openMenu(link, href) {
  from = link;
  link.setAttribute('aria-busy', 'true');
  return show(href)
    .catch(() => {
      location.href = href;
    })
    .finally(() => link.removeAttribute('aria-busy'));
}

document.addEventListener('click', (event) => {
  const link = event.target.closest?.('a.chg, a[data-menu], a[data-menu-more]');
  if (!link || event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  if (box?.contains(link)) {
    show(link.getAttribute('href')).catch(() => {
      location.href = link.getAttribute('href');
    });
    return;
  }
  // The click that closed the menu was on its own link.
  if (event.detail > 0 && closed.from === link && performance.now() - closed.at < 300) return;
  openMenu(link, link.getAttribute('href'));
});

document.addEventListener('keydown', (event) => {
  if (!box?.matches(':popover-open') || !box.contains(event.target)) return;
  const typing = event.target.matches('input, textarea');
  // In a text area, arrow keys move the cursor.
  if (event.target.matches('textarea') && event.key !== 'Escape') return event.stopPropagation();
  const all = choices();
  const at = all.indexOf(event.target);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
  if (to !== undefined && !(typing && (event.key === 'Home' || event.key === 'End'))) {
    event.preventDefault();
    all[(to + all.length) % all.length]?.focus();
  } else if (!typing && /^[\d.,]$/.test(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey) {
    const option = box.querySelector(`[data-digit="${event.key}"]`);
    if (option) {
      event.preventDefault();
      option.click();
    } else {
      // The browser types this key into the newly focused field.
      const number = box.querySelector('.typed input[inputmode="decimal"]');
      number?.focus();
      number?.select();
    }
  }
  // While a menu is open, no other shortcut may react.
  event.stopPropagation();
});

// On phones row actions are a sheet; close it after a choice.
document.addEventListener('submit', ({ submitter }) => submitter?.closest('.acts[popover]')?.hidePopover(), true);

// Close first, so that the focus returns to its row before the swap (live.js).
document.addEventListener(
  'submit',
  (event) => {
    if (!box?.contains(event.target)) return;
    box.hidePopover();
    from?.focus({ preventScroll: true });
  },
  true,
);
