/** Random access to the bytes of an import file, which is read more than once (behaviour §2.24). */
import { fstatSync, readSync } from 'node:fs';

export interface Source {
  /** Reads from `position` into `into`, from `start` on. Returns the number of bytes, 0 at the end. */
  read(into: Buffer, start: number, position: number): number;
  /** True if the file was written to since it was opened. Its content may then differ from the checked content. */
  changed(): boolean;
}

export function sourceOf(bytes: Buffer): Source {
  return { read: (into, start, position) => (position < bytes.length ? bytes.copy(into, start, position) : 0), changed: () => false };
}

export function sourceOfFile(descriptor: number): Source {
  const state = () => {
    const { size, mtimeNs } = fstatSync(descriptor, { bigint: true });
    return `${size} ${mtimeNs}`;
  };
  const opened = state();
  return {
    read: (into, start, position) => readSync(descriptor, into, start, into.length - start, position),
    changed: () => state() !== opened,
  };
}

const BLOCK = 16_384;

/** Reads entries by position. Buffers a block, because most reads move forwards. */
export class Places {
  readonly #source: Source;
  #block: Buffer = Buffer.allocUnsafe(BLOCK);
  #from = 0;
  #length = 0;

  constructor(source: Source) {
    this.#source = source;
  }

  /** Valid until the next read. Shorter if the file was truncated meanwhile. */
  read(position: number, length: number): Buffer {
    if (position < this.#from || position + length > this.#from + this.#length) this.#fill(position, length);
    const start = position - this.#from;
    return this.#block.subarray(start, Math.min(start + length, this.#length));
  }

  #fill(position: number, length: number): void {
    if (length > this.#block.length) this.#block = Buffer.allocUnsafe(2 * length);
    this.#from = position;
    this.#length = 0;
    while (this.#length < this.#block.length) {
      const read = this.#source.read(this.#block, this.#length, position + this.#length);
      if (read === 0) return;
      this.#length += read;
    }
  }
}
