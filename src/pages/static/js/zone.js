// A form that asks for a time zone begins with the browser's own.
stint.each('select[data-own-zone]:not([data-chosen])', (select) => {
  select.dataset.chosen = '';
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if ([...select.options].some((option) => option.value === own)) select.value = own;
});
