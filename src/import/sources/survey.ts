/** The first pass over a file: encoding, columns, orders of dates (behaviour §36.4–§36.8). */
import { InvalidRequest } from '../../values/errors.ts';
import { ownValue, valueAt } from '../../values/records.ts';
import { firstCharacters } from '../../values/text.ts';
import { type Decimals, decimalsOf } from './amounts.ts';
import { fieldsOf, guess, isCsv } from './columns.ts';
import { csvRecords, type Delimited, delimiterOf } from './csv.ts';
import { decoded, type Encoding, encodingOf, readHead, refuseBinary, WrongEncoding } from './decode.ts';
import type { ImportMap, SourceField } from './map.ts';
import { type DayOrder, dayOrderOf } from './moments.ts';
import type { Format, OpenSource } from './source.ts';
import type { Survey, SurveyColumn } from './surveySchema.ts';
import { cleanText } from './texts.ts';

/** Throws InvalidRequest for a file that can't be read as this format. */
export async function survey(format: Format, open: OpenSource, map: ImportMap): Promise<Survey> {
  const head = await readHead(open);
  refuseBinary(head);
  const encoding = encodingOf(head);
  try {
    return await surveyAs(format, open, map, encoding, head);
  } catch (error) {
    if (!(error instanceof WrongEncoding)) throw error;
    return surveyAs(format, open, map, 'windows-1252', head);
  }
}

const encodingNotes: Record<Encoding, string | null> = {
  'utf-8': null,
  'utf-16le': 'The file is UTF-16.',
  'utf-16be': 'The file is UTF-16.',
  'windows-1252': 'The file is not UTF-8, so it was read as Windows-1252. Check letters such as ä and é.',
};

async function surveyAs(format: Format, open: OpenSource, map: ImportMap, encoding: Encoding, head: Uint8Array): Promise<Survey> {
  const note = encodingNotes[encoding];
  const start = { format, encoding, notes: note ? [note] : [], people: [], columns: [], delimiter: null };
  if (isCsv(format)) {
    const delimiter = delimiterOf(new TextDecoder(encoding).decode(head, { stream: true }));
    return surveyCsv({ ...start, delimiter, format, rows: 0 }, open, map, { encoding, delimiter });
  }
  // JSON is read by its own names. Only the encoding must be known.
  for await (const _text of decoded(open, encoding));
  return { ...start, rows: 0, notes: [...start.notes, ...(jsonNotes[format] ?? [])] };
}

const jsonNotes: Partial<Record<Format, string[]>> = {
  trello: ["Of the board's history, only comments are read. Exports have only its last 1,000 actions. Data of Power-Ups is not read."],
  stint: ['Only items and their comments are read. To move a whole account, use stint import without --format.'],
};

const FIRST_ROWS = 50;
const MOST_NAME = 200;

async function surveyCsv(start: Survey, open: OpenSource, map: ImportMap, how: Delimited): Promise<Survey> {
  const firsts: string[][] = [];
  let columns: Columns | undefined;
  let rows = -1;
  let header: string[] = [];
  for await (const { cells } of csvRecords(open, how)) {
    rows++;
    if (rows === 0) header = namesOf(cells);
    else if (columns) columns.add(cells);
    else if (firsts.push(cells) === FIRST_ROWS) columns = new Columns(start.format, header, firsts, map);
  }
  if (rows < 1) throw new InvalidRequest([], 'The file has no rows after its header. Export it again, with issues.');
  columns ??= new Columns(start.format, header, firsts, map);
  return { ...start, rows, columns: columns.found(), people: columns.people(), notes: [...start.notes, ...columns.notes(map)] };
}

/** Text that PostgreSQL can store, cut. */
const shortened = (text: string, max: number): string => firstCharacters(cleanText(text.slice(0, 2_000)), max);

/** The header's names; a number for those without one. */
export const namesOf = (header: readonly string[]): string[] => header.map((name, at) => shortened(name, MOST_NAME) || `Column ${at + 1}`);

interface Counted extends SurveyColumn {
  orders: Record<DayOrder | 'either', number>;
  points: Record<Decimals, number>;
}

const dateFields: readonly (SourceField | null)[] = ['createdAt', 'closedAt', 'cancelledAt', 'startDate', 'dueDate'];
const numberFields: readonly (SourceField | null)[] = ['points', 'estimateHours', 'estimateSeconds'];
const MOST_PEOPLE = 2_000;
const [SAMPLES, SAMPLE_CHARACTERS] = [3, 80];

class Columns {
  readonly #format: Format;
  readonly #byName = new Map<string, Counted>();
  readonly #order: Counted[];
  readonly #people = new Map<string, string>();
  /** Indexes of a person's name and id. */
  readonly #pairs: [name: number, id: number][];

