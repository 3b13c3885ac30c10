(() => {
  const namesFor = (field) =>
    [...(document.getElementById(field.dataset.mentions)?.querySelectorAll('code') ?? [])].map((code) => code.textContent.slice(1));
  const begun = (field) => /(?:^|[^\p{L}\p{N}_])@([^\n@]{0,60})$/u.exec(field.value.slice(0, field.selectionStart))?.[1];

  function offerOf(field) {
    if (field.nextElementSibling?.matches('[data-offer]')) return field.nextElementSibling;
    const offer = document.createElement('div');
    offer.className = 'actions';
    offer.dataset.offer = '';
    offer.setAttribute('role', 'group');
    offer.setAttribute('aria-label', 'People to mention');
    offer.setAttribute('aria-live', 'polite');
    field.after(offer);
    return offer;
  }

  function choose(field, offer, name) {
    const at = field.selectionStart;
    field.setRangeText(`${name} `, at - begun(field).length, at, 'end');
    offer.replaceChildren();
    field.focus();
  }

  const choice = (field, offer, name) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'secondary outline';
    button.textContent = name;
    button.addEventListener('click', () => choose(field, offer, name));
    return button;
  };

  document.addEventListener('input', ({ target }) => {
    if (!target.matches?.('textarea[data-mentions]')) return;
    const typed = begun(target)?.toLowerCase();
    const found = typed === undefined ? [] : namesFor(target).filter((name) => name.toLowerCase().startsWith(typed));
    const offer = offerOf(target);
    offer.replaceChildren(...found.slice(0, 6).map((name) => choice(target, offer, name)));
  });
  document.addEventListener('keydown', (event) => {
    const offer = event.key === 'Escape' && event.target.closest?.('[data-offer]');
    if (!offer) return;
    offer.previousElementSibling.focus();
    offer.replaceChildren();
  });
})();
