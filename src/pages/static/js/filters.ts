// Submits filters on change, and the search while typing.
import { around, fetchPage, isField, queryOf, the } from './shared.ts';

const AFTER_MS = 300;
let soon = 0;
const send = (form: HTMLFormElement) => {
  clearTimeout(soon);
  form.requestSubmit();
};
// One or two letters match too much.
const enough = (text: string) => text === '' || text.length > 2 || /^#?\d+$/.test(text);

document.addEventListener('change', ({ target }) => {
  if (!isField(target)) return;
  const { form, type } = target;
  if (form?.matches('[data-filters]') && type !== 'search') send(form);
  if (form?.matches('[data-apply]')) form.requestSubmit();
});
document.addEventListener('input', ({ target }) => {
  if (!isField(target) || target.type !== 'search') return;
  const { form } = target;
  if (!form?.matches('[data-filters]')) return;
  clearTimeout(soon);
  if (enough(target.value.trim())) soon = setTimeout(() => send(form), AFTER_MS);
});

// The sheet of a phone: its button says how many items the chosen filters leave.
let asking: AbortController | null = null;
async function count(form: HTMLFormElement): Promise<void> {
  asking?.abort();
  asking = new AbortController();
  const { answer, page } = await fetchPage(`${form.dataset.sheet}?${queryOf(form)}&opened=`, { signal: asking.signal });
  const found = page.querySelector('[data-result]');
  if (!answer.ok || !found) return;
  the('[data-result]', form).textContent = found.textContent;
  const query = form.parentElement?.querySelector<HTMLInputElement>('.keep [name="query"]');
  if (query) query.value = the<HTMLInputElement>('.keep [name="query"]', page).value;
}
document.addEventListener('input', ({ target }) => {
  const form = isField(target) ? target.form : null;
  if (!form?.matches('[data-sheet]')) return;
  clearTimeout(soon);
  // Offline, or replaced by a newer question: the button keeps its text.
  soon = setTimeout(() => count(form).catch(() => {}), AFTER_MS);
});
document.addEventListener('click', ({ target }) => {
  if (around(target, '[data-seek]')) document.querySelector<HTMLElement>('.chip.seek input')?.focus();
});
