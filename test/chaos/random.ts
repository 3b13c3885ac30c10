/** Seeded random numbers. */
export class Random {
  readonly #seed: number;
  #state: number;

  constructor(seed: number) {
    this.#seed = seed;
    this.#state = seed >>> 0;
  }

  /** A separate stream, so that one actor's draws don't affect another's. */
  fork(name: string): Random {
    let hash = this.#seed >>> 0;
    for (const char of name) hash = Math.imul(hash ^ char.codePointAt(0)!, 0x0100_0193);
    return new Random(hash);
  }

  /** From 0 up to 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b_79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  between(least: number, most: number): number {
    return least + this.next() * (most - least);
  }

  /** A whole number from least to most, both included. */
  whole(least: number, most: number): number {
    return Math.floor(this.between(least, most + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.whole(0, list.length - 1)]!;
  }

  shuffled<T>(list: readonly T[]): T[] {
    const deck = [...list];
    for (let at = deck.length - 1; at > 0; at--) {
      const other = this.whole(0, at);
      [deck[at], deck[other]] = [deck[other]!, deck[at]!];
    }
    return deck;
  }
}
