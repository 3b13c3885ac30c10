(() => {
  const element = stint.make;
  const button = (label, work, kind = '') => {
    const made = element('button', { type: 'button', class: `btn small ${kind}` }, label);
    made.addEventListener('click', work);
    return made;
  };

  /** Both texts side by side. `settle`: gets the chosen text; nothing to keep the typed one. */
  function conflict({ theirs, both, settle }) {
    const shown = element('article', { class: 'note prose', tabindex: '0', 'aria-label': 'Saved version' });
    shown.append(stint.noteEditor.shown(theirs));
    return element(
      'section',
      { class: 'conflict', 'aria-labelledby': 'conflict' },
      element('p', { class: 'error', role: 'alert' }, 'This note has changed since you opened it. Your text is not saved yet.'),
      element('h2', { id: 'conflict' }, 'Saved version'),
      shown,
      element(
        'p',
        { class: 'actions' },
        button('Keep my version', () => settle(), 'primary'),
        button('Use the saved version', () => settle(theirs)),
        button('Combine both', () => settle(both())),
      ),
    );
  }

  function offer({ at, bring, forget }) {
    const when = new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
    return element(
      'div',
      { class: 'notice amber', role: 'status' },
      element('p', {}, `Unsaved text from ${when} is kept in this browser.`),
      element('div', { class: 'do' }, button('Restore', bring), button('Discard', forget)),
    );
  }

  stint.notes.told = { element, button, conflict, offer };
})();