  constructor(format: Format, header: readonly string[], rows: readonly string[][], map: ImportMap) {
    this.#format = format;
    const fields = isCsv(format) ? fieldsOf(format, header, rows, map) : [];
    this.#order = header.map((name, at) => this.#column(name, fields[at] ?? null));
    this.#refuseWithoutTitle(header);
    const lower = header.map((name) => name.toLowerCase());
    this.#pairs = ['assignee', 'reporter', 'creator'].flatMap((name): [number, number][] => {
      const [at, id] = [lower.indexOf(name), lower.indexOf(`${name} id`)];
      return format === 'jira' && at >= 0 && id >= 0 ? [[at, id]] : [];
    });
    for (const cells of rows) this.add(cells);
  }

  #column(name: string, field: SourceField | null): Counted {
    const known = this.#byName.get(name);
    if (known) return known;
    const orders = { 'day-month': 0, 'month-day': 0, either: 0 };
    const column: Counted = {
      name,
      field,
      count: 0,
      samples: [],
      dates: null,
      ambiguous: false,
      decimals: null,
      orders,
      points: { point: 0, comma: 0 },
    };
    this.#byName.set(name, column);
    return column;
  }

  #refuseWithoutTitle(header: readonly string[]): void {
    if (this.#order.some(({ field }) => field === 'title')) return;
    const named = header.slice(0, 20).join(', ');
    throw new InvalidRequest(['columns'], `map one of the columns to title: ${named}${header.length > 20 ? ' …' : ''}.`);
  }

  add(cells: readonly string[]): void {
    for (const [at, column] of this.#order.entries()) {
      const text = cells[at]?.trim();
      if (text) count(column, text);
    }
    for (const [name, id] of this.#pairs)
      if (cells[id] && cells[name] && this.#people.size < MOST_PEOPLE)
        this.#people.set(shortened(cells[id], MOST_NAME), shortened(cells[name], MOST_NAME));
  }

  people = (): [string, string][] => [...this.#people];

  found(): SurveyColumn[] {
    const columns = [...this.#byName.values()];
    const sum = (order: DayOrder) => columns.reduce((total, { orders }) => total + orders[order], 0);
    const usual: DayOrder = sum('month-day') > sum('day-month') ? 'month-day' : 'day-month';
    return columns.map(({ orders, points, ...column }) => {
      const numeric = orders['day-month'] + orders['month-day'] + orders.either > 0;
      const own =
        orders['day-month'] === orders['month-day'] ? usual : orders['month-day'] > orders['day-month'] ? 'month-day' : 'day-month';
      const decimals = numberFields.includes(column.field) ? (points.comma > points.point ? 'comma' : 'point') : null;
      const ambiguous = numeric && orders['day-month'] > 0 === orders['month-day'] > 0;
      return { ...column, dates: numeric ? own : null, ambiguous, decimals };
    });
  }

  notes(map: ImportMap): string[] {
    const keyless = this.#order.every(({ field }) => field !== 'key');
    const notes = keyless
      ? ['No column has keys, so importing a newer export creates all items again. To update them instead, choose a column as Key.']
      : [];
    const unknown = Object.keys(map.columns).filter((name) => !this.#byName.has(name));
    if (unknown.length) notes.push(`Columns of the map that the file does not have: ${unknown.join(', ')}.`);
    const title = this.#order.find(({ field }) => field === 'title')?.name ?? '';
    if (this.#format === 'csv' && !ownValue(map.columns, title) && guess('csv', title, []) !== 'title')
      notes.push(`'${title}' was taken as the title, because no header names one.`);
    const ignored = [...this.#byName.values()].filter(({ field, count }) => field === 'ignore' && count > 0);
    if (ignored.length) notes.push(`Columns that were left out: ${ignored.map(({ name }) => name).join(', ')}.`);
    for (const column of this.found()) {
      const { name, dates } = column;
      const { orders } = valueAt(this.#byName, name);
      if (dates && !ownValue(map.dates, name)) notes.push(orderNote(name, dates, orders));
    }
    return notes;
  }
}

function count(column: Counted, text: string): void {
  column.count++;
  const sample = column.samples.length < SAMPLES ? shortened(text, SAMPLE_CHARACTERS) : '';
  if (sample !== '' && !column.samples.includes(sample)) column.samples.push(sample);
  if (dateFields.includes(column.field)) {
    const order = dayOrderOf(text);
    if (order) column.orders[order]++;
  }
  const decimals = numberFields.includes(column.field) ? decimalsOf(text) : null;
  if (decimals) column.points[decimals]++;
}

function orderNote(name: string, dates: DayOrder, orders: Counted['orders']): string {
  const read = `'${name}': dates were read as ${dates === 'day-month' ? 'day/month' : 'month/day'}`;
  if (orders['day-month'] > 0 && orders['month-day'] > 0) return `${read}, the order that most of them fit; the others were left out.`;
  return orders[dates] > 0
    ? `${read}, the only order that fits all of them.`
    : `${read}; no date shows the order. Choose the order if this is wrong.`;
}
