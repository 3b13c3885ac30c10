/** Lists of numbers for millions of entries, in typed arrays, which the garbage collector does not scan. */

type Numbers = Uint8Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;

/** Grows on writes; unwritten values are 0. */
export class Growing<T extends Numbers> {
  #values: T;
  length = 0;

  constructor(values: T) {
    this.#values = values;
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
    const larger = new (this.#values.constructor as new (length: number) => T)(Math.max(n + 1, Math.ceil(this.#values.length * 1.5)));
    larger.set(this.#values);
    this.#values = larger;
  }
}

const FIRST = 256;
export const bytes = () => new Growing(new Uint8Array(FIRST));
export const integers = () => new Growing(new Uint32Array(FIRST));
/** Integers above 32 bits. */
export const positions = () => new Growing(new Float64Array(FIRST));
