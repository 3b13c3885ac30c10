/** What is put together once and asked for by its key, in two halves: what was not asked for while the newer half filled up is forgotten. To keep
 *  what was used last in order, as a cache of the least recently used does, cost a twentieth of a page. */
export class Generations<Value> {
  readonly #most: number;
  readonly #sizeOf: (key: string, value: Value) => number;
  #newer = new Map<string, Value>();
  #older = new Map<string, Value>();
  #size = 0;

  /** `most`: of a half, by `sizeOf`; the number of values without it. */
  constructor(most: number, sizeOf: (key: string, value: Value) => number = () => 1) {
    this.#most = most;
    this.#sizeOf = sizeOf;
  }

  get(key: string): Value | undefined {
    const found = this.#newer.get(key);
    if (found !== undefined) return found;
    const before = this.#older.get(key);
    if (before !== undefined) this.set(key, before);
    return before;
  }

  set(key: string, value: Value): void {
    const size = this.#sizeOf(key, value);
    if (this.#size + size > this.#most) {
      this.#older = this.#newer;
      this.#newer = new Map();
      this.#size = 0;
    }
    this.#size += size;
    this.#newer.set(key, value);
  }
}
