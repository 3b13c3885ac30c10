// After signing out, the browser must not show a page from its back/forward cache.
window.addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload();
});
// Back to the answer of a POST would ask to send the form again. A GET URL avoids that.
if (document.documentElement.hasAttribute('data-posted')) history.replaceState(history.state, '', location.href);

// Texts that are not saved yet leave the browser when the user signs out.
document.addEventListener('submit', ({ target }) => {
  if (!(target instanceof Element && target.getAttribute('action')?.endsWith('/sign-out'))) return;
  for (const [storage, kept] of [
    [localStorage, ['stint-draft/', 'stint-note/']],
    [sessionStorage, ['stint-new:']],
  ] as const)
    for (const name of Object.keys(storage)) if (kept.some((prefix) => name.startsWith(prefix))) storage.removeItem(name);
});
