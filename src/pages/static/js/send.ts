document.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.isComposing) return;
  const field = event.target.closest?.('textarea[data-send]');
  if (!field) return;
  event.preventDefault();
  field.form.requestSubmit();
});

// Morphing keeps typed text. A refused form must keep it, a successful one is reset.
document.addEventListener('htmx:after:request', ({ detail: { ctx } }) => {
  const form = ctx.sourceElement.closest?.('form[data-clear]');
  // A field of the form may fetch its own preview.
  if (!form || ctx.request.method === 'GET' || ctx.response.status >= 400) return;
  form.reset();
  const panel = form.closest('details.fold, details.ask');
  if (panel) panel.open = false;
});
