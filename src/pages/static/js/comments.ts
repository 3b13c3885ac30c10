// Comments: the rich editor in the small form, and drafts that survive a reload.
import { findDraft } from './drafts.ts';
import { enrich, unrich } from './richEditor.ts';
import { around, each } from './shared.ts';

document.addEventListener('focusin', async ({ target }) => {
  const field = around<HTMLTextAreaElement>(target, '.comment-form textarea[data-editor]');
  const form = field?.form;
  if (!field || !form) return;
  const rich = await enrich(field, { small: true, send: () => form.requestSubmit() });
  // An update of the page leaves the form alone (keepTyped.ts).
  if (rich) form.setAttribute('data-editing', '');
});

each<HTMLTextAreaElement>('.comment-form textarea[data-draft]', (field) => {
  const draft = field.value === field.defaultValue && findDraft(field);
  if (draft) field.value = draft.text;
});

document.addEventListener('htmx:after:request', ({ detail: { ctx } }) => {
  const form = around<HTMLFormElement>(ctx.sourceElement, 'form.comment-form');
  const field = form?.querySelector<HTMLTextAreaElement>('[name="body"]');
  if (!form || !field || ctx.response.status >= 400) return;
  unrich(field);
  form.removeAttribute('data-editing');
});
