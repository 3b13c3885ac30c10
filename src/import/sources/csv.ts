/** Reads CSV record by record (behaviour §36.5). */
import { parse } from 'csv-parse';
import { parse as parseAll } from 'csv-parse/sync';
import { codeOf, InvalidRequest } from '../../values/errors.ts';
import { decoded, type Encoding } from './decode.ts';
import type { OpenSource } from './source.ts';

/** A larger one usually lacks a closing quote. Jira's descriptions have up to 32,767 characters, and a row has all comments. */
const MOST_RECORD_CHARACTERS = 8 * 1024 * 1024;

/** Jira's exports have the most: a few hundred. */
export const MOST_COLUMNS = 1_000;

export interface Delimited {
  encoding: Encoding;
  delimiter: string;
}

export interface CsvRecord {
  /** Where it starts, from 1. */
  line: number;
  cells: string[];
}

const options = (delimiter: string) => ({
  delimiter,
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  relax_quotes: true,
  skip_empty_lines: true,
  max_record_size: MOST_RECORD_CHARACTERS,
});

export async function* csvRecords(open: OpenSource, { encoding, delimiter }: Delimited): AsyncGenerator<CsvRecord> {
  const found = new Records();
  const parser = parse({ ...options(delimiter), on_record: (record: string[], info) => found.add(record, info) });
  let failure: unknown;
  parser.on('error', (error) => {
    failure = error;
  });
  try {
    for await (const text of decoded(open, encoding)) {
      await new Promise<void>((done) => parser.write(text, () => done()));
      yield* found.take();
      if (failure) throw failure;
    }
    await new Promise<void>((done) => parser.once('close', done).once('finish', done).end());
    yield* found.take();
    if (failure) throw failure;
  } catch (error) {
    throw explained(error, found.line);
  } finally {
    parser.destroy();
  }
}

/** Takes records from the parser synchronously: as a stream it would drop those before an error. */
class Records {
  /** Where the next record starts. */
  line = 1;
  #empty = 0;
  #found: CsvRecord[] = [];

  add(cells: string[], { lines, empty_lines }: { lines: number; empty_lines: number }): null {
    if (cells.length > MOST_COLUMNS)
      throw new InvalidRequest(
        [],
        `The row that starts in line ${this.line} has ${cells.length.toLocaleString('en')} columns. Remove columns until at most ${MOST_COLUMNS.toLocaleString('en')} are left.`,
      );
    this.#found.push({ line: this.line + empty_lines - this.#empty, cells });
    this.line = lines + 1;
    this.#empty = empty_lines;
    return null;
  }

  take(): CsvRecord[] {
    const found = this.#found;
    this.#found = [];
    return found;
  }
}

function explained(error: unknown, line: number): unknown {
  switch (codeOf(error)) {
    case 'CSV_MAX_RECORD_SIZE':
      return new InvalidRequest([], `The row that starts in line ${line} is larger than 8 MiB. Check it for a missing quote.`);
    case 'CSV_QUOTE_NOT_CLOSED':
      return new InvalidRequest(
        [],
        `The row that starts in line ${line} has a quote that is not closed. Close it, or export the file again.`,
      );
    default:
      return error;
  }
}

const delimiters = [',', ';', '\t', '|'] as const;

/** The delimiter that splits the first line into the most cells. */
export function delimiterOf(head: string): string {
  const counts = delimiters.map((delimiter) => splitLine(head, delimiter).length);
  return delimiters[counts.indexOf(Math.max(...counts))] ?? ',';
}

/** The cells of the first record of a text that may be cut anywhere. */
export function splitLine(head: string, delimiter: string): string[] {
  try {
    const [first] = parseAll(head, { ...options(delimiter), to: 1 });
    return first ?? [];
  } catch {
    return [];
  }
}
