// Converts edited or pasted HTML to the HTML that notes allow (behaviour §11.6). It needs no browser, so tests compare it with the server.
(() => {
  const inline = { strong: 'b', b: 'b', em: 'i', i: 'i', u: 'u', ins: 'u', s: 's', strike: 's', del: 's' };
  for (const tag of ['code', 'tt', 'kbd', 'samp', 'var']) inline[tag] = 'code';
  const blocks = { p: 'p', h1: 'h1', h2: 'h2', h3: 'h3', h4: 'h4', h5: 'h4', h6: 'h4', pre: 'pre', li: 'p', caption: 'p', summary: 'p' };
  for (const tag of 'div section article header footer main aside nav address figure figcaption dl dt dd form fieldset center details'.split(
    ' ',
  ))
    blocks[tag] = '';
  const dropped = new Set(
    'script style template iframe object noscript head title svg math textarea select button audio video canvas'.split(' '),
  );
  // The limit is 64 levels; formatting adds up to seven.
  const DEEPEST = 44;

  const escaped = (text) => text.replace(/[&<>"]/g, (one) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[one]);
  const plain = (text) =>
    escaped(
      text
        .toWellFormed()
        .replace(/[\0\u200b]/g, '')
        .replace(/\r\n?/g, '\n'),
    );
  const blank = (text) => /^[ \t\n\r\f\u200b]*$/.test(text);
  // Must equal src/personal-notes/html/allowed.ts.
  const absolute = /^(?:https?:\/\/[^\s/\\]|mailto:[^\s/\\])/i;
  const linkOf = (href) =>
    href && absolute.test(href) && !/[\x00-\x1f\x7f]/.test(href) && href.isWellFormed() && URL.canParse(href) ? href : null;

  interface Format {
    tag: string;
    key: string;
    href?: string;
  }

  function runsOf(runs) {
    let out = '';
    const open = [];
    for (const { text, formats } of runs) {
      let same = 0;
      while (same < open.length && same < formats.length && open[same].key === formats[same].key) same++;
      while (open.length > same) out += `</${open.pop().tag}>`;
      for (const format of formats.slice(same)) {
        out += format.href ? `<a href="${escaped(format.href)}">` : `<${format.tag}>`;
        open.push(format);
      }
      out += text;
    }
    while (open.length) out += `</${open.pop().tag}>`;
    return out;
  }

  /** A sequence of blocks. `bare`: the first text needs no paragraph, as in list items and cells. */
  class Flow {
    declare depth: number;
    declare bare: boolean;
    declare out: string;
    declare block: { tag: string; runs: { text: string; formats: Format[] }[] } | null;
    constructor(depth, bare = false) {
      Object.assign(this, { depth, bare, out: '', block: null });
    }
    start(tag) {
      this.end();
      this.block = { tag, runs: [] };
    }
    end() {
      const { tag, runs } = this.block ?? {};
      this.block = null;
      if (!runs?.length) return;
      // Editors add an invisible line break at the end of a line.
      if (runs.length > 1 && runs.at(-1).text === '<br>' && runs.at(-2).text !== '<br>') runs.pop();
      const name = tag || (this.bare && this.out === '' ? '' : 'p');
      const text = runsOf(runs);
      // HTML drops a line feed right after <pre>.
      if (name === 'pre') this.out += `<pre>${/^(?:<[^>]+>)*\n/.test(text) ? '\n' : ''}${text}</pre>`;
      else this.out += name ? `<${name}>${text}</${name}>` : text;
    }
    add(text, formats) {
      this.block ??= { tag: '', runs: [] };
      this.block.runs.push({ text, formats });
    }
    put(html) {
      this.end();
      this.out += html;
    }
    done() {
      this.end();
      return this.out;
    }
  }

  const isPre = (flow) => flow.block?.tag === 'pre';

  function addText(data, formats, flow, lines) {
    if (isPre(flow)) return data && flow.add(plain(data), formats);
    if (!flow.block && blank(data)) return;
    const parts = lines && !formats.length && flow.depth === 0 && !flow.block?.tag ? data.split('\n') : [data];
    parts.forEach((part, at) => {
      if (at > 0) flow.add('<br>', formats);
      const text = plain(part).replace(/\n/g, ' ');
      if (text) flow.add(text, formats);
    });
  }

  const styleOf = (node) => node.getAttribute('style') ?? node.getAttribute('data-style') ?? '';
  const bold = /font-weight:\s*(?:bold|[6-9]00)/i;
  const plainWeight = /font-weight:\s*(?:normal|[1-4]00)/i;
  const styled: [string, RegExp][] = [
    ['b', bold],
    ['i', /font-style:\s*italic/i],
    ['u', /text-decoration(?:-line)?:[^;]*\bunderline/i],
    ['s', /text-decoration(?:-line)?:[^;]*\bline-through/i],
  ];
  function formatsOf(node) {
    const name = node.localName;
    const style = styleOf(node);
    if (name === 'a') {
      const href = linkOf(node.getAttribute('href'));
      return href ? [{ tag: 'a', href, key: `a ${href}` }] : [];
    }
    if (name === 'span') return styled.filter(([, pattern]) => pattern.test(style)).map(([tag]) => ({ tag, key: tag }));
    const tag = Object.hasOwn(inline, name) ? inline[name] : null;
    return tag && !(tag === 'b' && plainWeight.test(style)) ? [{ tag, key: tag }] : [];
  }

  const within = (formats, more) => [...formats, ...more.filter(({ tag }) => !formats.some((format) => format.tag === tag))];

  // Word writes list items as paragraphs, with the bullet as text and the level in a style.
  const itemOf = (node) => node.localName === 'p' && /mso-list:\s*l\d+\s+level(\d)/i.exec(styleOf(node));
  const isSign = (node) => node.nodeType === 1 && /mso-list:\s*ignore/i.test(styleOf(node));
  const textOf = (node) => (node.nodeType === 3 ? node.data : [...node.childNodes].map(textOf).join(''));
  function signOf(node) {
    for (const child of node.childNodes) {
      const sign = isSign(child) ? textOf(child) : child.nodeType === 1 && signOf(child);
      if (sign) return sign;
    }
    return '';
  }
  const made = (localName, childNodes) => ({ nodeType: 1, localName, childNodes, getAttribute: () => null });

  function listsOf(items) {
    const open = [];
    const lists = [];
    for (const item of items) {
      const level = Math.min(Number(itemOf(item)[1]), 9);
      while (open.length && open.at(-1).level > level) open.pop();
      if (open.at(-1)?.level !== level) {
        const one = made(/^\s*[\da-z]{1,4}[.)]/i.test(signOf(item)) ? 'ol' : 'ul', []);
        (open.at(-1)?.list.childNodes.at(-1)?.childNodes ?? lists).push(one);
        open.push({ level, list: one });
      }
      open.at(-1).list.childNodes.push(made('li', [...item.childNodes]));
    }
    return lists;
  }

  function childrenOf(node) {
    if (![...node.childNodes].some((child) => child.nodeType === 1 && itemOf(child))) return node.childNodes;
    const children = [];
    let items = [];
    const flush = () => {
      children.push(...listsOf(items));
      items = [];
    };
    for (const child of node.childNodes) {
      if (child.nodeType === 1 && itemOf(child)) items.push(child);
      else if (child.nodeType !== 3 || !blank(child.data) || !items.length) {
        flush();
        children.push(child);
      }
    }
    flush();
    return children;
  }

  function list(node, formats, flow) {
    const tag = node.localName;
    const items = [];
    for (const child of node.childNodes) {
      const name = child.localName;
      if (child.nodeType === 3 ? blank(child.data) : child.nodeType !== 1) continue;
      // Content between items, e.g. a nested list, belongs to the previous item.
      if (name === 'li' || !items.length) items.push(new Flow(flow.depth + 2, true));
      if (name === 'li') walk(child, formats, items.at(-1));
      else walk({ childNodes: [child] }, formats, items.at(-1));
      items.at(-1).end();
    }
    if (items.length) flow.put(`<${tag}>${items.map((item) => `<li>${item.done()}</li>`).join('')}</${tag}>`);
  }

  const spans = (cell) =>
    ['colspan', 'rowspan'].map((name) => [name, cell.getAttribute(name)]).filter(([, value]) => value !== null && /^\d{1,3}$/.test(value));

  function cell(node, formats, flow) {
    const inside = new Flow(flow.depth + 4, true);
    walk(node, formats, inside);
    const tag = node.localName;
    const attributes = tag === 'td' ? spans(node).map(([name, value]) => ` ${name}="${value}"`) : [];
    return `<${tag}${attributes.join('')}>${inside.done()}</${tag}>`;
  }

  /** Other content in a table goes before the table. */
  function table(node, formats, flow) {
    const parts = [];
    let tag = 'tbody';
    const sort = (one) => {
      for (const child of one.childNodes) {
        const name = child.localName;
        if (/^(?:thead|tbody|tfoot)$/.test(name)) {
          tag = name === 'thead' ? 'thead' : 'tbody';
          sort(child);
          tag = 'tbody';
        } else if (name === 'tr') {
          const cells = [...child.childNodes].filter((part) => part.localName === 'td' || part.localName === 'th');
          if (cells.length) parts.push([tag, `<tr>${cells.map((part) => cell(part, formats, flow)).join('')}</tr>`]);
          walk({ childNodes: [...child.childNodes].filter((part) => !cells.includes(part)) }, formats, flow);
        } else walk({ childNodes: [child] }, formats, flow);
      }
    };
    flow.end();
    sort(node);
    let html = '';
    parts.forEach(([name, row], at) => {
      if (parts[at - 1]?.[0] !== name) html += `<${name}>`;
      html += row;
      if (parts[at + 1]?.[0] !== name) html += `</${name}>`;
    });
    if (html) flow.put(`<table>${html}</table>`);
  }

  function quote(node, formats, flow) {
    const inside = new Flow(flow.depth + 1);
    walk(node, formats, inside);
    const html = inside.done();
    if (html) flow.put(`<blockquote>${html}</blockquote>`);
  }

  const containers = { ul: list, ol: list, table, blockquote: quote };

  function block(node, formats, flow, lines) {
    if (isPre(flow)) {
      // A separate line in preformatted text.
      const last = flow.block.runs.at(-1)?.text;
      if (last && !last.endsWith('\n')) flow.add('\n', []);
      walk(node, formats, flow);
      return;
    }
    const around = flow.block?.tag;
    flow.start(blocks[node.localName] || around || '');
    walk(node, formats, flow, lines);
    flow.end();
    if (around) flow.start(around);
  }

  function walk(node, formats, flow, lines = false) {
    for (const child of childrenOf(node)) {
      if (child.nodeType === 3) addText(child.data, formats, flow, lines);
      if (child.nodeType !== 1) continue;
      const name = child.localName;
      if (dropped.has(name) || isSign(child)) continue;
      if (name === 'br') flow.add(isPre(flow) ? '\n' : '<br>', formats);
      else if (name === 'hr') isPre(flow) || flow.put('<hr>');
      else if (Object.hasOwn(containers, name) && flow.depth < DEEPEST && !isPre(flow)) containers[name](child, formats, flow);
      else if (Object.hasOwn(blocks, name) || Object.hasOwn(containers, name) || name === 'td' || name === 'th')
        block(child, formats, flow, lines);
      else walk(child, within(formats, formatsOf(child)), flow, lines);
    }
  }

  /** `lines`: text outside elements keeps its line breaks. */
  function noteHtml(root, { lines = false } = {}) {
    const flow = new Flow(0);
    walk(root, [], flow, lines);
    // Drops empty paragraphs that editors keep at the end.
    return flow.done().replace(/(?:<p><br><\/p>)+$/, '');
  }

  // Parsing style attributes would report CSP violations. In HTML a tag begins with `<` and a letter.
  const withoutStyles = (html) =>
    html.replace(/<style\b[\s\S]*?<\/style\s*>/gi, '').replace(/<[a-z][^>]*>/gi, (tag) => tag.replace(/\sstyle(?=\s*=)/gi, ' data-style'));

  window.stint.notes = {
    htmlOf: noteHtml,
    linkOf,
    clean: (html, options) => noteHtml(new DOMParser().parseFromString(withoutStyles(html), 'text/html').body, options),
    /** Cleans again, so that nothing unsafe gets in. */
    fragment(html) {
      const template = document.createElement('template');
      template.innerHTML = stint.notes.clean(html);
      return document.importNode(template.content, true);
    },
  };
})();
