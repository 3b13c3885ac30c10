// A form that asks for a time zone begins with the browser's own.
stint.each('select[data-own-zone]:not([data-chosen])', (select) => {
  select.dataset.chosen = '';
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if ([...select.options].some((option) => option.value === own)) select.value = own;
});

// Whoever never chose a zone gets their browser's, once.
(() => {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const find = document.querySelector('.find');
  const csrf = document.querySelector('input[name="_csrf"]');
  if (document.documentElement.dataset.zone !== 'UTC' || !own || own === 'UTC' || !find || !csrf) return;
  const address = find.getAttribute('action').replace(/search$/, 'profile/zone');
  fetch(address, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ _csrf: csrf.value, timezone: own }) }).catch(() => {});
})();
