// The editor: Squire does the typing, this gives it buttons, keys and Markdown's shortcuts, and lets nothing in or out that a note may not
// have (notesClean.js).
(() => {
  const { clean, fragment, htmlOf, linkOf } = stint.notes;
  const starts = {
    '#': 'h1',
    '##': 'h2',
    '###': 'h3',
    '####': 'h4',
    '-': 'ul',
    '*': 'ul',
    '+': 'ul',
    '1.': 'ol',
    '1)': 'ol',
    '>': 'blockquote',
    '\x60\x60\x60': 'pre',
  };
  const around = [
    [/\*\*([^*\s](?:[^*]*[^*\s])?)\*\*$/, 'b'],
    [/(?<![*\w])\*([^*\s](?:[^*]*[^*\s])?)\*$/, 'i'],
    [/(?<![_\w])_([^_\s](?:[^_]*[^_\s])?)_$/, 'i'],
    [/~~([^~\s](?:[^~]*[^~\s])?)~~$/, 's'],
    [/\x60([^\x60]+)\x60$/, 'code'],
  ];
  const addressOf = (typed) => {
    const text = typed.trim();
    if (/^[^\s@/:]+@[^\s@/]+\.[^\s@/]+$/.test(text)) return linkOf(`mailto:${text}`);
    return linkOf(text) ?? (/^[a-z][\w+.-]*:/i.test(text) ? null : linkOf(`https://${text}`));
  };

  class Editor {
    constructor(area) {
      this.area = area;
      this.box = document.querySelector(`[data-writes="${area.id}"]`);
      const surface = document.createElement('div');
      surface.className = 'note prose';
      for (const [name, value] of [
        ['role', 'textbox'],
        ['aria-multiline', 'true'],
        ['aria-label', 'Text'],
      ])
        surface.setAttribute(name, value);
      surface.spellcheck = true;
      const shown = this.box.querySelector('.note');
      if (shown) shown.replaceWith(surface);
      else this.box.querySelector('.tools').after(surface);
      // Before Squire's own: what is a shortcut is no space.
      surface.addEventListener('keydown', (event) => this.#key(event), true);
      this.squire = new Squire(surface, { blockTag: 'P', sanitizeToDOMFragment: fragment, didError: (error) => console.error(error) });
      this.surface = surface;
      this.#tools();
      this.squire.addEventListener('input', () => this.oninput?.());
      surface.addEventListener('input', (event) => event.data && '*_~\x60'.includes(event.data) && this.#inline());
      this.tidy();
    }

    get html() {
      return htmlOf(this.surface);
    }
    /** Not undone past. */
    set html(html) {
      this.squire.setHTML(clean(html, { lines: true }));
      this.#undoable({ canUndo: false, canRedo: false });
    }
    /** As something that was typed: it can be undone. */
    replace(html) {
      const range = document.createRange();
      range.selectNodeContents(this.surface);
      this.squire.setSelection(range);
      this.squire.insertHTML(html);
    }
    get title() {
      return (this.surface.innerText.split('\n').find((line) => line.trim()) ?? '').trim().slice(0, 200);
    }
    /** Into the field of the form. */
    tidy() {
      this.area.value = this.html;
    }

    #block() {
      let node = this.squire.getSelection().startContainer;
      while (node.parentNode !== this.surface && !/^(?:P|DIV|LI|PRE|H[1-4]|TD|TH)$/.test(node.nodeName)) {
        if (!node.parentNode || node === this.surface) return null;
        node = node.parentNode;
      }
      return node;
    }

    #key(event) {
      if (event.isComposing) return;
      const command = event.ctrlKey || event.metaKey;
      if (command && event.shiftKey && event.key.toLowerCase() === 'l') {
        event.preventDefault();
        this.run('a');
      } else if (event.key === 'F10' && event.altKey) {
        event.preventDefault();
        this.box.querySelector('.tools [tabindex="0"], .tools button:not([tabindex])').focus();
      } else if (event.key === ' ' && !command && this.#start()) event.preventDefault();
    }

    /** "# " and its like at the start of a paragraph. */
    #start() {
      const range = this.squire.getSelection();
      const block = this.#block();
      if (!range.collapsed || !block || !/^(?:P|DIV)$/.test(block.nodeName)) return false;
      const before = document.createRange();
      before.setStart(block, 0);
      before.setEnd(range.startContainer, range.startOffset);
      const mark = before.toString().replace(/\u200b/g, '');
      if (!Object.hasOwn(starts, mark)) return false;
      this.squire.saveUndoState(range);
      before.deleteContents();
      if (!block.textContent && !block.querySelector('br')) block.append(document.createElement('br'));
      before.setStart(block, 0);
      before.collapse(true);
      this.squire.setSelection(before);
      this.run(starts[mark]);
      return true;
    }

    /** "**bold**" and its like, when the last mark was typed. */
    #inline() {
      const range = this.squire.getSelection();
      const { startContainer: node, startOffset: at } = range;
      if (!range.collapsed || node.nodeType !== Node.TEXT_NODE || node.parentNode.closest('pre, code')) return;
      for (const [pattern, tag] of around) {
        const found = pattern.exec(node.data.slice(0, at));
        if (!found) continue;
        this.squire.saveUndoState(range);
        range.setStart(node, found.index);
        range.setEnd(node, at);
        range.deleteContents();
        const element = document.createElement(tag);
        element.textContent = found[1];
        // Something to go on writing in that is not inside of it.
        const after = document.createTextNode('\u200b');
        range.insertNode(after);
        range.insertNode(element);
        range.setStart(after, 1);
        range.collapse(true);
        this.squire.setSelection(range);
        return;
      }
    }

    #within = (name) => {
      let node = this.squire.getSelection().commonAncestorContainer;
      for (; node && node !== this.surface; node = node.parentNode) if (node.localName === name) return node;
      return null;
    };

    /** What a button does. */
    run(name) {
      const { squire } = this;
      if (name === 'b' || name === 'i')
        squire.hasFormat(name) ? squire.changeFormat(null, { tag: name }) : squire.changeFormat({ tag: name });
      else if (name === 'undo' || name === 'redo') squire[name]();
      else if (name === 'ul' || name === 'ol')
        this.#within(name) ? squire.removeList() : name === 'ul' ? squire.makeUnorderedList() : squire.makeOrderedList();
      else if (name === 'blockquote') this.#within(name) ? squire.decreaseQuoteLevel() : squire.increaseQuoteLevel();
      else if (name === 'code') squire.toggleCode();
      else if (name === 'pre') squire.code();
      else if (name === 'a') this.#askLink();
      else this.#heading(name);
      this.#state();
    }

    #heading(name) {
      const tag = this.#block()?.localName === name ? 'p' : name;
      this.squire.modifyBlocks((part) => {
        for (const block of part.querySelectorAll('p, div, h1, h2, h3, h4')) {
          const element = document.createElement(tag);
          element.append(...block.childNodes);
          block.replaceWith(element);
        }
        return part;
      });
      this.squire.focus();
    }

    #askLink() {
      const form = this.box.querySelector('.link-form');
      const field = form.querySelector('input');
      this.linked = this.squire.getSelection();
      const link = this.#within('a');
      field.value = link?.getAttribute('href') ?? '';
      form.hidden = false;
      field.focus();
    }

    /** What the caret stands in, said by the buttons; a link can be opened and changed. */
    #state() {
      for (const button of this.box.querySelectorAll('[data-tool][aria-pressed]')) {
        const { tool } = button.dataset;
        const on =
          tool === 'b' || tool === 'i'
            ? this.squire.hasFormat(tool)
            : tool === 'code'
              ? this.#within('code') || this.#within('pre')
              : this.#within(tool);
        button.setAttribute('aria-pressed', String(Boolean(on)));
      }
      const form = this.box.querySelector('.link-form');
      if (form.contains(document.activeElement)) return;
      const link = this.#within('a');
      form.hidden = !link;
      const open = form.querySelector('a');
      open.hidden = !link;
      if (!link) return;
      this.linked = this.squire.getSelection();
      open.href = link.href;
      form.querySelector('input').value = link.getAttribute('href');
    }

    #undoable({ canUndo, canRedo }) {
      this.box.querySelector('[data-tool=undo]').disabled = !canUndo;
      this.box.querySelector('[data-tool=redo]').disabled = !canRedo;
    }

    #tools() {
      const bar = this.box.querySelector('.tools');
      const buttons = [...bar.querySelectorAll('button')];
      bar.hidden = false;
      bar.addEventListener('mousedown', (event) => event.preventDefault());
      bar.addEventListener('click', ({ target }) => {
        const button = target.closest('[data-tool]');
        if (button) this.run(button.dataset.tool);
      });
      bar.addEventListener('keydown', (event) => {
        const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!by) return;
        event.preventDefault();
        const usable = buttons.filter((button) => !button.disabled);
        const next = usable.at((usable.indexOf(document.activeElement) + by) % usable.length);
        for (const button of buttons) button.tabIndex = button === next ? 0 : -1;
        next.focus();
      });
      this.squire.addEventListener('undoStateChange', ({ detail }) => this.#undoable(detail));
      for (const event of ['pathChange', 'select', 'cursor']) this.squire.addEventListener(event, () => this.#state());
      this.#undoable({ canUndo: false, canRedo: false });
      const form = this.box.querySelector('.link-form');
      const field = form.querySelector('input');
      const close = () => {
        form.hidden = true;
        this.squire.setSelection(this.linked).focus();
      };
      form.addEventListener('submit', (event) => {
        event.preventDefault();
        const href = addressOf(field.value);
        field.setCustomValidity(href ? '' : 'Give a full address, like https://example.org');
        if (!form.reportValidity()) return;
        close();
        const link = this.#within('a');
        if (link) {
          this.squire.saveUndoState();
          link.setAttribute('href', href);
        } else this.squire.makeLink(href);
      });
      field.addEventListener('input', () => field.setCustomValidity(''));
      form.querySelector('button[type=button]').addEventListener('click', () => {
        close();
        this.squire.removeLink();
      });
      form.addEventListener('keydown', ({ key }) => key === 'Escape' && close());
    }
  }

  stint.notes.edit = (area, html = area.value) => {
    area.closest('.as-html').hidden = true;
    const editor = new Editor(area);
    editor.html = html;
    return editor;
  };
})();
