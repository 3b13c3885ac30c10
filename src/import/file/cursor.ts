/** Moves over JSON text without parsing values, and keeps only the bytes since the mark. JSON.parse finds other errors later. */
import { constants } from 'node:buffer';
import type { Source } from './source.ts';

const BLOCK = 262_144;
/** Limit of an entry and of all kept text, because a string can't be longer. */
const MOST_BYTES = constants.MAX_STRING_LENGTH;

export const sign = { quote: 0x22, comma: 0x2c, colon: 0x3a, openList: 0x5b, closeList: 0x5d, open: 0x7b, close: 0x7d } as const;
const BACKSLASH = 0x5c;

/** Thrown if the file ends too early or the kept text exceeds the limit. */
export class ScanStopped extends Error {}

const isSpace = (byte: number) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
const endsScalar = (byte: number) => byte === sign.comma || byte === sign.close || byte === sign.closeList || byte < 0 || isSpace(byte);

export class Cursor {
  readonly #source: Source;
  #bytes: Buffer = Buffer.allocUnsafe(BLOCK);
  #filled = 0;
  #from: number;
  #at = 0;
  #mark = 0;

  constructor(source: Source, position = 0) {
    this.#source = source;
    this.#from = position;
  }

  get position(): number {
    return this.#from + this.#at;
  }

  mark(): void {
    this.#mark = this.#at;
  }

  /** The bytes since the mark or since a later position. Valid until the cursor moves. */
  since(position = this.#from + this.#mark): Buffer {
    return this.#bytes.subarray(position - this.#from, this.#at);
  }

  peek(): number {
    return this.#at < this.#filled || this.#more() ? (this.#bytes[this.#at] ?? -1) : -1;
  }

  /** Moves over the current byte. Call `peek` first. */
  step(): void {
    this.#at++;
  }

  skipSpace(): void {
    while (isSpace(this.peek())) this.#at++;
  }

  /** Moves over a string. The cursor must be at its opening quote. */
  skipString(): void {
    this.#at++;
    for (;;) {
      const byte = this.#take();
      if (byte === sign.quote) return;
      if (byte === BACKSLASH) this.#take();
    }
  }

  /** Moves over a value. If there is none, the cursor stays. */
  skipValue(): void {
    const first = this.peek();
    if (first === sign.quote) this.skipString();
    else if (first === sign.open || first === sign.openList) this.#skipNested();
    else while (!endsScalar(this.peek())) this.#at++;
  }

  #skipNested(): void {
    let depth = 0;
    do {
      const byte = this.#take();
      if (byte === sign.open || byte === sign.openList) depth++;
      else if (byte === sign.close || byte === sign.closeList) depth--;
      else if (byte === sign.quote) {
        this.#at--;
        this.skipString();
      }
    } while (depth > 0);
  }

  #take(): number {
    if (this.#at >= this.#filled && !this.#more()) throw new ScanStopped('it ends too early');
    return this.#bytes[this.#at++]!;
  }

  #more(): boolean {
    if (this.#mark > 0) {
      this.#bytes.copyWithin(0, this.#mark, this.#filled);
      this.#from += this.#mark;
      this.#at -= this.#mark;
      this.#filled -= this.#mark;
      this.#mark = 0;
    }
    if (this.#filled === this.#bytes.length) this.#grow();
    const read = this.#source.read(this.#bytes, this.#filled, this.#from + this.#filled);
    this.#filled += read;
    return read > 0;
  }

  #grow(): void {
    if (this.#bytes.length >= MOST_BYTES) throw new ScanStopped(`no part of it may have more than ${MOST_BYTES} bytes`);
    const larger = Buffer.allocUnsafe(Math.min(2 * this.#bytes.length, MOST_BYTES));
    this.#bytes.copy(larger, 0, 0, this.#filled);
    this.#bytes = larger;
  }
}
