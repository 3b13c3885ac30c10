// Personal notes: a toolbar over the HTML of a note, and encryption in the browser. The text and the passphrase of an encrypted note
// stand in fields without a name, so that no form can send them; what is sent is the ciphertext alone.
(() => {
  // The same figures as src/personal-notes/cipher.ts.
  const ITERATIONS = 600_000;
  const MAX_BYTES = 131_072;
  const utf8 = new TextEncoder();

  const toBase64 = (bytes) => {
    let text = '';
    for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
    return btoa(text);
  };
  const fromBase64 = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

  async function keyOf(passphrase, salt, use) {
    const secret = utf8.encode(passphrase.normalize('NFC'));
    const material = await crypto.subtle.importKey('raw', secret, 'PBKDF2', false, ['deriveKey']);
    const how = { name: 'PBKDF2', hash: 'SHA-256', salt, iterations: ITERATIONS };
    return crypto.subtle.deriveKey(how, material, { name: 'AES-GCM', length: 256 }, false, [use]);
  }

  // The note that a ciphertext is bound to, as associated data: as another note's or another person's it does not decrypt.
  function binding({ user, note }) {
    if (!user || !note) throw new Error('This page is older than the service: keep a copy of your text and reload the page.');
    return utf8.encode(`stint-note/2/${user}/${note}`);
  }

  // A fresh salt each time means a fresh key, so that no initialisation vector is ever used twice with one.
  async function encrypt(text, passphrase, place) {
    const bytes = utf8.encode(text);
    if (bytes.length > MAX_BYTES) throw new Error('The text is longer than 128 KiB: shorten it.');
    const salt = crypto.getRandomValues(new Uint8Array(16));
    const iv = crypto.getRandomValues(new Uint8Array(12));
    const how = { name: 'AES-GCM', iv, additionalData: binding(place) };
    const data = await crypto.subtle.encrypt(how, await keyOf(passphrase, salt, 'encrypt'), bytes);
    const made = { v: 2, kdf: 'PBKDF2-SHA256', iterations: ITERATIONS, salt: toBase64(salt), iv: toBase64(iv) };
    return JSON.stringify({ ...made, data: toBase64(new Uint8Array(data)) });
  }

  async function decrypt(cipher, passphrase, place) {
    let parts;
    try {
      parts = JSON.parse(cipher);
      if (![1, 2].includes(parts.v) || parts.kdf !== 'PBKDF2-SHA256' || parts.iterations !== ITERATIONS) throw new Error('unknown');
    } catch {
      throw new Error('This note was encrypted by another program, which has to open it.');
    }
    const how = { name: 'AES-GCM', iv: fromBase64(parts.iv) };
    // Version 1 is from before notes were bound. An import leaves a note bound to the ids that it had.
    if (parts.v === 2) how.additionalData = binding(parts.origin ?? place);
    const key = await keyOf(passphrase, fromBase64(parts.salt), 'decrypt');
    try {
      return new TextDecoder().decode(await crypto.subtle.decrypt(how, key, fromBase64(parts.data)));
    } catch {
      throw new Error('That is not the passphrase of this note: try again. If it is, what is stored was changed, or is another note.');
    }
  }

  // The server never saw this text, so it is put together here from what notes may hold, and nothing else (behaviour §11.6).
  const allowed = new Set('p br hr h1 h2 h3 h4 ul ol li blockquote pre code strong em b i u s a table thead tbody tr th td'.split(' '));
  const headings = { h1: 'h2', h2: 'h3', h3: 'h4', h4: 'h5' };
  const dropped = new Set(['script', 'style', 'template', 'iframe', 'object', 'noscript']);

  function copyInto(target, source) {
    for (const node of source.childNodes) {
      if (node.nodeType === Node.TEXT_NODE) target.append(node.data);
      if (node.nodeType !== Node.ELEMENT_NODE || dropped.has(node.localName)) continue;
      if (!allowed.has(node.localName)) {
        copyInto(target, node);
        continue;
      }
      const element = document.createElement(headings[node.localName] ?? node.localName);
      const href = node.getAttribute('href') ?? '';
      if (node.localName === 'a' && /^(https?:\/\/|mailto:)/i.test(href)) {
        element.href = href;
        element.rel = 'noopener noreferrer nofollow';
      }
      for (const name of ['colspan', 'rowspan'])
        if (/^\d{1,3}$/.test(node.getAttribute(name) ?? '')) element[name === 'colspan' ? 'colSpan' : 'rowSpan'] = node.getAttribute(name);
      copyInto(element, node);
      target.append(element);
    }
  }

  function show(target, html) {
    target.replaceChildren();
    copyInto(target, new DOMParser().parseFromString(html, 'text/html').body);
  }

  /** Runs `work` on submission instead of sending the form; what it throws is shown in the form. */
  function instead(form, work) {
    const problem = form.querySelector('[data-problem]');
    const button = form.querySelector('button:not([type=button])');
    button.disabled = false;
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      if (button.disabled) return;
      button.disabled = true;
      button.setAttribute('aria-busy', 'true');
      if (problem) problem.hidden = true;
      try {
        await work(form);
      } catch (error) {
        if (!problem) throw error;
        problem.textContent = error.message;
        problem.hidden = false;
      }
      button.disabled = false;
      button.removeAttribute('aria-busy');
    });
  }

  // Said until the script is there to do it.
  for (const said of document.querySelectorAll('[data-without-script]')) said.hidden = true;

  const textOf = (id) => document.getElementById(id);
  let passphrase;

  for (const form of document.querySelectorAll('form[data-encrypt]')) {
    instead(form, async () => {
      const first = form.querySelector('[data-passphrase]').value;
      if (first !== form.querySelector('[data-again]').value) throw new Error('The two passphrases differ: type the same one twice.');
      form.elements.cipher.value = await encrypt(textOf(form.dataset.encrypt).value, first, form.dataset);
      form.submit();
    });
  }

  for (const form of document.querySelectorAll('form[data-decrypt]')) {
    instead(form, async () => {
      const given = form.querySelector('[data-passphrase]').value;
      const stored = await decrypt(form.dataset.cipher, given, form.dataset);
      const mine = form.dataset.mine ? await decrypt(form.dataset.mine, given, form.dataset) : (form.dataset.mineHtml ?? stored);
      passphrase = given;
      const opened = document.querySelector('[data-decrypted]');
      show(opened.querySelector('[data-shown]'), stored);
      textOf('secret-html').value = mine;
      opened.hidden = false;
      form.hidden = true;
      opened.querySelector('[data-shown]').focus();
    });
  }

  for (const form of document.querySelectorAll('form[data-reencrypt]')) {
    instead(form, async () => {
      form.elements.cipher.value = await encrypt(textOf(form.dataset.reencrypt).value, passphrase, form.dataset);
      form.submit();
    });
  }

  for (const form of document.querySelectorAll('form[data-give-up]')) {
    form.addEventListener('submit', () => {
      form.elements.html.value = textOf(form.dataset.giveUp).value;
    });
  }

  const escaped = (text) => text.replace(/[&<>]/g, (character) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[character]);
  const lines = (text) => text.split('\n').filter((line) => line.trim());
  const tools = {
    Bold: (text) => `<strong>${text}</strong>`,
    Italic: (text) => `<em>${text}</em>`,
    Heading: (text) => `<h2>${text}</h2>`,
    List: (text) => `<ul>\n${(lines(text).length ? lines(text) : ['']).map((line) => `<li>${line}</li>`).join('\n')}\n</ul>`,
    Quote: (text) => `<blockquote>${text}</blockquote>`,
    Code: (text) => `<code>${text}</code>`,
    Link: (text) => `<a href="https://">${text}</a>`,
    'Plain text to paragraphs': (text) =>
      lines(text)
        .map((line) => `<p>${escaped(line)}</p>`)
        .join('\n'),
  };

  for (const area of document.querySelectorAll('textarea[data-toolbar]')) {
    const bar = document.createElement('div');
    bar.className = 'toolbar';
    bar.setAttribute('role', 'group');
    bar.setAttribute('aria-label', 'HTML for the selected text');
    for (const [name, wrap] of Object.entries(tools)) {
      const button = document.createElement('button');
      button.type = 'button';
      button.className = 'secondary outline';
      button.textContent = name;
      button.addEventListener('click', () => {
        const { selectionStart, selectionEnd, value } = area;
        area.setRangeText(wrap(value.slice(selectionStart, selectionEnd)), selectionStart, selectionEnd, 'select');
        area.focus();
      });
      bar.append(button);
    }
    area.closest('label').before(bar);
  }
})();
