// Shows the form of a new item as a dialog over any page. It sends the page's own form and interprets the title as a quick line.
(() => {
  const AFTER_MS = 200;
  const chipIcons = {
    ...{ statusKey: 'circle-dashed', assigneeId: 'user', ownerId: 'user', priorityKey: 'chevrons-up', dueDate: 'calendar' },
    ...{ targetDate: 'calendar', startDate: 'calendar-plus', estimatedHours: 'timer', requirementId: 'scroll-text' },
    ...{ releaseId: 'ship', goalId: 'target', milestoneId: 'flag', labels: 'tag' },
  };
  const { make } = stint;

  let dialog = null;
  let address = '';
  let soon = 0;
  let asking = null;
  /** Result of the last parse of the title: the field and value that each word sets. */
  let marks = [];

  // Files belong to an item, which does not exist yet.
  function noFiles(event) {
    const data = event.dataTransfer ?? event.clipboardData;
    if (!data?.types.includes('Files') || data.types.includes('text/plain')) return;
    event.preventDefault();
    if (event.type !== 'dragover') stint.tell('Create the item first. Then add files on its page.');
  }

  const form = () => dialog.querySelector('.item-form');
  const where = () => dialog.querySelector('.where');
  const said = () => dialog.querySelector('.c-said');
  const title = () => form().elements.title;
  const chips = () => [...form().querySelectorAll('.cells :is(select, input)')];
  /** Of labels: those that the title does not name. */
  const chosenIn = (control) =>
    control.multiple ? [...control.selectedOptions].filter(({ dataset }) => !('said' in dataset)).map(({ value }) => value) : control.value;
  function put(control, value) {
    if (control.multiple) for (const one of control.options) one.selected = value.includes(one.value);
    else control.value = value;
  }
  const here = () => (location.pathname + location.search).slice(stint.base.length);

  function build() {
    dialog = make('dialog', { class: 'compose' });
    document.body.append(dialog);
    dialog.addEventListener('click', ({ target }) => {
      if (target === dialog || target.closest('[data-shut]')) dialog.close();
      if (target.closest('.c-more')) dialog.classList.toggle('all');
    });
    dialog.addEventListener('input', changed);
    for (const kind of ['dragover', 'drop', 'paste']) dialog.addEventListener(kind, noFiles);
    addEventListener('pagehide', () => saving && keepDraft());
    dialog.addEventListener('keydown', pressed);
    dialog.addEventListener('scroll', ({ target }) => (target.previousSibling.scrollLeft = target.scrollLeft), true);
    dialog.addEventListener('submit', (event) => {
      event.preventDefault();
      if (event.target === form()) send(event.submitter);
    });
  }

  async function open(href, page = null) {
    if (!dialog) build();
    // A closed dialog keeps its draft, also over a reload.
    const draft = address ? null : stored();
    if (draft)
      await load(draft.href).then(
        () => fill(draft),
        () => load(href, page),
      );
    else if (!address || title().value.trim() === '') await load(href, page);
    dialog.showModal();
    title().focus();
  }

  // The draft stays in this tab, for its user.
  const DRAFT_AFTER_MS = 500;
  let saving = 0;
  const draftKey = `stint-new:${document.getElementById('head').dataset.user ?? ''}`;
  const typed = () =>
    [...form().elements].filter(({ name, type }) => name && !name.startsWith('_') && type !== 'hidden' && type !== 'checkbox');

  function stored() {
    try {
      return JSON.parse(sessionStorage.getItem(draftKey));
    } catch {
      return null;
    }
  }

  function keepDraft() {
    clearTimeout(saving);
    const values = typed().map((control) => [control.name, chosenIn(control), 'chosen' in control.dataset]);
    if (title().value.trim() === '') sessionStorage.removeItem(draftKey);
    else sessionStorage.setItem(draftKey, JSON.stringify({ href: address, values }));
  }

  function fill({ values }) {
    for (const [name, value, chosen] of values) {
      const control = form().elements[name];
      if (!control || !(chosen || control.closest('.texts'))) continue;
      put(control, value);
      if (chosen) control.dataset.chosen = '';
    }
    show();
    understand();
  }

  async function load(href, first = null) {
    const page = first ?? (await stint.fetchPage(href)).page;
    const found = ['form.where', 'form.item-form'].map((one) => page.querySelector(one));
    if (!found.every(Boolean)) throw new Error('The response has no form. Open the page instead.');
    const [chosen, fields] = found.map((one) => document.importNode(one, true));
    const close = make('button', { type: 'button', class: 'icon-btn', 'aria-label': 'Close and keep the draft', 'data-shut': '' });
    dialog.replaceChildren(make('header', {}, chosen, close), fields);
    close.append(stint.icon('x'));
    dialog.setAttribute('aria-label', page.querySelector('h1').textContent);
    dialog.classList.remove('all');
    address = href;
    marks = [];
    dress();
    show();
    understand();
  }

  /** The name of a field goes into an element of its own, so that a chip can hide it. */
  function named(label, className) {
    const text = label.firstChild;
    const name = make('span', { class: className }, text.textContent.trim());
    text.replaceWith(name);
    return name;
  }

  function dress() {
    for (const label of form().querySelectorAll('.texts > label')) named(label, 'vh');
    title().before(make('div', { class: 'c-mirror', 'aria-hidden': 'true' }));
    title().setAttribute('autocomplete', 'off');
    title().setAttribute('placeholder', 'Title, friday, @name, 4h, #parent, ~label');
    title()
      .closest('label')
      .after(make('p', { class: 'c-said', id: 'c-said', role: 'status' }));
    title().setAttribute('aria-describedby', 'c-said');
    form().elements.description.placeholder = 'Description';
    for (const control of chips()) {
      const label = control.closest('label');
      named(label, 'l');
      if (chipIcons[control.name]) label.prepend(stint.icon(chipIcons[control.name]));
      label.append(make('span', { class: 'v', 'aria-hidden': 'true' }));
    }
    const more = make('button', { type: 'button', class: 'prop unset c-more', 'aria-label': 'More properties' });
    more.append(stint.icon('ellipsis'));
    form().querySelector('.cells').append(more);
    form()
      .querySelector('.form-foot')
      .before(make('p', { class: 'c-fit', role: 'status' }));
    form().querySelector('[name="open"]').hidden = false;
    form().querySelector('.form-foot .primary').after(otherWays());
    for (const [name, key] of Object.entries({ open: '⇧ ↵', '': '↵' }))
      form()
        .querySelector(`.form-foot .btn${name ? '[name]' : '.primary'}`)
        .append(make('kbd', { class: 'kbd', 'aria-hidden': 'true' }, key));
  }

  let fitting = null;
  let fitAsked = '';
  /** Says if the work fits the assignee's free hours. */
  async function showFit() {
    const at = (name) => form().elements[name]?.value ?? '';
    const query = new URLSearchParams({ assignee: at('assigneeId'), due: at('dueDate'), hours: at('estimatedHours') }).toString();
    const to = `${form().action.replace(/\/items$/, '/fit')}?${query}`;
    if (to === fitAsked) return;
    fitAsked = to;
    fitting?.abort();
    fitting = new AbortController();
    const line = form().querySelector('.c-fit');
    try {
      const answer = at('assigneeId') && (await fetch(to, { signal: fitting.signal, headers: { Accept: 'application/json' } }));
      const { text, fits } = answer?.ok ? await answer.json() : {};
      line.classList.toggle('over', fits === false);
      line.replaceChildren(...(text ? [stint.icon(fits === false ? 'triangle-alert' : 'circle-check'), text] : []));
    } catch {
      if (fitAsked === to) fitAsked = '';
    }
  }

  /** On phones "Create and open" is behind the arrow of the split button. */
  function otherWays() {
    const opener = make('button', { type: 'button', class: 'opt' }, 'Create and open');
    opener.addEventListener('click', () => send(form().querySelector('[name="open"]')));
    const arrow = make('summary', { 'aria-label': 'Other ways to create' });
    arrow.append(stint.icon('chevron-down'));
    return make('details', { class: 'pop split at-narrow' }, arrow, make('div', { class: 'pop-panel' }, opener));
  }

  const day = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short' });
  function words(control) {
    if (control.value === '') return '';
    if (control.multiple) return [...control.selectedOptions].map(({ text }) => text).join(', ');
    if (control.matches('select')) return control.selectedOptions[0].text;
    if (control.type === 'date') return day.format(new Date(`${control.value}T12:00`));
    return control.name === 'estimatedHours' ? `${control.value} h` : control.value;
  }

  function show() {
    for (const control of chips()) {
      const label = control.closest('label');
      // Moves a folded field to the main chips when the title names it.
      if ('said' in control.dataset && label.closest('.more-fields')) form().querySelector('.c-more').before(label);
      label.querySelector('.v').textContent = words(control);
      label.classList.toggle('unset', control.value === '');
      label.classList.toggle('set', 'said' in control.dataset);
    }
    showFit();
    const line = title().value;
    const mirror = title().previousSibling;
    const found = marks.map(({ word }) => ({ word, at: ` ${line} `.indexOf(` ${word} `) })).filter(({ at }) => at >= 0);
    found.sort((a, b) => a.at - b.at);
    mirror.replaceChildren();
    let done = 0;
    for (const { word, at } of found) {
      if (at < done) continue;
      mirror.append(line.slice(done, at), make('mark', {}, word));
      done = at + word.length;
    }
    mirror.append(line.slice(done));
    mirror.scrollLeft = title().scrollLeft;
  }

  const usual = (control) =>
    control.matches('select')
      ? ([...control.options].find((one) => one.defaultSelected) ?? control.options[0]).value
      : control.defaultValue;

  function take(found) {
    marks = found;
    for (const control of chips())
      if ('said' in control.dataset) {
        put(control, control.multiple ? chosenIn(control) : usual(control));
        delete control.dataset.said;
        for (const one of control.options ?? []) delete one.dataset.said;
      }
    const set = marks.flatMap(({ name, value, text }) => {
      const control = form().elements[name];
      if (!control || ('chosen' in control.dataset && !control.multiple)) return [];
      if (control.multiple) {
        const one = [...control.options].find((option) => option.value === value) ?? new Option(text, value);
        if (!one.parentElement) control.add(one);
        if (one.selected) return [];
        one.selected = true;
        one.dataset.said = '';
        control.dataset.said = '';
        return ['Labels'];
      }
      if (control.matches('select') && ![...control.options].some((one) => one.value === value)) control.add(new Option(text, value));
      control.value = control.matches('[data-find]') ? `#${text}` : value;
      control.dataset.said = '';
      return [control.closest('label').querySelector('.l').textContent];
    });
    const hint = make('span', { class: 'wide' }, make('kbd', { class: 'kbd' }, 'Backspace'), ' keeps the last word as text.');
    said().replaceChildren(...(set.length > 0 ? [`Set from the title: ${[...new Set(set)].join(', ')}. `, hint] : []));
    show();
  }

  async function understand() {
    asking?.abort();
    const line = title().value;
    if (line.trim() === '') return take([]);
    asking = new AbortController();
    const { type } = form().elements;
    const query = new URLSearchParams({ type: type.value, line, opened: '' });
    try {
      const { answer, page } = await stint.fetchPage(`${form().action.replace(/\/items$/, '/quick')}?${query}`, { signal: asking.signal });
      if (!answer.ok || title().value !== line) return;
      take(
        [...page.querySelectorAll('.said mark[data-word]')].map(({ dataset: { set, value, word }, textContent }) => ({
          ...{ name: set, value, word, text: textContent },
        })),
      );
      const fault = page.querySelector('.said [data-fault]');
      if (fault) said().replaceChildren(...[...page.querySelector('.said').childNodes].map((node) => document.importNode(node, true)));
    } catch {
      // The server interprets the title again when it is sent.
    }
  }

  function changed({ target }) {
    if (target.closest('.where')) return void move();
    target.removeAttribute('aria-invalid');
    if (target.closest('.cells')) {
      target.dataset.chosen = '';
      if (!target.multiple) delete target.dataset.said;
    }
    show();
    clearTimeout(saving);
    saving = setTimeout(keepDraft, DRAFT_AFTER_MS);
    if (target !== title() && !target.multiple) return;
    clearTimeout(soon);
    soon = setTimeout(understand, AFTER_MS);
  }

  /** The form of another type or workspace, with the typed texts. */
  async function move() {
    const { type, in: workspace } = where().elements;
    const kept = ['title', 'description'].map((name) => [name, form().elements[name].value]);
    const href = `${stint.base}/workspaces/${workspace.value}/new?type=${type.value}`;
    await load(href).catch(() => (location.href = href));
    for (const [name, value] of kept) form().elements[name].value = value;
    title().focus();
    show();
    understand();
  }

  function pressed(event) {
    const { target, key } = event;
    if (event.isComposing) return;
    const sends = target.matches('textarea') ? event.ctrlKey || event.metaKey : target.matches('.item-form :is(input, select)');
    if (key === 'Enter' && sends) {
      event.preventDefault();
      send(form().querySelector(event.shiftKey ? '[name="open"]' : '.btn.primary'));
    } else if (key === 'Backspace' && target === title()) {
      const { value, selectionStart: start, selectionEnd: end } = target;
      const last = marks.find(({ word }) => value.endsWith(` ${word}`));
      if (!last || start !== end || end !== value.length) return;
      event.preventDefault();
      target.value = `${value.slice(0, -last.word.length)}"${last.word.replaceAll('"', '')}"`;
      understand();
    }
    // While the dialog is open, no other shortcut may react.
    event.stopPropagation();
  }

  async function send(button) {
    const from = form();
    if (from.ariaBusy === 'true') return;
    const data = new FormData(from, button);
    for (const control of chips()) {
      if (control.multiple) {
        data.delete(control.name);
        for (const value of chosenIn(control)) data.append(control.name, value);
      } else if ('said' in control.dataset) data.set(control.name, usual(control));
      if ('chosen' in control.dataset) data.append('chosen', control.name);
    }
    data.set('words', 'yes');
    data.set('back', here());
    from.ariaBusy = 'true';
    clearTimeout(soon);
    try {
      const { answer, page } = await stint.fetchPage(from.action, { method: 'POST', body: data });
      if (answer.status >= 400) refuse(page.querySelector('[role="alert"]')?.textContent ?? `The request failed (${answer.status}).`, page);
      else if (!page.getElementById('head')) refuse('Your session has ended. Sign in again in another tab, then create the item here.');
      else if (data.has('open')) {
        sessionStorage.removeItem(draftKey);
        saving = 0;
        location.assign(answer.url);
      } else await land(page, data.has('another'));
    } catch {
      if (await stint.keep(from.action, data, 'multipart')) close();
      else refuse('No connection to the server. Your input is kept. Send it again.');
    }
    from.ariaBusy = 'false';
  }

  function refuse(problem, page = null) {
    said().replaceChildren(make('span', { class: 'fault', role: 'alert' }, problem.trim()));
    const wrong = [...(page?.querySelectorAll('.item-form [aria-invalid]') ?? [])].map(({ name }) => form().elements[name]).filter(Boolean);
    for (const field of wrong) {
      field.setAttribute('aria-invalid', 'true');
      const fold = field.closest('details');
      if (fold) fold.open = true;
      if (fold || field.matches('textarea:not([name="description"])')) dialog.classList.add('all');
    }
    (wrong[0] ?? title()).focus();
  }

  /** The form was sent. A new one-time id makes the next item another one. */
  function forget() {
    clearTimeout(saving);
    saving = 0;
    sessionStorage.removeItem(draftKey);
    form().elements._once.value = stint.newOnce();
  }

  function close() {
    forget();
    form().reset();
    dialog.close();
  }

  async function land(page, another) {
    if (another) {
      forget();
      title().select();
    } else close();
    const release = document.getElementById('work') && page.getElementById('work') && stint.keepTyped(page);
    const part = release ? '#work' : '#notice';
    const others = [...(release ? ['#notice', '#head', '#beside'] : []), '.side .n[id]', '.tabbar .n[id]'];
    await htmx.swap({
      ...{
        sourceElement: document.body,
        text: page.documentElement.outerHTML,
        target: part,
        select: part,
        swap: 'outerMorph ignoreTitle:true',
      },
      selectOOB: others.map((one) => `${one}:outerMorph`).join(','),
    });
    release?.();
  }

  stint.compose = open;
})();
