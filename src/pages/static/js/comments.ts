// Comments: the rich editor in the small form, and drafts that survive a reload.
(() => {
  async function enrich(field) {
    const { form } = field;
    const rich = await stint.rich(field, { small: true, send: () => form.requestSubmit() });
    // An update of the page leaves the form alone (keepTyped.ts).
    if (rich) form.setAttribute('data-editing', '');
  }

  document.addEventListener('focusin', ({ target }) => {
    if (target.matches?.('.comment-form textarea[data-editor]')) enrich(target);
  });

  stint.each('.comment-form textarea[data-draft]', (field) => {
    const draft = field.value === field.defaultValue && stint.drafts.find(field);
    if (!draft) return;
    field.value = draft.text;
  });

  document.addEventListener('htmx:after:request', ({ detail: { ctx } }) => {
    const form = ctx.sourceElement.closest?.('form.comment-form');
    if (!form || !(ctx.response.status < 400)) return;
    stint.plain(form.elements.body);
    form.removeAttribute('data-editing');
  });
})();
