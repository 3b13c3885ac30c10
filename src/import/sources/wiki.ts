/** Jira's wiki markup to Markdown (behaviour §36.10). It leaves unknown markup unchanged. */
import { elementAt } from '../../values/records.ts';
import { escapeMarkdown, markdownLink, webAddress } from './texts.ts';

export interface WikiNames {
  /** Names by account id. */
  people: ReadonlyMap<string, string>;
  /** Addresses by file name. */
  files: ReadonlyMap<string, string>;
}

const fence = /^\s{0,20}\{(code|noformat)(?::([^}]{0,200}))?\}/;

export function wikiToMarkdown(text: string, names: WikiNames): string {
  const out: string[] = [];
  const lines = text.split('\n');
  let next = 0;
  for (const [at, line] of lines.entries()) {
    if (at < next) continue;
    const opened = fence.exec(line);
    next = opened ? copyCode(lines, at, opened, out) : at + 1;
    if (!opened) for (const one of blockOf(line, names, lines[at - 1])) out.push(one);
  }
  return joined(out);
}

/** Copies lines up to the closing tag. Returns the index of the line after it. */
function copyCode(lines: readonly string[], from: number, opened: RegExpExecArray, out: string[]): number {
  const [start, tag = 'code', options = ''] = opened;
  const close = `{${tag}}`;
  const language = tag === 'code' ? (options.split('|').find((option) => !option.includes('=')) ?? '') : '';
  const code: string[] = [];
  for (let at = from, rest = opened.input.slice(start.length); ; rest = elementAt(lines, ++at)) {
    const end = rest.indexOf(close);
    const body = end < 0 ? rest : rest.slice(0, end);
    if (body.trim() !== '' || (at > from && end < 0)) code.push(body);
    if (end >= 0 || at === lines.length - 1) {
      const after = end < 0 ? '' : rest.slice(end + close.length).trim();
      // A fence longer than any in the code.
      const ticks = code.some((one) => one.includes('```')) ? '`````' : '```';
      out.push(`${ticks}${/^[\w+#-]{1,20}$/.test(language) ? language.toLowerCase() : ''}`);
      for (const one of code) out.push(one);
      out.push(ticks, ...(after ? [after] : []));
      return at + 1;
    }
  }
}

