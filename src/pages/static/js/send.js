// Forms that stay on the page: Ctrl+Enter sends what one writes, and what was sent does not stay in its box.
(() => {
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.isComposing) return;
    const field = event.target.closest?.('textarea[data-send]');
    if (!field) return;
    event.preventDefault();
    field.form.requestSubmit();
  });

  // Morphing leaves alone what was typed; a refused form keeps it.
  document.addEventListener('htmx:after:request', ({ detail: { ctx } }) => {
    const form = ctx.sourceElement.closest?.('form[data-clear]');
    if (!form || ctx.response.status >= 400) return;
    form.reset();
    const panel = form.closest('details.fold, details.ask');
    if (panel) panel.open = false;
  });
})();
