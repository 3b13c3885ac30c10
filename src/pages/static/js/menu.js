// Menus beside their links: .chg and [data-menu] lead to a small page, whose menu is shown here in one popover for all of them. Whatever goes wrong,
// the link is followed as it would be without a script.
(() => {
  let box = null;
  let from = null;
  let closed = { from: null, at: 0 };

  function make() {
    if (box?.isConnected) return box;
    box = document.createElement('div');
    box.className = 'menu-box';
    box.popover = 'auto';
    box.setAttribute('role', 'dialog');
    box.addEventListener('beforetoggle', ({ newState }) => {
      if (newState === 'closed') closed = { from, at: performance.now() };
    });
    document.body.append(box);
    return box;
  }

  // Beside its link, on the side where there is room; on phones the style sheet makes it a sheet.
  function place() {
    if (matchMedia('(max-width: 959px)').matches) return box.removeAttribute('style');
    const link = from.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = box;
    const below = innerHeight - link.bottom - 12;
    const top = height <= below || below > link.top ? link.bottom + 4 : Math.max(8, link.top - height - 4);
    box.style.top = `${Math.max(8, Math.min(top, innerHeight - height - 8))}px`;
    box.style.left = `${Math.max(8, Math.min(link.left, innerWidth - width - 8))}px`;
  }

  const choices = () => [...box.querySelectorAll('.opt, .typed input, .typed button')];

  async function show(href) {
    const to = new URL(href, location.href);
    // Where to come back to; without script the browser says so itself, if it does (Referer).
    to.searchParams.set('opened', location.pathname + location.search);
    const answer = await fetch(to, { headers: { Accept: 'text/html' } });
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const menu = page.getElementById('change');
    if (!menu) throw new Error('This is another page.');
    make().replaceChildren(document.importNode(menu, true));
    box.setAttribute('aria-label', menu.getAttribute('aria-label') ?? page.title);
    window.htmx?.process(box);
    box.showPopover();
    place();
    (box.querySelector('[autofocus]') ?? box.querySelector('.opt[aria-pressed="true"]') ?? choices()[0] ?? box).focus();
  }

  function open(link, href) {
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
    // The press that closed it was on its own link.
    if (event.detail > 0 && closed.from === link && performance.now() - closed.at < 300) return;
    open(link, link.getAttribute('href'));
  });

  document.addEventListener('keydown', (event) => {
    if (!box?.matches(':popover-open') || !box.contains(event.target)) return;
    const typing = event.target.matches('input, textarea');
    // Lines are gone through within a text.
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
        // The browser types this key into the field that has the focus by then.
        const number = box.querySelector('.typed input[inputmode="decimal"]');
        number?.focus();
        number?.select();
      }
    }
    // Nothing else on the page listens while a menu is open.
    event.stopPropagation();
  });

  // What acts on a row is a sheet on phones, and was chosen from.
  document.addEventListener('submit', ({ submitter }) => submitter?.closest('.acts[popover]')?.hidePopover(), true);

  // One is back where one was before anything is swapped: that is remembered by the focus (live.js).
  document.addEventListener(
    'submit',
    (event) => {
      if (!box?.contains(event.target)) return;
      box.hidePopover();
      from?.focus({ preventScroll: true });
    },
    true,
  );

  // A notice that stands in the way.
  document.addEventListener('click', (event) => {
    const close = event.target.closest?.('a[data-close-notice]');
    if (!close) return;
    event.preventDefault();
    close.closest('.notice').remove();
  });

  window.stint.menu = { open };
})();