const heading = /^h([1-6])\. (.*)$/;
const bullet = /^ {0,3}([*#-]{1,8}) (.*)$/;

function blockOf(line: string, names: WikiNames, before: string | undefined): string[] {
  const inline = (text: string) => inlineOf(text, names);
  const [, level, title] = heading.exec(line) ?? [];
  if (level) return [`${'#'.repeat(Number(level))} ${inline(title ?? '')}`];
  const [, marks, item] = bullet.exec(line) ?? [];
  if (marks && item !== undefined) return [`${indentOf(marks)}${marks.endsWith('#') ? '1.' : '-'} ${inline(checked(item))}`];
  if (line.startsWith('bq. ')) return [`> ${inline(line.slice(4))}`];
  if (line.startsWith('||')) return headerOf(line, inline);
  if (line.startsWith('|')) return tableRow(line.slice(1), '|', inline, !before?.startsWith('|'));
  const tag = /^\s{0,20}\{(quote|panel)(?::([^}]{0,500}))?\}\s{0,20}$/.exec(line);
  if (tag) return panelOf(tag[1], tag[2] ?? '');
  return [/^-{4,20}$/.test(line.trim()) ? '---' : inline(line)];
}

const indentOf = (marks: string): string => (marks.includes('#') ? '    ' : '  ').repeat(marks.length - 1);

/** Signs that lists of tasks have. */
const checked = (item: string): string =>
  item.startsWith('(/) ') ? `[x] ${item.slice(4)}` : item.startsWith('(x) ') ? `[ ] ${item.slice(4)}` : item;

function panelOf(tag = '', options: string): string[] {
  const title = options
    .split('|')
    .find((option) => option.startsWith('title='))
    ?.slice(6);
  return title ? [`**${escapeMarkdown(title)}**`, ''] : [tag === 'quote' ? QUOTE : ''];
}

/** Marks the first and the last line of a quotation until `joined`. */
const QUOTE = '\u0001quote';

function joined(lines: readonly string[]): string {
  let quoted = false;
  const out: string[] = [];
  for (const line of lines) {
    if (line === QUOTE) quoted = !quoted;
    else out.push(quoted ? `> ${line}` : line);
  }
  return out.join('\n').trim();
}

type Inline = (text: string) => string;

function headerOf(line: string, inline: Inline): string[] {
  const [row = ''] = tableRow(line.slice(2), '||', inline, false);
  return [row, `|${' --- |'.repeat(Math.max(1, row.split(' | ').length))}`];
}

/** `first`: a table without a header, which Markdown needs. */
function tableRow(line: string, separator: string, inline: Inline, first: boolean): string[] {
  const trimmed = line.trimEnd();
  const cells = splitCells(trimmed.endsWith(separator) ? trimmed.slice(0, -separator.length) : trimmed, separator).map((cell) =>
    inline(cell.trim()),
  );
  const row = `| ${cells.join(' | ')} |`;
  return first ? [`|${'  |'.repeat(cells.length)}`, `|${' --- |'.repeat(cells.length)}`, row] : [row];
}

/** Splits a table row into cells. Separators inside a link [text|address] do not count. */
function splitCells(line: string, separator: string): string[] {
  const cells: string[] = [];
  let start = 0;
  for (let at = 0, link = false; at < line.length; at++) {
    if (line[at] === '[') link = true;
    if (line[at] === ']') link = false;
    if (link || !line.startsWith(separator, at)) continue;
    cells.push(line.slice(start, at));
    start = at + separator.length;
    at = start - 1;
  }
  return [...cells, line.slice(start)];
}

const marked = /\{\{([^{}\n]+)\}\}|\[([^\][\n]+)\]|!([^!\n|]+)(?:\|[^!\n]*)?!|\{color[^{}\n]*\}/g;

function inlineOf(text: string, names: WikiNames): string {
  let out = '';
  let end = 0;
  for (const found of text.matchAll(marked)) {
    const [whole] = found;
    out += styled(text.slice(end, found.index)) + (markupOf(found, names) ?? styled(whole));
    end = found.index + whole.length;
  }
  return out + styled(text.slice(end));
}

/** Null for what only looks like markup, such as [x]. */
function markupOf([whole, code, link, file]: RegExpExecArray, names: WikiNames): string | null {
  if (code !== undefined) return `\`${code.replaceAll('`', "'")}\``;
  if (link !== undefined) return linkOf(link, names);
  if (file !== undefined) return /\.\w{2,5}$/.test(file) ? markdownLink(file, names.files.get(file) ?? webAddress(file)) : null;
  return whole.startsWith('{color') ? '' : null;
}

function linkOf(link: string, { people, files }: WikiNames): string | null {
  if (link.startsWith('~')) {
    const id = link.slice(1).replace(/^accountid:/, '');
    return `@${escapeMarkdown(people.get(id) ?? id)}`;
  }
  if (link.startsWith('^')) return markdownLink(link.slice(1), files.get(link.slice(1)) ?? null);
  const parts = link.split('|');
  const url = webAddress(parts[1] ?? parts[0] ?? '') ?? /^mailto:[^\s<>]{1,300}$/.exec(parts[1] ?? link)?.[0] ?? null;
  return url === null ? null : markdownLink(parts[0] ?? url, url);
}

const markdownOf: Record<string, string> = { '*': '**', _: '*', '-': '~~', '??': '*', '+': '', '^': '', '~': '' };
const marks = Object.keys(markdownOf);

/** Bold, italic and so on between word borders, from the left. */
function styled(text: string): string {
  let out = '';
  for (let at = 0; at < text.length; ) {
    const mark = marks.find((one) => text.startsWith(one, at));
    const end = mark === undefined ? -1 : closingOf(text, at, mark);
    if (mark === undefined || end < 0) out += text[at++];
    else {
      out += `${markdownOf[mark]}${text.slice(at + mark.length, end)}${markdownOf[mark]}`;
      at = end + mark.length;
    }
  }
  return out;
}

const isWord = (character: string | undefined): boolean => character !== undefined && /[\p{L}\p{N}*_+^~-]/u.test(character);
const isSpace = (character: string | undefined): boolean => character === undefined || /\s/.test(character);

/** Index of the mark that closes the one at `from`; -1 if the text there is not a mark. Only the next such mark is checked, so this is
 *  linear. */
function closingOf(text: string, from: number, mark: string): number {
  const start = from + mark.length;
  if (isWord(text[from - 1]) || isSpace(text[start])) return -1;
  const end = text.indexOf(mark, start);
  return end <= start || isSpace(text[end - 1]) || isWord(text[end + mark.length]) ? -1 : end;
}
