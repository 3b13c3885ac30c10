/** Scans an import file: long lists entry by entry, and the short rest as one value (behaviour §2.24). */
import { isUtf8 } from 'node:buffer';
import { dotted, InvalidRequest, messageOf, type Path } from '../../values/errors.ts';
import { ownValue } from '../../values/records.ts';
import { Cursor, ScanStopped, sign } from './cursor.ts';
import { Places, type Source } from './source.ts';

/** Lists that grow with an account. They are never in memory as a whole. */
export const longLists = ['items', 'comments', 'timeEntries', 'planBlocks', 'personalNotes'] as const;
export type LongList = (typeof longLists)[number];

export interface FoundList {
  name: LongList;
  /** Path of the list: `accounts[0].workspaces[1].items`. */
  path: Path;
  /** Position of the byte after its opening bracket. */
  position: number;
}

export interface FoundEntry {
  n: number;
  value: unknown;
  start: number;
  length: number;
}

type Shape = LongList | { readonly each: Shape } | { readonly members: Readonly<Record<string, Shape>> };

const workspace: Shape = { members: { items: 'items', comments: 'comments', timeEntries: 'timeEntries', planBlocks: 'planBlocks' } };
const account: Shape = { members: { personalNotes: 'personalNotes', workspaces: { each: workspace } } };
const shape: Shape = { members: { accounts: { each: account } } };

/** Returns the file's value with its long lists emptied, and passes their entries to `found`. Throws InvalidRequest if the file is not JSON. */
export function scan(source: Source, found: (list: FoundList) => (entry: FoundEntry) => void): unknown {
  return new Scan(source, found).file();
}

export function* entriesOf(source: Source, { path, position }: FoundList): Generator<FoundEntry> {
  yield* entries(new Cursor(source, position), path);
}

function* entries(cursor: Cursor, path: Path): Generator<FoundEntry> {
  cursor.skipSpace();
  if (cursor.peek() === sign.closeList) return;
  for (let n = 0; ; n++) {
    cursor.skipSpace();
    cursor.mark();
    const at = [...path, n];
    guarded(cursor, at, () => cursor.skipValue());
    const text = cursor.since();
    const [length, value] = [text.length, valueIn(text, at)];
    yield { n, value, start: cursor.position - length, length };
    cursor.skipSpace();
    if (cursor.peek() === sign.closeList) return;
    expect(cursor, at, sign.comma);
  }
}

export function valueIn(text: Buffer, path: Path): unknown {
  return parse(text, (reason) => notJson(path, reason));
}

function parse(text: Buffer, refuse: (reason: string, position?: number) => InvalidRequest): unknown {
  if (!isUtf8(text)) throw refuse('it has bytes that are not UTF-8');
  const json = text.toString();
  try {
    return JSON.parse(json);
  } catch (error) {
    const message = messageOf(error);
    const [, reason = message, position] = /^(.*) at position (\d+)/s.exec(message) ?? [];
    throw refuse(reason, position === undefined ? undefined : Buffer.byteLength(json.slice(0, Number(position))));
  }
}

/** `position`: the byte in the file, if known. */
function notJson(path: Path, reason: string, position?: number): InvalidRequest {
  const place = [...(path.length ? [`in ${dotted(path)}`] : []), ...(position === undefined ? [] : [`at byte ${position}`])];
  return new InvalidRequest(
    [],
    `The file is not JSON${place.length ? ` ${place.join(', ')}` : ''}: ${reason}. Correct it, then import again.`,
  );
}

function guarded(cursor: Cursor, path: Path, move: () => void): void {
  try {
    move();
  } catch (error) {
    throw error instanceof ScanStopped ? notJson(path, error.message, cursor.position) : error;
  }
}

function expect(cursor: Cursor, path: Path, wanted: number): void {
  const byte = cursor.peek();
  if (byte === wanted) {
    cursor.step();
    return;
  }
  const reason = byte < 0 ? 'it ends too early' : `'${String.fromCharCode(wanted)}' was expected`;
  throw notJson(path, reason, cursor.position);
}

