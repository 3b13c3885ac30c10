import { each } from './shared.ts';

const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
each<HTMLSelectElement>('select[data-own-zone]:not([data-chosen])', (select) => {
  select.dataset.chosen = '';
  if ([...select.options].some((option) => option.value === own)) select.value = own;
});

// Sets the browser's zone once, for users who never chose one.
const find = document.querySelector('.find');
const csrf = document.querySelector<HTMLInputElement>('input[name="_csrf"]');
if (document.documentElement.dataset.zone === 'UTC' && own && own !== 'UTC' && find && csrf) {
  const address = find.getAttribute('action')?.replace(/search$/, 'profile/zone') ?? '';
  fetch(address, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ _csrf: csrf.value, timezone: own }) }).catch(() => {});
}
