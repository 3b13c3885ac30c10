(() => {
  const element = (tag, attributes, ...content) => {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...content);
    return made;
  };
  const button = (label, work, kind = '') => {
    const made = element('button', { type: 'button', class: `btn small ${kind}` }, label);
    made.addEventListener('click', work);
    return made;
  };

  /** Both texts side by side. `settle`: gets the chosen text; nothing to keep the typed one. */
  function conflict({ theirs, both, settle }) {
    const shown = element('article', { class: 'note prose', tabindex: '0', 'aria-label': 'What is stored now' });
    shown.append(stint.notes.fragment(theirs));
    return element(
      'section',
      { class: 'conflict', 'aria-labelledby': 'conflict' },
      element(
        'p',
        { class: 'error', role: 'alert' },
        'This note was changed elsewhere, perhaps by one of your agents. Your text is not saved yet.',
      ),
      element('h2', { id: 'conflict' }, 'What is stored now'),
      shown,
      element(
        'p',
        { class: 'actions' },
        button('Keep my text', () => settle(), 'primary'),
        button('Take what is stored', () => settle(theirs)),
        button('Put both together', () => settle(both())),
      ),
    );
  }

  function offer({ at, bring, forget }) {
    const when = new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
    return element(
      'div',
      { class: 'notice amber', role: 'status' },
      element('p', {}, `A text of ${when} was not saved. It is kept in this browser.`),
      element('div', { class: 'do' }, button('Bring it back', bring), button('Forget it', forget)),
    );
  }

  stint.notes.told = { element, button, conflict, offer };
})();
