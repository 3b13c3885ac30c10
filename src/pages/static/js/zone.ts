stint.each('select[data-own-zone]:not([data-chosen])', (select) => {
  select.dataset.chosen = '';
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if ([...select.options].some((option) => option.value === own)) select.value = own;
});

// Sets the browser's zone once, for users who never chose one.
(() => {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const find = document.querySelector('.find');
  const csrf = document.querySelector('input[name="_csrf"]');
  if (document.documentElement.dataset.zone !== 'UTC' || !own || own === 'UTC' || !find || !csrf) return;
  const address = find.getAttribute('action').replace(/search$/, 'profile/zone');
  fetch(address, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ _csrf: csrf.value, timezone: own }) }).catch(() => {});
})();
