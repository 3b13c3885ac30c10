// The editor: Squire with buttons, shortcuts and Markdown input. Only allowed HTML gets in or out (notesClean.js).
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
  // Markdown marks and their elements, outermost first.
  const around: [RegExp, ...string[]][] = [
    [/(?<!\*)\*{3}([^*\s](?:[^*]*[^*\s])?)\*{3}$/, 'b', 'i'],
    [/(?<!\*)\*\*([^*\s](?:[^*]*[^*\s])?)\*\*$/, 'b'],
    [/(?<![*\w])\*([^*\s](?:[^*]*[^*\s])?)\*$/, 'i'],
    [/(?<![_\w])_([^_\s](?:[^_]*[^_\s])?)_$/, 'i'],
    [/~~([^~\s](?:[^~]*[^~\s])?)~~$/, 's'],
    [/\x60([^\x60]+)\x60$/, 'code'],
  ];
  const plainOf = (node) => node.textContent.replace(/\u200b/g, '');
  const typed = (range) => range.toString().replace(/\u200b/g, '');
  const addressOf = (typed) => {
    const text = typed.trim();
    if (/^[^\s@/:]+@[^\s@/]+\.[^\s@/]+$/.test(text)) return linkOf(`mailto:${text}`);
    return linkOf(text) ?? (/^[a-z][\w+.-]*:/i.test(text) ? null : linkOf(`https://${text}`));
  };

  class Editor {
    declare area: HTMLElement;
    declare box: HTMLElement;
    declare surface: HTMLElement;
    declare squire: typeof Squire;
    declare oninput: (() => void) | undefined;
    declare linked: Range | null;
    declare plain: boolean;
    constructor(area) {
      this.area = area;
      this.box = document.querySelector(`[data-writes="${area.id}"]`);
      const surface = document.createElement('div');
      surface.className = 'note prose';
      for (const [name, value] of [
        ['role', 'textbox'],
        ['aria-multiline', 'true'],
        ['aria-label', 'Text'],
        ['aria-placeholder', 'Write a note. Start a line with # for a heading or - for a list.'],
      ])
        surface.setAttribute(name, value);
      surface.spellcheck = true;
      const shown = this.box.querySelector('.note');
      if (shown) shown.replaceWith(surface);
      else this.box.querySelector('.tools').after(surface);
      // Must run before Squire's own handlers.
      surface.addEventListener('keydown', (event) => this.#key(event), true);
      surface.addEventListener('paste', (event) => this.#paste(event), true);
      surface.addEventListener('beforeinput', ({ inputType }) => this.#beforeLine(inputType), true);
      this.squire = new Squire(surface, { blockTag: 'P', sanitizeToDOMFragment: fragment, didError: (error) => console.error(error) });
      this.surface = surface;
      surface.addEventListener('beforeinput', ({ inputType }) => inputType === 'insertParagraph' && this.#afterEnter());
      this.#tools();
      this.squire.addEventListener('input', () => {
        this.#blank();
        this.oninput?.();
      });
      surface.addEventListener('input', (event) => event.data && '*_~\x60'.includes(event.data) && this.#inline());
      this.tidy();
    }

    get html() {
      return htmlOf(this.surface);
    }
    /** Undo cannot go back beyond this. */
    set html(html) {
      this.squire.setHTML(clean(html, { lines: true }));
      this.#undoable({ canUndo: false, canRedo: false });
      this.#blank();
    }
    /** Replaces the text as one undo step. */
    replace(html) {
      const range = document.createRange();
      range.selectNodeContents(this.surface);
      this.squire.setSelection(range);
      this.squire.insertHTML(html);
    }
    get title() {
      return (this.surface.innerText.split('\n').find((line) => line.trim()) ?? '').trim().slice(0, 200);
    }
    #blank() {
      const { firstChild: first, children } = this.surface;
      this.surface.classList.toggle('blank', children.length < 2 && (!first || (/^(?:P|DIV)$/.test(first.nodeName) && !plainOf(first))));
    }

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
      const mine = () => {
        event.preventDefault();
        event.stopImmediatePropagation();
      };
      if (command && event.shiftKey && event.key.toLowerCase() === 'l') {
        event.preventDefault();
        this.run('a');
      } else if (event.key === 'F10' && event.altKey) {
        event.preventDefault();
        this.box.querySelector('.tools [tabindex="0"], .tools button:not([tabindex])').focus();
      } else if (command || event.altKey) return;
      else if (event.key === ' ' && this.#start()) mine();
      else if (event.key === 'Enter' && !event.shiftKey && this.#whole()) mine();
      else if (event.key === 'Backspace' && this.#leave()) mine();
    }

    /** The block of the caret and the range before it; null if text is selected. */
    #caret() {
      const range = this.squire.getSelection();
      const block = this.#block();
      if (!range.collapsed || !block) return null;
      const before = document.createRange();
      before.setStart(block, 0);
      before.setEnd(range.startContainer, range.startOffset);
      return { range, block, before };
    }

    #start() {
      const { range, block, before } = this.#caret() ?? {};
      if (!block || !/^(?:P|DIV)$/.test(block.nodeName)) return false;
      const mark = typed(before);
      if (!Object.hasOwn(starts, mark)) return false;
      this.#become(range, block, before, starts[mark]);
      return true;
    }

    #beforeLine(inputType) {
      // Must be checked now: Squire removes the marker after a formatted word.
      if (inputType === 'insertParagraph') this.plain = !this.#formatted();
      else if (inputType === 'insertLineBreak') this.#lineEnd();
    }

    #formatted() {
      const node = this.squire.getSelection().startContainer;
      const inside = (node.nodeType === Node.TEXT_NODE ? node.parentNode : node).closest('b, i, u, s, code, a');
      return this.surface.contains(inside);
    }

    /** After plain text, the new line is plain too. */
    #afterEnter() {
      const { block } = (this.plain && this.#caret()) || {};
      if (!block || block.nodeName === 'PRE') return;
      const empty = ({ firstChild: one }) => one?.nodeType === Node.ELEMENT_NODE && one.matches('b, i, u, s, code, a') && !plainOf(one);
      if (!empty(block)) return;
      while (empty(block)) block.firstChild.remove();
      if (!plainOf(block)) block.replaceChildren(document.createElement('br'));
      const range = document.createRange();
      range.setStart(block, 0);
      this.squire.setSelection(range);
      this.#state();
    }

    #whole() {
      const { range, block, before } = this.#caret() ?? {};
      const found = block && /^(?:P|DIV)$/.test(block.nodeName) && /^(?:\x60{3}\w*|(---))$/.exec(plainOf(block));
      if (!found) return false;
      this.#become(range, block, before, found[1] ? 'hr' : 'pre');
      return true;
    }

    #become(range, block, before, name) {
      this.squire.saveUndoState(range);
      before.setStart(block, 0);
      before.setEnd(range.startContainer, range.startOffset);
      before.deleteContents();
      if (!block.textContent && !block.querySelector('br')) block.append(document.createElement('br'));
      before.setStart(block, 0);
      before.collapse(true);
      if (name === 'hr') block.before(document.createElement('hr'));
      this.squire.setSelection(before);
      if (name !== 'hr') this.run(name);
      this.#undoPoint();
    }

    /** Adds an undo step after Squire has seen the change. */
    #undoPoint() {
      queueMicrotask(() => this.squire.saveUndoState());
    }

    /** At the end of a block, browsers show a new line only if another <br> follows. */
    #lineEnd() {
      const { range, block } = this.#caret() ?? {};
      if (!block || block.nodeName === 'PRE' || block.lastChild?.nodeName === 'BR') return;
      const after = document.createRange();
      after.selectNodeContents(block);
      after.setStart(range.startContainer, range.startOffset);
      if (!typed(after)) block.append(document.createElement('br'));
    }

    /** Backspace at the start first removes the list, heading, code or quote. */
    #leave() {
      const { block, before } = this.#caret() ?? {};
      if (!block || typed(before)) return false;
      const above = block.parentNode;
      const first = !block.previousSibling;
      if (block.nodeName === 'LI' || (above.nodeName === 'LI' && first)) this.squire.decreaseListLevel();
      else if (/^H[1-4]$/.test(block.nodeName)) this.#heading('p');
      else if (block.nodeName === 'PRE') this.#uncode(block);
      else if (block.previousSibling?.nodeName === 'HR') this.#removeLine(block.previousSibling);
      else if (above.nodeName === 'BLOCKQUOTE' && first) this.squire.decreaseQuoteLevel();
      else return false;
      this.#state();
      return true;
    }

    #uncode(block) {
      this.squire.saveUndoState();
      const paragraphs = block.textContent.split('\n').map((line) => {
        const one = document.createElement('p');
        one.append(line || document.createElement('br'));
        return one;
      });
      block.replaceWith(...paragraphs);
      const range = document.createRange();
      range.setStart(paragraphs[0], 0);
      this.squire.setSelection(range);
    }

    #removeLine(line) {
      this.squire.saveUndoState();
      line.remove();
    }

    #paste(event) {
      const text = event.clipboardData?.getData('text/plain');
      if (!text || !this.#within('pre')) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      this.squire.insertPlainText(text, true);
    }

    #inline() {
      const range = this.squire.getSelection();
      if (!range.collapsed || range.startContainer.nodeType !== Node.TEXT_NODE) return;
      if (range.startContainer.parentNode.closest('pre, code')) return;
      const foundIn = (text) => {
        for (const [pattern, ...tags] of around) {
          const found = pattern.exec(text);
          if (found) return { found, tags };
        }
        return null;
      };
      const { found, tags } = foundIn(range.startContainer.data.slice(0, range.startOffset)) ?? {};
      if (!found) return;
      this.squire.saveUndoState(range);
      // Saving the undo state may replace the text node of the range.
      let { startContainer: node, startOffset: at } = range;
      if (node.nodeType !== Node.TEXT_NODE) {
        node = node.childNodes[at - 1];
        at = node?.data?.length;
      }
      if (!node?.data?.slice(0, at).endsWith(found[0])) return;
      range.setStart(node, at - found[0].length);
      range.setEnd(node, at);
      range.deleteContents();
      const elements = tags.map((tag) => document.createElement(tag));
      elements.forEach((one, at) => {
        one.append(elements[at + 1] ?? found[1]);
      });
      // A zero-width space, so that typing continues outside the element.
      const after = document.createTextNode('\u200b');
      range.insertNode(after);
      range.insertNode(elements[0]);
      range.setStart(after, 1);
      range.collapse(true);
      this.squire.setSelection(range);
      this.#undoPoint();
    }

    #within = (name) => {
      let node = this.squire.getSelection().commonAncestorContainer;
      for (; node && node !== this.surface; node = node.parentNode) if (node.localName === name) return node;
      return null;
    };

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
        field.setCustomValidity(href ? '' : 'Enter a full URL such as https://example.org.');
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
