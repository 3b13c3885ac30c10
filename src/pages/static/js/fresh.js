// A page from before signing out must not come back out of the browser's memory.
window.addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload();
});
