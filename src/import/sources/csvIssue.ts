/** A row of a CSV file to an issue (behaviour §36.6). */
import { unescapedCell } from '../../values/csv.ts';
import { hoursOf, numberOf } from './amounts.ts';
import type { ImportMap, SourceField } from './map.ts';
import { momentOf } from './moments.ts';
import { mailOf, personOf } from './people.ts';
import type { Format, Person, SourceAttachment, SourceComment, SourceIssue, SourceRow } from './source.ts';
import type { SurveyColumn } from './surveySchema.ts';
import { cleanLine, cleanText, escapeMarkdown, nameOf, webAddress } from './texts.ts';
import { wikiToMarkdown } from './wiki.ts';

export interface CsvContext {
  format: Format;
  map: ImportMap;
  /** In the order of the header; a repeated header has the same entry. */
  columns: readonly SurveyColumn[];
  people: ReadonlyMap<string, string>;
}

interface Cell {
  column: SurveyColumn;
  text: string;
}

/** `n`: number of the row, from 1, for files without keys. */
export function issueOfRow(context: CsvContext, line: number, n: number, texts: readonly string[]): SourceRow {
  const row = new Row(context, texts);
  const hasKeys = context.columns.some(({ field }) => field === 'key');
  const key = hasKeys ? row.name('key') : String(n);
  if (texts.slice(context.columns.length).some((text) => text.trim() !== ''))
    return { line, key, refused: 'it has more cells than the header; put values with a separator in quotes' };
  if (key === null) return { line, key, refused: 'it has no key' };
  const title = row.title();
  if (title === null) return { line, key, refused: 'it has no title' };
  return { line, key, issue: { key, title, ...row.issue() } };
}

class Row {
  readonly #context: CsvContext;
  readonly #cells = new Map<SourceField, Cell[]>();
  readonly #other = new Set<string>();
  readonly #changed: SourceIssue['changed'] = [];

  constructor(context: CsvContext, texts: readonly string[]) {
    this.#context = context;
    for (const [at, column] of context.columns.entries()) {
      const text = cleanText(unescapedCell(texts[at] ?? ''));
      if (text === '' || column.field === 'ignore') continue;
      const cells = column.field && this.#cells.get(column.field);
      if (column.field === null) this.#other.add(column.name);
      else if (cells) cells.push({ column, text });
      else this.#cells.set(column.field, [{ column, text }]);
    }
  }

  title = (): string | null => cleanLine(this.#first('title')?.text ?? '', Number.POSITIVE_INFINITY) || null;

  name(field: SourceField, max?: number): string | null {
    return nameOf(this.#first(field)?.text ?? '', max) || null;
  }

  issue(): Omit<SourceIssue, 'key' | 'title'> {
    const attachments = this.#attachments();
    const markdown = this.#markdown(attachments);
    const cancelledAt = this.#instant('cancelledAt');
    const closedAt = this.#instant('closedAt') ?? cancelledAt;
    return {
      aliases: this.#words('alias', false),
      url: webAddress(this.#first('url')?.text ?? ''),
      description: this.#description(markdown),
      type: this.name('type', 100),
      status: this.name('status', 100),
      priority: this.name('priority', 100),
      // Jira's status is the truth: it also sets a resolution date in states that are not done.
      closed: closedAt === null || this.#context.format === 'jira' ? null : cancelledAt ? 'cancelled' : 'done',
      labels: this.#words('labels', this.#context.format !== 'jira'),
      points: this.#number('points', numberOf),
      estimateHours: this.#estimate(),
      assignee: this.#assignee(),
      reporter: this.#person('reporter'),
      createdAt: this.#instant('createdAt'),
      closedAt,
      startDate: this.#moment('startDate')?.day ?? null,
      dueDate: this.#moment('dueDate')?.day ?? null,
      parentKey: this.#parent(),
      blockedBy: this.#keys('blockedBy'),
      blocks: this.#keys('blocks'),
      sprints: this.#sprints(),
      milestones: this.#words('milestone', this.#context.format === 'csv'),
      milestoneType: this.#context.format === 'jira' ? 'release' : 'milestone',
      archived: this.#isSet('archived'),
      comments: this.#all('comment').map(({ text }) => this.#comment(text, markdown)),
      attachments,
      fields: {},
      other: [...this.#other],
      changed: this.#changed,
    };
  }

  #all = (field: SourceField): readonly Cell[] => this.#cells.get(field) ?? [];

  /** Further columns of a field with one value are lost, unless they say the same. */
  #first(field: SourceField): Cell | undefined {
    const [first, ...more] = this.#all(field);
    for (const { column, text } of more) if (text !== first?.text) this.#other.add(column.name);
    return first;
  }

  #words(field: SourceField, split: boolean): string[] {
    const cells = this.#all(field).flatMap(({ text }) => (split ? text.split(/[,;\n]/) : [text]));
    return [...new Set(cells.map((text) => nameOf(text)).filter((word) => word !== ''))];
  }

  /** Asana has titles there, which may contain commas: `SourceLinks` splits them. */
  #keys(field: SourceField): string[] {
    return this.#words(field, this.#context.format !== 'asana');
  }

  /** Jira has a parent's id and its key. */
  #parent(): string | null {
    const keys = this.#all('parent').filter(({ text }) => /\D/.test(text));
    if (keys.length) this.#cells.set('parent', keys);
    return this.name('parent');
  }

