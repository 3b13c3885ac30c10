// Closes <details> panels on Escape, on a click outside, and when another one opens.
const open = () => document.querySelectorAll('details.pop[open], details.me[open]');
const close = (panel, focus) => {
  panel.open = false;
  if (focus) panel.querySelector('summary')?.focus();
};

document.addEventListener('click', ({ target }) => {
  // A confirmation opened from the panel is not outside.
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
  // Filter menus stay open, so several values can be selected.
  if (panel && !panel.classList.contains('stays') && ctx.response.status < 400) close(panel, panel.contains(document.activeElement));
});
