// Panels on a <details> close when one is done with them: on Escape, on a click beside them, and once another one opens.
(() => {
  const open = () => document.querySelectorAll('details.pop[open], details.me[open]');
  const close = (panel, focus) => {
    panel.open = false;
    if (focus) panel.querySelector('summary')?.focus();
  };

  document.addEventListener('click', ({ target }) => {
    // A question asked from within a panel is no place beside it.
    if (target.closest?.('dialog')) return;
    for (const panel of open()) if (!panel.contains(target)) close(panel, false);
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || document.querySelector('dialog[open]')) return;
    const panel = [...open()].at(-1);
    if (panel) close(panel, panel.contains(document.activeElement));
  });
  document.addEventListener('htmx:after:request', ({ detail: { ctx } }) => {
    const panel = ctx.sourceElement.closest?.('details.pop');
    // In some several values are ticked, one after the other.
    if (panel && !panel.classList.contains('stays') && ctx.response.status < 400) close(panel, panel.contains(document.activeElement));
  });
})();
