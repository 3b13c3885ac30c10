// Filters count as soon as they are ticked, and a search as one types. Each is the form's own submission, which htmx carries out.
(() => {
  const AFTER_MS = 300;
  let soon = 0;
  const send = (form) => {
    clearTimeout(soon);
    form.requestSubmit();
  };
  // One or two letters find nearly everything.
  const enough = (text) => text === '' || text.length > 2 || /^#?\d+$/.test(text);

  document.addEventListener('change', ({ target }) => {
    const form = target.form;
    if (form?.matches('[data-filters]') && target.type !== 'search') send(form);
  });
  document.addEventListener('input', ({ target }) => {
    const form = target.form;
    if (!form?.matches('[data-filters]') || target.type !== 'search') return;
    clearTimeout(soon);
    if (enough(target.value.trim())) soon = setTimeout(() => send(form), AFTER_MS);
  });
})();
