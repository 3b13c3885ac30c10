// stint.each(selector, improve): improves what matches, now and whenever something is swapped in. `improve` may see an element again.
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
