// After signing out, the browser must not show a page from its back/forward cache.
window.addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload();
});
// Back to the answer of a POST would ask to send the form again. A GET URL avoids that.
if (document.documentElement.hasAttribute('data-posted')) history.replaceState(history.state, '', location.href);
