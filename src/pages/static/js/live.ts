// Swaps without leaving the page. Errors are shown, input is kept, and the focus stays.
// If the target is missing on this page, send the form without htmx.
import { around } from './shared.ts';
import { showFault } from './toast.ts';

document.addEventListener(
  'submit',
  (event) => {
    const { target } = event;
    const part = target instanceof Element && target.matches('[hx-get], [hx-post]') && (target.getAttribute('hx-target') ?? '#work');
    if (part && !document.querySelector(part)) event.stopImmediatePropagation();
  },
  true,
);

// The URL comes from the link or form, or from the button's formaction.
document.addEventListener('htmx:config:request', ({ detail: { ctx } }) => {
  const { sourceElement: from, request } = ctx;
  const elsewhere = request.submitter?.getAttribute('formaction');
  request.action = elsewhere || request.action || from.getAttribute('href') || from.getAttribute('action') || '';
  remember();
});

const problemIn = (part: Element | null | undefined) => part?.querySelector('[role="alert"]')?.textContent.trim();

// Handles an answer that does not contain the expected part.
function goOn({ request, text = '' }: HtmxContext, { status, url, redirected }: Response): void {
  if (status < 400) {
    location.href = redirected || request?.method === 'GET' ? url : location.href;
    return;
  }
  const answer = new DOMParser().parseFromString(text, 'text/html');
  const body = answer.getElementById('body');
  if (body?.querySelector('form[method="post"]')) {
    htmx.swap({ sourceElement: document.body, text, target: '#main', select: '#main', swap: 'outerMorph' });
    document.title = answer.title;
  } else showFault(problemIn(body) || `The request failed (${status}). Nothing was changed. Try again.`);
}

document.addEventListener('htmx:before:swap', (event) => {
  const { ctx, tasks } = event.detail;
  const main = tasks.find(({ type }) => type === 'main');
  // Swaps made by goOn also come here, without a response.
  if (!ctx.select || !main || !ctx.response) return;
  const failed = ctx.response.raw.status >= 400;
  if (failed && ctx.select === '#timer' && main.fragment.childElementCount > 0) {
    // The form is not in the timer bar: update the bar and show the error as a toast.
    tasks.splice(0, tasks.length, main);
    showFault(
      problemIn(new DOMParser().parseFromString(ctx.text ?? '', 'text/html').getElementById('body')) ||
        'The timer was not changed. Check it, then try again.',
    );
  } else if (main.fragment.childElementCount === 0 || (failed && !main.fragment.querySelector('[role="alert"], [aria-invalid="true"]'))) {
    event.preventDefault();
    goOn(ctx, ctx.response.raw);
  }
});

document.addEventListener('htmx:error', ({ detail: { ctx, error } }) => {
  if (!ctx) throw error;
  if (ctx.request?.method !== 'GET') showFault('No connection to the server. Your input is kept. Send it again.');
  else showFault('No connection to the server. Try again.');
});

document.addEventListener('htmx:before:request', () => document.querySelector('#notice [role="alert"]')?.remove());

// A swap must not reuse the element of one item for another: focus and ticks would move with it.
type Morphed = Node & { dataset?: DOMStringMap };
document.addEventListener('DOMContentLoaded', () => {
  if (!('htmx' in window)) return;
  htmx.registerExtension('same-item', {
    init(api: { isSoftMatch(before: Morphed, after: Morphed): boolean }) {
      const isSoftMatch = api.isSoftMatch;
      api.isSoftMatch = (before, after) => before.dataset?.item === after.dataset?.item && isSoftMatch(before, after);
    },
  });
});

// Swaps leave forms with an open editor alone, except the sent form.
const editing = () => [...document.querySelectorAll('form[data-editing]')];
document.addEventListener('htmx:before:swap', ({ detail: { ctx } }) => {
  const sent = around(ctx.sourceElement, 'form');
  for (const form of editing()) if (form !== sent) form.setAttribute('hx-morph-skip', '');
});
document.addEventListener('htmx:after:swap', () => {
  for (const form of editing()) form.removeAttribute('hx-morph-skip');
});

/** The item that had the focus, the items next to it, and its focused control. */
const focused: { items: (string | null | undefined)[]; control: string | null } = { items: [], control: null };
function remember() {
  const at = document.activeElement;
  const row = around(at, '[data-item]');
  focused.items = row ? [row, row.nextElementSibling, row.previousElementSibling].map((one) => one?.getAttribute('data-item')) : [];
  const key = at?.getAttribute('data-key');
  focused.control = key ? `[data-key="${CSS.escape(key)}"]` : null;
}
const rowOf = (item: string | null | undefined) => (item ? document.querySelector<HTMLElement>(`[data-item="${CSS.escape(item)}"]`) : null);

document.addEventListener('htmx:after:swap', ({ detail: { ctx } }) => {
  // Updates by follow.js do not move the focus.
  if (ctx.following) return;
  if (document.activeElement && document.activeElement !== document.body) return;
  if (ctx.request?.method === 'GET' && focused.items.length === 0) return;
  const row = focused.items.map(rowOf).find((one) => one !== null);
  const there =
    row &&
    ((focused.control && row.querySelector<HTMLElement>(focused.control)) ||
      row.querySelector<HTMLElement>('.t a') ||
      row.querySelector<HTMLElement>('a[href], button') ||
      row);
  const target = there || document.querySelector<HTMLElement>(ctx.select || '#main');
  if (!target) return;
  if (!there) target.tabIndex = -1;
  target.focus({ preventScroll: !there });
  // The focused element may be hidden now, e.g. in the bar of a stopped timer.
  const main = document.getElementById('main');
  if (document.activeElement !== document.body || !main) return;
  main.tabIndex = -1;
  main.focus({ preventScroll: true });
});
