// A page from before signing out must not come back out of the browser's memory.
window.addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload();
});
// Going back to the answer to a form, such as a key that is shown once, would ask whether to send it again: it has an address that leads on.
if (document.documentElement.hasAttribute('data-posted')) history.replaceState(history.state, '', location.href);
