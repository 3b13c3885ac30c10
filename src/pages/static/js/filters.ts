// Submits filters on change, and the search while typing.
(() => {
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
})();
