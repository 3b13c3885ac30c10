// Closes <details> panels on Escape, on a click outside, and when another one opens.
import { all, around } from './shared.ts';

const openPanels = () => all<HTMLDetailsElement>('details.pop[open], details.me[open]');

function close(panel: HTMLDetailsElement, focus: boolean): void {
  panel.open = false;
  if (focus) panel.querySelector('summary')?.focus();
}

document.addEventListener('click', ({ target }) => {
  // A confirmation opened from the panel is not outside.
  if (around(target, 'dialog')) return;
  for (const panel of openPanels()) if (!(target instanceof Node && panel.contains(target))) close(panel, false);
});
document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape' || document.querySelector('dialog[open]')) return;
  const panel = openPanels().at(-1);
  if (panel) close(panel, panel.contains(document.activeElement));
});
document.addEventListener('htmx:after:request', ({ detail: { ctx } }) => {
  const panel = around<HTMLDetailsElement>(ctx.sourceElement, 'details.pop');
  // Filter menus stay open, so several values can be selected.
  if (panel && !panel.classList.contains('stays') && ctx.response.status < 400) close(panel, panel.contains(document.activeElement));
});
