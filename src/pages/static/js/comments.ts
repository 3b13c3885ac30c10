// Comments: the rich editor in the small form, and drafts that survive a reload.
import { findDraft } from './drafts.ts';
import { enrich, unrich } from './richEditor.ts';
import { each } from './shared.ts';

async function openEditor(field) {
  const { form } = field;
  const rich = await enrich(field, { small: true, send: () => form.requestSubmit() });
  // An update of the page leaves the form alone (keepTyped.ts).
  if (rich) form.setAttribute('data-editing', '');
}

document.addEventListener('focusin', ({ target }) => {
  if (target.matches?.('.comment-form textarea[data-editor]')) openEditor(target);
});

each('.comment-form textarea[data-draft]', (field) => {
  const draft = field.value === field.defaultValue && findDraft(field);
  if (!draft) return;
  field.value = draft.text;
});

document.addEventListener('htmx:after:request', ({ detail: { ctx } }) => {
  const form = ctx.sourceElement.closest?.('form.comment-form');
  if (!form || !(ctx.response.status < 400)) return;
  unrich(form.elements.body);
  form.removeAttribute('data-editing');
});
