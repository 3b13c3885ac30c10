// Opens selects with many choices as a list with a search field, and completes fields that name an item. Both are comboboxes: the focus
// stays in the field.
(() => {
  const { make } = stint;
  const MOST_SHOWN = 100;
  const ASK_AFTER_MS = 150;
  const picked = (at) => at.closest?.('select[data-pick], .compose :is(.cells, .where) select');
  let box = null;
  /** The select, or the field that names an item. */
  let from = null;
  let field = null;
  let list = null;
  let notes = {};
  let soon = 0;
  let asking = null;

  const nameOf = (control) =>
    control.getAttribute('aria-label') ??
    control.labels[0].querySelector('.l, .vh')?.textContent ??
    [...control.labels[0].childNodes].find((node) => node.nodeType === 3 && node.data.trim()).data.trim();
  const rows = () => [...list.querySelectorAll('.opt')];
  const active = () => list?.querySelector('.is-active');
  const isOpen = () => box?.isConnected && box.matches(':popover-open');
  const wordsOf = (text) => text.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const hasAll = (words, text) => words.every((word) => text.toLocaleLowerCase().includes(word));

  async function fetchJson(href, signal = null) {
    const answer = await fetch(href, { signal, headers: { Accept: 'application/json' } });
    if (!answer.ok) throw new Error(String(answer.status));
    return answer.json();
  }

  function mark(row) {
    stint.activate(field, rows(), row);
    row?.scrollIntoView({ block: 'nearest' });
  }

  /** The label with the typed words marked. */
  function marked(label, words) {
    const lower = label.toLocaleLowerCase();
    const hits = words.map((word) => [lower.indexOf(word), word.length]).filter(([at]) => at >= 0);
    const parts = make('span', { class: 'cut', dir: 'auto' });
    let done = 0;
    for (const [at, length] of hits.sort(([a], [b]) => a - b)) {
      if (at < done) continue;
      parts.append(label.slice(done, at), make('mark', {}, label.slice(at, at + length)));
      done = at + length;
    }
    parts.append(label.slice(done));
    return parts;
  }

  function sign(av) {
    const [shape, initials] = av.split(' ');
    return make('span', { class: `av ${shape}`, 'aria-hidden': 'true' }, initials ?? stint.icon('bot'));
  }

  function rowOf({ value, label, note = '', av = '', selected }, at, words) {
    const row = make('div', { class: 'opt', role: 'option', id: `pick-${at}`, 'data-value': value });
    if (from.multiple) row.setAttribute('aria-checked', String(selected));
    const told = notes[value];
    const shown = told?.service ? 'bot' : av;
    if (shown) row.append(sign(shown));
    row.append(marked(label, words));
    if (told?.note || note) row.append(make('span', { class: 'up' }, told?.note || note));
    if (selected) row.append(stint.icon('check'));
    return row;
  }

  function fill(found, words, current) {
    const made = found.slice(0, MOST_SHOWN).map((one, at) => rowOf(one, at, words));
    list.replaceChildren(...made);
    const hint =
      found.length === 0 ? 'No matches.' : found.length > MOST_SHOWN ? `${MOST_SHOWN} of ${found.length} shown. Type to find others.` : '';
    box.querySelector('[role=status]').textContent = hint;
    mark(made.find((row) => words.length === 0 && row.dataset.value === current) ?? made[0]);
  }

  function show(current = from.value) {
    const words = wordsOf(field.value);
    const all = [...from.options].map(({ text, value, selected, dataset }) => ({
      ...{ value, label: text || 'None', note: dataset.note, av: dataset.av, selected: selected && value !== '' },
    }));
    const fits = ({ label, note = '' }) => hasAll(words, `${label} ${note}`);
    fill(all.filter(fits), words, current);
  }

  /** Items whose text has the words, from the server. */
  async function find() {
    asking?.abort();
    asking = new AbortController();
    const to = new URL(field.dataset.find, location.href);
    to.searchParams.set('q', field.value);
    const wanted = field;
    try {
      const found = await fetchJson(to, asking.signal);
      if (document.activeElement !== wanted) return;
      if (!isOpen()) unfold(wanted);
      fill(found, wordsOf(wanted.value.replace(/^#/, '')), '');
      place();
    } catch (error) {
      // The field still takes a number or a title.
      if (error.name !== 'AbortError' && isOpen()) box.hidePopover();
    }
  }

  async function loadNotes(select) {
    notes = {};
    if (!select.dataset.notes) return;
    try {
      const found = await fetchJson(select.dataset.notes);
      if (from !== select || !isOpen()) return;
      notes = found;
      show(active()?.dataset.value);
    } catch {
      // The names suffice.
    }
  }

  function place() {
    if (matchMedia('(max-width: 959px)').matches) return;
    const at = (from.closest('.compose label') ?? from).getBoundingClientRect();
    const height = box.offsetHeight;
    const above = at.bottom + 4 + height > innerHeight - 8 && at.top > height;
    box.style.top = `${above ? at.top - height - 4 : at.bottom + 4}px`;
    box.style.left = `${Math.max(8, Math.min(at.left, innerWidth - box.offsetWidth - 8))}px`;
  }

  function build(kind, label, ...above) {
    if (box?.isConnected) box.remove();
    list = make('div', { role: 'listbox', id: 'pick-list', 'aria-label': label });
    box = make('div', { class: 'pick-box', popover: kind }, ...above, list, make('p', { class: 'hint', role: 'status' }));
    box.addEventListener('click', ({ target }) => target.closest('.opt') && choose(target.closest('.opt')));
    box.addEventListener('mousedown', (event) => event.target !== field && event.preventDefault());
    (from.closest('dialog') ?? document.body).append(box);
  }

  function open(select, text = '') {
    from = select;
    const label = nameOf(select);
    field = make('input', {
      ...{ type: 'text', role: 'combobox', 'aria-expanded': 'true', 'aria-controls': 'pick-list', 'aria-autocomplete': 'list' },
      ...{ 'aria-label': `Search: ${label}`, placeholder: label, autocomplete: 'off', spellcheck: 'false' },
    });
    build('auto', label, make('div', { class: 'q' }, stint.icon('search'), field));
    box.setAttribute('role', 'dialog');
    box.setAttribute('aria-label', label);
    box.addEventListener('input', (event) => {
      event.stopPropagation();
      show();
    });
    box.addEventListener('keydown', pressed);
    box.addEventListener('toggle', ({ newState, target }) => newState === 'closed' && target.remove());
    field.value = text;
    show();
    box.showPopover();
    place();
    field.focus();
    loadNotes(select);
  }

  function unfold(input) {
    from = input;
    field = input;
    notes = {};
    build('manual', nameOf(input));
    field.setAttribute('aria-expanded', 'true');
    box.addEventListener('toggle', ({ newState, target }) => {
      if (newState !== 'closed') return;
      input.setAttribute('aria-expanded', 'false');
      input.removeAttribute('aria-activedescendant');
      target.remove();
    });
    box.showPopover();
  }

  function tell(control) {
    for (const kind of ['input', 'change']) control.dispatchEvent(new Event(kind, { bubbles: true }));
  }

  function choose(row) {
    const { value } = row.dataset;
    const control = from;
    if (control.multiple) return toggle(value);
    box.hidePopover();
    control.focus();
    if (control.value === value) return;
    control.value = value;
    chosen = true;
    tell(control);
    chosen = false;
  }
  let chosen = false;

  /** The list stays open for more. */
  function toggle(value) {
    const one = [...from.options].find((option) => option.value === value);
    one.selected = !one.selected;
    delete one.dataset.said;
    from.dispatchEvent(new Event('input', { bubbles: true }));
    field.select();
    show(value);
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
    } else if (['Enter', 'Tab'].includes(event.key)) {
      // Tab leaves a field that names an item.
      if (event.key === 'Tab' && from === field) return box.hidePopover();
      event.preventDefault();
      if (active()) choose(active());
    } else if (event.key === 'Escape') {
      event.preventDefault();
      const control = from;
      box.hidePopover();
      control.focus();
    }
  }

  document.addEventListener('mousedown', (event) => {
    if (event.button === 0 && picked(event.target)) event.preventDefault();
  });
  // Not before the pointer is up, which would close the list.
  document.addEventListener('click', ({ target }) => {
    const select = picked(target);
    if (select) open(select);
  });
  // Safari on phones opens its own list on touchend.
  let moved = false;
  document.addEventListener('touchstart', () => (moved = false), { passive: true });
  document.addEventListener('touchmove', () => (moved = true), { passive: true });
  document.addEventListener(
    'touchend',
    (event) => {
      const select = picked(event.target);
      if (!select || moved || !event.cancelable) return;
      event.preventDefault();
      open(select);
    },
    { passive: false },
  );
  // Before the dialog's own keys: Enter there sends the form.
  document.addEventListener(
    'keydown',
    (event) => {
      if (event.target === field && from === field && isOpen()) return pressed(event);
      if (named(event.target) && event.key === 'ArrowDown') {
        event.preventDefault();
        field = event.target;
        return void find();
      }
      const select = picked(event.target);
      if (!select || event.ctrlKey || event.metaKey || event.isComposing) return;
      const letter = event.key.length === 1 && event.key !== ' ' ? event.key : '';
      if (!letter && ![' ', 'ArrowDown', 'ArrowUp'].includes(event.key)) return;
      event.preventDefault();
      event.stopPropagation();
      open(select, letter);
    },
    true,
  );

  const named = (at) => at.closest?.('input[data-find]');
  stint.each('input[data-find]', (input) => {
    for (const [name, value] of Object.entries({
      role: 'combobox',
      'aria-expanded': 'false',
      'aria-controls': 'pick-list',
      'aria-autocomplete': 'list',
    }))
      if (!input.hasAttribute(name)) input.setAttribute(name, value);
    input.autocomplete = 'off';
  });
  document.addEventListener('input', ({ target }) => {
    if (!named(target) || chosen) return;
    field = target;
    clearTimeout(soon);
    soon = setTimeout(find, ASK_AFTER_MS);
  });
  document.addEventListener('focusout', ({ target }) => {
    if (!named(target)) return;
    clearTimeout(soon);
    asking?.abort();
    if (from === target && isOpen()) box.hidePopover();
  });

  // Menus with many choices get a search field, those of people free hours and absences.
  const MOST_UNSEARCHED = 8;

  /** A search field above many choices. */
  function addSearch(menu) {
    const list = menu.querySelector('.opts');
    const all = [...(list?.querySelectorAll('button.opt, a.opt') ?? [])];
    if (all.length <= MOST_UNSEARCHED || list.querySelector('input')) return;
    const seek = make('input', {
      ...{ type: 'text', class: 'input menu-seek', placeholder: 'Search', 'aria-label': 'Search' },
      ...{ autocomplete: 'off', autofocus: '' },
    });
    seek.addEventListener('input', () => {
      const words = wordsOf(seek.value);
      for (const one of all) one.hidden = !hasAll(words, one.querySelector('.cut').textContent);
    });
    seek.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || event.isComposing) return;
      event.preventDefault();
      all.find((one) => !one.hidden)?.click();
    });
    list.before(seek);
  }

  /** Free hours and absences, next to each person. */
  async function addNotes(menu, placeMenu) {
    if (!menu.dataset.notes) return;
    const found = await fetchJson(menu.dataset.notes);
    for (const one of menu.querySelectorAll('button.opt[name="value"]')) {
      const told = found[one.value];
      if (told?.service) one.querySelector('.av').replaceChildren(stint.icon('bot'));
      if (told?.service) one.querySelector('.av').className = 'av bot';
      if (!told?.note || one.querySelector('.up')?.textContent) continue;
      one.querySelector('.cut').after(make('span', { class: 'up' }, told.note));
    }
    placeMenu();
  }

  stint.menuExtras = (menu, placeMenu) => {
    addSearch(menu);
    addNotes(menu, placeMenu).catch(() => {});
  };
})();
