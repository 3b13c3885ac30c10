// Selects of the dialog for a new item open a list with a search field. It is a combobox: the focus stays in the field.
(() => {
  const chip = (at) => at.closest?.('.compose :is(.cells, .where) select');
  let box = null;
  let from = null;
  let field = null;
  let list = null;

  function make(tag, attributes, ...inside) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value as string);
    made.append(...inside);
    return made;
  }

  const nameOf = (select) => select.labels[0].querySelector('.l, .vh')?.textContent ?? '';
  const rows = () => [...list.children];
  const active = () => list.querySelector('.is-active');

  function mark(row) {
    for (const one of rows()) {
      one.classList.toggle('is-active', one === row);
      one.setAttribute('aria-selected', String(one === row));
    }
    if (row) field.setAttribute('aria-activedescendant', row.id);
    else field.removeAttribute('aria-activedescendant');
    row?.scrollIntoView({ block: 'nearest' });
  }

  function show() {
    const words = field.value.toLocaleLowerCase().split(/\s+/).filter(Boolean);
    const found = [...from.options].filter(({ text }) => words.every((word) => text.toLocaleLowerCase().includes(word)));
    const made = found.map(({ text, value, selected }, at) => {
      const row = make('div', { class: 'opt', role: 'option', id: `pick-${at}`, 'data-value': value }, text || 'None');
      if (from.multiple) row.setAttribute('aria-checked', String(selected));
      if (from.multiple && selected) row.append(stint.icon('check'));
      return row;
    });
    list.replaceChildren(...made);
    mark(made.find((row) => words.length === 0 && row.dataset.value === from.value) ?? made[0]);
  }

  function place() {
    if (matchMedia('(max-width: 959px)').matches) return;
    const at = from.closest('label').getBoundingClientRect();
    const height = box.offsetHeight;
    const above = at.bottom + 4 + height > innerHeight - 8 && at.top > height;
    box.style.top = `${above ? at.top - height - 4 : at.bottom + 4}px`;
    box.style.left = `${Math.max(8, Math.min(at.left, innerWidth - box.offsetWidth - 8))}px`;
  }

  function open(select, text = '') {
    if (box?.isConnected) box.remove();
    from = select;
    const label = nameOf(select);
    field = make('input', {
      ...{ type: 'text', role: 'combobox', 'aria-expanded': 'true', 'aria-controls': 'pick-list', 'aria-autocomplete': 'list' },
      ...{ 'aria-label': `Search: ${label}`, placeholder: label, autocomplete: 'off', spellcheck: 'false' },
    });
    list = make('div', { role: 'listbox', id: 'pick-list', 'aria-label': label });
    box = make('div', { class: 'pick-box', popover: 'auto', role: 'dialog', 'aria-label': label }, field, list);
    box.addEventListener('input', (event) => {
      event.stopPropagation();
      show();
    });
    box.addEventListener('keydown', pressed);
    box.addEventListener('click', ({ target }) => target.closest('.opt') && choose(target.closest('.opt')));
    box.addEventListener('toggle', ({ newState, target }) => newState === 'closed' && target.remove());
    select.closest('dialog').append(box);
    field.value = text;
    show();
    box.showPopover();
    place();
    field.focus();
  }

  function choose(row) {
    const { value } = row.dataset;
    const select = from;
    if (select.multiple) return toggle(value);
    box.hidePopover();
    select.focus();
    if (select.value === value) return;
    select.value = value;
    select.dispatchEvent(new Event('input', { bubbles: true }));
  }

  /** The list stays open for more. */
  function toggle(value) {
    const one = [...from.options].find((option) => option.value === value);
    one.selected = !one.selected;
    delete one.dataset.said;
    from.dispatchEvent(new Event('input', { bubbles: true }));
    field.select();
    show();
    mark(rows().find((row) => row.dataset.value === value) ?? null);
  }

  function pressed(event) {
    const all = rows();
    const to = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.isComposing) return;
    event.stopPropagation();
    if (to && all.length > 0) {
      event.preventDefault();
      mark(all[(all.indexOf(active()) + to + all.length) % all.length]);
    } else if ((event.key === 'Enter' || event.key === 'Tab') && active()) {
      event.preventDefault();
      choose(active());
    } else if (event.key === 'Escape') {
      event.preventDefault();
      box.hidePopover();
      from.focus();
    }
  }

  document.addEventListener('mousedown', (event) => {
    if (event.button === 0 && chip(event.target)) event.preventDefault();
  });
  // Not before the pointer is up, which would close the list.
  document.addEventListener('click', ({ target }) => {
    const select = chip(target);
    if (select) open(select);
  });
  // Before the dialog's own keys: Enter there sends the form.
  document.addEventListener(
    'keydown',
    (event) => {
      const select = chip(event.target);
      if (!select || event.ctrlKey || event.metaKey || event.isComposing) return;
      const letter = event.key.length === 1 && event.key !== ' ' ? event.key : '';
      if (!letter && ![' ', 'ArrowDown', 'ArrowUp'].includes(event.key)) return;
      event.preventDefault();
      event.stopPropagation();
      open(select, letter);
    },
    true,
  );
})();
