// Ctrl+Enter sends a form. A form that was sent and stays on the page is cleared.
import { around } from './shared.ts';

document.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.isComposing) return;
  const field = around<HTMLTextAreaElement>(event.target, 'textarea[data-send]');
  if (!field) return;
  event.preventDefault();
  field.form?.requestSubmit();
});

// Morphing keeps typed text. A refused form must keep it, a successful one is reset.
document.addEventListener('htmx:after:request', ({ detail: { ctx } }) => {
  const form = around<HTMLFormElement>(ctx.sourceElement, 'form[data-clear]');
  // A field of the form may fetch its own preview.
  if (!form || ctx.request?.method === 'GET' || ctx.response.status >= 400) return;
  form.reset();
  const panel = form.closest<HTMLDetailsElement>('details.fold, details.ask');
  if (panel) panel.open = false;
});
