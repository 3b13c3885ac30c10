// Shows the interpretation of a typed line, blocks sending with errors, and keeps the line open for the next one.
import { fetchPage } from './shared.ts';

const AFTER_MS = 250;
const lineOf = (form) => form.elements.namedItem('line');
const saidOf = (form) => form.querySelector('.said');
let soon = 0;
let asked = null;

async function understand(form) {
  asked?.abort();
  asked = new AbortController();
  const line = lineOf(form).value;
  const query = new URLSearchParams(new FormData(form) as never);
  for (const name of ['_csrf', '_once']) query.delete(name);
  try {
    const { answer, page } = await fetchPage(`${form.dataset.quick}?${query}`, { signal: asked.signal });
    const said = page.querySelector('.said');
    if (!answer.ok || !said || lineOf(form).value !== line) return;
    saidOf(form).replaceChildren(...document.importNode(said, true).childNodes);
  } catch {
    // The server interprets the line again when it is sent.
  }
}

document.addEventListener('input', ({ target }) => {
  const form = target.form;
  if (!form?.dataset.quick) return;
  clearTimeout(soon);
  if (target.value.trim() === '') saidOf(form).replaceChildren();
  else soon = setTimeout(() => understand(form), AFTER_MS);
});

document.addEventListener(
  'submit',
  (event) => {
    const form = event.target;
    if (!form.dataset.quick) return;
    clearTimeout(soon);
    if (!form.querySelector('[data-fault]')) return;
    event.preventDefault();
    event.stopPropagation();
    lineOf(form).focus();
  },
  true,
);

// The swap may have removed the form: the first item of an empty list replaces the form of the empty state.
function focusNext(id) {
  const form = document.getElementById(id)?.querySelector('form[data-quick]') ?? document.querySelector('#work form[data-quick]');
  if (!form) return;
  form.reset();
  saidOf(form).replaceChildren();
  lineOf(form).focus();
}

document.addEventListener('htmx:after:request', ({ detail: { ctx } }) => {
  const form = ctx.sourceElement?.closest?.('form[data-quick]');
  if (!form || ctx.response.status >= 400) return;
  const id = form.parentElement?.id ?? '';
  // After htmx has set the focus.
  document.addEventListener('htmx:after:swap', () => setTimeout(focusNext, 0, id), { once: true });
});

// The line of My day: a preview of an older text, or of a text that the server has already answered, is left out. The arrow keys reach
// the other readings.
document.addEventListener('htmx:before:swap', (event) => {
  const { ctx, tasks } = event.detail;
  const shown = ctx.sourceElement?.id === 'line' && tasks[0]?.fragment.querySelector('[name="for"]');
  if (!shown) return;
  const said = document.getElementById('line-said');
  const isAnswered =
    said?.querySelector('[role="alert"]') && (said.querySelector('[name="for"]') as HTMLInputElement).value === shown.value;
  if (isAnswered || shown.value !== ctx.sourceElement.value.trim()) event.preventDefault();
});
document.addEventListener('keydown', (event) => {
  const form = event.target.closest?.('#capture');
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!form || !by) return;
  const all = [form.elements.namedItem('text'), ...form.querySelectorAll('.which .opt')];
  const next = all[all.indexOf(event.target) + by];
  if (!next) return;
  event.preventDefault();
  next.focus();
});
