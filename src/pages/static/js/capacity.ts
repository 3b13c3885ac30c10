// Fetches a project's details when it is first opened. The what-if form sends only changed fields.
import { fetchPage, isField, the } from './shared.ts';

const fetchInside = async (details: HTMLDetailsElement, src: string) => {
  const inside = the('.inside', details);
  const { answer, page } = await fetchPage(src);
  if (!answer.ok) return;
  const found = page.querySelector('.inside');
  if (found) inside.replaceWith(document.adoptNode(found));
  delete details.dataset.src;
};
document.addEventListener(
  'toggle',
  ({ target }) => {
    if (target instanceof HTMLDetailsElement && target.open && target.dataset.src) fetchInside(target, target.dataset.src).catch(() => {});
  },
  true,
);
const AFTER_MS = 250;
let soon = 0;
document.addEventListener('input', ({ target }) => {
  if (!isField(target) || !('was' in target.dataset)) return;
  target.toggleAttribute('data-changed', target.value !== target.dataset.was);
  clearTimeout(soon);
  // A value that is only half typed, such as the year of a date, is not sent and no error interrupts.
  soon = setTimeout(() => target.form?.checkValidity() && target.form.requestSubmit(), AFTER_MS);
});
// "Show" loads another project's tasks with the page. Enter in a field has the same submitter, but only updates the effects.
document.addEventListener(
  'submit',
  (event) => {
    if (event.submitter?.closest('.what-if .sec') && !document.activeElement?.matches('input')) event.stopImmediatePropagation();
  },
  true,
);
document.addEventListener('formdata', ({ target, formData }) => {
  if (!(target instanceof HTMLFormElement && 'differing' in target.dataset)) return;
  const changed = new Set();
  const fields = [...target.elements].filter(isField);
  for (const field of fields) {
    if (!('was' in field.dataset)) continue;
    if (field.value === field.dataset.was) formData.delete(field.name);
    else changed.add(field.name.slice(1));
  }
  for (const field of fields) {
    if (/^v\d+$/.test(field.name) && !changed.has(field.name.slice(1))) formData.delete(field.name);
  }
});
