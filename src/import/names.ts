/** Names by number: each is kept once, as bytes, in a table with open addressing. A Map of as many strings takes four times the memory. */
import { randomInt } from 'node:crypto';
import { integers, positions } from './numbers.ts';

/** Of one character in UTF-8, at most three bytes for a UTF-16 unit. */
const MOST_BYTES_OF_UNIT = 3;
const FNV_PRIME = 16_777_619;

export class Names {
  #text: Buffer = Buffer.allocUnsafe(4_096);
  #used = 0;
  /** Where each name ends. */
  readonly #ends = positions();
  readonly #hashes = integers();
  /** The number + 1 of the name that has a slot, 0 for none; a power of two, at most half of them taken. */
  #slots = new Uint32Array(512);
  // A file could be made of names that collide where the hash begins the same each time.
  readonly #seed = randomInt(2 ** 32 - 1);

  get size(): number {
    return this.#ends.length;
  }

  textOf(n: number): string {
    return this.#text.toString('utf8', this.#startOf(n), this.#ends.at(n));
  }

  /** Its number: that which it has, or the next one. */
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

  /** Behind all that are kept. */
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
