/** Numbers strings. Each is stored once, as bytes in a hash table with open addressing. A Map takes four times the memory. */
import { randomInt } from 'node:crypto';
import { integers, positions } from './numbers.ts';

/** UTF-8 has at most three bytes per UTF-16 unit. */
const MOST_BYTES_OF_UNIT = 3;
const FNV_PRIME = 16_777_619;

export class Names {
  #text: Buffer = Buffer.allocUnsafe(4_096);
  #used = 0;
  readonly #ends = positions();
  readonly #hashes = integers();
  /** The number + 1 of the name in a slot, 0 if empty. The size is a power of two, and at most half of the slots are used. */
  #slots = new Uint32Array(512);
  // Random, so that a file can't contain names that are made to collide.
  readonly #seed = randomInt(2 ** 32 - 1);

  get size(): number {
    return this.#ends.length;
  }

  textOf(n: number): string {
    return this.#text.toString('utf8', this.#startOf(n), this.#ends.at(n));
  }

  /** Returns the number of a name; a new name gets the next number. */
  numberOf(name: string): number {
    const end = this.#write(name);
    const hash = this.#hash(this.#used, end);
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const found = this.#slots[slot]! - 1;
      if (found < 0) return this.#add(slot, hash, end);
      if (this.#hashes.at(found) === hash && this.#is(found, end)) return found;
    }
  }

  #startOf(n: number): number {
    return n === 0 ? 0 : this.#ends.at(n - 1);
  }

  #write(name: string): number {
    const needed = this.#used + MOST_BYTES_OF_UNIT * name.length;
    if (needed > this.#text.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, Math.ceil(this.#text.length * 1.5)));
      this.#text.copy(larger, 0, 0, this.#used);
      this.#text = larger;
    }
    return this.#used + this.#text.write(name, this.#used);
  }

  /** FNV-1a. */
  #hash(start: number, end: number): number {
    let hash = this.#seed;
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ this.#text[at]!, FNV_PRIME);
    return (hash ^ (hash >>> 15)) >>> 0;
  }

  #is(n: number, end: number): boolean {
    return this.#text.compare(this.#text, this.#used, end, this.#startOf(n), this.#ends.at(n)) === 0;
  }

  #add(slot: number, hash: number, end: number): number {
    const n = this.size;
    this.#used = end;
    this.#ends.push(end);
    this.#hashes.push(hash);
    this.#slots[slot] = n + 1;
    if (2 * this.size > this.#slots.length) this.#rehash();
    return n;
  }

  #rehash(): void {
    this.#slots = new Uint32Array(2 * this.#slots.length);
    const mask = this.#slots.length - 1;
    for (let n = 0; n < this.size; n++) {
      let slot = this.#hashes.at(n) & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = n + 1;
    }
  }
}
