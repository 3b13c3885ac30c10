/** Lists of numbers for millions of entries, in typed arrays, which the garbage collector does not scan. */

type Numbers = Uint8Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;

/** Grows on writes; unwritten values are 0. */
export class Growing<T extends Numbers> {
  readonly #make: (length: number) => T;
  #values: T;
  length = 0;

  constructor(make: (length: number) => T, first: readonly number[]) {
    this.#make = make;
    this.#values = make(FIRST);
    for (const value of first) this.push(value);
  }

  push(value: number): void {
    this.set(this.length, value);
  }

  set(n: number, value: number): void {
    if (n >= this.#values.length) this.#grow(n);
    this.#values[n] = value;
    if (n >= this.length) this.length = n + 1;
  }

  at(n: number): number {
    return this.#values[n]!;
  }

  #grow(n: number): void {
    const larger = this.#make(Math.max(n + 1, Math.ceil(this.#values.length * 1.5)));
    larger.set(this.#values);
    this.#values = larger;
  }
}

const FIRST = 256;
export const bytes = () => new Growing((length) => new Uint8Array(length), []);
export const integers = (...first: number[]) => new Growing((length) => new Uint32Array(length), first);
/** Integers above 32 bits. */
export const positions = () => new Growing((length) => new Float64Array(length), []);
