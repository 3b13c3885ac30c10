// What happens without leaving the page: errors are told and nothing that was typed is lost, and the focus stays where one works.
(() => {
  const region = () => document.getElementById('notice');

  function tell(text) {
    const box = document.createElement('p');
    box.className = 'error';
    box.setAttribute('role', 'alert');
    box.textContent = text;
    region()?.replaceChildren(box);
    box.scrollIntoView({ block: 'nearest' });
  }

  // A button may send its form elsewhere.
  document.addEventListener('htmx:config:request', ({ detail: { ctx } }) => {
    const elsewhere = ctx.request.submitter?.getAttribute?.('formaction');
    if (elsewhere) ctx.request.action = elsewhere;
    remember(ctx);
  });

  // An answer that does not hold what was to be put in its place is another page, or says what went wrong.
  document.addEventListener('htmx:before:swap', (event) => {
    const { ctx, tasks } = event.detail;
    const main = tasks.find(({ type }) => type === 'main');
    if (!ctx.select || !main || main.fragment.childElementCount > 0) return;
    event.preventDefault();
    const { status, url, redirected } = ctx.response.raw;
    if (status < 400) {
      location.href = redirected || ctx.request.method === 'GET' ? url : location.href;
      return;
    }
    const answer = new DOMParser().parseFromString(ctx.text, 'text/html');
    const body = answer.getElementById('body');
    // A form shown again with what was typed and what is wrong, or a conflict with both sides.
    if (body?.querySelector('form[method="post"]')) {
      htmx.swap({ sourceElement: document.body, text: ctx.text, target: '#main', select: '#main', swap: 'outerMorph' });
      document.title = answer.title;
      return;
    }
    tell(body?.querySelector('[role="alert"]')?.textContent.trim() || `That did not work (${status}). Nothing was changed: try again.`);
  });

  document.addEventListener('htmx:error', ({ detail: { ctx, error } }) => {
    if (!ctx) throw error;
    if (ctx.request?.method !== 'GET') tell('No answer: there may be no connection just now. Nothing you typed is lost: send it again.');
    else tell('No answer: there may be no connection just now. Try again.');
  });

  // What worked says so itself; an older complaint goes.
  document.addEventListener('htmx:before:request', () => region()?.querySelector('[role="alert"]')?.remove());

  // Where one works: the row, and the control in it.
  const focused = { row: null, control: null };
  function remember(ctx) {
    const at = document.activeElement;
    const row = at?.closest?.('[data-item]');
    focused.row = row && {
      item: row.dataset.item,
      next: [row.nextElementSibling, row.previousElementSibling].map((one) => one?.dataset.item),
    };
    focused.control = at?.dataset?.key ? `[data-key="${CSS.escape(at.dataset.key)}"]` : null;
    focused.from = ctx.sourceElement;
  }
  const rowOf = (item) => item && document.querySelector(`[data-item="${CSS.escape(item)}"]`);

  document.addEventListener('htmx:after:swap', ({ detail: { ctx } }) => {
    if (document.activeElement && document.activeElement !== document.body) return;
    if (ctx.request?.method === 'GET' && !focused.row) return;
    const row = focused.row && [focused.row.item, ...focused.row.next].map(rowOf).find(Boolean);
    const there = row && ((focused.control && row.querySelector(focused.control)) || row.querySelector('a[href], button') || row);
    const target = there || document.querySelector(ctx.select || '#main');
    if (!target) return;
    if (!there) target.tabIndex = -1;
    target.focus({ preventScroll: Boolean(!there) });
  });
})();
