// What all scripts share. stint.each(selector, improve) calls `improve` on every match, now and after each swap. It may get the same element
// again.
window.stint = (() => {
  const wanted = [];
  const base = new URL((document.currentScript as HTMLScriptElement).src).pathname.split('/static/')[0];
  const look = () => {
    for (const [selector, improve] of wanted) for (const found of document.querySelectorAll(selector)) improve(found);
  };
  document.addEventListener('htmx:after:swap', look);
  return {
    base,
    look,
    /** A page of this application: the response and its document. */
    async fetchPage(href, { headers = {}, ...options } = {} as any) {
      const answer = await fetch(href, { ...options, headers: { Accept: 'text/html', ...headers } });
      return { answer, page: new DOMParser().parseFromString(await answer.text(), 'text/html') };
    },
    /** An element with attributes and content. */
    make(tag, attributes = {}, ...inside) {
      const made = document.createElement(tag);
      for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
      made.append(...inside);
      return made;
    },
    /** Opens a dialog with a title and Close; closing removes it. */
    dialog(id, title, body, name = '') {
      const { make } = stint;
      const close = make('button', { type: 'button', class: 'btn small' }, 'Close');
      const head = make('header', {}, make('h2', { id }, title), close);
      const dialog = make('dialog', { class: `dialog ${name}`.trim(), 'aria-labelledby': id }, head, body);
      close.addEventListener('click', () => dialog.close());
      dialog.addEventListener('close', () => dialog.remove());
      document.body.append(dialog);
      dialog.showModal();
      return dialog;
    },
    /** What the server says about a page: its user, session and position in the change feed (frame/layout.ts). */
    facts: (page = document) => page.getElementById('head')?.dataset ?? {},
    /** Marks the active option of a combobox; null if there is none. The focus stays in the field. */
    activate(field, options, active) {
      for (const one of options) {
        one.classList.toggle('is-active', one === active);
        one.setAttribute('aria-selected', String(one === active));
      }
      if (active) field.setAttribute('aria-activedescendant', active.id);
      else field.removeAttribute('aria-activedescendant');
    },
    /** An icon of the page's sprite. */
    icon(name, size = 's') {
      const [svg, use] = ['svg', 'use'].map((tag) => document.createElementNS('http://www.w3.org/2000/svg', tag));
      svg.setAttribute('class', `i ${size}`);
      svg.setAttribute('aria-hidden', 'true');
      use.setAttribute('href', `${document.body.dataset.icons}#${name}`);
      svg.append(use);
      return svg;
    },
    each(selector, improve) {
      wanted.push([selector, improve]);
      for (const found of document.querySelectorAll(selector)) improve(found);
    },
  };
})();
