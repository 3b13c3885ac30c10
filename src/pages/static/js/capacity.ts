// Fetches a project's details when it is first opened. The what-if form sends only changed fields.
import { fetchPage } from './shared.ts';

const fetchInside = async (details) => {
  const inside = details.querySelector('.inside');
  const { answer, page } = await fetchPage(details.dataset.src);
  if (!answer.ok) return;
  const found = page.querySelector('.inside');
  if (found) inside.replaceWith(document.adoptNode(found));
  delete details.dataset.src;
};
document.addEventListener(
  'toggle',
  (event) => {
    const details = event.target;
    if (details.open && details.dataset?.src) fetchInside(details).catch(() => {});
  },
  true,
);
const AFTER_MS = 250;
let soon = 0;
document.addEventListener('input', ({ target }) => {
  if (!target.matches?.('[data-was]')) return;
  target.toggleAttribute('data-changed', target.value !== target.dataset.was);
  clearTimeout(soon);
  // A value that is only half typed, such as the year of a date, is not sent and no error interrupts.
  soon = setTimeout(() => target.form.checkValidity() && target.form.requestSubmit(), AFTER_MS);
});
// "Show" loads another project's tasks with the page. Enter in a field has the same submitter, but only updates the effects.
document.addEventListener(
  'submit',
  (event) => {
    if (event.submitter?.closest('.what-if .sec') && !document.activeElement?.matches('input')) event.stopImmediatePropagation();
  },
  true,
);
document.addEventListener('formdata', (event) => {
  const form = event.target;
  if (!('differing' in form.dataset)) return;
  const changed = new Set();
  for (const field of form.elements) {
    if (!('was' in field.dataset)) continue;
    if (field.value === field.dataset.was) event.formData.delete(field.name);
    else changed.add(field.name.slice(1));
  }
  for (const field of form.elements) {
    if (/^v\d+$/.test(field.name) && !changed.has(field.name.slice(1))) event.formData.delete(field.name);
  }
});
