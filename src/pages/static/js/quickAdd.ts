// Shows the interpretation of a typed line, blocks sending with errors, and keeps the line open for the next one.
import { all, around, fetchPage, fieldOf, fieldValue, isField, queryOf, the } from './shared.ts';

const AFTER_MS = 250;
const saidOf = (form: HTMLFormElement) => the('.said', form);
let soon = 0;
let asked: AbortController | null = null;

async function understand(form: HTMLFormElement): Promise<void> {
  asked?.abort();
  asked = new AbortController();
  const line = fieldValue(form, 'line');
  const query = queryOf(form);
  for (const name of ['_csrf', '_once']) query.delete(name);
  try {
    const { answer, page } = await fetchPage(`${form.dataset.quick}?${query}`, { signal: asked.signal });
    const said = page.querySelector('.said');
    if (!answer.ok || !said || fieldValue(form, 'line') !== line) return;
    saidOf(form).replaceChildren(...document.importNode(said, true).childNodes);
  } catch {
    // The server interprets the line again when it is sent.
  }
}

document.addEventListener('input', ({ target }) => {
  if (!isField(target)) return;
  const { form, value } = target;
  if (!form?.dataset.quick) return;
  clearTimeout(soon);
  if (value.trim() === '') saidOf(form).replaceChildren();
  else soon = setTimeout(() => understand(form), AFTER_MS);
});

document.addEventListener(
  'submit',
  (event) => {
    const { target: form } = event;
    if (!(form instanceof HTMLFormElement && form.dataset.quick)) return;
    clearTimeout(soon);
    if (!form.querySelector('[data-fault]')) return;
    event.preventDefault();
    event.stopPropagation();
    fieldOf(form, 'line')?.focus();
  },
  true,
);

// The swap may have removed the form: the first item of an empty list replaces the form of the empty state.
function focusNext(id: string): void {
  const quick = 'form[data-quick]';
  const form =
    document.getElementById(id)?.querySelector<HTMLFormElement>(quick) ?? document.querySelector<HTMLFormElement>(`#work ${quick}`);
  if (!form) return;
  form.reset();
  saidOf(form).replaceChildren();
  fieldOf(form, 'line')?.focus();
}

document.addEventListener('htmx:after:request', ({ detail: { ctx } }) => {
  const form = around(ctx.sourceElement, 'form[data-quick]');
  if (!form || ctx.response.status >= 400) return;
  const id = form.parentElement?.id ?? '';
  // After htmx has set the focus.
  document.addEventListener('htmx:after:swap', () => setTimeout(focusNext, 0, id), { once: true });
});

// The line of My day: a preview of an older text, or of a text that the server has already answered, is left out. The arrow keys reach
// the other readings.
document.addEventListener('htmx:before:swap', (event) => {
  const { ctx, tasks } = event.detail;
  const line = ctx.sourceElement;
  const shown = tasks[0]?.fragment.querySelector<HTMLInputElement>('[name="for"]');
  if (!shown || !isField(line) || line.id !== 'line') return;
  const said = document.getElementById('line-said');
  const isAnswered = said?.querySelector('[role="alert"]') && said.querySelector<HTMLInputElement>('[name="for"]')?.value === shown.value;
  if (isAnswered || shown.value !== line.value.trim()) event.preventDefault();
});
document.addEventListener('keydown', (event) => {
  const { target, key } = event;
  const form = around<HTMLFormElement>(target, '#capture');
  const by = { ArrowDown: 1, ArrowUp: -1 }[key];
  if (!form || !by || !(target instanceof HTMLElement)) return;
  const stops = [fieldOf(form, 'text'), ...all('.which .opt', form)];
  const next = stops[stops.indexOf(target) + by];
  if (!next) return;
  event.preventDefault();
  next.focus();
});
