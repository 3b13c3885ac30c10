// stint.each(selector, improve): calls `improve` on every match, now and after each swap. It may get the same element again.
window.stint = (() => {
  const wanted = [];
  const look = () => {
    for (const [selector, improve] of wanted) for (const found of document.querySelectorAll(selector)) improve(found);
  };
  document.addEventListener('htmx:after:swap', look);
  return {
    each(selector, improve) {
      wanted.push([selector, improve]);
      for (const found of document.querySelectorAll(selector)) improve(found);
    },
  };
})();