/** Some editors write it. */
const BYTE_ORDER_MARK = Buffer.from('\ufeff');

class Scan {
  readonly #cursor: Cursor;
  readonly #found: (list: FoundList) => (entry: FoundEntry) => void;
  readonly #pieces: { bytes: Buffer; start: number }[] = [];

  constructor(source: Source, found: (list: FoundList) => (entry: FoundEntry) => void) {
    this.#cursor = new Cursor(
      source,
      new Places(source).read(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0,
    );
    this.#found = found;
  }

  file(): unknown {
    this.#cursor.mark();
    this.#value(shape, []);
    this.#cursor.skipSpace();
    if (this.#cursor.peek() >= 0) throw notJson([], 'there is content after its end', this.#cursor.position);
    this.#keepPiece();
    return parse(Buffer.concat(this.#pieces.map(({ bytes }) => bytes)), (reason, position) =>
      notJson([], reason, position === undefined ? undefined : this.#inFile(position)),
    );
  }

  #keepPiece(): void {
    const bytes = Buffer.from(this.#cursor.since());
    this.#pieces.push({ bytes, start: this.#cursor.position - bytes.length });
  }

  #inFile(position: number): number {
    let left = position;
    for (const { bytes, start } of this.#pieces) {
      if (left <= bytes.length) return start + left;
      left -= bytes.length;
    }
    return this.#cursor.position;
  }

  /** A value of another shape is kept whole, and the schema reports the error. */
  #value(wanted: Shape | undefined, path: Path): void {
    const cursor = this.#cursor;
    cursor.skipSpace();
    const first = cursor.peek();
    const isList = first === sign.openList;
    if (typeof wanted === 'string' && isList) this.#longList(wanted, path);
    else if (typeof wanted === 'object' && 'each' in wanted && isList) this.#list(wanted.each, path);
    else if (typeof wanted === 'object' && 'members' in wanted && first === sign.open) this.#object(wanted.members, path);
    else if (first < 0) throw notJson(path, 'it ends too early', cursor.position);
    else guarded(cursor, path, () => cursor.skipValue());
  }

  #longList(name: LongList, path: Path): void {
    const cursor = this.#cursor;
    cursor.step();
    this.#keepPiece();
    const told = this.#found({ name, path, position: cursor.position });
    for (const entry of entries(cursor, path)) told(entry);
    cursor.mark();
    cursor.step();
  }

  #list(wanted: Shape, path: Path): void {
    this.#members(sign.closeList, path, (n) => this.#value(wanted, [...path, n]));
  }

  #object(wanted: Readonly<Record<string, Shape>>, path: Path): void {
    const seen = new Set<string>();
    this.#members(sign.close, path, () => {
      const name = this.#name(path);
      const inside = ownValue(wanted, name);
      // JSON.parse would use the last one, but the entries of both were already passed on.
      if (inside && seen.has(name)) throw new InvalidRequest([...path, name], 'is given twice; give it once.');
      seen.add(name);
      this.#value(inside, [...path, name]);
    });
  }

  /** Moves over a bracket, the comma-separated members and the closing bracket. */
  #members(end: number, path: Path, member: (n: number) => void): void {
    const cursor = this.#cursor;
    cursor.step();
    cursor.skipSpace();
    for (let n = 0; cursor.peek() !== end; n++) {
      if (n > 0) expect(cursor, path, sign.comma);
      member(n);
      cursor.skipSpace();
    }
    cursor.step();
  }

  #name(path: Path): string {
    const cursor = this.#cursor;
    cursor.skipSpace();
    const start = cursor.position;
    if (cursor.peek() !== sign.quote) expect(cursor, path, sign.quote);
    guarded(cursor, path, () => cursor.skipString());
    const name = String(parse(cursor.since(start), (reason) => notJson(path, reason, start)));
    cursor.skipSpace();
    expect(cursor, path, sign.colon);
    return name;
  }
}