  /** Linear has the number of a cycle, and a name only if someone has given one. */
  #sprints(): string[] {
    const words = this.#words('sprint', this.#context.format === 'csv');
    if (this.#context.format !== 'linear') return words;
    const names = words.filter((word) => /\D/.test(word));
    return names.length ? names : words.map((number) => `Cycle ${number}`);
  }

  #number(field: SourceField, read: typeof numberOf): number | null {
    const cell = this.#first(field);
    if (!cell) return null;
    const value = read(cell.text, cell.column.decimals ?? 'point');
    if (value !== null && value >= 0) return value;
    this.#changed.push({ what: cell.column.name, reason: 'a value that is not a number of 0 or more was left out' });
    return null;
  }

  #estimate(): number | null {
    const hours = this.#number('estimateHours', hoursOf);
    const seconds = this.#number('estimateSeconds', numberOf);
    return hours ?? (seconds === null ? null : seconds / 3_600);
  }

  #moment(field: SourceField) {
    const cell = this.#first(field);
    if (!cell) return null;
    const moment = momentOf(cell.text, cell.column.dates ?? 'day-month', this.#context.map.timezone);
    if (moment === null) this.#changed.push({ what: cell.column.name, reason: 'a value that is not a date was left out' });
    return moment;
  }

  #instant = (field: SourceField): string | null => this.#moment(field)?.instant ?? null;

  #assignee(): Person | null {
    return this.#person('assignee', mailOf(this.#first('assigneeMail')?.text ?? ''));
  }

  #person(field: SourceField, mail: string | null = null): Person | null {
    const text = this.#first(field)?.text ?? '';
    return personOf(this.#context.people.get(text) ?? text, mail);
  }

  #isSet(field: SourceField): boolean {
    const text = this.#first(field)?.text.toLowerCase() ?? '';
    return !['', 'false', 'no', '0', 'n'].includes(text);
  }

  #markdown(attachments: readonly SourceAttachment[]): (text: string) => string {
    if (this.#context.format !== 'jira') return (text) => text;
    const files = new Map(attachments.flatMap(({ name, url }) => (url ? [[name, url] as const] : [])));
    return (text) => wikiToMarkdown(text, { people: this.#context.people, files });
  }

  /** Joins all columns, the later ones under their names, then the checklists. */
  #description(markdown: (text: string) => string): string {
    const [first, ...more] = this.#all('description');
    const parts = more.map(({ column, text }) => `**${escapeMarkdown(column.name)}**\n\n${markdown(text)}`);
    const items = this.#all('checklist').flatMap(({ text }) =>
      text
        .split('\n')
        .filter((one) => one.trim())
        .map(checkbox),
    );
    return [...(first ? [markdown(first.text)] : []), ...parts, ...(items.length ? [items.join('\n')] : [])].join('\n\n');
  }

  #comment(text: string, markdown: (text: string) => string): SourceComment {
    const [at = '', author = '', body = ''] = this.#stamp(text, 2);
    const moment = momentOf(at, 'day-month', this.#context.map.timezone);
    if (!moment) return { author: null, createdAt: null, body: markdown(text) };
    return { author: personOf(this.#context.people.get(author) ?? author), createdAt: moment.instant, body: markdown(body.trim()) };
  }

  #attachments(): SourceAttachment[] {
    return this.#all('attachment').flatMap(({ text }) => {
      const [, , name, url] = this.#stamp(text, 3);
      if (name !== undefined && url !== undefined) return [{ name: nameOf(name), url: webAddress(url) }];
      return text
        .split(/[\n,;]/)
        .filter((one) => one.trim())
        .map((one) => ({ name: nameOf(one), url: webAddress(one) }));
    });
  }

  /** Jira: the parts of "31/Dec/25 3:04 PM;author;rest", of which the last may contain semicolons. Empty for other texts. */
  #stamp(text: string, semicolons: number): string[] {
    const parts = this.#context.format === 'jira' ? text.split(';', semicolons) : [];
    const length = parts.reduce((sum, part) => sum + part.length + 1, 0);
    return parts.length < semicolons || length > text.length ? [] : [...parts, text.slice(length)];
  }
}

/** Keeps the mark of "[x] title". */
function checkbox(text: string): string {
  const [, mark = '', title = text] = /^\s{0,10}[-*]? ?\[([ xX]?)\] ?(.*)$/.exec(text) ?? [];
  return `- [${mark.trim() ? 'x' : ' '}] ${title.trim()}`;
}
