// Submits filters on change, and the search while typing.
import { fetchPage } from './shared.ts';

const AFTER_MS = 300;
let soon = 0;
const send = (form) => {
  clearTimeout(soon);
  form.requestSubmit();
};
// One or two letters match too much.
const enough = (text) => text === '' || text.length > 2 || /^#?\d+$/.test(text);

document.addEventListener('change', ({ target }) => {
  const form = target.form;
  if (form?.matches('[data-filters]') && target.type !== 'search') send(form);
  if (form?.matches('[data-apply]')) form.requestSubmit();
});
document.addEventListener('input', ({ target }) => {
  const form = target.form;
  if (!form?.matches('[data-filters]') || target.type !== 'search') return;
  clearTimeout(soon);
  if (enough(target.value.trim())) soon = setTimeout(() => send(form), AFTER_MS);
});

// The sheet of a phone: its button says how many items the chosen filters leave.
let asking = null;
async function count(form) {
  asking?.abort();
  asking = new AbortController();
  const fields = new URLSearchParams(new FormData(form) as never);
  const { answer, page } = await fetchPage(`${form.dataset.sheet}?${fields}&opened=`, { signal: asking.signal });
  const found = page.querySelector('[data-result]');
  if (!answer.ok || !found) return;
  form.querySelector('[data-result]').textContent = found.textContent;
  const query = form.parentElement.querySelector('.keep [name="query"]');
  if (query) query.value = page.querySelector('.keep [name="query"]').value;
}
document.addEventListener('input', ({ target }) => {
  const form = target.form;
  if (!form?.matches('[data-sheet]')) return;
  clearTimeout(soon);
  // Offline, or replaced by a newer question: the button keeps its text.
  soon = setTimeout(() => count(form).catch(() => {}), AFTER_MS);
});
document.addEventListener('click', ({ target }) => {
  if (target.closest?.('[data-seek]')) document.querySelector('.chip.seek input')?.focus();
});
